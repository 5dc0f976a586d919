#include "io/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fingerprint.h"

enum { TRIES = 64 };

static void name_lock(char name[ZF_HOLD_NAME], const char *output)
{
    uint64_t hash = ZF_FINGERPRINT_START;
    for (const unsigned char *at = (const unsigned char *)output; *at; at++) {
        uint32_t word = *at;
        hash = zf_fingerprint(hash, &word, 1);
    }
    snprintf(name, ZF_HOLD_NAME, ".zeroflow-%016" PRIx64 ".lock", hash);
}

/* Is the open file still the one that the name leads to? Between open and lock another process
   may have released and removed it. */
static bool still_named(int descriptor, int folder, const char *name)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 &&
           fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Another user's lock may be open to reading alone, which is enough to lock it on most file
   systems. */
static int open_lock(int folder, const char *name)
{
    int how = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int descriptor = openat(folder, name, O_RDWR | how);
    if (descriptor < 0 && errno == EACCES) descriptor = openat(folder, name, O_RDONLY | how);
    if (descriptor >= 0 || errno != ENOENT) return descriptor;
    return openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static bool is_taken(int descriptor)
{
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

zf_status zf_hold_file(zf_hold *out, const zf_io_place *place, const char *shown)
{
    zf_hold hold = {.descriptor = -1};
    *out = hold;
    if (place->straight) return ZF_OK;
    name_lock(hold.name, place->name);
    for (int i = 0; i < TRIES; i++) {
        hold.descriptor = open_lock(place->folder, hold.name);
        if (hold.descriptor < 0 && errno == EEXIST) continue; /* made by another just now */
        if (hold.descriptor < 0)
            return zf_fail(ZF_EOUTPUT, "%s: cannot write into its folder: %s", shown,
                           strerror(errno));
        if (is_taken(hold.descriptor)) {
            close(hold.descriptor);
            return zf_fail(ZF_EOUTPUT,
                           "%s: another process is making this file; wait for it, or name another "
                           "file",
                           shown);
        }
        if (still_named(hold.descriptor, place->folder, hold.name)) {
            *out = hold;
            return ZF_OK;
        }
        close(hold.descriptor);
    }
    return zf_fail(ZF_EOUTPUT, "%s: other processes keep making this file", shown);
}

zf_status zf_hold_folder(zf_hold *out, const char *path)
{
    *out = (zf_hold){.descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    /* A folder that may be written and not read cannot be locked. */
    if (out->descriptor < 0 || !is_taken(out->descriptor)) return ZF_OK;
    close(out->descriptor);
    out->descriptor = -1;
    return zf_fail(ZF_EOUTPUT,
                   "%s: another process is writing into this folder; wait for it, or name another "
                   "folder",
                   path);
}

void zf_hold_release(zf_hold *hold, const zf_io_place *place)
{
    struct stat about;
    if (hold->descriptor < 0) return;
    /* Locks are empty: whatever else has this name is not ours to remove. */
    if (hold->name[0] && fstat(hold->descriptor, &about) == 0 && about.st_size == 0 &&
        S_ISREG(about.st_mode))
        unlinkat(place->folder, hold->name, 0);
    close(hold->descriptor);
    hold->descriptor = -1;
}
