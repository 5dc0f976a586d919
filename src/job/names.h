/* Lists of names that a user gives, and what they are the names of. */
#ifndef ZF_JOB_NAMES_H
#define ZF_JOB_NAMES_H

#include "job/job.h"
#include "zeroflow/blanket.h"
#include "zeroflow/table.h"

/* Named things: the variables of a model, the columns of a table. */
typedef struct zf_names {
    const void *of;
    int count; /* at least one */
    const char *(*name)(const void *of, int i);
    int (*find)(const void *of, const char *name); /* -1: none */
    const char *owner, *noun;                      /* "the model", "variable" */
} zf_names;

/* The columns of a table that came from a file. */
zf_names zf_table_names(const zf_table *table, const char *path);

/* The variables of a model. */
zf_names zf_model_names(const zf_blanket *model);

/* The things that a list of names means; *found is for free(). A name with commas
   in it is found although the list was cut there. ZF_EINVAL: there is none, or an
   unknown name, with the nearest. option is the option's name. */
zf_status zf_find_names(int32_t **found, int *n, const zf_names *names, const zf_words *list,
                        const char *option) ZF_CHECK;

/* All of them as JSON. */
json_t *zf_names_json(const zf_names *names, const int32_t *list, int n);

#endif
