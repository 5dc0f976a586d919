/* Vision models as files. */
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/decimal.h"
#include "train/description.h"
#include "train/limits.h"
#include "vision/model.h"

#define TASK "vision"
/* As what a masked autoencoder is shown pixels (zf_vit_show). Models of before it was said
   were shown them as they are. */
#define PIXELS "from -2 to 2"

static const char *const watermarks[] = {"none", "patch", "colour"};
enum { WATERMARKS = 3 };

/* The numbers of a plan, and what they may be. */
static const struct {
    const char *key;
    size_t place; /* in a zf_vision_plan */
    double least, most;
} reals[] = {
    {"rate", offsetof(zf_vision_plan, rate), 0, DBL_MAX},
    {"decay", offsetof(zf_vision_plan, decay), 0, DBL_MAX},
    {"zero_weight", offsetof(zf_vision_plan, step.zero_weight), 0, DBL_MAX},
    {"temperature", offsetof(zf_vision_plan, step.temperature), 0, DBL_MAX},
    {"masked", offsetof(zf_vision_plan, step.masked), 0, 1},
    {"view.least_area", offsetof(zf_vision_plan, step.views.least_area), 0, 1},
    {"view.most_area", offsetof(zf_vision_plan, step.views.most_area), 0, 1},
    {"view.least_ratio", offsetof(zf_vision_plan, step.views.least_ratio), 0, DBL_MAX},
    {"view.most_ratio", offsetof(zf_vision_plan, step.views.most_ratio), 0, DBL_MAX},
    {"view.mirrored", offsetof(zf_vision_plan, step.views.mirrored), 0, 1},
    {"view.noise", offsetof(zf_vision_plan, step.views.noise), 0, DBL_MAX},
};
static const struct {
    const char *key;
    size_t place;
    int least, most;
} wholes[] = {
    {"size", offsetof(zf_vision_plan, step.image.size), 1, ZF_IMAGES_SIDE_MAX},
    {"channels", offsetof(zf_vision_plan, step.image.channels), ZF_COLOURS,
     ZF_COLOURS + ZF_VISION_BITS_MOST},
    {"hidden", offsetof(zf_vision_plan, step.image.hidden), 1, ZF_HIDDEN_MOST},
    {"dim", offsetof(zf_vision_plan, step.image.dim), 1, ZF_VISION_DIM_MOST},
    {"patch", offsetof(zf_vision_plan, step.vit.patch), 1, ZF_IMAGES_SIDE_MAX},
    {"blocks", offsetof(zf_vision_plan, step.vit.blocks), 1, ZF_VISION_BLOCKS_MOST},
    {"heads", offsetof(zf_vision_plan, step.vit.heads), 1, ZF_VISION_DIM_MOST},
    {"decoder.dim", offsetof(zf_vision_plan, step.vit.decoder_dim), 1, ZF_VISION_DIM_MOST},
    {"decoder.blocks", offsetof(zf_vision_plan, step.vit.decoder_blocks), 1, ZF_VISION_BLOCKS_MOST},
    {"decoder.heads", offsetof(zf_vision_plan, step.vit.decoder_heads), 1, ZF_VISION_DIM_MOST},
    {"batch", offsetof(zf_vision_plan, step.batch), ZF_VISION_BATCH_LEAST, INT_MAX},
};
static const struct {
    const char *key;
    size_t place;
} counts[] = {
    {"iterations", offsetof(zf_vision_plan, iterations)},
    {"pictures", offsetof(zf_vision_plan, images)},
    {"watch_every", offsetof(zf_vision_plan, watch_every)},
    {"seed", offsetof(zf_vision_plan, step.seed)},
    {"view.seed", offsetof(zf_vision_plan, step.views.seed)},
};
enum {
    REALS = sizeof reals / sizeof *reals,
    WHOLES = sizeof wholes / sizeof *wholes,
    COUNTS = sizeof counts / sizeof *counts,
    WORDS = 5, /* task, method, watermark, pixels, given */
};

static void *place_in(zf_vision_plan *plan, size_t place)
{
    return (char *)plan + place;
}

zf_status zf_vision_describe(zf_description *out, zf_arena *arena, const zf_vision *model)
{
    zf_vision_plan copy = model->plan, *plan = &copy;
    char text[ZF_DECIMAL_ROOM];
    zf_describing list;
    ZF_TRY(zf_describe_begin(&list, arena, WORDS + REALS + WHOLES + COUNTS));
    ZF_TRY(zf_describe_text(&list, "task", TASK));
    ZF_TRY(zf_describe_text(&list, "method", zf_vision_method_names[plan->step.method]));
    ZF_TRY(zf_describe_text(&list, "watermark", watermarks[plan->step.views.watermark]));
    if (plan->step.method == ZF_VISION_MAE) ZF_TRY(zf_describe_text(&list, "pixels", PIXELS));
    for (int i = 0; i < WHOLES; i++)
        ZF_TRY(zf_describe_number(&list, wholes[i].key,
                                  (uint64_t) * (int *)place_in(plan, wholes[i].place)));
    for (int i = 0; i < COUNTS; i++)
        ZF_TRY(
            zf_describe_number(&list, counts[i].key, *(uint64_t *)place_in(plan, counts[i].place)));
    for (int i = 0; i < REALS; i++) {
        zf_decimal_double(text, *(double *)place_in(plan, reals[i].place));
        ZF_TRY(zf_describe_text(&list, reals[i].key, text));
    }
    ZF_TRY(zf_describe_number(&list, "given", model->given));
    return zf_described(out, &list);
}

static zf_status save(const zf_vision *model, zf_model_place place)
{
    zf_arena arena = {0};
    zf_description description = {0};
    zf_status status = zf_vision_describe(&description, &arena, model);
    if (status == ZF_OK)
        status = zf_model_write(place, model->params, &model->history, description);
    zf_arena_free(&arena);
    return status;
}

zf_status zf_vision_save(const zf_vision *model, const char *path)
{
    return save(model, (zf_model_place){.path = path});
}

zf_status zf_vision_save_memory(void **bytes, size_t *n, const zf_vision *model)
{
    return save(model, (zf_model_place){.bytes = bytes, .n = n});
}

/* --- reading ---------------------------------------------------------------------------- */

static zf_status read_word(int *out, const zf_safetensors *file, const char *path, const char *key,
                           const char *const *words, int n)
{
    const char *found = zf_safetensors_metadata(file, key);
    for (int i = 0; i < n && found; i++) {
        if (strcmp(found, words[i]) != 0) continue;
        *out = i;
        return ZF_OK;
    }
    return zf_fail(ZF_EINPUT, "%s: \"%s\" is \"%s\", expected %s, %s or %s", path, key,
                   found ? found : "(absent)", words[0], words[1], words[2]);
}

static zf_status read_real(double *out, const zf_safetensors *file, const char *path,
                           const char *key, double least, double most)
{
    const char *text = zf_safetensors_metadata(file, key);
    char *end = NULL;
    double value = text ? strtod(text, &end) : 0;
    if (!text || end == text || *end || !(value >= least && value <= most))
        return zf_fail(ZF_EINPUT, "%s: \"%s\" is \"%s\", expected a number from %g to %g", path,
                       key, text ? text : "(absent)", least, most);
    *out = value;
    return ZF_OK;
}

static zf_status check_pixels(const zf_safetensors *file, const char *path)
{
    const char *found = zf_safetensors_metadata(file, "pixels");
    if (found && strcmp(found, PIXELS) == 0) return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "%s: is a masked autoencoder of another version of zeroflow, which showed it "
                   "pixels in another way; train it again",
                   path);
}

static zf_status read_plan(const zf_safetensors *file, const char *path, zf_vision_plan *plan)
{
    int method = 0, watermark = 0;
    ZF_TRY(zf_model_expect(file, path, TASK));
    ZF_TRY(read_word(&method, file, path, "method", zf_vision_method_names, ZF_VISION_METHODS));
    if (method == ZF_VISION_MAE) ZF_TRY(check_pixels(file, path));
    ZF_TRY(read_word(&watermark, file, path, "watermark", watermarks, WATERMARKS));
    for (int i = 0; i < WHOLES; i++) {
        uint64_t value;
        ZF_TRY(zf_model_number(&value, file, path, wholes[i].key, (uint64_t)wholes[i].least,
                               (uint64_t)wholes[i].most));
        *(int *)place_in(plan, wholes[i].place) = (int)value;
    }
    for (int i = 0; i < COUNTS; i++)
        ZF_TRY(zf_model_number(place_in(plan, counts[i].place), file, path, counts[i].key, 0,
                               UINT64_MAX));
    for (int i = 0; i < REALS; i++)
        ZF_TRY(read_real(place_in(plan, reals[i].place), file, path, reals[i].key, reals[i].least,
                         reals[i].most));
    plan->step.method = (zf_vision_method)method;
    plan->step.views.watermark = (zf_watermark)watermark;
    plan->step.vit.dim = plan->step.image.dim;
    if (plan->iterations > INT64_MAX ||
        (plan->watch_every > 0 && plan->iterations / plan->watch_every >= ZF_VISION_WATCHES_MOST))
        return zf_fail(ZF_EINPUT,
                       "%s: expected at most %d looks at held-out images in its iterations", path,
                       ZF_VISION_WATCHES_MOST);
    return ZF_OK;
}

static zf_status load(zf_vision **out, const zf_safetensors *file, const char *path)
{
    zf_vision_plan plan = {0};
    ZF_TRY(read_plan(file, path, &plan));
    zf_status status = zf_vision_new(out, &plan, file);
    if (status == ZF_EINVAL) return zf_fail_within(ZF_EINPUT, "%s: ", path);
    ZF_TRY(status);
    zf_vision *model = *out;
    ZF_TRY(zf_model_number(&model->given, file, path, "given", 0, UINT64_MAX));
    ZF_TRY(zf_model_read(model->params, file));
    return zf_history_read(&model->history, file, path);
}

/* Closes the file. */
static zf_status take(zf_vision **out, zf_safetensors *file, const char *path)
{
    zf_vision *model = NULL;
    zf_status status = load(&model, file, path);
    zf_safetensors_close(file);
    if (status != ZF_OK) {
        zf_vision_free(model);
        return status;
    }
    *out = model;
    return ZF_OK;
}

zf_status zf_vision_load(zf_vision **out, const char *path)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open(&file, path, TASK));
    return take(out, file, path);
}

zf_status zf_vision_load_memory(zf_vision **out, const char *name, const void *bytes, size_t n)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open_memory(&file, name, bytes, n, TASK));
    return take(out, file, name);
}
