/* What regressions missed: a wave that a basis of straight lines cannot follow shows in what is
   left of a response, noise does not. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "criterion/missed.h"
#include "kernel/lapack.h"

enum { ROWS = 1500, Q = 4 }; /* more than one block */

static void sees_what_is_left(void **state)
{
    (void)state;
    zf_arena arena = {0};
    static double values[ROWS * (Q + 1)], weights[1];
    const int32_t which[] = {0, 1, 2, 3};
    zf_given given = {.plain = Q, .weights = weights};
    zf_columns responses, residuals;
    zf_regression taken;
    draw_normals(values, ROWS * (Q + 1), 11);
    zf_chosen chosen = {values, ROWS, Q + 1, which, Q};
    assert_ok(zf_columns_scores(&given.scores, &arena, &chosen));
    assert_ok(zf_columns_scores(&given.basis, &arena, &chosen));
    assert_ok(zf_columns_orthonormalise(&given.basis, NULL, 1e-8));
    assert_ok(zf_columns_new(&responses, &arena, 2, ROWS));
    assert_ok(zf_columns_new(&residuals, &arena, 2, ROWS));
    for (size_t i = 0; i < ROWS; i++) {
        const double *row = values + i * (Q + 1);
        responses.values[i] = row[0] + row[Q];
        responses.values[ROWS + i] = row[0] + 0.5 * sin(3 * row[0]) + row[Q];
    }
    for (size_t r = 0; r < 2; r++) zf_column_standardise(zf_column_at(&responses, r), ROWS);
    memcpy(residuals.values, responses.values, 2 * ROWS * sizeof *responses.values);
    assert_ok(zf_given_residuals(&given, &residuals, &taken, &arena));
    zf_fitted fitted[2];
    for (size_t r = 0; r < 2; r++)
        fitted[r] = (zf_fitted){zf_column_at(&responses, r), zf_column_at(&residuals, r),
                                zf_column_at(&taken.taken, r)};
    double missed[2];
    assert_ok(zf_missed(missed, &given, fitted, 2, 5));
    assert_true(fabs(missed[0]) < 2.5);
    assert_true(missed[1] > 8);
    zf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sees_what_is_left)};
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
