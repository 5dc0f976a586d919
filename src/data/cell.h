/* What a cell of a text table is. */
#ifndef ZF_DATA_CELL_H
#define ZF_DATA_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/table.h"

typedef enum zf_cell_kind {
    ZF_CELL_MISSING,
    ZF_CELL_NUMBER,
    ZF_CELL_UNFINITE, /* inf, nan, 1e400 */
    ZF_CELL_WORD,     /* true or false: 1 or 0 */
    ZF_CELL_DATE,
    ZF_CELL_TEXT,
} zf_cell_kind;

/* value is set for numbers and words. */
zf_cell_kind zf_cell_classify(const char *text, size_t n, const zf_table_options *options,
                              double *value);

/* Is the text in the list of missing values? The empty text always is. */
bool zf_cell_is_missing(const char *text, size_t n, const zf_table_options *options);

/* 1,5 or -1.234,56: a number if commas were points. */
bool zf_cell_is_decimal_comma(const char *text, size_t n);

#endif
