/* The message of a training that was interrupted. */
#ifndef ZF_CLI_STOPPED_H
#define ZF_CLI_STOPPED_H

#include "command.h"
#include "job/saving.h"

/* For the `interrupted` of a command: what was saved, as the job says it, and the command line
   that goes on. */
cli_exit cli_training_stopped(const cli_call *call, const zf_saving *saving);

#endif
