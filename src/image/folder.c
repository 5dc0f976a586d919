/* Images in a folder, at any depth.

   Links are followed, as collections of classes are often made of them; a folder
   that is inside itself by way of a link is not entered again. Only plain files
   are taken: a pipe with the name of an image would wait forever. Whatever may
   not be looked at, a folder too, is left out by name and reason. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "image/set.h"

enum { PATH_BYTES = 4096, MOST_DEPTH = 16 };

/* A folder on the way down. */
typedef struct place {
    const struct place *above;
    dev_t device;
    ino_t node;
    int depth;
} place;

typedef struct walk {
    zf_images *set;
    char path[PATH_BYTES]; /* root/..., changed in place */
    size_t root;           /* where names begin in it */
} walk;

static zf_status enter(walk *w, const place *above, size_t length);

static bool inside_itself(const place *above, const struct stat *about)
{
    for (; above; above = above->above)
        if (above->device == about->st_dev && above->node == about->st_ino) return true;
    return false;
}

/* Keeps the name of the first archive, for whoever named the folder and meant that. */
static zf_status add_other(zf_images *set, const char *name)
{
    const char *end = strstr(name, ".tar");
    bool archive = end && (!end[4] || strcmp(end, ".tar.gz") == 0);
    set->about.other_files++;
    if (!archive || (set->archive && strcmp(set->archive, name) < 0)) return ZF_OK;
    set->archive = zf_arena_string(&set->arena, name);
    return set->archive ? ZF_OK : ZF_ENOMEM;
}

static zf_status add_file(walk *w, const struct stat *about)
{
    const char *name = w->path + w->root;
    if (!zf_set_is_image(name)) return add_other(w->set, name);
    if (!S_ISREG(about->st_mode))
        return zf_set_refuse(w->set, name, "a pipe or device, expected a file");
    if (about->st_size > ZF_IMAGE_FILE)
        return zf_set_refuse(w->set, name, "a file of more than 256 MB");
    return zf_set_add(w->set, (zf_image_item){.name = name, .bytes = (uint32_t)about->st_size});
}

/* Leaves out what is at w->path, of which errno tells. What ends the whole search: no memory,
   and a root that cannot be read. */
static zf_status leave_out(const walk *w, bool root)
{
    zf_status status = zf_set_system_failure();
    if (status == ZF_ENOMEM || root) return zf_fail_within(status, "%s: cannot read: ", w->path);
    return zf_set_refuse(w->set, w->path + w->root, zf_error());
}

/* What is at w->path, whose folder is `above`. A link to nowhere may be anything, also a folder
   of images, and is left out like one. */
static zf_status visit(walk *w, const place *above, size_t length)
{
    struct stat about;
    if (stat(w->path, &about) != 0) return leave_out(w, false);
    if (!S_ISDIR(about.st_mode)) return add_file(w, &about);
    if (inside_itself(above, &about)) return ZF_OK;
    if (above->depth == MOST_DEPTH)
        return zf_set_refuse(w->set, w->path + w->root, "a folder more than 16 deep");
    place here = {above, about.st_dev, about.st_ino, above->depth + 1};
    return enter(w, &here, length);
}

static zf_status visit_all(walk *w, DIR *folder, const place *here, size_t length)
{
    for (;;) {
        errno = 0;
        const struct dirent *item = readdir(folder);
        if (!item) return errno == 0 ? ZF_OK : leave_out(w, here->depth == 0);
        if (item->d_name[0] == '.') continue;
        int more = snprintf(w->path + length, PATH_BYTES - length, "/%s", item->d_name);
        zf_status status =
            (size_t)more >= PATH_BYTES - length
                ? zf_set_refuse(w->set, item->d_name, "a path of more than 4,095 bytes")
                : visit(w, here, length + (size_t)more);
        w->path[length] = 0;
        if (status != ZF_OK) return status;
    }
}

static zf_status enter(walk *w, const place *here, size_t length)
{
    DIR *folder = opendir(w->path);
    if (!folder) return leave_out(w, here->depth == 0);
    zf_status status = visit_all(w, folder, here, length);
    closedir(folder);
    return status;
}

zf_status zf_set_find_folder(zf_images *set)
{
    walk w = {.set = set};
    struct stat about;
    size_t length = strlen(set->path);
    if (length + 2 > PATH_BYTES) return zf_fail(ZF_EIO, "a path of %zu bytes", length);
    memcpy(w.path, set->path, length + 1);
    w.root = length + 1;
    if (stat(w.path, &about) != 0)
        return zf_fail(ZF_EIO, "%s: cannot read: %s", w.path, strerror(errno));
    place root = {NULL, about.st_dev, about.st_ino, 0};
    set->about.kind = ZF_IMAGES_FOLDER;
    ZF_TRY(enter(&w, &root, length));
    return zf_set_classify(set);
}
