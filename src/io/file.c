/* The atomic writer: a partial file beside the target, fsync, rename.

   The partial name is fixed (PATH.partial) and guarded by flock, where a random
   name would need no lock but leave one more orphan at each kill. A symbolic
   link is followed first, so that the file it points to is replaced and the
   link stays. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { BUFFER_BYTES = 64 * 1024, LOCK_TRIES = 8 };

struct zf_file {
    char *shown;   /* the path as the caller gave it, for messages */
    char *path;    /* where the links lead */
    char *partial; /* NULL when the path is written straight */
    int descriptor;
    bool failed;
    size_t held; /* bytes waiting in buffer */
    unsigned char buffer[BUFFER_BYTES];
};

static zf_status system_failure(const zf_file *file, const char *action)
{
    return zf_fail(ZF_EIO, "%s: cannot %s: %s", file->shown, action, strerror(errno));
}

/* Closes and frees; the partial file goes unless it has been renamed. */
static void discard(zf_file *file, bool keep)
{
    if (!keep && file->partial && file->descriptor >= 0) unlink(file->partial);
    if (file->descriptor >= 0) close(file->descriptor);
    free(file->shown);
    free(file->path);
    free(file->partial);
    free(file);
}

static char *with_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), extra = strlen(suffix) + 1;
    char *text = malloc(length + extra);
    if (!text) return NULL;
    memcpy(text, path, length);
    memcpy(text + length, suffix, extra);
    return text;
}

/* Is the open file still the one that the name leads to? Between open and lock
   another writer may have renamed it away. */
static bool still_named(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static zf_status open_partial(zf_file *file)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        int descriptor = open(file->partial, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0) return system_failure(file, "write");
        /* A file system without locks is no reason to refuse. */
        if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            close(descriptor);
            return zf_fail(ZF_EIO, "%s: another process is writing this file (%s is locked)",
                           file->shown, file->partial);
        }
        if (still_named(descriptor, file->partial)) {
            file->descriptor = descriptor;
            return ftruncate(descriptor, 0) == 0 ? ZF_OK : system_failure(file, "write");
        }
        close(descriptor);
    }
    return zf_fail(ZF_EIO, "%s: other processes keep writing this file", file->shown);
}

/* A device or a pipe: nothing to rename. */
static zf_status open_straight(zf_file *file)
{
    free(file->partial);
    file->partial = NULL;
    file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    return file->descriptor >= 0 ? ZF_OK : system_failure(file, "write");
}

static zf_status open_target(zf_file *file)
{
    struct stat old;
    bool exists = stat(file->path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return zf_fail(ZF_EIO, "%s: cannot write: this is a folder, expected a file name",
                       file->shown);
    if (exists && !S_ISREG(old.st_mode)) return open_straight(file);
    ZF_TRY(open_partial(file));
    /* The new file keeps the permissions of the one that it replaces. */
    if (exists && fchmod(file->descriptor, old.st_mode & 07777) != 0)
        return system_failure(file, "write");
    return ZF_OK;
}

zf_status zf_file_create(zf_file **out, const char *path)
{
    zf_file *file = malloc(sizeof *file);
    if (!file) return zf_fail_memory(sizeof *file);
    file->descriptor = -1;
    file->failed = false;
    file->held = 0;
    file->shown = strdup(path);
    file->path = realpath(path, NULL); /* NULL when it does not exist yet */
    if (!file->path) file->path = strdup(path);
    file->partial = file->path ? with_suffix(file->path, ".partial") : NULL;
    if (!file->shown || !file->partial) {
        discard(file, false);
        return zf_fail_memory(strlen(path));
    }
    zf_status status = open_target(file);
    if (status != ZF_OK) {
        discard(file, false);
        return status;
    }
    *out = file;
    return ZF_OK;
}

static zf_status write_through(zf_file *file, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(file->descriptor, bytes, n);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            file->failed = true;
            return system_failure(file, "write");
        }
        bytes += written;
        n -= (size_t)written;
    }
    return ZF_OK;
}

static zf_status flush(zf_file *file)
{
    size_t held = file->held;
    file->held = 0;
    return write_through(file, file->buffer, held);
}

zf_status zf_file_write(zf_file *file, const void *bytes, size_t n)
{
    if (file->failed) return zf_fail(ZF_EIO, "%s: an earlier write failed", file->shown);
    if (n > BUFFER_BYTES - file->held) ZF_TRY(flush(file));
    if (n >= BUFFER_BYTES) return write_through(file, bytes, n);
    if (n > 0) memcpy(file->buffer + file->held, bytes, n);
    file->held += n;
    return ZF_OK;
}

/* The rename itself must reach the disk too. A folder that cannot be opened or
   synced (some network file systems) is no failure: the file is there. */
static void sync_folder(const char *path)
{
    char *folder = strdup(path);
    if (!folder) return;
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder ? 1 : 0] = '\0';
    int descriptor = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

static zf_status settle(zf_file *file)
{
    if (file->failed) return zf_fail(ZF_EIO, "%s: an earlier write failed", file->shown);
    ZF_TRY(flush(file));
    if (!file->partial) return ZF_OK;
    if (fsync(file->descriptor) != 0) return system_failure(file, "write");
    if (rename(file->partial, file->path) != 0) return system_failure(file, "write");
    sync_folder(file->path);
    return ZF_OK;
}

zf_status zf_file_commit(zf_file *file)
{
    zf_status status = settle(file);
    discard(file, status == ZF_OK);
    return status;
}

void zf_file_drop(zf_file *file)
{
    if (file) discard(file, false);
}

zf_status zf_file_write_whole(const char *path, const void *bytes, size_t n)
{
    zf_file *file;
    ZF_TRY(zf_file_create(&file, path));
    zf_status status = zf_file_write(file, bytes, n);
    if (status == ZF_OK) return zf_file_commit(file);
    zf_file_drop(file);
    return status;
}
