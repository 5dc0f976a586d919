/* What a file is, by how it begins: so that a reader that was given the wrong one can say so.

   One list for all readers. It only names things; whether a reader takes a file is its own
   affair. */
#ifndef ZF_IO_RECOGNISE_H
#define ZF_IO_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/status.h"

enum { ZF_RECOGNISE_BYTES = 1 << 16 }; /* more than these change nothing */

typedef enum zf_content_class {
    ZF_CONTENT_UNKNOWN,
    ZF_CONTENT_EMPTY,
    ZF_CONTENT_TEXT,   /* such as CSV */
    ZF_CONTENT_MARKUP, /* text that begins as JSON, DOT or GML do; a table might, too */
    ZF_CONTENT_NPY,
    ZF_CONTENT_TENSORS, /* safetensors: models and checkpoints */
    ZF_CONTENT_IMAGE,   /* one alone */
    ZF_CONTENT_PACKED,
    ZF_CONTENT_OTHER,
} zf_content_class;

typedef struct zf_content {
    zf_content_class class;
    const char *what; /* "a PNG image", "a CSV table", "of no known kind" */
} zf_content;

zf_content zf_recognise(const void *bytes, size_t n);

/* ZF_EINPUT "PATH: this is WHAT, expected EXPECTED" unless the bytes are text,
   markup or unknown. */
zf_status zf_recognise_text(const char *path, const void *bytes, size_t n,
                            const char *expected) ZF_CHECK;

/* The same of a file that has to be a safetensors file, if it is known to be something else,
   or a folder; ZF_OK if it may be one, or cannot be looked at. */
zf_status zf_recognise_model(const char *path, const char *expected) ZF_CHECK;

/* What a model or a checkpoint of a task ("blanket") is; NULL: no task of this library. */
const char *zf_recognise_task(const char *task, bool checkpoint);

/* "a model of blankets (zeroflow fit makes one)" */
const char *zf_recognise_wanted(const char *task);

#endif
