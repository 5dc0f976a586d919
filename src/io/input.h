/* Bytes from outside: a plain file, a gzipped one, a pipe, or memory.

   Whether the bytes are gzipped is decided by what they are, not by the name.
   Everything reads through this, so a gzip stream that is cut short or damaged
   is found in one place. Messages start with the path. */
#ifndef ZF_IO_INPUT_H
#define ZF_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

typedef struct zf_io_input zf_io_input;

enum { ZF_INPUT_PEEK = 4096 }; /* how far zf_io_input_peek looks */

/* ZF_EIO: missing, not readable, or a folder. */
zf_status zf_io_input_open(zf_io_input **out, const char *path) ZF_CHECK;

/* The bytes of the caller, who keeps them alive; name stands for the path in messages. */
zf_status zf_io_input_open_memory(zf_io_input **out, const char *name, const void *bytes,
                                  size_t n) ZF_CHECK;

/* Up to n bytes; *got < n only at the end of the data. ZF_EINPUT: the gzip
   stream is truncated or damaged. */
zf_status zf_io_input_read(zf_io_input *input, void *bytes, size_t n, size_t *got) ZF_CHECK;

/* All that is left; *bytes is for free(). Memory grows with what has come. */
zf_status zf_io_input_read_all(zf_io_input *input, char **bytes, size_t *n) ZF_CHECK;

/* Exactly n bytes. ZF_EINPUT where the data ends early; what says what they are
   ("the header", "the data"). */
zf_status zf_io_input_read_exactly(zf_io_input *input, void *bytes, size_t n,
                                   const char *what) ZF_CHECK;

/* Exactly n bytes in new memory, for free(). Where a plain file or memory has them they
   are asked for at once; of gzip and pipes memory grows with the data that comes, to at
   most twice that. ZF_EINPUT where the data ends early; ZF_ENOMEM. */
zf_status zf_io_input_take(unsigned char **bytes, zf_io_input *input, uint64_t n,
                           const char *what) ZF_CHECK;

/* ZF_EINPUT: so many more bytes of data, promised by a header, cannot be there. */
zf_status zf_io_input_promise(const zf_io_input *input, uint64_t bytes) ZF_CHECK;

/* ZF_EINPUT: something comes after what has been read ("the array"). */
zf_status zf_io_input_end(zf_io_input *input, const char *what) ZF_CHECK;

/* The first bytes (ZF_INPUT_PEEK at most) of the data without taking them; only
   before the first read. */
zf_status zf_io_input_peek(zf_io_input *input, unsigned char bytes[ZF_INPUT_PEEK],
                           size_t *got) ZF_CHECK;

/* Exactly n bytes from any place of data that is neither gzipped nor a pipe;
   moves nothing. ZF_EINPUT where the data ends early. */
zf_status zf_io_input_read_at(zf_io_input *input, uint64_t offset, void *bytes, size_t n) ZF_CHECK;

const char *zf_io_input_path(const zf_io_input *input);
uint64_t zf_io_input_offset(const zf_io_input *input); /* bytes of data taken so far */
bool zf_io_input_is_gzip(const zf_io_input *input);

/* No more bytes of data than this can come in all: the size of a plain file;
   for gzip what its compressed size could unfold to; UINT64_MAX for a pipe. A
   reader compares it with what a header promises before it asks for memory. */
uint64_t zf_io_input_bound(const zf_io_input *input);

/* Is the bound the exact size? */
bool zf_io_input_is_sized(const zf_io_input *input);

void zf_io_input_close(zf_io_input *input); /* NULL is fine */

#endif
