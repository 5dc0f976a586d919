/* Counting distinct things up to the maximum. */
#include "support.h"

#include <stdio.h>

#include "data/distinct.h"
#include "zeroflow/table.h"

static void counts_up_to_the_maximum(void **state)
{
    (void)state;
    zf_distinct set = {0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3000; i++) {
            assert_ok(zf_distinct_add(&set, zf_hash_number(i % 777)));
            assert_int_equal(set.count, i < 777 ? i + 1 : 777);
        }
        assert_false(zf_distinct_full(&set));
        for (int i = 0; i < 3000; i++) assert_ok(zf_distinct_add(&set, zf_hash_number(i)));
        assert_int_equal(set.count, ZF_TABLE_DISTINCT_MAX);
        assert_true(zf_distinct_full(&set));
        zf_distinct_clear(&set);
        assert_int_equal(set.count, 0);
    }
    zf_distinct_free(&set);
}

static void zero_is_a_hash_like_others(void **state)
{
    (void)state;
    zf_distinct set = {0};
    assert_ok(zf_distinct_add(&set, 0));
    assert_ok(zf_distinct_add(&set, 0));
    assert_ok(zf_distinct_add(&set, 2));
    assert_int_equal(set.count, 2);
    zf_distinct_free(&set);
}

static void hashes_follow_the_value(void **state)
{
    (void)state;
    assert_true(zf_hash_number(0.0) == zf_hash_number(-0.0));
    assert_true(zf_hash_number(1.0) != zf_hash_number(2.0));
    assert_true(zf_hash_text("a", 1) == zf_hash_text("ab", 1));
    assert_true(zf_hash_text("a", 1) != zf_hash_text("a\0", 2));
    zf_distinct set = {0};
    for (int i = 0; i < 900; i++) {
        char text[16];
        int n = snprintf(text, sizeof text, "%d", i);
        assert_ok(zf_distinct_add(&set, zf_hash_text(text, (size_t)n)));
        assert_ok(zf_distinct_add(&set, zf_hash_text(text, (size_t)n)));
    }
    assert_int_equal(set.count, 900);
    zf_distinct_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_up_to_the_maximum),
        cmocka_unit_test(zero_is_a_hash_like_others),
        cmocka_unit_test(hashes_follow_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
