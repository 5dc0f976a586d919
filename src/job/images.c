/* The sheet: for each row of images as many rows of views below it. */
#include "job/images.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/words.h"
#include "job/answer.h"
#include "job/outputs.h"
#include "zeroflow/plot.h"

enum { COUNT_MOST = 200, VIEWS_MOST = 30, COLUMNS = 10, ROWS_MOST = 100 };

static const zf_option arguments[] = {
    {"SOURCE", .type = ZF_OPTION_IMAGES, ZF_FIELD(zf_images_values, source),
     .help = ZF_IMAGES_HELP},
    {NULL},
};

static const zf_option options[] = {
    ZF_IMAGE_ROWS(zf_images_values, reading, ZF_SIZE_OF_SOURCE),
    {"all", ZF_FIELD(zf_images_values, all), .help = "Show every class, however many there are."},
    {"sheet", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE", ZF_FIELD(zf_images_values, sheet),
     .help = "Write a sheet of images and views of them, as .png or .svg."},
    {"count", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_images_values, count),
     .fallback = "10", .least = 1, .most = COUNT_MOST,
     .help = "Number of images on the sheet, taken evenly from the whole set."},
    {"views", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_images_values, views),
     .fallback = "2", .most = VIEWS_MOST, .help = "Number of views of each image on the sheet."},
    {"watermark", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_images_values, watermark), .fallback = "none", .choices = zf_watermark_names,
     .help = "Watermark of the views: none, patch (random pixels in the upper left, fixed for "
             "each image) or colour (a random colour per image, which is first made grey)."},
    {NULL},
};

static void defaults(void *given)
{
    zf_image_values_defaults(&((zf_images_values *)given)->reading);
}

/* --- the sheet --------------------------------------------------------------------------- */

typedef struct sheet {
    zf_images *images;
    zf_view_options views;
    size_t count, n_views, pixels;
    double seconds; /* the least that a view took; 0: none was made */
    int size;
    uint32_t which[COUNT_MOST];
    uint8_t *bytes;
    float *values; /* image k: itself, then its views */
    const float **shown;
    const char **captions;
    zf_image_row *rows;
    size_t n_rows;
} sheet;

/* Seconds of the clock that only goes forward. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static float *image_of(const sheet *s, size_t k, size_t view)
{
    return s->values + (k * (1 + s->n_views) + view) * s->pixels;
}

static zf_status make_views(sheet *s)
{
    ZF_TRY(zf_images_read(s->images, s->which, s->count, s->bytes));
    zf_view_options plain = s->views;
    plain.watermark = ZF_WATERMARK_NONE;
    for (size_t k = 0; k < s->count; k++) {
        const uint8_t *bytes = s->bytes + k * s->pixels;
        zf_view_plain(image_of(s, k, 0), bytes, s->size, &plain, s->which[k]);
        for (size_t v = 0; v < s->n_views; v++) {
            double from = now();
            zf_view_make(image_of(s, k, v + 1), bytes, s->size, &s->views, s->which[k], 0, (int)v);
            double seconds = now() - from;
            if (s->seconds == 0 || seconds < s->seconds) s->seconds = seconds;
        }
    }
    return ZF_OK;
}

static void arrange(sheet *s)
{
    size_t place = 0;
    for (size_t from = 0; from < s->count; from += COLUMNS) {
        size_t n = s->count - from < COLUMNS ? s->count - from : COLUMNS;
        for (size_t v = 0; v <= s->n_views; v++) {
            zf_image_row *row = &s->rows[s->n_rows++];
            *row = (zf_image_row){.images = s->shown + place, .n = n};
            for (size_t i = 0; i < n; i++) s->shown[place + i] = image_of(s, from + i, v);
            if (from == 0 && v == 0) row->title = "As read";
            if (from == 0 && v == 1) row->title = "Views";
            if (v == 0 && s->captions[from]) row->captions = s->captions + from;
            place += n;
        }
    }
}

static zf_status draw(const zf_images_values *values, sheet *s)
{
    char title[512];
    const char *source = values->source, *slash = strrchr(source, '/');
    snprintf(title, sizeof title, "%s: %zu of %s", slash && slash[1] ? slash + 1 : source, s->count,
             zf_plural(zf_images_count(s->images), "image").text);
    zf_figure figure = {.title = title};
    for (size_t k = 0; k < s->count; k++) {
        int label = zf_images_label(s->images, s->which[k]);
        s->captions[k] = label < 0 ? NULL : zf_images_class_name(s->images, (size_t)label);
    }
    arrange(s);
    return zf_plot_images(values->sheet, &figure, s->size, s->rows, s->n_rows);
}

static zf_status fill(sheet *s, const zf_images_values *values)
{
    size_t all = s->count * (1 + s->n_views);
    s->bytes = malloc(s->count * s->pixels);
    s->values = malloc(all * s->pixels * sizeof *s->values);
    s->shown = malloc(all * sizeof *s->shown);
    s->captions = malloc(s->count * sizeof *s->captions);
    s->rows = malloc(all * sizeof *s->rows);
    if (!s->bytes || !s->values || !s->shown || !s->captions || !s->rows)
        return zf_fail_memory(all * s->pixels * sizeof *s->values);
    ZF_TRY(make_views(s));
    return draw(values, s);
}

static zf_status write_sheet(zf_images_result *found, const zf_images_values *values,
                             const zf_run *run)
{
    size_t total = zf_images_count(found->images), side = (size_t)zf_images_size(found->images);
    sheet s = {.images = found->images,
               .size = (int)side,
               .pixels = 3 * side * side,
               .views = zf_view_defaults(),
               .count = (size_t)values->count,
               .n_views = (size_t)values->views};
    if (s.count > total) s.count = total;
    s.views.seed = run->seed;
    s.views.watermark = values->watermark;
    for (size_t k = 0; k < s.count; k++) s.which[k] = (uint32_t)zf_evenly(k, s.count, total);
    zf_status status = fill(&s, values);
    found->view_seconds = s.seconds;
    free(s.bytes);
    free(s.values);
    free(s.shown);
    free(s.captions);
    free(s.rows);
    return status;
}

/* --- the run ------------------------------------------------------------------------------- */

static zf_status check_options(const zf_images_values *values, const zf_run *run)
{
    ZF_TRY(zf_output_check_figure(values->sheet, "sheet"));
    const char *given = zf_gave(run, &values->count)       ? "count"
                        : zf_gave(run, &values->views)     ? "views"
                        : zf_gave(run, &values->watermark) ? "watermark"
                                                           : NULL;
    if (!values->sheet && given)
        return zf_fail(ZF_EINVAL, "option %s%s applies to the sheet: add {sheet} FILE",
                       zf_option_prefix(), given);
    int rows = (values->count + COLUMNS - 1) / COLUMNS * (1 + values->views);
    if (rows > ROWS_MOST)
        return zf_fail(ZF_EINVAL,
                       "{count} %d with {views} %d makes %d rows of images, expected at most %d",
                       values->count, values->views, rows, ROWS_MOST);
    return ZF_OK;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_images_values *values = given;
    zf_images_result *found = result;
    ZF_TRY(check_options(values, run));
    zf_images_options wish = zf_image_wish(&values->reading, run);
    ZF_TRY(zf_image_input_open(&found->images, run, values->source, &wish));
    return values->sheet ? write_sheet(found, values, run) : ZF_OK;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *classes_json(const zf_images *images)
{
    json_t *list = json_array();
    for (size_t c = 0; c < zf_images_describe(images)->classes; c++)
        zf_answer_add(list, json_pack("{s:o s:I}", "name",
                                      zf_answer_text(zf_images_class_name(images, c)), "pictures",
                                      (json_int_t)zf_images_class_count(images, c)));
    return list;
}

static json_t *json(const void *result, const void *given)
{
    const zf_images_values *values = given;
    const zf_images_result *found = result;
    if (!found->images) return json_object(); /* interrupted before there was a set */
    const zf_images_about *about = zf_images_describe(found->images);
    double seconds = found->view_seconds;
    json_t *common = json_pack("{s:i s:i s:I}", "width", about->common_width, "height",
                               about->common_height, "pictures", (json_int_t)about->same_size);
    json_t *object = json_pack(
        "{s:o s:s s:b s:I s:I s:I s:i s:b s:I s:[ii] s:[ii] s:o s:o s:I s:o s:o s:o}", "source",
        zf_answer_text(values->source), "kind", about->kind_name, "gzip", about->gzip, "pictures",
        (json_int_t)about->count, "labelled", (json_int_t)about->labelled, "grey",
        (json_int_t)about->grey, "size", about->size, "in_memory", about->in_memory, "bytes",
        (json_int_t)about->bytes, "widths", about->least_width, about->most_width, "heights",
        about->least_height, about->most_height, "most_common", common, "classes",
        classes_json(found->images), "other_files", (json_int_t)about->other_files, "labels",
        zf_answer_text(about->labels), "sheet", zf_answer_text(values->sheet), "view_seconds",
        zf_answer_optional(seconds > 0 ? seconds : (double)NAN));
    zf_image_input_answer(object, found->images, NULL);
    return object;
}

static void release(void *result)
{
    zf_images_free(((zf_images_result *)result)->images);
}

const zf_job zf_job_images = {
    .name = "images",
    .summary = "describe a source of images, and draw views of them",
    .description =
        "Reads images and shows how many there are, their sizes and classes, and what was "
        "left out and why. An image is left out if it is damaged, cut short, larger than 100 "
        "million pixels, or neither JPEG nor PNG; so are files and folders that cannot be "
        "read.\n\n"
        "Images are cropped to the largest square in the middle and resized to --size pixels "
        "with an antialiasing filter. Grey images get three equal channels. In a folder or "
        "archive the outermost folder of an image is its class.\n\n"
        "--sheet draws some images as they are read, and below each the views used for "
        "training: a random crop of 80 to 100 % of the area, mirrored or not, with a little "
        "noise. Another --seed draws other views.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_images_values),
    .defaults = defaults,
    .result_size = sizeof(zf_images_result),
    .run = run,
    .json = json,
    .release = release,
};
