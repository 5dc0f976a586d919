/* Reading NPY. The header is a Python dict; a scanner takes the three keys that
   the format defines and refuses everything else, which leaves no room for the
   objects that Python would unpickle. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/npy.h"

enum {
    MAGIC_BYTES = 6,
    HEADER_BYTES_MAX = 1 << 20, /* NumPy writes about a hundred */
    DESCR_BYTES = 32,
    PIECE_BYTES = 64 * 1024,
};

static const unsigned char magic[MAGIC_BYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* Where the scanner stands in the header. */
typedef struct scanner {
    const char *at, *end, *path;
    size_t begin; /* offset of the header in the file */
    const char *start;
} scanner;

static zf_status header_failure(const scanner *scan, const char *expected)
{
    return zf_fail(ZF_EINPUT, "%s: NPY header at offset %zu: expected %s", scan->path,
                   scan->begin + (size_t)(scan->at - scan->start), expected);
}

static void skip_blanks(scanner *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t'))
        scan->at++;
}

/* Takes the character if it comes next. */
static bool take(scanner *scan, char wanted)
{
    skip_blanks(scan);
    if (scan->at == scan->end || *scan->at != wanted) return false;
    scan->at++;
    return true;
}

static bool take_word(scanner *scan, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(scan);
    if ((size_t)(scan->end - scan->at) < n || memcmp(scan->at, word, n) != 0) return false;
    scan->at += n;
    return true;
}

/* A quoted string without escapes. */
static zf_status take_string(scanner *scan, char text[DESCR_BYTES])
{
    char quote = take(scan, '\'') ? '\'' : take(scan, '"') ? '"' : '\0';
    if (!quote) return header_failure(scan, "a quoted string");
    size_t n = 0;
    while (scan->at < scan->end && *scan->at != quote && *scan->at >= ' ' && n < DESCR_BYTES - 1)
        text[n++] = *scan->at++;
    text[n] = '\0';
    return take(scan, quote) ? ZF_OK : header_failure(scan, "a short quoted string");
}

static zf_status take_dimension(scanner *scan, int64_t *dim)
{
    skip_blanks(scan);
    int64_t value = 0;
    const char *first = scan->at;
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; scan->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *scan->at - '0', &value))
            return header_failure(scan, "a dimension that fits in 63 bits");
    if (scan->at == first) return header_failure(scan, "a dimension");
    take(scan, 'L'); /* as Python 2 wrote it */
    *dim = value;
    return ZF_OK;
}

static zf_status take_shape(scanner *scan, zf_npy *array)
{
    if (!take(scan, '(')) return header_failure(scan, "a tuple as shape");
    array->rank = 0;
    while (!take(scan, ')')) {
        if (array->rank == ZF_NPY_RANK) return header_failure(scan, "at most 8 dimensions");
        ZF_TRY(take_dimension(scan, &array->dim[array->rank++]));
        if (!take(scan, ',') && (scan->at == scan->end || *scan->at != ')'))
            return header_failure(scan, "a comma or the end of the shape");
    }
    return ZF_OK;
}

static const struct {
    const char *code;
    zf_element type;
} element_codes[] = {
    {"b1", ZF_BOOL},   {"i1", ZF_INT8},    {"i2", ZF_INT16},   {"i4", ZF_INT32},
    {"i8", ZF_INT64},  {"u1", ZF_UINT8},   {"u2", ZF_UINT16},  {"u4", ZF_UINT32},
    {"u8", ZF_UINT64}, {"f4", ZF_FLOAT32}, {"f8", ZF_FLOAT64},
};

static const char *kind_name(char kind)
{
    switch (kind) {
    case 'O':
        return "Python objects";
    case 'U':
    case 'S':
    case 'a':
        return "strings";
    case 'V':
        return "raw records";
    case 'c':
        return "complex numbers";
    case 'M':
    case 'm':
        return "dates";
    case 'f':
        return "floating point of another width";
    default:
        return "something else";
    }
}

static zf_status take_type(scanner *scan, zf_npy *array)
{
    char descr[DESCR_BYTES];
    skip_blanks(scan);
    if (scan->at < scan->end && *scan->at == '[')
        return zf_fail(ZF_EINPUT,
                       "%s: NPY of records with named fields, expected an array of numbers",
                       scan->path);
    ZF_TRY(take_string(scan, descr));
    const char *code = descr[0] && strchr("<>|=", descr[0]) ? descr + 1 : descr;
    array->big_endian = descr[0] == '>';
    for (size_t i = 0; i < sizeof element_codes / sizeof *element_codes; i++)
        if (strcmp(code, element_codes[i].code) == 0) {
            array->type = element_codes[i].type;
            return ZF_OK;
        }
    return zf_fail(ZF_EINPUT,
                   "%s: NPY of %s (dtype '%s'), expected float32, float64, integers or bool",
                   scan->path, kind_name(*code), descr);
}

static zf_status take_order(scanner *scan, zf_npy *array)
{
    array->fortran = take_word(scan, "True");
    if (array->fortran || take_word(scan, "False")) return ZF_OK;
    return header_failure(scan, "True or False as fortran_order");
}

/* {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } in any order. */
static zf_status parse_header(scanner *scan, zf_npy *array)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static zf_status (*const parsers[])(scanner *, zf_npy *) = {take_type, take_order, take_shape};
    unsigned seen = 0;
    char key[DESCR_BYTES];
    if (!take(scan, '{')) return header_failure(scan, "a dict");
    while (!take(scan, '}')) {
        ZF_TRY(take_string(scan, key));
        if (!take(scan, ':')) return header_failure(scan, "a colon");
        int which = 0;
        while (which < 3 && strcmp(key, keys[which]) != 0) which++;
        if (which == 3 || (seen & 1u << which))
            return header_failure(scan, "descr, fortran_order and shape, once each");
        seen |= 1u << which;
        ZF_TRY(parsers[which](scan, array));
        if (!take(scan, ',') && (scan->at == scan->end || *scan->at != '}'))
            return header_failure(scan, "a comma or the end of the dict");
    }
    skip_blanks(scan);
    if (seen != 7) return header_failure(scan, "descr, fortran_order and shape");
    if (scan->at != scan->end) return header_failure(scan, "nothing behind the dict");
    return ZF_OK;
}

/* Does the promised data fit into 64 bits, and is it what the file can hold? */
static zf_status check_size(zf_npy *array, const zf_io_input *input)
{
    uint64_t bytes;
    bool overflow = false, none = false;
    array->count = 1;
    for (int i = 0; i < array->rank; i++) {
        none |= array->dim[i] == 0;
        overflow |= __builtin_mul_overflow(array->count, (uint64_t)array->dim[i], &array->count);
    }
    if (none) array->count = 0;
    overflow |= __builtin_mul_overflow(array->count, zf_element_bytes(array->type), &bytes);
    if ((overflow && !none) || bytes > SIZE_MAX / 2)
        return zf_fail(ZF_EINPUT, "%s: NPY shape overflows: expected an array that fits in memory",
                       zf_io_input_path(input));
    return zf_io_input_promise(input, bytes);
}

bool zf_npy_recognise(const unsigned char *bytes, size_t n)
{
    return n >= MAGIC_BYTES && memcmp(bytes, magic, MAGIC_BYTES) == 0;
}

static zf_status read_length(zf_io_input *input, uint32_t *length)
{
    unsigned char start[MAGIC_BYTES + 2], bytes[4] = {0};
    const char *path = zf_io_input_path(input);
    ZF_TRY(zf_io_input_read_exactly(input, start, sizeof start, "NPY magic"));
    if (!zf_npy_recognise(start, sizeof start))
        return zf_fail(ZF_EINPUT, "%s: not an NPY file: expected \\x93NUMPY at offset 0", path);
    if (start[6] < 1 || start[6] > 3)
        return zf_fail(ZF_EINPUT, "%s: NPY version %d.%d, expected 1, 2 or 3", path, start[6],
                       start[7]);
    ZF_TRY(zf_io_input_read_exactly(input, bytes, start[6] == 1 ? 2 : 4, "header length"));
    memcpy(length, bytes, sizeof *length);
    if (*length > HEADER_BYTES_MAX)
        return zf_fail(ZF_EINPUT, "%s: NPY header of %" PRIu32 " bytes, expected at most %d", path,
                       *length, HEADER_BYTES_MAX);
    return ZF_OK;
}

zf_status zf_npy_begin(zf_npy *out, zf_io_input *input)
{
    uint32_t length = 0;
    zf_npy array = {0};
    ZF_TRY(read_length(input, &length));
    size_t begin = (size_t)zf_io_input_offset(input);
    char *text = malloc(length + 1u);
    if (!text) return zf_fail_memory(length);
    zf_status status = zf_io_input_read_exactly(input, text, length, "header");
    scanner scan = {text, text + length, zf_io_input_path(input), begin, text};
    if (status == ZF_OK) status = parse_header(&scan, &array);
    if (status == ZF_OK) status = check_size(&array, input);
    free(text);
    if (status == ZF_OK) *out = array;
    return status;
}

zf_status zf_npy_next(const zf_npy *array, zf_io_input *input, double *values, size_t n)
{
    unsigned char raw[PIECE_BYTES];
    size_t bytes = zf_element_bytes(array->type), piece;
    for (size_t done = 0; done < n; done += piece) {
        piece = PIECE_BYTES / bytes < n - done ? PIECE_BYTES / bytes : n - done;
        ZF_TRY(zf_io_input_read_exactly(input, raw, piece * bytes, "data"));
        zf_element_decode(values + done, raw, piece, array->type, array->big_endian);
    }
    return ZF_OK;
}

/* Where element k of a Fortran-ordered file goes in C order. */
static size_t c_place(const zf_npy *array, uint64_t k)
{
    size_t index[ZF_NPY_RANK], place = 0;
    for (int i = 0; i < array->rank; i++) {
        index[i] = (size_t)(k % (uint64_t)array->dim[i]);
        k /= (uint64_t)array->dim[i];
    }
    for (int i = 0; i < array->rank; i++) place = place * (size_t)array->dim[i] + index[i];
    return place;
}

static void place_values(float *values, const zf_npy *array, const unsigned char *raw)
{
    double piece[1024];
    size_t n, bytes = zf_element_bytes(array->type);
    for (uint64_t done = 0; done < array->count; done += n) {
        n = array->count - done < 1024 ? (size_t)(array->count - done) : 1024;
        zf_element_decode(piece, raw + done * bytes, n, array->type, array->big_endian);
        for (size_t i = 0; i < n; i++)
            values[array->fortran ? c_place(array, done + i) : done + i] = (float)piece[i];
    }
}

static zf_status read_input(float **values, zf_npy *array, zf_io_input *input)
{
    unsigned char *raw = NULL;
    ZF_TRY(zf_npy_begin(array, input));
    ZF_TRY(zf_io_input_take(&raw, input, array->count * zf_element_bytes(array->type), "data"));
    size_t bytes = (size_t)array->count * sizeof **values;
    float *all = malloc(bytes + 1);
    zf_status status = all ? zf_io_input_end(input, "the array") : zf_fail_memory(bytes);
    if (status == ZF_OK) {
        place_values(all, array, raw);
        *values = all;
    } else {
        free(all);
    }
    free(raw);
    return status;
}

zf_status zf_npy_read(float **values, zf_npy *array, const char *path)
{
    zf_io_input *input;
    zf_npy about;
    ZF_TRY(zf_io_input_open(&input, path));
    zf_status status = read_input(values, &about, input);
    zf_io_input_close(input);
    if (status == ZF_OK) *array = about;
    return status;
}
