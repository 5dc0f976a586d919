#include "job/independent.h"

#include <stdlib.h>

#include "base/words.h"
#include "job/answer.h"
#include "job/outputs.h"

enum { SETS = ZF_INDEPENDENT_SETS, GIVEN = 2 };

static const double LEVEL = 0.05;

static const zf_option arguments[] = {
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_independent_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    {"x", 'x', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_independent_values, sets[0]),
     .help = "Columns to test: names, separated by commas. Required."},
    {"y", 'y', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_independent_values, sets[1]),
     .help = "Columns to test them against. Required."},
    {"given", 'g', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_independent_values, sets[GIVEN]),
     .otherwise = "none: marginal independence", .help = "Columns to condition on."},
    {"draws", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_independent_values, draws),
     .fallback = "10000", .least = 99, .most = 10000000, .help = ZF_DRAWS_HELP},
    {"plot", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE", ZF_FIELD(zf_independent_values, plot),
     .help = "Draw the result as .svg or .png: the strongest pair of columns after what the given "
             "ones explain is removed."},
    ZF_NAMED_ROWS(zf_independent_values, named),
    {NULL},
};

static const char *const set_names[SETS] = {"x", "y", "given"};

/* --- the question --------------------------------------------------------------------- */

/* The columns of the table that are asked for, by set. */
typedef struct sets {
    int32_t *columns[SETS];
    int n[SETS];
} sets;

static zf_status refuse_again(const sets *s, const zf_names *names, int set, int i)
{
    int32_t column = s->columns[set][i];
    for (int other = 0; other <= set; other++)
        for (int k = 0; k < (other < set ? s->n[other] : i); k++)
            if (s->columns[other][k] == column)
                return zf_fail(ZF_EINVAL,
                               "column \"%s\" is named in %s%s and again in %s%s; name it once",
                               names->name(names->of, column), zf_option_prefix(), set_names[other],
                               zf_option_prefix(), set_names[set]);
    return ZF_OK;
}

static zf_status find_columns(sets *s, const zf_table *table, const zf_independent_values *values)
{
    zf_names names = zf_table_names(table, values->data);
    for (int set = 0; set < SETS; set++) {
        if (set == GIVEN && values->sets[set].n == 0) break;
        ZF_TRY(zf_find_names(&s->columns[set], &s->n[set], &names, &values->sets[set],
                             set_names[set]));
        for (int i = 0; i < s->n[set]; i++) ZF_TRY(refuse_again(s, &names, set, i));
    }
    return ZF_OK;
}

/* Puts the sets one behind the other: the question, and in `chosen` the columns of the table. */
static zf_status ask(zf_independent_result *found, size_t **chosen, const sets *s)
{
    size_t total = (size_t)s->n[0] + (size_t)s->n[1] + (size_t)s->n[GIVEN], at = 0;
    *chosen = malloc(total * sizeof **chosen);
    found->places = malloc(total * sizeof *found->places);
    found->names = malloc(total * sizeof *found->names);
    if (!*chosen || !found->places || !found->names) return zf_fail_memory(total * sizeof **chosen);
    for (int set = 0; set < SETS; set++)
        for (int i = 0; i < s->n[set]; i++, at++) {
            size_t column = (*chosen)[at] = (size_t)s->columns[set][i];
            found->places[at] = (int32_t)at;
            found->names[at] = zf_table_column(found->table, column)->name;
        }
    found->question = (zf_question){.x = found->places,
                                    .y = found->places + s->n[0],
                                    .given = found->places + s->n[0] + s->n[1],
                                    .n_x = (size_t)s->n[0],
                                    .n_y = (size_t)s->n[1],
                                    .n_given = (size_t)s->n[GIVEN]};
    return ZF_OK;
}

static zf_status take_matrix(zf_matrix *matrix, zf_independent_result *found, zf_run *run,
                             const zf_independent_values *values)
{
    sets s = {0};
    size_t *chosen = NULL;
    zf_status status = find_columns(&s, found->table, values);
    if (status == ZF_OK) status = ask(found, &chosen, &s);
    const zf_question *q = &found->question;
    if (status == ZF_OK)
        status = zf_take_matrix(matrix, run, found->table, chosen, q->n_x + q->n_y + q->n_given,
                                values->named.missing_rows);
    for (int set = 0; set < SETS; set++) free(s.columns[set]);
    free(chosen);
    return status;
}

static const char *name_of(const void *found, int place)
{
    return ((const zf_independent_result *)found)->names[place];
}

zf_names zf_independent_names(const zf_independent_result *found)
{
    const zf_question *q = &found->question;
    return (zf_names){.of = found, .count = (int)(q->n_x + q->n_y + q->n_given), .name = name_of};
}

/* --- the test ------------------------------------------------------------------------- */

static void judge(zf_independent_result *found)
{
    const zf_independence *test = &found->test;
    found->verdict = test->p_value > LEVEL ? ZF_INDEPENDENT_NO_SIGN
                     : test->cannot_tell   ? ZF_INDEPENDENT_CANNOT_TELL
                                           : ZF_INDEPENDENT_DEPENDENT;
    if (found->verdict == ZF_INDEPENDENT_CANNOT_TELL)
        found->reason =
            "what the regressions leave of both sides still depends on the given columns";
}

static zf_status test(zf_independent_result *found, const zf_matrix *matrix,
                      const zf_independent_values *values, const zf_independence_options *wish)
{
    zf_status status = zf_independence_test(&found->test, matrix->values, matrix->rows,
                                            found->names, matrix->columns, &found->question, wish);
    if (status == ZF_EINPUT) return zf_fail_within(status, "%s: ", values->data);
    if (status == ZF_OK) judge(found);
    return status;
}

double zf_independent_share(const zf_independent_result *found, size_t place)
{
    size_t n_x = found->question.n_x;
    return place < n_x ? found->test.x_share[place] : found->test.y[place - n_x].share;
}

/* --- the figure ----------------------------------------------------------------------- */

/* "a and b, given c; 600 rows." */
static zf_status write_caption(char **caption, const zf_independent_result *found)
{
    const zf_question *q = &found->question;
    zf_names names = zf_independent_names(found);
    char *x = NULL, *y = NULL, *given = NULL;
    zf_status status = zf_names_text(&x, &names, q->x, q->n_x);
    if (status == ZF_OK) status = zf_names_text(&y, &names, q->y, q->n_y);
    if (status == ZF_OK) status = zf_names_text(&given, &names, q->given, q->n_given);
    if (status == ZF_OK)
        status = zf_figure_text(caption, "%s and %s%s%s; %s.", x, y, q->n_given ? ", given " : "",
                                given, zf_plural(found->test.rows, "row").text);
    free(x);
    free(y);
    free(given);
    return status;
}

static zf_status draw_portrait(const zf_independent_result *found, const char *path,
                               const zf_portrait *portrait)
{
    const zf_question *q = &found->question;
    zf_portrait_panel panel = {portrait, found->test.p_value, found->names,
                               q->n_given == 0   ? NULL
                               : q->n_given == 1 ? found->names[q->given[0]]
                                                 : "the given columns"};
    zf_findings findings = {.panels = &panel, .n_panels = 1};
    char *caption = NULL;
    ZF_TRY(write_caption(&caption, found));
    zf_figure figure = {.caption = caption};
    zf_status status = zf_plot_findings(path, &figure, &findings, 1);
    free(caption);
    return status;
}

static zf_status draw(const zf_independent_result *found, const zf_matrix *matrix, const char *path,
                      const zf_independence_options *wish)
{
    zf_portrait portrait = {0};
    if (!path) return ZF_OK;
    ZF_TRY(zf_independence_portrait(&portrait, matrix->values, matrix->rows, found->names,
                                    matrix->columns, &found->question, &found->test.found, wish));
    zf_status status = draw_portrait(found, path, &portrait);
    zf_portrait_free(&portrait);
    return status;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_independent_values *values = given;
    zf_independent_result *found = result;
    zf_matrix matrix = {0};
    zf_independence_options wish = zf_independence_wish(values->draws, run);
    ZF_TRY(zf_output_check_figure(values->plot, "plot"));
    ZF_TRY(zf_read_table(&found->table, &values->named.table, values->data));
    zf_status status = take_matrix(&matrix, found, run, values);
    if (status == ZF_OK) status = test(found, &matrix, values, &wish);
    if (status == ZF_OK) status = draw(found, &matrix, values->plot, &wish);
    found->dropped = matrix.dropped;
    zf_matrix_free(&matrix);
    return status;
}

/* --- JSON ----------------------------------------------------------------------------- */

static json_t *where_json(const zf_independent_result *found)
{
    json_t *list = json_array();
    const zf_question *q = &found->question;
    for (size_t at = 0; at < q->n_x + q->n_y; at++)
        zf_answer_add(list, json_pack("{s:o s:s s:o}", "name", zf_answer_text(found->names[at]),
                                      "side", at < q->n_x ? "x" : "y", "share",
                                      zf_answer_number(zf_independent_share(found, at))));
    return list;
}

static json_t *json(const void *result, const void *given)
{
    static const char *const verdicts[] = {"no sign", "dependent", "cannot tell"};
    const zf_independent_values *values = given;
    const zf_independent_result *found = result;
    const zf_independence *test = &found->test;
    const zf_question *q = &found->question;
    zf_names names = zf_independent_names(found);
    return json_pack(
        "{s:o s:o s:o s:o s:o s:s s:o s:o s:o s:o s:o s:o s:o s:o}", "x",
        zf_names_json(&names, q->x, (int)q->n_x), "y", zf_names_json(&names, q->y, (int)q->n_y),
        "given", zf_names_json(&names, q->given, (int)q->n_given), "statistic",
        zf_answer_number(test->statistic), "p_value", zf_answer_number(test->p_value), "verdict",
        verdicts[found->verdict], "reason", zf_answer_text(found->reason), "effect",
        zf_answer_number(test->effect), "found", zf_finding_json(&test->found, &names), "rows_used",
        zf_answer_count(test->rows), "rows_dropped", zf_answer_count(found->dropped), "draws",
        zf_answer_count(values->draws), "where", where_json(found), "plot",
        zf_answer_text(values->plot));
}

static void release(void *result)
{
    zf_independent_result *found = result;
    zf_independence_free(&found->test);
    zf_table_free(found->table);
    free(found->names);
    free(found->places);
}

const zf_job zf_job_independent = {
    .name = "independent",
    .summary = "test conditional independence of columns",
    .description =
        "Tests whether the columns of {x} tell anything about those of {y} that those of "
        "{given} do not. It detects dependence of any common form, not only one that rises "
        "or falls. A small p-value is evidence against independence; a large one does not "
        "prove it. The form describes the strongest sign: rising, falling, U-shaped, hill, "
        "spread, curved, or an interaction with a given column that changes the slope.\n\n"
        "Without {given} the p-value is exact. With it, regressions first remove what the "
        "given columns explain from both sides, and the p-value is only as good as these "
        "regressions (see the page on the criterion). If it is small but what remains of "
        "both sides still depends on the given columns, dependence cannot be told apart from "
        "a poor fit: in JSON, verdict is then \"cannot tell\", and reason says why.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_independent_values),
    .result_size = sizeof(zf_independent_result),
    .run = run,
    .json = json,
    .release = release,
};
