/* Writing a file so that it is there whole or not at all.

   Bytes go to a file without a name in the same folder, which is synced, given a name of chance
   and renamed to PATH on commit. Until then, and after any failure, the old PATH is untouched.
   What has no name cannot take another file's place, and is gone when the process dies. Where
   the file system knows no such files (NFS, FUSE), the name of chance, .zeroflow-*.partial, is
   there from the beginning; it is removed on failure, and a process that is killed leaves it.

   Of several writers of one path, which zf_files (zeroflow/files.h) keeps apart, the last to
   commit wins. A path that names a device or a pipe (/dev/stdout) is written straight. */
#ifndef ZF_IO_FILE_H
#define ZF_IO_FILE_H

#include <stddef.h>

#include "zeroflow/status.h"

typedef struct zf_file zf_file;

/* ZF_EIO: what zf_io_place_find refuses (io/place.h). ZF_EOUTPUT: nothing can be made there. */
zf_status zf_file_create(zf_file **out, const char *path) ZF_CHECK;

/* Appends. After a failure (ZF_EOUTPUT: disk full, ...) the file can only be dropped. */
zf_status zf_file_write(zf_file *file, const void *bytes, size_t n) ZF_CHECK;

/* Makes the file appear under its name and frees the handle, whatever happens. */
zf_status zf_file_commit(zf_file *file) ZF_CHECK;

/* Leaves everything as it was before zf_file_create and frees the handle. NULL is fine. */
void zf_file_drop(zf_file *file);

/* All of the above for bytes that are at hand. */
zf_status zf_file_write_whole(const char *path, const void *bytes, size_t n) ZF_CHECK;

#endif
