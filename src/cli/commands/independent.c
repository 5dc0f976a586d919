/* zeroflow independent: are some columns independent of others, given more? */
#include "job/independent.h"

#include "command.h"
#include "forms.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow independent cells.csv --x Mek --y PKA --given Raf",
     "Whether PKA tells anything about Mek that Raf does not."},
    {"zeroflow independent cells.csv -x Mek -y PKA --given Raf --plot found.svg",
     "The same, with a figure of what remains of the two."},
    {"zeroflow independent cells.csv -x Mek -y PKA,PKC --json",
     "Marginal independence of one column from two, as JSON."},
    {NULL},
};

static const char *const verdicts[] = {
    "no sign of dependence",
    "evidence of dependence",
    "cannot tell dependence from what the given columns explain of both",
};

/* "a and b, given c: 600 rows" */
static void print_question(FILE *out, const zf_independent_result *found)
{
    const zf_question *q = &found->question;
    zf_names names = zf_independent_names(found);
    fputs(cli_bold(), out);
    cli_list_names(out, &names, q->x, (int)q->n_x);
    fputs(" and ", out);
    cli_list_names(out, &names, q->y, (int)q->n_y);
    fputs(q->n_given ? ", given " : "", out);
    cli_list_names(out, &names, q->given, (int)q->n_given);
    fprintf(out, "%s: %s\n\n", cli_plain(), zf_plural(found->test.rows, "row").text);
}

static void print_where(FILE *out, const zf_independent_result *found)
{
    enum { NAME_MOST = 32 };
    const zf_question *q = &found->question;
    size_t n = q->n_x + q->n_y;
    int width = 0;
    for (size_t at = 0; at < n; at++) {
        int w = cli_width(found->names[at]);
        width = w > width ? w : width;
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    fputs("\nWhere it is: share of each column\n", out);
    for (size_t at = 0; at < n; at++) {
        fprintf(out, "  %c  ", at < q->n_x ? 'x' : 'y');
        cli_fit(out, found->names[at], width, false);
        fprintf(out, "  %5.3f\n", zf_independent_share(found, at));
    }
}

static void print(const cli_call *call, const void *given, const void *result)
{
    const zf_independent_values *values = given;
    const zf_independent_result *found = result;
    const zf_independence *test = &found->test;
    FILE *out = call->out;
    print_question(out, found);
    fprintf(out, "  p-value    %-9.4g %s\n", test->p_value, verdicts[found->verdict]);
    if (found->reason) fprintf(out, "             %s\n", found->reason);
    fprintf(out, "  statistic  %-9.4g about 1 if they are independent\n", test->statistic);
    fprintf(out, "  effect     %-9.4g correlation behind the strongest sign, 0 to 1\n",
            test->effect);
    if (found->verdict != ZF_INDEPENDENT_NO_SIGN) {
        zf_names names = zf_independent_names(found);
        fputs("  form       ", out);
        cli_tell_finding(out, &test->found, &names);
        fputc('\n', out);
    }
    if (found->question.n_x + found->question.n_y > 2) print_where(out, found);
    cli_tell_figure(call, values->plot);
}

const cli_command cli_command_independent = {
    .job = &zf_job_independent,
    .print = print,
    .examples = examples,
};
