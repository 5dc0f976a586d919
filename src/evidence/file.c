/* Evidence in a model file: a row of numbers for each pair, and the controls of each variable.
   q-values follow from the p-values and are not kept. */
#include <math.h>

#include "base/error.h"
#include "evidence/result.h"

enum { P_VALUE, EFFECT, FORM, CURVED, THIRD, FIELDS };

static const char PAIRS[] = "evidence.pairs", CONTROLS[] = "evidence.controls";

/* The controls of a variable, after the number of rows in the table; -1: no more. */
enum { CONTROL_FIELDS = 1 + ZF_CONTROLS_MOST };

zf_status zf_evidence_tensors(zf_tensor tensors[ZF_EVIDENCE_TENSORS], const zf_evidence *evidence,
                              zf_arena *arena)
{
    size_t columns = (size_t)evidence->columns, n = columns * (columns - 1) / 2;
    double *pairs = zf_arena_get(arena, n * FIELDS * sizeof *pairs);
    double *controls = zf_arena_get(arena, columns * CONTROL_FIELDS * sizeof *controls);
    if (!pairs || !controls) return ZF_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const zf_pair_evidence *pair = &evidence->pairs[i];
        double *to = pairs + i * FIELDS;
        to[P_VALUE] = pair->p_value;
        to[EFFECT] = pair->effect;
        to[FORM] = pair->form;
        to[CURVED] = pair->curved;
        to[THIRD] = pair->third;
    }
    for (size_t j = 0; j < columns; j++) {
        const zf_controls *own = &evidence->controls[j];
        double *to = controls + j * CONTROL_FIELDS;
        to[0] = (double)evidence->rows;
        for (size_t k = 0; k < ZF_CONTROLS_MOST; k++)
            to[1 + k] = k < own->n ? (double)own->variable[k] : -1;
    }
    tensors[0] = (zf_tensor){
        .name = PAIRS, .rank = 2, .dim = {(int64_t)n, FIELDS}, .data = pairs, .wide = true};
    tensors[1] = (zf_tensor){.name = CONTROLS,
                             .rank = 2,
                             .dim = {(int64_t)columns, CONTROL_FIELDS},
                             .data = controls,
                             .wide = true};
    return ZF_OK;
}

static bool is_whole(double value, double least, double most)
{
    return value >= least && value <= most && floor(value) == value;
}

static bool take_pair(zf_pair_evidence *to, const double *from, double columns)
{
    if (!(from[P_VALUE] >= 0 && from[P_VALUE] <= 1) ||
        !is_whole(from[FORM], 0, ZF_FORM_INTERACTION) || !is_whole(from[CURVED], -1, columns - 1) ||
        !is_whole(from[THIRD], -1, columns - 1))
        return false;
    *to = (zf_pair_evidence){.p_value = from[P_VALUE],
                             .effect = from[EFFECT],
                             .form = (zf_form)from[FORM],
                             .curved = (int32_t)from[CURVED],
                             .third = (int32_t)from[THIRD]};
    return true;
}

static bool take_controls(zf_controls *to, const double *from, double columns)
{
    for (size_t k = 0; k < ZF_CONTROLS_MOST; k++) {
        if (!is_whole(from[1 + k], -1, columns - 1)) return false;
        if (from[1 + k] < 0) break;
        to->variable[to->n++] = (int32_t)from[1 + k];
    }
    return true;
}

static zf_status fill(zf_evidence *evidence, const double *pairs, const double *controls,
                      const char *path)
{
    size_t columns = (size_t)evidence->columns, n = columns * (columns - 1) / 2;
    bool sound = is_whole(controls[0], ZF_EVIDENCE_ROWS_LEAST, 1e15);
    evidence->rows = sound ? (size_t)controls[0] : 0;
    for (size_t i = 0; sound && i < n; i++)
        sound = take_pair(&evidence->pairs[i], pairs + i * FIELDS, (double)columns);
    for (size_t j = 0; sound && j < columns; j++)
        sound =
            take_controls(&evidence->controls[j], controls + j * CONTROL_FIELDS, (double)columns);
    if (!sound)
        return zf_fail(ZF_EINPUT, "%s: its evidence holds numbers that no test gives", path);
    return zf_evidence_adjust(evidence);
}

zf_status zf_evidence_read(zf_evidence **out, const zf_safetensors *file, size_t columns)
{
    size_t n = columns * (columns - 1) / 2;
    int64_t pair_shape[] = {(int64_t)n, FIELDS},
            control_shape[] = {(int64_t)columns, CONTROL_FIELDS};
    zf_evidence *evidence = NULL;
    zf_arena arena = {0};
    *out = NULL;
    const zf_tensor *found = zf_safetensors_find(file, PAIRS);
    if (!found) return ZF_OK;
    /* Its size in the file, not what the model says of itself, bounds the memory. */
    if (zf_tensor_size(found) != n * FIELDS)
        return zf_fail(ZF_EINPUT, "%s: evidence for %zu pairs, expected %zu",
                       zf_safetensors_path(file), zf_tensor_size(found) / FIELDS, n);
    double *pairs = zf_arena_get(&arena, n * FIELDS * sizeof *pairs);
    double *controls = zf_arena_get(&arena, columns * CONTROL_FIELDS * sizeof *controls);
    zf_status status = pairs && controls ? zf_evidence_new(&evidence, 0, columns) : ZF_ENOMEM;
    if (status == ZF_OK) status = zf_safetensors_read_doubles(file, pairs, PAIRS, 2, pair_shape);
    if (status == ZF_OK)
        status = zf_safetensors_read_doubles(file, controls, CONTROLS, 2, control_shape);
    if (status == ZF_OK) status = fill(evidence, pairs, controls, zf_safetensors_path(file));
    zf_arena_free(&arena);
    if (status == ZF_OK)
        *out = evidence;
    else
        zf_evidence_free(evidence);
    return status;
}
