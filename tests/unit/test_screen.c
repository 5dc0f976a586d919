/* Screening: a product among hundreds of functions is found and nothing else; noise gives nothing;
   what was taken in is orthonormal. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "criterion/screen.h"
#include "kernel/lapack.h"

enum { ROWS = 400, Q = 8, ROOM = 30 };

/* Screens one response, `signal` times the product of columns 2 and 5 beside noise; returns how
   many functions joined, *left its mean square then. */
static size_t screen(double signal, double *left)
{
    zf_arena arena = {0};
    zf_columns scores, response, basis;
    static double values[ROWS * (Q + 1)];
    int32_t which[Q];
    for (int j = 0; j < Q; j++) which[j] = j;
    draw_normals(values, ROWS * (Q + 1), 3);
    zf_chosen chosen = {values, ROWS, Q + 1, which, Q};
    assert_ok(zf_columns_scores(&scores, &arena, &chosen));
    assert_ok(zf_columns_new(&response, &arena, 1, ROWS));
    assert_ok(zf_columns_new(&basis, &arena, ROOM, ROWS));
    for (size_t i = 0; i < ROWS; i++)
        response.values[i] = values[i * (Q + 1) + Q] +
                             signal * zf_column_at(&scores, 2)[i] * zf_column_at(&scores, 5)[i];
    zf_column_standardise(response.values, ROWS);
    basis.count = 0;
    zf_screen_basis to = {basis, ROOM};
    assert_ok(zf_screen(&to, &arena, &scores, &response, ROOM));
    for (size_t a = 0; a < to.columns.count; a++)
        for (size_t b = 0; b <= a; b++)
            assert_close(
                zf_column_dot(zf_column_at(&to.columns, a), zf_column_at(&to.columns, b), ROWS),
                a == b, 1e-9);
    *left = zf_column_dot(response.values, response.values, ROWS) / ROWS;
    size_t count = to.columns.count;
    zf_arena_free(&arena);
    return count;
}

static void finds_what_shows(void **state)
{
    (void)state;
    double left;
    assert_int_equal(screen(0, &left), 0);
    assert_close(left, 1, 1e-12);
    assert_in_range(screen(1, &left), 1, 3);
    assert_close(left, 0.5, 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_shows)};
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
