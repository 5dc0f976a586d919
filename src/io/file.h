/* Writing a file so that it is there whole or not at all.

   Bytes go to PATH.partial in the same folder, which is synced and renamed to
   PATH on commit. Until then, and after any failure, the old PATH is untouched;
   on failure the partial file is removed. A process that is killed leaves at
   most that one partial file, which the next write to the same path takes over.
   A lock on it keeps two writers of one path apart.

   A path that names a device or a pipe (/dev/stdout) is written straight. */
#ifndef ZF_IO_FILE_H
#define ZF_IO_FILE_H

#include <stddef.h>

#include "zeroflow/status.h"

typedef struct zf_file zf_file;

/* ZF_EIO: the folder is missing, not writable, ..., or another writer is at it. */
zf_status zf_file_create(zf_file **out, const char *path) ZF_CHECK;

/* Appends. After a failure (ZF_EIO: disk full, ...) the file can only be dropped. */
zf_status zf_file_write(zf_file *file, const void *bytes, size_t n) ZF_CHECK;

/* Makes the file appear under its name and frees the handle, whatever happens. */
zf_status zf_file_commit(zf_file *file) ZF_CHECK;

/* Leaves everything as it was before zf_file_create and frees the handle. NULL is fine. */
void zf_file_drop(zf_file *file);

/* All of the above for bytes that are at hand. */
zf_status zf_file_write_whole(const char *path, const void *bytes, size_t n) ZF_CHECK;

#endif
