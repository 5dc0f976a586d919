/* Columns: by hand, and what a basis must be. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "criterion/columns.h"
#include "kernel/lapack.h"

enum { ROWS = 101, COUNT = 7 };

static zf_columns random_columns(zf_arena *arena, size_t count, uint32_t key)
{
    zf_columns out;
    double values[ROWS * COUNT];
    assert_ok(zf_columns_new(&out, arena, count, ROWS));
    draw_normals(values, count * ROWS, key);
    for (size_t i = 0; i < count * ROWS; i++) out.values[i] = (double)values[i];
    return out;
}

static void standardises_by_hand(void **state)
{
    (void)state;
    double column[] = {1, 3, 1, 3}, constant[] = {0.1, 0.1, 0.1};
    assert_true(zf_column_standardise(column, 4));
    const double expected[] = {-1, 1, -1, 1};
    for (int i = 0; i < 4; i++) assert_close(column[i], expected[i], 1e-15);
    assert_false(zf_column_standardise(constant, 3));
    for (int i = 0; i < 3; i++) assert_close(constant[i], 0, 0);
}

static void scores_are_those_of_the_ranks(void **state)
{
    (void)state;
    zf_arena arena = {0};
    zf_columns scores, raw;
    /* Column 1 of two; ranks 3, 1, 4, 2: shares .625, .125, .875, .375 of the normal law,
       of variance (1.15035^2 + 0.31864^2) / 2. */
    const double values[] = {9, 5, 9, -1, 9, 100, 9, 2};
    const int32_t which[] = {1};
    zf_chosen chosen = {values, 4, 2, which, 1};
    assert_ok(zf_columns_scores(&scores, &arena, &chosen));
    double size = sqrt(
        (1.1503493803760079 * 1.1503493803760079 + 0.31863936396437514 * 0.31863936396437514) / 2);
    assert_close(scores.values[0], 0.31863936396437514 / size, 1e-7);
    assert_close(scores.values[1], -1.1503493803760079 / size, 1e-7);
    assert_close(scores.values[2], 1.1503493803760079 / size, 1e-7);
    assert_ok(zf_columns_raw(&raw, &arena, &chosen));
    assert_close(raw.values[2], 1.7298, 1e-3); /* NumPy: (100 - 26.5) / std */
    zf_arena_free(&arena);
}

static void shapes_are_standardised_functions(void **state)
{
    (void)state;
    zf_arena arena = {0};
    zf_columns scores = random_columns(&arena, 2, 1), shapes;
    for (size_t c = 0; c < 2; c++) zf_column_standardise(zf_column_at(&scores, c), ROWS);
    assert_ok(zf_columns_shapes(&shapes, &arena, &scores));
    assert_int_equal(shapes.count, 2 * ZF_SHAPES);
    for (size_t k = 0; k < shapes.count; k++) {
        const double *shape = zf_column_at(&shapes, k);
        assert_close(zf_column_dot(shape, shape, ROWS), ROWS, 1e-9);
    }
    /* The second shape of the second column is its square but for place and scale. */
    const double *score = zf_column_at(&scores, 1), *square = zf_column_at(&shapes, ZF_SHAPES + 1);
    double slope = (square[3] - square[8]) / (score[3] * score[3] - score[8] * score[8]);
    for (size_t i = 0; i < ROWS; i++)
        assert_close(square[i] - square[0], slope * (score[i] * score[i] - score[0] * score[0]),
                     1e-9);
    zf_arena_free(&arena);
}

static void basis_is_orthonormal_and_spans(void **state)
{
    (void)state;
    zf_arena arena = {0};
    zf_columns columns = random_columns(&arena, COUNT, 2), same = random_columns(&arena, COUNT, 2);
    double weights[COUNT];
    /* The last column is a sum of two others: one direction less. */
    for (size_t i = 0; i < ROWS; i++)
        zf_column_at(&columns, COUNT - 1)[i] = zf_column_at(&same, COUNT - 1)[i] =
            zf_column_at(&same, 0)[i] - 2 * zf_column_at(&same, 1)[i];
    assert_ok(zf_columns_orthonormalise(&columns, weights, 1e-9));
    assert_int_equal(columns.count, COUNT - 1);
    for (size_t a = 0; a < columns.count; a++)
        for (size_t b = 0; b < columns.count; b++)
            assert_close(zf_column_dot(zf_column_at(&columns, a), zf_column_at(&columns, b), ROWS),
                         a == b, 1e-10);
    /* The mean squares add up to those of the columns. */
    double sum = 0, all = zf_column_dot(same.values, same.values, COUNT * ROWS) / ROWS;
    for (size_t a = 0; a < columns.count; a++) sum += weights[a];
    assert_close(sum, all, 1e-9);
    assert_ok(zf_columns_project_out(&same, &columns));
    for (size_t i = 0; i < COUNT * ROWS; i++) assert_close(same.values[i], 0, 1e-10);
    zf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standardises_by_hand),
        cmocka_unit_test(scores_are_those_of_the_ranks),
        cmocka_unit_test(shapes_are_standardised_functions),
        cmocka_unit_test(basis_is_orthonormal_and_spans),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
