#include "job/reconstruct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "job/outputs.h"
#include "zeroflow/plot.h"

enum { COLOURS = 3, A_ROW = 10, COUNT_MOST = 100 };

static const zf_option arguments[] = {
    ZF_IMAGE_SETS_ARGUMENTS(zf_reconstruct_values),
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_PATHS, "PLACE", ZF_FIELD(zf_reconstruct_values, output),
     .help = "File for a sheet of images and reconstructions: a name that ends in .png or .svg, "
             "or a folder, which gets reconstruction.png. Without it no sheet is drawn."},
    {"watermark", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_reconstruct_values, watermark), .choices = zf_watermark_names,
     .otherwise = "that of the model's training",
     .help = "Watermark of the images to fit on: none, patch or colour. With a watermark the "
             "decoder is tested on clean and on marked images."},
    {"iterations", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_reconstruct_values, decoder.iterations), .least = 1, .most = 1000000000,
     .help = "Number of training steps of the decoder."},
    {"batch", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_reconstruct_values, decoder.batch), .least = 1, .most = 1 << 20,
     .help = "Number of images in a training step."},
    {"rate", .type = ZF_OPTION_REAL, .placeholder = "R",
     ZF_FIELD(zf_reconstruct_values, decoder.rate), .least = 1e-9, .most = 10,
     .help = "Learning rate; decays to 1/100 along a cosine."},
    {"count", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_reconstruct_values, count),
     .fallback = "10", .least = 1, .most = COUNT_MOST,
     .help = "Number of images on the sheet, taken evenly."},
    ZF_IMAGE_SETS_ROWS(zf_reconstruct_values, sets),
    {NULL},
};

static void defaults(void *given)
{
    zf_reconstruct_values *values = given;
    values->decoder = zf_reconstruct_defaults();
    values->watermark = ZF_AUTO;
    zf_image_sets_defaults(&values->sets);
}

/* One run: what it holds besides the result. */
typedef struct reconstructing {
    const zf_reconstruct_values *values;
    zf_reconstruct_result *found;
    zf_run *run;
    zf_vision *model;
    zf_coded_images train, test[ZF_TEST_SETS];
    float *features[1 + ZF_TEST_SETS];
    zf_reconstructor *decoder;
} reconstructing;

/* --- features ----------------------------------------------------------------------------- */

static zf_status code(const reconstructing *r, zf_coded_images *coded, float **features,
                      const zf_image_set *set, const zf_view_options *views)
{
    size_t dim = (size_t)r->found->dim;
    *features = malloc(set->count * dim * sizeof **features);
    if (!*features)
        return zf_fail(ZF_ENOMEM, "out of memory for %zu x %zu features", set->count, dim);
    *coded = (zf_coded_images){.images = set->images,
                               .which = set->which,
                               .count = set->count,
                               .views = *views,
                               .features = *features,
                               .dim = dim};
    zf_status status = zf_vision_embed(r->model, *features, set->images, set->which, set->count,
                                       views, r->run->threads, r->run->report);
    return zf_vision_status(status, r->values->model);
}

static zf_status code_all(reconstructing *r)
{
    const zf_image_sets *sets = &r->found->sets;
    zf_set_views views = zf_image_sets_views(r->found->watermark, r->run->seed);
    r->found->n_tests = views.n_tests;
    ZF_TRY(code(r, &r->train, &r->features[ZF_TEST_SETS], &sets->train, &views.train));
    for (int k = 0; k < views.n_tests; k++)
        ZF_TRY(code(r, &r->test[k], &r->features[k], &sets->test, &views.test[k]));
    return ZF_OK;
}

static zf_status fit(reconstructing *r)
{
    zf_reconstruct_options wish = r->values->decoder;
    wish.seed = r->run->seed;
    wish.threads = r->run->threads;
    wish.report = r->run->report;
    zf_stage(r->run, "features");
    ZF_TRY(code_all(r));
    zf_stage(r->run, "decoder");
    ZF_TRY(zf_reconstruct_fit(&r->decoder, &r->train, &wish));
    for (int k = 0; k < r->found->n_tests; k++)
        ZF_TRY(
            zf_reconstruct_measure(r->decoder, &r->found->error[k], &r->test[k], r->run->threads));
    return ZF_OK;
}

/* --- the sheet ------------------------------------------------------------------------------ */

/* Some images of a set: as they are, and what the decoder makes of them. */
typedef struct sample {
    size_t count, size; /* floats of an image */
    float *images;      /* [2, count, size]: originals, then decoded */
} sample;

static zf_status take(const reconstructing *r, sample *s, const zf_coded_images *set,
                      float *features, uint8_t *pixels)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t at = zf_evenly(i, s->count, set->count);
        memcpy(features + i * set->dim, set->features + at * set->dim, set->dim * sizeof *features);
        ZF_TRY(zf_images_read(set->images, &set->which[at], 1, pixels));
        zf_view_plain(s->images + i * s->size, pixels, r->found->size, &set->views, set->which[at]);
    }
    return zf_reconstruct_decode(r->decoder, s->images + s->count * s->size, features, s->count,
                                 r->run->threads);
}

static zf_status take_sample(const reconstructing *r, sample *s, const zf_coded_images *set)
{
    size_t side = (size_t)r->found->size, count = (size_t)r->values->count;
    s->count = count < set->count ? count : set->count;
    s->size = COLOURS * side * side;
    s->images = malloc(2 * s->count * s->size * sizeof(float));
    float *features = malloc(s->count * set->dim * sizeof *features);
    uint8_t *pixels = malloc(s->size);
    zf_status status = s->images && features && pixels
                           ? take(r, s, set, features, pixels)
                           : zf_fail_memory(2 * s->count * s->size * sizeof(float));
    free(features);
    free(pixels);
    return status;
}

/* Rows of originals, each with its reconstructions below. */
static zf_status draw_samples(const reconstructing *r, const sample *samples)
{
    enum { ROWS_MOST = ZF_TEST_SETS * 2 * (COUNT_MOST / A_ROW) };
    const float *images[ZF_TEST_SETS * 2 * COUNT_MOST];
    zf_image_row rows[ROWS_MOST];
    char titles[ZF_TEST_SETS][64];
    size_t n_rows = 0, place = 0;
    for (int k = 0; k < r->found->n_tests; k++) {
        const sample *s = &samples[k];
        snprintf(titles[k], sizeof titles[k], "%s images, and below them decoded: MSE %.4f",
                 k == ZF_CLEAN ? "Clean" : "Watermarked", r->found->error[k].mse);
        for (size_t from = 0; from < s->count; from += A_ROW)
            for (size_t decoded = 0; decoded < 2; decoded++) {
                size_t n = s->count - from < A_ROW ? s->count - from : A_ROW;
                rows[n_rows++] = (zf_image_row){
                    .title = from == 0 && decoded == 0 ? titles[k] : NULL,
                    .images = images + place,
                    .n = n,
                };
                for (size_t i = 0; i < n; i++)
                    images[place++] = s->images + (decoded * s->count + from + i) * s->size;
            }
    }
    zf_figure figure = {.title = "Images reconstructed from the features"};
    return zf_plot_images(r->found->sheet, &figure, r->found->size, rows, n_rows);
}

static zf_status draw(const reconstructing *r)
{
    sample samples[ZF_TEST_SETS] = {{0}};
    zf_status status = ZF_OK;
    for (int k = 0; k < r->found->n_tests && status == ZF_OK; k++)
        status = take_sample(r, &samples[k], &r->test[k]);
    if (status == ZF_OK) status = draw_samples(r, samples);
    for (int k = 0; k < ZF_TEST_SETS; k++) free(samples[k].images);
    return status;
}

/* A name of a figure, or a folder, which is made. */
static zf_status settle_sheet(char sheet[PATH_MAX], const char *place, zf_run *run)
{
    if (!place) return ZF_OK;
    const char *dot = strrchr(place, '.');
    bool figure = dot && (strcmp(dot, ".png") == 0 || strcmp(dot, ".svg") == 0);
    if (!figure) ZF_TRY(zf_output_folder(run, "output", place));
    if (snprintf(sheet, PATH_MAX, "%s%s", place, figure ? "" : "/reconstruction.png") >= PATH_MAX)
        return zf_fail(ZF_EINVAL, "option {output}: expected a path of at most %d bytes",
                       PATH_MAX - 1);
    return zf_output_add(run, "output", sheet);
}

/* --- the run ---------------------------------------------------------------------------------- */

static zf_status work(reconstructing *r)
{
    const zf_reconstruct_values *values = r->values;
    zf_reconstruct_result *found = r->found;
    ZF_TRY(settle_sheet(found->sheet, values->output, r->run));
    ZF_TRY(zf_vision_load(&r->model, values->model));
    found->method = zf_vision_trained_by(r->model);
    found->dim = zf_vision_dim(r->model);
    found->size = zf_vision_size(r->model);
    found->seed = r->run->seed;
    found->watermark = values->watermark == ZF_AUTO ? zf_vision_watermark(r->model)
                                                    : (zf_watermark)values->watermark;
    zf_image_sets_wish wish = {
        .train = values->train, .test = values->test, .values = &values->sets, .size = found->size};
    ZF_TRY(zf_image_sets_open(&found->sets, r->run, &wish));
    ZF_TRY(fit(r));
    return found->sheet[0] ? draw(r) : ZF_OK;
}

static zf_status run(void *result, const void *values, zf_run *run)
{
    reconstructing r = {.values = values, .found = result, .run = run};
    zf_status status = work(&r);
    zf_reconstructor_free(r.decoder);
    for (int k = 0; k < 1 + ZF_TEST_SETS; k++) free(r.features[k]);
    zf_vision_free(r.model);
    zf_image_sets_warn(run, status, &r.found->sets);
    return status;
}

static json_t *error_json(const zf_reconstruct_result *found, int kind)
{
    if (kind >= found->n_tests) return json_null();
    return json_pack("{s:o s:o}", "mse", zf_answer_number(found->error[kind].mse), "mean_picture",
                     zf_answer_number(found->error[kind].mean));
}

static json_t *json(const void *result, const void *given)
{
    const zf_reconstruct_values *values = given;
    const zf_reconstruct_result *found = result;
    const zf_reconstruct_error *own = &found->error[found->n_tests > 1 ? ZF_MARKED : ZF_CLEAN];
    json_t *object = json_pack(
        "{s:o s:s s:i s:i s:s s:I s:I s:b s:o s:o s:{s:o s:o} s:I s:o s:I}", "model",
        zf_answer_text(values->model), "method", zf_vision_method_name(found->method), "dim",
        found->dim, "size", found->size, "watermark", zf_watermark_names[found->watermark],
        "train_rows", (json_int_t)found->sets.train.count, "test_rows",
        (json_int_t)found->sets.test.count, "split", found->sets.split, "mse",
        zf_answer_number(own->mse), "mean_picture", zf_answer_number(own->mean), "test",
        zf_test_set_names[ZF_CLEAN], error_json(found, ZF_CLEAN), zf_test_set_names[ZF_MARKED],
        error_json(found, ZF_MARKED), "iterations", (json_int_t)values->decoder.iterations,
        "pictures", zf_answer_text(found->sheet[0] ? found->sheet : NULL), "seed",
        (json_int_t)found->seed);
    zf_image_sets_answer(object, &found->sets);
    return object;
}

static void release(void *result)
{
    zf_image_sets_free(&((zf_reconstruct_result *)result)->sets);
}

const zf_job zf_job_reconstruct = {
    .name = "reconstruct",
    .summary = "measure how well features can reconstruct images",
    .description =
        "Computes the features of images with a model, which is not changed, and trains a "
        "decoder from scratch (that of the paper's appendix) to reconstruct the images from "
        "them. Its mean squared error on images that it was not trained on, with pixels from "
        "0 to 1, shows how much of an image the features keep. For comparison the error of "
        "the mean image, which needs no features, is shown. Works for models of every "
        "method.\n\n"
        "For a model trained on watermarked images the decoder is trained on such images, "
        "watermark included, and tested on clean and on watermarked ones. In JSON, mse is "
        "then that of the watermarked images; test has both.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_reconstruct_values),
    .defaults = defaults,
    .result_size = sizeof(zf_reconstruct_result),
    .run = run,
    .json = json,
    .release = release,
};
