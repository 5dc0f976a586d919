/* Inputs and outputs of a job against each other. There are a handful of them, so each is
   compared with all. */
#include "zeroflow/files.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "io/hold.h"

enum { ROLE_BYTES = 48 };

typedef struct input {
    char role[ROLE_BYTES];
    char *path;
    struct stat about;
} input;

typedef struct output {
    char role[ROLE_BYTES];
    char *path;
    zf_io_place place;
    zf_hold hold;
} output;

struct zf_files {
    input *inputs;
    output *outputs;
    zf_hold *folders;
    size_t n_inputs, n_outputs, n_folders;
};

zf_status zf_files_new(zf_files **out)
{
    zf_files *files = calloc(1, sizeof *files);
    if (!files) return zf_fail_memory(sizeof *files);
    *out = files;
    return ZF_OK;
}

static void free_output(output *o)
{
    zf_hold_release(&o->hold, &o->place);
    zf_io_place_free(&o->place);
    free(o->path);
}

void zf_files_free(zf_files *files)
{
    if (!files) return;
    for (size_t i = 0; i < files->n_inputs; i++) free(files->inputs[i].path);
    for (size_t i = 0; i < files->n_outputs; i++) free_output(&files->outputs[i]);
    for (size_t i = 0; i < files->n_folders; i++) zf_hold_release(&files->folders[i], NULL);
    free(files->inputs);
    free(files->outputs);
    free(files->folders);
    free(files);
}

/* The list with room for one more item of so many bytes; NULL: out of memory. */
static void *grown(void *items, size_t n, size_t bytes)
{
    void *more = realloc(items, (n + 1) * bytes);
    if (!more) zf_fail_memory((n + 1) * bytes);
    return more;
}

static bool same_node(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether a folder, by its descriptor, is `around` or below it. */
static bool lies_in(int folder, const struct stat *around)
{
    struct stat here, above = {0};
    int at = openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool found = false, top = at < 0 || fstat(at, &here) != 0;
    while (!found && !top) {
        found = same_node(&here, around);
        int up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        top = up < 0 || fstat(up, &above) != 0 || same_node(&here, &above);
        close(at);
        at = up;
        here = above;
    }
    if (at >= 0) close(at);
    return found;
}

/* Whether a file is among those of a folder, under any name, links followed. */
static zf_status is_among(bool *out, const char *folder, const struct stat *about)
{
    char *const roots[] = {(char *)folder, NULL};
    *out = false;
    errno = 0;
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (!walk) return errno == ENOMEM ? zf_fail_memory(strlen(folder)) : ZF_OK;
    for (FTSENT *item; !*out && (item = fts_read(walk));)
        *out = item->fts_info == FTS_F && same_node(item->fts_statp, about);
    bool starved = !*out && errno == ENOMEM;
    fts_close(walk);
    return starved ? zf_fail_memory(strlen(folder)) : ZF_OK;
}

static zf_status overwrites(const output *o, const input *in)
{
    return zf_fail(ZF_EINVAL, "%s: %s would overwrite %s, which is read (%s)", o->path, o->role,
                   strcmp(in->path, "-") == 0 ? "standard input" : in->path, in->role);
}

static zf_status check_pair(const output *o, const input *in)
{
    const zf_io_place *place = &o->place;
    bool among = false;
    if (place->straight) return ZF_OK;
    if (!S_ISDIR(in->about.st_mode))
        return place->exists && same_node(&place->about, &in->about) ? overwrites(o, in) : ZF_OK;
    if (lies_in(place->folder, &in->about))
        return zf_fail(ZF_EINVAL, "%s: %s lies in %s, which is read (%s); write it elsewhere",
                       o->path, o->role, in->path, in->role);
    if (place->exists) ZF_TRY(is_among(&among, in->path, &place->about));
    return among ? overwrites(o, in) : ZF_OK;
}

static zf_status check_input(const zf_files *files, const input *in)
{
    for (size_t i = 0; i < files->n_outputs; i++) ZF_TRY(check_pair(&files->outputs[i], in));
    return ZF_OK;
}

static zf_status reads(zf_files *files, const char *role, const char *path, bool folders)
{
    input in = {.path = NULL};
    if ((strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &in.about) : stat(path, &in.about)) != 0)
        return ZF_OK;
    if (!S_ISREG(in.about.st_mode) && !(folders && S_ISDIR(in.about.st_mode))) return ZF_OK;
    snprintf(in.role, sizeof in.role, "%s", role);
    input *inputs = grown(files->inputs, files->n_inputs, sizeof in);
    if (!inputs) return ZF_ENOMEM;
    files->inputs = inputs;
    in.path = strdup(path);
    if (!in.path) return zf_fail_memory(strlen(path));
    zf_status status = check_input(files, &in);
    if (status == ZF_OK)
        files->inputs[files->n_inputs++] = in;
    else
        free(in.path);
    return status;
}

zf_status zf_files_reads(zf_files *files, const char *role, const char *path)
{
    return reads(files, role, path, false);
}

zf_status zf_files_reads_all(zf_files *files, const char *role, const char *path)
{
    return reads(files, role, path, true);
}

static zf_status check_output(const zf_files *files, const output *o)
{
    for (size_t i = 0; i < files->n_inputs; i++) ZF_TRY(check_pair(o, &files->inputs[i]));
    for (size_t i = 0; i < files->n_outputs; i++) {
        const output *other = &files->outputs[i];
        if (zf_io_place_same(&o->place, &other->place))
            return zf_fail(ZF_EINVAL, "%s: %s and %s (%s) are one file, expected two", o->path,
                           o->role, other->role, other->path);
    }
    return ZF_OK;
}

zf_status zf_files_writes(zf_files *files, const char *role, const char *path)
{
    output o = {.place = {.folder = -1}, .hold = {.descriptor = -1}};
    if (strcmp(path, "-") == 0) return ZF_OK;
    snprintf(o.role, sizeof o.role, "%s", role);
    output *outputs = grown(files->outputs, files->n_outputs, sizeof o);
    if (!outputs) return ZF_ENOMEM;
    files->outputs = outputs;
    o.path = strdup(path);
    zf_status status = o.path ? zf_io_place_find(&o.place, path) : zf_fail_memory(strlen(path));
    if (status == ZF_OK) status = check_output(files, &o);
    if (status == ZF_OK)
        files->outputs[files->n_outputs++] = o;
    else
        free_output(&o);
    return status;
}

zf_status zf_files_hold(zf_files *files)
{
    for (size_t i = 0; i < files->n_outputs; i++) {
        output *o = &files->outputs[i];
        if (o->hold.descriptor < 0) ZF_TRY(zf_hold_file(&o->hold, &o->place, o->path));
    }
    return ZF_OK;
}

/* Opens the nearest folder on the way that is there. path is changed meanwhile. */
static int open_nearest(char *path)
{
    int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (char *cut = strrchr(path, '/'); folder < 0 && cut; cut = strrchr(path, '/')) {
        *cut = '\0';
        folder = open(*path ? path : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    return folder >= 0 ? folder : open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static zf_status check_folder(const zf_files *files, const char *role, const char *path)
{
    char copy[PATH_MAX];
    zf_status status = ZF_OK;
    snprintf(copy, sizeof copy, "%s", path);
    int nearest = open_nearest(copy);
    for (size_t i = 0; i < files->n_inputs && status == ZF_OK && nearest >= 0; i++) {
        const input *in = &files->inputs[i];
        if (S_ISDIR(in->about.st_mode) && lies_in(nearest, &in->about))
            status = zf_fail(ZF_EINVAL, "%s: %s lies in %s, which is read (%s); write elsewhere",
                             path, role, in->path, in->role);
    }
    if (nearest >= 0) close(nearest);
    return status;
}

static zf_status make_folder(const char *folder)
{
    char path[PATH_MAX];
    struct stat found;
    snprintf(path, sizeof path, "%s", folder);
    for (char *end = path + 1;; end++) {
        if (*end != '/' && *end != '\0') continue;
        char kept = *end;
        *end = '\0';
        int reason = mkdir(path, 0777) == 0 ? 0 : errno;
        if (reason && (stat(path, &found) != 0 || !S_ISDIR(found.st_mode)))
            return zf_fail(ZF_EIO, "%s: cannot make this folder: %s", folder,
                           strerror(reason == EEXIST ? ENOTDIR : reason));
        *end = kept;
        if (!kept) break;
    }
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0) return ZF_OK;
    return zf_fail(ZF_EIO, "%s: cannot write into this folder: %s", folder, strerror(errno));
}

zf_status zf_files_folder(zf_files *files, const char *role, const char *path)
{
    if (!*path || strlen(path) >= PATH_MAX)
        return zf_fail(ZF_EINVAL, "%s: expected a path of 1 to %d bytes", role, PATH_MAX - 1);
    ZF_TRY(check_folder(files, role, path));
    zf_hold *folders = grown(files->folders, files->n_folders, sizeof *folders);
    if (!folders) return ZF_ENOMEM;
    files->folders = folders;
    ZF_TRY(make_folder(path));
    ZF_TRY(zf_hold_folder(&folders[files->n_folders], path));
    files->n_folders++;
    return ZF_OK;
}
