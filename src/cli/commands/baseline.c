/* zeroflow baseline: the graph that a classical method sees in a table. */
#include "zeroflow/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fdr.h"
#include "feature_input.h"
#include "graph_output.h"
#include "progress.h"
#include "text.h"

enum { METHOD, DATA };
enum {
    GRAPH,
    MARGINALS = GRAPH + CLI_GRAPH_OPTIONS,
    FOLDS,
    PENALTIES,
    REFINEMENTS,
    ALPHA,
    DEPTH,
    FDR,
    FEATURES,
    END = FEATURES + CLI_FEATURE_OPTIONS
};

/* In the order of zf_baseline and zf_baseline_marginals. */
static const char *const methods[] = {"glasso", "pc", "partial", "rank", NULL};
static const char *const marginals[] = {"raw", "standard", "normal-scores", NULL};

static const cli_option arguments[] = {
    [METHOD] = {"METHOD", .type = CLI_CHOICE, .choices = methods,
                .help = "glasso, pc, partial or rank."},
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    CLI_GRAPH_OPTION_LIST(GRAPH, 1e30),
    [MARGINALS] = {"marginals", .type = CLI_CHOICE, .placeholder = "KIND",
                   .otherwise = "raw, for rank normal-scores", .choices = marginals,
                   .help = "What becomes of each column first: raw leaves it as it is, standard "
                           "gives it mean 0 and deviation 1, normal-scores turns its ranks into "
                           "normal quantiles."},
    [FOLDS] = {"folds", .type = CLI_WHOLE, .placeholder = "N", .least = 2, .most = 1000,
               .help = "glasso: parts of the rows that are held out in turn."},
    [PENALTIES] = {"penalties", .type = CLI_WHOLE, .placeholder = "N", .least = 2, .most = 1000,
                   .help = "glasso: penalties tried in each refinement."},
    [REFINEMENTS] = {"refinements", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 100,
                     .help = "glasso: how often the grid of penalties is made finer around the "
                             "best."},
    [ALPHA] = {"alpha", .type = CLI_LIST, .placeholder = "LIST",
               .otherwise = "22 levels from 1e-30 to 0.3",
               .help = "pc: levels of the tests, between commas; with a single one the graph is "
                       "that level's skeleton. Levels above 0.3 can take very long."},
    [DEPTH] = {"depth", .type = CLI_WHOLE, .placeholder = "N", .most = 1000000,
               .otherwise = "no limit",
               .help = "pc: the most columns that a test is conditioned on."},
    [FDR] = {CLI_FDR_OPTION, .otherwise = "no decision",
             .help = "partial, rank: write only the pairs whose correlation is beyond chance, with "
                     "p-value and q-value; about this share of them is false."},
    CLI_FEATURE_OPTION_LIST(FEATURES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow baseline partial cells.csv",
     "Every pair of columns by partial correlation, the strongest first."},
    {"zeroflow baseline glasso cells.csv --marginals standard -o cells.graphml",
     "The graphical lasso's graph, for Cytoscape or Gephi."},
    {"zeroflow baseline pc cells.csv --alpha 0.01 -o cells.dot",
     "PC's skeleton at one level, for Graphviz."},
    {"zeroflow baseline rank cells.csv --fdr 0.05 -o edges.csv",
     "The pairs that are edges at a false discovery rate of 5 %."},
    {"zeroflow baseline rank cells.csv --json > cells.json",
     "Partial correlation of ranks, for a program to read."},
    {NULL},
};

static void defaults(cli_value *values)
{
    zf_baseline_options standard = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    values[FOLDS].set = values[PENALTIES].set = values[REFINEMENTS].set = true;
    values[FOLDS].whole = (uint64_t)standard.folds;
    values[PENALTIES].whole = (uint64_t)standard.penalties;
    values[REFINEMENTS].whole = (uint64_t)standard.refinements;
}

/* An option that another method has is a mistake, not a wish. */
static cli_exit check_method(const cli_call *call, zf_baseline method)
{
    static const struct {
        int option;
        zf_baseline method;
    } owners[] = {
        {FOLDS, ZF_BASELINE_GLASSO},       {PENALTIES, ZF_BASELINE_GLASSO},
        {REFINEMENTS, ZF_BASELINE_GLASSO}, {ALPHA, ZF_BASELINE_PC},
        {DEPTH, ZF_BASELINE_PC},
    };
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (call->values[owners[i].option].given && owners[i].method != method)
            return cli_fail(CLI_USAGE, "option --%s is for %s, not for %s",
                            options[owners[i].option].name, zf_baseline_name(owners[i].method),
                            zf_baseline_name(method));
    if (call->values[FDR].given && method != ZF_BASELINE_PARTIAL && method != ZF_BASELINE_RANK)
        return cli_fail(CLI_USAGE, "option --fdr is for partial and rank, not for %s",
                        zf_baseline_name(method));
    if (call->values[FDR].given && call->values[GRAPH + CLI_GRAPH_THRESHOLD].given)
        return cli_fail(CLI_USAGE, "--fdr and --threshold exclude each other");
    const char *kind = call->values[MARGINALS].text;
    if (method == ZF_BASELINE_RANK && kind && strcmp(kind, "normal-scores") != 0)
        return cli_fail(CLI_USAGE,
                        "option --marginals: rank works on normal-scores; for %s use "
                        "partial",
                        kind);
    return CLI_DONE;
}

/* The levels as numbers, for free(). */
static cli_exit read_alphas(double **out, const cli_value *value)
{
    double *alphas = malloc(((size_t)value->n_list + 1) * sizeof *alphas);
    if (!alphas) return cli_fail(CLI_FAILED, "out of memory");
    for (int i = 0; i < value->n_list; i++) {
        char *end;
        alphas[i] = strtod(value->list[i], &end);
        if (end != value->list[i] && !*end && alphas[i] > 0 && alphas[i] < 1) continue;
        free(alphas);
        return cli_fail(CLI_USAGE, "option --alpha: expected numbers between 0 and 1, found \"%s\"",
                        value->list[i]);
    }
    *out = alphas;
    return CLI_DONE;
}

/* One run, from the data to what is told about it. */
typedef struct finding {
    const cli_call *call;
    cli_graph_output output;
    cli_features features;
    zf_graph *graph;
    zf_baseline_details details;
} finding;

static void print_text(const finding *f)
{
    FILE *out = f->call->out;
    const zf_baseline_details *details = &f->details;
    fprintf(out, "%s of %s and %s in %.2f s", f->call->arguments[METHOD].text,
            cli_plural(f->features.matrix.rows, "row").text,
            cli_plural(f->features.matrix.columns, "column").text, details->seconds);
    if (details->penalty > 0)
        fprintf(out, ", penalty %.4g (log-likelihood of held-out rows %.4f)", details->penalty,
                details->likelihood);
    if (details->shrinkage > 0) fprintf(out, ", correlations shrunk by %.3g", details->shrinkage);
    if (details->tests > 0) fprintf(out, ", %s", cli_plural(details->tests, "test").text);
    fputc('\n', out);
    cli_graph_tell(f->call, &f->output, f->graph);
}

/* A number that a method does not have is null. */
static json_t *details_json(const finding *f)
{
    const zf_baseline_details *details = &f->details;
    const zf_matrix *matrix = &f->features.matrix;
    bool glasso = details->penalty > 0, pc = details->tests > 0;
    return json_pack("{s:s s:I s:I s:I s:o s:o s:o s:o s:o s:o s:o}", "method",
                     f->call->arguments[METHOD].text, "rows", (json_int_t)matrix->rows,
                     "rows_dropped", (json_int_t)matrix->dropped, "features",
                     (json_int_t)matrix->columns, "dropped", cli_features_dropped(&f->features),
                     "penalty", cli_json_optional(glasso ? details->penalty : NAN), "likelihood",
                     cli_json_optional(glasso ? details->likelihood : NAN), "shrinkage",
                     cli_json_optional(glasso || pc ? NAN : details->shrinkage), "tests",
                     pc ? json_integer((json_int_t)details->tests) : json_null(), "undecided",
                     pc ? json_integer((json_int_t)details->undecided) : json_null(), "seconds",
                     cli_json_number(details->seconds));
}

static cli_exit print_json(const finding *f)
{
    json_t *json = cli_graph_json(&f->output, f->graph), *details = details_json(f);
    if (!details || json_object_update(json, details) != 0) {
        json_decref(json);
        json = NULL;
    }
    json_decref(details);
    return cli_print_json(f->call, json);
}

/* Finds the graph and writes it; where it goes to a file, tells about it. */
static cli_exit find(finding *f, zf_baseline_options *wish)
{
    const zf_matrix *matrix = &f->features.matrix;
    cli_progress progress;
    wish->report = cli_progress_report(&progress);
    cli_progress_begin(&progress, f->call);
    zf_status status = zf_baseline_run(&f->graph, &f->details, matrix->values, matrix->rows,
                                       f->features.names, matrix->columns, wish);
    cli_progress_end(&progress);
    cli_exit exit = cli_check(status);
    if (exit == CLI_INPUT) cli_fail(exit, "%s: %s", f->call->arguments[DATA].text, zf_error());
    if (exit == CLI_DONE) exit = cli_graph_write(f->call, &f->output, f->graph);
    if (exit != CLI_DONE || !f->output.path) return exit;
    if (f->call->json) return print_json(f);
    print_text(f);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    const cli_value *values = call->values;
    zf_baseline method = (zf_baseline)cli_place_of(call->arguments[METHOD].text, methods);
    finding f = {.call = call};
    double *alphas = NULL;
    CLI_TRY(check_method(call, method));
    CLI_TRY(cli_graph_understand(&f.output, call, &values[GRAPH]));
    zf_baseline_options wish = zf_baseline_defaults(method);
    wish.threads = call->threads;
    wish.folds = (int)values[FOLDS].whole;
    wish.penalties = (int)values[PENALTIES].whole;
    wish.refinements = (int)values[REFINEMENTS].whole;
    if (values[MARGINALS].text)
        wish.marginals = (zf_baseline_marginals)cli_place_of(values[MARGINALS].text, marginals);
    if (values[FDR].given) {
        wish.fdr = values[FDR].real;
        f.output.options.decided = true;
        f.output.fdr = values[FDR].real;
        f.output.options.threshold = 0;
    }
    if (values[DEPTH].given) wish.depth = (int)values[DEPTH].whole;
    if (values[ALPHA].n_list > 0) CLI_TRY(read_alphas(&alphas, &values[ALPHA]));
    wish.alphas = alphas;
    wish.n_alphas = values[ALPHA].n_list;
    cli_exit exit =
        cli_read_features(&f.features, call, &values[FEATURES], call->arguments[DATA].text);
    if (exit == CLI_DONE) exit = find(&f, &wish);
    cli_features_free(&f.features);
    zf_graph_free(f.graph);
    free(f.details.precision);
    free(alphas);
    return exit;
}

const cli_command cli_command_baseline = {
    .name = "baseline",
    .summary = "the graph that a classical method sees in a table",
    .description =
        "Scores every pair of columns by a classical method and writes the graph as graph does, to "
        "compare with, or to look at when a table is small and plain.\n\n"
        "glasso is the graphical lasso, its penalty chosen by cross-validation, as scikit-learn's "
        "GraphicalLassoCV; the score is the absolute precision. Its one penalty depends on the "
        "columns' units, so give --marginals standard unless they are alike.\n\n"
        "pc is the skeleton of the PC algorithm with Fisher's z, independent of the order of the "
        "columns, at each of a list of levels; a pair scores -log10 of the strictest level that "
        "keeps its edge, and 0 if none does. Tests on columns that determine each other exactly "
        "decide nothing and keep the edge.\n\n"
        "partial is the absolute partial correlation given all other columns, rank the same on "
        "normal scores, which sees any monotone dependence as a linear one. With fewer than two "
        "rows more than columns, correlations are shrunk first, with a warning; a column that is "
        "a linear function of others is refused by name. With --fdr only those are written that "
        "are "
        "edges by Fisher's z and Benjamini and Hochberg's rule.\n\n"
        "Columns that are not numbers, constant or copies are left out with a warning, as check "
        "tells; so are rows that lack a value.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .defaults = defaults,
    .run = run,
};
