/* Checks the files of a job before it runs: that no output overwrites an input or another output,
   that each output can be written, and that no other job is writing it.

     zf_files *files;
     zf_files_new(&files);
     zf_files_reads(files, "the data", "rows.csv");
     zf_files_writes(files, "the model", "rows.model");
     zf_files_hold(files);            ... the work, which opens the files as it likes
     zf_files_free(files);            lets go of the outputs

   Files are known by device and inode, so that another spelling, a link or a hard link of a name
   is the same file; one that is not there yet by its folder and its name. "-" and devices such as
   /dev/null are never in conflict. Use a handle from one thread at a time. */
#ifndef ZEROFLOW_FILES_H
#define ZEROFLOW_FILES_H

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_files zf_files;

ZF_API zf_status zf_files_new(zf_files **out) ZF_CHECK;
/* Lets go of everything. NULL is allowed. */
ZF_API void zf_files_free(zf_files *files);

/* A file is read; "-" is what standard input comes from. role says what it is to the user, in up
   to 47 bytes. A path that cannot be found or is no file is ignored: opening it will fail later.
   ZF_EINVAL: it would be overwritten. */
ZF_API zf_status zf_files_reads(zf_files *files, const char *role, const char *path) ZF_CHECK;

/* The same; and if it is a folder, all that is in it is read, at any depth. */
ZF_API zf_status zf_files_reads_all(zf_files *files, const char *role, const char *path) ZF_CHECK;

/* A file is written. ZF_EINVAL: it is the same file as an input or another output, or lies in a
   folder that is read. ZF_EIO: it cannot be written: no such folder, no permission, a name too
   long, a folder, a symbolic link that leads nowhere, a file that is read-only. */
ZF_API zf_status zf_files_writes(zf_files *files, const char *role, const char *path) ZF_CHECK;

/* Takes hold of every output that is not held yet, until zf_files_free or the end of the
   process, however it ends. Held outputs have an empty file .zeroflow-*.lock beside them; one that
   a killed process left is taken over. On a file system without locks nothing is held.
   ZF_EOUTPUT: another job holds one, which is named. */
ZF_API zf_status zf_files_hold(zf_files *files) ZF_CHECK;

/* Creates a folder for results, with its parents, and takes hold of it; it may exist. ZF_EINVAL: it
   lies in a folder that is read. ZF_EIO: it cannot be made or written into. ZF_EOUTPUT: another job
   holds it. */
ZF_API zf_status zf_files_folder(zf_files *files, const char *role, const char *path) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
