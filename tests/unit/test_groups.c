/* Rows that belong together: evidence by groups and blocks where plain evidence sees edges that
   are none, edges all the same where there are some, halves that keep groups whole; copies and
   neighbours that are alike are found. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "evidence/rows.h"
#include "zeroflow/evidence.h"

enum { COLUMNS = 6, GROUPS = 60, SIZE = 5, ROWS = GROUPS * SIZE };

static double draw(uint64_t seed, size_t row, size_t column)
{
    zf_random random = zf_random_at(seed, ZF_FOR_DATA, row, (uint32_t)column);
    return (double)zf_random_normal(&random);
}

/* What rows of a group share makes seven tenths of the variance of each column; the columns are
   independent, or a chain a - b - c and others. */
static void grouped(double *values, double *groups, uint64_t seed, bool chain)
{
    for (size_t i = 0; i < ROWS; i++) {
        double *x = values + i * COLUMNS;
        size_t group = i % GROUPS; /* they do not stand together */
        groups[i] = 7 - 3.5 * (double)group;
        for (size_t j = 0; j < COLUMNS; j++)
            x[j] = sqrt(0.7) * draw(seed, group, j) + sqrt(0.3) * draw(seed + 1000, i, j);
        for (size_t j = 1; chain && j < 3; j++) x[j] += x[j - 1];
    }
}

/* Each column remembers the row before it. */
static void in_time(double *values, uint64_t seed, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            values[i * COLUMNS + j] =
                (i ? 0.8 * values[(i - 1) * COLUMNS + j] : 0) + 0.6 * draw(seed, i, j);
}

static int edges(const double *values, size_t rows, const double *groups, size_t block)
{
    zf_evidence_options options = zf_evidence_defaults();
    zf_evidence *evidence = NULL;
    options.threads = 1;
    options.groups = groups;
    options.block = block;
    assert_ok(zf_evidence_test(&evidence, values, rows, NULL, COLUMNS, &options));
    int found = (int)zf_evidence_edges(evidence, 0.1);
    zf_evidence_free(evidence);
    return found;
}

/* At a false discovery rate of 0.1 one table of independent columns in ten may have an edge; 6 of
   20 or more would have a chance of 0.01. */
static void keeps_the_level_in_groups_and_in_time(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], groups[ROWS];
    int plain = 0, by_group = 0, in_row = 0, by_block = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        grouped(values, groups, seed, false);
        plain += edges(values, ROWS, NULL, 0) > 0;
        by_group += edges(values, ROWS, groups, 0) > 0;
        in_time(values, seed, ROWS);
        in_row += edges(values, ROWS, NULL, 0) > 0;
        by_block += edges(values, ROWS, NULL, 10) > 0;
    }
    assert_true(plain >= 10 && in_row >= 10);
    assert_true(by_group <= 5 && by_block <= 6);
}

static void finds_edges_between_groups(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], groups[ROWS];
    int found = 0, other = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        zf_evidence_options options = zf_evidence_defaults();
        zf_evidence *evidence = NULL;
        options.groups = groups;
        grouped(values, groups, seed, true);
        assert_ok(zf_evidence_test(&evidence, values, ROWS, NULL, COLUMNS, &options));
        assert_int_equal(zf_evidence_units(evidence), GROUPS);
        assert_int_equal(zf_evidence_rows(evidence), ROWS);
        int these = (zf_evidence_pair(evidence, 0, 1)->q_value <= 0.1) +
                    (zf_evidence_pair(evidence, 1, 2)->q_value <= 0.1);
        found += these;
        other += (int)zf_evidence_edges(evidence, 0.1) - these;
        zf_evidence_free(evidence);
    }
    assert_true(found >= 8 && other <= 3);
}

/* Groups of one row are rows, to the last bit. */
static void groups_of_one_are_rows(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], groups[ROWS];
    grouped(values, groups, 3, true);
    zf_evidence *plain = NULL, *alone = NULL, *block = NULL;
    zf_evidence_options options = zf_evidence_defaults();
    assert_ok(zf_evidence_test(&plain, values, 90, NULL, COLUMNS, &options));
    for (size_t i = 0; i < 90; i++) groups[i] = -(double)i;
    options.groups = groups;
    assert_ok(zf_evidence_test(&alone, values, 90, NULL, COLUMNS, &options));
    options.groups = NULL;
    options.block = 1;
    assert_ok(zf_evidence_test(&block, values, 90, NULL, COLUMNS, &options));
    for (int a = 1; a < COLUMNS; a++)
        for (int b = 0; b < a; b++) {
            double p = zf_evidence_pair(plain, a, b)->p_value;
            assert_true(p == zf_evidence_pair(alone, a, b)->p_value);
            assert_true(p == zf_evidence_pair(block, a, b)->p_value);
        }
    zf_evidence_free(plain);
    zf_evidence_free(alone);
    zf_evidence_free(block);
}

static void refuses_few_groups(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], groups[ROWS];
    grouped(values, groups, 4, false);
    zf_evidence *evidence = NULL;
    zf_evidence_options options = zf_evidence_defaults();
    size_t units = 0;
    options.block = 11;
    assert_ok(zf_evidence_count(&units, ROWS, &options));
    assert_int_equal(units, 27);
    assert_int_equal(zf_evidence_test(&evidence, values, ROWS, NULL, COLUMNS, &options), ZF_EINPUT);
    assert_non_null(strstr(zf_error(), "27 blocks, expected at least 30"));
    options.groups = groups;
    assert_int_equal(zf_evidence_test(&evidence, values, ROWS, NULL, COLUMNS, &options), ZF_EINVAL);
    options.block = 0;
    assert_ok(zf_evidence_count(&units, ROWS, &options));
    assert_int_equal(units, GROUPS);
    for (size_t i = 0; i < ROWS; i++) groups[i] = (double)(i % 29);
    assert_int_equal(zf_evidence_test(&evidence, values, ROWS, NULL, COLUMNS, &options), ZF_EINPUT);
    assert_non_null(strstr(zf_error(), "29 groups"));
    groups[3] = NAN;
    assert_int_equal(zf_evidence_test(&evidence, values, ROWS, NULL, COLUMNS, &options), ZF_EINVAL);
    assert_null(evidence);
}

/* Rows 0 .. 6 in groups 5, 2, 5, 9, 2, 5, 9. */
static void puts_groups_together_and_halves_them_whole(void **state)
{
    (void)state;
    const double values[] = {0, 1, 2, 3, 4, 5, 6}, groups[] = {5, 2, 5, 9, 2, 5, 9};
    const double expected[] = {0, 2, 5, 1, 4, 3, 6};
    const size_t first[] = {0, 3, 5, 7};
    zf_unit_rows plain = zf_unit_rows_of(values, 7, 1), rows, half, blocks;
    zf_arena arena = {0};
    assert_ok(zf_unit_rows_group(&rows, &arena, &plain, groups));
    assert_int_equal(rows.units, 3);
    assert_memory_equal(rows.values, expected, sizeof expected);
    assert_memory_equal(rows.first, first, sizeof first);
    assert_ok(zf_unit_rows_choose(&half, &arena, &rows, (const unsigned char[]){1, 0, 1}));
    assert_int_equal(half.rows, 5);
    assert_int_equal(half.units, 2);
    assert_true(half.values[2] == 5 && half.values[3] == 3 && half.first[1] == 3);
    assert_ok(zf_unit_rows_cut(&blocks, &arena, &plain, 3));
    assert_int_equal(blocks.units, 2);
    assert_true(blocks.first[1] == 3 && blocks.first[2] == 7);
    /* (0 + 4 + 25)^2 + (1 + 16)^2 + (9 + 36)^2 */
    assert_close(zf_unit_rows_square(rows.first, 3, rows.values, rows.values), 3155, 1e-9);
    zf_arena_free(&arena);
}

static void doubts_copies_and_neighbours(void **state)
{
    (void)state;
    static double values[ROWS * COLUMNS], groups[ROWS];
    zf_row_doubts doubts;
    for (size_t i = 0; i < ROWS * COLUMNS; i++) values[i] = draw(8, i, 0);
    assert_ok(zf_rows_doubt(&doubts, values, ROWS, COLUMNS));
    assert_true(doubts.copies == 0 && doubts.ordered == 0);
    for (size_t copy = 0; copy < 7; copy++)
        memcpy(values + (100 + 3 * copy) * COLUMNS, values + (copy / 2) * COLUMNS,
               COLUMNS * sizeof *values);
    assert_ok(zf_rows_doubt(&doubts, values, ROWS, COLUMNS));
    assert_int_equal(doubts.copies, 7);
    /* Six columns of 0 and 1 have 64 rows at most: that many are equal is no wonder. */
    for (size_t i = 0; i < ROWS * COLUMNS; i++) values[i] = draw(9, i, 0) > 0;
    assert_ok(zf_rows_doubt(&doubts, values, ROWS, COLUMNS));
    assert_int_equal(doubts.copies, 0);
    in_time(values, 10, ROWS);
    assert_ok(zf_rows_doubt(&doubts, values, ROWS, COLUMNS));
    assert_int_equal(doubts.ordered, COLUMNS);
    assert_true(doubts.likeness > 0.6 && doubts.likeness < 0.95);
    assert_true(doubts.block >= 5 && doubts.block <= ROWS / 30);
    grouped(values, groups, 11, false);
    assert_ok(zf_rows_doubt(&doubts, values, ROWS, COLUMNS));
    assert_int_equal(doubts.ordered, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_level_in_groups_and_in_time),
        cmocka_unit_test(finds_edges_between_groups),
        cmocka_unit_test(groups_of_one_are_rows),
        cmocka_unit_test(refuses_few_groups),
        cmocka_unit_test(puts_groups_together_and_halves_them_whole),
        cmocka_unit_test(doubts_copies_and_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
