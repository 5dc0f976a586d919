/* The tables that users have: Sachs et al. and the S&P 500, which stand beside
   the project in ../shared/data, or in the folder that ZEROFLOW_DATA names. Where
   they are absent the program ends with SKIPPED, which ctest knows. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "zeroflow/table.h"

enum { SKIPPED = 77 };

static bool absent; /* of what was looked for */

static zf_table *table_at(const char *name)
{
    char path[1024];
    zf_table *table;
    const char *data = getenv("ZEROFLOW_DATA");
    if (data)
        snprintf(path, sizeof path, "%s/%s", data, name);
    else
        snprintf(path, sizeof path, "%s/../../shared/data/%s", ZF_TEST_FOLDER, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: no %s; put the data there to run this test\n", path);
        absent = true;
        skip();
    }
    assert_ok(zf_table_read(&table, path, NULL));
    assert_ok(zf_table_check(table));
    return table;
}

static void assert_type(const zf_table *table, size_t first, size_t last, zf_column_type type)
{
    for (size_t i = first; i <= last; i++) {
        const zf_column *column = zf_table_column(table, i);
        assert_string_equal(zf_column_type_name(column->type), zf_column_type_name(type));
        assert_int_equal(column->missing, 0);
        assert_false(column->constant);
        assert_int_equal(column->duplicate_of, -1);
        assert_false(column->collinear);
    }
}

static void reads_sachs(void **state)
{
    (void)state;
    zf_table *table = table_at("sachs/sachs_obs_853.csv");
    assert_int_equal(zf_table_rows(table), 853);
    assert_int_equal(zf_table_columns(table), 11);
    assert_type(table, 0, 10, ZF_COLUMN_NUMBER);
    assert_int_equal(zf_table_find(table, "jnk"), 10);
    assert_true(zf_table_value(table, 852, 10) == 9.65);
    zf_table_free(table);
    table = table_at("sachs/sachs_7466.csv");
    assert_int_equal(zf_table_rows(table), 7466);
    assert_int_equal(zf_table_columns(table), 12);
    assert_type(table, 0, 10, ZF_COLUMN_NUMBER);
    assert_type(table, 11, 11, ZF_COLUMN_CATEGORY);
    assert_int_equal(zf_table_column(table, 11)->distinct, 9);
    zf_table_free(table);
}

static void reads_prices(void **state)
{
    (void)state;
    zf_table *table = table_at("sp500/prices.csv");
    zf_matrix matrix;
    assert_int_equal(zf_table_rows(table), 253);
    assert_int_equal(zf_table_columns(table), 501);
    assert_type(table, 0, 0, ZF_COLUMN_DATE);
    assert_type(table, 1, 500, ZF_COLUMN_NUMBER);
    assert_string_equal(zf_table_column(table, 0)->note, "dropped: date");
    assert_ok(zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_REFUSE));
    assert_int_equal(matrix.columns, 500);
    assert_true(matrix.values[252 * 500] == 88.37);
    zf_matrix_free(&matrix);
    zf_table_free(table);
}

static void reads_sectors(void **state)
{
    (void)state;
    zf_table *table = table_at("sp500/sectors.csv");
    assert_int_equal(zf_table_rows(table), 500);
    assert_type(table, 0, 1, ZF_COLUMN_TEXT);
    assert_type(table, 2, 3, ZF_COLUMN_CATEGORY);
    assert_type(table, 4, 4, ZF_COLUMN_BINARY);
    assert_int_equal(zf_table_column(table, 2)->distinct, 11);
    zf_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_sachs),
        cmocka_unit_test(reads_prices),
        cmocka_unit_test(reads_sectors),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed == 0 && absent ? SKIPPED : failed;
}
