/* Columns that are linear functions of others, and columns that only nearly are. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "zeroflow/table.h"

enum { ROWS = 3000, BYTES = 1 << 20 };

/* a and b are drawn; sum = 2a - 3b + 5 rounded to four decimals; near is a with
   noise of a thousandth; c is drawn; total = a + b + c; spoilt is a + b but on
   one row; gap is a - b with missing cells. */
static zf_table *make_table(void)
{
    char *text = malloc(BYTES);
    size_t used = (size_t)sprintf(text, "a,b,sum,near,c,total,spoilt,gap\n");
    zf_random random = zf_random_at(7, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < ROWS; i++) {
        double a = (double)zf_random_normal(&random), b = (double)zf_random_normal(&random);
        double c = (double)zf_random_normal(&random), noise = (double)zf_random_normal(&random);
        used += (size_t)sprintf(text + used, "%.6f,%.6f,%.4f,%.6f,%.6f,%.6f,%.6f,", a, b,
                                2 * a - 3 * b + 5, a + 0.001 * noise, c, a + b + c,
                                a + b + (i == 1234 ? 1 : 0));
        used +=
            (size_t)(i % 7 ? sprintf(text + used, "%.6f\n", a - b) : sprintf(text + used, "\n"));
    }
    zf_table *table;
    assert_ok(zf_table_read_memory(&table, "f.csv", text, used, NULL));
    free(text);
    return table;
}

static void finds_linear_functions(void **state)
{
    (void)state;
    zf_table *table = make_table();
    assert_ok(zf_table_check(table));
    static const struct {
        bool collinear;
        const char *note;
    } expected[] = {
        {false, "used"},
        {false, "used"},
        {true, "used; a linear function of \"a\" and \"b\""},
        {false, "used"},
        {false, "used"},
        {true, "used; a linear function of \"a\", \"b\" and \"c\""},
        {false, "used"},
        {true, "used; 429 rows without a value are dropped; a linear function of \"a\" and \"b\""},
    };
    for (size_t i = 0; i < 8; i++) {
        const zf_column *column = zf_table_column(table, i);
        assert_string_equal(column->note, expected[i].note);
        assert_int_equal(column->collinear, expected[i].collinear);
        assert_true(column->used);
    }
    assert_string_equal(zf_table_note(table), "");
    assert_int_equal(zf_table_complete_rows(table), ROWS - 429);
    zf_table_free(table);
}

/* k columns of which the last is the sum of the others. */
static zf_table *sum_table(int k, int rows)
{
    char *text = malloc((size_t)(rows + 1) * (size_t)(k + 1) * 16);
    size_t used = 0;
    zf_random random = zf_random_at(8, ZF_FOR_TEST, 0, 0);
    for (int j = 0; j < k; j++) used += (size_t)sprintf(text + used, "%sv%d", j ? "," : "", j);
    for (int i = 0; i < rows; i++) {
        long sum = 0;
        for (int j = 0; j < k - 1; j++) {
            int value = (int)zf_random_below(&random, 1000);
            sum += value;
            used += (size_t)sprintf(text + used, "%c%d", j ? ',' : '\n', value);
        }
        used += (size_t)sprintf(text + used, ",%ld", sum);
    }
    zf_table *table;
    assert_ok(zf_table_read_memory(&table, "f.csv", text, used, NULL));
    free(text);
    assert_ok(zf_table_check(table));
    return table;
}

static void many_members_are_counted(void **state)
{
    (void)state;
    zf_table *table = sum_table(60, 200);
    assert_string_equal(zf_table_column(table, 59)->note,
                        "used; a linear function of \"v0\", \"v1\", \"v2\" and 56 more");
    for (size_t i = 0; i < 59; i++) assert_false(zf_table_column(table, i)->collinear);
    zf_table_free(table);
}

static void too_few_rows_or_too_many_columns_are_told(void **state)
{
    (void)state;
    zf_table *table = sum_table(60, 60);
    assert_string_equal(zf_table_note(table),
                        "60 complete rows for 60 columns: too few to test collinearity");
    assert_false(zf_table_column(table, 59)->collinear);
    zf_table_free(table);
    table = sum_table(1001, 4);
    assert_string_equal(zf_table_note(table), "1001 columns: collinearity is tested up to 1000");
    zf_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_linear_functions),
        cmocka_unit_test(many_members_are_counted),
        cmocka_unit_test(too_few_rows_or_too_many_columns_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
