/* Shares of the dependence for each ninth of the image, and a sheet of sample images with heat
   maps over them. */
#include "job/audit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "job/outputs.h"
#include "zeroflow/plot.h"

enum { SAMPLES_MOST = 100, A_ROW = 8, THIRDS = ZF_AUDIT_THIRDS, NINTHS = ZF_AUDIT_NINTHS };

const char *const zf_audit_ninths[] = {
    "upper left",   "upper middle", "upper right",  "middle left", "middle",
    "middle right", "lower left",   "lower middle", "lower right",
};

static const zf_option arguments[] = {
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(zf_audit_values, model), .help = ZF_VISION_HELP},
    {"IMAGES", .type = ZF_OPTION_IMAGES, ZF_FIELD(zf_audit_values, images), .help = ZF_IMAGES_HELP},
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_OUTPUT, "FILE", ZF_FIELD(zf_audit_values, output),
     .help = "Write the sample images with their maps, as .png or .svg."},
    {"samples", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_audit_values, samples),
     .fallback = "16", .least = 1, .most = SAMPLES_MOST,
     .help = "Number of images, taken evenly from the whole set."},
    {"window", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_audit_values, window),
     .least = 1, .most = ZF_IMAGES_SIDE_MAX, .otherwise = "an eighth of the image's side",
     .help = "Side of the window that is covered, in pixels."},
    {"stride", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_audit_values, stride),
     .least = 1, .most = ZF_IMAGES_SIDE_MAX, .otherwise = "half a window",
     .help = "Step from one window to the next, in pixels."},
    {"others", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_audit_values, others),
     .least = 1, .most = 1000,
     .help = "Number of other images that each window is covered with, one after the other."},
    {"watermark", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_audit_values, watermark), .choices = zf_watermark_names,
     .otherwise = "that of the model's training",
     .help = "Watermark of the images: none, patch or colour."},
    ZF_IMAGE_ROWS(zf_audit_values, source, ZF_SIZE_OF_MODEL),
    {NULL},
};

static void defaults(void *given)
{
    zf_audit_values *values = given;
    values->window = values->stride = values->watermark = ZF_AUTO;
    values->others = zf_audit_defaults().others;
    zf_image_values_defaults(&values->source);
}

/* One run: what it holds besides the result. */
typedef struct auditing {
    const zf_audit_values *values;
    zf_audit_result *found;
    zf_vision *model;
    zf_audit_options wish;
    int size;
    size_t n, plane; /* images, pixels of one */
    uint32_t which[SAMPLES_MOST];
    uint8_t *bytes;
    float *maps;             /* [n, size, size] */
    float *images, *overlay; /* [n, 3, size, size] */
} auditing;

/* --- numbers ------------------------------------------------------------------------- */

static void divide(const auditing *a)
{
    double total = 0, *share = a->found->share;
    for (size_t i = 0; i < a->n * a->plane; i++) {
        size_t pixel = i % a->plane, size = (size_t)a->size;
        size_t row = pixel / size * THIRDS / size, column = pixel % size * THIRDS / size;
        share[row * THIRDS + column] += (double)a->maps[i];
        total += (double)a->maps[i];
    }
    for (int k = 0; k < NINTHS && total > 0; k++) share[k] /= total;
    for (int k = 1; k < NINTHS; k++)
        if (share[k] > share[a->found->largest]) a->found->largest = k;
}

/* --- the sheet ------------------------------------------------------------------------- */

/* Black, red, yellow, white. */
static void heat_colour(float value, float colour[3])
{
    float heat = fminf(fmaxf(value, 0), 1) * 3;
    for (int c = 0; c < 3; c++) colour[c] = fminf(fmaxf(heat - (float)c, 0), 1);
}

/* The image in grey shines through where the map is dark. Maps of one sheet have one
   scale, that of its 99th percentile, so that they compare. */
static void overlay(const auditing *a, size_t i, float scale)
{
    const float *image = a->images + i * 3 * a->plane, *map = a->maps + i * a->plane;
    float *out = a->overlay + i * 3 * a->plane;
    for (size_t p = 0; p < a->plane; p++) {
        float colour[3], heat = scale > 0 ? map[p] / scale : 0;
        float grey = (image[p] + image[a->plane + p] + image[2 * a->plane + p]) / 3;
        float weight = 0.35f + 0.6f * fminf(heat, 1);
        heat_colour(heat, colour);
        for (size_t c = 0; c < 3; c++)
            out[c * a->plane + p] = (1 - weight) * grey + weight * colour[c];
    }
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static zf_status scale_of(const auditing *a, float *scale)
{
    size_t n = a->n * a->plane;
    float *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return zf_fail_memory(n * sizeof *sorted);
    memcpy(sorted, a->maps, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    *scale = sorted[(n - 1) * 99 / 100];
    free(sorted);
    return ZF_OK;
}

static zf_status draw(const auditing *a)
{
    const float *places[2 * SAMPLES_MOST];
    zf_image_row rows[2 * (SAMPLES_MOST / A_ROW + 1)];
    size_t n_rows = 0;
    float scale = 0;
    ZF_TRY(scale_of(a, &scale));
    for (size_t i = 0; i < a->n; i++) {
        zf_view_plain(a->images + i * 3 * a->plane, a->bytes + i * 3 * a->plane, a->size,
                      &a->wish.views, a->which[i]);
        overlay(a, i, scale);
        places[i] = a->images + i * 3 * a->plane;
        places[a->n + i] = a->overlay + i * 3 * a->plane;
    }
    for (size_t from = 0; from < a->n; from += A_ROW) {
        size_t n = a->n - from < A_ROW ? a->n - from : A_ROW;
        rows[n_rows++] = (zf_image_row){
            .title = from ? NULL : "Images, and below each the map of what its code depends on",
            .images = places + from,
            .n = n};
        rows[n_rows++] = (zf_image_row){.images = places + a->n + from, .n = n};
    }
    char title[512];
    int largest = a->found->largest;
    snprintf(title, sizeof title, "%s: the %s ninth has %.0f %% of the dependence",
             a->values->model, zf_audit_ninths[largest], 100 * a->found->share[largest]);
    zf_figure figure = {.title = title};
    return zf_plot_images(a->values->output, &figure, a->size, rows, n_rows);
}

/* --- the run ------------------------------------------------------------------------------ */

static void understand(auditing *a, const zf_run *run)
{
    const zf_audit_values *values = a->values;
    a->wish = zf_audit_defaults();
    a->wish.views.seed = a->wish.seed = run->seed;
    a->wish.views.watermark = values->watermark == ZF_AUTO ? zf_vision_watermark(a->model)
                                                           : (zf_watermark)values->watermark;
    if (values->window != ZF_AUTO) a->wish.window = values->window;
    if (values->stride != ZF_AUTO) a->wish.stride = values->stride;
    a->wish.others = values->others;
    a->wish.threads = run->threads;
    a->wish.report = run->report;
}

static zf_status measure(auditing *a)
{
    zf_audit_result *found = a->found;
    size_t total = zf_images_count(found->images);
    a->size = zf_images_size(found->images);
    a->plane = (size_t)a->size * (size_t)a->size;
    a->n = (size_t)a->values->samples;
    if (a->n > total) a->n = total;
    for (size_t k = 0; k < a->n; k++) a->which[k] = (uint32_t)zf_evenly(k, a->n, total);
    a->bytes = malloc(a->n * 3 * a->plane);
    a->maps = malloc(a->n * a->plane * sizeof *a->maps);
    a->images = malloc(a->n * 3 * a->plane * sizeof *a->images);
    a->overlay = malloc(a->n * 3 * a->plane * sizeof *a->overlay);
    if (!a->bytes || !a->maps || !a->images || !a->overlay)
        return zf_fail_memory(a->n * 3 * a->plane * sizeof *a->images);
    ZF_TRY(zf_images_read(found->images, a->which, a->n, a->bytes));
    zf_status status = zf_vision_audit(a->model, a->maps, found->images, a->which, a->n, &a->wish);
    return zf_vision_status(status, a->values->model);
}

static zf_status work(auditing *a, zf_run *run)
{
    const zf_audit_values *values = a->values;
    zf_audit_result *found = a->found;
    ZF_TRY(zf_output_check_figure(values->output, "output"));
    ZF_TRY(zf_image_input_with_model(&a->model, &found->images, run, values->model, values->images,
                                     &values->source));
    understand(a, run);
    ZF_TRY(measure(a));
    found->samples = a->n;
    found->window = a->wish.window;
    found->others = a->wish.others;
    found->watermark = a->wish.views.watermark;
    divide(a);
    return values->output ? draw(a) : ZF_OK;
}

static zf_status run(void *result, const void *values, zf_run *run)
{
    auditing a = {.values = values, .found = result};
    zf_status status = work(&a, run);
    zf_vision_free(a.model);
    free(a.bytes);
    free(a.maps);
    free(a.images);
    free(a.overlay);
    zf_image_input_warn(run, status, a.found->images);
    return status;
}

static json_t *json(const void *result, const void *given)
{
    const zf_audit_values *values = given;
    const zf_audit_result *found = result;
    json_t *shares = json_array();
    for (int k = 0; k < NINTHS; k++)
        zf_answer_add(shares, json_pack("{s:s s:o}", "name", zf_audit_ninths[k], "share",
                                        zf_answer_number(found->share[k])));
    json_t *object = json_pack(
        "{s:o s:o s:s s:i s:i s:i s:o s:o}", "model", zf_answer_text(values->model), "images",
        zf_answer_text(values->images), "watermark", zf_watermark_names[found->watermark],
        "samples", (int)found->samples, "window", found->window, "others", found->others, "where",
        shares, "sheet", zf_answer_text(values->output));
    zf_image_input_answer(object, found->images, NULL);
    return object;
}

static void release(void *result)
{
    zf_images_free(((zf_audit_result *)result)->images);
}

const zf_job zf_job_audit = {
    .name = "audit",
    .summary = "map which pixels the codes of a model depend on",
    .description =
        "Covers a window of an image with the same window of other images and measures how "
        "far the code moves, as a share of how far it moves if the whole image is replaced. "
        "Doing so for every window gives a map of what the code depends on. For a model that "
        "learnt a shortcut, such as a watermark in a corner, the map is one bright spot; for "
        "a model that learnt the subject of the images, it covers the subject.\n\n"
        "Works for every method of zeroflow pretrain. The images are watermarked as in "
        "training, unless --watermark says otherwise.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_audit_values),
    .defaults = defaults,
    .result_size = sizeof(zf_audit_result),
    .run = run,
    .json = json,
    .release = release,
};
