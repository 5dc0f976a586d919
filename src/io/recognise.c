#include "io/recognise.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "io/input.h"
#include "io/utf8.h"

typedef struct sign {
    const char *bytes;
    size_t n;
    zf_content content;
} sign;
#define SIGN(text, class, what)                                                                    \
    {                                                                                              \
        text, sizeof(text) - 1,                                                                    \
        {                                                                                          \
            ZF_CONTENT_##class, what                                                               \
        }                                                                                          \
    }

/* The models of this library, by the task in their metadata. */
static const struct {
    const char *task, *model, *checkpoint, *wanted;
} tasks[] = {
    {"blanket", "a model of blankets", "a checkpoint of zeroflow fit",
     "a model of blankets (zeroflow fit makes one)"},
    {"reduction", "a reduction", "a checkpoint of zeroflow reduce",
     "a reduction (zeroflow reduce makes one)"},
    {"vision", "a model of images", "a checkpoint of zeroflow pretrain",
     "a model of images (zeroflow pretrain makes one)"},
    {"flow", "a flow between two samples", "a checkpoint of a flow", "a flow between two samples"},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

static const sign binary_signs[] = {
    SIGN("\x89PNG", IMAGE, "a PNG image"),
    SIGN("\xff\xd8\xff", IMAGE, "a JPEG image"),
    SIGN("GIF8", IMAGE, "a GIF image"),
    SIGN("\xfd\x37zXZ", PACKED, "packed by xz"),
    SIGN("BZh", PACKED, "packed by bzip2"),
    SIGN("\x28\xb5\x2f\xfd", PACKED, "packed by zstd"),
    SIGN("PK\3\4", PACKED, "a zip archive (a spreadsheet or NPZ)"),
    SIGN("PAR1", OTHER, "a Parquet file"),
    SIGN("\x89HDF", OTHER, "an HDF5 file"),
    SIGN("%PDF-", OTHER, "a PDF document"),
    SIGN("\x7f\x45LF", OTHER, "a program"),
    SIGN("\xff\xfe", OTHER, "UTF-16 text (UTF-8 is read)"),
    SIGN("\xfe\xff", OTHER, "UTF-16 text (UTF-8 is read)"),
};

/* How text begins after blanks, in any case of letters. */
static const sign text_signs[] = {
    SIGN("<!doctype html", OTHER, "an HTML page"), SIGN("<html", OTHER, "an HTML page"),
    SIGN("<svg", OTHER, "an SVG figure"),          SIGN("<graphml", OTHER, "a graph as GraphML"),
    SIGN("graph {", MARKUP, "a graph as DOT"),     SIGN("graph [", MARKUP, "a graph as GML"),
};

/* The content of the first sign that the bytes begin with; class 0: of none. */
static zf_content find_sign(const sign *signs, size_t count, const char *bytes, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (n >= signs[i].n && strncasecmp(bytes, signs[i].bytes, signs[i].n) == 0)
            return signs[i].content;
    return (zf_content){ZF_CONTENT_UNKNOWN, "of no known kind"};
}
#define FIND_SIGN(signs, bytes, n) find_sign(signs, sizeof signs / sizeof *signs, bytes, n)

static bool contains(const char *text, size_t n, const char *wanted)
{
    return memmem(text, n, wanted, strlen(wanted)) != NULL;
}

const char *zf_recognise_task(const char *task, bool checkpoint)
{
    for (int i = 0; i < TASKS; i++)
        if (strcmp(tasks[i].task, task) == 0)
            return checkpoint ? tasks[i].checkpoint : tasks[i].model;
    return NULL;
}

const char *zf_recognise_wanted(const char *task)
{
    for (int i = 0; i < TASKS; i++)
        if (strcmp(tasks[i].task, task) == 0) return tasks[i].wanted;
    return "a model";
}

/* Eight bytes of length and JSON. */
static bool is_tensors(const char *bytes, size_t n)
{
    enum { HEADER_BYTES_MAX = 100 * 1000 * 1000 };
    uint64_t length = 0;
    if (n < 10 || bytes[8] != '{' || (bytes[9] != '"' && bytes[9] != '}')) return false;
    for (int i = 7; i >= 0; i--) length = length << 8 | (unsigned char)bytes[i];
    return length <= HEADER_BYTES_MAX;
}

/* Which of ours, as its metadata is written; that of thousands of columns may be cut. */
static const char *recognise_tensors(const char *bytes, size_t n)
{
    bool checkpoint = contains(bytes, n, "\"zeroflow.kind\":\"checkpoint\"");
    for (int i = 0; i < TASKS; i++) {
        char entry[40];
        snprintf(entry, sizeof entry, "\"task\":\"%s\"", tasks[i].task);
        if (contains(bytes, n, entry)) return zf_recognise_task(tasks[i].task, checkpoint);
    }
    return contains(bytes, n, "\"__metadata__\"") ? "a model (safetensors)" : "a safetensors file";
}

static bool is_tar(const char *bytes, size_t n)
{
    enum { MAGIC_AT = 257 };
    return n >= MAGIC_AT + 5 && memcmp(bytes + MAGIC_AT, "ustar", 5) == 0;
}

/* Two zeros, the type of an element, the rank. */
static bool is_idx(const char *bytes, size_t n)
{
    return n >= 4 && !bytes[0] && !bytes[1] && bytes[2] &&
           strchr("\x08\x09\x0b\x0c\x0d\x0e", bytes[2]) && bytes[3] >= 1 && bytes[3] <= 4;
}

static zf_content recognise_binary(const char *bytes, size_t n)
{
    if (is_tensors(bytes, n)) return (zf_content){ZF_CONTENT_TENSORS, recognise_tensors(bytes, n)};
    if (is_tar(bytes, n)) return (zf_content){ZF_CONTENT_OTHER, "a tar archive"};
    if (is_idx(bytes, n)) return (zf_content){ZF_CONTENT_OTHER, "an IDX file of images or labels"};
    return FIND_SIGN(binary_signs, bytes, n);
}

/* UTF-8 without control characters, but for a character that the end cuts. */
static bool is_text(const char *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        unsigned char c = (unsigned char)bytes[at];
        size_t length = zf_utf8_length(bytes + at, n - at);
        if (length == 0) return n - at < 4 && at > 0; /* the bytes may end in a character */
        if (c < 0x20 && (c == 0 || !strchr("\t\n\r\f", c))) return false;
        at += length;
    }
    return true;
}

static const char *recognise_json(const char *text, size_t n)
{
    bool graph = contains(text, n, "\"nodes\"") && contains(text, n, "\"edges\"");
    return graph ? "a graph as JSON" : "JSON";
}

/* A first line with cells; edges if it says so. */
static const char *recognise_lines(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);
    size_t line = end ? (size_t)(end - text) : n;
    if (line >= 13 && strncasecmp(text, "source,target", 13) == 0) return "a graph as CSV";
    if (memchr(text, '\t', line)) return "a TSV table";
    if (memchr(text, ',', line) || memchr(text, ';', line)) return "a CSV table";
    return "text";
}

/* After the declaration of XML: what it goes on with. */
static const char *recognise_xml(const char *text, size_t n)
{
    if (contains(text, n, "<graphml")) return "a graph as GraphML";
    if (contains(text, n, "<svg")) return "an SVG figure";
    return contains(text, n, "<html") ? "an HTML page" : "XML";
}

static zf_content recognise_text(const char *text, size_t n)
{
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, n -= 3;
    while (n > 0 && isspace((unsigned char)*text)) text++, n--;
    zf_content found = FIND_SIGN(text_signs, text, n);
    if (found.class != ZF_CONTENT_UNKNOWN) return found;
    if (n == 0) return (zf_content){ZF_CONTENT_TEXT, "blank text"};
    if (n >= 5 && memcmp(text, "<?xml", 5) == 0)
        return (zf_content){ZF_CONTENT_OTHER, recognise_xml(text, n)};
    if (*text == '{' || *text == '[')
        return (zf_content){ZF_CONTENT_MARKUP, recognise_json(text, n)};
    return (zf_content){ZF_CONTENT_TEXT, recognise_lines(text, n)};
}

zf_content zf_recognise(const void *bytes, size_t n)
{
    if (n == 0) return (zf_content){ZF_CONTENT_EMPTY, "an empty file"};
    if (n > ZF_RECOGNISE_BYTES) n = ZF_RECOGNISE_BYTES;
    if (n >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0)
        return (zf_content){ZF_CONTENT_NPY, "an NPY array"};
    /* Text first: a table may well have a column whose name is PAR1. */
    return is_text(bytes, n) ? recognise_text(bytes, n) : recognise_binary(bytes, n);
}

zf_status zf_recognise_text(const char *path, const void *bytes, size_t n, const char *expected)
{
    zf_content content = zf_recognise(bytes, n);
    if (content.class == ZF_CONTENT_TEXT || content.class == ZF_CONTENT_MARKUP ||
        content.class == ZF_CONTENT_UNKNOWN)
        return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: this is %s, expected %s", path, content.what, expected);
}

/* What the data of a file is, unpacked; *gzip says that it was packed. */
static zf_content recognise_file(const char *path, bool *gzip)
{
    zf_io_input *input = NULL;
    zf_content content = {ZF_CONTENT_UNKNOWN, "of no known kind"};
    size_t n;
    char *bytes = malloc(ZF_RECOGNISE_BYTES);
    if (bytes && zf_io_input_open(&input, path) == ZF_OK &&
        zf_io_input_read(input, bytes, ZF_RECOGNISE_BYTES, &n) == ZF_OK) {
        content = zf_recognise(bytes, n);
        *gzip = zf_io_input_is_gzip(input);
    }
    zf_io_input_close(input);
    free(bytes);
    return content;
}

zf_status zf_recognise_model(const char *path, const char *expected)
{
    struct stat found;
    bool gzip = false;
    if (stat(path, &found) != 0) return ZF_OK; /* opening it will say why */
    if (S_ISDIR(found.st_mode))
        return zf_fail(ZF_EINPUT, "%s: this is a folder, expected %s", path, expected);
    if (!S_ISREG(found.st_mode)) return ZF_OK; /* a pipe can be read only once */
    zf_content content = recognise_file(path, &gzip);
    bool known = content.class != ZF_CONTENT_UNKNOWN;
    if (!gzip && (!known || content.class == ZF_CONTENT_TENSORS)) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: this is %s%s, expected %s", path,
                   known ? content.what : "a file", gzip ? " packed by gzip" : "", expected);
}
