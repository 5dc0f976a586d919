/* From the words of the command line to a cli_call. */
#ifndef ZF_CLI_PARSE_H
#define ZF_CLI_PARSE_H

#include "command.h"

/* Understands --name value, --name=value, -o value, -ovalue, flags in one word
   (-qh) and --, with options before, between and after the arguments; those
   before the command are the ones of every command.
   call->command is NULL after success if none was named, which is then asked
   for help or the version. call->command is set as soon as it is known, also
   on failure. Release with cli_call_free() in either case. */
cli_exit cli_parse(cli_call *call, bool *version, int argc, char **argv);
void cli_call_free(cli_call *call);

/* The values of a command's options when none is given: one for each option, or those of its
   job. */
typedef struct cli_defaults {
    cli_value *values;
    zf_options *options;
} cli_defaults;

cli_exit cli_defaults_begin(cli_defaults *defaults, const cli_command *command);
void cli_defaults_free(cli_defaults *defaults);

#endif
