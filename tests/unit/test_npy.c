/* NPY: files that NumPy wrote, the same bytes as NumPy writes, and files that lie. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/npy.h"
#include "scratch.h"

static const char *const counting[] = {
    "le_f4", "le_f8", "be_f4", "be_f8",   "le_i1",    "le_i2",    "le_i4",    "le_i8",
    "be_i2", "be_i4", "be_i8", "le_u1",   "le_u2",    "le_u4",    "le_u8",    "be_u2",
    "be_u4", "be_u8", "bool",  "fortran", "version1", "version2", "version3", "le_f4.npy.gz"};

static void reads_what_numpy_wrote(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counting / sizeof *counting; i++) {
        char name[64];
        zf_npy array;
        float *values;
        snprintf(name, sizeof name, "%s%s", counting[i], strchr(counting[i], '.') ? "" : ".npy");
        assert_ok(zf_npy_read(&values, &array, golden_path(name)));
        assert_int_equal(array.rank, 2);
        assert_int_equal(array.dim[0], 3);
        assert_int_equal(array.dim[1], 4);
        for (int k = 0; k < 12; k++)
            assert_true(values[k] == (float)(strcmp(counting[i], "bool") == 0 ? k % 2 : k));
        free(values);
    }
}

static void reads_other_ranks(void **state)
{
    (void)state;
    zf_npy array;
    float *values;
    assert_ok(zf_npy_read(&values, &array, golden_path("cube_fortran.npy")));
    assert_int_equal(array.rank, 3);
    for (int i = 0; i < 24; i++) assert_true(values[i] == (float)i);
    free(values);
    assert_ok(zf_npy_read(&values, &array, golden_path("vector.npy")));
    assert_int_equal(array.rank, 1);
    assert_true(values[4] == 4);
    free(values);
    assert_ok(zf_npy_read(&values, &array, golden_path("scalar.npy")));
    assert_int_equal(array.rank, 0);
    assert_true(values[0] == 7);
    free(values);
    assert_ok(zf_npy_read(&values, &array, golden_path("empty.npy")));
    assert_int_equal(array.count, 0);
    free(values);
}

static void assert_same_file(const char *path, const char *golden)
{
    size_t n, expected_n;
    char *bytes = scratch_read(path, &n),
         *expected = scratch_read(golden_path(golden), &expected_n);
    assert_int_equal(n, expected_n);
    assert_memory_equal(bytes, expected, n);
    free(bytes);
    free(expected);
}

static void writes_what_numpy_writes(void **state)
{
    (void)state;
    const char *path = scratch_path("written.npy");
    float f4[12];
    double f8[12], seven = 7;
    int32_t i4[12];
    int64_t i8[12];
    const int64_t dim[] = {3, 4}, five = 5, none[] = {0, 3};
    for (int i = 0; i < 12; i++) f4[i] = (float)(f8[i] = i4[i] = (int32_t)(i8[i] = i));
    assert_ok(zf_npy_write(path, ZF_FLOAT32, 2, dim, f4));
    assert_same_file(path, "le_f4.npy");
    assert_ok(zf_npy_write(path, ZF_FLOAT64, 2, dim, f8));
    assert_same_file(path, "le_f8.npy");
    assert_ok(zf_npy_write(path, ZF_INT32, 2, dim, i4));
    assert_same_file(path, "le_i4.npy");
    assert_ok(zf_npy_write(path, ZF_INT64, 2, dim, i8));
    assert_same_file(path, "le_i8.npy");
    assert_ok(zf_npy_write(path, ZF_INT32, 1, &five, i4));
    assert_same_file(path, "vector.npy");
    assert_ok(zf_npy_write(path, ZF_FLOAT64, 0, NULL, &seven));
    assert_same_file(path, "scalar.npy");
    assert_ok(zf_npy_write(path, ZF_FLOAT32, 2, none, f4));
    assert_same_file(path, "empty.npy");
}

static void writer_refuses_nonsense(void **state)
{
    (void)state;
    const char *path = scratch_path("refused.npy");
    const int64_t dim[] = {-1, 4}, huge[] = {INT64_MAX, INT64_MAX};
    assert_fails(zf_npy_write(path, ZF_UINT8, 1, dim, ""), ZF_EINVAL, "refused.npy");
    assert_fails(zf_npy_write(path, ZF_FLOAT32, 9, dim, ""), ZF_EINVAL, "at most 8");
    assert_fails(zf_npy_write(path, ZF_FLOAT32, 2, dim, ""), ZF_EINVAL, "dimension 0 is -1");
    assert_fails(zf_npy_write(path, ZF_FLOAT32, 2, huge, ""), ZF_EINVAL, "dimension");
    const float single[] = {1, 2, 3, 4, NAN, 6};
    const double wide[] = {1, -INFINITY};
    assert_fails(zf_npy_write(path, ZF_FLOAT32, 3, (int64_t[]){3, 1, 2}, single), ZF_ENUMERIC,
                 "refused.npy: row 3, column 1 is not a number");
    assert_fails(zf_npy_write(path, ZF_FLOAT64, 1, (int64_t[]){2}, wide), ZF_ENUMERIC,
                 "row 2, column 1 is -infinity");
    assert_false(scratch_exists(path));
    assert_fails(zf_npy_write("/dev/full", ZF_FLOAT32, 1, (int64_t[]){1}, "1234"), ZF_EOUTPUT,
                 "No space left");
    static const float many[100000];
    assert_fails(zf_npy_write("/dev/full", ZF_FLOAT32, 1, (int64_t[]){100000}, many), ZF_EOUTPUT,
                 "/dev/full: cannot write: No space left on device");
}

static void longest_header_fits(void **state)
{
    (void)state;
    int64_t dim[8] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
                      INT64_MAX, INT64_MAX, INT64_MAX, 0};
    /* The product overflows before the zero, which the writer refuses; with the
       zero first nothing overflows and the longest text is written. */
    dim[0] = 0;
    dim[7] = INT64_MAX;
    const char *path = scratch_path("long.npy");
    zf_npy array;
    float *values;
    assert_ok(zf_npy_write(path, ZF_FLOAT32, 8, dim, ""));
    assert_ok(zf_npy_read(&values, &array, path));
    assert_int_equal(array.dim[7], INT64_MAX);
    free(values);
}

static void refuses_other_types(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"object.npy", "NPY of Python objects (dtype '|O')"},
        {"string.npy", "NPY of strings (dtype '<U2')"},
        {"fortran_bytes.npy", "NPY of strings (dtype '|S1')"},
        {"record.npy", "NPY of records with named fields"},
        {"complex.npy", "NPY of complex numbers (dtype '<c8')"},
        {"date.npy", "NPY of dates"},
        {"le_f2.npy", "NPY of floating point of another width"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zf_npy array;
        float *values;
        assert_fails(zf_npy_read(&values, &array, golden_path(cases[i][0])), ZF_EINPUT,
                     cases[i][1]);
        assert_non_null(strstr(zf_error(), cases[i][0]));
    }
}

/* Version 1 with this header text, then so many zero bytes. */
static const char *npy_with(const char *header, size_t data)
{
    char bytes[1024] = "\x93NUMPY\x01";
    size_t n = strlen(header);
    bytes[8] = (char)n;
    bytes[9] = (char)(n >> 8);
    memcpy(bytes + 10, header, n);
    memset(bytes + 10 + n, 0, data);
    return scratch_write("bad.npy", bytes, 10 + n + data);
}

#define DICT(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }\n"

static const struct {
    const char *what, *header;
    size_t data;
    const char *message;
} bad_headers[] = {
    {"truncated", DICT("(3,)"), 11, "expected 12 bytes of data at offset 68, found 11"},
    {"longer", DICT("(3,)"), 13, "expected the end at offset 80"},
    {"overflow", DICT("(4294967296, 4294967296)"), 4, "shape overflows"},
    {"bytes overflow", DICT("(4611686018427387904,)"), 4, "shape overflows"},
    {"dimension overflow", DICT("(99999999999999999999,)"), 4, "fits in 63 bits"},
    {"huge", DICT("(1000000000000,)"), 4, "truncated: expected 4000000000000 bytes"},
    {"negative", DICT("(-3,)"), 12, "expected a dimension"},
    {"rank", DICT("(1,1,1,1,1,1,1,1,1)"), 4, "at most 8 dimensions"},
    {"open shape", "{'descr': '<f4', 'fortran_order': False, 'shape': (3", 12, "comma"},
    {"no shape", "{'descr': '<f4', 'fortran_order': False, }", 12,
     "descr, fortran_order and shape"},
    {"key twice", "{'descr': '<f4', 'descr': '<f4', }", 12, "once each"},
    {"other key", "{'pickle': 'x', }", 12, "once each"},
    {"order", "{'fortran_order': 1, }", 12, "True or False"},
    {"not a dict", "[1, 2]", 12, "expected a dict"},
    {"no colon", "{'descr' '<f4'}", 12, "colon"},
    {"open string", "{'descr", 12, "quoted string"},
    {"long string", "{'descr': 'fffffffffffffffffffffffffffffffffffffff'}", 12, "short quoted"},
    {"no comma", "{'descr': '<f4' 'shape': (3,)}", 12, "comma or the end of the dict"},
    {"trailing", "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x", 12, "nothing behind"},
    {"empty", "", 12, "expected a dict"},
    {"empty type", "{'descr': '', 'fortran_order': False, 'shape': (3,)}", 12, "something else"},
};

static void refuses_bad_headers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_headers / sizeof *bad_headers; i++) {
        zf_npy array;
        float *values;
        print_message("%s\n", bad_headers[i].what);
        assert_fails(
            zf_npy_read(&values, &array, npy_with(bad_headers[i].header, bad_headers[i].data)),
            ZF_EINPUT, bad_headers[i].message);
        assert_non_null(strstr(zf_error(), "bad.npy: "));
    }
}

static void refuses_bad_starts(void **state)
{
    (void)state;
    zf_npy array;
    float *values;
    assert_fails(zf_npy_read(&values, &array, scratch_write("bad.npy", "", 0)), ZF_EINPUT,
                 "bad.npy: truncated: expected 8 bytes of NPY magic");
    assert_fails(zf_npy_read(&values, &array, scratch_write("bad.npy", "\x93NUMPZ\1\0\2\0{}", 12)),
                 ZF_EINPUT, "not an NPY file");
    assert_fails(zf_npy_read(&values, &array, scratch_write("bad.npy", "\x93NUMPY\4\0\2\0{}", 12)),
                 ZF_EINPUT, "NPY version 4.0, expected 1, 2 or 3");
    assert_fails(
        zf_npy_read(&values, &array, scratch_write("bad.npy", "\x93NUMPY\1\0\xff\xff{}", 12)),
        ZF_EINPUT, "expected 65535 bytes of header");
    assert_fails(zf_npy_read(&values, &array,
                             scratch_write("bad.npy", "\x93NUMPY\2\0\xff\xff\xff\xff{}", 14)),
                 ZF_EINPUT, "NPY header of 4294967295 bytes");
    assert_fails(zf_npy_read(&values, &array, scratch_path("missing.npy")), ZF_EIO, "cannot open");
    assert_fails(zf_npy_read(&values, &array, "/"), ZF_EIO, "folder");
}

static void every_cut_is_noticed(void **state)
{
    (void)state;
    size_t n;
    char *bytes = scratch_read(golden_path("le_f8.npy"), &n);
    for (size_t cut = 0; cut < n; cut++) {
        zf_npy array;
        float *values;
        assert_fails(zf_npy_read(&values, &array, scratch_write("cut.npy", bytes, cut)), ZF_EINPUT,
                     "truncated");
    }
    free(bytes);
    bytes = scratch_read(golden_path("le_f4.npy.gz"), &n);
    for (size_t cut = 2; cut < n; cut++) {
        zf_npy array;
        float *values;
        assert_int_equal(zf_npy_read(&values, &array, scratch_write("cut.npy.gz", bytes, cut)),
                         ZF_EINPUT);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_numpy_wrote),   cmocka_unit_test(reads_other_ranks),
        cmocka_unit_test(writes_what_numpy_writes), cmocka_unit_test(writer_refuses_nonsense),
        cmocka_unit_test(longest_header_fits),      cmocka_unit_test(refuses_other_types),
        cmocka_unit_test(refuses_bad_headers),      cmocka_unit_test(refuses_bad_starts),
        cmocka_unit_test(every_cut_is_noticed),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
