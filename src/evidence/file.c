/* Evidence in a model file: a row of numbers for each pair, the controls, stand-ins and superfluous
   ones of each variable and, if there is stability, that of each pair, and of how many half samples
   at what rate it is. q-values follow from the p-values and are not kept. */
#include <math.h>

#include "base/error.h"
#include "evidence/result.h"

enum { P_VALUE, EFFECT, FORM, CURVED, THIRD, FIELDS };

static const char PAIRS[] = "evidence.pairs", CONTROLS[] = "evidence.controls";
static const char STAND_INS[] = "evidence.stand_ins", SUPERFLUOUS[] = "evidence.superfluous";
static const char FDR[] = "evidence.fdr";
static const char STABILITY[] = "evidence.stability", HALVES[] = "evidence.half_samples";

enum { HALF_SAMPLES, HALF_FDR, HALF_FIELDS };

/* The controls of a variable, after the number of rows in the table, of the first one, or that of
   units, of the others; -1: no more. */
enum { CONTROL_FIELDS = 1 + ZF_CONTROLS_MOST };

/* The stand-ins of a variable, or what is superfluous, each with its p-value; -1: no more. */
enum { CHANGE_FIELDS = 2 * ZF_CONTROLS_MOST };

static zf_tensor table(const char *name, const double *data, size_t rows, size_t columns)
{
    return (zf_tensor){.name = name,
                       .rank = 2,
                       .dim = {(int64_t)rows, (int64_t)columns},
                       .data = data,
                       .wide = true};
}

static zf_tensor vector(const char *name, const double *data, size_t n)
{
    return (zf_tensor){.name = name, .rank = 1, .dim = {(int64_t)n}, .data = data, .wide = true};
}

static zf_status stability_tensors(zf_tensor *tensors, int *n, const zf_evidence *evidence,
                                   size_t pairs, zf_arena *arena)
{
    if (evidence->half_samples == 0) return ZF_OK;
    double *shares = zf_arena_get(arena, pairs * sizeof *shares);
    double *halves = zf_arena_get(arena, HALF_FIELDS * sizeof *halves);
    if (!shares || !halves) return ZF_ENOMEM;
    for (size_t i = 0; i < pairs; i++) shares[i] = evidence->pairs[i].stability;
    halves[HALF_SAMPLES] = evidence->half_samples;
    halves[HALF_FDR] = evidence->half_fdr;
    tensors[(*n)++] = vector(STABILITY, shares, pairs);
    tensors[(*n)++] = vector(HALVES, halves, HALF_FIELDS);
    return ZF_OK;
}

static zf_status change_tensor(zf_tensor *out, const char *name, const zf_changes *changes,
                               size_t columns, zf_arena *arena)
{
    double *data = zf_arena_get(arena, columns * CHANGE_FIELDS * sizeof *data);
    if (!data) return ZF_ENOMEM;
    for (size_t j = 0; j < columns; j++) {
        const zf_changes *own = &changes[j];
        for (size_t k = 0; k < ZF_CONTROLS_MOST; k++) {
            double *to = data + j * CHANGE_FIELDS + 2 * k;
            to[0] = k < own->n ? (double)own->list[k].variable : -1;
            to[1] = k < own->n ? own->list[k].p_value : -1;
        }
    }
    *out = table(name, data, columns, CHANGE_FIELDS);
    return ZF_OK;
}

zf_status zf_evidence_tensors(zf_tensor tensors[ZF_EVIDENCE_TENSORS], int *count,
                              const zf_evidence *evidence, zf_arena *arena)
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
        to[0] = (double)(j ? evidence->units : evidence->rows);
        for (size_t k = 0; k < ZF_CONTROLS_MOST; k++)
            to[1 + k] = k < own->n ? (double)own->variable[k] : -1;
    }
    tensors[0] = table(PAIRS, pairs, n, FIELDS);
    tensors[1] = table(CONTROLS, controls, columns, CONTROL_FIELDS);
    tensors[2] = vector(FDR, &evidence->fdr, 1);
    ZF_TRY(change_tensor(&tensors[3], STAND_INS, evidence->stand_ins, columns, arena));
    ZF_TRY(change_tensor(&tensors[4], SUPERFLUOUS, evidence->superfluous, columns, arena));
    *count = 5;
    return stability_tensors(tensors, count, evidence, n, arena);
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
                             .third = (int32_t)from[THIRD],
                             .stability = -1};
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
    bool sound = is_whole(controls[0], ZF_EVIDENCE_ROWS_LEAST, 1e15) &&
                 is_whole(controls[CONTROL_FIELDS], ZF_EVIDENCE_ROWS_LEAST, controls[0]);
    evidence->units = sound ? (size_t)controls[CONTROL_FIELDS] : 0;
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

static bool take_changes(zf_changes *to, const double *from, double columns)
{
    for (size_t k = 0; k < ZF_CONTROLS_MOST; k++, from += 2) {
        if (!is_whole(from[0], -1, columns - 1)) return false;
        if (from[0] < 0) break;
        if (!(from[1] >= 0 && from[1] <= 1)) return false;
        to->list[to->n++] = (zf_change){(int32_t)from[0], from[1]};
    }
    return true;
}

static zf_status read_changes(zf_changes *changes, const char *name, size_t columns,
                              const zf_safetensors *file, zf_arena *arena)
{
    int64_t shape[] = {(int64_t)columns, CHANGE_FIELDS};
    double *data = zf_arena_get(arena, columns * CHANGE_FIELDS * sizeof *data);
    if (!data) return ZF_ENOMEM;
    ZF_TRY(zf_safetensors_read_doubles(file, data, name, 2, shape));
    for (size_t j = 0; j < columns; j++)
        if (!take_changes(&changes[j], data + j * CHANGE_FIELDS, (double)columns))
            return zf_fail(ZF_EINPUT, "%s: its %s holds numbers that no search gives",
                           zf_safetensors_path(file), name);
    return ZF_OK;
}

/* What makes blankets of the edges, of evidence whose pairs are there; a file may have none. */
static zf_status read_blankets(zf_evidence *evidence, const zf_safetensors *file, zf_arena *arena)
{
    size_t columns = (size_t)evidence->columns;
    if (zf_safetensors_find(file, STAND_INS))
        ZF_TRY(read_changes(evidence->stand_ins, STAND_INS, columns, file, arena));
    if (!zf_safetensors_find(file, SUPERFLUOUS)) return ZF_OK;
    ZF_TRY(read_changes(evidence->superfluous, SUPERFLUOUS, columns, file, arena));
    ZF_TRY(zf_safetensors_read_doubles(file, &evidence->fdr, FDR, 1, (int64_t[]){1}));
    if (evidence->fdr >= 0 && evidence->fdr < 1) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: its %s is %g, which is no rate", zf_safetensors_path(file), FDR,
                   evidence->fdr);
}

static bool take_stability(zf_evidence *evidence, const double *shares, const double *halves,
                           size_t n)
{
    if (!is_whole(halves[HALF_SAMPLES], 2, ZF_HALF_SAMPLES_MOST) ||
        !(halves[HALF_FDR] > 0 && halves[HALF_FDR] < 1))
        return false;
    evidence->half_samples = (int)halves[HALF_SAMPLES];
    evidence->half_fdr = halves[HALF_FDR];
    for (size_t i = 0; i < n; i++) {
        if (!(shares[i] >= 0 && shares[i] <= 1)) return false;
        evidence->pairs[i].stability = shares[i];
    }
    return true;
}

/* Of evidence whose pairs are there, by which the memory is bounded. */
static zf_status read_stability(zf_evidence *evidence, const zf_safetensors *file, zf_arena *arena)
{
    size_t columns = (size_t)evidence->columns, n = columns * (columns - 1) / 2;
    int64_t share_shape[] = {(int64_t)n}, half_shape[] = {HALF_FIELDS};
    double halves[HALF_FIELDS];
    if (!zf_safetensors_find(file, STABILITY)) return ZF_OK;
    double *shares = zf_arena_get(arena, n * sizeof *shares);
    if (!shares) return ZF_ENOMEM;
    ZF_TRY(zf_safetensors_read_doubles(file, shares, STABILITY, 1, share_shape));
    ZF_TRY(zf_safetensors_read_doubles(file, halves, HALVES, 1, half_shape));
    if (take_stability(evidence, shares, halves, n)) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: its stability holds numbers that no half samples give",
                   zf_safetensors_path(file));
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
    if (status == ZF_OK) status = read_blankets(evidence, file, &arena);
    if (status == ZF_OK) status = read_stability(evidence, file, &arena);
    zf_arena_free(&arena);
    if (status == ZF_OK)
        *out = evidence;
    else
        zf_evidence_free(evidence);
    return status;
}
