/* zeroflow certify: is a blanket sufficient, and what is missing from it? */
#include "job/certify.h"

#include "command.h"
#include "forms.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

enum { NAME_MOST = 32 }; /* columns of a name */

static const cli_example examples[] = {
    {"zeroflow certify cells.model fresh.csv --target PKA --top 2",
     "Test on new rows whether the two most needed variables are sufficient for PKA."},
    {"zeroflow certify cells.model fresh.csv --target PKA --top 2 --plot certificate.svg",
     "The same as a figure."},
    {"zeroflow certify cells.model fresh.csv --target Mek --blanket PKA,PKC --json",
     "Test a blanket of your own, as JSON."},
    {NULL},
};

/* The columns of a list of names, of which the longest so far took `width`. */
static int widen(int width, const zf_certify_result *found, int32_t variable)
{
    int w = cli_width(zf_blanket_name(found->model, variable));
    width = w > width ? w : width;
    return width < NAME_MOST ? width : NAME_MOST;
}

/* A p-value and, if it is a sign, what was found. */
static void print_p_value(FILE *out, const zf_certify_result *c, double level, double p_value,
                          const zf_finding *found)
{
    zf_names names = zf_model_names(c->model);
    bool sign = p_value <= level;
    fprintf(out, sign ? "p %-9.4g  " : "p %.4g", p_value);
    if (sign) cli_tell_finding(out, found, &names);
    fputc('\n', out);
}

static void print_missing(FILE *out, const zf_certify_result *found, double level)
{
    enum { SHOWN_MOST = 8 };
    size_t all = found->certificate.n_left_out, n = all < SHOWN_MOST ? all : SHOWN_MOST;
    int width = 0;
    int32_t variable;
    for (size_t rank = 0; rank < n; rank++) {
        zf_certify_missing(&variable, found, rank);
        width = widen(width, found, variable);
    }
    fprintf(out, "\nWhat would help most, of %s left out\n", zf_count(all).text);
    for (size_t rank = 0; rank < n; rank++) {
        const zf_independence_part *part = zf_certify_missing(&variable, found, rank);
        fputs("  ", out);
        cli_fit(out, zf_blanket_name(found->model, variable), width, false);
        fprintf(out, "  gain %5.3f  ", part->gain);
        print_p_value(out, found, level, part->p_value, &part->found);
    }
}

/* Those without a sign first: they are what one can do without. */
static void print_members(FILE *out, const zf_certify_result *found, double level)
{
    const zf_certificate *c = &found->certificate;
    size_t idle = 0;
    int width = 0;
    for (size_t i = 0; i < c->n_members; i++) {
        width = widen(width, found, c->members[i].variable);
        idle += c->members[i].p_value > level;
    }
    if (c->n_members == 0) return;
    fprintf(out, "\nMembers, each given the others: %s of %s not needed\n", zf_count(idle).text,
            zf_count(c->n_members).text);
    for (size_t rank = 0; rank < c->n_members; rank++) {
        const zf_member_test *m = &c->members[rank];
        if (rank == idle) fputs(idle ? "  needed:\n" : "", out);
        fputs("  ", out);
        cli_fit(out, zf_blanket_name(found->model, m->variable), width, false);
        fputs("  ", out);
        print_p_value(out, found, level, m->p_value, &m->found);
    }
    if (idle > 1)
        fputs("  Leave out one at a time: of two with the same information, each looks "
              "superfluous.\n",
              out);
}

/* "The blanket of x4: x3, x5, on 600 rows" */
static void print_heading(FILE *out, const zf_certify_result *found)
{
    zf_names names = zf_model_names(found->model);
    fprintf(out, "%sThe blanket of ", cli_bold());
    cli_list_names(out, &names, found->targets, found->n_targets);
    fputs(found->n_blanket ? ": " : ": empty", out);
    cli_list_names(out, &names, found->blanket, found->n_blanket);
    fprintf(out, "%s, on %s\n\n", cli_plain(), zf_plural(found->certificate.test.rows, "row").text);
}

static void print(const cli_call *call, const void *given, const void *result)
{
    const zf_certify_values *values = given;
    const zf_certify_result *found = result;
    const zf_independence *test = &found->certificate.test;
    FILE *out = call->out;
    print_heading(out, found);
    fprintf(out, "  p-value    %-9.4g %s\n", test->p_value,
            zf_certify_verdict(found, values->level));
    fprintf(out, "  statistic  %-9.4g about 1 if nothing is missing\n", test->statistic);
    fprintf(out, "  effect     %-9.4g correlation behind the strongest sign, 0 to 1\n",
            test->effect);
    print_missing(out, found, values->level);
    print_members(out, found, values->level);
    cli_tell_figure(call, values->plot);
}

const cli_command cli_command_certify = {
    .job = &zf_job_certify,
    .print = print,
    .examples = examples,
};
