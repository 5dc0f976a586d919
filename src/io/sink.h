/* Where bytes go while a file is being made: into a file that is there whole or
   not at all, onto standard output, or into memory.

   The first failure is kept and what comes after it is ignored, so a writer
   needs no checks in between: the end tells how it went. */
#ifndef ZF_IO_SINK_H
#define ZF_IO_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "io/file.h"
#include "zeroflow/status.h"

typedef struct zf_sink {
    zf_file *file; /* NULL: memory */
    char *bytes;   /* what memory holds */
    size_t n, room;
    zf_status status;
    bool guard; /* against formulas (io/csv_write.h); false when opened */
} zf_sink;

/* "-" is standard output: collected in memory and written by the end. */
zf_status zf_sink_open(zf_sink *sink, const char *path) ZF_CHECK;
void zf_sink_open_memory(zf_sink *sink);

void zf_sink_bytes(zf_sink *sink, const void *bytes, size_t n);
void zf_sink_text(zf_sink *sink, const char *text);
void zf_sink_byte(zf_sink *sink, char byte);

/* Makes the writer fail with the status and message that the caller has set. */
void zf_sink_fail(zf_sink *sink, zf_status status);

/* The end: commits the file, or writes to standard output. Frees, whatever happens. */
zf_status zf_sink_finish(zf_sink *sink) ZF_CHECK;

/* The end of a sink in memory: *bytes is for free() and has a NUL behind it. */
zf_status zf_sink_take(zf_sink *sink, char **bytes, size_t *n) ZF_CHECK;

#endif
