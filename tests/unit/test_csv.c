/* CSV cut into cells: every text is also fed byte by byte and in twos and
   threes, which must give the same cells. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/csv.h"

/* Cells as text: <cell> with its line, / at the end of a record. */
typedef struct trace {
    char text[4096];
    size_t used;
} trace;

static zf_status on_cell(void *context, const char *text, size_t n, uint64_t line)
{
    trace *out = context;
    out->used += (size_t)snprintf(out->text + out->used, sizeof out->text - out->used, "<%.*s>%d",
                                  (int)n, text, (int)line);
    return ZF_OK;
}

static zf_status on_record(void *context, uint64_t line)
{
    trace *out = context;
    (void)line;
    out->used += (size_t)snprintf(out->text + out->used, sizeof out->text - out->used, "/");
    return ZF_OK;
}

static zf_status parse(trace *out, const char *text, size_t n, char delimiter, size_t piece)
{
    zf_csv csv;
    zf_status status = ZF_OK;
    *out = (trace){.used = 0};
    zf_csv_start(&csv, "f.csv", delimiter, (zf_csv_sink){on_cell, on_record, out});
    for (size_t i = 0; i < n && status == ZF_OK; i += piece)
        status = zf_csv_feed(&csv, text + i, n - i < piece ? n - i : piece);
    if (status == ZF_OK) status = zf_csv_finish(&csv);
    zf_csv_free(&csv);
    return status;
}

static void assert_cells(const char *text, char delimiter, const char *expected)
{
    trace out;
    size_t pieces[] = {1000, 1, 2, 3, 5};
    for (size_t i = 0; i < 5; i++) {
        assert_ok(parse(&out, text, strlen(text), delimiter, pieces[i]));
        assert_string_equal(out.text, expected);
    }
}

static void cuts_plain_cells(void **state)
{
    (void)state;
    assert_cells("a,b\n1,2\n", ',', "<a>1<b>1/<1>2<2>2/");
    assert_cells("a,b\n1,2", ',', "<a>1<b>1/<1>2<2>2/");
    assert_cells("a,,\n,\n", ',', "<a>1<>1<>1/<>2<>2/");
    assert_cells(",", ',', "<>1<>1/");
    assert_cells("a;b\tc\n", ';', "<a>1<b\tc>1/");
    assert_cells("a\tb \t c\n", '\t', "<a>1<b>1<c>1/");
    assert_cells("", ',', "");
    assert_cells("\n\n", ',', "");
    assert_cells("long enough to be cut,by every piece\n", ',',
                 "<long enough to be cut>1<by every piece>1/");
}

static void knows_all_line_ends(void **state)
{
    (void)state;
    assert_cells("a,b\r\n1,2\r\n", ',', "<a>1<b>1/<1>2<2>2/");
    assert_cells("a,b\r1,2\r", ',', "<a>1<b>1/<1>2<2>2/");
    assert_cells("a\n\n  \nb\n", ',', "<a>1/<b>4/");
    assert_cells("a\r\n\r\nb\r\n", ',', "<a>1/<b>3/");
    assert_cells("a,\r\nb,\r\n", ',', "<a>1<>1/<b>2<>2/");
}

static void understands_quotes(void **state)
{
    (void)state;
    assert_cells("\"a,b\",\"c\"\"d\"\n", ',', "<a,b>1<c\"d>1/");
    assert_cells("\"a\nb\",c\nd,e\n", ',', "<a\nb>1<c>2/<d>3<e>3/");
    assert_cells("\"a\r\nb\",c\r\nd,e\r\n", ',', "<a\r\nb>1<c>2/<d>3<e>3/");
    assert_cells("\"\",\"\"\"\"\n", ',', "<>1<\">1/");
    assert_cells(" \"a\" , \" b \"\n", ',', "<a>1< b >1/");
    assert_cells("5\" pipe,b\n", ',', "<5\" pipe>1<b>1/");
    assert_cells("\"a\"", ',', "<a>1/");
    assert_cells("\"a\" ", ',', "<a>1/");
    assert_cells("\"\"\nb\n", ',', "<>1/<b>2/");
}

static void runs_of_spaces_are_one_delimiter(void **state)
{
    (void)state;
    assert_cells("  a   b\n 1 2 \n\n3\t4\n", ' ', "<a>1<b>1/<1>2<2>2/<3\t4>4/");
    assert_cells("\"a b\" c\n", ' ', "<a b>1<c>1/");
    assert_cells("a ", ' ', "<a>1/");
}

static void names_faults_by_line(void **state)
{
    (void)state;
    trace out;
    for (size_t piece = 1; piece < 40; piece += 6) {
        assert_fails(parse(&out, "a\n\"b\nc\n", 7, ',', piece), ZF_EINPUT,
                     "f.csv:2: a quote that is never closed");
        assert_fails(parse(&out, "a\n\n\"b\"c\n", 9, ',', piece), ZF_EINPUT,
                     "f.csv:3: text behind a closing quote");
        assert_fails(parse(&out, "a\nb\0c\n", 6, ',', piece), ZF_EINPUT, "f.csv:2: a NUL byte");
        assert_fails(parse(&out, "\0", 1, ',', piece), ZF_EINPUT, "f.csv:1: a NUL byte");
        assert_fails(parse(&out, "\"a\n\0\"", 5, ',', piece), ZF_EINPUT, "f.csv:2: a NUL byte");
        assert_fails(parse(&out, "\"a\"\0", 4, ',', piece), ZF_EINPUT, "f.csv:1:");
    }
}

static void refuses_endless_cells(void **state)
{
    (void)state;
    zf_csv csv;
    trace out = {.used = 0};
    char piece[10000];
    memset(piece, 'x', sizeof piece);
    for (int quoted = 0; quoted < 2; quoted++) {
        zf_status status = ZF_OK;
        zf_csv_start(&csv, "f.csv", ',', (zf_csv_sink){on_cell, on_record, &out});
        assert_ok(zf_csv_feed(&csv, quoted ? "\n\"" : "\n", quoted ? 2 : 1));
        int fed = 0;
        while (status == ZF_OK && fed++ < 1000) status = zf_csv_feed(&csv, piece, sizeof piece);
        assert_fails(status, ZF_EINPUT, "f.csv:2: a cell of more than 1000000 bytes");
        assert_true(fed <= 101);
        zf_csv_free(&csv);
    }
}

static zf_status refuse_cell(void *context, const char *text, size_t n, uint64_t line)
{
    (void)context, (void)text, (void)n, (void)line;
    return zf_fail(ZF_EINVAL, "enough");
}

static void the_sink_can_stop_it(void **state)
{
    (void)state;
    zf_csv csv;
    zf_csv_start(&csv, "f.csv", ',', (zf_csv_sink){refuse_cell, on_record, NULL});
    assert_fails(zf_csv_feed(&csv, "a,b\n", 4), ZF_EINVAL, "enough");
    zf_csv_free(&csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_plain_cells),     cmocka_unit_test(knows_all_line_ends),
        cmocka_unit_test(understands_quotes),   cmocka_unit_test(runs_of_spaces_are_one_delimiter),
        cmocka_unit_test(names_faults_by_line), cmocka_unit_test(refuses_endless_cells),
        cmocka_unit_test(the_sink_can_stop_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
