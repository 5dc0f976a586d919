/* Reading IDX: two zero bytes, a type, a rank, the dimensions, the data. */
#include "io/idx.h"

#include <stdlib.h>

#include "base/error.h"

enum { PIECE = 4096 };

static bool element_type(unsigned char code, zf_element *type)
{
    switch (code) {
    case 0x08:
        *type = ZF_UINT8;
        return true;
    case 0x09:
        *type = ZF_INT8;
        return true;
    case 0x0b:
        *type = ZF_INT16;
        return true;
    case 0x0c:
        *type = ZF_INT32;
        return true;
    case 0x0d:
        *type = ZF_FLOAT32;
        return true;
    case 0x0e:
        *type = ZF_FLOAT64;
        return true;
    default:
        return false;
    }
}

bool zf_idx_recognise(const unsigned char *bytes, size_t n)
{
    zf_element type;
    return n >= 4 && bytes[0] == 0 && bytes[1] == 0 && element_type(bytes[2], &type) &&
           bytes[3] > 0;
}

static zf_status check_size(zf_idx *array, const zf_io_input *input)
{
    uint64_t bytes = zf_element_bytes(array->type);
    for (int i = 0; i < array->rank; i++)
        if (__builtin_mul_overflow(bytes, (uint64_t)array->dim[i], &bytes) || bytes > SIZE_MAX / 8)
            return zf_fail(ZF_EINPUT,
                           "%s: IDX dimensions overflow: expected an array that fits in memory",
                           zf_io_input_path(input));
    array->count = bytes / zf_element_bytes(array->type);
    return zf_io_input_promise(input, bytes);
}

zf_status zf_idx_begin(zf_idx *out, zf_io_input *input)
{
    unsigned char start[4], raw[4];
    zf_idx array = {0};
    ZF_TRY(zf_io_input_read_exactly(input, start, sizeof start, "IDX magic"));
    if (start[0] != 0 || start[1] != 0 || !element_type(start[2], &array.type))
        return zf_fail(ZF_EINPUT,
                       "%s: not an IDX file: expected 00 00 and a type from 08 to 0e at offset 0, "
                       "found %02x %02x %02x",
                       zf_io_input_path(input), start[0], start[1], start[2]);
    if (start[3] < 1 || start[3] > ZF_IDX_RANK)
        return zf_fail(ZF_EINPUT, "%s: IDX of %d dimensions, expected 1 to %d",
                       zf_io_input_path(input), start[3], ZF_IDX_RANK);
    array.rank = start[3];
    for (int i = 0; i < array.rank; i++) {
        ZF_TRY(zf_io_input_read_exactly(input, raw, sizeof raw, "IDX dimensions"));
        array.dim[i] = (int64_t)raw[0] << 24 | raw[1] << 16 | raw[2] << 8 | raw[3];
    }
    ZF_TRY(check_size(&array, input));
    *out = array;
    return ZF_OK;
}

zf_status zf_idx_next(const zf_idx *array, zf_io_input *input, double *values, size_t n)
{
    unsigned char raw[PIECE * sizeof(double)];
    size_t piece;
    for (size_t done = 0; done < n; done += piece) {
        piece = n - done < PIECE ? n - done : PIECE;
        ZF_TRY(zf_io_input_read_exactly(input, raw, piece * zf_element_bytes(array->type), "data"));
        zf_element_decode(values + done, raw, piece, array->type, true);
    }
    return ZF_OK;
}

zf_status zf_idx_read_input(float **values, zf_idx *array, zf_io_input *input)
{
    zf_idx about;
    unsigned char *raw = NULL;
    ZF_TRY(zf_idx_begin(&about, input));
    size_t width = zf_element_bytes(about.type), n;
    ZF_TRY(zf_io_input_take(&raw, input, about.count * width, "data"));
    float *all = malloc((size_t)about.count * sizeof *all + 1);
    zf_status status = all ? zf_io_input_end(input, "the array")
                           : zf_fail_memory((size_t)about.count * sizeof *all);
    for (uint64_t done = 0; status == ZF_OK && done < about.count; done += n) {
        double piece[PIECE];
        n = about.count - done < PIECE ? (size_t)(about.count - done) : PIECE;
        zf_element_decode(piece, raw + done * width, n, about.type, true);
        for (size_t i = 0; i < n; i++) all[done + i] = (float)piece[i];
    }
    free(raw);
    if (status != ZF_OK) {
        free(all);
        return status;
    }
    *values = all;
    *array = about;
    return ZF_OK;
}

static zf_status read_bytes_input(uint8_t **bytes, zf_idx *array, zf_io_input *input)
{
    zf_idx about;
    uint8_t *all = NULL;
    ZF_TRY(zf_idx_begin(&about, input));
    if (about.type != ZF_UINT8)
        return zf_fail(ZF_EINPUT, "%s: expected an IDX file of unsigned bytes, found another type",
                       zf_io_input_path(input));
    ZF_TRY(zf_io_input_take(&all, input, about.count, "data"));
    zf_status status = zf_io_input_end(input, "the array");
    if (status != ZF_OK) {
        free(all);
        return status;
    }
    *bytes = all;
    *array = about;
    return ZF_OK;
}

zf_status zf_idx_read(float **values, zf_idx *array, const char *path)
{
    zf_io_input *input;
    ZF_TRY(zf_io_input_open(&input, path));
    zf_status status = zf_idx_read_input(values, array, input);
    zf_io_input_close(input);
    return status;
}

zf_status zf_idx_read_bytes(uint8_t **bytes, zf_idx *array, const char *path)
{
    zf_io_input *input;
    ZF_TRY(zf_io_input_open(&input, path));
    zf_status status = read_bytes_input(bytes, array, input);
    zf_io_input_close(input);
    return status;
}
