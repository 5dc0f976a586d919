#include "forms.h"

#include "text.h"

void cli_print_form(FILE *out, zf_form form, const char *third)
{
    fputs(zf_form_name(form), out);
    if (!third) return;
    fputs(" with ", out);
    cli_clean(out, third);
}

void cli_tell_finding(FILE *out, const zf_finding *found, const zf_names *names)
{
    bool bent = found->bent >= 0, x_first = bent ? found->bent == found->x : true;
    const char *x = names->name(names->of, found->x), *y = names->name(names->of, found->y);
    cli_print_form(out, found->form,
                   found->third >= 0 ? names->name(names->of, found->third) : NULL);
    if (found->form == ZF_FORM_INTERACTION && found->third < 0)
        fputs(" with the given columns together", out);
    fputs(": ", out);
    cli_clean(out, x_first ? x : y);
    fputs(bent ? " as a function of " : " and ", out);
    cli_clean(out, x_first ? y : x);
}

void cli_list_names(FILE *out, const zf_names *names, const int32_t *list, int n)
{
    enum { NAMED_MOST = 8 };
    for (int i = 0; i < n && i < NAMED_MOST; i++) {
        fputs(i ? ", " : "", out);
        cli_clean(out, names->name(names->of, list[i]));
    }
    if (n > NAMED_MOST) fprintf(out, " and %d more", n - NAMED_MOST);
}
