#include "finding.h"

#include <math.h>

#include "text.h"

static const char *name(const cli_names *names, int32_t column)
{
    return column >= 0 ? names->name(names->of, column) : NULL;
}

void cli_print_finding(FILE *out, const zf_finding *found, const cli_names *names)
{
    bool bent = found->bent >= 0, x_first = bent ? found->bent == found->x : true;
    cli_print_form(out, found->form, name(names, found->third));
    if (found->form == ZF_FORM_INTERACTION && found->third < 0)
        fputs(" with the given columns together", out);
    fputs(": ", out);
    cli_clean(out, name(names, x_first ? found->x : found->y));
    fputs(bent ? " as a function of " : " and ", out);
    cli_clean(out, name(names, x_first ? found->y : found->x));
}

json_t *cli_finding_json(const zf_finding *found, const cli_names *names)
{
    return json_pack("{s:o s:o s:s s:o s:o s:o}", "x", cli_json_text(name(names, found->x)), "y",
                     cli_json_text(name(names, found->y)), "form", zf_form_name(found->form),
                     "effect", cli_json_number(found->effect), "bent",
                     cli_json_text(name(names, found->bent)), "third",
                     cli_json_text(name(names, found->third)));
}

double cli_zeros(double p_value)
{
    return fabs(log10(p_value)); /* of 1 it is 0, not -0 */
}

zf_bar cli_finding_bar(const char *label, double length, bool strong, double p_value,
                       const zf_finding *found, const cli_names *names)
{
    return (zf_bar){.name = label,
                    .length = length,
                    .strong = strong,
                    .p_value = p_value,
                    .form = strong ? found->form : ZF_FORM_NONE,
                    .third = name(names, found->third)};
}
