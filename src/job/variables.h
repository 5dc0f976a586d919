/* The columns of a table that a method works on: their values, their names, which rows they are,
   and what the user is told about the others. */
#ifndef ZF_JOB_VARIABLES_H
#define ZF_JOB_VARIABLES_H

#include "job/table_input.h"

/* What becomes of rows that lack a value, and how the table is read: of jobs that are told their
   columns by name. */
typedef struct zf_named_values {
    zf_missing_rule missing_rows;
    zf_table_values table;
} zf_named_values;

extern const char *const zf_missing_rules[]; /* in the order of zf_missing_rule */

#define ZF_NAMED_ROWS(of, member)                                                                  \
    {"missing-rows",                                                                               \
     .type = ZF_OPTION_CHOICE,                                                                     \
     .placeholder = "RULE",                                                                        \
     ZF_FIELD(of, member.missing_rows),                                                            \
     .fallback = "drop",                                                                           \
     .choices = zf_missing_rules,                                                                  \
     .help = "What to do with rows that hold a missing value: drop, leave them out and count "     \
             "them; refuse, report an error."},                                                    \
        ZF_TABLE_ROWS(of, member.table)

/* The same of jobs that take all columns that they can use: also which. */
typedef struct zf_variable_values {
    zf_named_values named;
    zf_column_values chosen;
} zf_variable_values;

#define ZF_VARIABLE_ROWS(of, member)                                                               \
    ZF_NAMED_ROWS(of, member.named), ZF_COLUMN_ROWS(of, member.chosen)

typedef struct zf_variables {
    zf_table *table;
    zf_matrix matrix;   /* of the columns that the check found fit for use */
    const char **names; /* [matrix.columns]; they belong to the table */
} zf_variables;

/* Reads the table at path, takes the columns that can be used and the rows that have all their
   values. Warns of columns (a few by name, many by number) and rows that are left out. groups: a
   column that says which rows belong together, which is no variable: matrix.groups; NULL: none.
   ZF_EINPUT: less than two rows or columns are left. */
zf_status zf_read_variables(zf_variables *out, zf_run *run, const zf_variable_values *values,
                            const char *groups, const char *path) ZF_CHECK;

/* The values of n chosen columns, as the rule says of rows that lack one; warns of those left
   out. */
zf_status zf_take_matrix(zf_matrix *out, zf_run *run, const zf_table *table, const size_t *columns,
                         size_t n, zf_missing_rule rule) ZF_CHECK;

/* The same of n columns by name. ZF_EINPUT: the table at path lacks some of them. */
zf_status zf_take_named(zf_matrix *out, zf_run *run, const zf_table *table, const char *path,
                        const char *const *names, size_t n, zf_missing_rule rule) ZF_CHECK;

/* Warns of what makes blankets doubtful: columns that are linear in others, that are likely to be
   identifiers or codes, and too few rows. */
void zf_variables_doubt(const zf_variables *variables, zf_run *run);

/* A list of name and note: the columns that are left out. */
json_t *zf_variables_dropped(const zf_variables *variables);

void zf_variables_free(zf_variables *variables); /* leaves an empty one */

#endif
