/* zeroflow reduce: trains a few numbers that are sufficient for some columns. */
#include "job/reduce.h"

#include "command.h"
#include "stopped.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow reduce cells.csv --target PKA -o cells.reduction --iterations 100",
     "One function of the other columns that is sufficient for PKA; a short run."},
    {"zeroflow reduce cells.csv --target PKA,PKC --dim 1-2 -o pair.reduction --iterations 100",
     "Two targets, and one number or two, as needed."},
    {NULL},
};

static const char *const files[] = {
    "MODEL.checkpoint",
    "Checkpoint of reduce: the model and the state of the optimiser.",
    NULL,
};

static void print_criterion(FILE *out, const zf_reduce_result *r)
{
    int chosen = r->summary.chosen, given = zf_reduction_dim(r->model);
    fprintf(out, "On %s held out:\n\n  %snumbers  rectified    excess (+- error)     zero%s\n",
            zf_plural(r->summary.rows_held, "row").text, cli_bold(), cli_plain());
    for (int l = 1; l <= zf_reduction_trained(r->model); l++) {
        zf_reduce_criterion c = zf_reduction_criterion(r->model, l);
        fprintf(out, "  %7d  %9.4f  %8.4f (%.4f)  %9.4f%s\n", l, c.rectified, c.excess, c.error,
                c.zero, r->asked.least > 0 && l == chosen ? "  kept" : "");
    }
    fputs("\n"
          "rectified: what the numbers leave unexplained; choose the row where it stops "
          "falling.\n"
          "zero: what the columns add to the numbers; near 0 if these are sufficient.\n\n",
          out);
    if (given < chosen)
        fprintf(out,
                "Of %s only %d %s distinct: the others are functions of those before them and "
                "are left out.\n\n",
                zf_plural((uint64_t)chosen, "number").text, given, given == 1 ? "is" : "are");
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_reduce_values *values = given;
    const zf_reduce_result *r = result;
    const zf_reduce_summary *s = &r->summary;
    fprintf(out, "Reduced %s to %s for ",
            zf_plural((uint64_t)zf_reduction_inputs(r->model), "column").text,
            zf_plural((uint64_t)zf_reduction_dim(r->model), "number").text);
    for (int k = 0; k < zf_reduction_targets(r->model); k++) {
        fputs(k ? ", " : "", out);
        cli_clean(out, zf_reduction_target(r->model, k));
    }
    fprintf(out, " on %s: %s in %.1f s", zf_plural(r->variables.matrix.rows, "row").text,
            zf_plural(s->iterations, "iteration").text, s->seconds);
    if (s->resumed_from > 0) fprintf(out, " (resumed from %s)", zf_count(s->resumed_from).text);
    fputs(".\n\n", out);
    print_criterion(out, r);
    fprintf(out, "%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, values->output);
    fputc('\n', out);
    if (call->quiet) return;
    fputs("\nNext: zeroflow transform ", out);
    cli_print_path(out, values->output);
    fputc(' ', out);
    cli_print_path(out, values->data);
    fputs(" -o codes.csv\n", out);
}

static cli_exit interrupted(const cli_call *call, const void *values, const void *result)
{
    (void)values;
    return cli_training_stopped(call, &((const zf_reduce_result *)result)->saving);
}

const cli_command cli_command_reduce = {
    .job = &zf_job_reduce,
    .print = print,
    .interrupted = interrupted,
    .examples = examples,
    .files = files,
};
