/* Tables that are written and read again, and where they go. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/csv_write.h"
#include "scratch.h"
#include "zeroflow/table.h"

static const char *const names[] = {"plain", "a,b;c\td|e", " \"q\" ", "line\nend"};
enum { ROWS = 50, COLUMNS = 4 };

static void test_comes_back(void **state)
{
    (void)state;
    static const char *const files[] = {"a.csv", "a.tsv", "a.npy", "a.txt"};
    static const char *const formats[] = {"CSV", "TSV", "NPY", "CSV"};
    float values[ROWS * COLUMNS];
    fill_normal(values, ROWS * COLUMNS, 8);
    values[3] = 1e-30f;
    values[7] = -3e30f;
    zf_numbers numbers = {.floats = values, .rows = ROWS, .columns = COLUMNS, .names = names};
    for (int i = 0; i < 4; i++) {
        zf_table *table = NULL;
        assert_ok(zf_table_write(scratch_path(files[i]), &numbers));
        assert_ok(zf_table_read(&table, scratch_path(files[i]), NULL));
        assert_string_equal(zf_table_format(table), formats[i]);
        assert_int_equal(zf_table_rows(table), ROWS);
        assert_int_equal(zf_table_columns(table), COLUMNS);
        for (size_t k = 0; k < ROWS * COLUMNS; k++)
            assert_true((float)zf_table_value(table, k / COLUMNS, k % COLUMNS) == values[k]);
        for (size_t k = 0; i != 2 && k < COLUMNS; k++)
            assert_string_equal(zf_table_column(table, k)->name, names[k]);
        zf_table_free(table);
    }
    scratch_clear();
}

static void test_doubles(void **state)
{
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, -2e300, 0};
    zf_numbers numbers = {.doubles = values, .rows = 2, .columns = 2};
    char *text = NULL;
    size_t n;
    assert_ok(zf_table_encode(&text, &n, &numbers));
    assert_string_equal(text, "0.1,0.3333333333333333\n-2e+300,0\n");
    assert_int_equal(n, strlen(text));
    free(text);
    zf_table *table = NULL;
    assert_ok(zf_table_write(scratch_path("d.npy"), &numbers));
    assert_ok(zf_table_read(&table, scratch_path("d.npy"), NULL));
    for (size_t k = 0; k < 4; k++) assert_true(zf_table_value(table, k / 2, k % 2) == values[k]);
    zf_table_free(table);
    scratch_clear();
}

static void test_refuses(void **state)
{
    (void)state;
    static const float values[] = {1, 2};
    zf_numbers numbers = {.floats = values, .rows = 1, .columns = 2};
    assert_fails(zf_table_write(scratch_path("a.csv.gz"), &numbers), ZF_EINVAL,
                 "gzip is read but not");
    assert_fails(zf_table_write("/dev/full", &numbers), ZF_EOUTPUT, "/dev/full: cannot write");
    assert_fails(zf_table_write(scratch_path("no/a.csv"), &numbers), ZF_EIO, "no/a.csv");
    assert_int_equal(scratch_count(), 0);
}

static void test_not_finite(void **state)
{
    (void)state;
    static const char *const files[] = {"a.csv", "a.tsv", "a.npy"};
    float values[ROWS * COLUMNS];
    double doubles[ROWS * COLUMNS];
    fill_normal(values, ROWS * COLUMNS, 8);
    for (int i = 0; i < ROWS * COLUMNS; i++) doubles[i] = values[i];
    values[6 * COLUMNS + 2] = NAN;
    doubles[ROWS * COLUMNS - 1] = INFINITY;
    zf_numbers single = {.floats = values, .rows = ROWS, .columns = COLUMNS, .names = names};
    zf_numbers wide = {.doubles = doubles, .rows = ROWS, .columns = COLUMNS};
    char *text = NULL;
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        assert_fails(zf_table_write(scratch_path(files[i]), &single), ZF_ENUMERIC,
                     ": row 7, column \" \"q\" \" is not a number, expected a finite number");
        assert_fails(zf_table_write(scratch_path(files[i]), &wide), ZF_ENUMERIC,
                     ": row 50, column 4 is infinity");
    }
    assert_fails(zf_table_encode(&text, &n, &single), ZF_ENUMERIC, "row 7, column");
    assert_null(text);
    assert_int_equal(scratch_count(), 0);
}

/* "-" writes to descriptor 1, wherever that leads. */
static void test_standard_output(void **state)
{
    (void)state;
    static const float values[] = {1, 2.5f};
    zf_numbers numbers = {.floats = values, .rows = 1, .columns = 2};
    const char *path = scratch_path("out");
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    dup2(fileno(to), STDOUT_FILENO);
    zf_status status = zf_table_write("-", &numbers);
    fclose(to);
    to = fopen("/dev/full", "w");
    dup2(fileno(to), STDOUT_FILENO);
    zf_status full = zf_table_write("-", &numbers);
    dup2(before, STDOUT_FILENO);
    close(before);
    fclose(to);
    assert_fails(full, ZF_EOUTPUT, "cannot write to standard output: No space left");
    assert_ok(status);
    size_t n;
    char *text = scratch_read(path, &n);
    assert_string_equal(text, "1,2.5\n");
    free(text);
    scratch_clear();
}

static void test_cells(void **state)
{
    (void)state;
    static const struct {
        const char *text, *cell;
    } cases[] = {
        {"a", "a"},
        {"", "\"\""},
        {"a b", "a b"},
        {" a", "\" a\""},
        {"a\t", "\"a\t\""},
        {"\"", "\"\"\"\""},
        {"a\"b\"c", "\"a\"\"b\"\"c\""},
        {"a:b", "\"a:b\""},
        {"a\r", "\"a\r\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zf_sink sink;
        char *text;
        size_t n;
        zf_sink_open_memory(&sink);
        zf_csv_write_cell(&sink, cases[i].text, ':');
        assert_ok(zf_sink_take(&sink, &text, &n));
        assert_string_equal(text, cases[i].cell);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_back),      cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_refuses),         cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_standard_output), cmocka_unit_test(test_cells),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
