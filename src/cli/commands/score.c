/* zeroflow score: how well a graph's scores find the true edges. */
#include <math.h>

#include "command.h"
#include "job/score.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow score graph.csv --truth truth.csv", "How well the graph finds the true edges."},
    {"zeroflow score graph.csv --truth truth.csv --nodes prices.csv --json > score.json",
     "With all columns of the data as nodes; as JSON, with the points of the ROC curve."},
    {NULL},
};

/* The curve's height at x; where it is upright, the upper end. */
static double height_at(const zf_accuracy *a, double x)
{
    size_t i = a->n_roc - 1;
    while (i > 0 && a->fpr[i - 1] > x) i--;
    if (a->fpr[i] <= x) return a->tpr[i];
    double share = (x - a->fpr[i - 1]) / (a->fpr[i] - a->fpr[i - 1]);
    return a->tpr[i - 1] + share * (a->tpr[i] - a->tpr[i - 1]);
}

/* The area under the curve, filled: each column is the height at its middle, in
   eighths of a line where the terminal has such characters. */
static void print_curve(FILE *out, const zf_accuracy *a)
{
    enum { WIDTH = 50, HEIGHT = 10, PARTS = 8 };
    static const char *const blocks[PARTS + 1] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    bool fine = cli_utf8();
    fprintf(out, "\n%sROC%s: true edges found (up) by other pairs taken for edges (right)\n\n",
            cli_bold(), cli_plain());
    for (int line = HEIGHT - 1; line >= 0; line--) {
        fprintf(out, "  %4s ", line == HEIGHT - 1 ? "100%" : line == 0 ? "0%" : "");
        fputs(fine ? "│" : "|", out);
        for (int column = 0; column < WIDTH; column++) {
            double height = height_at(a, (column + 0.5) / WIDTH) * HEIGHT - line;
            int parts = (int)(fmin(fmax(height, 0), 1) * PARTS + 0.5);
            fputs(fine ? blocks[parts] : parts > PARTS / 2 ? "#" : " ", out);
        }
        fputc('\n', out);
    }
    fputs("       ", out);
    fputs(fine ? "└" : "+", out);
    for (int column = 0; column < WIDTH; column++) fputs(fine ? "─" : "-", out);
    fprintf(out, "\n        0%%%*s\n", WIDTH - 2, "100%");
}

static void print_unmatched(FILE *out, size_t n, const char *here, const char *there)
{
    if (n > 0)
        fprintf(out, "  %s of the %s %s not in the %s: no edges there\n", zf_plural(n, "node").text,
                here, n == 1 ? "is" : "are", there);
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_score_values *values = given;
    const zf_score_result *found = result;
    const zf_accuracy *a = &found->accuracy;
    cli_clean(out, values->graph);
    fprintf(out, ": %s, %s among %s pairs\n", zf_plural(a->nodes, "node").text,
            zf_plural(a->edges, "true edge").text, zf_count(a->pairs).text);
    print_unmatched(out, a->only_scored, "graph", "truth");
    print_unmatched(out, a->only_truth, "truth", "graph");
    fprintf(out, "\n  AUC                %.4f  each pair by its score\n", a->auc);
    fprintf(out, "  AUC, as in paper   %.4f  each gate by itself, the diagonal as non-edges%s\n",
            a->auc_paper, found->directed ? "" : " (gates are symmetric)");
    fprintf(out, "  average precision  %.4f\n", a->average_precision);
    fprintf(out, "  best F1            %.4f  at scores from %.4g up\n", a->best_f1,
            a->best_threshold);
    print_curve(out, a);
}

const cli_command cli_command_score = {
    .job = &zf_job_score,
    .print = print,
    .examples = examples,
};
