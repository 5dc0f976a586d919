/* The kinds of cells. */
#include "support.h"

#include <string.h>

#include "data/cell.h"

static zf_cell_kind kind_of(const char *text)
{
    double value = 42;
    zf_table_options options = zf_table_defaults();
    zf_cell_kind kind = zf_cell_classify(text, strlen(text), &options, &value);
    assert_true((value != 42) == (kind == ZF_CELL_NUMBER || kind == ZF_CELL_WORD));
    return kind;
}

static void assert_all(zf_cell_kind kind, const char *const *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (kind_of(cells[i]) != kind) print_error("%s is %d\n", cells[i], (int)kind_of(cells[i]));
        assert_int_equal(kind_of(cells[i]), kind);
    }
}

#define ALL(kind, ...)                                                                             \
    assert_all((kind), (const char *const[]){__VA_ARGS__},                                         \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void kinds_are_told_apart(void **state)
{
    (void)state;
    ALL(ZF_CELL_MISSING, "", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "?", ".");
    ALL(ZF_CELL_NUMBER, "1", "-1.5e3", ".5", "20200630");
    ALL(ZF_CELL_UNFINITE, "inf", "-Infinity", "NAN", "1e400");
    ALL(ZF_CELL_WORD, "true", "True", "TRUE", "false", "False", "FALSE");
    ALL(ZF_CELL_TEXT, "x", "na", "none", "yes", "tRUE", "1,5", "1 2", "12:30", "#");
}

static void dates_have_many_forms(void **state)
{
    (void)state;
    ALL(ZF_CELL_DATE, "2020-06-30", "2020/6/30", "2020.06.30", "30.06.2020", "06/30/2020",
        "6/30/2020", "30-06-2020", "2020-06-30 10:30", "2020-06-30T10:30:00",
        "2020-06-30T10:30:00Z", "2020-06-30T10:30:00.123+01:00", "2020-06-30 9:05:00-0500",
        "30.06.2020 23:59:60");
    ALL(ZF_CELL_TEXT, "2020-06-31x", "2020-13-13", "2020-06-32", "2020-00-01", "2020-06-00",
        "2020-06/30", "20-06-30", "2020-06", "202-06-30", "123-45-6789", "2020-06-30T",
        "2020-06-30 10", "2020-06-30 10:3", "2020-06-30 25:00", "2020-06-30 10:60",
        "2020-06-30 10:30:99", "2020-06-30x10:30", "2020-06-30T10:30+", "2020-06-30T10:30+1",
        "12345-1-1", "1.2.3.4.5");
}

static void decimal_commas_are_recognised(void **state)
{
    (void)state;
    static const char *const yes[] = {"1,5", "-1,5e3", ",5", "1.234,56", "1.234.567,8"};
    static const char *const no[] = {"1.5", "1,234,567", "a,b", "1,2.3.4", ",", ""};
    for (size_t i = 0; i < 5; i++) assert_true(zf_cell_is_decimal_comma(yes[i], strlen(yes[i])));
    for (size_t i = 0; i < 6; i++) assert_false(zf_cell_is_decimal_comma(no[i], strlen(no[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(dates_have_many_forms),
        cmocka_unit_test(decimal_commas_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
