/* Distance correlation against NumPy, and what it must be where that is known. */
#include "support.h"

#include <string.h>

#include "golden.h"
#include "zeroflow/reduce.h"

static void agrees_with_numpy(void **state)
{
    (void)state;
    golden *file = golden_open("reduction_peers");
    double found;
    assert_ok(zf_distance_correlation(&found, golden_doubles(file, "a"), 3,
                                      golden_doubles(file, "b"), 2, 60));
    assert_close(found, (double)golden_doubles(file, "distance_correlation")[0], 1e-6);
    golden_close(file);
}

/* Moved, turned by a quarter and scaled, a sample has distance correlation 1 with itself;
   with independent points it is small. */
static void is_one_for_a_figure_of_itself(void **state)
{
    (void)state;
    enum { N = 500 };
    static double a[N * 2], b[N * 2], c[N * 2];
    double same, other;
    draw_normals(a, N * 2, 1);
    draw_normals(c, N * 2, 2);
    for (int i = 0; i < N; i++) {
        b[2 * i] = 3 * a[2 * i + 1] + 7;
        b[2 * i + 1] = 1 - 3 * a[2 * i];
    }
    assert_ok(zf_distance_correlation(&same, a, 2, b, 2, N));
    assert_close(same, 1, 1e-6);
    assert_ok(zf_distance_correlation(&other, a, 2, c, 2, N));
    assert_true(other > 0 && other < 0.2);
}

static void refuses_what_has_none(void **state)
{
    (void)state;
    static const double a[] = {1, 2, 3}, flat[] = {5, 5, 5};
    double found = -1;
    assert_fails(zf_distance_correlation(&found, a, 1, a, 1, 1), ZF_EINPUT, "expected at least 2");
    assert_fails(zf_distance_correlation(&found, a, 1, flat, 1, 3), ZF_EINPUT,
                 "points that differ");
    assert_true(found == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_numpy),
        cmocka_unit_test(is_one_for_a_figure_of_itself),
        cmocka_unit_test(refuses_what_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
