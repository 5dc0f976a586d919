/* A table of daily prices as log returns: a stock a row, a day a column. */
#ifndef ZF_CLI_PRICES_H
#define ZF_CLI_PRICES_H

#include <stddef.h>

#include "command.h"

typedef struct cli_returns {
    double *values; /* [stocks * days] */
    size_t stocks, days;
    char **dates;   /* [days] "2020-03-09": of the later of the two prices */
    double *day;    /* [days] the same as days since 1970-01-01 */
    size_t dropped; /* stocks that lack a price, or have one that is not above 0 */
} cli_returns;

/* The file has a column of ascending dates and then a column of prices a
   ticker. Release in either case. */
cli_exit cli_read_returns(cli_returns *returns, const char *path);
void cli_returns_free(cli_returns *returns);

#endif
