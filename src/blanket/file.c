#include "blanket/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evidence/result.h"
#include "train/description.h"

#define TASK "blanket"

static const char CALIBRATION[] = "evidence.calibration";

/* --- writing ------------------------------------------------------------------------ */

static zf_status describe_calibration(zf_describing *list, zf_arena *arena, const zf_blanket *model)
{
    const zf_calibration *c = &model->calibration;
    if (!c->known) return ZF_OK;
    double *numbers = zf_arena_get(arena, ZF_CALIBRATION_NUMBERS * sizeof *numbers);
    if (!numbers) return ZF_ENOMEM;
    numbers[0] = c->intercept;
    numbers[1] = c->slope;
    numbers[2] = c->size;
    return zf_describe_tensor(list, (zf_tensor){.name = CALIBRATION,
                                                .rank = 1,
                                                .dim = {ZF_CALIBRATION_NUMBERS},
                                                .data = numbers,
                                                .wide = true});
}

zf_status zf_blanket_describe(zf_description *out, zf_arena *arena, const zf_blanket *model)
{
    const zf_blanket_shape *s = &model->shape;
    size_t variables = (size_t)s->gate.variables;
    zf_describing list;
    ZF_TRY(zf_describe_begin(&list, arena, 2 * variables + 20));
    ZF_TRY(zf_describe_text(&list, "task", TASK));
    ZF_TRY(zf_describe_text(&list, "gate", zf_gate_about_of(s->gate.kind)->name));
    ZF_TRY(zf_describe_text(&list, "margins", zf_marginals_name(s->marginals)));
    ZF_TRY(zf_describe_text(&list, "options", model->options_text ? model->options_text : ""));
    ZF_TRY(zf_describe_number(&list, "features", variables));
    ZF_TRY(zf_describe_number(&list, "side", (uint64_t)s->gate.side));
    ZF_TRY(zf_describe_number(&list, "most_targets", (uint64_t)s->gate.most_targets));
    ZF_TRY(zf_describe_number(&list, "pairs", s->gate.pairs));
    ZF_TRY(zf_describe_number(&list, "hidden", (uint64_t)s->hidden));
    ZF_TRY(zf_describe_number(&list, "knots", (uint64_t)s->knots));
    ZF_TRY(zf_describe_number(&list, "constrained", s->constrained));
    ZF_TRY(zf_describe_number(&list, "seed", model->seed));
    ZF_TRY(zf_describe_number(&list, "inputs", model->inputs));
    ZF_TRY(zf_describe_number(&list, "rows", model->training.rows));
    ZF_TRY(zf_describe_number(&list, "held_out", model->training.held_out));
    ZF_TRY(zf_describe_number(&list, "iterations", model->training.iterations));
    ZF_TRY(zf_describe_texts(&list, "feature", model->names, variables));
    for (int i = 0; i < ZF_MARGINALS_TENSORS; i++)
        ZF_TRY(zf_describe_tensor(&list, zf_marginals_tensor(&model->marginals, i)));
    if (model->evidence) {
        zf_tensor tensors[ZF_EVIDENCE_TENSORS];
        int n = 0;
        ZF_TRY(zf_evidence_tensors(tensors, &n, model->evidence, arena));
        for (int i = 0; i < n; i++) ZF_TRY(zf_describe_tensor(&list, tensors[i]));
        ZF_TRY(describe_calibration(&list, arena, model));
    }
    for (int k = 0; k < model->n_fixed; k++) {
        char key[32];
        snprintf(key, sizeof key, "target.%d", k);
        ZF_TRY(zf_describe_number(&list, key, (uint64_t)model->fixed[k]));
    }
    return zf_described(out, &list);
}

static float *buffer(zf_blanket *model, const char *name)
{
    return zf_params_data(model->params, zf_params_find(model->params, name));
}

void zf_blanket_store_buffers(zf_blanket *model)
{
    size_t d = (size_t)model->shape.gate.variables;
    for (size_t i = 0; model->constraints && i < d * d; i++)
        buffer(model, "constraints")[i] = model->constraints[i];
}

static zf_status save(const zf_blanket *model, zf_model_place place)
{
    zf_arena arena = {0};
    zf_description description = {0};
    zf_status status = zf_blanket_describe(&description, &arena, model);
    if (status == ZF_OK)
        status = zf_model_write(place, model->params, &model->history, description);
    zf_arena_free(&arena);
    return status;
}

zf_status zf_blanket_save(const zf_blanket *model, const char *path)
{
    return save(model, (zf_model_place){.path = path});
}

zf_status zf_blanket_save_memory(void **bytes, size_t *n, const zf_blanket *model)
{
    return save(model, (zf_model_place){.bytes = bytes, .n = n});
}

/* --- reading ------------------------------------------------------------------------ */

static zf_status read_kinds(const zf_safetensors *file, const char *path, zf_blanket_shape *shape)
{
    const char *gate = zf_safetensors_metadata(file, "gate");
    const char *marginals = zf_safetensors_metadata(file, "margins");
    ZF_TRY(zf_model_expect(file, path, TASK));
    int kind = gate ? zf_gate_kind_of(gate) : -1;
    if (kind < 0)
        return zf_fail(ZF_EINPUT, "%s: unknown gate \"%s\"", path, gate ? gate : "(absent)");
    shape->gate.kind = (zf_gate_kind)kind;
    return zf_marginals_kind_read(&shape->marginals, marginals, path);
}

static zf_status read_shape(const zf_safetensors *file, const char *path, zf_blanket_shape *shape,
                            uint64_t *seed)
{
    uint64_t variables, side, most, pairs, hidden, knots, constrained;
    ZF_TRY(read_kinds(file, path, shape));
    ZF_TRY(zf_model_number(&variables, file, path, "features", 2, 1 << 20));
    ZF_TRY(zf_model_number(&side, file, path, "side", 0, 1 << 10));
    ZF_TRY(zf_model_number(&most, file, path, "most_targets", 1, variables));
    ZF_TRY(zf_model_number(&pairs, file, path, "pairs", 0, 1));
    ZF_TRY(zf_model_number(&hidden, file, path, "hidden", 1, 1 << 14));
    ZF_TRY(zf_model_number(&knots, file, path, "knots", 1, 1 << 20));
    ZF_TRY(zf_model_number(&constrained, file, path, "constrained", 0, 1));
    ZF_TRY(zf_model_number(seed, file, path, "seed", 0, UINT64_MAX));
    bool on_grid = zf_gate_about_of(shape->gate.kind)->columns == ZF_COLUMNS_ON_GRID;
    if (on_grid && side * side != variables)
        return zf_fail(ZF_EINPUT, "%s: %" PRIu64 " variables are not a grid of side %" PRIu64, path,
                       variables, side);
    shape->gate.variables = (int)variables;
    shape->gate.side = (int)side;
    shape->gate.most_targets = (int)most;
    shape->gate.pairs = pairs;
    shape->hidden = (int)hidden;
    shape->knots = (int)knots;
    shape->constrained = constrained;
    return ZF_OK;
}

static zf_status restore_buffers(zf_blanket *model)
{
    size_t d = (size_t)model->shape.gate.variables;
    if (!model->shape.constrained) return ZF_OK;
    model->constraints = malloc(d * d);
    if (!model->constraints) return zf_fail_memory(d * d);
    for (size_t i = 0; i < d * d; i++) {
        float rule = buffer(model, "constraints")[i];
        model->constraints[i] = rule == 2.0f ? 2 : rule == 1.0f ? 1 : 0;
    }
    return ZF_OK;
}

/* The one target set of free gates: as many as a mask has at most. */
static zf_status read_targets(zf_blanket *model, const zf_safetensors *file, const char *path)
{
    int d = zf_blanket_variables(model), n = model->shape.gate.most_targets;
    if (!zf_gate_about_of(model->shape.gate.kind)->one_set) return ZF_OK;
    int32_t *targets = malloc((size_t)n * sizeof *targets);
    if (!targets) return zf_fail_memory((size_t)n * sizeof *targets);
    zf_status status = ZF_OK;
    for (int k = 0; k < n && status == ZF_OK; k++) {
        char key[32];
        uint64_t target = 0, least = k ? (uint64_t)targets[k - 1] + 1 : 0;
        snprintf(key, sizeof key, "target.%d", k);
        status = zf_model_number(&target, file, path, key, least, (uint64_t)d - 1);
        targets[k] = (int32_t)target;
    }
    if (status == ZF_OK) status = zf_blanket_fix_targets(model, targets, n);
    free(targets);
    return status;
}

static zf_status read_calibration(zf_calibration *out, const zf_safetensors *file, const char *path)
{
    const int64_t shape[] = {ZF_CALIBRATION_NUMBERS};
    double numbers[ZF_CALIBRATION_NUMBERS];
    if (!zf_safetensors_find(file, CALIBRATION)) return ZF_OK;
    ZF_TRY(zf_safetensors_read_doubles(file, numbers, CALIBRATION, 1, shape));
    if (!(numbers[1] >= 0))
        return zf_fail(ZF_EINPUT, "%s: its probabilities fall with the gates (%g), expected a rise",
                       path, numbers[1]);
    *out = (zf_calibration){numbers[0], numbers[1], numbers[2], true};
    return ZF_OK;
}

/* The number of key in "key=value key=value"; 0: there is none. */
static uint64_t count_of(const char *options, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = options; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strncmp(at, key, length) == 0 && at[length] == '=')
            return strtoull(at + length + 1, NULL, 10);
    return 0;
}

/* Files from before these numbers were kept have them among the options alone. */
static zf_status read_training(zf_blanket *model, const zf_safetensors *file, const char *path)
{
    zf_blanket_training *t = &model->training;
    const char *options = model->options_text;
    if (!zf_safetensors_metadata(file, "rows")) {
        *t = (zf_blanket_training){count_of(options, "rows"), count_of(options, "held-out"),
                                   count_of(options, "iterations")};
        return ZF_OK;
    }
    ZF_TRY(zf_model_number(&t->rows, file, path, "rows", 0, UINT64_MAX));
    ZF_TRY(zf_model_number(&t->held_out, file, path, "held_out", 0, UINT64_MAX));
    return zf_model_number(&t->iterations, file, path, "iterations", 0, UINT64_MAX);
}

static zf_status load(zf_blanket **out, const zf_safetensors *file, const char *path)
{
    zf_blanket_shape shape = {0};
    uint64_t seed = 0;
    ZF_TRY(read_shape(file, path, &shape, &seed));
    const char **names = calloc((size_t)shape.gate.variables, sizeof *names);
    if (!names) return zf_fail_memory((size_t)shape.gate.variables * sizeof *names);
    zf_status status = zf_model_texts(names, file, path, "feature", (size_t)shape.gate.variables);
    if (status == ZF_OK) status = zf_blanket_new(out, &shape, seed, names);
    free(names);
    ZF_TRY(status);
    zf_blanket *model = *out;
    const char *options = zf_safetensors_metadata(file, "options");
    model->options_text = zf_arena_string(&model->arena, options ? options : "");
    if (!model->options_text) return ZF_ENOMEM;
    ZF_TRY(zf_model_number(&model->inputs, file, path, "inputs", 0, UINT64_MAX));
    ZF_TRY(read_training(model, file, path));
    ZF_TRY(read_targets(model, file, path));
    status =
        zf_marginals_read(&model->marginals, model->shape.marginals,
                          (size_t)model->shape.gate.variables, (size_t)model->shape.knots, file);
    if (status == ZF_OK) status = zf_blanket_prepare(model, file);
    if (status == ZF_EINVAL) return zf_fail_within(ZF_EINPUT, "%s: ", path);
    ZF_TRY(status);
    ZF_TRY(zf_model_read(model->params, file));
    ZF_TRY(zf_history_read(&model->history, file, path));
    ZF_TRY(zf_evidence_read(&model->evidence, file, (size_t)model->shape.gate.variables));
    if (model->evidence) ZF_TRY(read_calibration(&model->calibration, file, path));
    return restore_buffers(model);
}

/* Closes the file. */
static zf_status take(zf_blanket **out, zf_safetensors *file, const char *path)
{
    zf_blanket *model = NULL;
    zf_status status = load(&model, file, path);
    zf_safetensors_close(file);
    if (status != ZF_OK) {
        zf_blanket_free(model);
        return status;
    }
    *out = model;
    return ZF_OK;
}

zf_status zf_blanket_load(zf_blanket **out, const char *path)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open(&file, path, TASK));
    return take(out, file, path);
}

zf_status zf_blanket_load_memory(zf_blanket **out, const char *name, const void *bytes, size_t n)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open_memory(&file, name, bytes, n, TASK));
    return take(out, file, name);
}
