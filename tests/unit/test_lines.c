/* What straight lines say of pairs: above all classical rankings on linear laws, finite whatever
   the table, the same bits on any number of threads; kept where there are straight lines alone,
   and in files. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evidence/lines.h"
#include "evidence/result.h"
#include "kernel/lapack.h"
#include "zeroflow/baseline.h"
#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"

typedef struct table {
    double *values;
    zf_graph *truth;
    size_t rows, columns;
} table;

static table draw(zf_structure structure, zf_mechanism mechanism, size_t rows, int columns,
                  int edges, uint64_t seed)
{
    table out = {.rows = rows, .columns = (size_t)columns};
    zf_generate_options wish = zf_generate_defaults(structure);
    wish.mechanism = mechanism;
    wish.rows = rows;
    wish.variables = columns;
    wish.edges = edges;
    wish.seed = seed;
    assert_ok(zf_generate(&out.values, &out.truth, NULL, &wish));
    return out;
}

static void drop(table *t)
{
    free(t->values);
    zf_graph_free(t->truth);
}

static zf_evidence *weigh(const table *t, size_t block)
{
    zf_evidence *evidence = NULL;
    zf_evidence_options options = zf_evidence_defaults();
    options.block = block;
    assert_ok(zf_evidence_test(&evidence, t->values, t->rows, NULL, t->columns, &options));
    return evidence;
}

static double auc_of(const zf_graph *scored, const table *t)
{
    zf_accuracy accuracy;
    assert_ok(zf_graph_compare(&accuracy, scored, t->truth));
    double auc = accuracy.auc;
    zf_accuracy_free(&accuracy);
    return auc;
}

/* What lines say of a table, without its tests: [pairs]. */
static double *ask_lines(const table *t, int threads)
{
    zf_unit_rows rows = zf_unit_rows_of(t->values, t->rows, t->columns);
    zf_arena arena = {0};
    zf_sample sample;
    zf_crew *crew = NULL;
    double *odds = malloc(t->columns * (t->columns - 1) / 2 * sizeof *odds);
    assert_non_null(odds);
    assert_ok(zf_lapack_open());
    assert_ok(zf_crew_new(&crew, threads));
    assert_ok(zf_sample_new(&sample, &arena, &rows));
    assert_ok(zf_lines_odds(odds, &sample, crew, NULL, (zf_span){0}));
    zf_crew_free(crew);
    zf_arena_free(&arena);
    return odds;
}

static double auc_of_lines(const double *odds, const table *t)
{
    size_t d = t->columns;
    zf_graph *graph = NULL;
    float *gates = calloc(d * d, sizeof *gates);
    assert_non_null(gates);
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++)
            if (a != b) gates[a * d + b] = (float)(1 / (1 + exp(-odds[zf_pair_at(a, b)] / 100)));
    assert_ok(zf_graph_new(&graph, zf_graph_names(t->truth), d, gates));
    double auc = auc_of(graph, t);
    zf_graph_free(graph);
    free(gates);
    return auc;
}

static double auc_of_baseline(zf_baseline method, const table *t)
{
    zf_graph *graph = NULL;
    zf_baseline_options wish = zf_baseline_defaults(method);
    assert_ok(zf_baseline_run(&graph, NULL, t->values, t->rows, zf_graph_names(t->truth),
                              t->columns, &wish));
    double auc = auc_of(graph, t);
    zf_graph_free(graph);
    return auc;
}

/* 500 rows of 30 variables with 90 arrows: here partial correlations have an AUC of about 0.94,
   the lasso of each on the others 0.95, and this 0.97. */
static void ranks_edges_of_linear_laws(void **state)
{
    (void)state;
    double ours = 0, partial = 0, rank = 0;
    enum { TABLES = 3 };
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        table t = draw(ZF_SEM, ZF_SEM_LINEAR, 500, 30, 90, 900 + seed);
        double *odds = ask_lines(&t, 1);
        ours += auc_of_lines(odds, &t) / TABLES;
        partial += auc_of_baseline(ZF_BASELINE_PARTIAL, &t) / TABLES;
        rank += auc_of_baseline(ZF_BASELINE_RANK, &t) / TABLES;
        free(odds);
        drop(&t);
    }
    assert_true(ours > fmax(partial, rank) + 0.01);
}

/* As many columns as rows, with a copy, and one that is a sum of two. */
static void is_finite_whatever_the_table(void **state)
{
    (void)state;
    table t = draw(ZF_RANDOM, ZF_SEM_LINEAR, 40, 40, 40, 3);
    for (size_t i = 0; i < t.rows; i++) {
        double *row = t.values + i * t.columns;
        row[1] = row[0];
        row[4] = row[2] + row[3];
    }
    double *odds = ask_lines(&t, 1);
    for (size_t i = 0; i < t.columns * (t.columns - 1) / 2; i++) assert_true(isfinite(odds[i]));
    assert_true(odds[zf_pair_at(0, 1)] > 0);
    free(odds);
    drop(&t);
}

static void gives_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    table t = draw(ZF_RANDOM, ZF_SEM_LINEAR, 300, 12, 15, 4);
    double *one = ask_lines(&t, 1), *three = ask_lines(&t, 3);
    assert_memory_equal(one, three, 66 * sizeof *one);
    free(one);
    free(three);
    drop(&t);
}

static void is_silent_of_curves_and_blocks(void **state)
{
    (void)state;
    table curves = draw(ZF_SEM, ZF_SEM_ADDITIVE, 300, 10, 12, 5);
    zf_evidence *evidence = weigh(&curves, 0);
    assert_null(evidence->lines);
    zf_evidence_free(evidence);
    drop(&curves);
    table lines = draw(ZF_RANDOM, ZF_SEM_LINEAR, 300, 6, 6, 4);
    evidence = weigh(&lines, 5);
    assert_null(evidence->lines);
    zf_evidence_free(evidence);
    drop(&lines);
}

static void assert_same_scores(const zf_blanket *a, const zf_blanket *b, size_t d)
{
    zf_graph *first = NULL, *second = NULL;
    assert_ok(zf_blanket_graph(&first, a, 0.1));
    assert_ok(zf_blanket_graph(&second, b, 0.1));
    for (size_t i = 1; i < d; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(zf_graph_score(first, i, j) == zf_graph_score(second, i, j));
    zf_graph_free(first);
    zf_graph_free(second);
}

/* A model that was written and read, and one that shares the evidence, rank as the first does. */
static void is_kept(void **state)
{
    (void)state;
    table t = draw(ZF_RANDOM, ZF_SEM_LINEAR, 300, 6, 6, 6);
    zf_blanket *model = NULL, *other = NULL, *read = NULL;
    char path[] = "/tmp/zeroflow-lines-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    zf_fit_options wish = zf_fit_defaults();
    zf_evidence_options tests = zf_evidence_defaults();
    wish.iterations = 20;
    const char *const *names = zf_graph_names(t.truth);
    assert_ok(zf_blanket_fit(&model, NULL, t.values, t.rows, names, t.columns, &wish));
    assert_ok(zf_blanket_fit(&other, NULL, t.values, t.rows, names, t.columns, &wish));
    assert_ok(zf_blanket_weigh(model, t.values, t.rows, &tests));
    assert_non_null(zf_blanket_evidence(model)->lines);
    assert_ok(zf_blanket_share_evidence(other, model));
    assert_same_scores(other, model, t.columns);
    assert_ok(zf_blanket_save(model, path));
    assert_ok(zf_blanket_load(&read, path));
    assert_memory_equal(zf_blanket_evidence(read)->lines, zf_blanket_evidence(model)->lines,
                        15 * sizeof(double));
    assert_same_scores(read, model, t.columns);
    zf_blanket_free(model);
    zf_blanket_free(other);
    zf_blanket_free(read);
    unlink(path);
    drop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_edges_of_linear_laws),
        cmocka_unit_test(is_finite_whatever_the_table),
        cmocka_unit_test(gives_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(is_silent_of_curves_and_blocks),
        cmocka_unit_test(is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
