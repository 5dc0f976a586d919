/* What files are called, by how they begin. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "io/recognise.h"
#include "scratch.h"

static void each_kind_by_its_start(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *what;
    } cases[] = {
        {"", 0, "an empty file"},
        {"a,b\n1,2\n", 0, "a CSV table"},
        {"\xef\xbb\xbf"
         "a;b\n1;2\n",
         0, "a CSV table"},
        {"a\tb\n1\t2\n", 0, "a TSV table"},
        {"PAR1,BZh,%PDF-\n1,2,3\n", 0, "a CSV table"},
        {"source,target,score\na,b,1\n", 0, "a graph as CSV"},
        {"{\"nodes\": [], \"edges\": []}", 0, "a graph as JSON"},
        {"[1, 2]", 0, "JSON"},
        {"\n <!DOCTYPE HTML><p>", 0, "an HTML page"},
        {"<?xml version=\"1.0\"?>\n<graphml>", 0, "a graph as GraphML"},
        {"<?xml version=\"1.0\"?>\n<svg>", 0, "an SVG figure"},
        {"graph {\n}\n", 0, "a graph as DOT"},
        {"graph [\n]\n", 0, "a graph as GML"},
        {"hello\n", 0, "text"},
        {"  \n", 0, "blank text"},
        {"\x93NUMPY\1\0", 8, "an NPY array"},
        {"\x89PNG\r\n\x1a\n", 0, "a PNG image"},
        {"\xff\xd8\xff\xe0", 0, "a JPEG image"},
        {"\0\0\x08\3", 4, "an IDX file of images or labels"},
        {"PK\3\4", 0, "a zip archive (a spreadsheet or NPZ)"},
        {"PAR1\x15\0", 6, "a Parquet file"},
        {"\xff\xfe\x61\0", 4, "UTF-16 text (UTF-8 is read)"},
        {"\2\0\0\0\0\0\0\0{}", 10, "a safetensors file"},
        {"\x30\0\0\0\0\0\0\0{\"__metadata__\":{\"task\":\"blanket\"}}", 44, "a model of blankets"},
        {"\x30\0\0\0\0\0\0\0{\"__metadata__\":{\"task\":\"vision\",\"zeroflow.kind\":"
         "\"checkpoint\"}}",
         72, "a checkpoint of zeroflow pretrain"},
        {"\x01\x02\x03", 0, "of no known kind"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cases[i].n ? cases[i].n : strlen(cases[i].bytes);
        assert_string_equal(zf_recognise(cases[i].bytes, n).what, cases[i].what);
    }
    char tar[512] = "name";
    memcpy(tar + 257, "ustar", 5);
    assert_string_equal(zf_recognise(tar, sizeof tar).what, "a tar archive");
}

/* No length of any start may be read beyond. */
static void cut_anywhere(void **state)
{
    (void)state;
    static const char text[] = "<?xml version=\"1.0\"?>\n<svg>\xe2\x82\xac{\"nodes\"";
    for (size_t n = 0; n <= sizeof text; n++) {
        char *bytes = malloc(n + 1);
        assert_non_null(bytes);
        memcpy(bytes, text, n);
        assert_non_null(zf_recognise(bytes, n).what);
        free(bytes);
    }
}

static void files_that_are_no_models(void **state)
{
    (void)state;
    assert_fails(zf_recognise_model(scratch_text("data.csv", "a,b\n1,2\n"), "a model"), ZF_EINPUT,
                 "data.csv: this is a CSV table, expected a model");
    assert_fails(zf_recognise_model("/", "a model"), ZF_EINPUT, "/: this is a folder, expected");
    static const char cut[] = "\x30\0\0\0\0\0\0\0{\"";
    assert_int_equal(zf_recognise_model(scratch_write("cut", cut, sizeof cut - 1), "a model"),
                     ZF_OK);
    assert_int_equal(zf_recognise_model(scratch_path("absent"), "a model"), ZF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_by_its_start),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(files_that_are_no_models),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
