/* Which rows of a table belong together: the options that say so, and what is said of rows that
   look as if they did. */
#ifndef ZF_JOB_UNITS_H
#define ZF_JOB_UNITS_H

#include "base/words.h"
#include "job/job.h"
#include "zeroflow/table.h"

typedef struct zf_unit_values {
    const char *groups;
    int64_t blocks; /* ZF_AUTO: rows are independent */
} zf_unit_values;

/* The rows of the struct where it is `member` of `of`, whose defaults set blocks to ZF_AUTO.
   `then` says what becomes of groups and blocks. */
#define ZF_UNIT_ROWS(of, member, then)                                                             \
    {"groups", .type = ZF_OPTION_TEXT, .placeholder = "COLUMN", ZF_FIELD(of, member.groups),       \
     .help = "Column, of numbers or text, that says which rows belong together, such as the "      \
             "visits of a patient. Groups instead of rows are then treated as independent" then    \
             ". The column is not a variable."},                                                   \
    {                                                                                              \
        "blocks", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(of, member.blocks),        \
                  .least = 1, .most = 1000000000, .otherwise = "rows are independent",             \
                  .help = "For rows in time order: blocks of N consecutive rows are treated as "   \
                          "independent" then "."                                                   \
    }

/* ZF_EINVAL: both are given. */
zf_status zf_units_refuse_both(const zf_unit_values *values) ZF_CHECK;

/* The length of a block; 0: there are none. */
size_t zf_units_block(const zf_unit_values *values);

/* What is independent in the table, so many of it, in words: rows, groups or blocks. */
zf_small zf_units_text(const zf_unit_values *values, size_t n);

typedef struct zf_unit_advice {
    char text[80];
} zf_unit_advice;

/* An option for blocks of that length, after what leads to it; otherwise, if it is 0. */
zf_unit_advice zf_units_advice(const char *lead, size_t block, const char *otherwise);

/* Warns of what speaks against independent rows, unless groups or blocks take care of it. order:
   whether it matters that rows are like those before them. */
zf_status zf_units_doubt(zf_run *run, const zf_unit_values *values, const zf_matrix *matrix,
                         bool order) ZF_CHECK;

#endif
