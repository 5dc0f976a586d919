/* What a dependence looks like, in words; and lists of names. */
#ifndef ZF_CLI_FORMS_H
#define ZF_CLI_FORMS_H

#include <stdio.h>

#include "job/names.h"
#include "zeroflow/form.h"
#include "zeroflow/independence.h"

/* "rising", "interaction with NAME": third is the name, or NULL. */
void cli_print_form(FILE *out, zf_form form, const char *third);

/* "falling: a and b", "U-shaped: b as a function of a", "interaction with z: a and b". names: of
   the columns that the finding is about. */
void cli_tell_finding(FILE *out, const zf_finding *found, const zf_names *names);

/* A list of names in words, of which a few are told. */
void cli_list_names(FILE *out, const zf_names *names, const int32_t *list, int n);

#endif
