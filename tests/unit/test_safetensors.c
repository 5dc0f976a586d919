/* safetensors: the same bytes as the format's definition gives in Python, and
   a table of files that lie. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/safetensors.h"
#include "scratch.h"

static const float weight[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const float bias[3] = {0.5f, -1.5f, 3.25e-8f};
static const float step = 41;
static const zf_tensor tensors[] = {
    {"layer.weight", 2, {3, 4}, weight, false},
    {"layer.bias", 1, {3}, bias, false},
    {"step", 0, {0}, &step, false},
    {"none", 2, {0, 3}, weight, false},
};
static const zf_metadata metadata[] = {
    {"name", "Größe \"q\"\n"}, {"format", "1"}, {"features", "[\"a\",\"b\"]"}};

static void writes_the_reference_bytes(void **state)
{
    (void)state;
    const char *path = scratch_path("written.safetensors");
    assert_ok(zf_safetensors_write(path, tensors, 4, metadata, 3));
    size_t n, expected_n;
    char *bytes = scratch_read(path, &n);
    char *expected = scratch_read(golden_path("model.safetensors"), &expected_n);
    assert_int_equal(n, expected_n);
    assert_memory_equal(bytes, expected, n);
    free(bytes);
    free(expected);
}

static void reads_the_reference(void **state)
{
    (void)state;
    zf_safetensors *file;
    float values[12];
    assert_ok(zf_safetensors_open(&file, golden_path("model.safetensors")));
    assert_int_equal(zf_safetensors_count(file), 4);
    assert_string_equal(zf_safetensors_tensor(file, 0)->name, "layer.weight");
    assert_string_equal(zf_safetensors_metadata(file, "name"), metadata[0].value);
    assert_null(zf_safetensors_metadata(file, "absent"));
    assert_null(zf_safetensors_find(file, "absent"));
    const zf_tensor *found = zf_safetensors_find(file, "layer.weight");
    assert_int_equal(found->rank, 2);
    assert_int_equal(found->dim[1], 4);
    assert_int_equal(zf_tensor_size(found), 12);
    for (size_t i = 0; i < 4; i++) {
        memset(values, 0, sizeof values);
        assert_ok(
            zf_safetensors_read(file, values, tensors[i].name, tensors[i].rank, tensors[i].dim));
        assert_memory_equal(values, tensors[i].data, zf_tensor_size(&tensors[i]) * sizeof(float));
    }
    zf_safetensors_close(file);
}

static void refuses_the_wrong_question(void **state)
{
    (void)state;
    zf_safetensors *file;
    float values[12];
    assert_ok(zf_safetensors_open(&file, golden_path("model.safetensors")));
    assert_fails(zf_safetensors_read(file, values, "gone", 0, NULL), ZF_EINPUT, "\"gone\"");
    assert_fails(zf_safetensors_read(file, values, "layer.weight", 2, (int64_t[]){4, 3}), ZF_EINPUT,
                 "expected shape 4x3, found 3x4");
    assert_fails(zf_safetensors_read(file, values, "step", 1, (int64_t[]){1}), ZF_EINPUT,
                 "expected shape 1, found scalar");
    assert_fails(zf_safetensors_read(file, values, "step", 9, NULL), ZF_EINVAL, "rank 9");
    zf_safetensors_close(file);
}

static void writer_refuses_nonsense(void **state)
{
    (void)state;
    const char *path = scratch_path("refused.safetensors");
    zf_tensor twice[2] = {tensors[1], tensors[1]};
    zf_tensor bad = tensors[1];
    assert_fails(zf_safetensors_write(path, twice, 2, NULL, 0), ZF_EINVAL, "layer.bias");
    bad.name = "";
    assert_fails(zf_safetensors_write(path, &bad, 1, NULL, 0), ZF_EINVAL, "not empty");
    bad.name = "__metadata__";
    assert_fails(zf_safetensors_write(path, &bad, 1, NULL, 0), ZF_EINVAL, "__metadata__");
    bad.name = "\xff";
    assert_fails(zf_safetensors_write(path, &bad, 1, NULL, 0), ZF_EINVAL, "UTF-8");
    bad = (zf_tensor){"huge", 3, {INT64_MAX, INT64_MAX, 2}, bias, false};
    assert_fails(zf_safetensors_write(path, &bad, 1, NULL, 0), ZF_EINVAL, "huge");
    bad = (zf_tensor){"deep", 9, {1}, bias, false};
    assert_fails(zf_safetensors_write(path, &bad, 1, NULL, 0), ZF_EINVAL,
                 "rank 9, expected 0 to 8");
    bad = (zf_tensor){"negative", 1, {-1}, bias, false};
    assert_fails(zf_safetensors_write(path, &bad, 1, NULL, 0), ZF_EINVAL, "negative");
    zf_metadata text = {"key", "\xc3"};
    assert_fails(zf_safetensors_write(path, tensors, 1, &text, 1), ZF_EINVAL, "UTF-8");
    zf_metadata same[2] = {{"key", "1"}, {"key", "2"}};
    assert_fails(zf_safetensors_write(path, tensors, 1, same, 2), ZF_EINVAL, "key");
    assert_false(scratch_exists(path));
    assert_fails(zf_safetensors_write(scratch_path("no/folder.safetensors"), tensors, 1, NULL, 0),
                 ZF_EIO, "no/folder.safetensors: cannot write into its folder: No such file");
}

static void full_disks_are_told(void **state)
{
    (void)state;
    static const float many[100000];
    const zf_tensor large = {"large", 1, {100000}, many, false};
    assert_fails(zf_safetensors_write("/dev/full", &large, 1, NULL, 0), ZF_EOUTPUT,
                 "/dev/full: cannot write: No space left on device");
    assert_fails(zf_safetensors_write("/dev/full", tensors, 4, NULL, 0), ZF_EOUTPUT,
                 "/dev/full: cannot write: No space left on device");
}

static void empty_file_of_tensors_round_trips(void **state)
{
    (void)state;
    const char *path = scratch_path("nothing.safetensors");
    zf_safetensors *file;
    assert_ok(zf_safetensors_write(path, NULL, 0, NULL, 0));
    assert_ok(zf_safetensors_open(&file, path));
    assert_int_equal(zf_safetensors_count(file), 0);
    zf_safetensors_close(file);
}

/* A header and how many bytes of data follow it. */
typedef struct bad_file {
    const char *what, *header;
    size_t data;
    const char *message;
} bad_file;

#define TENSOR(shape, begin, end)                                                                  \
    "{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":[" begin "," end "]}"

static const bad_file bad_files[] = {
    {"not JSON", "{\"a\":", 0, "expected JSON"},
    {"not UTF-8", "{\"\xff\":1}", 0, "expected JSON"},
    {"array", "[]", 0, "expected a JSON object"},
    {"twice", "{\"a\":" TENSOR("[1]", "0", "4") ",\"a\":" TENSOR("[1]", "4", "8") "}", 8,
     "expected JSON"},
    {"no object", "{\"a\":3}", 0, "tensor \"a\": expected an object"},
    {"no dtype", "{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "dtype"},
    {"wrong dtype", "{\"a\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]}}", 8,
     "expected dtype F32 (float32) or F64 (float64), found I64"},
    {"no shape", "{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "shape"},
    {"negative dimension", "{\"a\":" TENSOR("[-1]", "0", "4") "}", 4, "counts"},
    {"fraction", "{\"a\":" TENSOR("[1.5]", "0", "4") "}", 4, "counts"},
    {"rank", "{\"a\":" TENSOR("[1,1,1,1,1,1,1,1,1]", "0", "4") "}", 4, "at most 8 dimensions"},
    {"overflow", "{\"a\":" TENSOR("[4294967296,4294967296]", "0", "4") "}", 4, "fits in memory"},
    {"integer too large", "{\"a\":" TENSOR("[99999999999999999999]", "0", "4") "}", 4, "counts"},
    {"no offsets", "{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "data_offsets"},
    {"one offset", "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4,
     "two counts"},
    {"backwards", "{\"a\":" TENSOR("[1]", "4", "0") "}", 4, "expected a range within"},
    {"out of range", "{\"a\":" TENSOR("[2]", "0", "8") "}", 4,
     "data_offsets 0 to 8, expected a range within the 4 bytes of data"},
    {"size and shape", "{\"a\":" TENSOR("[2]", "0", "4") "}", 4, "span 4 bytes, expected 8"},
    {"overlap", "{\"a\":" TENSOR("[2]", "0", "8") ",\"b\":" TENSOR("[2]", "4", "12") "}", 12,
     "tensor \"b\": data begins at 4, expected 8 where the tensor before it ends (they overlap)"},
    {"same place", "{\"a\":" TENSOR("[1]", "0", "4") ",\"b\":" TENSOR("[1]", "0", "4") "}", 4,
     "they overlap"},
    {"gap", "{\"a\":" TENSOR("[1]", "0", "4") ",\"b\":" TENSOR("[1]", "8", "12") "}", 12,
     "there is a gap"},
    {"trailing data", "{\"a\":" TENSOR("[1]", "0", "4") "}", 9, "hold 4 bytes, expected the 9"},
    {"metadata number", "{\"__metadata__\":{\"k\":1}}", 0, "\"k\": expected a string"},
    {"metadata list", "{\"__metadata__\":[]}", 0, "__metadata__: expected an object"},
};

static size_t compose(char *bytes, uint64_t length, const char *header, size_t data)
{
    size_t n = strlen(header);
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, n);
    memset(bytes + 8 + n, 0, data);
    return 8 + n + data;
}

static void refuses_bad_files(void **state)
{
    (void)state;
    char bytes[1024];
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        const bad_file *bad = &bad_files[i];
        size_t n = compose(bytes, strlen(bad->header), bad->header, bad->data);
        const char *path = scratch_write("bad.safetensors", bytes, n);
        zf_safetensors *file = NULL;
        print_message("%s\n", bad->what);
        assert_fails(zf_safetensors_open(&file, path), ZF_EINPUT, bad->message);
        assert_non_null(strstr(zf_error(), "bad.safetensors: "));
        assert_null(file);
    }
}

static void refuses_bad_lengths(void **state)
{
    (void)state;
    zf_safetensors *file;
    char bytes[64];
    const char *name = "bad.safetensors";
    assert_fails(zf_safetensors_open(&file, scratch_write(name, "", 0)), ZF_EINPUT, "truncated");
    assert_fails(zf_safetensors_open(&file, scratch_write(name, "1234567", 7)), ZF_EINPUT,
                 "expected 8 bytes of header length at offset 0, found 7");
    uint64_t lengths[] = {3, 1000, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 62};
    for (size_t i = 0; i < 5; i++) {
        size_t n = compose(bytes, lengths[i], "{}", 0);
        assert_fails(zf_safetensors_open(&file, scratch_write(name, bytes, n)), ZF_EINPUT,
                     "header length at offset 0");
    }
    assert_fails(zf_safetensors_open(&file, scratch_gzip(name, bytes, 10)), ZF_EINPUT,
                 "found gzip");
    assert_fails(zf_safetensors_open(&file, scratch_path("missing")), ZF_EIO,
                 "missing: cannot open: No such file");
    assert_fails(zf_safetensors_open(&file, "/"), ZF_EIO, "folder");
}

static void refuses_values_that_are_not_finite(void **state)
{
    (void)state;
    float values[3] = {1, 2, (float)1e300};
    zf_tensor tensor = {"x", 1, {3}, values, false};
    zf_safetensors *file;
    const char *path = scratch_path("infinite.safetensors");
    assert_fails(zf_safetensors_write(path, &tensor, 1, NULL, 0), ZF_ENUMERIC,
                 "infinite.safetensors: tensor \"x\": element 2 is inf, expected a finite number");
    assert_false(scratch_exists(path));
    values[2] = 3;
    assert_ok(zf_safetensors_write(path, &tensor, 1, NULL, 0));
    FILE *stream = fopen(path, "r+b");
    assert_non_null(stream);
    values[2] = (float)1e300;
    assert_int_equal(fseek(stream, -(long)sizeof(float), SEEK_END), 0);
    assert_int_equal(fwrite(&values[2], sizeof(float), 1, stream), 1);
    assert_int_equal(fclose(stream), 0);
    assert_ok(zf_safetensors_open(&file, path));
    assert_fails(zf_safetensors_read(file, values, "x", 1, tensor.dim), ZF_EINPUT,
                 "tensor \"x\": element 2 is inf");
    zf_safetensors_close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_reference_bytes),
        cmocka_unit_test(reads_the_reference),
        cmocka_unit_test(refuses_the_wrong_question),
        cmocka_unit_test(writer_refuses_nonsense),
        cmocka_unit_test(full_disks_are_told),
        cmocka_unit_test(empty_file_of_tensors_round_trips),
        cmocka_unit_test(refuses_bad_files),
        cmocka_unit_test(refuses_bad_lengths),
        cmocka_unit_test(refuses_values_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
