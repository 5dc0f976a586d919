/* The columns of a table that a method works on: their values, their names, and
   what the user is told about the others. */
#ifndef ZF_CLI_FEATURE_INPUT_H
#define ZF_CLI_FEATURE_INPUT_H

#include "output.h"
#include "table_input.h"

/* The options of a command that works on columns, in this order: what becomes of rows
   that lack a value, then those of the table. A command that takes all columns that it can use
   (CLI_FEATURE) also has those that choose among them; one that is told its columns in another
   way (CLI_NAMED) has not. */
enum {
    CLI_MISSING_ROWS,
    CLI_FEATURE_TABLE,
    CLI_NAMED_OPTIONS = CLI_FEATURE_TABLE + CLI_TABLE_OPTIONS,
    CLI_FEATURE_COLUMNS = CLI_NAMED_OPTIONS,
    CLI_FEATURE_OPTIONS = CLI_FEATURE_COLUMNS + CLI_COLUMN_OPTIONS
};

extern const char *const cli_missing_rules[]; /* in the order of zf_missing_rule */

#define CLI_NAMED_OPTION_LIST(first)                                                               \
    [(first) + CLI_MISSING_ROWS] =                                                                 \
        {"missing-rows",                                                                           \
         .type = CLI_CHOICE,                                                                       \
         .placeholder = "RULE",                                                                    \
         .fallback = "drop",                                                                       \
         .choices = cli_missing_rules,                                                             \
         .help = "What becomes of rows that lack a value: drop, they are left out and counted; "   \
                 "refuse, they are an error."},                                                    \
               CLI_TABLE_OPTION_LIST((first) + CLI_FEATURE_TABLE)

#define CLI_FEATURE_OPTION_LIST(first)                                                             \
    CLI_NAMED_OPTION_LIST(first), CLI_COLUMN_OPTION_LIST((first) + CLI_FEATURE_COLUMNS)

typedef struct cli_features {
    zf_table *table;
    zf_matrix matrix;   /* of the columns that the check found fit for use */
    const char **names; /* [matrix.columns]; they belong to the table */
} cli_features;

/* Reads the table (cli_read_columns), takes the columns that can be used and the
   rows that have all their values, as the options say, of which the first is `first`. Warns of
   columns (a few by name, many by number) and rows that are left out. CLI_INPUT: less than two rows
   or columns are left. */
cli_exit cli_read_features(cli_features *out, const cli_call *call, const cli_value *first,
                           const char *path);

/* The same with a column that says which rows belong together, which is no feature: matrix.groups.
   NULL: none. */
cli_exit cli_read_grouped(cli_features *out, const cli_call *call, const cli_value *first,
                          const char *groups, const char *path);

/* The values of n chosen columns, as
   --missing-rows, the first of `first`, says of rows that lack one; warns of those left
   out. */
cli_exit cli_take_matrix(zf_matrix *out, const cli_call *call, const zf_table *table,
                         const size_t *columns, size_t n, const cli_value *first);

/* The same of n columns by name. CLI_INPUT: the table at path lacks some of them. */
cli_exit cli_take_named(zf_matrix *out, const cli_call *call, const zf_table *table,
                        const char *path, const char *const *names, size_t n,
                        const cli_value *first);

/* Warns of what makes blankets doubtful: columns that are linear in others, that are likely to be
   identifiers or codes, and too few rows. */
void cli_features_doubt(const cli_features *features, const cli_call *call);

/* A list of name and note: the columns that are left out; NULL: out of memory. */
json_t *cli_features_dropped(const cli_features *features);

void cli_features_free(cli_features *features); /* leaves an empty one */

#endif
