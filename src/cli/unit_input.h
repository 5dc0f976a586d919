/* Which rows of a table belong together: the options that say so, and what is said of rows that
   look as if they did. */
#ifndef ZF_CLI_UNIT_INPUT_H
#define ZF_CLI_UNIT_INPUT_H

#include "command.h"
#include "text.h"
#include "zeroflow/table.h"

/* Where these options stand after the first of them. */
enum { CLI_GROUPS, CLI_BLOCKS, CLI_UNIT_OPTIONS };

/* The options themselves, for a command's list, from index `first` on. `then` says what becomes
   of groups and blocks. */
#define CLI_UNIT_OPTION_LIST(first, then)                                                          \
    [(first) + CLI_GROUPS] = {"groups", .type = CLI_TEXT, .placeholder = "COLUMN",                 \
                              .help = "A column, of numbers or text, that says which rows belong " \
                                      "together, such as the visits of a patient. Groups, not "    \
                                      "rows, are then taken as independent" then                   \
                                      ". The column is no feature."},                              \
               [(first) + CLI_BLOCKS] = {                                                          \
                   "blocks",                                                                       \
                   .type = CLI_WHOLE,                                                              \
                   .placeholder = "N",                                                             \
                   .least = 1,                                                                     \
                   .most = 1000000000,                                                             \
                   .otherwise = "rows are independent",                                            \
                   .help = "For rows in the order of time: blocks of N rows that follow each "     \
                           "other are taken as independent" then "."}

/* CLI_USAGE: both are given. */
cli_exit cli_units_check(const cli_value *first);

/* The length of a block; 0: there are none. */
size_t cli_units_block(const cli_value *first);

/* What is independent in the table, so many of it, in words: rows, groups or blocks. */
cli_small cli_units_text(const cli_value *first, size_t n);

typedef struct cli_advice {
    char text[80];
} cli_advice;

/* An option for blocks of that length, after what leads to it; otherwise, if it is 0. */
cli_advice cli_units_advice(const char *lead, size_t block, const char *otherwise);

/* Warns of what speaks against independent rows, unless groups or blocks take care of it. order:
   whether it matters that rows are like those before them. */
cli_exit cli_units_doubt(const cli_call *call, const cli_value *first, const zf_matrix *matrix,
                         bool order);

#endif
