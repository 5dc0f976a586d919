/* Status codes and the text that explains them.

     zf_status status = zf_blanket_load(&model, "cells.model");
     if (status != ZF_OK) fprintf(stderr, "%s: %s\n", zf_status_name(status), zf_error());

   Whatever can fail returns a zf_status; the detail of the last failure on the
   calling thread is in zf_error(). A result goes through the first pointer,
   which is left as it was on failure. The library never prints and never
   exits.

   zf_error() is of the calling thread; all functions here are safe from several threads. */
#ifndef ZEROFLOW_STATUS_H
#define ZEROFLOW_STATUS_H

#if defined(__GNUC__)
#define ZF_API   __attribute__((visibility("default")))
#define ZF_CHECK __attribute__((warn_unused_result))
#else
#define ZF_API
#define ZF_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* In options: leaves a number to the library, where the library can choose it. */
#define ZF_AUTO (-1)

typedef enum zf_status {
    ZF_OK = 0,
    ZF_ENOMEM,     /* memory ran out */
    ZF_EINVAL,     /* an invalid argument */
    ZF_EINPUT,     /* data from outside cannot be used: malformed, wrong shape, not finite */
    ZF_EIO,        /* the operating system refused to open or read, or to let write there */
    ZF_ENUMERIC,   /* a result is not finite */
    ZF_EINTERRUPT, /* the progress callback asked to stop; what was learnt is saved */
    ZF_EOUTPUT,    /* writing failed (disk full, ...), or another process is writing that file */
} zf_status;

/* Message of the last failure on this thread, naming the thing, the place and
   the expectation; "" if there was none. Valid until the next failure here. */
ZF_API const char *zf_error(void);

/* "out of memory", "invalid argument", ...: the class of a status. */
ZF_API const char *zf_status_name(zf_status status);

/* "0.1.0": the version of the library that is running, which may be newer than the one that the
   program was compiled for (zeroflow/version.h). */
ZF_API const char *zf_version(void);

#ifdef __cplusplus
}
#endif
#endif
