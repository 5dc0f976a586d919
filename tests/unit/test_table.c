/* Tables: what is read, how columns are typed, and what is refused. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "zeroflow/table.h"

static zf_table *table_of(const char *text)
{
    zf_table *table = NULL;
    assert_ok(zf_table_read_memory(&table, "f.csv", text, strlen(text), NULL));
    return table;
}

static void assert_names(const char *text, const char *expected, size_t rows)
{
    char names[256] = "";
    zf_table *table = table_of(text);
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        if (i) strcat(names, "|");
        strcat(names, zf_table_column(table, i)->name);
    }
    assert_string_equal(names, expected);
    assert_int_equal(zf_table_rows(table), rows);
    zf_table_free(table);
}

static void finds_delimiter_and_header(void **state)
{
    (void)state;
    assert_names("a,b\n1,2\n3,4\n", "a|b", 2);
    assert_names("a;b\n1;2\n3;4\n", "a|b", 2);
    assert_names("a\tb\n1\t2\n", "a|b", 1);
    assert_names("a|b\n1|2\n", "a|b", 1);
    assert_names("a b\n1 2\n3  4\n", "a|b", 2);
    assert_names("a;b\n1,5;2,5\n3,5;4,5\n", "a|b", 2);
    assert_names("1,5;2,5\n3,5;4,5\n", "column1|column2", 2);
    assert_names("1,2\n3,4\n", "column1|column2", 2);
    assert_names("\xef\xbb\xbf"
                 "a,b\r\n1,2\r\n",
                 "a|b", 1);
    assert_names("name\nhello world\ngood bye\n", "name", 2);
    assert_names("x\n1\n2\n", "x", 2);
    assert_names("1\n2\n", "column1", 2);
    assert_names(",a\n1,2\n", "column1|a", 1);
    assert_names("x,y\np,q\n", "x|y", 1);
    assert_names("2020-01-01,x\n2020-01-02,y\n", "column1|column2", 2);
    assert_names("id,2020-01-01,2020-01-02\na,1,2\n", "id|2020-01-01|2020-01-02", 1);
    assert_names("\"a,1\";b\n1;2\n", "a,1|b", 1);
    assert_names("a,b;c\n1,2\n3,4\n", "a|b;c", 2);
    assert_names("Gr\xf6\xdf"
                 "e,b\n1,2\n",
                 "Größe|b", 1);
}

static void options_settle_what_is_given(void **state)
{
    (void)state;
    zf_table *table;
    zf_table_options options = zf_table_defaults();
    options.header = ZF_HEADER_YES;
    assert_ok(zf_table_read_memory(&table, "f", "1,2\n3,4\n", 8, &options));
    assert_string_equal(zf_table_column(table, 1)->name, "2");
    assert_int_equal(zf_table_rows(table), 1);
    zf_table_free(table);
    options.header = ZF_HEADER_NO;
    options.delimiter = ';';
    assert_ok(zf_table_read_memory(&table, "f", "a,b\n3,4\n", 8, &options));
    assert_int_equal(zf_table_columns(table), 1);
    assert_int_equal(zf_table_rows(table), 2);
    zf_table_free(table);
    const char *missing[] = {"-9", "none at all"};
    options = zf_table_defaults();
    options.missing = missing;
    options.n_missing = 2;
    assert_ok(zf_table_read_memory(&table, "f", "a,b\n-9,NA\nnone at all,\n1,2\n", 26, &options));
    assert_int_equal(zf_table_column(table, 0)->missing, 2);
    assert_int_equal(zf_table_column(table, 1)->missing, 1);
    assert_int_equal(zf_table_column(table, 1)->type, ZF_COLUMN_TEXT);
    zf_table_free(table);
    options.delimiter = '"';
    assert_fails(zf_table_read_memory(&table, "f", "a", 1, &options), ZF_EINVAL, "delimiter");
    options.delimiter = 0;
    options.missing = NULL;
    assert_fails(zf_table_read_memory(&table, "f", "a", 1, &options), ZF_EINVAL, "no list");
    options.missing = missing;
    missing[1] = NULL;
    assert_fails(zf_table_read_memory(&table, "f", "a", 1, &options), ZF_EINVAL, "number 2");
}

static void types_columns(void **state)
{
    (void)state;
    zf_table *table = table_of(
        "number,integer,binary,truth,category,text,date,empty,mixed,constant,infinite word\n"
        "1.5,1,0,true,a,x,2020-01-01,,1,7,Inf\n"
        "2,-2,1,FALSE,b,y,2020-01-02 10:30:00,NA,2,7,Sup\n"
        "NA,3,1,true,a,z,2020-01-03T10:30:00.123+01:00,?,abc,7,Inf\n"
        "-3e5,4,0,False,b,w,2020/1/4,null,4,7.0,Sup\n");
    static const char *const types[] = {"number",   "integer", "binary",  "binary",
                                        "category", "text",    "date",    "empty",
                                        "text",     "integer", "category"};
    for (size_t i = 0; i < zf_table_columns(table); i++)
        assert_string_equal(zf_column_type_name(zf_table_column(table, i)->type), types[i]);
    const zf_column *number = zf_table_column(table, 0);
    assert_true(number->numeric);
    assert_int_equal(number->missing, 1);
    assert_int_equal(number->distinct, 3);
    assert_true(number->minimum == -3e5 && number->maximum == 2);
    assert_true(fabs(number->mean - (-299996.5 / 3)) < 1e-9);
    assert_true(fabs(number->deviation - 173206.09112003923) < 1e-6);
    assert_string_equal(number->example, "1.5");
    assert_true(zf_table_column(table, 3)->mean == 0.5);
    assert_int_equal(zf_table_column(table, 4)->distinct, 2);
    assert_int_equal(zf_table_column(table, 8)->distinct, 4);
    assert_true(zf_table_column(table, 9)->constant);
    assert_false(zf_table_column(table, 0)->constant);
    assert_int_equal(zf_table_column(table, 7)->missing, 4);
    assert_int_equal(zf_table_find(table, "date"), 6);
    assert_int_equal(zf_table_find(table, "dates"), -1);
    assert_true(zf_table_value(table, 3, 0) == -3e5);
    assert_true(isnan(zf_table_value(table, 2, 0)));
    assert_true(isnan(zf_table_value(table, 0, 4)));
    assert_true(isnan(zf_table_value(table, 4, 0)));
    zf_table_free(table);
}

static void notes_say_what_fit_does(void **state)
{
    (void)state;
    zf_table *table = table_of("a,b,copy,day,flat,word,comma,broken,gap,hole\n"
                               "1,4,1,2020-01-01,3,x,\"1,5\",1,,1\n"
                               "2,3,2,2020-01-02,3,y,\"2,5\",2,,2\n"
                               "4,9,4,2020-01-03,3,x,\"3,5\",-,,\n"
                               "8,1,8,2020-01-04,3,y,\"4,5\",4,1,5\n");
    static const char *const notes[] = {
        "used",
        "used",
        "dropped: same as \"a\"",
        "dropped: date",
        "dropped: constant",
        "dropped: category of 2 values",
        "dropped: text (\"1,5\" on line 2 has a decimal comma; write a point)",
        "dropped: text (\"-\" on line 4 is not a number)",
        "dropped: constant",
        "used; 1 row without a value is dropped",
    };
    assert_string_equal(zf_table_column(table, 0)->note, "");
    assert_ok(zf_table_check(table));
    for (size_t i = 0; i < zf_table_columns(table); i++)
        assert_string_equal(zf_table_column(table, i)->note, notes[i]);
    assert_int_equal(zf_table_column(table, 2)->duplicate_of, 0);
    assert_int_equal(zf_table_complete_rows(table), 3);
    assert_non_null(strstr(zf_table_note(table), "3 complete rows for 3 columns"));
    zf_matrix matrix;
    assert_ok(zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP));
    const double expected[] = {1, 4, 1, 2, 3, 2, 8, 1, 5};
    assert_int_equal(matrix.rows, 3);
    assert_int_equal(matrix.columns, 3);
    assert_int_equal(matrix.dropped, 1);
    assert_memory_equal(matrix.values, expected, sizeof expected);
    assert_int_equal(matrix.row[1], 1);
    assert_int_equal(matrix.row[2], 3);
    zf_matrix_free(&matrix);
    assert_null(matrix.values);
    assert_null(matrix.row);
    zf_table_free(table);
    table = table_of("a,b\n1,\n2,\n3,\n4,\n5,1\n6,2\n");
    assert_ok(zf_table_check(table));
    assert_string_equal(zf_table_column(table, 1)->note, "dropped: 4 of 6 cells are missing");
    assert_int_equal(zf_table_complete_rows(table), 6);
    zf_table_free(table);
}

static void matrix_refuses_with_the_place(void **state)
{
    (void)state;
    zf_matrix matrix;
    zf_table *table =
        table_of("a,AAPL,c,d,e,f,g\n1,2,1,2020-01-01,,1,1\n\n2,n.a.,\"2,5\",2020-01-02,,2e300,\n");
    const size_t columns[] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_fails(
        zf_table_matrix(&matrix, table, columns, 2, ZF_MISSING_DROP), ZF_EINPUT,
        "f.csv:4: column \"AAPL\": expected a number, found \"n.a.\" (use missing to name it)");
    assert_fails(zf_table_matrix(&matrix, table, columns + 2, 1, ZF_MISSING_DROP), ZF_EINPUT,
                 "f.csv:4: column \"c\": expected a number, found \"2,5\" (a decimal comma");
    assert_fails(zf_table_matrix(&matrix, table, columns + 3, 1, ZF_MISSING_DROP), ZF_EINPUT,
                 "f.csv:2: column \"d\": expected a number, found \"2020-01-01\" (a date)");
    assert_fails(zf_table_matrix(&matrix, table, columns + 4, 1, ZF_MISSING_DROP), ZF_EINPUT,
                 "column \"e\": expected numbers, found missing values only");
    assert_fails(zf_table_matrix(&matrix, table, columns + 5, 1, ZF_MISSING_DROP), ZF_EINPUT,
                 "f.csv:4: column \"f\": expected a number up to 1e300, found \"2e300\"");
    assert_fails(zf_table_matrix(&matrix, table, columns + 6, 1, ZF_MISSING_REFUSE), ZF_EINPUT,
                 "f.csv:4: column \"g\": expected a number, found a missing value");
    assert_fails(zf_table_matrix(&matrix, table, columns + 7, 1, ZF_MISSING_DROP), ZF_EINVAL,
                 "column 7 asked for");
    assert_fails(zf_table_matrix(&matrix, table, columns, 0, ZF_MISSING_DROP), ZF_EINVAL, "no col");
    assert_fails(zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP), ZF_EINVAL,
                 "not checked");
    assert_ok(zf_table_matrix(&matrix, table, columns, 1, ZF_MISSING_REFUSE));
    assert_true(matrix.values[1] == 2);
    zf_matrix_free(&matrix);
    zf_table_free(table);
    table = table_of("a,b\n,1\n2,\n");
    assert_fails(zf_table_matrix(&matrix, table, columns, 2, ZF_MISSING_DROP), ZF_EINPUT,
                 "f.csv: every row has a missing value");
    zf_table_free(table);
    table = table_of("a,b\nx,y\np,q\n");
    assert_ok(zf_table_check(table));
    assert_fails(zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP), ZF_EINPUT,
                 "no column can be used");
    zf_table_free(table);
}

static const struct {
    const char *what, *text;
    size_t n; /* 0: up to the NUL */
    const char *message;
} bad_files[] = {
    {"empty", "", 0, "f.csv: empty, expected a table"},
    {"blank", "\n \n\n", 0, "f.csv: empty, expected a table"},
    {"mark only", "\xef\xbb\xbf", 0, "f.csv: empty, expected a table"},
    {"header only", "a,b,c\n", 0, "f.csv: a header with 3 names and no rows"},
    {"short row", "a,b\n1,2\n3\n", 0, "f.csv:3: expected 2 cells as in the first record, found 1"},
    {"long row", "a,b\n1,2\n3,4,5\n", 0,
     "f.csv:3: expected 2 cells as in the first record, found more than 2"},
    {"ragged after quoted lines", "a,b\n\"x\ny\",2\n3\n", 0, "f.csv:4: expected 2 cells"},
    {"ragged without header", "1,2\n3\n", 0, "f.csv:2: expected 2 cells"},
    {"unclosed quote", "a,b\n1,\"2\n3,4\n", 0, "f.csv:2: a quote that is never closed"},
    {"text behind a quote", "a,b\n1,\"2\"3\n", 0, "f.csv:2: text behind a closing quote"},
    {"NUL", "a,b\n1,\0\n", 8, "f.csv:2: a NUL byte"},
    {"1e400", "a,b\n1,2\n3,1e400\n", 0,
     "f.csv:3: column \"b\": expected a finite number, found \"1e400\" (too large)"},
    {"inf", "a,b\n1,inf\n3,4\n", 0,
     "f.csv:2: column \"b\": expected a finite number, found \"inf\""},
    {"-Infinity", "a,b\n1,-Infinity\n3,4\n", 0, "found \"-Infinity\""},
    {"NAN", "a,b\n1,NAN\n3,4\n", 0,
     "f.csv:2: column \"b\": expected a finite number, found \"NAN\" (use missing to name it)"},
    {"names", "a,b,a\n1,2,3\n", 0,
     "f.csv:1: columns 1 and 3 are both named \"a\", expected different names"},
    {"taken name", "column2,\n1,2\n", 0, "f.csv:1: columns 1 and 2 are both named \"column2\""},
    {"UTF-16",
     "\xff\xfe"
     "a\0",
     4, "f.csv: this is UTF-16 text (UTF-8 is read)"},
    {"zip", "PK\3\4abc", 0, "f.csv: this is a zip archive"},
    {"Parquet", "PAR1\x15\0abc", 9, "f.csv: this is a Parquet file"},
    {"IDX", "\0\0\x08\3abc", 7, "f.csv: this is an IDX file"},
    {"NPY cut", "\x93NUMPY", 0, "f.csv: truncated: expected 8 bytes of NPY magic"},
};

static void refuses_bad_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        zf_table *table = NULL;
        size_t n = bad_files[i].n ? bad_files[i].n : strlen(bad_files[i].text);
        print_message("%s\n", bad_files[i].what);
        assert_fails(zf_table_read_memory(&table, "f.csv", bad_files[i].text, n, NULL), ZF_EINPUT,
                     bad_files[i].message);
        assert_null(table);
        assert_null(strchr(zf_error(), '\n'));
        /* The same bytes gzipped in a file give the same complaint. */
        assert_fails(zf_table_read(&table, scratch_gzip("f.csv", bad_files[i].text, n), NULL),
                     ZF_EINPUT, bad_files[i].message);
    }
}

static void hostile_text_is_tamed_in_messages(void **state)
{
    (void)state;
    zf_table *table;
    static const char text[] = "a\033[31m,b\n1,2\n3,4,5\n1,1\n";
    assert_fails(zf_table_read_memory(&table, "f.csv", text, strlen(text), NULL), ZF_EINPUT, ":3:");
    static const char same[] = "\"a\033[31m\nb\",\"a\033[31m\nb\"\n1,2\n";
    assert_fails(zf_table_read_memory(&table, "f.csv", same, strlen(same), NULL), ZF_EINPUT,
                 "\"a?[31m?b\"");
}

static void refuses_what_cannot_be_opened(void **state)
{
    (void)state;
    zf_table *table;
    assert_fails(zf_table_read(&table, scratch_path("missing.csv"), NULL), ZF_EIO,
                 "missing.csv: cannot open: No such file or directory");
    assert_fails(zf_table_read(&table, "/", NULL), ZF_EIO, "folder");
}

static void cut_gzip_is_noticed(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1,2\n3,4\n5,6\n";
    size_t n;
    zf_table *table;
    char *bytes = scratch_read(scratch_gzip("f.csv.gz", text, sizeof text - 1), &n);
    assert_ok(zf_table_read(&table, scratch_path("f.csv.gz"), NULL));
    assert_int_equal(zf_table_rows(table), 3);
    zf_table_free(table);
    for (size_t cut = 2; cut < n; cut++)
        assert_fails(zf_table_read(&table, scratch_write("f.csv.gz", bytes, cut), NULL), ZF_EINPUT,
                     "f.csv.gz: gzip stream is truncated");
    free(bytes);
}

static void reads_npy(void **state)
{
    (void)state;
    static const char *const names[] = {"le_f8.npy", "be_i2.npy", "fortran.npy", "le_f4.npy.gz"};
    for (size_t i = 0; i < 4; i++) {
        zf_table *table;
        assert_ok(zf_table_read(&table, golden_path(names[i]), NULL));
        assert_string_equal(zf_table_format(table), "NPY");
        assert_int_equal(zf_table_rows(table), 3);
        assert_int_equal(zf_table_columns(table), 4);
        assert_string_equal(zf_table_column(table, 3)->name, "column4");
        assert_int_equal(zf_table_column(table, 3)->type, ZF_COLUMN_INTEGER);
        assert_string_equal(zf_table_column(table, 3)->example, "3");
        for (size_t k = 0; k < 12; k++)
            assert_true(zf_table_value(table, k / 4, k % 4) == (double)k);
        zf_table_free(table);
    }
    zf_table *table;
    assert_ok(zf_table_read(&table, golden_path("vector.npy"), NULL));
    assert_int_equal(zf_table_columns(table), 1);
    zf_table_free(table);
    assert_fails(zf_table_read(&table, golden_path("cube_fortran.npy"), NULL), ZF_EINPUT,
                 "an array of 3 dimensions");
    assert_fails(zf_table_read(&table, golden_path("scalar.npy"), NULL), ZF_EINPUT, "0 dimensions");
    assert_fails(zf_table_read(&table, golden_path("empty.npy"), NULL), ZF_EINPUT, "no rows");
    assert_fails(zf_table_read(&table, golden_path("object.npy"), NULL), ZF_EINPUT,
                 "Python objects");
}

static size_t npy_of(char *bytes, const double *values, size_t rows, size_t columns)
{
    int n =
        snprintf(bytes + 10, 118, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }",
                 rows, columns);
    memcpy(bytes, "\x93NUMPY\1\0", 8);
    bytes[8] = (char)n;
    bytes[9] = 0;
    memcpy(bytes + 10 + n, values, rows * columns * sizeof *values);
    return 10 + (size_t)n + rows * columns * sizeof *values;
}

static void npy_values_must_be_finite(void **state)
{
    (void)state;
    char bytes[256];
    zf_table *table;
    zf_table_options options = zf_table_defaults();
    double values[] = {1, 2, 3, (double)NAN, 5, 6};
    size_t n = npy_of(bytes, values, 3, 2);
    assert_ok(zf_table_read_memory(&table, "f.npy", bytes, n, NULL));
    assert_int_equal(zf_table_column(table, 1)->missing, 1);
    zf_matrix matrix;
    assert_fails(zf_table_matrix(&matrix, table, (size_t[]){1}, 1, ZF_MISSING_REFUSE), ZF_EINPUT,
                 "f.npy: column \"column2\": expected a number, found a missing value");
    zf_table_free(table);
    options.n_missing = 0;
    assert_fails(zf_table_read_memory(&table, "f.npy", bytes, n, &options), ZF_EINPUT,
                 "f.npy: row 2, column 2: expected a finite number, found NaN (use missing");
    values[3] = (double)INFINITY;
    n = npy_of(bytes, values, 3, 2);
    assert_fails(zf_table_read_memory(&table, "f.npy", bytes, n, NULL), ZF_EINPUT,
                 "f.npy: row 2, column 2: expected a finite number, found infinity");
    n = npy_of(bytes, values, 3, 0);
    assert_fails(zf_table_read_memory(&table, "f.npy", bytes, n, NULL), ZF_EINPUT,
                 "f.npy: 0 columns, expected 1 to 1000000");
    values[3] = -2e300;
    n = npy_of(bytes, values, 3, 2);
    assert_ok(zf_table_read_memory(&table, "f.npy", bytes, n, NULL));
    assert_fails(zf_table_matrix(&matrix, table, (size_t[]){1}, 1, ZF_MISSING_DROP), ZF_EINPUT,
                 "f.npy: column \"column2\": expected a number up to 1e300, found \"-2e+300\"");
    zf_table_free(table);
}

static void statistics_survive_the_largest_numbers(void **state)
{
    (void)state;
    zf_table *table = table_of("a\n1.7e308\n-1.7e308\n1.7e308\n");
    const zf_column *column = zf_table_column(table, 0);
    assert_true(isfinite(column->mean) && isfinite(column->deviation));
    assert_ok(zf_table_check(table));
    assert_non_null(strstr(column->note, "is above 1e300"));
    zf_table_free(table);
}

/* The k-th column by name, and its cell in a row. */
static void assert_column(const zf_table *table, size_t k, const char *name, size_t row,
                          double value)
{
    assert_string_equal(zf_table_column(table, k)->name, name);
    assert_int_equal(zf_table_find(table, name), (long)k);
    assert_true(zf_table_value(table, row, k) == value);
}

static void keeps_the_columns_asked_for(void **state)
{
    (void)state;
    zf_table *table = table_of("z,a,y,b\n1,2,3,4\n5,6,7,8\n9,1,2,3\n");
    assert_fails(zf_table_keep(table, (size_t[]){1}, 0), ZF_EINVAL, "expected a column to keep");
    assert_fails(zf_table_keep(table, (size_t[]){1, 4}, 2), ZF_EINVAL, "column 5, expected one of");
    assert_int_equal(zf_table_columns(table), 4);
    assert_ok(zf_table_keep(table, (size_t[]){3, 0, 3}, 3)); /* in the file's order, once each */
    assert_int_equal(zf_table_columns(table), 2);
    assert_int_equal(zf_table_rows(table), 3);
    assert_column(table, 0, "z", 2, 9);
    assert_column(table, 1, "b", 1, 8);
    assert_int_equal(zf_table_find(table, "a"), -1);
    assert_ok(zf_table_check(table));
    assert_fails(zf_table_keep(table, (size_t[]){0}, 1), ZF_EINVAL, "was checked");
    zf_table_free(table);
}

/* Rows in several blocks: each is closed up. */
static void keeps_columns_of_many_rows(void **state)
{
    (void)state;
    enum { ROWS = 30000 };
    char *text = malloc((size_t)ROWS * 32);
    size_t n = 0;
    for (int i = 0; i < ROWS; i++)
        n += (size_t)sprintf(text + n, "%d,x%d,%d,%d\n", i, i, -i, 2 * i);
    zf_table *table;
    assert_ok(zf_table_read_memory(&table, "f", text, n, NULL));
    assert_ok(zf_table_keep(table, (size_t[]){2, 3}, 2));
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(zf_table_value(table, i, 0) == -(double)i);
        assert_true(zf_table_value(table, i, 1) == 2 * (double)i);
    }
    zf_table_free(table);
    free(text);
}

static zf_status keep_first(void *context, zf_table *table)
{
    assert_int_equal(zf_table_columns(table), *(size_t *)context);
    return zf_table_keep(table, (size_t[]){0}, 1);
}

static zf_status refuse(void *context, zf_table *table)
{
    (void)context;
    return zf_table_keep(table, (size_t[]){7}, 1);
}

/* What is wrong in a column that is left out is nobody's concern. */
static void chooses_before_it_judges(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1,inf\n2,3\n";
    char bytes[256];
    size_t columns = 2;
    zf_table *table;
    zf_table_options options = zf_table_defaults();
    size_t n = npy_of(bytes, (double[]){1, 2, 3, (double)INFINITY, 5, 6}, 3, 2);
    assert_fails(zf_table_read_memory(&table, "f", text, strlen(text), NULL), ZF_EINPUT, "\"b\"");
    options.choose = keep_first;
    options.choose_context = &columns;
    assert_ok(zf_table_read_memory(&table, "f", text, strlen(text), &options));
    assert_column(table, 0, "a", 1, 2);
    zf_table_free(table);
    assert_ok(zf_table_read_memory(&table, "f.npy", bytes, n, &options));
    assert_column(table, 0, "column1", 2, 5);
    zf_table_free(table);
    options.choose = refuse;
    assert_fails(zf_table_read_memory(&table, "f", text, strlen(text), &options), ZF_EINVAL,
                 "column 8");
}

/* A column of groups leaves the table and goes with the rows of the matrix. */
static void takes_groups_out(void **state)
{
    (void)state;
    static const char text[] = "a,id,b\n1,x,5\n2,7,6\nNA,x,7\n4,x,8\n5,7.0,9\n";
    zf_table_options options = zf_table_defaults();
    zf_table *table = NULL;
    zf_matrix matrix;
    options.groups = "id";
    assert_ok(zf_table_read_memory(&table, "t.csv", text, sizeof text - 1, &options));
    assert_int_equal(zf_table_columns(table), 2);
    assert_int_equal(zf_table_find(table, "id"), -1);
    assert_ok(zf_table_check(table));
    assert_ok(zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP));
    assert_int_equal(matrix.rows, 4);
    assert_true(matrix.groups[0] == matrix.groups[2] && matrix.groups[1] == 7 &&
                matrix.groups[3] == 7 && matrix.groups[0] != 7);
    zf_matrix_free(&matrix);
    zf_table_free(table);
    options.groups = "nobody";
    assert_fails(zf_table_read_memory(&table, "t.csv", text, sizeof text - 1, &options), ZF_EINVAL,
                 "no column \"nobody\"");
    options.groups = "a";
    assert_fails(zf_table_read_memory(&table, "t.csv", text, sizeof text - 1, &options), ZF_EINPUT,
                 "t.csv:4: column \"a\": expected the group of row 3");
    options.groups = "id";
    assert_fails(zf_table_read_memory(&table, "t.csv", "id\n1\n2\n", 7, &options), ZF_EINPUT,
                 "no column other than \"id\"");
}

/* A table of one column, from what a row holds, and what is thought of it. */
static zf_column_role role_of(const char *name, double (*cell)(int row), int rows)
{
    char *text = malloc((size_t)rows * 64 + 64);
    size_t n = (size_t)sprintf(text, "%s,noise\n", name);
    for (int i = 0; i < rows; i++)
        n += (size_t)sprintf(text + n, "%.12g,%g\n", cell(i), sin(i * i));
    zf_table *table;
    zf_table_options options = zf_table_defaults();
    options.header = ZF_HEADER_YES;
    assert_ok(zf_table_read_memory(&table, "f", text, n, &options));
    assert_ok(zf_table_check(table));
    zf_column_role role = zf_table_column(table, 0)->role;
    const char *note = zf_table_column(table, 0)->note;
    assert_true((strstr(note, "likely") != NULL) == (role != ZF_ROLE_MEASURE));
    assert_int_equal(zf_table_column(table, 1)->role, ZF_ROLE_MEASURE);
    zf_table_free(table);
    free(text);
    return role;
}

static double counts_rows(int i)
{
    return 1000 + 3 * i;
}
static double quarters(int i)
{
    return 1950 + 0.25 * i;
}
static double shuffled(int i)
{
    return (i * 37) % 101;
}
static double far_apart(int i)
{
    return 1e7 + (i * 7919.0) * (i * 104729 % 997);
}
static double measured(int i)
{
    return sin(i) * 100;
}
static double age(int i)
{
    return 18 + (i * 31) % 70;
}
static double few(int i)
{
    return (i * 7) % 4;
}
static double postal(int i)
{
    static const int codes[] = {10001, 94105, 60614, 33139, 73301, 98052};
    return codes[(i * 5 + i / 7) % 6];
}
static double thousands(int i)
{
    return 10000 + 1000 * ((i * i) % 71);
}

static void points_out_identifiers_and_codes(void **state)
{
    (void)state;
    assert_int_equal(role_of("x", counts_rows, 100), ZF_ROLE_IDENTIFIER);
    assert_int_equal(role_of("x", counts_rows, 9), ZF_ROLE_MEASURE); /* too few to tell */
    assert_int_equal(role_of("x", quarters, 100), ZF_ROLE_IDENTIFIER);
    assert_int_equal(role_of("x", shuffled, 101), ZF_ROLE_IDENTIFIER);
    assert_int_equal(role_of("x", shuffled, 303), ZF_ROLE_MEASURE); /* each three times */
    /* Large numbers that differ may well be measured, unless the name tells. */
    assert_int_equal(role_of("mass", far_apart, 100), ZF_ROLE_MEASURE);
    assert_int_equal(role_of("patient_id", far_apart, 100), ZF_ROLE_IDENTIFIER);
    assert_int_equal(role_of("PatientId", far_apart, 100), ZF_ROLE_IDENTIFIER);
    assert_int_equal(role_of("humid", far_apart, 100), ZF_ROLE_MEASURE);
    assert_int_equal(role_of("id", measured, 100), ZF_ROLE_MEASURE); /* not whole */
    assert_int_equal(role_of("age", age, 200), ZF_ROLE_MEASURE);
    assert_int_equal(role_of("children", few, 200), ZF_ROLE_MEASURE);
    assert_int_equal(role_of("blood type", few, 200), ZF_ROLE_CODE);
    assert_int_equal(role_of("x", postal, 200), ZF_ROLE_CODE);
    assert_int_equal(role_of("x", thousands, 400), ZF_ROLE_MEASURE);
    assert_string_equal(zf_column_role_name(ZF_ROLE_CODE), "code");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_delimiter_and_header),
        cmocka_unit_test(options_settle_what_is_given),
        cmocka_unit_test(types_columns),
        cmocka_unit_test(notes_say_what_fit_does),
        cmocka_unit_test(matrix_refuses_with_the_place),
        cmocka_unit_test(refuses_bad_files),
        cmocka_unit_test(hostile_text_is_tamed_in_messages),
        cmocka_unit_test(refuses_what_cannot_be_opened),
        cmocka_unit_test(cut_gzip_is_noticed),
        cmocka_unit_test(reads_npy),
        cmocka_unit_test(npy_values_must_be_finite),
        cmocka_unit_test(statistics_survive_the_largest_numbers),
        cmocka_unit_test(keeps_the_columns_asked_for),
        cmocka_unit_test(keeps_columns_of_many_rows),
        cmocka_unit_test(chooses_before_it_judges),
        cmocka_unit_test(takes_groups_out),
        cmocka_unit_test(points_out_identifiers_and_codes),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
