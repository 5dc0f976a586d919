#include "job/finding.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "job/answer.h"

zf_independence_options zf_independence_wish(uint64_t draws, const zf_run *run)
{
    zf_independence_options wish = zf_independence_defaults();
    wish.draws = draws;
    wish.seed = run->seed;
    wish.threads = run->threads;
    wish.report = run->report;
    return wish;
}

static const char *name_of(const zf_names *names, int32_t column)
{
    return column >= 0 ? names->name(names->of, column) : NULL;
}

json_t *zf_finding_json(const zf_finding *found, const zf_names *names)
{
    return json_pack("{s:o s:o s:s s:o s:o s:o}", "x", zf_answer_text(name_of(names, found->x)),
                     "y", zf_answer_text(name_of(names, found->y)), "form",
                     zf_form_name(found->form), "effect", zf_answer_number(found->effect), "bent",
                     zf_answer_text(name_of(names, found->bent)), "third",
                     zf_answer_text(name_of(names, found->third)));
}

double zf_zeros(double p_value)
{
    return fabs(log10(p_value)); /* of 1 it is 0, not -0 */
}

zf_bar zf_finding_bar(const char *name, double length, bool strong, double p_value,
                      const zf_finding *found, const zf_names *names)
{
    return (zf_bar){.name = name,
                    .length = length,
                    .strong = strong,
                    .p_value = p_value,
                    .form = strong ? found->form : ZF_FORM_NONE,
                    .third = name_of(names, found->third)};
}

zf_status zf_names_text(char **text, const zf_names *names, const int32_t *list, size_t n)
{
    enum { NAMED_MOST = 8, REST = 40 }; /* REST: bytes of " and 12 more" */
    size_t named = n < NAMED_MOST ? n : NAMED_MOST, bytes = REST;
    for (size_t i = 0; i < named; i++) bytes += strlen(name_of(names, list[i])) + strlen(", ");
    char *all = malloc(bytes), *at = all;
    if (!all) return zf_fail_memory(bytes);
    *at = '\0';
    for (size_t i = 0; i < named; i++) {
        at = stpcpy(at, i ? ", " : "");
        at = stpcpy(at, name_of(names, list[i]));
    }
    if (n > named) snprintf(at, REST, " and %zu more", n - named);
    *text = all;
    return ZF_OK;
}

zf_status zf_figure_text(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = zf_format(text, format, arguments);
    va_end(arguments);
    return length >= 0 ? ZF_OK : zf_fail(ZF_ENOMEM, "out of memory");
}
