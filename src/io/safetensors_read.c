/* Reading safetensors. The header is small and read whole; data is fetched by
   name when asked for, so that a checkpoint larger than memory could be looked
   into. The file is hostile until checked: opening it settles that each
   tensor's offsets agree with its shape, that the tensors cover the data
   without gap or overlap, and that the data ends where the file does. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprint.h"
#include "io/input.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "io/seal.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the data is read as it is in memory");

enum {
    LENGTH_BYTES = 8,
    HEADER_BYTES_MAX = 100 * 1000 * 1000, /* the limit of the reference implementation */
    HASHED_BYTES = 64 * 1024,             /* at a time */
    SHAPE_TEXT = 22 * ZF_TENSOR_RANK,
};

typedef struct entry {
    zf_tensor tensor; /* first, so that a pointer to it is a pointer to the entry */
    uint64_t begin, end;
} entry;

struct zf_safetensors {
    zf_io_input *input;
    char *text; /* the header's: holds the names and the metadata */
    zf_json *header;
    const zf_json *metadata;
    uint64_t data_start;
    entry *entries; /* by offset */
    entry **by_name;
    size_t n;
};

const char *zf_safetensors_path(const zf_safetensors *file)
{
    return zf_io_input_path(file->input);
}

size_t zf_tensor_size(const zf_tensor *tensor)
{
    size_t size = 1;
    for (int i = 0; i < tensor->rank; i++) size *= (size_t)tensor->dim[i];
    return size;
}

size_t zf_tensor_element(const zf_tensor *tensor)
{
    return tensor->wide ? sizeof(double) : sizeof(float);
}

static zf_status parse_header(zf_safetensors *file, size_t length)
{
    zf_json_fault fault;
    zf_status status = zf_json_parse(&file->header, file->text, length, &fault);
    if (status == ZF_EINPUT)
        return zf_fail(status, "%s: header at offset %zu: expected JSON, here %s",
                       zf_safetensors_path(file), LENGTH_BYTES + fault.offset, fault.expected);
    if (status == ZF_OK && !zf_json_is(file->header, ZF_JSON_OBJECT))
        return zf_fail(ZF_EINPUT, "%s: header: expected a JSON object", zf_safetensors_path(file));
    return status;
}

static zf_status read_header(zf_safetensors *file)
{
    uint64_t length, size = zf_io_input_bound(file->input);
    if (!zf_io_input_is_sized(file->input))
        return zf_fail(ZF_EINPUT, "%s: expected a plain safetensors file, found %s",
                       zf_safetensors_path(file),
                       zf_io_input_is_gzip(file->input) ? "gzip" : "a pipe");
    ZF_TRY(zf_io_input_read_exactly(file->input, &length, LENGTH_BYTES, "header length"));
    if (length > size - LENGTH_BYTES || length > HEADER_BYTES_MAX)
        return zf_fail(ZF_EINPUT,
                       "%s: header length at offset 0 is %" PRIu64 ", expected at most %" PRIu64
                       " (is this a safetensors file?)",
                       zf_safetensors_path(file), length,
                       size - LENGTH_BYTES < HEADER_BYTES_MAX ? size - LENGTH_BYTES
                                                              : (uint64_t)HEADER_BYTES_MAX);
    file->data_start = LENGTH_BYTES + length;
    file->text = malloc(length + 1);
    if (!file->text) return zf_fail_memory(length + 1);
    ZF_TRY(zf_io_input_read_exactly(file->input, file->text, length, "header"));
    return parse_header(file, length);
}

static zf_status check_metadata(zf_safetensors *file)
{
    file->metadata = zf_json_member(file->header, "__metadata__");
    if (!file->metadata) return ZF_OK;
    if (!zf_json_is(file->metadata, ZF_JSON_OBJECT))
        return zf_fail(ZF_EINPUT, "%s: __metadata__: expected an object of strings",
                       zf_safetensors_path(file));
    for (const zf_json *value = file->metadata->first; value; value = value->next)
        if (!zf_json_is(value, ZF_JSON_TEXT))
            return zf_fail(ZF_EINPUT, "%s: __metadata__: \"%.64s\": expected a string",
                           zf_safetensors_path(file), value->name);
    return ZF_OK;
}

static zf_status tensor_failure(const zf_safetensors *file, const char *name, const char *expected)
{
    return zf_fail(ZF_EINPUT, "%s: tensor \"%.64s\": expected %s", zf_safetensors_path(file), name,
                   expected);
}

static zf_status parse_shape(const zf_safetensors *file, entry *tensor, const zf_json *shape,
                             uint64_t *bytes)
{
    const char *name = tensor->tensor.name;
    if (!zf_json_is(shape, ZF_JSON_ARRAY))
        return tensor_failure(file, name, "\"shape\" to be an array");
    if (shape->n > ZF_TENSOR_RANK) return tensor_failure(file, name, "at most 8 dimensions");
    *bytes = zf_tensor_element(&tensor->tensor);
    for (const zf_json *length = shape->first; length; length = length->next) {
        uint64_t dim;
        if (!zf_json_count(length, &dim))
            return tensor_failure(file, name, "\"shape\" to hold counts");
        tensor->tensor.dim[tensor->tensor.rank++] = (int64_t)dim;
        if (__builtin_mul_overflow(*bytes, dim, bytes))
            return tensor_failure(file, name, "a shape that fits in memory");
    }
    return ZF_OK;
}

static zf_status parse_tensor(const zf_safetensors *file, entry *tensor, const zf_json *about)
{
    const char *name = about->name;
    uint64_t bytes = 0, data = zf_io_input_bound(file->input) - file->data_start;
    *tensor = (entry){.tensor = {.name = name}};
    const char *dtype = zf_json_text(zf_json_member(about, "dtype"));
    const zf_json *offsets = zf_json_member(about, "data_offsets");
    if (!dtype) return tensor_failure(file, name, "an object with \"dtype\"");
    tensor->tensor.wide = strcmp(dtype, "F64") == 0;
    if (strcmp(dtype, "F32") != 0 && !tensor->tensor.wide)
        return zf_fail(ZF_EINPUT,
                       "%s: tensor \"%.64s\": expected dtype F32 (float32) or F64 (float64), found "
                       "%.16s",
                       zf_safetensors_path(file), name, dtype);
    ZF_TRY(parse_shape(file, tensor, zf_json_member(about, "shape"), &bytes));
    if (!zf_json_is(offsets, ZF_JSON_ARRAY) || offsets->n != 2 ||
        !zf_json_count(offsets->first, &tensor->begin) ||
        !zf_json_count(offsets->first->next, &tensor->end))
        return tensor_failure(file, name, "\"data_offsets\" to be two counts");
    if (tensor->begin > tensor->end || tensor->end > data)
        return zf_fail(ZF_EINPUT,
                       "%s: tensor \"%.64s\": data_offsets %" PRIu64 " to %" PRIu64
                       ", expected a range within the %" PRIu64 " bytes of data",
                       zf_safetensors_path(file), name, tensor->begin, tensor->end, data);
    if (tensor->end - tensor->begin != bytes)
        return zf_fail(ZF_EINPUT,
                       "%s: tensor \"%.64s\": data_offsets span %" PRIu64
                       " bytes, expected %" PRIu64 " from its shape",
                       zf_safetensors_path(file), name, tensor->end - tensor->begin, bytes);
    return ZF_OK;
}

static int compare_offsets(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    if (x->end != y->end) return x->end < y->end ? -1 : 1;
    return strcmp(x->tensor.name, y->tensor.name);
}

static int compare_names(const void *a, const void *b)
{
    const entry *const *x = a, *const *y = b;
    return strcmp((*x)->tensor.name, (*y)->tensor.name);
}

/* With the tensors by offset: each begins where the one before ends, and the
   last one ends where the file does. */
static zf_status check_cover(const zf_safetensors *file)
{
    uint64_t at = 0, data = zf_io_input_bound(file->input) - file->data_start;
    for (size_t i = 0; i < file->n; i++) {
        const entry *tensor = &file->entries[i];
        if (tensor->begin != at)
            return zf_fail(ZF_EINPUT,
                           "%s: tensor \"%.64s\": data begins at %" PRIu64 ", expected %" PRIu64
                           " where the tensor before it ends (%s)",
                           zf_safetensors_path(file), tensor->tensor.name, tensor->begin, at,
                           tensor->begin < at ? "they overlap" : "there is a gap");
        at = tensor->end;
    }
    if (at != data)
        return zf_fail(ZF_EINPUT,
                       "%s: the tensors hold %" PRIu64 " bytes, expected the %" PRIu64
                       " that follow the header",
                       zf_safetensors_path(file), at, data);
    return ZF_OK;
}

static zf_status index_tensors(zf_safetensors *file)
{
    size_t room = file->header->n + 1; /* never zero bytes */
    file->entries = malloc(room * sizeof *file->entries);
    file->by_name = malloc(room * sizeof *file->by_name);
    if (!file->entries || !file->by_name) return zf_fail_memory(room * sizeof *file->entries);
    for (const zf_json *about = file->header->first; about; about = about->next) {
        if (about == file->metadata) continue;
        ZF_TRY(parse_tensor(file, &file->entries[file->n], about));
        file->n++;
    }
    qsort(file->entries, file->n, sizeof *file->entries, compare_offsets);
    for (size_t i = 0; i < file->n; i++) file->by_name[i] = &file->entries[i];
    qsort(file->by_name, file->n, sizeof *file->by_name, compare_names);
    return check_cover(file);
}

static zf_status damaged(const zf_safetensors *file)
{
    return zf_fail(
        ZF_EINPUT,
        "%s: is damaged: its content does not match its checksum; restore a copy of it, or "
        "create it again",
        zf_safetensors_path(file));
}

/* The fingerprint of the data, behind that of what comes before it. */
static zf_status hash_data(const zf_safetensors *file, uint64_t *hash)
{
    char block[HASHED_BYTES];
    uint64_t end = zf_io_input_bound(file->input);
    for (uint64_t at = file->data_start; at < end;) {
        size_t n = end - at < sizeof block ? (size_t)(end - at) : sizeof block;
        ZF_TRY(zf_io_input_read_at(file->input, at, block, n));
        *hash = zf_fingerprint(*hash, block, n / sizeof(uint32_t));
        at += n;
    }
    return ZF_OK;
}

/* Files without a checksum are taken as they are. Ours have a header of whole words. */
static zf_status check_seal(const zf_safetensors *file)
{
    char found[ZF_SEAL_DIGITS], expected[ZF_SEAL_DIGITS];
    size_t n = (size_t)file->data_start;
    if (!zf_safetensors_metadata(file, ZF_SEAL_KEY)) return ZF_OK;
    char *head = malloc(n);
    if (!head) return zf_fail_memory(n);
    zf_status status = zf_io_input_read_at(file->input, 0, head, n);
    char *digits = status == ZF_OK ? zf_seal_find(head, n) : NULL;
    if (status == ZF_OK && (!digits || n % sizeof(uint32_t) != 0)) status = damaged(file);
    uint64_t hash = 0;
    if (status == ZF_OK) {
        memcpy(found, digits, ZF_SEAL_DIGITS);
        memcpy(digits, ZF_SEAL_BLANK, ZF_SEAL_DIGITS);
        hash = zf_fingerprint(ZF_FINGERPRINT_START, head, n / sizeof(uint32_t));
    }
    free(head);
    ZF_TRY(status);
    ZF_TRY(hash_data(file, &hash));
    zf_seal_set(expected, hash);
    return memcmp(found, expected, ZF_SEAL_DIGITS) == 0 ? ZF_OK : damaged(file);
}

/* Takes over the input, also on failure. */
static zf_status open_input(zf_safetensors **out, zf_io_input *input)
{
    zf_safetensors *file = calloc(1, sizeof *file);
    if (!file) {
        zf_io_input_close(input);
        return zf_fail_memory(sizeof *file);
    }
    file->input = input;
    zf_status status = read_header(file);
    if (status == ZF_OK) status = check_metadata(file);
    if (status == ZF_OK) status = index_tensors(file);
    if (status == ZF_OK) status = check_seal(file);
    if (status != ZF_OK) {
        zf_safetensors_close(file);
        return status;
    }
    *out = file;
    return ZF_OK;
}

zf_status zf_safetensors_open(zf_safetensors **out, const char *path)
{
    zf_io_input *input;
    ZF_TRY(zf_io_input_open(&input, path));
    return open_input(out, input);
}

zf_status zf_safetensors_open_memory(zf_safetensors **out, const char *name, const void *bytes,
                                     size_t n)
{
    zf_io_input *input;
    ZF_TRY(zf_io_input_open_memory(&input, name, bytes, n));
    return open_input(out, input);
}

void zf_safetensors_close(zf_safetensors *file)
{
    if (!file) return;
    zf_io_input_close(file->input);
    free(file->header);
    free(file->text);
    free(file->entries);
    free(file->by_name);
    free(file);
}

size_t zf_safetensors_count(const zf_safetensors *file)
{
    return file->n;
}

const zf_tensor *zf_safetensors_tensor(const zf_safetensors *file, size_t i)
{
    return i < file->n ? &file->entries[i].tensor : NULL;
}

const zf_tensor *zf_safetensors_find(const zf_safetensors *file, const char *name)
{
    entry key = {.tensor = {.name = name}}, *wanted = &key;
    entry **found = bsearch(&wanted, file->by_name, file->n, sizeof *file->by_name, compare_names);
    return found ? &(*found)->tensor : NULL;
}

const char *zf_safetensors_metadata(const zf_safetensors *file, const char *key)
{
    return zf_json_text(zf_json_member(file->metadata, key));
}

/* "3x4", "scalar". */
static const char *shape_text(char text[SHAPE_TEXT], int rank, const int64_t *dim)
{
    size_t used = 0;
    snprintf(text, SHAPE_TEXT, "scalar");
    for (int i = 0; i < rank && used < SHAPE_TEXT; i++)
        used +=
            (size_t)snprintf(text + used, SHAPE_TEXT - used, "%s%" PRId64, i ? "x" : "", dim[i]);
    return text;
}

/* The tensor of that name, if it has this shape. */
static zf_status find_shaped(const zf_tensor **out, const zf_safetensors *file, const char *name,
                             int rank, const int64_t *dim)
{
    const zf_tensor *tensor = zf_safetensors_find(file, name);
    char found[SHAPE_TEXT], expected[SHAPE_TEXT];
    if (rank < 0 || rank > ZF_TENSOR_RANK)
        return zf_fail(ZF_EINVAL, "%s: tensor \"%.64s\": rank %d asked for, expected 0 to %d",
                       zf_safetensors_path(file), name, rank, ZF_TENSOR_RANK);
    if (!tensor)
        return zf_fail(ZF_EINPUT, "%s: expected a tensor \"%.64s\", found none of that name",
                       zf_safetensors_path(file), name);
    bool same = tensor->rank == rank;
    for (int i = 0; same && i < rank; i++) same = tensor->dim[i] == dim[i];
    if (!same)
        return zf_fail(ZF_EINPUT, "%s: tensor \"%.64s\": expected shape %s, found %s",
                       zf_safetensors_path(file), name, shape_text(expected, rank, dim),
                       shape_text(found, tensor->rank, tensor->dim));
    *out = tensor;
    return ZF_OK;
}

static zf_status read_data(const zf_safetensors *file, void *values, const zf_tensor *tensor)
{
    const entry *place = (const entry *)(const void *)tensor;
    return zf_io_input_read_at(file->input, file->data_start + place->begin, values,
                               zf_tensor_size(tensor) * zf_tensor_element(tensor));
}

static zf_status refuse_number(const zf_safetensors *file, const char *name, size_t i, double value)
{
    return zf_fail(ZF_EINPUT, "%s: tensor \"%.64s\": element %zu is %g, expected a finite number",
                   zf_safetensors_path(file), name, i, value);
}

zf_status zf_safetensors_read(const zf_safetensors *file, float *values, const char *name, int rank,
                              const int64_t *dim)
{
    const zf_tensor *tensor = NULL;
    ZF_TRY(find_shaped(&tensor, file, name, rank, dim));
    if (tensor->wide) return tensor_failure(file, name, "float32, found float64");
    ZF_TRY(read_data(file, values, tensor));
    for (size_t i = 0; i < zf_tensor_size(tensor); i++)
        if (!isfinite(values[i])) return refuse_number(file, name, i, (double)values[i]);
    return ZF_OK;
}

zf_status zf_safetensors_read_doubles(const zf_safetensors *file, double *values, const char *name,
                                      int rank, const int64_t *dim)
{
    const zf_tensor *tensor = NULL;
    ZF_TRY(find_shaped(&tensor, file, name, rank, dim));
    ZF_TRY(read_data(file, values, tensor));
    size_t n = zf_tensor_size(tensor);
    for (size_t i = n; !tensor->wide && i-- > 0;) { /* from the end, where there is room */
        float narrow;
        memcpy(&narrow, (const char *)values + i * sizeof narrow, sizeof narrow);
        values[i] = (double)narrow;
    }
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i])) return refuse_number(file, name, i, values[i]);
    return ZF_OK;
}
