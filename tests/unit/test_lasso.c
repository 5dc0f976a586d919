/* Partial correlations by the lasso: against scikit-learn and NumPy, their level where there is no
   edge, and the edges of a graph; when and how far they are heard, and how that changes a pair's
   p-value. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/normal.h"
#include "evidence/lasso.h"
#include "evidence/result.h"
#include "evidence/signs.h"
#include "kernel/lapack.h"
#include "zeroflow/generate.h"

enum { ROWS = 40, COLUMNS = 6 };

/* Columns of waves, standardised; the first three share one. [COLUMNS, ROWS] */
static void waves(double *columns)
{
    for (int j = 0; j < COLUMNS; j++) {
        double mean = 0, square = 0, *column = columns + (ptrdiff_t)j * ROWS;
        for (int i = 0; i < ROWS; i++) {
            column[i] = sin(1.7 * (i + 1) * (j + 1)) + (j < 3 ? 0.9 * sin(2.3 * (i + 1)) : 0);
            mean += column[i] / ROWS;
        }
        for (int i = 0; i < ROWS; i++) square += (column[i] - mean) * (column[i] - mean) / ROWS;
        for (int i = 0; i < ROWS; i++) column[i] = (column[i] - mean) / sqrt(square);
    }
}

static void correlate(double *to, const double *columns)
{
    for (int a = 0; a < COLUMNS; a++)
        for (int b = 0; b < COLUMNS; b++) {
            double sum = 0;
            for (int i = 0; i < ROWS; i++) sum += columns[a * ROWS + i] * columns[b * ROWS + i];
            to[a * COLUMNS + b] = sum / ROWS;
        }
}

/* scikit-learn's Lasso, with its penalty times the noise that it leaves until both agree. */
static void regresses_as_sklearn_does(void **state)
{
    (void)state;
    static const double wanted[COLUMNS] = {0, 0.1697083438, 0.0643352979};
    double columns[COLUMNS * ROWS], correlation[COLUMNS * COLUMNS], got[COLUMNS], left[COLUMNS];
    waves(columns);
    correlate(correlation, columns);
    zf_lasso_regress(got, left, correlation, COLUMNS, 0, sqrt(2 * log(COLUMNS) / ROWS));
    for (int k = 0; k < COLUMNS; k++) {
        double product = correlation[k];
        for (int l = 0; l < COLUMNS; l++) product -= wanted[l] * correlation[k * COLUMNS + l];
        assert_close(got[k], wanted[k], 1e-6);
        assert_close(left[k], product, 1e-6);
    }
}

/* The same regressions of all columns, residuals correlated by NumPy row by row. */
static void deviations_as_numpy_has_them(void **state)
{
    (void)state;
    static const double wanted[] = {2.6929656555,  2.0386743247,  2.5471318128,  -0.1453454086,
                                    -0.0726060442, -0.1844689794, -0.0833551883, -0.5259609601,
                                    -0.1625361726, 0.0181601767,  -0.6868040738, -0.1537823248,
                                    -0.6098931036, 0.0106734778,  0.2004900973};
    double columns[COLUMNS * ROWS], got[COLUMNS * (COLUMNS - 1) / 2];
    waves(columns);
    assert_ok(zf_lapack_open());
    zf_sample sample = {.rows = ROWS, .variables = COLUMNS};
    sample.lines = (zf_columns){.values = columns, .count = COLUMNS, .rows = ROWS};
    assert_ok(zf_lasso_deviations(got, &sample));
    for (size_t i = 0; i < sizeof got / sizeof *got; i++) assert_close(got[i], wanted[i], 1e-5);
}

static void null_by_the_middle(void **state)
{
    (void)state;
    static const double wide[] = {-2.5, 0.3, -1.9, 1.2, 5, -3, 2.2, 1.4, 0.2, -1.6};
    static const double narrow[] = {0.1, -0.2, 30};
    assert_close(zf_null_deviation(wide, 10), 2.068312261066707, 1e-12);
    assert_close(zf_null_deviation(narrow, 3), 1, 0);
}

/* A table of a known graph as the evidence works on it. */
typedef struct table {
    zf_arena arena;
    zf_sample sample;
    double *values;
    zf_graph *truth;
} table;

static void table_make(table *t, const zf_generate_options *options)
{
    size_t columns = (size_t)options->variables;
    *t = (table){0};
    assert_ok(zf_lapack_open());
    assert_ok(zf_generate(&t->values, &t->truth, NULL, options));
    zf_unit_rows from = zf_unit_rows_of(t->values, options->rows, columns);
    assert_ok(zf_sample_new(&t->sample, &t->arena, &from));
}

static void table_free(table *t)
{
    zf_arena_free(&t->arena);
    zf_graph_free(t->truth);
    free(t->values);
}

enum { TABLES = 30, WIDE = 60, PAIRS = WIDE * (WIDE - 1) / 2 };

/* Shares of pairs without and with an edge that lie more than three deviations from 0. */
static void beyond_three(double *without, double *with, zf_structure structure)
{
    zf_generate_options options = zf_generate_defaults(structure);
    double deviations[PAIRS], edges = 0, found = 0, others = 0, wrong = 0;
    options.variables = options.edges = WIDE;
    options.order = 1;
    options.rows = 100;
    for (options.seed = 0; options.seed < TABLES; options.seed++) {
        table t;
        table_make(&t, &options);
        assert_ok(zf_lasso_deviations(deviations, &t.sample));
        for (size_t a = 1; a < WIDE; a++)
            for (size_t b = 0; b < a; b++) {
                bool edge = zf_graph_score(t.truth, a, b) > 0;
                bool beyond = fabs(deviations[zf_pair_at(a, b)]) > 3;
                edges += edge;
                others += !edge;
                found += edge && beyond;
                wrong += !edge && beyond;
            }
        table_free(&t);
    }
    *without = wrong / others;
    *with = edges > 0 ? found / edges : 0;
}

/* 0.0027 of a normal law, and about 50,000 pairs. */
static void keeps_its_level(void **state)
{
    (void)state;
    double wrong, found;
    beyond_three(&wrong, &found, ZF_INDEPENDENT);
    assert_true(wrong > 0.0018 && wrong < 0.0036);
    beyond_three(&wrong, &found, ZF_RANDOM);
    assert_true(wrong < 0.0036 && found > 0.5);
    beyond_three(&wrong, &found, ZF_CHAIN);
    assert_true(wrong < 0.0036 && found > 0.9);
}

/* Both together are surer than one alone, but never by more than the bound, and never less sure
   than what was found before. */
static void two_voices(void **state)
{
    (void)state;
    zf_sign sign = ZF_SIGN_NONE;
    sign.linear = 3;
    sign.linear_correlation = 0.3;
    zf_sign agreeing = sign, shouting = sign, silent = sign;
    zf_sign_hear(&agreeing, 3, 0.5, ZF_HEAR_WITH_CARE);
    assert_close(agreeing.p_value, zf_normal_two_sided(6 / sqrt(3)) / 0.4, 1e-12);
    assert_close(agreeing.correlation, 0.3, 0);
    zf_sign_hear(&shouting, 30, 0.5, ZF_HEAR_WITH_CARE);
    assert_close(shouting.p_value, zf_normal_two_sided(3) / 30 / 0.4, 1e-12);
    silent.p_value = 0.01;
    silent.x_shape = 2;
    zf_sign_hear(&silent, -3, 0.5, ZF_HEAR_WITH_CARE);
    assert_close(silent.p_value, 0.01, 0);
    assert_int_equal(silent.x_shape, 2);
}

/* Heard fully or beside the rest, it is believed alone. */
static void heard_alone(void **state)
{
    (void)state;
    zf_sign sign = ZF_SIGN_NONE;
    sign.linear = 3;
    zf_sign beside = sign;
    zf_sign_hear(&sign, 5, 0.5, ZF_HEAR_FULLY);
    assert_close(sign.p_value / (zf_normal_two_sided(5) / 0.95), 1, 1e-12);
    zf_sign_hear(&beside, 5, 0.5, ZF_HEAR_BESIDE);
    assert_close(beside.p_value / (zf_normal_two_sided(5) / 0.3), 1, 1e-12);
}

/* The parts of a pair's chance add up to one, with and without the lasso. */
static void shares_add_up(void **state)
{
    (void)state;
    for (zf_hearing h = ZF_HEAR_NOTHING; h <= ZF_HEAR_FULLY; h++) {
        double all = zf_sign_share_lasso(h);
        if (h <= ZF_HEAR_BESIDE) all += ZF_INTERACTIONS * zf_sign_interaction_share(1);
        for (size_t k = 0; k < ZF_SHAPES; k++)
            for (size_t l = 0; l < ZF_SHAPES; l++) all += zf_sign_share(k, l, h);
        assert_close(all, 1, 1e-12);
    }
}

static zf_hearing hearing_of(zf_generate_options options, int variables, size_t rows)
{
    table t;
    options.variables = options.edges = variables;
    options.rows = rows;
    table_make(&t, &options);
    zf_hearing hearing = t.sample.hearing;
    table_free(&t);
    return hearing;
}

/* Lines are told from curves and from spreads, whatever the marginals; noise is a line. */
static void tells_lines_from_curves(void **state)
{
    (void)state;
    zf_generate_options lines = zf_generate_defaults(ZF_RANDOM), sem = zf_generate_defaults(ZF_SEM),
                        none = zf_generate_defaults(ZF_INDEPENDENT);
    for (lines.seed = 0; lines.seed < 3; lines.seed++) {
        sem.seed = none.seed = lines.seed;
        lines.law = lines.seed == 1 ? ZF_NONPARANORMAL : ZF_GAUSSIAN;
        assert_int_equal(hearing_of(lines, 60, 100), ZF_HEAR_FULLY);
        assert_int_equal(hearing_of(none, 60, 100), ZF_HEAR_FULLY);
        sem.mechanism = ZF_SEM_ADDITIVE;
        assert_int_equal(hearing_of(sem, 60, 150), ZF_HEAR_WITH_CARE);
        assert_int_equal(hearing_of(sem, 100, 100), ZF_HEAR_WITH_CARE);
        sem.mechanism = ZF_SEM_SPREAD;
        assert_int_equal(hearing_of(sem, 60, 150), ZF_HEAR_WITH_CARE);
        assert_int_equal(hearing_of(lines, 20, 200), ZF_HEAR_BESIDE);
        assert_int_equal(hearing_of(sem, 20, 200), ZF_HEAR_NOTHING);
        assert_int_equal(hearing_of(lines, 19, 100), ZF_HEAR_NOTHING);
        assert_int_equal(hearing_of(lines, 20, 400), ZF_HEAR_NOTHING);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regresses_as_sklearn_does),
        cmocka_unit_test(deviations_as_numpy_has_them),
        cmocka_unit_test(null_by_the_middle),
        cmocka_unit_test(keeps_its_level),
        cmocka_unit_test(two_voices),
        cmocka_unit_test(heard_alone),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(tells_lines_from_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
