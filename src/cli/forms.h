/* What a dependence looks like, in words; and lists of names. */
#ifndef ZF_CLI_FORMS_H
#define ZF_CLI_FORMS_H

#include <stdio.h>

#include "job/names.h"
#include "zeroflow/form.h"

/* "rising", "interaction with NAME": third is the name, or NULL. */
void cli_print_form(FILE *out, zf_form form, const char *third);

/* A list of names in words, of which a few are told. */
void cli_list_names(FILE *out, const zf_names *names, const int32_t *list, int n);

#endif
