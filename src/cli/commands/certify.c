/* zeroflow certify: is a blanket sufficient, and what is missing from it? */
#include <stdlib.h>
#include <string.h>

#include "blanket_input.h"
#include "feature_input.h"
#include "finding.h"
#include "gather.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"

enum { MODEL, DATA };
enum { NAME_MOST = 32 }; /* columns of a name */
enum {
    TARGET,
    BLANKET,
    ADD,
    DROP,
    RULE,
    LEVEL = RULE + CLI_BLANKET_OPTIONS,
    DRAWS,
    PLOT,
    VARIABLES,
    END = VARIABLES + CLI_NAMED_OPTIONS
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
                .help = "The variables whose blanket it is, by name, between commas. Needed."},
    [BLANKET] = {"blanket", 'b', CLI_LIST, "LIST", .otherwise = "the model's own",
                 .help = "The blanket to test."},
    [ADD] = {"add", .type = CLI_LIST, .placeholder = "LIST",
             .help = "Variables to add to the blanket."},
    [DROP] = {"drop", .type = CLI_LIST, .placeholder = "LIST",
              .help = "Variables to leave out of it."},
    CLI_BLANKET_OPTION_LIST(RULE),
    [LEVEL] = {"level", .type = CLI_REAL, .placeholder = "P", .fallback = "0.05", .least = 1e-9,
               .most = 0.999999999,
               .help = "A p-value up to this is a sign: something is missing, a member is needed."},
    [DRAWS] = {"draws", .type = CLI_WHOLE, .placeholder = "N", .fallback = "2000", .least = 99,
               .most = 10000000,
               .help = "How often the null is drawn: the p-value is at least "
                       "one in so many and one."},
    [PLOT] = {"plot", .type = CLI_OUTPUT, .placeholder = "FILE",
              .help = "Draw what was found, as .svg or .png: what would help, what is needed, and "
                      "what the column that is missed most has to do with its target."},
    CLI_NAMED_OPTION_LIST(VARIABLES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow certify cells.model fresh.csv --target PKA --top 2",
     "Whether the two most needed variables are sufficient for PKA, on rows that are new."},
    {"zeroflow certify cells.model fresh.csv --target PKA --top 2 --plot certificate.svg",
     "The same as a figure."},
    {"zeroflow certify cells.model fresh.csv --target Mek --blanket PKA,PKC --json",
     "The same of a blanket of one's own, for a program to read."},
    {NULL},
};

typedef struct hearing {
    const cli_call *call;
    zf_blanket *model;
    int32_t *targets, *blanket; /* variables */
    int n_targets, n_blanket;
    zf_table *table;
    zf_matrix matrix;   /* the model's variables, in its order */
    const char **names; /* of these */
    zf_certificate certificate;
} hearing;

static double level(const hearing *h)
{
    return h->call->values[LEVEL].real;
}

static const char *name_of(const hearing *h, int variable)
{
    return zf_blanket_name(h->model, variable);
}

static bool is_in(int variable, const int32_t *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == variable) return true;
    return false;
}

/* The model's blanket, as the rule says. */
static cli_exit ask_model(hearing *h)
{
    cli_members members = {0};
    cli_asked asked = {h->model, h->call->arguments[MODEL].text, h->targets, h->n_targets};
    CLI_TRY(cli_ask_blanket(&members, &asked, &h->call->values[RULE]));
    for (int i = 0; i < members.n; i++) h->blanket[h->n_blanket++] = members.list[i].variable;
    free(members.list);
    return CLI_DONE;
}

/* The variables that an option names, none of them a target; *found is for free(). */
static cli_exit find_members(int32_t **found, int *n, const hearing *h, int option)
{
    char label[16];
    snprintf(label, sizeof label, "--%s", options[option].name);
    CLI_TRY(cli_find_variables(found, n, h->model, &h->call->values[option], label));
    for (int i = 0; i < *n; i++)
        if (is_in((*found)[i], h->targets, h->n_targets)) {
            cli_fail(CLI_USAGE, "%s: \"%s\" is a target and cannot be in its own blanket", label,
                     name_of(h, (*found)[i]));
            free(*found);
            return CLI_USAGE;
        }
    return CLI_DONE;
}

static cli_exit drop(hearing *h, int variable)
{
    for (int i = 0; i < h->n_blanket; i++)
        if (h->blanket[i] == variable) {
            h->blanket[i] = h->blanket[--h->n_blanket];
            return CLI_DONE;
        }
    return cli_fail(CLI_USAGE, "--drop: \"%s\" is not in the blanket", name_of(h, variable));
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
    h->blanket = malloc((size_t)zf_blanket_variables(h->model) * sizeof *h->blanket);
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

static cli_exit read_rows(hearing *h)
{
    const cli_call *call = h->call;
    int variables = zf_blanket_variables(h->model);
    h->names = malloc((size_t)variables * sizeof *h->names);
    if (!h->names) return cli_fail(CLI_FAILED, "out of memory");
    for (int j = 0; j < variables; j++) h->names[j] = name_of(h, j);
    CLI_TRY(cli_read_table(&h->table, &call->values[VARIABLES + CLI_FEATURE_TABLE],
                           call->arguments[DATA].text));
    return cli_take_named(&h->matrix, call, h->table, call->arguments[DATA].text, h->names,
                          (size_t)variables, &call->values[VARIABLES]);
}

static zf_independence_options understand(const cli_call *call)
{
    zf_independence_options wish = zf_independence_defaults();
    wish.draws = call->values[DRAWS].whole;
    wish.seed = call->seed;
    wish.threads = call->threads;
    return wish;
}

static cli_exit test(hearing *h)
{
    const cli_call *call = h->call;
    zf_independence_options wish = understand(call);
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

/* The left-out variable of a rank, and what it has. */
static int missing_at(const hearing *h, size_t rank, const zf_independence_part **part)
{
    const zf_certificate *c = &h->certificate;
    *part = &c->test.y[c->missing[rank]];
    return c->left_out[c->missing[rank]];
}

static json_t *missing_json(const hearing *h)
{
    json_t *list = json_array();
    cli_names names = cli_model_names(h->model);
    for (size_t rank = 0; rank < h->certificate.n_left_out; rank++) {
        const zf_independence_part *part;
        int variable = missing_at(h, rank, &part);
        if (json_array_append_new(list, json_pack("{s:o s:o s:o s:o}", "name",
                                                  cli_json_text(name_of(h, variable)), "gain",
                                                  cli_json_number(part->gain), "p_value",
                                                  cli_json_number(part->p_value), "found",
                                                  cli_finding_json(&part->found, &names))) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Each member given the others; needed: there is a sign that it is. */
static json_t *members_json(const hearing *h)
{
    json_t *list = json_array();
    cli_names names = cli_model_names(h->model);
    for (size_t i = 0; i < h->certificate.n_members; i++) {
        const zf_member_test *m = &h->certificate.members[i];
        json_t *entry =
            json_pack("{s:o s:o s:b s:o}", "name", cli_json_text(name_of(h, m->variable)),
                      "p_value", cli_json_number(m->p_value), "needed", m->p_value <= level(h),
                      "found", cli_finding_json(&m->found, &names));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The names of the members that are not needed. */
static json_t *superfluous_json(const hearing *h)
{
    json_t *list = json_array();
    for (size_t i = 0; i < h->certificate.n_members; i++) {
        const zf_member_test *m = &h->certificate.members[i];
        if (m->p_value > level(h) &&
            json_array_append_new(list, cli_json_text(name_of(h, m->variable))) != 0) {
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
    cli_names names = cli_model_names(h->model);
    return cli_print_json(
        h->call,
        json_pack("{s:o s:o s:o s:o s:b s:o s:o s:o s:I s:I s:I s:b s:o s:o s:o s:o s:o}", "target",
                  names_json(h, h->targets, h->n_targets), "blanket",
                  names_json(h, h->blanket, h->n_blanket), "statistic",
                  cli_json_number(c->test.statistic), "p_value", cli_json_number(c->test.p_value),
                  "cannot_tell", c->test.p_value <= level(h) && c->test.cannot_tell, "effect",
                  cli_json_number(c->test.effect), "found",
                  cli_finding_json(&c->test.found, &names), "level", cli_json_number(level(h)),
                  "rows_used", (json_int_t)c->test.rows, "rows_dropped",
                  (json_int_t)h->matrix.dropped, "draws", (json_int_t)h->call->values[DRAWS].whole,
                  "trained", c->trained, "where", where_json(h), "missing", missing_json(h),
                  "members", members_json(h), "superfluous", superfluous_json(h), "plot",
                  cli_json_text(h->call->values[PLOT].text)));
}

static void print_names(FILE *out, const hearing *h, const int32_t *list, int n)
{
    cli_names names = cli_model_names(h->model);
    cli_print_names(out, &names, list, n);
}

/* A p-value and, if it is small, what was found. */
static void print_p_value(const hearing *h, double p_value, const zf_finding *found)
{
    FILE *out = h->call->out;
    cli_names names = cli_model_names(h->model);
    bool small = p_value <= level(h);
    fprintf(out, small ? "p %-9.4g  " : "p %.4g", p_value);
    if (small) cli_print_finding(out, found, &names);
    fputc('\n', out);
}

static void print_missing(const hearing *h)
{
    enum { SHOWN_MOST = 8 };
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
        int variable = missing_at(h, rank, &part);
        fputs("  ", out);
        cli_fit(out, name_of(h, variable), width, false);
        fprintf(out, "  gain %5.3f  ", part->gain);
        print_p_value(h, part->p_value, &part->found);
    }
}

/* Those without a sign first: they are what one can do without. */
static void print_members(const hearing *h)
{
    FILE *out = h->call->out;
    const zf_certificate *c = &h->certificate;
    size_t idle = 0;
    int width = 0;
    for (size_t i = 0; i < c->n_members; i++) {
        int w = cli_width(name_of(h, c->members[i].variable));
        width = w > width ? w : width;
        idle += c->members[i].p_value > level(h);
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    if (c->n_members == 0) return;
    fprintf(out, "\nMembers, each given the others: %s of %s not needed\n", cli_count(idle).text,
            cli_count(c->n_members).text);
    for (size_t rank = 0; rank < c->n_members; rank++) {
        const zf_member_test *m = &c->members[rank];
        if (rank == idle) fputs(idle ? "  needed, by all signs:\n" : "", out);
        fputs("  ", out);
        cli_fit(out, name_of(h, m->variable), width, false);
        fputs("  ", out);
        print_p_value(h, m->p_value, &m->found);
    }
    if (idle > 1)
        fputs("  Leave out one at a time: of two that tell the same, each looks superfluous.\n",
              out);
}

/* --- the figure ------------------------------------------------------------------------- */

enum { MISSING_DRAWN = 15, MEMBERS_DRAWN = 30 };

static zf_bars list_missing(const hearing *h, zf_bar *list)
{
    cli_names names = cli_model_names(h->model);
    size_t n =
        h->certificate.n_left_out < MISSING_DRAWN ? h->certificate.n_left_out : MISSING_DRAWN;
    for (size_t rank = 0; rank < n; rank++) {
        const zf_independence_part *part;
        int variable = missing_at(h, rank, &part);
        list[rank] = cli_finding_bar(name_of(h, variable), part->gain, part->p_value <= level(h),
                                     part->p_value, &part->found, &names);
    }
    return (zf_bars){.title = "Left out: what would help most",
                     .label = "gain: share of what the blanket leaves unexplained",
                     .bars = list,
                     .n = n};
}

static zf_bars list_members(const hearing *h, zf_bar *list)
{
    const zf_certificate *c = &h->certificate;
    cli_names names = cli_model_names(h->model);
    size_t n = c->n_members < MEMBERS_DRAWN ? c->n_members : MEMBERS_DRAWN;
    for (size_t i = 0; i < n; i++) {
        const zf_member_test *m = &c->members[i];
        list[i] = cli_finding_bar(name_of(h, m->variable), cli_zeros(m->p_value),
                                  m->p_value <= level(h), m->p_value, &m->found, &names);
    }
    return (zf_bars){.title = "Members, each given the others: the least needed first",
                     .label = "-log10 of the p-value (1 is 0.1, 2 is 0.01)",
                     .bars = list,
                     .n = n,
                     .mark = cli_zeros(level(h)),
                     .mark_name = "needed from here on"};
}

/* The variable with the largest gain of those that are missing by all signs; none: NULL. */
static const zf_independence_part *most_missed(const hearing *h)
{
    for (size_t rank = 0; rank < h->certificate.n_left_out; rank++) {
        const zf_independence_part *part;
        missing_at(h, rank, &part);
        if (part->p_value <= level(h)) return part;
    }
    return NULL;
}

/* Its portrait, the target upwards; *portrait stays empty if there is none. */
static cli_exit portray(zf_portrait *portrait, const hearing *h, const zf_independence_part *part)
{
    const zf_certificate *c = &h->certificate;
    zf_independence_options wish = understand(h->call);
    zf_question question = {h->targets,           c->left_out,   h->blanket,
                            (size_t)h->n_targets, c->n_left_out, (size_t)h->n_blanket};
    if (!part) return CLI_DONE;
    zf_finding turned = part->found;
    turned.x = part->found.y;
    turned.y = part->found.x;
    return cli_check(zf_independence_portrait(portrait, h->matrix.values, h->matrix.rows, h->names,
                                              h->matrix.columns, &question, &turned, &wish));
}

/* "The blanket of x4: x3, x5" */
static void print_blanket(FILE *out, const hearing *h)
{
    fputs("The blanket of ", out);
    print_names(out, h, h->targets, h->n_targets);
    fputs(": ", out);
    if (h->n_blanket == 0) fputs("empty", out);
    print_names(out, h, h->blanket, h->n_blanket);
}

static const char *verdict(const hearing *h)
{
    const zf_independence *r = &h->certificate.test;
    if (r->p_value > level(h)) return "no sign that anything is missing";
    return r->cannot_tell ? "cannot tell whether anything is missing" : "something is missing";
}

static cli_exit draw_findings(const hearing *h, const zf_findings *findings)
{
    const zf_independence *r = &h->certificate.test;
    cli_gathered title;
    if (cli_gather(&title)) {
        print_blanket(title.out, h);
        fprintf(title.out, ", on %s: %s (p = %.2g)", cli_plural(r->rows, "row").text, verdict(h),
                r->p_value);
    }
    cli_exit exit = cli_gather_end(&title) ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    zf_figure figure = {.title = title.text};
    if (exit == CLI_DONE)
        exit = cli_check(zf_plot_findings(h->call->values[PLOT].text, &figure, findings, 1));
    free(title.text);
    return exit;
}

static cli_exit draw(const hearing *h)
{
    zf_bar missing[MISSING_DRAWN], members[MEMBERS_DRAWN];
    const zf_independence_part *part = most_missed(h);
    zf_portrait portrait = {0};
    if (!h->call->values[PLOT].text) return CLI_DONE;
    CLI_TRY(portray(&portrait, h, part));
    zf_bars bars[] = {list_missing(h, missing), list_members(h, members)};
    zf_portrait_panel panel = {&portrait, part ? part->p_value : 1, h->names,
                               h->n_blanket ? "the blanket" : NULL};
    zf_findings findings = {bars, h->certificate.n_members ? 2 : 1, &panel, part ? 1 : 0};
    cli_exit exit = draw_findings(h, &findings);
    zf_portrait_free(&portrait);
    return exit;
}

static void print_text(const hearing *h)
{
    const zf_independence *r = &h->certificate.test;
    FILE *out = h->call->out;
    fputs(cli_bold(), out);
    print_blanket(out, h);
    fprintf(out, "%s, on %s\n\n", cli_plain(), cli_plural(r->rows, "row").text);
    fprintf(out, "  p-value    %-9.4g %s\n", r->p_value, verdict(h));
    fprintf(out, "  statistic  %-9.4g about 1 if nothing is missing\n", r->statistic);
    fprintf(out, "  effect     %-9.4g correlation behind the strongest sign of it, 0 to 1\n",
            r->effect);
    print_missing(h);
    print_members(h);
    cli_tell_figure(h->call, h->call->values[PLOT].text);
}

static cli_exit hear(hearing *h)
{
    const cli_value *values = h->call->values;
    CLI_TRY(cli_check_figure_name(values[PLOT].text, "--plot"));
    CLI_TRY(cli_check(zf_blanket_load(&h->model, h->call->arguments[MODEL].text)));
    CLI_TRY(cli_find_variables(&h->targets, &h->n_targets, h->model, &values[TARGET], "--target"));
    CLI_TRY(find_blanket(h));
    CLI_TRY(read_rows(h));
    CLI_TRY(test(h));
    CLI_TRY(draw(h));
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
    free(h.names);
    free(h.targets);
    free(h.blanket);
    return exit;
}

const cli_command cli_command_certify = {
    .name = "certify",
    .summary = "test a blanket: is it enough, what is missing, what superfluous",
    .description =
        "Asks whether the variables outside a blanket still say something about the targets, on "
        "rows "
        "that the model was not trained on. A small p-value says that the blanket is not "
        "sufficient; a large one that these rows show nothing against it.\n\n"
        "The variables left out are ranked by their gain: the share that one of them explains of "
        "what the blanket leaves unexplained of a target (of its value, its spread or another "
        "shape of it, whichever it explains best). Their p-values are corrected for their "
        "number. Each member is tested too, given the others: one without a sign is not needed, as "
        "far as these rows show.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
