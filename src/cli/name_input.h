/* Lists of names on the command line, and what they are the names of. */
#ifndef ZF_CLI_NAME_INPUT_H
#define ZF_CLI_NAME_INPUT_H

#include "forms.h"
#include "output.h"
#include "zeroflow/form.h"
#include "zeroflow/table.h"

/* Named things: the variables of a model, the columns of a table. */
typedef struct cli_names {
    const void *of;
    int count; /* at least one */
    const char *(*name)(const void *of, int i);
    int (*find)(const void *of, const char *name); /* -1: none */
    const char *owner, *noun;                      /* "the model", "variable" */
} cli_names;

/* The columns of a table that came from a file. */
cli_names cli_table_names(const zf_table *table, const char *path);

/* The things that a list of names means; *found is for free(). A name with commas
   in it is found although the list was cut there. CLI_USAGE: there is none, or an
   unknown name, with the nearest. label is the option's name. */
cli_exit cli_find_names(int32_t **found, int *n, const cli_names *names, const cli_value *list,
                        const char *label);

/* A list of them in words, of which a few are named; and all of them as JSON, NULL if
   memory ran out. */
void cli_print_names(FILE *out, const cli_names *names, const int32_t *list, int n);
json_t *cli_names_json(const cli_names *names, const int32_t *list, int n);

#endif
