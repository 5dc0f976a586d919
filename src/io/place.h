/* Where a file will be written: found and checked before anything is.

   A symbolic link is followed, so that the file it leads to is replaced and the link stays. One
   that leads nowhere is refused: it more often means a disk that is not mounted than a wish to
   make its target. So is a file that nobody may write (its permissions say so, also to root):
   it would be replaced, not written to, and that needs the folder's permission alone. */
#ifndef ZF_IO_PLACE_H
#define ZF_IO_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "zeroflow/status.h"

typedef struct zf_io_place {
    char *path;       /* as it was given, or where its links lead */
    const char *name; /* the last part of path */
    int folder;       /* a descriptor of what path is in; -1: straight */
    bool straight;    /* a device or a pipe: there is nothing to replace */
    bool exists;
    struct stat about;  /* if it exists */
    struct stat around; /* of the folder, unless straight */
} zf_io_place;

/* ZF_EIO, naming path: the folder is missing or not writable, the name is too long, it is a
   folder, a link that leads nowhere or in circles, a file that may not be written. */
zf_status zf_io_place_find(zf_io_place *out, const char *path) ZF_CHECK;
void zf_io_place_free(zf_io_place *place);

/* What zf_io_place_find finds out, when nothing else is needed of it. */
zf_status zf_io_place_check(const char *path) ZF_CHECK;

/* Whether two places are one file: by device and inode, or by the folder's and the name where
   the file is not there yet. False for what is written straight. */
bool zf_io_place_same(const zf_io_place *a, const zf_io_place *b);

#endif
