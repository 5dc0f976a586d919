/* What is superfluous in a blanket: what the others tell leaves, one of copies stays, and what is
   needed is not lost. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "evidence/superfluous.h"
#include "kernel/lapack.h"
#include "zeroflow/evidence.h"

static const double LEVEL = 0.01;

static double draw(uint64_t seed, size_t row, size_t column)
{
    zf_random random = zf_random_at(seed, ZF_FOR_DATA, row, (uint32_t)column);
    return (double)zf_random_normal(&random);
}

/* The search among columns 1 to n of column 0's blanket; stretches of `block` rows belong
   together. */
static zf_changes search(const double *values, size_t rows, size_t columns, size_t n, size_t block)
{
    static const int32_t members[] = {1, 2, 3, 4, 5, 6};
    zf_arena arena = {0}, scratch = {0};
    zf_columns both;
    zf_sample sample;
    zf_changes found;
    zf_unit_rows all = zf_unit_rows_of(values, rows, columns), cut = all;
    assert_ok(zf_lapack_open());
    if (block) assert_ok(zf_unit_rows_cut(&cut, &arena, &all, block));
    assert_ok(zf_sample_new(&sample, &arena, &cut));
    assert_ok(zf_columns_new(&both, &arena, 2 * ZF_SHAPES, rows));
    assert_ok(zf_superfluous_find(&found, &sample, 0, members, n, LEVEL, &both, &scratch));
    zf_arena_free(&scratch);
    zf_arena_free(&arena);
    return found;
}

static bool has(const zf_changes *found, int32_t variable)
{
    for (size_t i = 0; i < found->n; i++)
        if (found->list[i].variable == variable) return true;
    return false;
}

/* y = a + b + noise, with a and b correlated, and a column c that goes with a and tells nothing
   more. It may stay by either of two tests at a level of 0.01: in 100 tables at most two on
   average, and 9 or more with a chance of 1e-4. */
static void lets_go_what_tells_nothing_more(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 4, TABLES = 100 };
    double values[ROWS * COLUMNS];
    int stayed = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        for (size_t i = 0; i < ROWS; i++) {
            double *x = values + i * COLUMNS;
            x[1] = draw(seed, i, 1);
            x[2] = 0.5 * x[1] + draw(seed, i, 2);
            x[3] = x[1] + draw(seed, i, 3);
            x[0] = x[1] + x[2] + draw(seed, i, 0);
        }
        zf_changes found = search(values, ROWS, COLUMNS, 3, 0);
        assert_false(has(&found, 1) || has(&found, 2));
        stayed += found.n == 0;
        if (found.n) assert_true(found.list[0].p_value > LEVEL && found.list[0].p_value <= 1);
    }
    assert_true(stayed <= 8);
}

/* The same, but each row four times: told which rows belong together, four copies of c count as
   one; taken for independent, they are needed in far more than 8 tables. */
static void counts_rows_that_belong_together_as_one(void **state)
{
    (void)state;
    enum { UNITS = 150, TIMES = 4, ROWS = UNITS * TIMES, COLUMNS = 4, TABLES = 100 };
    double values[ROWS * COLUMNS];
    int together = 0, alone = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        for (size_t i = 0; i < ROWS; i++) {
            double *x = values + i * COLUMNS;
            for (size_t j = 1; j < COLUMNS; j++) x[j] = draw(seed, i / TIMES, j);
            x[0] = x[1] + x[2] + draw(seed, i / TIMES, 0);
        }
        zf_changes found = search(values, ROWS, COLUMNS, 3, TIMES);
        assert_false(has(&found, 1) || has(&found, 2));
        together += found.n == 0;
        alone += search(values, ROWS, COLUMNS, 3, 0).n == 0;
    }
    assert_true(together <= 8);
    assert_true(alone > 15);
}

/* Four columns that are one: three leave, one after the other, and their p-values do not rise. A
   column that is needed for its square alone, and one for its product with another, stay. */
static void keeps_one_of_copies_and_any_form(void **state)
{
    (void)state;
    enum { ROWS = 400, COLUMNS = 7 };
    double values[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS; i++) {
        double *x = values + i * COLUMNS;
        x[1] = draw(50, i, 1);
        x[2] = x[4] = x[6] = x[1];
        x[3] = draw(50, i, 3);
        x[5] = draw(50, i, 5);
        x[0] = x[1] + x[3] * x[3] + x[1] * x[5] + draw(50, i, 0);
    }
    zf_changes found = search(values, ROWS, COLUMNS, 6, 0);
    assert_int_equal(found.n, 3);
    for (size_t k = 0; k < found.n; k++) {
        assert_true(found.list[k].variable != 3 && found.list[k].variable != 5);
        assert_true(k == 0 || found.list[k].p_value <= found.list[k - 1].p_value);
    }
}

/* One member has no others beside which it could be superfluous, and rows have to be enough. */
static void leaves_small_blankets_and_few_rows_alone(void **state)
{
    (void)state;
    enum { ROWS = 40, COLUMNS = 7 };
    double values[ROWS * COLUMNS];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) values[i * COLUMNS + j] = draw(60, i, j);
    assert_int_equal(search(values, ROWS, COLUMNS, 1, 0).n, 0);
    assert_int_equal(search(values, ROWS, COLUMNS, 6, 0).n, 0);
    assert_int_equal(search(values, ROWS, COLUMNS, 4, 0).n, 3);
}

/* From rows to a blanket: y depends on a and b, and s is their sum with a third column and little
   noise; further columns are functions of these. The search for
   stand-ins, which has simpler regressions, often adds s to the blanket of y, and a pair test now
   and then; without a look back it is in most of these blankets. Nothing that is needed is lost
   with it. */
static void mends_what_pair_tests_leave(void **state)
{
    (void)state;
    enum { ROWS = 2000, COLUMNS = 8, TABLES = 8, Y = 0, A, B, C, S, T, ROUND, SQUARE };
    static const char *const names[] = {"y", "a", "b", "c", "s", "t", "round", "square"};
    double *values = malloc(ROWS * COLUMNS * sizeof *values);
    zf_evidence_options options = zf_evidence_defaults();
    int joined = 0, stayed = 0;
    options.threads = 2;
    assert_non_null(values);
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        for (size_t i = 0; i < ROWS; i++) {
            double *x = values + i * COLUMNS;
            for (size_t j = 0; j < COLUMNS; j++) x[j] = draw(70 + seed, i, j);
            x[Y] = 1.5 * x[A] + x[B] + 1.5 * x[Y];
            x[S] = x[A] + x[B] + x[C] + 0.3 * x[S];
            x[T] = x[B] + x[C] + 0.5 * x[T];
            x[ROUND] = round(x[A] + 0.3 * x[ROUND]);
            x[SQUARE] = x[A] * x[A] + 0.3 * x[SQUARE];
        }
        zf_evidence *evidence = NULL;
        const zf_change *list;
        assert_ok(zf_evidence_test(&evidence, values, ROWS, names, COLUMNS, &options));
        assert_true(zf_evidence_fdr(evidence) == options.fdr);
        bool member = zf_evidence_pair(evidence, Y, S)->q_value <= options.fdr, left = false;
        size_t n = zf_evidence_stand_ins(evidence, Y, &list);
        for (size_t k = 0; k < n; k++)
            member |= list[k].variable == S && list[k].p_value <= zf_change_level(options.fdr);
        n = zf_evidence_superfluous(evidence, Y, &list);
        for (size_t k = 0; k < n; k++) {
            assert_true(list[k].variable != A && list[k].variable != B);
            assert_true(list[k].p_value > zf_change_level(options.fdr));
            left |= list[k].variable == S;
        }
        assert_true(member || !left);
        joined += member;
        stayed += member && !left;
        zf_evidence_free(evidence);
    }
    assert_true(joined >= TABLES / 2);
    assert_true(stayed <= 1);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lets_go_what_tells_nothing_more),
        cmocka_unit_test(counts_rows_that_belong_together_as_one),
        cmocka_unit_test(keeps_one_of_copies_and_any_form),
        cmocka_unit_test(leaves_small_blankets_and_few_rows_alone),
        cmocka_unit_test(mends_what_pair_tests_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
