/* IDX: hand-made files of every type, and files that lie. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "io/idx.h"
#include "scratch.h"

#define FILE_OF(name, literal) scratch_write(name, literal, sizeof(literal) - 1)

static void reads_every_type(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        zf_element type;
        float expected[2];
    } cases[] = {
        {"\0\0\x08\1\0\0\0\2\xff\1", 10, ZF_UINT8, {255, 1}},
        {"\0\0\x09\1\0\0\0\2\xff\1", 10, ZF_INT8, {-1, 1}},
        {"\0\0\x0b\1\0\0\0\2\xff\xfe\1\0", 12, ZF_INT16, {-2, 256}},
        {"\0\0\x0c\1\0\0\0\2\xff\xff\xff\xfd\0\1\0\0", 16, ZF_INT32, {-3, 65536}},
        {"\0\0\x0d\1\0\0\0\2\x3f\x80\0\0\xc0\x20\0\0", 16, ZF_FLOAT32, {1, -2.5f}},
        {"\0\0\x0e\1\0\0\0\2\x3f\xf0\0\0\0\0\0\0\xc0\x04\0\0\0\0\0\0", 24, ZF_FLOAT64, {1, -2.5f}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zf_idx array;
        float *values;
        assert_ok(zf_idx_read(&values, &array, scratch_write("a.idx", cases[i].bytes, cases[i].n)));
        assert_int_equal(array.type, cases[i].type);
        assert_int_equal(array.rank, 1);
        assert_int_equal(array.dim[0], 2);
        assert_memory_equal(values, cases[i].expected, sizeof cases[i].expected);
        free(values);
    }
}

static void reads_images_gzipped(void **state)
{
    (void)state;
    enum { N = 5 * 28 * 28 };
    unsigned char bytes[16 + N] = {0, 0, 8, 3, 0, 0, 0, 5, 0, 0, 0, 28, 0, 0, 0, 28};
    for (int i = 0; i < N; i++) bytes[16 + i] = (unsigned char)(i * 13);
    zf_idx array;
    uint8_t *pixels;
    assert_ok(zf_idx_read_bytes(&pixels, &array, scratch_gzip("images.gz", bytes, sizeof bytes)));
    assert_int_equal(array.rank, 3);
    assert_int_equal(array.dim[0], 5);
    assert_int_equal(array.dim[2], 28);
    assert_memory_equal(pixels, bytes + 16, N);
    free(pixels);
    float *values;
    assert_ok(zf_idx_read(&values, &array, scratch_path("images.gz")));
    assert_true(values[N - 1] == (float)bytes[16 + N - 1]);
    free(values);
}

static const struct {
    const char *what, *bytes;
    size_t n;
    const char *message;
} bad_files[] = {
    {"empty", "", 0, "expected 4 bytes of IDX magic"},
    {"magic", "\1\0\x08\1\0\0\0\1x", 9, "not an IDX file"},
    {"type", "\0\0\x0a\1\0\0\0\1x", 9, "not an IDX file"},
    {"rank 0", "\0\0\x08\0", 4, "IDX of 0 dimensions, expected 1 to 8"},
    {"rank 9", "\0\0\x08\x09", 4, "IDX of 9 dimensions"},
    {"no dimensions", "\0\0\x08\2\0\0\0\1\0", 9, "IDX dimensions"},
    {"overflow", "\0\0\x0e\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16,
     "dimensions overflow"},
    {"truncated", "\0\0\x08\1\0\0\0\3ab", 10, "expected 3 bytes of data at offset 8, found 2"},
    {"longer", "\0\0\x08\1\0\0\0\1ab", 10, "expected the end at offset 9"},
};

static void refuses_bad_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        zf_idx array;
        float *values;
        uint8_t *bytes;
        const char *path = scratch_write("bad.idx", bad_files[i].bytes, bad_files[i].n);
        print_message("%s\n", bad_files[i].what);
        assert_fails(zf_idx_read(&values, &array, path), ZF_EINPUT, bad_files[i].message);
        assert_fails(zf_idx_read_bytes(&bytes, &array, path), ZF_EINPUT, bad_files[i].message);
        assert_non_null(strstr(zf_error(), "bad.idx: "));
    }
}

static void refuses_the_wrong_kind(void **state)
{
    (void)state;
    zf_idx array;
    uint8_t *bytes;
    float *values;
    assert_fails(zf_idx_read_bytes(&bytes, &array, FILE_OF("a.idx", "\0\0\x09\1\0\0\0\1a")),
                 ZF_EINPUT, "unsigned bytes");
    assert_fails(zf_idx_read(&values, &array, scratch_path("missing")), ZF_EIO, "cannot open");
    assert_fails(zf_idx_read_bytes(&bytes, &array, scratch_path("missing")), ZF_EIO, "cannot open");
    /* A gzip of a few bytes cannot unfold to what this one promises. */
    assert_fails(
        zf_idx_read(&values, &array, scratch_gzip("lie.gz", "\0\0\x08\1\x7f\xff\xff\xffxx", 10)),
        ZF_EINPUT, "expected 2147483647 bytes of data at offset 8, found at most");
}

static void recognises_itself(void **state)
{
    (void)state;
    assert_true(zf_idx_recognise((const unsigned char *)"\0\0\x08\3", 4));
    assert_false(zf_idx_recognise((const unsigned char *)"\0\0\x08", 3));
    assert_false(zf_idx_recognise((const unsigned char *)"abcd", 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type),  cmocka_unit_test(reads_images_gzipped),
        cmocka_unit_test(refuses_bad_files), cmocka_unit_test(refuses_the_wrong_kind),
        cmocka_unit_test(recognises_itself),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
