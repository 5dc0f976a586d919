/* Labellings: all of them where there are few, drawn ones of the right size and
   without preference where there are many. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/labels.h"

enum { FEW = 8, MANY = 300 };

static void few_rows_have_every_labelling_once(void **state)
{
    (void)state;
    const uint8_t observed[FEW] = {0, 1, 1, 0, 0, 1, 0, 0};
    zf_labels labels;
    assert_ok(zf_labels_new(&labels, observed, FEW, 56, 1));
    assert_true(labels.all);
    assert_int_equal(labels.count, 56);
    bool seen[1 << FEW] = {false};
    for (size_t i = 0; i < labels.count; i++) {
        float label[FEW];
        unsigned bits = 0, n = 0;
        zf_labels_take(&labels, i, 0, FEW, label);
        for (int j = 0; j < FEW; j++) {
            bits |= (unsigned)label[j] << j;
            n += (unsigned)label[j];
            if (i == 0) assert_int_equal(label[j], observed[j]);
        }
        assert_int_equal(n, 3);
        assert_false(seen[bits]);
        seen[bits] = true;
    }
    zf_labels_free(&labels);
    assert_ok(zf_labels_new(&labels, observed, FEW, 55, 1));
    assert_false(labels.all);
    assert_int_equal(labels.count, 56);
    zf_labels_free(&labels);
}

/* Every drawn labelling has as many rows of the second sample, whether it is asked
   for its rows at once or in parts, and every row is as often among them. */
static void many_rows_have_drawn_ones(void **state)
{
    (void)state;
    enum { COUNT = 2000, SECOND = 100 };
    uint8_t observed[MANY] = {0};
    memset(observed, 1, SECOND);
    int often[MANY] = {0};
    zf_labels whole, parts;
    assert_ok(zf_labels_new(&whole, observed, MANY, COUNT, 5));
    assert_ok(zf_labels_new(&parts, observed, MANY, COUNT, 5));
    assert_int_equal(whole.count, COUNT + 1);
    for (size_t i = 0; i < whole.count; i++) {
        float at_once[MANY], in_parts[MANY];
        int n = 0;
        zf_labels_take(&whole, i, 0, MANY, at_once);
        zf_labels_take(&parts, i, 0, 7, in_parts);
        zf_labels_take(&parts, i, 7, 200, in_parts + 7);
        zf_labels_take(&parts, i, 207, MANY - 207, in_parts + 207);
        assert_memory_equal(at_once, in_parts, sizeof at_once);
        for (int j = 0; j < MANY; j++) {
            n += (int)at_once[j];
            if (i > 0) often[j] += (int)at_once[j];
        }
        assert_int_equal(n, SECOND);
    }
    /* A third of 2,000, give or take five deviations of 21. */
    for (int j = 0; j < MANY; j++) assert_true(abs(often[j] - COUNT / 3) < 5 * 22);
    zf_labels_free(&whole);
    zf_labels_free(&parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rows_have_every_labelling_once),
        cmocka_unit_test(many_rows_have_drawn_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
