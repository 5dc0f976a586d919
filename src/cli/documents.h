/* The manual page and the shell completions, from the descriptors. */
#ifndef ZF_CLI_DOCUMENTS_H
#define ZF_CLI_DOCUMENTS_H

#include "command.h"

cli_exit cli_print_manual(FILE *out);
cli_exit cli_print_bash(FILE *out);
cli_exit cli_print_zsh(FILE *out);
cli_exit cli_print_fish(FILE *out);

#endif
