/* The options of the commands that read a table, and the reading itself. */
#ifndef ZF_CLI_TABLE_INPUT_H
#define ZF_CLI_TABLE_INPUT_H

#include "command.h"
#include "zeroflow/table.h"

/* Where these options stand after the first of them. */
enum { CLI_DELIMITER, CLI_HEADER, CLI_NO_HEADER, CLI_MISSING, CLI_TABLE_OPTIONS };

#define CLI_TABLE_ARGUMENT_HELP                                                                    \
    "A table as CSV, TSV or NPY, also gzipped; recognised by its content. A lone - is standard "   \
    "input."

/* The options themselves, for a command's list, from index `first` on. A macro,
   because a list is one constant array. */
#define CLI_TABLE_OPTION_LIST(first)                                                               \
    [(first) +                                                                                     \
        CLI_DELIMITER] = {"delimiter", .type = CLI_TEXT, .placeholder = "C",                       \
                          .otherwise = "found by itself",                                          \
                          .help = "What stands between the cells: one character, or one of "       \
                                  "comma, semicolon, tab, bar, space."},                           \
        [(first) + CLI_HEADER] = {"header",                                                        \
                                  .help =                                                          \
                                      "The first record holds the names of the columns. Without "  \
                                      "this and --no-header, that is found by itself."},           \
        [(first) + CLI_NO_HEADER] = {"no-header",                                                  \
                                     .help = "The first record holds data; the columns are named " \
                                             "column1, column2 and so on."},                       \
        [(first) + CLI_MISSING] = {                                                                \
            "missing", .type = CLI_LIST, .placeholder = "LIST",                                    \
            .help =                                                                                \
                "Cells that stand for a missing value, between commas, such as -999,none. The "    \
                "usual ones (empty, NA, N/A, NaN, null, ? and the like) always do."}

/* Which of its columns are taken: options of commands that take all that they can use. */
enum { CLI_COLUMNS, CLI_DROP, CLI_COLUMN_OPTIONS };

#define CLI_COLUMN_OPTION_LIST(first)                                                              \
    [(first) + CLI_COLUMNS] = {"columns", .type = CLI_LIST, .placeholder = "LIST",                 \
                               .otherwise = "all",                                                 \
                               .help = "The columns to take, by name, between commas; their "      \
                                       "order stays that of the table."},                          \
               [(first) + CLI_DROP] = {"drop", .type = CLI_LIST, .placeholder = "LIST",            \
                                       .otherwise = "none",                                        \
                                       .help = "Columns to leave out, between commas."}

/* Reads the table at path ("-": standard input) as the options say, of which
   the first is `first`, and checks it (zf_table_check). */
cli_exit cli_read_table(zf_table **out, const cli_value *first, const char *path);

/* The same of the columns that are chosen by --columns and --drop, of which the first is
   `chosen`; NULL: of all. groups: the column that says which rows belong together; NULL: none.
   CLI_USAGE: an unknown name, with the nearest; no column is left. */
cli_exit cli_read_columns(zf_table **out, const cli_value *first, const cli_value *chosen,
                          const char *groups, const char *path);

#endif
