/* zeroflow score: how well a graph's scores find the true edges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/graph.h"
#include "zeroflow/table.h"

enum { GRAPH };
enum { TRUTH, NODES };

static const cli_option arguments[] = {
    [GRAPH] = {"GRAPH", .type = CLI_FILE,
               .help = "Scored edges: CSV with the header source,target,score, or JSON, as graph "
                       "and baseline write them; also CSV of all gates (graph --matrix). A lone - "
                       "is standard input."},
    {NULL},
};

static const cli_option options[] = {
    [TRUTH] =
        {"truth", .type = CLI_FILE, .placeholder = "EDGES",
         .help =
             "The true edges: CSV with the header source,target or from,to, or JSON. Directions "
             "do not count. Required."},
    [NODES] = {"nodes", .type = CLI_FILE, .placeholder = "DATA",
               .otherwise = "the nodes that either file names",
               .help = "A table whose columns are all the nodes, such as the data behind the "
                       "graph. A list of edges does not know nodes without any; with this they "
                       "count, and a name that is none of them is an error."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow score graph.csv --truth truth.csv", "How well the graph finds the true edges."},
    {"zeroflow score graph.csv --truth truth.csv --nodes prices.csv --json > score.json",
     "Over all columns of the data; as JSON, with the points of the ROC curve."},
    {NULL},
};

/* The columns of a table, as names that live as long as it. */
typedef struct nodes {
    zf_table *table;
    const char **names; /* NULL: not told */
    size_t n;
} nodes;

static cli_exit read_nodes(nodes *to, const char *path)
{
    if (!path) return CLI_DONE;
    CLI_TRY(cli_check(zf_table_read(&to->table, path, NULL)));
    to->n = zf_table_columns(to->table);
    to->names = malloc((to->n + 1) * sizeof *to->names);
    if (!to->names) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < to->n; i++) to->names[i] = zf_table_column(to->table, i)->name;
    return CLI_DONE;
}

static const char *path_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "/dev/stdin" : path;
}

static cli_exit print_json(const cli_call *call, const zf_accuracy *a, bool directed)
{
    json_t *roc = json_array();
    for (size_t i = 0; i < a->n_roc; i++) {
        json_t *point = json_pack("[o o]", cli_json_number(a->fpr[i]), cli_json_number(a->tpr[i]));
        if (json_array_append_new(roc, point) != 0) {
            json_decref(roc);
            return cli_fail(CLI_FAILED, "out of memory");
        }
    }
    return cli_print_json(
        call,
        json_pack("{s:o s:o s:o s:o s:o s:I s:I s:I s:I s:I s:b s:o}", "auc",
                  cli_json_number(a->auc), "auc_paper", cli_json_number(a->auc_paper),
                  "average_precision", cli_json_number(a->average_precision), "best_f1",
                  cli_json_number(a->best_f1), "best_threshold", cli_json_number(a->best_threshold),
                  "edges", (json_int_t)a->edges, "pairs", (json_int_t)a->pairs, "nodes",
                  (json_int_t)a->nodes, "only_in_graph", (json_int_t)a->only_scored,
                  "only_in_truth", (json_int_t)a->only_truth, "directed", directed, "roc", roc));
}

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
        fprintf(out, "  %s of the %s %s not in the %s: no edges there\n",
                cli_plural(n, "node").text, here, n == 1 ? "is" : "are", there);
}

static void print_text(const cli_call *call, const zf_accuracy *a, bool directed)
{
    FILE *out = call->out;
    cli_clean(out, call->arguments[GRAPH].text);
    fprintf(out, ": %s, %s among %s pairs\n", cli_plural(a->nodes, "node").text,
            cli_plural(a->edges, "true edge").text, cli_count(a->pairs).text);
    print_unmatched(out, a->only_scored, "graph", "truth");
    print_unmatched(out, a->only_truth, "truth", "graph");
    fprintf(out, "\n  AUC                %.4f  each pair by its score\n", a->auc);
    fprintf(out, "  AUC, paper's way   %.4f  each gate by itself, the diagonal as non-edges%s\n",
            a->auc_paper, directed ? "" : " (gates are symmetric)");
    fprintf(out, "  average precision  %.4f\n", a->average_precision);
    fprintf(out, "  best F1            %.4f  at scores from %.4g up\n", a->best_f1,
            a->best_threshold);
    print_curve(out, a);
}

static cli_exit compare(const cli_call *call, const nodes *all)
{
    zf_graph *graph = NULL, *truth = NULL;
    zf_accuracy accuracy;
    const char *truth_path = call->values[TRUTH].text;
    cli_exit exit = cli_check(zf_graph_read(&truth, path_of(truth_path), all->names, all->n));
    if (exit == CLI_DONE)
        exit = cli_check(
            zf_graph_read(&graph, path_of(call->arguments[GRAPH].text), all->names, all->n));
    if (exit == CLI_DONE) {
        exit = cli_check(zf_graph_compare(&accuracy, graph, truth));
        if (exit == CLI_INPUT) cli_fail(exit, "%s: %s", truth_path, zf_error());
    }
    if (exit == CLI_DONE) {
        bool directed = zf_graph_is_directed(graph);
        if (call->json)
            exit = print_json(call, &accuracy, directed);
        else
            print_text(call, &accuracy, directed);
        zf_accuracy_free(&accuracy);
    }
    zf_graph_free(graph);
    zf_graph_free(truth);
    return exit;
}

static cli_exit run(const cli_call *call)
{
    const char *truth = call->values[TRUTH].text;
    if (!truth)
        return cli_fail(CLI_USAGE, "option --truth is missing: --truth EDGES, the true edges");
    if (strcmp(truth, "-") == 0 && strcmp(call->arguments[GRAPH].text, "-") == 0)
        return cli_fail(CLI_USAGE, "GRAPH and --truth cannot both be standard input");
    nodes all = {0};
    cli_exit exit = read_nodes(&all, call->values[NODES].text);
    if (exit == CLI_DONE) exit = compare(call, &all);
    free(all.names);
    zf_table_free(all.table);
    return exit;
}

const cli_command cli_command_score = {
    .name = "score",
    .summary = "how well a graph finds the true edges",
    .description =
        "Compares scored edges with the true ones: the area under the ROC curve, average "
        "precision, the best F1, and the curve itself. Nodes are matched by name. Pairs that the "
        "graph does not list score 0.\n\n"
        "AUC takes each pair of nodes once, by the larger of its two gates, and leaves the "
        "diagonal out, as the paper says. The numbers in the paper's table were made otherwise: "
        "each gate by itself, the diagonal counted as non-edges. Both are printed; compare with "
        "the paper by the second. A list of undirected edges gives both gates of a pair its score "
        "and "
        "the diagonal 0.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
