/* zeroflow two-sample: are the rows of two files of one law? */
#include "job/two_sample.h"

#include "command.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow two-sample old.csv new.csv",
     "Whether the new rows have the distribution of the old ones."},
    {"zeroflow two-sample old.csv new.csv --columns x1,x2 --permutations 99 --json > t.json",
     "Two columns only, quickly; as JSON."},
    {NULL},
};

static void print_where(FILE *out, const zf_two_sample_found *c)
{
    enum { MOST = 10, NAME = 24, BAR = 30 };
    fprintf(out, "\n%sWhere%s: each column's share of the flow\n", cli_bold(), cli_plain());
    for (size_t i = 0; i < c->n && i < MOST; i++) {
        double share = c->result.share[c->order[i]];
        fputs("  ", out);
        cli_fit(out, c->names[c->order[i]], NAME, false);
        fprintf(out, " %5.1f%%  ", 100 * share);
        for (int j = 0; j < (int)(share * BAR + 0.5); j++) fputs(cli_utf8() ? "█" : "#", out);
        fputc('\n', out);
    }
    if (c->n > MOST) fprintf(out, "  and %s more\n", zf_plural(c->n - MOST, "column").text);
}

static void print_points(FILE *out, const zf_two_sample_found *c)
{
    const zf_two_sample_result *r = &c->result;
    if (r->n_points > 0)
        fprintf(out,
                "\n"
                "%sRows%s least like the other table\n",
                cli_bold(), cli_plain());
    for (size_t i = 0; i < r->n_points; i++) {
        const zf_two_sample_side *s = &c->side[r->points[i].second];
        fputs("  ", out);
        cli_fit(out, s->path, 24, false);
        fprintf(out, " row %-8zu %+.2f\n", s->matrix.row[r->points[i].row] + 1,
                r->points[i].witness);
    }
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_two_sample_found *c = result;
    const zf_two_sample_result *r = &c->result;
    (void)given;
    cli_clean(out, c->side[0].path);
    fprintf(out, " (%s) and ", zf_plural(c->side[0].matrix.rows, "row").text);
    cli_clean(out, c->side[1].path);
    fprintf(out, " (%s), %s\n\n", zf_plural(c->side[1].matrix.rows, "row").text,
            zf_plural(c->n, "column").text);
    fprintf(out, "  p-value    %-9.4g %s (%s%s permutations of the rows)\n", r->p_value,
            r->p_value <= 0.05 ? "evidence of a difference" : "no sign of a difference",
            r->enumerated ? "all " : "", zf_count(r->labellings).text);
    fprintf(out, "  statistic  %-9.4g%s%s%s\n", r->statistic,
            c->order ? " mean flow over the pairs" : "",
            *r->scale ? ", at its strongest scale: " : "", r->scale);
    if (!c->order) return;
    fprintf(out, "  effect     %-9.3g standard deviations between the samples\n", r->effect);
    print_where(out, c);
    print_points(out, c);
}

const cli_command cli_command_two_sample = {
    .job = &zf_job_two_sample,
    .print = print,
    .examples = examples,
};
