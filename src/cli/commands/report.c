/* zeroflow report: a model as one page of HTML. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_input.h"
#include "output.h"
#include "progress.h"
#include "text.h"
#include "zeroflow/baseline.h"
#include "zeroflow/html.h"
#include "zeroflow/table.h"

enum { MODEL, DATA };
enum { BASELINES = 4, METHODS = 1 + BASELINES };
enum { OUTPUT, TITLE, TRUTH, THRESHOLD };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    [DATA] = {"DATA", .type = CLI_FILE, .optional = true,
              .help = "The table that it was fitted to. With --truth, the classical methods are "
                      "run on it and compared with the model."},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "FILE", .fallback = "report.html",
                .help = "Where the page goes."},
    [TITLE] = {"title", .type = CLI_TEXT, .placeholder = "TEXT", .otherwise = "Markov blankets",
               .help = "The page's title."},
    [TRUTH] = {"truth", .type = CLI_FILE, .placeholder = "EDGES",
               .help = "The true edges, if they are known: CSV with the header source,target, or "
                       "JSON. The page then shows how well they are found."},
    [THRESHOLD] = {"threshold", .type = CLI_REAL, .placeholder = "G", .least = 0.001, .most = 1,
                   .otherwise = "the best for --truth, else twice as many edges as features",
                   .help =
                       "The score from which an edge is drawn at first; the page has a slider."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow report cells.model -o cells.html", "A page to open in any browser."},
    {"zeroflow report cells.model -o cells.html --title 'Protein signalling' --threshold 0.2",
     "With a title of your own, beginning with edges from 0.2 up."},
    {NULL},
};

/* What the page is made from beside the model. */
typedef struct material {
    const zf_blanket *model;
    const char *path; /* its file */
    const char **names;
    size_t n;
    zf_network *truth;
    zf_accuracy accuracies[METHODS];
    zf_html_method methods[METHODS];
    size_t n_methods;
} material;

/* Takes the network. */
static cli_exit compare(material *m, zf_network *network, const char *name, double seconds)
{
    zf_accuracy *accuracy = &m->accuracies[m->n_methods];
    zf_status status = zf_network_compare(accuracy, network, m->truth);
    zf_network_free(network);
    m->methods[m->n_methods] = (zf_html_method){name, m->n_methods == 0, accuracy, seconds};
    m->n_methods += status == ZF_OK;
    return cli_check(status);
}

static cli_exit compare_model(material *m, const char *path)
{
    zf_network *network = NULL;
    float *gates = malloc(m->n * m->n * sizeof *gates);
    if (!gates) return cli_fail(CLI_FAILED, "out of memory");
    cli_exit exit = cli_check(zf_network_read(&m->truth, path, m->names, m->n));
    if (exit == CLI_DONE) exit = cli_check_model(zf_blanket_matrix(m->model, gates), m->path);
    if (exit == CLI_DONE) exit = cli_check(zf_network_new(&network, m->names, m->n, gates));
    free(gates);
    CLI_TRY(exit);
    exit = compare(m, network, "this model", NAN);
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
        zf_network *network = NULL;
        zf_baseline_details details = {0};
        zf_baseline_options wish = zf_baseline_defaults((zf_baseline)i);
        wish.threads = call->threads;
        wish.report = cli_progress_report(&progress);
        exit = cli_check(zf_baseline_run(&network, &details, matrix->values, matrix->rows, m->names,
                                         m->n, &wish));
        free(details.precision);
        if (exit == CLI_DONE) exit = compare(m, network, names[i], details.seconds);
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
    CLI_TRY(compare_model(m, truth));
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
    if (m->truth) {
        wish.threshold = m->accuracies[0].best_threshold;
        wish.threshold_why = "which gives the best F1 here; without the truth nobody could know it";
    }
    if (values[THRESHOLD].given) {
        wish.threshold = values[THRESHOLD].real;
        wish.threshold_why = "as asked for";
    }
    return cli_check_model(zf_html_write(values[OUTPUT].text, m->model, &wish), m->path);
}

static cli_exit tell(const cli_call *call, const material *m)
{
    const char *path = call->values[OUTPUT].text;
    if (call->json) {
        json_t *auc = m->truth ? cli_json_number(m->accuracies[0].auc) : json_null();
        return cli_print_json(call, json_pack("{s:o s:o s:I s:o}", "report", cli_json_text(path),
                                              "model", cli_json_text(call->arguments[MODEL].text),
                                              "features", (json_int_t)m->n, "auc", auc));
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
    CLI_TRY(cli_check(zf_blanket_load(&model, path)));
    material m = {.model = model, .path = path};
    cli_exit exit = work(call, &m);
    for (size_t i = 0; i < m.n_methods; i++) zf_accuracy_free(&m.accuracies[i]);
    zf_network_free(m.truth);
    free(m.names);
    zf_blanket_free(model);
    return exit;
}

const cli_command cli_command_report = {
    .name = "report",
    .summary = "a model as one page to open in a browser",
    .description =
        "Writes one page of HTML that needs no network and no other file: the graph, the blanket "
        "of a variable by a click, the gate matrix, the training curves; with --truth also how "
        "well the true edges are found, and with DATA how well the classical methods find them. It "
        "can be mailed and archived as it is.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
