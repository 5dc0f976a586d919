/* Images in a tar archive, found by libarchive, which knows the dialects of tar
   (ustar, pax, GNU's long names, old ones) and checks what they say.

   One pass makes a list of where each image's bytes lie. After that a plain
   archive is read at any place, and a gzipped one from front to back. Names are
   only ever shown and sorted: nothing is written to disk, so it does not matter
   what paths they claim. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/set.h"

enum { BLOCK = 1 << 16, ARCHIVE_ROOM = 4 << 20 };

typedef struct source {
    zf_io_input *input;
    uint64_t offset, size; /* of a plain archive, which is read at any place */
    zf_status status;      /* of a failure to read */
    unsigned char block[BLOCK];
} source;

static la_ssize_t give_block(struct archive *archive, void *context, const void **block)
{
    source *s = context;
    size_t got = 0;
    *block = s->block;
    if (zf_io_input_is_gzip(s->input)) {
        s->status = zf_io_input_read(s->input, s->block, BLOCK, &got);
    } else {
        uint64_t left = s->size - s->offset;
        got = left < BLOCK ? (size_t)left : BLOCK;
        s->status = zf_io_input_read_at(s->input, s->offset, s->block, got);
        s->offset += got;
    }
    if (s->status == ZF_OK) return (la_ssize_t)got;
    archive_set_error(archive, EIO, "%s", zf_error());
    return -1;
}

/* Over the images themselves without reading them. */
static la_int64_t skip(struct archive *archive, void *context, la_int64_t n)
{
    (void)archive;
    source *s = context;
    if (zf_io_input_is_gzip(s->input)) return 0;
    uint64_t left = s->size - s->offset, step = (uint64_t)n < left ? (uint64_t)n : left;
    s->offset += step;
    return (la_int64_t)step;
}

/* NULL: it cannot be told. */
static const char *name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    return name ? name : archive_entry_pathname_utf8(entry);
}

/* Where the reader stands after a header is where the entry's bytes begin. */
static zf_status add_entry(zf_images *set, struct archive *archive, struct archive_entry *entry)
{
    const char *name = name_of(entry);
    if (archive_entry_filetype(entry) == AE_IFDIR) return ZF_OK;
    if (!name) return zf_set_refuse(set, "?", "a name that cannot be read");
    if (!zf_set_is_image(name)) {
        set->about.other_files++;
        return ZF_OK;
    }
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry))
        return zf_set_refuse(set, name, "a link or device in an archive, expected a file");
    int64_t bytes = archive_entry_size(entry), offset = archive_filter_bytes(archive, 0);
    if (archive_entry_sparse_count(entry) > 0)
        return zf_set_refuse(set, name, "stored as a sparse file");
    if (bytes > ZF_IMAGE_FILE) return zf_set_refuse(set, name, "a file of more than 256 MB");
    return zf_set_add(set, (zf_image_item){.name = name,
                                           .offset = (uint64_t)offset,
                                           .bytes = (uint32_t)(bytes > 0 ? bytes : 0)});
}

/* What libarchive complains about: its source's own failure, memory, or the archive. */
static zf_status failure(const zf_images *set, const source *s, struct archive *archive)
{
    const char *text = archive_error_string(archive);
    zf_status status = s->status != ZF_OK ? s->status : ZF_EINPUT;
    /* Of damage it always says what it is. */
    if (s->status == ZF_OK && (archive_errno(archive) == ENOMEM || !text))
        return zf_fail(ZF_ENOMEM, "%s: as a tar archive: out of memory", set->path);
    return zf_fail(status, "%s: as a tar archive, at byte %lld: %s", set->path,
                   (long long)archive_filter_bytes(archive, 0), text ? text : zf_error());
}

static zf_status read_entries(zf_images *set, const source *s, struct archive *archive)
{
    struct archive_entry *entry;
    for (;;) {
        int code = archive_read_next_header(archive, &entry);
        if (code == ARCHIVE_EOF) return ZF_OK;
        bool starved = code == ARCHIVE_WARN && archive_errno(archive) == ENOMEM;
        if ((code != ARCHIVE_OK && code != ARCHIVE_WARN) || starved)
            return failure(set, s, archive);
        ZF_TRY(add_entry(set, archive, entry));
    }
}

/* Without memory libarchive ends the process, or steps on a null pointer, in more places than
   could be guarded one by one. So it is only called while there is more than it asks for. */
static zf_status check_room(void)
{
    void *volatile room = malloc(ARCHIVE_ROOM); /* volatile: or the compiler takes it for granted */
    if (!room) return zf_fail_memory(ARCHIVE_ROOM);
    free(room);
    return ZF_OK;
}

static zf_status index_archive(zf_images *set, source *s)
{
    ZF_TRY(check_room());
    struct archive *archive = archive_read_new();
    if (!archive) return zf_fail(ZF_ENOMEM, "libarchive: out of memory");
    zf_status status = ZF_OK;
    if (archive_read_support_format_tar(archive) != ARCHIVE_OK ||
        archive_read_open2(archive, s, NULL, give_block, skip, NULL) != ARCHIVE_OK)
        status = failure(set, s, archive);
    if (status == ZF_OK) status = read_entries(set, s, archive);
    archive_read_free(archive);
    return status;
}

zf_status zf_set_find_tar(zf_images *set)
{
    uint32_t file;
    set->about.kind = ZF_IMAGES_TAR;
    ZF_TRY(zf_set_file(set, set->path, &file));
    source *s = zf_arena_get(&set->arena, sizeof *s);
    if (!s) return ZF_ENOMEM;
    s->input = set->files[file];
    if (!zf_io_input_is_gzip(s->input)) s->size = zf_io_input_bound(s->input);
    ZF_TRY(index_archive(set, s));
    return zf_set_classify(set);
}
