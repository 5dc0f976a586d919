/* What a test of independence has found, in words and as JSON. */
#ifndef ZF_CLI_FINDING_H
#define ZF_CLI_FINDING_H

#include "name_input.h"
#include "zeroflow/independence.h"
#include "zeroflow/plot.h"

/* "falling: a and b", "U-shaped: b as a function of a", "interaction with z: a and b". names: of
   the table's columns. */
void cli_print_finding(FILE *out, const zf_finding *found, const cli_names *names);

/* x, y, form, effect, bent and third; NULL: out of memory. */
json_t *cli_finding_json(const zf_finding *found, const cli_names *names);

/* A p-value as the length of a bar: its logarithm, without the sign. */
double cli_zeros(double p_value);

/* The bar of a finding. */
zf_bar cli_finding_bar(const char *name, double length, bool strong, double p_value,
                       const zf_finding *found, const cli_names *names);

#endif
