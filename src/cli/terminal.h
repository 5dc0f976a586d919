/* What the terminal can do. */
#ifndef ZF_CLI_TERMINAL_H
#define ZF_CLI_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal on that descriptor, now; 80 if it is none. */
int cli_columns(int descriptor);

/* Whether lines can be redrawn there: a terminal that is not dumb. */
bool cli_can_redraw(int descriptor);

/* Whether colour is wanted there: as above, and NO_COLOR is unset or empty. */
bool cli_can_colour(int descriptor);

/* An escape sequence if colour is wanted on standard output, otherwise "". */
const char *cli_bold(void);
const char *cli_plain(void);

#endif
