/* Bytes to a file, to standard output or to memory, with a failure that sticks. */
#include "io/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { FIRST_ROOM = 4096 };

void zf_sink_open_memory(zf_sink *sink)
{
    *sink = (zf_sink){0};
}

zf_status zf_sink_open(zf_sink *sink, const char *path)
{
    zf_sink_open_memory(sink);
    return strcmp(path, "-") == 0 ? ZF_OK : zf_file_create(&sink->file, path);
}

/* One byte more than asked for, so that a NUL fits behind the last. */
static zf_status grow(zf_sink *sink, size_t n)
{
    size_t need = sink->n + n + 1, room = sink->room ? sink->room : FIRST_ROOM;
    if (need <= sink->room) return ZF_OK;
    while (room < need) room *= 2;
    char *bytes = realloc(sink->bytes, room);
    if (!bytes) return zf_fail_memory(room);
    sink->bytes = bytes;
    sink->room = room;
    return ZF_OK;
}

void zf_sink_bytes(zf_sink *sink, const void *bytes, size_t n)
{
    if (sink->status != ZF_OK) return;
    if (sink->file) {
        sink->status = zf_file_write(sink->file, bytes, n);
        return;
    }
    sink->status = grow(sink, n);
    if (sink->status != ZF_OK) return;
    if (n > 0) memcpy(sink->bytes + sink->n, bytes, n);
    sink->n += n;
}

void zf_sink_text(zf_sink *sink, const char *text)
{
    zf_sink_bytes(sink, text, strlen(text));
}

void zf_sink_byte(zf_sink *sink, char byte)
{
    zf_sink_bytes(sink, &byte, 1);
}

void zf_sink_fail(zf_sink *sink, zf_status status)
{
    if (sink->status == ZF_OK) sink->status = status;
}

static zf_status write_out(const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, n);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return zf_fail(ZF_EOUTPUT, "cannot write to standard output: %s", strerror(errno));
        bytes += written;
        n -= (size_t)written;
    }
    return ZF_OK;
}

zf_status zf_sink_finish(zf_sink *sink)
{
    zf_status status = sink->status;
    if (sink->file && status == ZF_OK)
        status = zf_file_commit(sink->file);
    else if (sink->file)
        zf_file_drop(sink->file);
    else if (status == ZF_OK)
        status = write_out(sink->bytes, sink->n);
    free(sink->bytes);
    *sink = (zf_sink){0};
    return status;
}

zf_status zf_sink_take(zf_sink *sink, char **bytes, size_t *n)
{
    zf_sink_bytes(sink, "", 1);
    zf_status status = sink->status;
    if (status == ZF_OK) {
        *bytes = sink->bytes;
        *n = sink->n - 1;
    } else {
        free(sink->bytes);
    }
    *sink = (zf_sink){0};
    return status;
}
