/* Writing safetensors. The header is built with jansson, which keeps the order
   of insertion, then padded with spaces so that the data behind it is aligned;
   the format allows spaces there and forbids gaps anywhere else. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/finite.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "io/seal.h"
#include "io/utf8.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the data is written as it is in memory");

enum { DATA_ALIGN = 64, LENGTH_BYTES = 8 };

/* Bytes of the tensor's data. */
static zf_status tensor_bytes(const char *path, const zf_tensor *tensor, uint64_t *bytes)
{
    if (tensor->rank < 0 || tensor->rank > ZF_TENSOR_RANK)
        return zf_fail(ZF_EINVAL, "%s: tensor \"%s\": rank %d, expected 0 to %d", path,
                       tensor->name, tensor->rank, ZF_TENSOR_RANK);
    uint64_t total = zf_tensor_element(tensor);
    for (int i = 0; i < tensor->rank; i++) {
        int64_t dim = tensor->dim[i];
        if (dim < 0 || __builtin_mul_overflow(total, (uint64_t)dim, &total) || total > INT64_MAX)
            return zf_fail(ZF_EINVAL,
                           "%s: tensor \"%s\": dimension %d is %" PRId64
                           ", expected a size that fits",
                           path, tensor->name, i, dim);
    }
    *bytes = total;
    return ZF_OK;
}

static zf_status check_finite(const char *path, const zf_tensor *tensor)
{
    size_t n = zf_tensor_size(tensor);
    size_t at =
        tensor->wide ? zf_finite_doubles(tensor->data, n) : zf_finite_floats(tensor->data, n);
    if (at == n) return ZF_OK;
    return zf_fail(ZF_ENUMERIC, "%s: tensor \"%.64s\": element %zu is %g, expected a finite number",
                   path, tensor->name ? tensor->name : "", at,
                   tensor->wide ? ((const double *)tensor->data)[at]
                                : (double)((const float *)tensor->data)[at]);
}

/* {"dtype":"F32" or "F64","shape":[...],"data_offsets":[begin,end]}; NULL: out of memory. */
static json_t *describe(const zf_tensor *tensor, uint64_t begin, uint64_t end)
{
    json_t *shape = json_array();
    for (int i = 0; i < tensor->rank; i++)
        if (json_array_append_new(shape, json_integer(tensor->dim[i])) != 0) {
            json_decref(shape);
            return NULL;
        }
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", tensor->wide ? "F64" : "F32", "shape", shape,
                     "data_offsets", (json_int_t)begin, (json_int_t)end);
}

static zf_status check_text(const char *path, const char *what, const char *text)
{
    if (text && zf_utf8_valid(text, strlen(text))) return ZF_OK;
    return zf_fail(ZF_EINVAL, "%s: %s: expected UTF-8 text", path, what);
}

/* Puts value under a key that must be new; takes over the value, whose NULL
   stands for no memory. */
static zf_status put(json_t *object, const char *path, const char *what, const char *key,
                     json_t *value)
{
    zf_status status = check_text(path, what, key);
    if (status == ZF_OK && (!*key || json_object_get(object, key)))
        status = zf_fail(ZF_EINVAL,
                         "%s: %s \"%s\": expected a name that is not empty and not used twice",
                         path, what, key);
    if (status != ZF_OK) {
        json_decref(value);
        return status;
    }
    if (json_object_set_new(object, key, value) == 0) return ZF_OK;
    return zf_fail_memory(strlen(key));
}

static int compare_keys(const void *a, const void *b)
{
    const zf_metadata *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

static zf_status add_metadata(json_t *header, const char *path, const zf_metadata *metadata,
                              size_t n)
{
    if (n == 0) return ZF_OK;
    const zf_metadata **sorted = malloc(n * sizeof *sorted);
    if (!sorted) return zf_fail_memory(n * sizeof *sorted);
    zf_status status = ZF_OK;
    for (size_t i = 0; i < n; i++) {
        sorted[i] = &metadata[i];
        if (status == ZF_OK) status = check_text(path, "metadata key", metadata[i].key);
        if (status == ZF_OK) status = check_text(path, "metadata value", metadata[i].value);
    }
    if (status != ZF_OK) {
        free(sorted);
        return status;
    }
    qsort(sorted, n, sizeof *sorted, compare_keys);
    json_t *object = json_object();
    status = object ? ZF_OK : zf_fail_memory(sizeof *sorted);
    for (size_t i = 0; i < n && status == ZF_OK; i++)
        status = put(object, path, "metadata key", sorted[i]->key, json_string(sorted[i]->value));
    free(sorted);
    if (status == ZF_OK) return put(header, path, "tensor", "__metadata__", object);
    json_decref(object);
    return status;
}

static zf_status build_header(json_t *header, const char *path, const zf_tensor *tensors, size_t n,
                              const zf_metadata *metadata, size_t n_metadata)
{
    ZF_TRY(add_metadata(header, path, metadata, n_metadata));
    uint64_t offset = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bytes = 0;
        ZF_TRY(tensor_bytes(path, &tensors[i], &bytes));
        ZF_TRY(check_finite(path, &tensors[i]));
        if (bytes > INT64_MAX - offset)
            return zf_fail(ZF_EINVAL, "%s: tensor \"%s\": all tensors together are too large", path,
                           tensors[i].name);
        if (tensors[i].name && strcmp(tensors[i].name, "__metadata__") == 0)
            return zf_fail(ZF_EINVAL, "%s: a tensor cannot be named \"__metadata__\"", path);
        ZF_TRY(put(header, path, "tensor", tensors[i].name,
                   describe(&tensors[i], offset, offset + bytes)));
        offset += bytes;
    }
    return ZF_OK;
}

/* What comes before the data: the header's length, its text, spaces. */
typedef struct head {
    char *bytes;
    size_t n; /* a multiple of DATA_ALIGN */
} head;

/* ZF_ENOMEM. Not by json_dumps, which grows its text as it goes and (2.14) leaves out a key for
   which there is no memory. */
static zf_status make_head(head *out, const json_t *header)
{
    size_t length = json_dumpb(header, NULL, 0, JSON_COMPACT), used = LENGTH_BYTES + length;
    head h = {.n = (used + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN};
    h.bytes = length > 0 ? malloc(h.n) : NULL;
    if (!h.bytes) return zf_fail_memory(h.n);
    uint64_t padded = h.n - LENGTH_BYTES;
    memcpy(h.bytes, &padded, LENGTH_BYTES);
    memset(h.bytes + used, ' ', h.n - used);
    if (json_dumpb(header, h.bytes + LENGTH_BYTES, length, JSON_COMPACT) != length) {
        free(h.bytes);
        return zf_fail_memory(h.n);
    }
    *out = h;
    return ZF_OK;
}

static size_t bytes_of(const zf_tensor *tensor)
{
    return zf_tensor_size(tensor) * zf_tensor_element(tensor);
}

/* Puts the checksum where there is room for it; all sizes are multiples of a word. */
static void seal(head *h, const zf_tensor *tensors, size_t n)
{
    char *digits = zf_seal_find(h->bytes, h->n);
    if (!digits) return;
    uint64_t hash = zf_fingerprint(ZF_FINGERPRINT_START, h->bytes, h->n / sizeof(uint32_t));
    for (size_t i = 0; i < n; i++)
        hash = zf_fingerprint(hash, tensors[i].data, bytes_of(&tensors[i]) / sizeof(uint32_t));
    zf_seal_set(digits, hash);
}

static zf_status write_all(zf_file *file, const head *h, const zf_tensor *tensors, size_t n)
{
    ZF_TRY(zf_file_write(file, h->bytes, h->n));
    for (size_t i = 0; i < n; i++)
        ZF_TRY(zf_file_write(file, tensors[i].data, bytes_of(&tensors[i])));
    return ZF_OK;
}

static zf_status write_file(const char *path, const head *h, const zf_tensor *tensors, size_t n)
{
    zf_file *file;
    ZF_TRY(zf_file_create(&file, path));
    zf_status status = write_all(file, h, tensors, n);
    if (status == ZF_OK) return zf_file_commit(file);
    zf_file_drop(file);
    return status;
}

/* The header with its checksum; *out is for free(). */
static zf_status make_sealed(head *out, const char *path, const zf_tensor *tensors,
                             size_t n_tensors, const zf_metadata *metadata, size_t n_metadata)
{
    json_t *header = json_object();
    if (!header) return zf_fail_memory(sizeof(void *));
    zf_status status = build_header(header, path, tensors, n_tensors, metadata, n_metadata);
    if (status == ZF_OK) status = make_head(out, header);
    json_decref(header);
    if (status == ZF_OK) seal(out, tensors, n_tensors);
    return status;
}

zf_status zf_safetensors_write(const char *path, const zf_tensor *tensors, size_t n_tensors,
                               const zf_metadata *metadata, size_t n_metadata)
{
    head h = {0};
    ZF_TRY(make_sealed(&h, path, tensors, n_tensors, metadata, n_metadata));
    zf_status status = write_file(path, &h, tensors, n_tensors);
    free(h.bytes);
    return status;
}

zf_status zf_safetensors_encode(void **bytes, size_t *n, const char *path, const zf_tensor *tensors,
                                size_t n_tensors, const zf_metadata *metadata, size_t n_metadata)
{
    head h = {0};
    ZF_TRY(make_sealed(&h, path, tensors, n_tensors, metadata, n_metadata));
    size_t size = h.n;
    for (size_t i = 0; i < n_tensors; i++) size += bytes_of(&tensors[i]);
    char *all = realloc(h.bytes, size);
    if (!all) {
        free(h.bytes);
        return zf_fail_memory(size);
    }
    for (size_t i = 0, at = h.n; i < n_tensors; at += bytes_of(&tensors[i++]))
        if (bytes_of(&tensors[i])) memcpy(all + at, tensors[i].data, bytes_of(&tensors[i]));
    *bytes = all;
    *n = size;
    return ZF_OK;
}
