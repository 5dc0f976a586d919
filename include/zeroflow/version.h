/* The version of the library that a program is compiled for.

     #if ZF_VERSION_MAJOR == 0 && ZF_VERSION_MINOR < 2
     #error "zeroflow 0.2 or later is needed"
     #endif
     printf("compiled for %s, running on %s\n", ZF_VERSION, zf_version());

   The build takes the project's version from here. ZF_INTERFACE is the number of the binary
   interface, which the shared library's name ends with: a program runs with every library of the
   same number that is not older than the one that it was compiled for. docs/architecture.md says
   when it changes. */
#ifndef ZEROFLOW_VERSION_H
#define ZEROFLOW_VERSION_H

#define ZF_VERSION_MAJOR 0
#define ZF_VERSION_MINOR 1
#define ZF_VERSION_PATCH 0
#define ZF_VERSION       "0.1.0"
#define ZF_INTERFACE     1

#endif
