/* What a command reads and writes, told to the library before it runs (zeroflow/files.h): no
   output takes the place of an input or of another output, each can be written, and no other
   process is making it.

   For commands without a job: jobs tell of their own. */
#ifndef ZF_CLI_FILES_H
#define ZF_CLI_FILES_H

#include "command.h"

/* Of a call that is parsed. CLI_USAGE: one file for two things; CLI_INPUT: an output that cannot
   be written; CLI_FAILED: one that another process is making. */
cli_exit cli_files_begin(cli_call *call);

#endif
