#include "train/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "io/recognise.h"
#include "io/seal.h"

#define FORMAT_KEY  "zeroflow.format"
#define VERSION_KEY "zeroflow.version"
#define KIND_KEY    "zeroflow.kind"
#define STEP_KEY    "zeroflow.step"
#define HISTORY_KEY "zeroflow.history"
/* Files of format 2 have a checksum; those of format 1 are read as well. */
static const char FORMAT[] = "2", OLD_FORMAT[] = "1";

/* --- writing ---------------------------------------------------------------- */

/* Everything that goes into one file, gathered before it is written. */
typedef struct contents {
    zf_arena arena;
    zf_tensor *tensors;
    size_t n_tensors;
    zf_metadata *metadata;
    size_t n_metadata;
    float *history; /* rows without the columns that are not used */
} contents;

static zf_status begin(contents *c, const zf_params *params, zf_description description)
{
    size_t tensors = 3 * (size_t)zf_params_count(params) + 1 + description.n_tensors;
    size_t items = description.count + 6;
    c->tensors = zf_arena_get(&c->arena, tensors * sizeof *c->tensors);
    c->metadata = zf_arena_get(&c->arena, items * sizeof *c->metadata);
    c->history = zf_arena_get(&c->arena, ZF_HISTORY_ROWS * ZF_MOST_MEASURES * sizeof *c->history);
    if (!c->tensors || !c->metadata || !c->history) return ZF_ENOMEM;
    memcpy(c->metadata, description.items, description.count * sizeof *c->metadata);
    c->n_metadata = description.count;
    for (size_t i = 0; i < description.n_tensors; i++)
        c->tensors[c->n_tensors++] = description.tensors[i];
    return ZF_OK;
}

static zf_status add_text(contents *c, const char *key, const char *value)
{
    char *own = zf_arena_string(&c->arena, value);
    if (!own) return ZF_ENOMEM;
    c->metadata[c->n_metadata++] = (zf_metadata){key, own};
    return ZF_OK;
}

static zf_status add_tensor(contents *c, const char *prefix, const zf_param *param,
                            const float *data)
{
    size_t bytes = strlen(prefix) + strlen(param->name) + 1;
    char *name = zf_arena_get(&c->arena, bytes);
    if (!name) return ZF_ENOMEM;
    snprintf(name, bytes, "%s%s", prefix, param->name);
    zf_tensor *tensor = &c->tensors[c->n_tensors++];
    *tensor = (zf_tensor){.name = name, .rank = param->shape.rank, .data = data};
    for (int i = 0; i < param->shape.rank; i++) tensor->dim[i] = param->shape.dim[i];
    return ZF_OK;
}

/* The complete rows as a tensor; the row under way as text, exactly ("%a"). */
static zf_status add_history(contents *c, const zf_history *history)
{
    for (int row = 0; row < history->rows; row++)
        memcpy(c->history + row * history->measures, history->mean[row],
               (size_t)history->measures * sizeof(float));
    c->tensors[c->n_tensors++] = (zf_tensor){.name = "history",
                                             .rank = 2,
                                             .dim = {history->rows, history->measures},
                                             .data = c->history};
    char text[64 + 32 * ZF_MOST_MEASURES];
    int used = snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64, history->span, history->pending);
    for (int m = 0; m < history->measures; m++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %a", history->sum[m]);
    return add_text(c, HISTORY_KEY, text);
}

static zf_status add_model(contents *c, zf_params *params, const zf_history *history,
                           const char *kind)
{
    ZF_TRY(add_text(c, FORMAT_KEY, FORMAT));
    ZF_TRY(add_text(c, ZF_SEAL_KEY, ZF_SEAL_BLANK));
    ZF_TRY(add_text(c, VERSION_KEY, zf_version()));
    ZF_TRY(add_text(c, KIND_KEY, kind));
    for (int p = 0; p < zf_params_count(params); p++)
        ZF_TRY(add_tensor(c, "", zf_params_at(params, p), zf_params_data(params, p)));
    return add_history(c, history);
}

static zf_status add_moments(contents *c, const zf_params *params, zf_optimiser *optimiser)
{
    for (int p = 0; p < zf_params_count(params); p++) {
        const zf_param *param = zf_params_at(params, p);
        if (!param->trainable) continue;
        const float *first = zf_optimiser_first_moment(optimiser) + param->offset;
        const float *second = zf_optimiser_second_moment(optimiser) + param->offset;
        ZF_TRY(add_tensor(c, "adamw.first.", param, first));
        ZF_TRY(add_tensor(c, "adamw.second.", param, second));
    }
    char step[32];
    snprintf(step, sizeof step, "%" PRIu64, zf_optimiser_steps(optimiser));
    return add_text(c, STEP_KEY, step);
}

static zf_status write_to(zf_model_place place, zf_params *params, zf_optimiser *optimiser,
                          const zf_history *history, zf_description description)
{
    contents c = {0};
    zf_status status = begin(&c, params, description);
    if (status == ZF_OK)
        status = add_model(&c, params, history, optimiser ? "checkpoint" : "model");
    if (status == ZF_OK && optimiser) status = add_moments(&c, params, optimiser);
    if (status == ZF_OK)
        status = place.path ? zf_safetensors_write(place.path, c.tensors, c.n_tensors, c.metadata,
                                                   c.n_metadata)
                            : zf_safetensors_encode(place.bytes, place.n, "the model", c.tensors,
                                                    c.n_tensors, c.metadata, c.n_metadata);
    zf_arena_free(&c.arena);
    return status;
}

zf_status zf_model_write(zf_model_place place, zf_params *params, const zf_history *history,
                         zf_description description)
{
    return write_to(place, params, NULL, history, description);
}

zf_status zf_checkpoint_write(const char *path, zf_params *params, zf_optimiser *optimiser,
                              const zf_history *history, zf_description description)
{
    return write_to((zf_model_place){.path = path}, params, optimiser, history, description);
}

/* --- reading ---------------------------------------------------------------- */

static zf_status read_tensor(const zf_safetensors *file, const char *prefix, const zf_param *param,
                             float *values)
{
    char name[512];
    int64_t dim[ZF_MAX_RANK];
    int length = snprintf(name, sizeof name, "%s%s", prefix, param->name);
    if (length >= (int)sizeof name)
        return zf_fail(ZF_EINVAL, "the name \"%s\" is too long for a file", param->name);
    for (int i = 0; i < param->shape.rank; i++) dim[i] = param->shape.dim[i];
    return zf_safetensors_read(file, values, name, param->shape.rank, dim);
}

zf_status zf_model_check(const zf_params *params, const zf_safetensors *file)
{
    char text[ZF_SHAPE_TEXT];
    for (int p = 0; file && p < zf_params_count(params); p++) {
        const zf_param *param = zf_params_at(params, p);
        const zf_tensor *found = zf_safetensors_find(file, param->name);
        bool same = found && found->rank == param->shape.rank;
        for (int i = 0; same && i < found->rank; i++) same = found->dim[i] == param->shape.dim[i];
        if (!same)
            return zf_fail(ZF_EINPUT, "%s: \"%s\": expected a tensor of %s",
                           zf_safetensors_path(file), param->name,
                           zf_shape_text(param->shape, text));
    }
    return ZF_OK;
}

zf_status zf_model_read(zf_params *params, const zf_safetensors *file)
{
    for (int p = 0; p < zf_params_count(params); p++)
        ZF_TRY(read_tensor(file, "", zf_params_at(params, p), zf_params_data(params, p)));
    return ZF_OK;
}

static zf_status expect_format(const zf_safetensors *file, const char *path)
{
    const char *found = zf_safetensors_metadata(file, FORMAT_KEY);
    if (found && strcmp(found, OLD_FORMAT) == 0) return ZF_OK;
    if (!found || strcmp(found, FORMAT) != 0)
        return zf_fail(ZF_EINPUT,
                       "%s: is not a file of zeroflow's format %s (found \"%s\"), nor of an older "
                       "one",
                       path, FORMAT, found ? found : "none");
    if (zf_safetensors_metadata(file, ZF_SEAL_KEY)) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: is damaged: lacks \"%s\", which files of format %s have", path,
                   ZF_SEAL_KEY, FORMAT);
}

bool zf_is_checkpoint(const zf_safetensors *file)
{
    const char *kind = zf_safetensors_metadata(file, KIND_KEY);
    return kind && strcmp(kind, "checkpoint") == 0;
}

zf_status zf_model_expect(const zf_safetensors *file, const char *path, const char *task)
{
    const char *found = zf_safetensors_metadata(file, "task");
    const char *kind = zf_safetensors_metadata(file, KIND_KEY);
    ZF_TRY(expect_format(file, path));
    bool checkpoint = zf_is_checkpoint(file);
    const char *what = found ? zf_recognise_task(found, checkpoint) : NULL;
    if (what && (strcmp(found, task) != 0 || checkpoint))
        return zf_fail(ZF_EINPUT, "%s: this is %s, expected %s", path, what,
                       zf_recognise_wanted(task));
    if (!found || strcmp(found, task) != 0)
        return zf_fail(ZF_EINPUT, "%s: this is a model of kind \"%s\", expected %s", path,
                       found ? found : "unknown", zf_recognise_wanted(task));
    if (!kind || strcmp(kind, "model") != 0)
        return zf_fail(ZF_EINPUT, "%s: is a %s, expected a model that was trained to its end", path,
                       kind ? kind : "file of unknown use");
    return ZF_OK;
}

zf_status zf_model_open(zf_safetensors **out, const char *path, const char *task)
{
    ZF_TRY(zf_recognise_model(path, zf_recognise_wanted(task)));
    return zf_safetensors_open(out, path);
}

zf_status zf_model_open_memory(zf_safetensors **out, const char *name, const void *bytes, size_t n,
                               const char *task)
{
    zf_content found = zf_recognise(bytes, n);
    if (found.class != ZF_CONTENT_UNKNOWN && found.class != ZF_CONTENT_TENSORS)
        return zf_fail(ZF_EINPUT, "%s: this is %s, expected %s", name, found.what,
                       zf_recognise_wanted(task));
    return zf_safetensors_open_memory(out, name, bytes, n);
}

zf_status zf_model_number(uint64_t *out, const zf_safetensors *file, const char *path,
                          const char *key, uint64_t least, uint64_t most)
{
    const char *text = zf_safetensors_metadata(file, key);
    char *end = NULL;
    errno = 0;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || *text == '-' || value < least || value > most)
        return zf_fail(ZF_EINPUT,
                       "%s: \"%s\" is \"%s\", expected a number from %" PRIu64 " to %" PRIu64, path,
                       key, text ? text : "(absent)", least, most);
    *out = value;
    return ZF_OK;
}

static zf_status expect_text(const zf_safetensors *file, const char *path, const char *key,
                             const char *expected)
{
    const char *found = zf_safetensors_metadata(file, key);
    if (found && strcmp(found, expected) == 0) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: \"%s\" is \"%s\", this run expects \"%s\"", path, key,
                   found ? found : "(absent)", expected);
}

static zf_status read_moments(const zf_safetensors *file, const zf_params *params,
                              zf_optimiser *optimiser)
{
    for (int p = 0; p < zf_params_count(params); p++) {
        const zf_param *param = zf_params_at(params, p);
        if (!param->trainable) continue;
        float *first = zf_optimiser_first_moment(optimiser) + param->offset;
        float *second = zf_optimiser_second_moment(optimiser) + param->offset;
        ZF_TRY(read_tensor(file, "adamw.first.", param, first));
        ZF_TRY(read_tensor(file, "adamw.second.", param, second));
        for (size_t i = 0; i < param->size; i++)
            if (second[i] < 0)
                return zf_fail(ZF_EINPUT,
                               "%s: tensor \"adamw.second.%s\": element %zu is %g, expected a mean "
                               "of squares",
                               zf_safetensors_path(file), param->name, i, (double)second[i]);
    }
    return ZF_OK;
}

zf_status zf_history_read(zf_history *history, const zf_safetensors *file, const char *path)
{
    const zf_tensor *tensor = zf_safetensors_find(file, "history");
    const char *text = zf_safetensors_metadata(file, HISTORY_KEY);
    if (!tensor || !text || tensor->rank != 2 || tensor->dim[0] > ZF_HISTORY_ROWS ||
        tensor->dim[1] != history->measures)
        return zf_fail(ZF_EINPUT, "%s: expected a training history of %d measures", path,
                       history->measures);
    float values[ZF_HISTORY_ROWS * ZF_MOST_MEASURES];
    ZF_TRY(zf_safetensors_read(file, values, "history", 2, tensor->dim));
    history->rows = (int)tensor->dim[0];
    for (int row = 0; row < history->rows; row++)
        memcpy(history->mean[row], values + row * history->measures,
               (size_t)history->measures * sizeof *values);
    char *at = NULL;
    history->span = strtoull(text, &at, 10);
    history->pending = strtoull(at, &at, 10);
    bool finite = true;
    for (int m = 0; m < history->measures; m++) {
        history->sum[m] = strtod(at, &at);
        finite = finite && isfinite(history->sum[m]);
    }
    if (*at || !finite || !zf_history_possible(history))
        return zf_fail(ZF_EINPUT, "%s: \"%s\" is \"%s\", which no training gives", path,
                       HISTORY_KEY, text);
    return ZF_OK;
}

static zf_status restore(const zf_safetensors *file, const char *path, zf_params *params,
                         zf_optimiser *optimiser, zf_history *history, zf_description description)
{
    ZF_TRY(expect_format(file, path));
    ZF_TRY(expect_text(file, path, KIND_KEY, "checkpoint"));
    for (size_t i = 0; i < description.count; i++)
        ZF_TRY(expect_text(file, path, description.items[i].key, description.items[i].value));
    uint64_t step = 0;
    ZF_TRY(zf_model_number(&step, file, path, STEP_KEY, 0, UINT64_MAX));
    ZF_TRY(zf_model_read(params, file));
    ZF_TRY(read_moments(file, params, optimiser));
    ZF_TRY(zf_history_read(history, file, path));
    if (zf_history_steps(history) != step)
        return zf_fail(ZF_EINPUT,
                       "%s: \"%s\" is %" PRIu64 ", but its history is of %" PRIu64 " steps", path,
                       STEP_KEY, step, zf_history_steps(history));
    zf_optimiser_set_steps(optimiser, step);
    return ZF_OK;
}

zf_status zf_checkpoint_read(const char *path, zf_params *params, zf_optimiser *optimiser,
                             zf_history *history, zf_description description)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_recognise_model(path, "a checkpoint of this training"));
    ZF_TRY(zf_safetensors_open(&file, path));
    zf_status status = restore(file, path, params, optimiser, history, description);
    zf_safetensors_close(file);
    return status;
}
