/* zeroflow report: a model as one page of HTML. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model_input.h"
#include "output.h"
#include "text.h"
#include "zeroflow/html.h"

enum { MODEL };
enum { OUTPUT, TITLE, TRUTH, THRESHOLD };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_FILE, "FILE", .fallback = "report.html",
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
    zf_network *truth, *network;
    zf_accuracy accuracy;
    zf_html_method method;
} material;

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static cli_exit compare(material *m, const zf_blanket *model, const char *path)
{
    size_t n = (size_t)zf_blanket_features(model);
    float *gates = malloc(n * n * sizeof *gates);
    const char **names = malloc(n * sizeof *names);
    cli_exit exit = gates && names ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; names && i < n; i++) names[i] = zf_blanket_name(model, (int)i);
    if (exit == CLI_DONE) exit = cli_check(zf_network_read(&m->truth, path, names, n));
    if (exit == CLI_DONE) exit = cli_check(zf_blanket_matrix(model, gates));
    if (exit == CLI_DONE) exit = cli_check(zf_network_new(&m->network, names, n, gates));
    if (exit == CLI_DONE) {
        exit = cli_check(zf_network_compare(&m->accuracy, m->network, m->truth));
        if (exit == CLI_INPUT) cli_fail(exit, "%s: %s", path, zf_error());
    }
    free(gates);
    free(names);
    return exit;
}

static cli_exit write(const cli_call *call, material *m, const zf_blanket *model)
{
    const cli_value *values = call->values;
    zf_html_options wish = zf_html_defaults();
    if (values[TITLE].text) wish.title = values[TITLE].text;
    wish.model = call->arguments[MODEL].text;
    if (values[TRUTH].text) {
        CLI_TRY(compare(m, model, values[TRUTH].text));
        m->method = (zf_html_method){"this model", true, &m->accuracy, NAN};
        wish.truth = m->truth;
        wish.methods = &m->method;
        wish.n_methods = 1;
        wish.threshold = m->accuracy.best_threshold;
        wish.threshold_why = "which gives the best F1 here; without the truth nobody could know it";
    }
    if (values[THRESHOLD].given) {
        wish.threshold = values[THRESHOLD].real;
        wish.threshold_why = "as asked for";
    }
    return cli_check(zf_html_write(values[OUTPUT].text, model, &wish));
}

static cli_exit tell(const cli_call *call, const material *m, const zf_blanket *model)
{
    const char *path = call->values[OUTPUT].text;
    if (call->json) {
        json_t *auc = m->truth ? cli_json_number(m->accuracy.auc) : json_null();
        return cli_print_json(call,
                              json_pack("{s:o s:o s:I s:o}", "report", cli_json_text(path), "model",
                                        cli_json_text(call->arguments[MODEL].text), "features",
                                        (json_int_t)zf_blanket_features(model), "auc", auc));
    }
    cli_clean(call->out, path);
    fprintf(call->out, ": %s; open it in a browser\n",
            cli_plural((uint64_t)zf_blanket_features(model), "feature").text);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    zf_blanket *model = NULL;
    material m = {0};
    const char *path = call->arguments[MODEL].text;
    if (same_file(path, call->values[OUTPUT].text))
        return cli_fail(CLI_USAGE, "%s: is the model, and would be overwritten", path);
    CLI_TRY(cli_check(zf_blanket_load(&model, path)));
    cli_exit exit = write(call, &m, model);
    if (exit == CLI_DONE) exit = tell(call, &m, model);
    zf_accuracy_free(&m.accuracy);
    zf_network_free(m.network);
    zf_network_free(m.truth);
    zf_blanket_free(model);
    return exit;
}

const cli_command cli_command_report = {
    .name = "report",
    .summary = "a model as one page to open in a browser",
    .description =
        "Writes one page of HTML that needs no network and no other file: the graph, the blanket "
        "of a variable by a click, the gate matrix, the training curves; with --truth also how "
        "well the true edges are found. It can be mailed and archived as it is.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
