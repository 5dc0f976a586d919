/* zeroflow certify: is a blanket sufficient, and what is missing from it? */
#include <stdlib.h>
#include <string.h>

#include "blanket_input.h"
#include "feature_input.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/independence.h"

enum { MODEL, DATA };
enum {
    TARGET,
    BLANKET,
    ADD,
    DROP,
    RULE,
    DRAWS = RULE + CLI_BLANKET_OPTIONS,
    FEATURES,
    END = FEATURES + CLI_FEATURE_OPTIONS
};

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    [DATA] = {"DATA", .type = CLI_FILE,
              .help = "Rows with the model's columns that it was not trained on (zeroflow split "
                      "makes them): CSV, TSV or NPY, also gzipped. A lone - is standard input."},
    {NULL},
};

static const cli_option options[] = {
    [TARGET] = {"target", 't', CLI_LIST, "LIST",
                .help = "The features whose blanket it is, by name, between commas. Needed."},
    [BLANKET] = {"blanket", 'b', CLI_LIST, "LIST", .otherwise = "the model's own",
                 .help = "The blanket to test."},
    [ADD] = {"add", .type = CLI_LIST, .placeholder = "LIST",
             .help = "Features to add to the blanket."},
    [DROP] = {"drop", .type = CLI_LIST, .placeholder = "LIST",
              .help = "Features to leave out of it."},
    CLI_BLANKET_OPTION_LIST(RULE),
    [DRAWS] = {"draws", .type = CLI_WHOLE, .placeholder = "N", .fallback = "2000", .least = 99,
               .most = 10000000,
               .help = "How often the null is drawn: the p-value is at least "
                       "one in so many and one."},
    CLI_FEATURE_OPTION_LIST(FEATURES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow certify cells.model fresh.csv --target PKA --top 2",
     "Whether the two most needed features are sufficient for PKA, on rows that are new."},
    {"zeroflow certify cells.model fresh.csv --target Mek --blanket PKA,PKC --json",
     "The same of a blanket of one's own, for a program to read."},
    {NULL},
};

typedef struct hearing {
    const cli_call *call;
    zf_blanket *model;
    int32_t *targets, *blanket; /* features */
    int n_targets, n_blanket;
    zf_table *table;
    zf_matrix matrix; /* the model's features, in its order */
    zf_certificate certificate;
} hearing;

static const char *name_of(const hearing *h, int feature)
{
    return zf_blanket_name(h->model, feature);
}

static bool is_in(int feature, const int32_t *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == feature) return true;
    return false;
}

/* The model's blanket, as the rule says. */
static cli_exit ask_model(hearing *h)
{
    cli_members members = {0};
    cli_asked asked = {h->model, h->call->arguments[MODEL].text, h->targets, h->n_targets};
    CLI_TRY(cli_ask_blanket(&members, &asked, &h->call->values[RULE]));
    for (int i = 0; i < members.n; i++) h->blanket[h->n_blanket++] = members.list[i].feature;
    free(members.list);
    return CLI_DONE;
}

/* The features that an option names, none of them a target; *found is for free(). */
static cli_exit find_members(int32_t **found, int *n, const hearing *h, int option)
{
    char label[16];
    snprintf(label, sizeof label, "--%s", options[option].name);
    CLI_TRY(cli_find_features(found, n, h->model, &h->call->values[option], label));
    for (int i = 0; i < *n; i++)
        if (is_in((*found)[i], h->targets, h->n_targets)) {
            cli_fail(CLI_USAGE, "%s: \"%s\" is a target and cannot be in its own blanket", label,
                     name_of(h, (*found)[i]));
            free(*found);
            return CLI_USAGE;
        }
    return CLI_DONE;
}

static cli_exit drop(hearing *h, int feature)
{
    for (int i = 0; i < h->n_blanket; i++)
        if (h->blanket[i] == feature) {
            h->blanket[i] = h->blanket[--h->n_blanket];
            return CLI_DONE;
        }
    return cli_fail(CLI_USAGE, "--drop: \"%s\" is not in the blanket", name_of(h, feature));
}

static cli_exit edit(hearing *h, int option)
{
    int32_t *found = NULL;
    int n = 0;
    cli_exit exit = CLI_DONE;
    if (!h->call->values[option].given) return CLI_DONE;
    CLI_TRY(find_members(&found, &n, h, option));
    for (int i = 0; i < n && exit == CLI_DONE; i++) {
        if (option == DROP)
            exit = drop(h, found[i]);
        else if (!is_in(found[i], h->blanket, h->n_blanket))
            h->blanket[h->n_blanket++] = found[i];
    }
    free(found);
    return exit;
}

static cli_exit find_blanket(hearing *h)
{
    const cli_value *values = h->call->values;
    bool own = values[BLANKET].given;
    h->blanket = malloc((size_t)zf_blanket_features(h->model) * sizeof *h->blanket);
    if (!h->blanket) return cli_fail(CLI_FAILED, "out of memory");
    if (own && (values[RULE + CLI_THRESHOLD].given || values[RULE + CLI_TOP].given))
        return cli_fail(CLI_USAGE,
                        "--blanket excludes --threshold and --top, which choose from the "
                        "model's blanket");
    if (!own) CLI_TRY(ask_model(h));
    CLI_TRY(edit(h, BLANKET));
    CLI_TRY(edit(h, ADD));
    return edit(h, DROP);
}

/* Names the model's features that the table lacks. */
static cli_exit complain_of_columns(const hearing *h)
{
    enum { NAMED_MOST = 3 };
    char text[512];
    int lacking = 0, features = zf_blanket_features(h->model);
    size_t length = 0;
    for (int j = 0; j < features; j++) {
        if (zf_table_find(h->table, name_of(h, j)) >= 0) continue;
        if (lacking++ < NAMED_MOST && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%.100s\"",
                                       length ? ", " : "", name_of(h, j));
    }
    return cli_fail(CLI_INPUT, "%s: lacks %d of the model's %d features: %s%s",
                    h->call->arguments[DATA].text, lacking, features, text,
                    lacking > NAMED_MOST ? ", ..." : "");
}

static cli_exit take_matrix(hearing *h, size_t *columns)
{
    int features = zf_blanket_features(h->model);
    for (int j = 0; j < features; j++) {
        long found = zf_table_find(h->table, name_of(h, j));
        if (found < 0) return complain_of_columns(h);
        columns[j] = (size_t)found;
    }
    return cli_take_matrix(&h->matrix, h->call, h->table, columns, (size_t)features,
                           &h->call->values[FEATURES]);
}

static cli_exit read_rows(hearing *h)
{
    const cli_call *call = h->call;
    CLI_TRY(cli_read_table(&h->table, &call->values[FEATURES + CLI_FEATURE_TABLE],
                           call->arguments[DATA].text));
    size_t *columns = malloc((size_t)zf_blanket_features(h->model) * sizeof *columns);
    if (!columns) return cli_fail(CLI_FAILED, "out of memory");
    cli_exit exit = take_matrix(h, columns);
    free(columns);
    return exit;
}

static cli_exit test(hearing *h)
{
    const cli_call *call = h->call;
    zf_independence_options wish = zf_independence_defaults();
    wish.draws = call->values[DRAWS].whole;
    wish.seed = call->seed;
    wish.threads = call->threads;
    cli_exit exit = cli_check(zf_certify(&h->certificate, h->model, h->matrix.values,
                                         h->matrix.rows, h->targets, (size_t)h->n_targets,
                                         h->blanket, (size_t)h->n_blanket, &wish));
    if (exit == CLI_INPUT) cli_fail(exit, "%s: %s", call->arguments[DATA].text, zf_error());
    if (exit == CLI_DONE && h->certificate.trained)
        cli_warn(call,
                 "%s has the rows that the model was trained on: the certificate is too kind "
                 "to its blanket; use rows that were held out",
                 call->arguments[DATA].text);
    return exit;
}

static json_t *names_json(const hearing *h, const int32_t *list, int n)
{
    cli_names names = cli_model_names(h->model);
    return cli_names_json(&names, list, n);
}

/* The left-out feature of a rank, and what it has. */
static int missing_at(const hearing *h, size_t rank, const zf_independence_part **part)
{
    const zf_certificate *c = &h->certificate;
    *part = &c->test.y[c->missing[rank]];
    return c->left_out[c->missing[rank]];
}

static json_t *missing_json(const hearing *h)
{
    json_t *list = json_array();
    for (size_t rank = 0; rank < h->certificate.n_left_out; rank++) {
        const zf_independence_part *part;
        int feature = missing_at(h, rank, &part);
        if (json_array_append_new(list, json_pack("{s:o s:o s:o}", "name",
                                                  cli_json_text(name_of(h, feature)), "gain",
                                                  cli_json_number(part->gain), "p_value",
                                                  cli_json_number(part->p_value))) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Of the targets: which of them the blanket leaves something to say about. */
static json_t *where_json(const hearing *h)
{
    json_t *list = json_array();
    for (int k = 0; k < h->n_targets; k++)
        if (json_array_append_new(
                list, json_pack("{s:o s:o}", "name", cli_json_text(name_of(h, h->targets[k])),
                                "share", cli_json_number(h->certificate.test.x_share[k]))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static cli_exit print_json(const hearing *h)
{
    const zf_certificate *c = &h->certificate;
    return cli_print_json(
        h->call,
        json_pack("{s:o s:o s:o s:o s:o s:I s:I s:I s:b s:o s:o}", "target",
                  names_json(h, h->targets, h->n_targets), "blanket",
                  names_json(h, h->blanket, h->n_blanket), "statistic",
                  cli_json_number(c->test.statistic), "p_value", cli_json_number(c->test.p_value),
                  "effect", cli_json_number(c->test.effect), "rows_used", (json_int_t)c->test.rows,
                  "rows_dropped", (json_int_t)h->matrix.dropped, "draws",
                  (json_int_t)h->call->values[DRAWS].whole, "trained", c->trained, "where",
                  where_json(h), "missing", missing_json(h)));
}

static void print_names(const hearing *h, const int32_t *list, int n)
{
    cli_names names = cli_model_names(h->model);
    cli_print_names(h->call->out, &names, list, n);
}

static void print_missing(const hearing *h)
{
    enum { SHOWN_MOST = 8, NAME_MOST = 32 };
    FILE *out = h->call->out;
    size_t n = h->certificate.n_left_out < SHOWN_MOST ? h->certificate.n_left_out : SHOWN_MOST;
    int width = 0;
    const zf_independence_part *part;
    for (size_t rank = 0; rank < n; rank++) {
        int w = cli_width(name_of(h, missing_at(h, rank, &part)));
        width = w > width ? w : width;
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    fprintf(out, "\nWhat would help most, of %s left out\n",
            cli_count(h->certificate.n_left_out).text);
    for (size_t rank = 0; rank < n; rank++) {
        int feature = missing_at(h, rank, &part);
        fputs("  ", out);
        cli_fit(out, name_of(h, feature), width, false);
        fprintf(out, "  gain %5.3f  p %.4g\n", part->gain, part->p_value);
    }
}

static void print_text(const hearing *h)
{
    const zf_independence *r = &h->certificate.test;
    FILE *out = h->call->out;
    fprintf(out, "%sThe blanket of ", cli_bold());
    print_names(h, h->targets, h->n_targets);
    fputs(": ", out);
    if (h->n_blanket == 0) fputs("empty", out);
    print_names(h, h->blanket, h->n_blanket);
    fprintf(out, "%s, on %s\n\n", cli_plain(), cli_plural(r->rows, "row").text);
    fprintf(out, "  p-value    %-9.4g %s\n", r->p_value,
            r->p_value <= 0.05 ? "something is missing" : "no sign that anything is missing");
    fprintf(out, "  statistic  %-9.4g about 1 if nothing is missing\n", r->statistic);
    fprintf(out, "  effect     %-9.4g correlation behind the strongest sign of it, 0 to 1\n",
            r->effect);
    print_missing(h);
}

static cli_exit hear(hearing *h)
{
    const cli_value *values = h->call->values;
    CLI_TRY(cli_check(zf_blanket_load(&h->model, h->call->arguments[MODEL].text)));
    CLI_TRY(cli_find_features(&h->targets, &h->n_targets, h->model, &values[TARGET], "--target"));
    CLI_TRY(find_blanket(h));
    CLI_TRY(read_rows(h));
    CLI_TRY(test(h));
    if (h->call->json) return print_json(h);
    print_text(h);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    hearing h = {.call = call};
    cli_exit exit = hear(&h);
    zf_certificate_free(&h.certificate);
    zf_matrix_free(&h.matrix);
    zf_table_free(h.table);
    zf_blanket_free(h.model);
    free(h.targets);
    free(h.blanket);
    return exit;
}

const cli_command cli_command_certify = {
    .name = "certify",
    .summary = "test whether a blanket is sufficient, and what is missing from it",
    .description =
        "Asks whether the features outside a blanket still say something about the targets, on "
        "rows "
        "that the model was not trained on. A small p-value says that the blanket is not "
        "sufficient; a large one that these rows show nothing against it.\n\n"
        "The features left out are ranked by their gain: the share that one of them explains of "
        "what the blanket leaves unexplained of a target (of its value, its spread or another "
        "shape of it, whichever it explains best). Their p-values are corrected for their "
        "number.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
