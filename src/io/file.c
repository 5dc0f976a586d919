/* The atomic writer: a file without a name in the target's folder, fsync, link, rename.

   linkat() alone cannot replace a file, so the file gets a name of chance for the instant between
   the two; a process that is killed just there leaves a whole file of that name. Rejected: a
   name made from PATH, which may be a file of the user's, and may be too long where PATH is not;
   one lock on it, which would have to be held from the beginning of a job, not of its last
   second. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/place.h"

enum { BUFFER_BYTES = 64 * 1024, NAME_TRIES = 16, NAME_BYTES = 48, PROC_BYTES = 32 };

struct zf_file {
    char *shown; /* the path as the caller gave it, for messages */
    zf_io_place place;
    char partial[NAME_BYTES]; /* the name of chance; "": it has none, or is written straight */
    int descriptor;
    bool failed;
    size_t held; /* bytes waiting in buffer */
    unsigned char buffer[BUFFER_BYTES];
};

static zf_status system_failure(const zf_file *file)
{
    return zf_fail(ZF_EOUTPUT, "%s: cannot write: %s", file->shown, strerror(errno));
}

/* Closes and frees; what has a name of chance goes. */
static void discard(zf_file *file)
{
    if (file->partial[0]) unlinkat(file->place.folder, file->partial, 0);
    if (file->descriptor >= 0) close(file->descriptor);
    zf_io_place_free(&file->place);
    free(file->shown);
    free(file);
}

static bool name_by_chance(char name[NAME_BYTES])
{
    uint64_t chance;
    if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance) return false;
    snprintf(name, NAME_BYTES, ".zeroflow-%016" PRIx64 ".partial", chance);
    return true;
}

static void name_in_proc(char name[PROC_BYTES], int descriptor)
{
    snprintf(name, PROC_BYTES, "/proc/self/fd/%d", descriptor);
}

/* A file without a name; -1 where there are none, or no way (/proc) to name it later. */
static int open_unnamed(const zf_file *file)
{
    char proc[PROC_BYTES];
    int descriptor = openat(file->place.folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    name_in_proc(proc, descriptor);
    if (access(proc, F_OK) == 0) return descriptor;
    close(descriptor);
    return -1;
}

static zf_status open_partial(zf_file *file)
{
    file->descriptor = open_unnamed(file);
    for (int i = 0; i < NAME_TRIES && file->descriptor < 0; i++) {
        char name[NAME_BYTES];
        if (!name_by_chance(name)) break;
        file->descriptor =
            openat(file->place.folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor >= 0)
            memcpy(file->partial, name, sizeof name);
        else if (errno != EEXIST)
            break;
    }
    if (file->descriptor < 0) return system_failure(file);
    /* The new file keeps the permissions of the one that it replaces. */
    if (file->place.exists && fchmod(file->descriptor, file->place.about.st_mode & 07777) != 0)
        return system_failure(file);
    return ZF_OK;
}

static zf_status open_target(zf_file *file)
{
    ZF_TRY(zf_io_place_find(&file->place, file->shown));
    if (!file->place.straight) return open_partial(file);
    file->descriptor = open(file->place.path, O_WRONLY | O_CLOEXEC);
    return file->descriptor >= 0 ? ZF_OK : system_failure(file);
}

zf_status zf_file_create(zf_file **out, const char *path)
{
    zf_file *file = malloc(sizeof *file);
    if (!file) return zf_fail_memory(sizeof *file);
    file->place = (zf_io_place){.folder = -1};
    file->partial[0] = '\0';
    file->descriptor = -1;
    file->failed = false;
    file->held = 0;
    file->shown = strdup(path);
    zf_status status = file->shown ? open_target(file) : zf_fail_memory(strlen(path));
    if (status != ZF_OK) {
        discard(file);
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
            return system_failure(file);
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
    if (file->failed) return zf_fail(ZF_EOUTPUT, "%s: an earlier write failed", file->shown);
    if (n > BUFFER_BYTES - file->held) ZF_TRY(flush(file));
    if (n >= BUFFER_BYTES) return write_through(file, bytes, n);
    if (n > 0) memcpy(file->buffer + file->held, bytes, n);
    file->held += n;
    return ZF_OK;
}

/* The rename itself must reach the disk too. A folder that cannot be opened or
   synced (some network file systems) is no failure: the file is there. */
static void sync_folder(int folder)
{
    int descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

/* Gives the file a name of chance, if it has none. */
static zf_status give_name(zf_file *file)
{
    char proc[PROC_BYTES];
    name_in_proc(proc, file->descriptor);
    for (int i = 0; i < NAME_TRIES && !file->partial[0]; i++) {
        char name[NAME_BYTES];
        if (!name_by_chance(name)) break;
        if (linkat(AT_FDCWD, proc, file->place.folder, name, AT_SYMLINK_FOLLOW) == 0)
            memcpy(file->partial, name, sizeof name);
        else if (errno != EEXIST)
            break;
    }
    return file->partial[0] ? ZF_OK : system_failure(file);
}

static zf_status settle(zf_file *file)
{
    const zf_io_place *place = &file->place;
    if (file->failed) return zf_fail(ZF_EOUTPUT, "%s: an earlier write failed", file->shown);
    ZF_TRY(flush(file));
    if (place->straight) return ZF_OK;
    if (fsync(file->descriptor) != 0) return system_failure(file);
    ZF_TRY(give_name(file));
    if (renameat(place->folder, file->partial, place->folder, place->name) != 0)
        return system_failure(file);
    file->partial[0] = '\0';
    sync_folder(place->folder);
    return ZF_OK;
}

zf_status zf_file_commit(zf_file *file)
{
    zf_status status = settle(file);
    discard(file);
    return status;
}

void zf_file_drop(zf_file *file)
{
    if (file) discard(file);
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
