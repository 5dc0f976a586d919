/* A command that shows what a job does. */
#ifndef ZF_CLI_RUN_JOB_H
#define ZF_CLI_RUN_JOB_H

#include "command.h"

/* Runs the job of call->command with call->options and prints its result. */
cli_exit cli_run_job(const cli_call *call);

#endif
