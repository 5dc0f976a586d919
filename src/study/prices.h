/* A table of daily prices as log returns: a stock a row, a day a column. */
#ifndef ZF_STUDY_PRICES_H
#define ZF_STUDY_PRICES_H

#include <stddef.h>

#include "zeroflow/status.h"

typedef struct price_returns {
    double *values; /* [stocks * days] */
    size_t stocks, days;
    char **dates;   /* [days] "2020-03-09": of the later of the two prices */
    double *day;    /* [days] the same as days since 1970-01-01 */
    size_t dropped; /* stocks that lack a price, or have one that is not above 0 */
} price_returns;

/* The file has a column of ascending dates and then a column of prices a
   ticker. Release in either case. */
zf_status price_returns_read(price_returns *returns, const char *path);
void price_returns_free(price_returns *returns);

#endif
