/* Finding what is not finite, and telling where. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/finite.h"

/* Any one place of any length, and the first of two. */
static void the_first_is_found(void **state)
{
    (void)state;
    enum { MOST = 9000 };
    static const size_t places[] = {0, 1, 7, 15, 16, 4095, 4096, 4097, 8191, 8192, MOST - 1};
    static const double strange[] = {NAN, -NAN, INFINITY, -INFINITY};
    float *floats = malloc(MOST * sizeof *floats);
    double *doubles = malloc(MOST * sizeof *doubles);
    assert_non_null(floats);
    assert_non_null(doubles);
    for (size_t i = 0; i < MOST; i++) {
        floats[i] = i % 3 == 0 ? FLT_MAX : i % 3 == 1 ? -FLT_TRUE_MIN : -0.0f;
        doubles[i] = i % 3 == 0 ? -DBL_MAX : i % 3 == 1 ? DBL_TRUE_MIN : 0;
    }
    assert_int_equal(zf_finite_floats(floats, MOST), MOST);
    assert_int_equal(zf_finite_doubles(doubles, MOST), MOST);
    assert_int_equal(zf_finite_floats(NULL, 0), 0);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t s = 0; s < 4; s++) {
            size_t at = places[p];
            float kept = floats[at];
            double exact = doubles[at];
            floats[at] = (float)strange[s];
            doubles[at] = strange[s];
            assert_int_equal(zf_finite_floats(floats, MOST), at);
            assert_int_equal(zf_finite_doubles(doubles, MOST), at);
            assert_int_equal(zf_finite_floats(floats, at), at);
            floats[at] = kept;
            doubles[at] = exact;
        }
    floats[5000] = floats[8500] = NAN;
    assert_int_equal(zf_finite_floats(floats, MOST), 5000);
    free(floats);
    free(doubles);
}

static void the_place_is_named(void **state)
{
    (void)state;
    const float floats[] = {1, 2, 3, 4, NAN, 6};
    const double doubles[] = {1, INFINITY, 3, -INFINITY};
    const char *const names[] = {"a", "b"};
    assert_fails(
        zf_finite_check("codes.csv", &(zf_grid){.floats = floats, .rows = 3, .columns = 2}),
        ZF_ENUMERIC, "codes.csv: row 3, column 1 is not a number, expected a finite");
    assert_fails(zf_finite_check(NULL, &(zf_grid){.floats = floats,
                                                  .rows = 3,
                                                  .columns = 2,
                                                  .names = names,
                                                  .row = "image",
                                                  .column = "feature",
                                                  .before = 10}),
                 ZF_ENUMERIC, "image 13, feature \"a\" is not a number");
    zf_grid grid = {.doubles = doubles, .rows = 2, .columns = 2, .names = names};
    assert_fails(zf_finite_check(NULL, &grid), ZF_ENUMERIC, "row 1, column \"b\" is infinity");
    grid.doubles = doubles + 2;
    grid.rows = 1;
    assert_fails(zf_finite_check(NULL, &grid), ZF_ENUMERIC, "column \"b\" is -infinity");
    assert_ok(zf_finite_check("x", &(zf_grid){.floats = floats, .rows = 2, .columns = 2}));
    assert_ok(zf_finite_check("x", &(zf_grid){.floats = floats, .rows = 0, .columns = 2}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_found),
        cmocka_unit_test(the_place_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
