/* What a set is made of, as files for other programs: which image each row of
   features belongs to. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/finite.h"
#include "image/set.h"
#include "io/csv_write.h"
#include "io/decimal.h"

/* An image of a folder or archive by its path, others by their number. */
static const char *name_of(const zf_images *images, size_t i, char number[24])
{
    if (images->items[i].name) return images->items[i].name;
    snprintf(number, 24, "%zu", i);
    return number;
}

static const char *class_of(const zf_images *images, size_t i)
{
    int label = images->items[i].label;
    return label < 0 ? "" : images->class_names[label];
}

zf_status zf_images_list(const zf_images *images, const char *path, bool guard)
{
    zf_sink sink;
    char number[24];
    ZF_TRY(zf_sink_open(&sink, path));
    sink.guard = guard;
    zf_sink_text(&sink, "row,name,class\n");
    for (size_t i = 0; i < images->about.count; i++) {
        snprintf(number, sizeof number, "%zu,", i);
        zf_sink_text(&sink, number);
        zf_csv_write_cell(&sink, name_of(images, i, number), ',');
        zf_sink_byte(&sink, ',');
        const char *class = class_of(images, i);
        if (*class) zf_csv_write_cell(&sink, class, ',');
        zf_sink_byte(&sink, '\n');
    }
    return zf_sink_finish(&sink);
}

/* The projector knows no quotes: what would end a cell becomes a blank. */
static void write_tsv_cell(zf_sink *sink, const char *text)
{
    for (; *text; text++) zf_sink_byte(sink, strchr("\t\n\r", *text) ? ' ' : *text);
}

static zf_status write_vectors(const char *path, const float *features, size_t dim, size_t count,
                               size_t n)
{
    zf_sink sink;
    char text[ZF_DECIMAL_ROOM];
    ZF_TRY(zf_sink_open(&sink, path));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < dim; j++) {
            zf_sink_text(&sink, zf_decimal_float(text, features[i * count / n * dim + j]));
            zf_sink_byte(&sink, j + 1 < dim ? '\t' : '\n');
        }
    return zf_sink_finish(&sink);
}

static zf_status write_metadata(const char *path, const zf_images *images, size_t n)
{
    zf_sink sink;
    char number[24];
    ZF_TRY(zf_sink_open(&sink, path));
    zf_sink_text(&sink, "name\tclass\n");
    for (size_t i = 0; i < n; i++) {
        size_t image = i * images->about.count / n;
        write_tsv_cell(&sink, name_of(images, image, number));
        zf_sink_byte(&sink, '\t');
        write_tsv_cell(&sink, class_of(images, image));
        zf_sink_byte(&sink, '\n');
    }
    return zf_sink_finish(&sink);
}

zf_status zf_images_project(const zf_images *images, const char *prefix, const float *features,
                            size_t dim)
{
    char vectors[PATH_MAX], metadata[PATH_MAX];
    size_t count = images->about.count;
    size_t n = count < ZF_IMAGES_PROJECTED_MAX ? count : ZF_IMAGES_PROJECTED_MAX;
    if (snprintf(vectors, PATH_MAX, "%s.vectors.tsv", prefix) >= PATH_MAX ||
        snprintf(metadata, PATH_MAX, "%s.metadata.tsv", prefix) >= PATH_MAX)
        return zf_fail(ZF_EINVAL, "%.60s...: the path is longer than %d bytes", prefix, PATH_MAX);
    ZF_TRY(zf_finite_check(vectors, &(zf_grid){.floats = features,
                                               .rows = count,
                                               .columns = dim,
                                               .row = "image",
                                               .column = "feature"}));
    ZF_TRY(write_vectors(vectors, features, dim, count, n));
    return write_metadata(metadata, images, n);
}
