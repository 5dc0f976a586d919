/* Large tables: memory within twice the table, many columns, endless lines. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "zeroflow/table.h"

/* Peak resident bytes of a child process that runs the function. */
static long peak_of(int (*run)(const char *), const char *path, int *result)
{
    int status;
    struct rusage usage;
    pid_t child = fork();
    if (child == 0) _exit(run(path));
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status));
    *result = WEXITSTATUS(status);
    return usage.ru_maxrss * 1024;
}

static int do_nothing(const char *path)
{
    return path ? 0 : 1;
}

static int read_and_extract(const char *path)
{
    zf_table *table;
    zf_matrix matrix;
    if (zf_table_read(&table, path, NULL) != ZF_OK) return 1;
    size_t n = zf_table_columns(table), *all = malloc(n * sizeof *all);
    for (size_t i = 0; i < n; i++) all[i] = i;
    if (zf_table_matrix(&matrix, table, all, n, ZF_MISSING_REFUSE) != ZF_OK) return 2;
    zf_matrix_free(&matrix);
    zf_table_free(table);
    free(all);
    return 0;
}

static const char *make_table(const char *name, int rows, int columns)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    uint32_t word = 1;
    for (int j = 0; j < columns; j++) fprintf(file, "%sv%d", j ? "," : "", j);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            word = word * 1664525u + 1013904223u;
            fprintf(file, "%c%u.%u", j ? ',' : '\n', word >> 28, word >> 12 & 0xffff);
        }
    assert_int_equal(fclose(file), 0);
    return path;
}

static void memory_stays_within_twice_the_table(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    print_message("skipped: a sanitizer's own memory would be measured\n");
    skip();
#endif
    static const int shapes[][2] = {{40000, 100}, {100000, 30}, {60, 50000}};
    int result;
    for (size_t i = 0; i < 3; i++) {
        const char *path = make_table("big.csv", shapes[i][0], shapes[i][1]);
        long base = peak_of(do_nothing, path, &result),
             peak = peak_of(read_and_extract, path, &result);
        assert_int_equal(result, 0);
        double table = 8.0 * shapes[i][0] * shapes[i][1];
        /* Of a column, its name and what is known of it are kept besides. */
        double allowed = 2 * table + 4e6 + 500.0 * shapes[i][1];
        print_message("%d x %d: %.1f MB for a table of %.1f MB\n", shapes[i][0], shapes[i][1],
                      (double)(peak - base) / 1e6, table / 1e6);
        assert_true((double)(peak - base) <= allowed);
    }
}

static void hundred_thousand_columns_are_read(void **state)
{
    (void)state;
    zf_table *table;
    assert_ok(zf_table_read(&table, make_table("wide.csv", 3, 100000), NULL));
    assert_int_equal(zf_table_columns(table), 100000);
    assert_int_equal(zf_table_rows(table), 3);
    assert_int_equal(zf_table_find(table, "v99999"), 99999);
    assert_ok(zf_table_check(table));
    zf_table_free(table);
}

/* A pipe that gives the start and then the text again and again, `bytes` in all;
   the writer dies when the reader has had enough. */
static const char *endless(const char *start, const char *text, size_t bytes)
{
    const char *path = scratch_path("line.csv");
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    if (fork() == 0) {
        FILE *file = fopen(path, "wb");
        if (!file) _exit(1);
        fputs(start, file);
        for (size_t n = 0; n < bytes; n += strlen(text)) fputs(text, file);
        fclose(file);
        _exit(0);
    }
    return path;
}

static void a_line_of_100_megabytes_is_refused_early(void **state)
{
    (void)state;
    zf_table *table;
    enum { LINE = 100000000 };
    static const char ten[] = "xxxxxxxxxx", cells[] = "1,2,3,4,5,";
    assert_fails(zf_table_read(&table, endless("a,b\n", ten, LINE), NULL), ZF_EINPUT,
                 "line.csv:2: a cell of more than 1000000 bytes");
    assert_fails(zf_table_read(&table, endless("a,b\n1,\"", ten, LINE), NULL), ZF_EINPUT,
                 "line.csv:2: a cell of more than 1000000 bytes, expected a closing quote");
    assert_fails(zf_table_read(&table, endless("a,b\n", cells, LINE), NULL), ZF_EINPUT,
                 "line.csv:2: expected 2 cells as in the first record, found more than 2");
    assert_fails(zf_table_read(&table, endless("", cells, LINE), NULL), ZF_EINPUT,
                 "line.csv: more than 1000000 columns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_stays_within_twice_the_table),
        cmocka_unit_test(hundred_thousand_columns_are_read),
        cmocka_unit_test(a_line_of_100_megabytes_is_refused_early),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
