/* zeroflow fit: trains a blanket model on a table. */
#include "job/fit.h"

#include "stopped.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow fit cells.csv -o cells.model --iterations 500",
     "The blankets of every column of a table; a short run."},
    {"zeroflow fit cells.csv -o cells.model --gate lstm --targets window:2 --iterations 50",
     "Ordered columns, and pairs of neighbours as targets."},
    {NULL},
};

static const char *const files[] = {
    "MODEL.checkpoint",
    "Checkpoint of fit: the model and the state of the optimiser.",
    NULL,
};

static void print_held_out(FILE *out, const zf_fit_result *r)
{
    const zf_fit_summary *s = &r->summary;
    if (s->held_out == 0) {
        fprintf(out, "  held out           -   not measured: %s\n",
                s->options.held_out > 0 ? "no group of rows is small enough to hold out"
                : r->asked.held_out < 0 ? "too few rows; all are trained on (--held-out)"
                                        : "every row was trained on");
        return;
    }
    fprintf(out, "  held out   %9.4f   the same on %s held out\n", s->held_out_loss,
            zf_plural(s->held_out, "row").text);
    fprintf(out, "  constant   %9.4f   the same rows, predicted without other columns\n",
            s->constant_loss);
}

static void print_choices(FILE *out, const zf_fit_result *r)
{
    zf_fit_choice choices[ZF_FIT_CHOICES];
    int n = zf_fit_explain(choices, &r->asked, &r->summary), width = 0;
    for (int i = 0; i < n; i++) {
        int w = cli_width(choices[i].value);
        width = w > width ? w : width;
    }
    if (n == 0) return;
    fprintf(out, "%sChosen by fit%s (each is an option)\n", cli_bold(), cli_plain());
    for (int i = 0; i < n; i++)
        fprintf(out, "  %-11s  %-*s  %s\n", choices[i].option, width, choices[i].value,
                choices[i].reason);
    fputc('\n', out);
}

static void print_loss(FILE *out, const zf_fit_result *r)
{
    const zf_fit_summary *s = &r->summary;
    fprintf(out, "  %sloss%s       %9.4f\n", cli_bold(), cli_plain(), s->loss);
    fprintf(out, "  rectified  %9.4f   prediction error in training; lower is better\n",
            s->rectified);
    print_held_out(out, r);
    fprintf(out, "  zero       %9.4f   size of the flow at t = 0.5\n", s->zero);
    fprintf(out, "  mean gate  %9.4f   0: all closed; 1: nothing is selected\n\n", s->mean_gate);
    print_choices(out, r);
}

/* Free gates answer for their one target set, which is not written out here. */
static void print_next(FILE *out, const zf_fit_result *found)
{
    bool fixed = found->asked.gate == ZF_GATE_FREE;
    const char *first = found->variables.names[0];
    fputs("\nNext: zeroflow blanket ", out);
    cli_print_path(out, found->saving.model);
    fputs(" --target", out);
    if (fixed) {
        fputs(" NAMES, those of the target set\n", out);
        return;
    }
    fputc(first[0] == '-' ? '=' : ' ', out); /* else it might be an option */
    cli_print_word(out, first);
    fputs("\n      zeroflow graph ", out);
    cli_print_path(out, found->saving.model);
    fputs(" -o graph.csv\n", out);
}

static void print_stability(FILE *out, const zf_stability *s)
{
    if (s->half_samples == 0) return;
    fprintf(out,
            "%sStability%s  %s in %.0f %% or more of %d half samples; of these, expect at most\n"
            "%.2g to be false (%.2g in the worst case)\n\n",
            cli_bold(), cli_plain(), zf_plural(s->edges, "edge").text, 100 * ZF_FIT_STABLE,
            s->half_samples, s->false_concave, s->false_worst);
}

static void print_evidence(FILE *out, const zf_fit_result *f, double fdr)
{
    size_t n = f->variables.matrix.columns;
    if (!f->weighed) return;
    fprintf(out, "%sEvidence%s  ", cli_bold(), cli_plain());
    if (f->edges)
        fprintf(out, "%s of %s %s at a false discovery rate of %g%s (%.1f s)\n\n",
                zf_count(f->edges).text, zf_plural(n * (n - 1) / 2, "pair").text,
                f->edges == 1 ? "is an edge" : "are edges", fdr,
                f->asked.n_constraints ? ",\n"
                                         "including required and excluding forbidden edges"
                                       : "",
                f->evidence_seconds);
    else if (f->rows_needed)
        fprintf(out,
                "no edge at a false discovery rate of %g: no pair can be told from chance.\n"
                "An edge as strong as the strongest candidate would need about %s.\n\n",
                fdr, zf_plural(f->rows_needed, "row").text);
    else
        fputs("no edge: all edges that the evidence supports were forbidden\n\n", out);
    print_stability(out, &f->stability);
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_fit_values *values = given;
    const zf_fit_result *found = result;
    const zf_fit_summary *s = &found->summary;
    const zf_matrix *matrix = &found->variables.matrix;
    fprintf(out, "Fitted blankets of %s on %s: %s in %.1f s", /* the plurals share no storage */
            zf_plural(matrix->columns, "variable").text, zf_plural(matrix->rows, "row").text,
            zf_plural(s->iterations, "iteration").text, s->seconds);
    if (s->resumed_from > 0) fprintf(out, " (resumed from %s)", zf_count(s->resumed_from).text);
    fprintf(out, "\nwith gate %s, targets ", zf_fit_gates[found->asked.gate]);
    cli_clean(out, values->targets);
    fprintf(out, ", marginals %s.\n\n", zf_fit_marginals[s->options.marginals]);
    print_loss(out, found);
    print_evidence(out, found, values->fdr);
    fprintf(out, "%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, values->output);
    fputc('\n', out);
    if (!call->quiet) print_next(out, found);
}

static cli_exit interrupted(const cli_call *call, const void *values, const void *result)
{
    (void)values;
    return cli_training_stopped(call, &((const zf_fit_result *)result)->saving);
}

const cli_command cli_command_fit = {
    .job = &zf_job_fit,
    .print = print,
    .interrupted = interrupted,
    .examples = examples,
    .files = files,
};
