/* The options of jobs that read a table, and the reading itself. */
#ifndef ZF_JOB_TABLE_INPUT_H
#define ZF_JOB_TABLE_INPUT_H

#include "job/job.h"
#include "zeroflow/table.h"

/* How a table is read. */
typedef struct zf_table_values {
    const char *delimiter;
    bool header, no_header;
    zf_words missing;
} zf_table_values;

/* Which of its columns are taken: options of jobs that take all that they can use. */
typedef struct zf_column_values {
    zf_words columns, drop;
} zf_column_values;

#define ZF_TABLE_HELP                                                                              \
    "Table as CSV, TSV or NPY, optionally gzipped; detected by its content. - reads "              \
    "standard input."

/* The rows of these structs where they are `member` of `of`. */
#define ZF_TABLE_ROWS(of, member)                                                                  \
    {"delimiter",                                                                                  \
     .type = ZF_OPTION_TEXT,                                                                       \
     .placeholder = "C",                                                                           \
     ZF_FIELD(of, member.delimiter),                                                               \
     .otherwise = "detected",                                                                      \
     .help =                                                                                       \
         "Separator between cells: one character, or one of comma, semicolon, tab, bar, space."},  \
        {"header", .type = ZF_OPTION_FLAG, ZF_FIELD(of, member.header),                            \
         .help = "The first record holds the column names. Without this and {no-header}, that is " \
                 "detected."},                                                                     \
        {"no-header", .type = ZF_OPTION_FLAG, ZF_FIELD(of, member.no_header),                      \
         .help = "The first record holds data; the columns are named column1, column2 and so "     \
                 "on."},                                                                           \
    {                                                                                              \
        "missing", .type = ZF_OPTION_LIST, .placeholder = "LIST", ZF_FIELD(of, member.missing),    \
                   .help = "Cells that mean a missing value, separated by commas, such as "        \
                           "-999,none. The usual ones (empty, NA, N/A, NaN, null, ? and the "      \
                           "like) always do."                                                      \
    }

#define ZF_COLUMN_ROWS(of, member)                                                                 \
    {"columns",                                                                                    \
     .type = ZF_OPTION_LIST,                                                                       \
     .placeholder = "LIST",                                                                        \
     ZF_FIELD(of, member.columns),                                                                 \
     .otherwise = "all",                                                                           \
     .help = "Columns to use: names, separated by commas. Their order stays that of the table."},  \
    {                                                                                              \
        "drop", .type = ZF_OPTION_LIST, .placeholder = "LIST", ZF_FIELD(of, member.drop),          \
                .otherwise = "none", .help = "Columns to leave out: names, separated by commas."   \
    }

/* Reads the table at path ("-": standard input) and checks it (zf_table_check). */
zf_status zf_read_table(zf_table **out, const zf_table_values *values, const char *path) ZF_CHECK;

/* The same of the chosen columns; NULL: of all. groups: the column that says which rows belong
   together; NULL: none. ZF_EINVAL: an unknown name, with the nearest; no column is left. */
zf_status zf_read_columns(zf_table **out, const zf_table_values *values,
                          const zf_column_values *chosen, const char *groups,
                          const char *path) ZF_CHECK;

#endif
