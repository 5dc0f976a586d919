/* What a test of independence has found: as JSON, and in figures. */
#ifndef ZF_JOB_FINDING_H
#define ZF_JOB_FINDING_H

#include "job/names.h"
#include "zeroflow/independence.h"
#include "zeroflow/plot.h"

#define ZF_DRAWS_HELP "How often the null is drawn: the p-value is at least one in so many and one."

/* The options of a test with so many draws. */
zf_independence_options zf_independence_wish(uint64_t draws, const zf_run *run);

/* x, y, form, effect, bent and third. names: of the columns that the finding is about. */
json_t *zf_finding_json(const zf_finding *found, const zf_names *names);

/* A p-value as the length of a bar: its logarithm, without the sign. */
double zf_zeros(double p_value);

/* The bar of a finding. */
zf_bar zf_finding_bar(const char *name, double length, bool strong, double p_value,
                      const zf_finding *found, const zf_names *names);

/* A list of names in words, of which a few are told: *text is for free(). */
zf_status zf_names_text(char **text, const zf_names *names, const int32_t *list, size_t n) ZF_CHECK;

/* Text about findings above or below a figure: *text is for free(). */
zf_status zf_figure_text(char **text, const char *format, ...)
    __attribute__((format(printf, 2, 3))) ZF_CHECK;

#endif
