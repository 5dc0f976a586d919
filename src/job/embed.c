#include "job/embed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "job/answer.h"
#include "job/document.h"
#include "job/outputs.h"
#include "zeroflow/table.h"

static const zf_option arguments[] = {
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(zf_embed_values, model), .help = ZF_VISION_HELP},
    {"IMAGES", .type = ZF_OPTION_IMAGES, ZF_FIELD(zf_embed_values, images), .help = ZF_IMAGES_HELP},
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_OUTPUT, "FEATURES", ZF_FIELD(zf_embed_values, output),
     .help = "File for the features, with a name that ends in .npy: float32, one row per image. "
             "Required."},
    {"names", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE", ZF_FIELD(zf_embed_values, names),
     .otherwise = "FEATURES with .csv for .npy",
     .help = "File that says which image each row is: CSV with row, name and class."},
    ZF_GUARD_ROW(zf_embed_values, guard),
    {"projector", .type = ZF_OPTION_PATHS, .placeholder = "PREFIX",
     ZF_FIELD(zf_embed_values, projector),
     .help = "Also write PREFIX.vectors.tsv and PREFIX.metadata.tsv for the embedding projector "
             "of TensorBoard; at most 10,000 images."},
    {"watermark", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_embed_values, watermark), .fallback = "none", .choices = zf_watermark_names,
     .help = "Marks the images as pretrain does: the same --seed marks the training images in the "
             "same way; for other images use another seed."},
    ZF_IMAGE_ROWS(zf_embed_values, source, ZF_SIZE_OF_MODEL),
    {NULL},
};

static void defaults(void *values)
{
    zf_image_values_defaults(&((zf_embed_values *)values)->source);
}

/* --- places ------------------------------------------------------------------------------ */

static zf_status settle_names(zf_embed_result *found, const zf_embed_values *values, zf_run *run)
{
    const char *output = values->output, *given = values->names;
    const char *end = output ? strrchr(output, '.') : NULL;
    if (!output)
        return zf_fail(
            ZF_EINVAL,
            "option {output} is missing: name a file for the features, as {output} FEATURES.npy");
    if (!end || strcmp(end, ".npy") != 0)
        return zf_fail(ZF_EINVAL,
                       "option {output}: expected a name that ends in .npy, found \"%s\"", output);
    ZF_TRY(zf_output_need_file(given, "names"));
    int length = given ? snprintf(found->names, PATH_MAX, "%s", given)
                       : snprintf(found->names, PATH_MAX, "%.*s.csv", (int)(end - output), output);
    if (length >= PATH_MAX) return zf_output_too_long(output);
    return given ? ZF_OK : zf_output_add(run, "names", found->names);
}

/* The files that zf_images_project will write. */
static zf_status check_projector(const char *prefix, zf_run *run)
{
    static const char *const endings[] = {".vectors.tsv", ".metadata.tsv"};
    char path[PATH_MAX];
    for (int i = 0; i < 2 && prefix; i++) {
        if (snprintf(path, PATH_MAX, "%s%s", prefix, endings[i]) >= PATH_MAX)
            return zf_output_too_long(prefix);
        ZF_TRY(zf_output_add(run, "projector", path));
    }
    return ZF_OK;
}

/* --- the run ------------------------------------------------------------------------------ */

static zf_status write_files(const zf_embed_result *found, const zf_embed_values *values,
                             const float *features)
{
    zf_numbers numbers = {.floats = features, .rows = found->rows, .columns = found->dim};
    ZF_TRY(zf_table_write(values->output, &numbers));
    ZF_TRY(zf_images_list(found->images, found->names, values->guard));
    if (!values->projector) return ZF_OK;
    return zf_images_project(found->images, values->projector, features, found->dim);
}

static zf_status compute(zf_embed_result *found, const zf_embed_values *values,
                         const zf_vision *model, const zf_run *run)
{
    zf_view_options views = zf_view_defaults();
    views.seed = run->seed;
    views.watermark = values->watermark;
    found->rows = zf_images_count(found->images);
    found->dim = (size_t)zf_vision_dim(model);
    found->size = zf_vision_size(model);
    found->method = zf_vision_trained_by(model);
    size_t bytes = found->rows * found->dim * sizeof(float);
    float *features = malloc(bytes);
    if (!features)
        return zf_fail(ZF_ENOMEM, "out of memory: %zu MB for the features of %s", bytes >> 20,
                       zf_plural(found->rows, "image").text);
    zf_status status = zf_vision_embed(model, features, found->images, NULL, found->rows, &views,
                                       run->threads, run->report);
    status = zf_vision_status(status, values->model);
    if (status == ZF_OK) status = write_files(found, values, features);
    free(features);
    return status;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_embed_values *values = given;
    zf_embed_result *found = result;
    zf_vision *model = NULL;
    ZF_TRY(settle_names(found, values, run));
    ZF_TRY(check_projector(values->projector, run));
    zf_status status = zf_image_input_with_model(&model, &found->images, run, values->model,
                                                 values->images, &values->source);
    if (status == ZF_OK) status = compute(found, values, model, run);
    zf_vision_free(model);
    zf_image_input_warn(run, status, found->images);
    return status;
}

static json_t *json(const void *result, const void *given)
{
    const zf_embed_values *values = given;
    const zf_embed_result *found = result;
    json_t *object = json_pack(
        "{s:o s:o s:o s:I s:I s:i s:s s:s}", "output", zf_answer_text(values->output), "names",
        zf_answer_text(found->names), "projector", zf_answer_text(values->projector), "pictures",
        (json_int_t)found->rows, "dim", (json_int_t)found->dim, "size", found->size, "method",
        zf_vision_method_name(found->method), "watermark", zf_watermark_names[values->watermark]);
    zf_image_input_answer(object, found->images, NULL);
    return object;
}

static void release(void *result)
{
    zf_images_free(((zf_embed_result *)result)->images);
}

const zf_job zf_job_embed = {
    .name = "embed",
    .summary = "compute image features with a trained model",
    .description =
        "Computes the features that zeroflow pretrain has learnt, for every image of a "
        "source, whole and without noise: a matrix for NumPy with one row per image, and a "
        "table that says which image each row is and its class. An image that cannot be read "
        "has no row, with a warning at the end.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_embed_values),
    .defaults = defaults,
    .result_size = sizeof(zf_embed_result),
    .run = run,
    .json = json,
    .release = release,
};
