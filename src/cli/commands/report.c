/* zeroflow report: a model as one page of HTML. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fdr.h"
#include "model_input.h"
#include "output.h"
#include "progress.h"
#include "text.h"
#include "zeroflow/baseline.h"
#include "zeroflow/html.h"
#include "zeroflow/table.h"

enum { MODEL, DATA };
enum { BASELINES = 4, METHODS = 1 + BASELINES };
enum { OUTPUT, TITLE, TRUTH, FDR, THRESHOLD };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    [DATA] = {"DATA", .type = CLI_FILE, .optional = true,
              .help = "The table that it was fitted to. With --truth, the classical methods are "
                      "run on it and compared with the model."},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "FILE", .fallback = "report.html",
                .help = "Where the page goes; - is standard output."},
    [TITLE] = {"title", .type = CLI_TEXT, .placeholder = "TEXT", .otherwise = "Markov blankets",
               .help = "The page's title."},
    [TRUTH] = {"truth", .type = CLI_FILE, .placeholder = "EDGES",
               .help = "The true edges, if they are known: CSV with the header source,target, or "
                       "JSON. The page then shows how well they are found."},
    [FDR] = CLI_MODEL_FDR_OPTION,
    [THRESHOLD] = {"threshold", .type = CLI_REAL, .placeholder = "G", .least = 0.001, .most = 1,
                   .otherwise = "as the evidence says; without it, the best for --truth, else 0.1",
                   .help = "Raw gates instead: the score from which an edge is drawn at first; "
                           "the page has a slider then."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow report cells.model -o cells.html", "A page to open in any browser."},
    {"zeroflow report cells.model -o cells.html --title 'Protein signalling' --fdr 0.01",
     "With a title of your own, and fewer false edges."},
    {NULL},
};

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
static cli_exit compare(material *m, zf_graph *graph, const char *name, double seconds,
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
    return cli_check(status);
}

static cli_exit compare_model(material *m, const char *path, double fdr)
{
    zf_graph *graph = NULL;
    CLI_TRY(cli_check(zf_graph_read(&m->truth, path, m->names, m->n)));
    CLI_TRY(cli_check_model(zf_blanket_graph(&graph, m->model, fdr), m->path));
    cli_exit exit = compare(m, graph, "this model", NAN, zf_blanket_evidence(m->model));
    return exit == CLI_INPUT ? cli_fail(exit, "%s: %s", path, zf_error()) : exit;
}

/* The model's features out of the table. */
static cli_exit read_features(zf_matrix *matrix, const material *m, const char *path)
{
    zf_table *table = NULL;
    CLI_TRY(cli_check(zf_table_read(&table, path, NULL)));
    size_t *columns = malloc(m->n * sizeof *columns);
    cli_exit exit = columns ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < m->n && exit == CLI_DONE; i++) {
        long found = zf_table_find(table, m->names[i]);
        if (found < 0)
            exit = cli_fail(CLI_INPUT, "%s: has no column \"%s\", which the model has", path,
                            m->names[i]);
        columns[i] = (size_t)found;
    }
    if (exit == CLI_DONE)
        exit = cli_check(zf_table_matrix(matrix, table, columns, m->n, ZF_MISSING_DROP));
    free(columns);
    zf_table_free(table);
    return exit;
}

static cli_exit compare_baselines(material *m, const cli_call *call, const zf_matrix *matrix)
{
    static const char *const names[BASELINES] = {
        "graphical lasso", "PC, Fisher's z", "partial correlation", "partial correlation of ranks"};
    cli_progress progress;
    cli_exit exit = CLI_DONE;
    cli_progress_begin(&progress, call);
    for (int i = 0; i < BASELINES && exit == CLI_DONE; i++) {
        zf_graph *graph = NULL;
        zf_baseline_details details = {0};
        zf_baseline_options wish = zf_baseline_defaults((zf_baseline)i);
        wish.threads = call->threads;
        wish.report = cli_progress_report(&progress);
        bool tests = i == ZF_BASELINE_PARTIAL || i == ZF_BASELINE_RANK;
        if (tests) wish.fdr = call->values[FDR].real;
        exit = cli_check(
            zf_baseline_run(&graph, &details, matrix->values, matrix->rows, m->names, m->n, &wish));
        free(details.precision);
        if (exit == CLI_DONE)
            exit = compare(m, graph, names[i], details.seconds, tests || i == ZF_BASELINE_GLASSO);
    }
    cli_progress_end(&progress);
    return exit;
}

static cli_exit compare_all(material *m, const cli_call *call)
{
    const char *truth = call->values[TRUTH].text, *data = call->arguments[DATA].text;
    if (!truth && data)
        return cli_fail(CLI_USAGE, "DATA is for the comparison with the truth: give --truth EDGES");
    if (!truth) return CLI_DONE;
    CLI_TRY(compare_model(m, truth, call->values[FDR].real));
    if (!data) return CLI_DONE;
    zf_matrix matrix = {0};
    CLI_TRY(read_features(&matrix, m, data));
    cli_exit exit = compare_baselines(m, call, &matrix);
    zf_matrix_free(&matrix);
    return exit;
}

static cli_exit write_page(const cli_call *call, const material *m)
{
    const cli_value *values = call->values;
    zf_html_options wish = zf_html_defaults();
    if (values[TITLE].text) wish.title = values[TITLE].text;
    wish.model = call->arguments[MODEL].text;
    wish.truth = m->truth;
    wish.methods = m->methods;
    wish.n_methods = m->n_methods;
    wish.fdr = values[FDR].real;
    if (m->truth && !zf_blanket_evidence(m->model)) {
        wish.threshold = m->accuracies[0].best_threshold;
        wish.threshold_why = "which gives the best F1 here; without the truth nobody could know it";
    }
    if (values[THRESHOLD].given) {
        wish.threshold = values[THRESHOLD].real;
        wish.threshold_why = "as asked for";
    }
    const char *path = values[OUTPUT].text;
    if (!cli_is_standard_output(path))
        return cli_check_model(zf_html_write(path, m->model, &wish), m->path);
    char *page;
    size_t n;
    CLI_TRY(cli_check_model(zf_html_encode(&page, &n, m->model, &wish), m->path));
    cli_print_data(call, page, n);
    free(page);
    return CLI_DONE;
}

static cli_exit tell(const cli_call *call, const material *m)
{
    const char *path = call->values[OUTPUT].text;
    if (cli_is_standard_output(path)) return CLI_DONE;
    if (call->json) {
        json_t *auc = m->truth ? cli_json_number(m->accuracies[0].auc) : json_null();
        bool decided = zf_blanket_evidence(m->model) && !call->values[THRESHOLD].given;
        json_t *fdr = decided ? cli_json_number(call->values[FDR].real) : json_null();
        return cli_print_json(call,
                              json_pack("{s:o s:o s:I s:o s:o}", "report", cli_json_text(path),
                                        "model", cli_json_text(call->arguments[MODEL].text),
                                        "features", (json_int_t)m->n, "fdr", fdr, "auc", auc));
    }
    cli_clean(call->out, path);
    fprintf(call->out, ": %s; open it in a browser\n", cli_plural(m->n, "feature").text);
    return CLI_DONE;
}

static cli_exit work(const cli_call *call, material *m)
{
    m->n = (size_t)zf_blanket_features(m->model);
    m->names = malloc(m->n * sizeof *m->names);
    if (!m->names) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < m->n; i++) m->names[i] = zf_blanket_name(m->model, (int)i);
    CLI_TRY(compare_all(m, call));
    CLI_TRY(write_page(call, m));
    return tell(call, m);
}

static cli_exit run(const cli_call *call)
{
    zf_blanket *model = NULL;
    const char *path = call->arguments[MODEL].text;
    if (call->json) CLI_TRY(cli_need_file(call->values[OUTPUT].text, "-o"));
    if (call->values[FDR].given && call->values[THRESHOLD].given)
        return cli_fail(CLI_USAGE, "--fdr and --threshold exclude each other");
    CLI_TRY(cli_check(zf_blanket_load(&model, path)));
    material m = {.model = model, .path = path};
    cli_exit exit = cli_need_evidence(model, &call->values[FDR]);
    if (exit == CLI_DONE) exit = work(call, &m);
    for (size_t i = 0; i < m.n_methods; i++) zf_accuracy_free(&m.accuracies[i]);
    zf_graph_free(m.truth);
    free(m.names);
    zf_blanket_free(model);
    return exit;
}

const cli_command cli_command_report = {
    .name = "report",
    .summary = "a model as one page to open in a browser",
    .description =
        "Writes one page of HTML that needs no network and no other file: the graph that the "
        "evidence in the model decides on, the blanket of a variable by a click, every edge with "
        "its p-value, q-value and form, what was left out, the gate matrix, the training curves; "
        "with --truth also how "
        "well the true edges are found, and with DATA how well the classical methods find them. It "
        "can be mailed and archived as it is.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
