/* Sliced inverse regression against NumPy, on what it finds and what it cannot. */
#include "support.h"

#include <math.h>

#include "golden.h"
#include "zeroflow/reduce.h"

enum { N = 203, COLUMNS = 6 };

static void agrees_with_numpy(void **state)
{
    (void)state;
    golden *file = golden_open("reduction_peers");
    const double *expected = golden_doubles(file, "scores");
    static double scores[N * 2];
    assert_ok(zf_sliced_inverse(scores, golden_doubles(file, "x"), golden_doubles(file, "inputs"),
                                N, COLUMNS, 2, 10));
    for (int k = 0; k < 2; k++) {
        double sign = scores[k] * expected[k] > 0 ? 1 : -1; /* of an axis: either */
        for (int i = 0; i < N; i++)
            assert_close(sign * scores[2 * i + k], expected[2 * i + k], 1e-4);
    }
    golden_close(file);
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    enum { ROWS = 50 };
    static double x[ROWS], inputs[ROWS * 3], scores[ROWS * 3];
    draw_normals(x, ROWS, 1);
    draw_normals(inputs, ROWS * 3, 2);
    for (int i = 0; i < ROWS; i++) inputs[3 * i + 2] = inputs[3 * i] + inputs[3 * i + 1];
    assert_fails(zf_sliced_inverse(scores, x, inputs, ROWS, 3, 1, 5), ZF_EINPUT,
                 "linear functions of each other");
    assert_fails(zf_sliced_inverse(scores, x, inputs, ROWS, 3, 4, 5), ZF_EINVAL, "1 to 3, found 4");
    assert_fails(zf_sliced_inverse(scores, x, inputs, ROWS, 3, 1, 1), ZF_EINVAL,
                 "2 to 50, found 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_numpy),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
