#include "job/baseline.h"

#include <math.h>
#include <stdlib.h>

#include "job/answer.h"
#include "job/membership.h"

/* In the order of zf_baseline and zf_baseline_marginals. */
static const char *const methods[] = {"glasso", "pc", "partial", "rank", NULL};
static const char *const marginals[] = {"raw", "standard", "normal-scores", NULL};

static const zf_option arguments[] = {
    {"METHOD", .type = ZF_OPTION_CHOICE, ZF_FIELD(zf_baseline_values, method), .choices = methods,
     .help = "glasso, pc, partial or rank."},
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_baseline_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    ZF_GRAPH_OUTPUT_ROWS(zf_baseline_values, graph, 1e30),
    {"marginals", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_baseline_values, marginals), .otherwise = "raw; normal-scores for rank",
     .choices = marginals,
     .help = "How each column is transformed first: raw, not at all; standard, to mean 0 and "
             "deviation 1; normal-scores, by its ranks to normal quantiles."},
    {"folds", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_baseline_values, folds),
     .least = 2, .most = 1000, .help = "Number of folds for cross-validation (glasso)."},
    {"penalties", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_baseline_values, penalties), .least = 2, .most = 1000,
     .help = "Number of penalties tried in each refinement (glasso)."},
    {"refinements", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_baseline_values, refinements), .least = 1, .most = 100,
     .help = "Number of times the grid of penalties is refined around the best (glasso)."},
    {"alpha", .type = ZF_OPTION_LIST, .placeholder = "LIST", ZF_FIELD(zf_baseline_values, alpha),
     .otherwise = "22 levels from 1e-30 to 0.3",
     .help = "Significance levels of the tests, separated by commas (pc). With a single one the "
             "graph is the skeleton at that level. Levels above 0.3 can take very long."},
    {"depth", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_baseline_values, depth),
     .most = 1000000, .otherwise = "no limit",
     .help = "Largest number of columns that a test is conditioned on (pc)."},
    {ZF_FDR_OPTION, ZF_FIELD(zf_baseline_values, fdr), .otherwise = "no decision",
     .help = "Write only the pairs with a significant correlation, with p-value and q-value; "
             "about this share of them is false (partial, rank)."},
    ZF_VARIABLE_ROWS(zf_baseline_values, variables),
    {NULL},
};

static void defaults(void *values)
{
    zf_baseline_options standard = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    *(zf_baseline_values *)values = (zf_baseline_values){.graph = zf_graph_output_left,
                                                         .marginals = ZF_AUTO,
                                                         .folds = standard.folds,
                                                         .penalties = standard.penalties,
                                                         .refinements = standard.refinements,
                                                         .depth = ZF_AUTO,
                                                         .fdr = ZF_AUTO};
}

/* An option that another method has is a mistake, not a wish. */
static zf_status check_method(const zf_run *run, const zf_baseline_values *values)
{
    const struct {
        const void *field;
        const char *name;
        zf_baseline method;
    } owners[] = {
        {&values->folds, "folds", ZF_BASELINE_GLASSO},
        {&values->penalties, "penalties", ZF_BASELINE_GLASSO},
        {&values->refinements, "refinements", ZF_BASELINE_GLASSO},
        {&values->alpha, "alpha", ZF_BASELINE_PC},
        {&values->depth, "depth", ZF_BASELINE_PC},
    };
    zf_baseline method = values->method;
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (owners[i].method != method && zf_gave(run, owners[i].field))
            return zf_fail(ZF_EINVAL, "option %s%s applies to %s, not to %s", zf_option_prefix(),
                           owners[i].name, zf_baseline_name(owners[i].method),
                           zf_baseline_name(method));
    bool fdr = values->fdr != ZF_AUTO;
    if (fdr && method != ZF_BASELINE_PARTIAL && method != ZF_BASELINE_RANK)
        return zf_fail(ZF_EINVAL, "option {fdr} applies to partial and rank, not to %s",
                       zf_baseline_name(method));
    if (fdr && values->graph.threshold != ZF_AUTO)
        return zf_fail(ZF_EINVAL, "{fdr} and {threshold} cannot be used together");
    if (method == ZF_BASELINE_RANK && values->marginals != ZF_AUTO &&
        values->marginals != ZF_BASELINE_NORMAL_SCORES)
        return zf_fail(ZF_EINVAL,
                       "option {marginals}: rank works on normal-scores; for %s use partial",
                       marginals[values->marginals]);
    return ZF_OK;
}

/* The levels as numbers, for free(). */
static zf_status read_alphas(double **out, const zf_words *list)
{
    double *alphas = malloc(((size_t)list->n + 1) * sizeof *alphas);
    if (!alphas) return zf_fail_memory((size_t)list->n * sizeof *alphas);
    for (int i = 0; i < list->n; i++) {
        char *end;
        alphas[i] = strtod(list->items[i], &end);
        if (end != list->items[i] && !*end && alphas[i] > 0 && alphas[i] < 1) continue;
        free(alphas);
        return zf_fail(ZF_EINVAL, "option {alpha}: expected numbers between 0 and 1, found \"%s\"",
                       list->items[i]);
    }
    *out = alphas;
    return ZF_OK;
}

static zf_baseline_options wish_of(const zf_baseline_values *values, const zf_run *run)
{
    zf_baseline_options wish = zf_baseline_defaults(values->method);
    wish.threads = run->threads;
    wish.report = run->report;
    wish.folds = values->folds;
    wish.penalties = values->penalties;
    wish.refinements = values->refinements;
    if (values->marginals != ZF_AUTO) wish.marginals = (zf_baseline_marginals)values->marginals;
    if (values->depth != ZF_AUTO) wish.depth = values->depth;
    if (values->fdr != ZF_AUTO) wish.fdr = values->fdr;
    return wish;
}

/* Finds the graph and writes it. */
static zf_status find(zf_baseline_result *found, const zf_baseline_values *values,
                      const zf_baseline_options *wish)
{
    const zf_matrix *matrix = &found->variables.matrix;
    zf_status status = zf_baseline_run(&found->graph, &found->details, matrix->values, matrix->rows,
                                       found->variables.names, matrix->columns, wish);
    if (status == ZF_EINPUT) return zf_fail_within(status, "%s: ", values->data);
    if (status == ZF_OK) status = zf_graph_output_write(&found->output, found->graph);
    return status;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_baseline_values *values = given;
    zf_baseline_result *found = result;
    double *alphas = NULL;
    ZF_TRY(check_method(run, values));
    ZF_TRY(zf_graph_output_understand(&found->output, &values->graph));
    zf_baseline_options wish = wish_of(values, run);
    if (values->fdr != ZF_AUTO) {
        found->output.options.decided = true;
        found->output.options.threshold = 0;
        found->output.fdr = values->fdr;
    }
    if (values->alpha.n > 0) ZF_TRY(read_alphas(&alphas, &values->alpha));
    wish.alphas = alphas;
    wish.n_alphas = values->alpha.n;
    zf_status status =
        zf_read_variables(&found->variables, run, &values->variables, NULL, values->data);
    if (status == ZF_OK) status = find(found, values, &wish);
    free(alphas);
    return status;
}

/* A number that a method does not have is null. */
static json_t *details_json(const zf_baseline_result *found, const zf_baseline_values *values)
{
    const zf_baseline_details *details = &found->details;
    const zf_matrix *matrix = &found->variables.matrix;
    bool glasso = details->penalty > 0, pc = details->tests > 0;
    return json_pack("{s:s s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o}", "method",
                     methods[values->method], "rows", zf_answer_count(matrix->rows), "rows_dropped",
                     zf_answer_count(matrix->dropped), "features", zf_answer_count(matrix->columns),
                     "dropped", zf_variables_dropped(&found->variables), "penalty",
                     zf_answer_optional(glasso ? details->penalty : NAN), "likelihood",
                     zf_answer_optional(glasso ? details->likelihood : NAN), "shrinkage",
                     zf_answer_optional(glasso || pc ? NAN : details->shrinkage), "tests",
                     pc ? zf_answer_count(details->tests) : json_null(), "undecided",
                     pc ? zf_answer_count(details->undecided) : json_null(), "seconds",
                     zf_answer_number(details->seconds));
}

static json_t *json(const void *result, const void *given)
{
    const zf_baseline_result *found = result;
    json_t *object = json_object();
    if (found->graph) /* not where it was interrupted */
        zf_answer_join(object, zf_graph_output_json(&found->output, found->graph));
    zf_answer_join(object, details_json(found, given));
    return object;
}

static const char *document(const void *result, size_t *n)
{
    const zf_baseline_result *found = result;
    *n = found->output.kept.n;
    return found->output.kept.bytes;
}

static void release(void *result)
{
    zf_baseline_result *found = result;
    zf_graph_output_free(&found->output);
    zf_variables_free(&found->variables);
    zf_graph_free(found->graph);
    free(found->details.precision);
}

const zf_job zf_job_baseline = {
    .name = "baseline",
    .summary = "estimate the graph of a table by a classical method",
    .description =
        "Scores every pair of columns by a classical method and writes the graph as zeroflow "
        "graph does, for comparison, or for tables that are small and simple.\n\n"
        "glasso is the graphical lasso with its penalty chosen by cross-validation, like "
        "scikit-learn's GraphicalLassoCV; the score is the absolute precision. The penalty "
        "depends on the columns' units, so use {marginals} standard unless they are "
        "alike.\n\n"
        "pc is the skeleton of the PC algorithm with Fisher's z, independent of the order of "
        "the columns, at each of a list of levels. A pair's score is -log10 of the strictest "
        "level that keeps its edge, or 0 if none does. Tests on columns that determine each "
        "other exactly decide nothing and keep the edge.\n\n"
        "partial is the absolute partial correlation given all other columns; rank is the "
        "same on normal scores, which makes any monotone dependence linear. With too few "
        "rows (fewer than columns plus two), correlations are shrunk first, with a warning; "
        "a column that is a linear function of others is an error. With {fdr} only the pairs "
        "are written that are edges by Fisher's z and the Benjamini-Hochberg procedure.\n\n"
        "Columns that are constant, copies or not numeric (see zeroflow check), and rows "
        "that hold a missing value, are left out with a warning.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_baseline_values),
    .defaults = defaults,
    .result_size = sizeof(zf_baseline_result),
    .run = run,
    .json = json,
    .document = document,
    .release = release,
};
