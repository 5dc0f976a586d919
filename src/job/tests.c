#include "job/tests.h"

#include <stdlib.h>

#include "job/answer.h"
#include "job/outputs.h"

enum { LONG_COLUMNS = 60 }; /* with fewer it takes a few seconds, of which nothing is told */

static const zf_option arguments[] = {
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_tests_values, data), .help = ZF_TABLE_HELP},
    {"TARGET...", .type = ZF_OPTION_LIST, ZF_FIELD(zf_tests_values, target),
     .help = "Columns to test: names; each is tested against all others."},
    {NULL},
};

static const zf_option options[] = {
    {"fdr", .type = ZF_OPTION_REAL, .placeholder = "Q", ZF_FIELD(zf_tests_values, fdr),
     .fallback = "0.1", .least = 1e-9, .most = 0.999999999,
     .help = "Expected share of false ones among the columns found, for each target."},
    {"csv", ZF_FIELD(zf_tests_values, csv),
     .help = "Write CSV instead of text: target,column,p_value,q_value,effect,form,decided,alone."},
    {"output", 'o', ZF_OPTION_OUTPUT, "FILE", ZF_FIELD(zf_tests_values, output),
     .otherwise = "standard output", .help = "File to write the CSV to."},
    ZF_GUARD_ROW(zf_tests_values, guard),
    {"plot", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE", ZF_FIELD(zf_tests_values, plot),
     .help = "Draw the result as .svg or .png: the columns with their q-values and, for up to six "
             "that are found, the pair after what other columns explain is removed."},
    ZF_UNIT_ROWS(zf_tests_values, units, ""),
    ZF_VARIABLE_ROWS(zf_tests_values, variables),
    {NULL},
};

static void defaults(void *values)
{
    ((zf_tests_values *)values)->units.blocks = ZF_AUTO;
}

const zf_target_test *zf_tests_of(const zf_tests_result *found, int target)
{
    return found->tests + (size_t)target * found->others;
}

const char *zf_tests_name(const zf_tests_result *found, int32_t column)
{
    return column >= 0 ? found->variables.names[column] : NULL;
}

/* --- the targets ---------------------------------------------------------------------- */

/* The place in the matrix of a column of the table. ZF_EINPUT: it cannot be used. */
static zf_status find_place(int32_t *place, const zf_table *table, const char *path, int32_t column)
{
    const zf_column *target = zf_table_column(table, (size_t)column);
    *place = 0;
    if (!target->used)
        return zf_fail(ZF_EINPUT, "%s: column \"%s\" cannot be a target: %s", path, target->name,
                       target->note);
    for (int32_t i = 0; i < column; i++) *place += zf_table_column(table, (size_t)i)->used;
    return ZF_OK;
}

static zf_status find_targets(zf_tests_result *found, const zf_tests_values *values)
{
    const zf_table *table = found->variables.table;
    zf_names names = zf_table_names(table, values->data);
    int32_t *targets;
    ZF_TRY(zf_find_names(&found->targets, &found->n_targets, &names, &values->target, "TARGET"));
    targets = found->targets;
    for (int k = 0; k < found->n_targets; k++)
        for (int i = 0; i < k; i++)
            if (targets[i] == targets[k])
                return zf_fail(ZF_EINVAL, "target \"%s\" is named twice",
                               names.name(names.of, targets[k]));
    if (values->plot && found->n_targets > ZF_FINDINGS_MOST)
        return zf_fail(ZF_EINVAL, "{plot} works with up to %d targets, found %d", ZF_FINDINGS_MOST,
                       found->n_targets);
    for (int k = 0; k < found->n_targets; k++)
        ZF_TRY(find_place(&targets[k], table, values->data, targets[k]));
    return ZF_OK;
}

/* --- the tests ------------------------------------------------------------------------ */

static zf_evidence_options understand(const zf_tests_result *found, const zf_tests_values *values,
                                      const zf_run *run)
{
    zf_evidence_options wish = zf_evidence_defaults();
    wish.threads = run->threads;
    wish.groups = found->variables.matrix.groups;
    wish.block = zf_units_block(&values->units);
    return wish;
}

static void decide(zf_tests_result *found, double fdr)
{
    for (int k = 0; k < found->n_targets; k++) {
        const zf_target_test *tests = zf_tests_of(found, k);
        size_t *n = &found->decided[k];
        while (*n < found->others && tests[*n].found.q_value <= fdr) ++*n;
    }
}

static zf_status test(zf_tests_result *found, const zf_tests_values *values,
                      const zf_evidence_options *given, const zf_run *run)
{
    const zf_matrix *matrix = &found->variables.matrix;
    zf_evidence_options wish = *given;
    size_t n_targets = (size_t)found->n_targets;
    found->others = matrix->columns - 1;
    ZF_TRY(zf_evidence_count(&found->units, matrix->rows, &wish));
    found->tests = malloc(n_targets * found->others * sizeof *found->tests);
    found->decided = calloc(n_targets, sizeof *found->decided);
    if (!found->tests || !found->decided)
        return zf_fail_memory(n_targets * found->others * sizeof *found->tests);
    zf_stage(run, "Testing");
    if (matrix->columns > LONG_COLUMNS) wish.report = run->report;
    zf_status status =
        zf_evidence_test_targets(found->tests, matrix->values, matrix->rows, found->variables.names,
                                 matrix->columns, found->targets, n_targets, &wish);
    if (status == ZF_EINPUT) return zf_fail_within(status, "%s: ", values->data);
    if (status == ZF_EINTERRUPT) found->others = 0; /* of which there are tests */
    if (status == ZF_OK) decide(found, values->fdr);
    return status;
}

static zf_status write_csv(zf_tests_result *found, const zf_tests_values *values)
{
    const char *const *names = found->variables.names;
    size_t n = (size_t)found->n_targets * found->others;
    if (!zf_document_stays(values->output))
        return zf_target_tests_write(values->output, found->tests, n, names, values->fdr,
                                     values->guard);
    if (!values->csv && !values->output) return ZF_OK;
    return zf_target_tests_encode(&found->csv.bytes, &found->csv.n, found->tests, n, names,
                                  values->fdr, values->guard);
}

static zf_status check_options(const zf_tests_values *values)
{
    const char *path = values->output;
    if (values->guard && !values->csv && !path)
        return zf_fail(ZF_EINVAL, "{guard-formulas} applies to CSV: add {csv} or {output} FILE");
    if (path && zf_output_is_figure(path))
        return zf_fail(ZF_EINVAL, "option {output}: expected a name for CSV, found \"%s\"", path);
    ZF_TRY(zf_output_check_figure(values->plot, "plot"));
    return zf_units_refuse_both(&values->units);
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_tests_values *values = given;
    zf_tests_result *found = result;
    ZF_TRY(check_options(values));
    ZF_TRY(zf_read_variables(&found->variables, run, &values->variables, values->units.groups,
                             values->data));
    ZF_TRY(find_targets(found, values));
    zf_variables_doubt(&found->variables, run);
    ZF_TRY(zf_units_doubt(run, &values->units, &found->variables.matrix, true));
    zf_evidence_options wish = understand(found, values, run);
    ZF_TRY(test(found, values, &wish, run));
    if (values->plot) ZF_TRY(zf_tests_draw(found, values, &wish));
    return write_csv(found, values);
}

/* --- JSON ----------------------------------------------------------------------------- */

static json_t *test_json(const zf_tests_result *all, const zf_target_test *t, double fdr)
{
    const zf_pair_evidence *found = &t->found;
    return json_pack("{s:o s:o s:o s:o s:s s:o s:o s:b s:o}", "column",
                     zf_answer_text(zf_tests_name(all, t->column)), "p_value",
                     zf_answer_number(found->p_value), "q_value", zf_answer_number(found->q_value),
                     "effect", zf_answer_number(found->effect), "form", zf_form_name(found->form),
                     "third", zf_answer_text(zf_tests_name(all, found->third)), "bent",
                     zf_answer_text(zf_tests_name(all, found->curved)), "decided",
                     found->q_value <= fdr, "alone", zf_answer_number(t->alone));
}

static json_t *targets_json(const zf_tests_result *found, double fdr)
{
    json_t *targets = json_array();
    for (int k = 0; k < found->n_targets; k++) {
        json_t *tests = json_array();
        for (size_t i = 0; i < found->others; i++)
            zf_answer_add(tests, test_json(found, &zf_tests_of(found, k)[i], fdr));
        zf_answer_add(targets,
                      json_pack("{s:o s:o s:o}", "target",
                                zf_answer_text(zf_tests_name(found, found->targets[k])), "decided",
                                zf_answer_count(found->decided[k]), "tests", tests));
    }
    return targets;
}

static json_t *json(const void *result, const void *given)
{
    const zf_tests_values *values = given;
    const zf_tests_result *found = result;
    const zf_matrix *matrix = &found->variables.matrix;
    return json_pack(
        "{s:o s:o s:o s:o s:o s:o s:o s:o}", "rows_used", zf_answer_count(matrix->rows), "units",
        zf_answer_count(found->units), "rows_dropped", zf_answer_count(matrix->dropped),
        "columns_used", zf_answer_count(matrix->columns), "dropped",
        zf_variables_dropped(&found->variables), "fdr", zf_answer_number(values->fdr), "plot",
        zf_answer_text(values->plot), "targets", targets_json(found, values->fdr));
}

static const char *document(const void *result, size_t *n)
{
    const zf_tests_result *found = result;
    *n = found->csv.n;
    return found->csv.bytes;
}

static void release(void *result)
{
    zf_tests_result *found = result;
    zf_variables_free(&found->variables);
    free(found->targets);
    free(found->tests);
    free(found->decided);
    free(found->csv.bytes);
}

const zf_job zf_job_tests = {
    .name = "tests",
    .summary = "test a column against every other, given the rest",
    .description =
        "Tests for each target which other columns still tell something about it when "
        "everything else that matters is known. The columns are listed by p-value, with the "
        "q-value (the expected share of false ones among this one and all stronger ones, for "
        "this target), the correlation behind the strongest sign of dependence, and its "
        "form: rising, falling, U-shaped, hill, spread, curved, or an interaction with a "
        "third column. \"alone\" is the correlation of the two by themselves: where both it "
        "and the p-value are large, other columns carry the same information.\n\n"
        "These are the tests by which zeroflow fit decides on edges; no model is needed.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_tests_values),
    .defaults = defaults,
    .result_size = sizeof(zf_tests_result),
    .run = run,
    .json = json,
    .document = document,
    .release = release,
};
