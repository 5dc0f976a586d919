/* What a command reads and writes, told to the library before it runs (zeroflow/files.h): no
   output takes the place of an input or of another output, each can be written, and no other
   process is making it.

   Arguments and options of the types CLI_FILE, CLI_IMAGES and CLI_OUTPUT need nothing:
   cli_files_begin() tells of them. A command that makes names of its own (MODEL.checkpoint) tells
   of these before its work. */
#ifndef ZF_CLI_FILES_H
#define ZF_CLI_FILES_H

#include "command.h"

/* Of a call that is parsed. CLI_USAGE: one file for two things; CLI_INPUT: an output that cannot
   be written; CLI_FAILED: one that another process is making. */
cli_exit cli_files_begin(cli_call *call);

/* Of one file more; role is what the user would call it, such as "--names". */
cli_exit cli_writes(const cli_call *call, const char *role, const char *path);

#endif
