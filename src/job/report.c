#include "job/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "job/outputs.h"
#include "zeroflow/baseline.h"
#include "zeroflow/html.h"
#include "zeroflow/table.h"

enum { BASELINES = 4, METHODS = 1 + BASELINES };

static const zf_option arguments[] = {
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(zf_report_values, model), .help = ZF_MODEL_HELP},
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_report_values, data), .optional = true,
     .help = "Table the model was fitted to. With {truth}, the classical methods are run on it "
             "and compared with the model."},
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_OUTPUT, "FILE", ZF_FIELD(zf_report_values, output),
     .fallback = "report.html", .help = "File to write the page to; - is standard output."},
    {"title", .type = ZF_OPTION_TEXT, ZF_FIELD(zf_report_values, title), .placeholder = "TEXT",
     .otherwise = "Markov blankets", .help = "Title of the page."},
    {"truth", .type = ZF_OPTION_FILE, ZF_FIELD(zf_report_values, truth), .placeholder = "EDGES",
     .help = "True edges, if known: CSV with the header source,target, or JSON. The page then "
             "shows how well they are found."},
    ZF_MODEL_FDR_ROW(zf_report_values, fdr),
    {"threshold", .type = ZF_OPTION_REAL, ZF_FIELD(zf_report_values, threshold), .placeholder = "G",
     .least = 0.001, .most = 1,
     .otherwise = "by the evidence; without it, the best for {truth}, else 0.1",
     .help = "Use gates instead of evidence: the score from which edges are drawn at first; the "
             "page then has a slider."},
    {NULL},
};

static void defaults(void *values)
{
    ((zf_report_values *)values)->threshold = ZF_AUTO;
}

/* What the page is made from beside the model. */
typedef struct material {
    const zf_blanket *model;
    const char *path; /* its file */
    const char **names;
    size_t n;
    zf_graph *truth;
    zf_accuracy accuracies[METHODS];
    zf_decision decisions[METHODS];
    zf_html_method methods[METHODS];
    size_t n_methods;
} material;

/* Takes the graph. decides: its evidence, or scores of 0, say which pairs are no edges. */
static zf_status compare(material *m, zf_graph *graph, const char *name, double seconds,
                         bool decides)
{
    zf_accuracy *accuracy = &m->accuracies[m->n_methods];
    zf_decision *decision = &m->decisions[m->n_methods];
    zf_status status = zf_graph_compare(accuracy, graph, m->truth);
    m->methods[m->n_methods] = (zf_html_method){.name = name,
                                                .shown = m->n_methods == 0,
                                                .accuracy = accuracy,
                                                .decision = decides ? decision : NULL,
                                                .seconds = seconds};
    m->n_methods += status == ZF_OK;
    if (status == ZF_OK) status = zf_graph_judge(decision, graph, m->truth);
    zf_graph_free(graph);
    return (status);
}

static zf_status compare_model(material *m, const char *path, double fdr)
{
    zf_graph *graph = NULL;
    ZF_TRY((zf_graph_read(&m->truth, path, m->names, m->n)));
    ZF_TRY(zf_check_model(zf_blanket_graph(&graph, m->model, fdr), m->path));
    zf_status status = compare(m, graph, "this model", NAN, zf_blanket_evidence(m->model));
    return status == ZF_EINPUT ? zf_fail_within(status, "%s: ", path) : status;
}

/* The model's variables out of the table. */
static zf_status read_variables(zf_matrix *matrix, const material *m, const char *path)
{
    zf_table *table = NULL;
    ZF_TRY((zf_table_read(&table, path, NULL)));
    size_t *columns = malloc(m->n * sizeof *columns);
    zf_status status = columns ? ZF_OK : zf_fail_memory(m->n * sizeof *columns);
    for (size_t i = 0; i < m->n && status == ZF_OK; i++) {
        long found = zf_table_find(table, m->names[i]);
        if (found < 0)
            status =
                zf_fail(ZF_EINPUT, "%s: no column \"%s\", which the model has", path, m->names[i]);
        columns[i] = (size_t)found;
    }
    if (status == ZF_OK) status = (zf_table_matrix(matrix, table, columns, m->n, ZF_MISSING_DROP));
    free(columns);
    zf_table_free(table);
    return status;
}

static zf_status compare_baselines(material *m, zf_run *run, double fdr, const zf_matrix *matrix)
{
    static const char *const names[BASELINES] = {
        "graphical lasso", "PC, Fisher's z", "partial correlation", "partial correlation of ranks"};
    zf_status status = ZF_OK;
    for (int i = 0; i < BASELINES && status == ZF_OK; i++) {
        zf_graph *graph = NULL;
        zf_baseline_details details = {0};
        zf_baseline_options wish = zf_baseline_defaults((zf_baseline)i);
        wish.threads = run->threads;
        wish.report = run->report;
        bool tests = i == ZF_BASELINE_PARTIAL || i == ZF_BASELINE_RANK;
        if (tests) wish.fdr = fdr;
        status = (zf_baseline_run(&graph, &details, matrix->values, matrix->rows, m->names, m->n,
                                  &wish));
        free(details.precision);
        if (status == ZF_OK)
            status = compare(m, graph, names[i], details.seconds, tests || i == ZF_BASELINE_GLASSO);
    }
    return status;
}

static zf_status compare_all(material *m, zf_run *run, const zf_report_values *values)
{
    const char *truth = values->truth, *data = values->data;
    if (!truth && data)
        return zf_fail(ZF_EINVAL, "DATA is used only to compare with the truth: add {truth} EDGES");
    if (!truth) return ZF_OK;
    ZF_TRY(compare_model(m, truth, values->fdr));
    if (!data) return ZF_OK;
    zf_matrix matrix = {0};
    ZF_TRY(read_variables(&matrix, m, data));
    zf_status status = compare_baselines(m, run, values->fdr, &matrix);
    zf_matrix_free(&matrix);
    return status;
}

static zf_status write_page(zf_report_result *found, const material *m,
                            const zf_report_values *values)
{
    zf_html_options wish = zf_html_defaults();
    if (values->title) wish.title = values->title;
    wish.model = values->model;
    wish.truth = m->truth;
    wish.methods = m->methods;
    wish.n_methods = m->n_methods;
    wish.fdr = values->fdr;
    if (m->truth && !zf_blanket_evidence(m->model)) {
        wish.threshold = m->accuracies[0].best_threshold;
        wish.threshold_why = "which gives the best F1 here; it cannot be known without the truth";
    }
    if (values->threshold != ZF_AUTO) {
        wish.threshold = values->threshold;
        wish.threshold_why = "as requested";
    }
    if (strcmp(values->output, "-") != 0)
        return zf_check_model(zf_html_write(values->output, m->model, &wish), m->path);
    return zf_check_model(zf_html_encode(&found->page, &found->bytes, m->model, &wish), m->path);
}

static zf_status work(zf_report_result *found, material *m, zf_run *run,
                      const zf_report_values *values)
{
    m->n = (size_t)zf_blanket_variables(m->model);
    m->names = malloc(m->n * sizeof *m->names);
    if (!m->names) return zf_fail_memory(m->n * sizeof *m->names);
    for (size_t i = 0; i < m->n; i++) m->names[i] = zf_blanket_name(m->model, (int)i);
    ZF_TRY(compare_all(m, run, values));
    ZF_TRY(write_page(found, m, values));
    bool decided = zf_blanket_evidence(m->model) && values->threshold == ZF_AUTO;
    found->variables = m->n;
    found->fdr = decided ? values->fdr : NAN;
    found->auc = m->truth ? m->accuracies[0].auc : NAN;
    return ZF_OK;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_report_values *values = given;
    zf_blanket *model = NULL;
    if (zf_gave(run, &values->fdr) && values->threshold != ZF_AUTO)
        return zf_fail(ZF_EINVAL, "{fdr} and {threshold} cannot be used together");
    ZF_TRY(zf_blanket_load(&model, values->model));
    material m = {.model = model, .path = values->model};
    zf_status status = zf_need_evidence(run, model, &values->fdr);
    if (status == ZF_OK) status = work(result, &m, run, values);
    for (size_t i = 0; i < m.n_methods; i++) zf_accuracy_free(&m.accuracies[i]);
    zf_graph_free(m.truth);
    free(m.names);
    zf_blanket_free(model);
    return status;
}

static json_t *json(const void *result, const void *given)
{
    const zf_report_values *values = given;
    const zf_report_result *found = result;
    return json_pack("{s:o s:o s:o s:o s:o}", "report", zf_answer_text(values->output), "model",
                     zf_answer_text(values->model), "features", zf_answer_count(found->variables),
                     "fdr", zf_answer_optional(found->fdr), "auc", zf_answer_optional(found->auc));
}

static const char *document(const void *result, size_t *n)
{
    const zf_report_result *found = result;
    *n = found->bytes;
    return found->page;
}

static void release(void *result)
{
    free(((zf_report_result *)result)->page);
}

const zf_job zf_job_report = {
    .name = "report",
    .summary = "write a model as one HTML page",
    .description =
        "Writes one HTML page that needs no network and no other file: the graph that the "
        "evidence in the model supports, the blanket of a variable on a click, every edge "
        "with its p-value, q-value and form, what was left out, the gate matrix and the "
        "training curves; with {truth} also how well the true edges are found, and with DATA "
        "how well the classical methods find them. The page can be mailed and archived as it "
        "is.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_report_values),
    .defaults = defaults,
    .result_size = sizeof(zf_report_result),
    .run = run,
    .json = json,
    .document = document,
    .release = release,
};
