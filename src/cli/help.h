/* The text of --help. */
#ifndef ZF_CLI_HELP_H
#define ZF_CLI_HELP_H

#include "parse.h"

cli_exit cli_print_overview(FILE *out);
cli_exit cli_print_help(FILE *out, const cli_command *command);

/* "[OPTIONS] DATA", "[OPTIONS] [COMMAND]": what follows the command's name. */
void cli_print_usage(FILE *out, const cli_command *command);

/* What is true without the option, such as "400" or "all processors", from
   what cli_defaults_begin() gives (NULL: nothing is known) for option number `at`; "" where there
   is nothing to say. */
typedef struct cli_default {
    char text[64];
} cli_default;
cli_default cli_default_text(const zf_option *option, const cli_defaults *defaults, int at);

#endif
