#include "forms.h"

#include "text.h"

void cli_print_form(FILE *out, zf_form form, const char *third)
{
    fputs(zf_form_name(form), out);
    if (!third) return;
    fputs(" with ", out);
    cli_clean(out, third);
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
