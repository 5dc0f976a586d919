/* zeroflow independent: are some columns independent of others, given more? */
#include "zeroflow/independence.h"

#include <stdlib.h>

#include "feature_input.h"
#include "finding.h"
#include "gather.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"

enum { DATA };
enum { X, Y, GIVEN, DRAWS, PLOT, FEATURES, END = FEATURES + CLI_NAMED_OPTIONS };
enum { SETS = 3 }; /* x, y, given: also the first options */

static const cli_option arguments[] = {
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [X] = {"x", 'x', CLI_LIST, "LIST", .help = "Columns, by name, between commas. Needed."},
    [Y] = {"y", 'y', CLI_LIST, "LIST", .help = "The columns to test them against. Needed."},
    [GIVEN] = {"given", 'g', CLI_LIST, "LIST", .otherwise = "none: plain independence",
               .help = "The columns that are known."},
    [DRAWS] = {"draws", .type = CLI_WHOLE, .placeholder = "N", .fallback = "10000", .least = 99,
               .most = 10000000,
               .help = "How often the null is drawn: the p-value is at least "
                       "one in so many and one."},
    [PLOT] = {"plot", .type = CLI_OUTPUT, .placeholder = "FILE",
              .help = "Draw what was found, as .svg or .png: what is left of the strongest pair of "
                      "columns once the given ones are taken away."},
    CLI_NAMED_OPTION_LIST(FEATURES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow independent cells.csv --x Mek --y PKA --given Raf",
     "Whether Raf tells all that PKA could tell about Mek."},
    {"zeroflow independent cells.csv -x Mek -y PKA --given Raf --plot found.svg",
     "The same, with a figure of what is left of the two."},
    {"zeroflow independent cells.csv -x Mek -y PKA,PKC --json",
     "Plain independence of one column from two, for a program to read."},
    {NULL},
};

/* The question, as columns of the table and of the matrix that is taken from it. */
typedef struct inquiry {
    const cli_call *call;
    zf_table *table;
    int32_t *columns[SETS]; /* of the table */
    int n[SETS];
    int32_t *places; /* of the matrix: 0, 1, 2, ... */
    zf_matrix matrix;
    const char **names; /* of the matrix's columns */
    zf_independence result;
} inquiry;

/* The columns of the table, by name. */
static cli_names names_of(const inquiry *q)
{
    return cli_table_names(q->table, q->call->arguments[DATA].text);
}

static const char *name(const inquiry *q, int column)
{
    return zf_table_column(q->table, (size_t)column)->name;
}

static cli_exit find_columns(inquiry *q)
{
    static const char *const labels[SETS] = {"--x", "--y", "--given"};
    const cli_value *values = q->call->values;
    cli_names names = names_of(q);
    for (int set = 0; set < SETS; set++) {
        if (set == GIVEN && !values[GIVEN].given) break;
        CLI_TRY(cli_find_names(&q->columns[set], &q->n[set], &names, &values[set], labels[set]));
        for (int i = 0; i < q->n[set]; i++)
            for (int other = 0; other <= set; other++)
                for (int k = 0; k < (other < set ? q->n[other] : i); k++)
                    if (q->columns[other][k] == q->columns[set][i])
                        return cli_fail(
                            CLI_USAGE, "column \"%s\" is named in %s and again in %s; name it once",
                            name(q, q->columns[set][i]), labels[other], labels[set]);
    }
    return CLI_DONE;
}

static cli_exit take_matrix(inquiry *q)
{
    int total = q->n[X] + q->n[Y] + q->n[GIVEN], at = 0;
    size_t *chosen = malloc((size_t)total * sizeof *chosen);
    q->places = malloc((size_t)total * sizeof *q->places);
    q->names = malloc((size_t)total * sizeof *q->names);
    if (!chosen || !q->places || !q->names) {
        free(chosen);
        return cli_fail(CLI_FAILED, "out of memory");
    }
    for (int set = 0; set < SETS; set++)
        for (int i = 0; i < q->n[set]; i++, at++) {
            chosen[at] = (size_t)q->columns[set][i];
            q->places[at] = at;
            q->names[at] = name(q, q->columns[set][i]);
        }
    cli_exit exit = cli_take_matrix(&q->matrix, q->call, q->table, chosen, (size_t)total,
                                    &q->call->values[FEATURES]);
    free(chosen);
    return exit;
}

static zf_independence_options understand(const cli_call *call)
{
    zf_independence_options wish = zf_independence_defaults();
    wish.draws = call->values[DRAWS].whole;
    wish.seed = call->seed;
    wish.threads = call->threads;
    return wish;
}

static zf_question question_of(const inquiry *q)
{
    return (zf_question){.x = q->places,
                         .y = q->places + q->n[X],
                         .given = q->places + q->n[X] + q->n[Y],
                         .n_x = (size_t)q->n[X],
                         .n_y = (size_t)q->n[Y],
                         .n_given = (size_t)q->n[GIVEN]};
}

static cli_exit test(inquiry *q)
{
    const cli_call *call = q->call;
    zf_independence_options wish = understand(call);
    zf_question question = question_of(q);
    cli_exit exit = cli_check(zf_independence_test(&q->result, q->matrix.values, q->matrix.rows,
                                                   q->names, q->matrix.columns, &question, &wish));
    if (exit == CLI_INPUT) cli_fail(exit, "%s: %s", call->arguments[DATA].text, zf_error());
    return exit;
}

/* What a column has of the statistic; at: its place in the matrix. */
static double share_of(const inquiry *q, int at)
{
    return at < q->n[X] ? q->result.x_share[at] : q->result.y[at - q->n[X]].share;
}

static const char *matrix_name(const void *q, int column)
{
    return ((const inquiry *)q)->names[column];
}

/* The columns of the matrix, which is what findings are about. */
static cli_names matrix_names(const inquiry *q)
{
    return (cli_names){.of = q, .count = (int)q->matrix.columns, .name = matrix_name};
}

static json_t *names_json(const inquiry *q, int set)
{
    cli_names names = names_of(q);
    return cli_names_json(&names, q->columns[set], q->n[set]);
}

static json_t *where_json(const inquiry *q)
{
    json_t *list = json_array();
    for (int at = 0; at < q->n[X] + q->n[Y]; at++)
        if (json_array_append_new(list,
                                  json_pack("{s:o s:s s:o}", "name", cli_json_text(q->names[at]),
                                            "side", at < q->n[X] ? "x" : "y", "share",
                                            cli_json_number(share_of(q, at)))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static const double LEVEL = 0.05;

/* What the p-value says. */
typedef enum verdict { NO_SIGN, DEPENDENT, CANNOT_TELL } verdict;
static const char *const verdict_names[] = {"no sign", "dependent", "cannot tell"};
static const char *const verdict_texts[] = {
    "no sign of dependence",
    "independence is hard to believe",
    "cannot tell dependence from what the given columns have to do with both",
};

/* Why it cannot be told. */
static const char *const doubt =
    "what the regressions leave of both sides still depends on the given columns";

static verdict verdict_of(const zf_independence *r)
{
    if (r->p_value > LEVEL) return NO_SIGN;
    return r->cannot_tell ? CANNOT_TELL : DEPENDENT;
}

static cli_exit print_json(const inquiry *q)
{
    const zf_independence *r = &q->result;
    verdict said = verdict_of(r);
    cli_names names = matrix_names(q);
    return cli_print_json(
        q->call,
        json_pack("{s:o s:o s:o s:o s:o s:s s:o s:o s:o s:I s:I s:I s:o s:o}", "x",
                  names_json(q, X), "y", names_json(q, Y), "given", names_json(q, GIVEN),
                  "statistic", cli_json_number(r->statistic), "p_value",
                  cli_json_number(r->p_value), "verdict", verdict_names[said], "reason",
                  cli_json_text(said == CANNOT_TELL ? doubt : NULL), "effect",
                  cli_json_number(r->effect), "found", cli_finding_json(&r->found, &names),
                  "rows_used", (json_int_t)r->rows, "rows_dropped", (json_int_t)q->matrix.dropped,
                  "draws", (json_int_t)q->call->values[DRAWS].whole, "where", where_json(q), "plot",
                  cli_json_text(q->call->values[PLOT].text)));
}

static void print_names(FILE *out, const inquiry *q, int set)
{
    cli_names names = names_of(q);
    cli_print_names(out, &names, q->columns[set], q->n[set]);
}

/* "a and b, given c" */
static void print_question(FILE *out, const inquiry *q)
{
    print_names(out, q, X);
    fputs(" and ", out);
    print_names(out, q, Y);
    if (q->n[GIVEN] == 0) return;
    fputs(", given ", out);
    print_names(out, q, GIVEN);
}

static cli_exit draw_portrait(const inquiry *q, const zf_portrait *portrait)
{
    const int first_given = q->n[X] + q->n[Y];
    zf_portrait_panel panel = {portrait, q->result.p_value, q->names,
                               q->n[GIVEN] == 0   ? NULL
                               : q->n[GIVEN] == 1 ? q->names[first_given]
                                                  : "the given columns"};
    zf_findings findings = {.panels = &panel, .n_panels = 1};
    cli_gathered text;
    if (cli_gather(&text)) {
        print_question(text.out, q);
        fprintf(text.out, "; %s.", cli_plural(q->result.rows, "row").text);
    }
    cli_exit exit = cli_gather_end(&text) ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    zf_figure figure = {.caption = text.text};
    if (exit == CLI_DONE)
        exit = cli_check(zf_plot_findings(q->call->values[PLOT].text, &figure, &findings, 1));
    free(text.text);
    return exit;
}

static cli_exit draw(const inquiry *q)
{
    zf_independence_options wish = understand(q->call);
    zf_question question = question_of(q);
    zf_portrait portrait = {0};
    if (!q->call->values[PLOT].text) return CLI_DONE;
    CLI_TRY(
        cli_check(zf_independence_portrait(&portrait, q->matrix.values, q->matrix.rows, q->names,
                                           q->matrix.columns, &question, &q->result.found, &wish)));
    cli_exit exit = draw_portrait(q, &portrait);
    zf_portrait_free(&portrait);
    return exit;
}

static void print_where(const inquiry *q)
{
    enum { NAME_MOST = 32 };
    FILE *out = q->call->out;
    int width = 0;
    for (int at = 0; at < q->n[X] + q->n[Y]; at++) {
        int w = cli_width(q->names[at]);
        width = w > width ? w : width;
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    fputs("\nWhere it is: share of each column\n", out);
    for (int at = 0; at < q->n[X] + q->n[Y]; at++) {
        fprintf(out, "  %c  ", at < q->n[X] ? 'x' : 'y');
        cli_fit(out, q->names[at], width, false);
        fprintf(out, "  %5.3f\n", share_of(q, at));
    }
}

static void print_text(const inquiry *q)
{
    const zf_independence *r = &q->result;
    FILE *out = q->call->out;
    fputs(cli_bold(), out);
    print_question(out, q);
    fprintf(out, "%s: %s\n\n", cli_plain(), cli_plural(r->rows, "row").text);
    fprintf(out, "  p-value    %-9.4g %s\n", r->p_value, verdict_texts[verdict_of(r)]);
    if (verdict_of(r) == CANNOT_TELL) fprintf(out, "             %s\n", doubt);
    fprintf(out, "  statistic  %-9.4g about 1 if they are independent\n", r->statistic);
    fprintf(out, "  effect     %-9.4g correlation behind the strongest sign of it, 0 to 1\n",
            r->effect);
    if (verdict_of(r) != NO_SIGN) {
        cli_names names = matrix_names(q);
        fputs("  form       ", out);
        cli_print_finding(out, &r->found, &names);
        fputc('\n', out);
    }
    if (q->n[X] + q->n[Y] > 2) print_where(q);
    cli_tell_figure(q->call, q->call->values[PLOT].text);
}

static cli_exit inquire(inquiry *q)
{
    CLI_TRY(cli_check_figure_name(q->call->values[PLOT].text, "--plot"));
    CLI_TRY(cli_read_table(&q->table, &q->call->values[FEATURES + CLI_FEATURE_TABLE],
                           q->call->arguments[DATA].text));
    CLI_TRY(find_columns(q));
    CLI_TRY(take_matrix(q));
    CLI_TRY(test(q));
    CLI_TRY(draw(q));
    if (q->call->json) return print_json(q);
    print_text(q);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    inquiry q = {.call = call};
    cli_exit exit = inquire(&q);
    zf_independence_free(&q.result);
    zf_matrix_free(&q.matrix);
    for (int set = 0; set < SETS; set++) free(q.columns[set]);
    free(q.places);
    free(q.names);
    zf_table_free(q.table);
    return exit;
}

const cli_command cli_command_independent = {
    .name = "independent",
    .summary = "test whether columns are independent of others, given more",
    .description =
        "Asks whether the columns of --x say anything about those of --y that those of --given "
        "have not said. Dependence of any common form is seen, not only one that rises or falls. "
        "A small p-value speaks against independence; a large one does not prove it. The form says "
        "what the strongest sign looks like: rising, falling, U-shaped, hill, spread, curved, or "
        "an "
        "interaction with a given column, with which the slope changes.\n\n"
        "Without --given the p-value is exact. With it, what the given columns explain is first "
        "taken from both sides by regression; the p-value is as good as these, which the page on "
        "the criterion speaks of. Where it is small, but what the regressions leave of both sides "
        "still depends on the given columns, the answer is that dependence cannot be told from "
        "what they missed; in JSON, verdict is then \"cannot tell\", and reason says why.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
