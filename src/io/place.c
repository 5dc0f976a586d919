#include "io/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Memory that ran out is no fault of the path. */
static zf_status refuse(const char *path, const char *what)
{
    int reason = errno;
    if (reason == ENOMEM) return zf_fail_memory(strlen(path));
    return zf_fail(ZF_EIO, "%s: %s: %s", path, what, strerror(reason));
}

/* *out: where a link leads, for free(); NULL: path is none. */
static zf_status follow(char **out, const char *path)
{
    struct stat about;
    *out = NULL;
    if (lstat(path, &about) != 0 || !S_ISLNK(about.st_mode)) return ZF_OK;
    *out = realpath(path, NULL);
    if (*out) return ZF_OK;
    if (errno == ENOENT || errno == ENOTDIR)
        return zf_fail(
            ZF_EIO, "%s: is a symbolic link to nothing; remove it, or make what it leads to", path);
    return refuse(path, "cannot follow this symbolic link");
}

static zf_status check_file(const zf_io_place *place, const char *shown)
{
    mode_t anyone = S_IWUSR | S_IWGRP | S_IWOTH;
    if (S_ISDIR(place->about.st_mode))
        return zf_fail(ZF_EIO, "%s: is a folder, expected the name of a file to write", shown);
    if (S_ISREG(place->about.st_mode) && !(place->about.st_mode & anyone))
        return zf_fail(ZF_EIO, "%s: is read-only; allow writing (chmod u+w), or name another file",
                       shown);
    if (faccessat(AT_FDCWD, place->path, W_OK, AT_EACCESS) != 0)
        return refuse(shown, "cannot write");
    return ZF_OK;
}

static zf_status open_folder(zf_io_place *place, const char *shown)
{
    static const char what[] = "cannot write into its folder";
    size_t length = (size_t)(place->name - place->path);
    char *folder = malloc(length + 1);
    if (!folder) return zf_fail_memory(length + 1);
    memcpy(folder, place->path, length);
    folder[length] = '\0';
    place->folder = open(*folder ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (place->folder < 0 || fstat(place->folder, &place->around) != 0 ||
        faccessat(place->folder, ".", W_OK | X_OK, AT_EACCESS) != 0)
        return refuse(shown, what);
    return ZF_OK;
}

/* Others' files in a folder such as /tmp cannot be replaced. */
static zf_status check_sticky(const zf_io_place *place, const char *shown)
{
    uid_t we = geteuid();
    if (!place->exists || !(place->around.st_mode & S_ISVTX) || we == 0 ||
        we == place->around.st_uid || we == place->about.st_uid)
        return ZF_OK;
    return zf_fail(
        ZF_EIO, "%s: belongs to another user, and its folder lets nobody else replace it", shown);
}

static zf_status find(zf_io_place *place, const char *path)
{
    ZF_TRY(follow(&place->path, path));
    if (!place->path) place->path = strdup(path);
    if (!place->path) return zf_fail_memory(strlen(path));
    const char *slash = strrchr(place->path, '/');
    place->name = slash ? slash + 1 : place->path;
    place->exists = stat(place->path, &place->about) == 0;
    if (!place->exists && errno != ENOENT && errno != ENOTDIR) return refuse(path, "cannot write");
    if (place->exists) ZF_TRY(check_file(place, path));
    place->straight = place->exists && !S_ISREG(place->about.st_mode);
    if (place->straight) return ZF_OK;
    if (!*path || !*place->name)
        return zf_fail(ZF_EIO, "\"%s\": expected the name of a file to write", path);
    ZF_TRY(open_folder(place, path));
    return check_sticky(place, path);
}

zf_status zf_io_place_find(zf_io_place *out, const char *path)
{
    zf_io_place place = {.folder = -1};
    zf_status status = find(&place, path);
    if (status == ZF_OK)
        *out = place;
    else
        zf_io_place_free(&place);
    return status;
}

void zf_io_place_free(zf_io_place *place)
{
    if (place->folder >= 0) close(place->folder);
    free(place->path);
    *place = (zf_io_place){.folder = -1};
}

zf_status zf_io_place_check(const char *path)
{
    zf_io_place place;
    ZF_TRY(zf_io_place_find(&place, path));
    zf_io_place_free(&place);
    return ZF_OK;
}

static bool same_node(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool zf_io_place_same(const zf_io_place *a, const zf_io_place *b)
{
    if (a->straight || b->straight) return false;
    if (a->exists && b->exists) return same_node(&a->about, &b->about);
    return !a->exists && !b->exists && same_node(&a->around, &b->around) &&
           strcmp(a->name, b->name) == 0;
}
