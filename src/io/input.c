/* The input layer: raw bytes from a descriptor or memory, inflated if they start
   as gzip does.

   Written on inflate() rather than on zlib's gzread, which calls a file that is
   cut at a member's end complete, skips whatever follows the last member, and
   cannot read memory. */
#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

enum {
    BUFFER_BYTES = 64 * 1024,
    GZIP_WINDOW = 15 + 16, /* the largest window, gzip framing only */
    DEFLATE_RATIO = 1032,  /* the most that a deflated byte can unfold to */
};

struct zf_io_input {
    char *path;
    int descriptor; /* -1: memory */
    const unsigned char *memory;
    uint64_t size;       /* of the raw bytes; UINT64_MAX for a pipe */
    uint64_t raw_offset; /* raw bytes taken from the source */
    uint64_t offset;     /* bytes of data handed out */
    bool gzip, at_end, in_member;
    z_stream stream;
    size_t start, end; /* raw bytes that wait in buffer */
    unsigned char peeked[ZF_INPUT_PEEK];
    size_t peek_start, peek_end;
    unsigned char buffer[BUFFER_BYTES];
};

const char *zf_io_input_path(const zf_io_input *input)
{
    return input->path;
}

uint64_t zf_io_input_offset(const zf_io_input *input)
{
    return input->offset;
}

bool zf_io_input_is_gzip(const zf_io_input *input)
{
    return input->gzip;
}

bool zf_io_input_is_sized(const zf_io_input *input)
{
    return !input->gzip && input->size != UINT64_MAX;
}

uint64_t zf_io_input_bound(const zf_io_input *input)
{
    if (!input->gzip || input->size == UINT64_MAX) return input->size;
    return input->size > UINT64_MAX / DEFLATE_RATIO ? UINT64_MAX : input->size * DEFLATE_RATIO;
}

void zf_io_input_close(zf_io_input *input)
{
    if (!input) return;
    if (input->gzip) inflateEnd(&input->stream);
    if (input->descriptor >= 0) close(input->descriptor);
    free(input->path);
    free(input);
}

/* Raw bytes from the source, as many as there are up to n. */
static zf_status read_raw(zf_io_input *input, void *bytes, size_t n, size_t *got)
{
    size_t done = 0;
    if (input->descriptor < 0) {
        uint64_t left = input->size - input->raw_offset;
        done = left < n ? (size_t)left : n;
        if (done > 0) memcpy(bytes, input->memory + input->raw_offset, done);
    }
    while (input->descriptor >= 0 && done < n) {
        ssize_t taken = read(input->descriptor, (char *)bytes + done, n - done);
        if (taken < 0 && errno == EINTR) continue;
        if (taken < 0) return zf_fail(ZF_EIO, "%s: cannot read: %s", input->path, strerror(errno));
        if (taken == 0) break;
        done += (size_t)taken;
    }
    input->raw_offset += done;
    *got = done;
    return ZF_OK;
}

static zf_status refill(zf_io_input *input)
{
    size_t kept = input->end - input->start, got;
    memmove(input->buffer, input->buffer + input->start, kept);
    input->start = 0;
    input->end = kept;
    ZF_TRY(read_raw(input, input->buffer + kept, BUFFER_BYTES - kept, &got));
    input->end = kept + got;
    return ZF_OK;
}

/* The source through the buffer; large pieces go around it. */
static zf_status read_plain(zf_io_input *input, unsigned char *bytes, size_t n, size_t *got)
{
    size_t done = 0;
    while (done < n) {
        size_t held = input->end - input->start;
        if (held > 0) {
            size_t piece = held < n - done ? held : n - done;
            memcpy(bytes + done, input->buffer + input->start, piece);
            input->start += piece;
            done += piece;
        } else if (n - done >= BUFFER_BYTES) {
            size_t direct;
            ZF_TRY(read_raw(input, bytes + done, n - done, &direct));
            done += direct;
            break;
        } else {
            ZF_TRY(refill(input));
            if (input->end == 0) break;
        }
    }
    *got = done;
    return ZF_OK;
}

static zf_status gzip_failure(const zf_io_input *input, const char *fault)
{
    return zf_fail(ZF_EINPUT,
                   "%s: gzip stream %s after %llu bytes of data; expected a whole stream",
                   input->path, fault, (unsigned long long)input->offset);
}

/* Between members: another one, or the end. */
static zf_status next_member(zf_io_input *input)
{
    if (input->end - input->start < 2) ZF_TRY(refill(input));
    size_t held = input->end - input->start;
    if (held == 0) {
        input->at_end = true;
        return ZF_OK;
    }
    const unsigned char *next = input->buffer + input->start;
    if (held < 2 || next[0] != 0x1f || next[1] != 0x8b)
        return gzip_failure(input, "is followed by bytes that are not gzip");
    if (inflateReset(&input->stream) != Z_OK) return zf_fail_memory(sizeof input->stream);
    input->in_member = true;
    return ZF_OK;
}

/* One call of inflate on what is in the buffer. */
static zf_status inflate_some(zf_io_input *input, unsigned char *bytes, size_t n, size_t *got)
{
    *got = 0;
    if (!input->in_member) {
        ZF_TRY(next_member(input));
        if (input->at_end) return ZF_OK;
    }
    if (input->start == input->end) ZF_TRY(refill(input));
    if (input->start == input->end) return gzip_failure(input, "is truncated");
    z_stream *stream = &input->stream;
    stream->next_in = input->buffer + input->start;
    stream->avail_in = (unsigned)(input->end - input->start);
    stream->next_out = bytes;
    stream->avail_out = n > UINT_MAX ? UINT_MAX : (unsigned)n;
    unsigned room = stream->avail_out;
    int code = inflate(stream, Z_NO_FLUSH);
    input->start = input->end - stream->avail_in;
    *got = room - stream->avail_out;
    if (code == Z_STREAM_END) input->in_member = false;
    if (code == Z_MEM_ERROR) return zf_fail_memory(1u << MAX_WBITS);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return gzip_failure(input, "is damaged");
    return ZF_OK;
}

static zf_status read_gzip(zf_io_input *input, unsigned char *bytes, size_t n, size_t *got)
{
    size_t done = 0;
    while (done < n && !input->at_end) {
        size_t piece;
        ZF_TRY(inflate_some(input, bytes + done, n - done, &piece));
        done += piece;
        input->offset += piece; /* for the messages; zf_io_input_read takes it back */
    }
    input->offset -= done;
    *got = done;
    return ZF_OK;
}

static zf_status read_data(zf_io_input *input, unsigned char *bytes, size_t n, size_t *got)
{
    return (input->gzip ? read_gzip : read_plain)(input, bytes, n, got);
}

zf_status zf_io_input_read(zf_io_input *input, void *bytes, size_t n, size_t *got)
{
    unsigned char *place = bytes;
    size_t waiting = input->peek_end - input->peek_start;
    size_t first = waiting < n ? waiting : n, rest = 0;
    if (first > 0) memcpy(place, input->peeked + input->peek_start, first);
    input->peek_start += first;
    if (n > first) ZF_TRY(read_data(input, place + first, n - first, &rest));
    input->offset += first + rest;
    *got = first + rest;
    return ZF_OK;
}

/* Bytes until the end or `most`, in new memory that grows with them; what a plain file or
   memory still has is asked for at once. */
static zf_status gather(unsigned char **bytes, uint64_t *n, zf_io_input *input, uint64_t most)
{
    uint64_t used = 0, room = BUFFER_BYTES;
    if (zf_io_input_is_sized(input) && input->size > input->offset + room)
        room = input->size - input->offset + 1;
    unsigned char *all = NULL;
    for (size_t got;; room *= 2) {
        if (room > most) room = most;
        unsigned char *grown = room < SIZE_MAX ? realloc(all, (size_t)room + 1) : NULL;
        zf_status status = grown ? ZF_OK : zf_fail_memory(room);
        if (grown) all = grown;
        if (status == ZF_OK)
            status = zf_io_input_read(input, all + used, (size_t)(room - used), &got);
        if (status != ZF_OK) {
            free(all);
            return status;
        }
        used += got;
        if (used < room || used == most) break;
    }
    *bytes = all;
    *n = used;
    return ZF_OK;
}

zf_status zf_io_input_read_all(zf_io_input *input, char **bytes, size_t *n)
{
    unsigned char *all;
    uint64_t got;
    ZF_TRY(gather(&all, &got, input, UINT64_MAX));
    *bytes = (char *)all;
    *n = (size_t)got;
    return ZF_OK;
}

static zf_status cut_short(const zf_io_input *input, uint64_t expected, const char *what,
                           uint64_t before, uint64_t got)
{
    return zf_fail(ZF_EINPUT, "%s: truncated: expected %llu bytes of %s at offset %llu, found %llu",
                   input->path, (unsigned long long)expected, what, (unsigned long long)before,
                   (unsigned long long)got);
}

zf_status zf_io_input_read_exactly(zf_io_input *input, void *bytes, size_t n, const char *what)
{
    uint64_t before = input->offset;
    size_t got;
    ZF_TRY(zf_io_input_read(input, bytes, n, &got));
    return got == n ? ZF_OK : cut_short(input, n, what, before, got);
}

zf_status zf_io_input_take(unsigned char **bytes, zf_io_input *input, uint64_t n, const char *what)
{
    uint64_t before = input->offset, got;
    unsigned char *all;
    ZF_TRY(gather(&all, &got, input, n));
    if (got == n) {
        *bytes = all;
        return ZF_OK;
    }
    free(all);
    return cut_short(input, n, what, before, got);
}

zf_status zf_io_input_promise(const zf_io_input *input, uint64_t bytes)
{
    uint64_t bound = zf_io_input_bound(input), left = bound - input->offset;
    if (bound == UINT64_MAX || bytes <= left) return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "%s: truncated: expected %llu bytes of data at offset %llu, found %s%llu",
                   input->path, (unsigned long long)bytes, (unsigned long long)input->offset,
                   zf_io_input_is_sized(input) ? "" : "at most ", (unsigned long long)left);
}

zf_status zf_io_input_end(zf_io_input *input, const char *what)
{
    uint64_t before = input->offset;
    char extra;
    size_t got;
    ZF_TRY(zf_io_input_read(input, &extra, 1, &got));
    if (got == 0) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: bytes after %s, expected the end at offset %llu", input->path,
                   what, (unsigned long long)before);
}

zf_status zf_io_input_peek(zf_io_input *input, unsigned char bytes[ZF_INPUT_PEEK], size_t *got)
{
    if (input->peek_end == 0)
        ZF_TRY(read_data(input, input->peeked, ZF_INPUT_PEEK, &input->peek_end));
    memcpy(bytes, input->peeked, input->peek_end);
    *got = input->peek_end;
    return ZF_OK;
}

zf_status zf_io_input_read_at(zf_io_input *input, uint64_t offset, void *bytes, size_t n)
{
    if (!zf_io_input_is_sized(input))
        return zf_fail(ZF_EINPUT, "%s: expected a plain file, found %s", input->path,
                       input->gzip ? "gzip" : "a pipe");
    size_t done = 0;
    if (offset <= input->size && n <= input->size - offset && input->descriptor < 0) {
        if (n > 0) memcpy(bytes, input->memory + offset, n);
        done = n;
    }
    while (input->descriptor >= 0 && done < n) {
        ssize_t taken =
            pread(input->descriptor, (char *)bytes + done, n - done, (off_t)(offset + done));
        if (taken < 0 && errno == EINTR) continue;
        if (taken < 0) return zf_fail(ZF_EIO, "%s: cannot read: %s", input->path, strerror(errno));
        if (taken == 0) break;
        done += (size_t)taken;
    }
    if (done == n) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: truncated: expected %zu bytes at offset %llu, found %zu",
                   input->path, n, (unsigned long long)offset, done);
}

/* Looks at the first two bytes and starts zlib if they are gzip's. */
static zf_status start(zf_io_input *input)
{
    ZF_TRY(refill(input));
    if (input->end < 2 || input->buffer[0] != 0x1f || input->buffer[1] != 0x8b) return ZF_OK;
    if (inflateInit2(&input->stream, GZIP_WINDOW) != Z_OK) return zf_fail_memory(1u << MAX_WBITS);
    input->gzip = true;
    input->in_member = true;
    return ZF_OK;
}

static zf_status open_descriptor(zf_io_input *input)
{
    struct stat about;
    input->descriptor = open(input->path, O_RDONLY | O_CLOEXEC);
    if (input->descriptor < 0 || fstat(input->descriptor, &about) != 0)
        return zf_fail(ZF_EIO, "%s: cannot open: %s", input->path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return zf_fail(ZF_EIO, "%s: cannot read: this is a folder, expected a file", input->path);
    input->size = S_ISREG(about.st_mode) ? (uint64_t)about.st_size : UINT64_MAX;
    return ZF_OK;
}

static zf_status open_source(zf_io_input **out, const char *name, const void *bytes, size_t n)
{
    zf_io_input *input = calloc(1, sizeof *input);
    char *path = strdup(name);
    if (!input || !path) {
        free(input);
        free(path);
        return zf_fail_memory(sizeof *input);
    }
    input->path = path;
    input->descriptor = -1;
    input->memory = bytes;
    input->size = n;
    zf_status status = bytes ? ZF_OK : open_descriptor(input);
    if (status == ZF_OK) status = start(input);
    if (status != ZF_OK) {
        zf_io_input_close(input);
        return status;
    }
    *out = input;
    return ZF_OK;
}

zf_status zf_io_input_open(zf_io_input **out, const char *path)
{
    return open_source(out, path, NULL, 0);
}

zf_status zf_io_input_open_memory(zf_io_input **out, const char *name, const void *bytes, size_t n)
{
    return open_source(out, name, bytes ? bytes : "", n);
}
