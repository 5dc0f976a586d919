/* Which unit each row is in: by groups in any order, by blocks, and neither. */
#include "support.h"

#include <math.h>

#include "base/units.h"

static void expect(const double *groups, size_t block, size_t rows, const size_t *expected,
                   size_t units)
{
    size_t unit[16], found = 99;
    assert_ok(zf_units_check(rows, groups, block));
    assert_ok(zf_units_number(unit, &found, rows, groups, block));
    assert_int_equal(found, units);
    for (size_t i = 0; i < rows; i++) assert_int_equal(unit[i], expected[i]);
}

static void groups_are_numbered_by_their_first_rows(void **state)
{
    (void)state;
    const double groups[] = {5, -2, 5, 9.5, -2, 5, 9.5, 0};
    const size_t expected[] = {0, 1, 0, 2, 1, 0, 2, 3};
    expect(groups, 0, 8, expected, 4);
    const double falling[] = {3, 2, 1, 2, 3}, same[] = {7, 7, 7};
    expect(falling, 0, 5, (const size_t[]){0, 1, 2, 1, 0}, 3);
    expect(same, 0, 3, (const size_t[]){0, 0, 0}, 1);
    /* 0 and -0 are one number. */
    expect((const double[]){0.0, 1, -0.0}, 0, 3, (const size_t[]){0, 1, 0}, 2);
}

/* What fills no block belongs to the last one. */
static void blocks_follow_each_other(void **state)
{
    (void)state;
    expect(NULL, 3, 8, (const size_t[]){0, 0, 0, 1, 1, 1, 1, 1}, 2);
    expect(NULL, 4, 8, (const size_t[]){0, 0, 0, 0, 1, 1, 1, 1}, 2);
    expect(NULL, 100, 3, (const size_t[]){0, 0, 0}, 1);
    expect(NULL, 1, 3, (const size_t[]){0, 1, 2}, 3);
    expect(NULL, 0, 3, (const size_t[]){0, 1, 2}, 3);
}

static void refuses(void **state)
{
    (void)state;
    const double groups[] = {1, 2, NAN}, far[] = {1, INFINITY};
    assert_fails(zf_units_check(3, groups, 0), ZF_EINVAL, "row 3: its group is nan");
    assert_fails(zf_units_check(2, far, 0), ZF_EINVAL, "row 2: its group is inf");
    assert_fails(zf_units_check(2, groups, 4), ZF_EINVAL,
                 "groups and blocks cannot be used together");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_numbered_by_their_first_rows),
        cmocka_unit_test(blocks_follow_each_other),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
