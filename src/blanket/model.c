#include "blanket/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/finite.h"
#include "blanket/step.h"

/* Rows of gates that are asked for at once: fewer of many, for memory. */
enum { QUERY_ROWS = 64, QUERY_GATES = 1 << 18 };

static int query_rows(int variables)
{
    int rows = QUERY_GATES / variables;
    return rows < 1 ? 1 : rows > QUERY_ROWS ? QUERY_ROWS : rows;
}

/* A program that one thread at a time asks. */
typedef struct asker {
    zf_spare spare;
    zf_program *program;
    zf_domain *masks;
    zf_gates gates;
} asker;

static void asker_free(void *thing)
{
    asker *a = thing;
    if (!a) return;
    zf_program_free(a->program);
    free(a);
}

zf_status zf_blanket_new(zf_blanket **out, const zf_blanket_shape *shape, uint64_t seed,
                         const char *const *names)
{
    zf_blanket *model = calloc(1, sizeof *model);
    if (!model) return zf_fail_memory(sizeof *model);
    zf_spares_init(&model->askers);
    model->shape = *shape;
    model->seed = seed;
    model->history = zf_history_new(ZF_BLANKET_MEASURES);
    size_t variables = (size_t)shape->gate.variables;
    model->names = zf_arena_get(&model->arena, variables * sizeof *model->names);
    zf_status status = model->names ? zf_params_new(&model->params, seed) : ZF_ENOMEM;
    for (size_t j = 0; status == ZF_OK && j < variables; j++) {
        model->names[j] = zf_arena_string(&model->arena, names[j]);
        if (!model->names[j]) status = ZF_ENOMEM;
    }
    if (status == ZF_OK) status = zf_crew_new(&model->crew, 1);
    if (status != ZF_OK) {
        zf_blanket_free(model);
        return status;
    }
    *out = model;
    return ZF_OK;
}

void zf_blanket_free(zf_blanket *model)
{
    if (!model) return;
    zf_spares_destroy(&model->askers, asker_free);
    zf_params_free(model->params);
    zf_crew_free(model->crew);
    free(model->constraints);
    zf_evidence_free(model->evidence);
    zf_marginals_free(&model->marginals);
    zf_arena_free(&model->arena);
    free(model);
}

zf_status zf_blanket_fix_targets(zf_blanket *model, const int32_t *targets, int n)
{
    int32_t *copy = zf_arena_get(&model->arena, (size_t)n * sizeof *copy);
    if (!copy) return ZF_ENOMEM;
    memcpy(copy, targets, (size_t)n * sizeof *copy);
    model->fixed = copy;
    model->n_fixed = n;
    return ZF_OK;
}

static zf_status asker_begin(asker **out, const zf_blanket *model)
{
    const zf_blanket_shape *shape = &model->shape;
    asker *a = calloc(1, sizeof *a);
    if (!a) return zf_fail_memory(sizeof *a);
    zf_status status = zf_program_new(&a->program, model->params);
    if (status != ZF_OK) {
        free(a);
        return status;
    }
    a->masks = zf_program_domain(a->program, "masks", query_rows(shape->gate.variables), 1);
    a->gates = zf_gates_build(a->program, a->masks, &shape->gate);
    *out = a;
    return ZF_OK;
}

static zf_status asker_end(asker *a)
{
    ZF_TRY(zf_program_plan(a->program, NULL, &a->gates.gates, 1, 1));
    zf_program_keep_prepared(a->program);
    return ZF_OK;
}

/* The first program declares what the file holds beside the gates as well. */
static zf_status declare_rest(const zf_blanket *model, asker *a, const zf_safetensors *from)
{
    const zf_blanket_shape *shape = &model->shape;
    int d = shape->gate.variables;
    zf_field_build(a->program, d, shape->hidden);
    if (shape->constrained) zf_buffer(a->program, "constraints", zf_shape_of(d, d), ZF_ZEROS);
    ZF_TRY(zf_model_check(model->params, from));
    return asker_end(a);
}

zf_status zf_blanket_prepare(zf_blanket *model, const zf_safetensors *from)
{
    asker *a = NULL;
    ZF_TRY(asker_begin(&a, model));
    zf_status status = declare_rest(model, a, from);
    if (status == ZF_OK)
        zf_spares_give(&model->askers, a);
    else
        asker_free(a);
    return status;
}

static zf_status take_asker(asker **out, const zf_blanket *model)
{
    zf_blanket *m = (zf_blanket *)model; /* the lock of the spares guards what changes */
    asker *a = zf_spares_take(&m->askers);
    if (!a) {
        ZF_TRY(asker_begin(&a, model));
        zf_status status = asker_end(a);
        if (status != ZF_OK) {
            asker_free(a);
            return status;
        }
    }
    *out = a;
    return ZF_OK;
}

static void give_asker(const zf_blanket *model, asker *a)
{
    zf_spares_give(&((zf_blanket *)model)->askers, a);
}

int32_t zf_blanket_variables(const zf_blanket *model)
{
    return model->shape.gate.variables;
}

const char *zf_blanket_name(const zf_blanket *model, int32_t variable)
{
    return variable >= 0 && variable < zf_blanket_variables(model) ? model->names[variable] : NULL;
}

int32_t zf_blanket_find(const zf_blanket *model, const char *name)
{
    for (int j = 0; j < zf_blanket_variables(model); j++)
        if (strcmp(model->names[j], name) == 0) return j;
    return -1;
}

zf_gate_kind zf_blanket_gate(const zf_blanket *model)
{
    return model->shape.gate.kind;
}

zf_marginals_kind zf_blanket_marginals(const zf_blanket *model)
{
    return model->shape.marginals;
}

int32_t zf_blanket_most_targets(const zf_blanket *model)
{
    int variables = zf_blanket_variables(model);
    bool bounded = zf_gate_about_of(model->shape.gate.kind)->listed || model->fixed;
    return bounded ? model->shape.gate.most_targets : variables - 1;
}

const char *zf_blanket_options(const zf_blanket *model)
{
    return model->options_text ? model->options_text : "";
}

size_t zf_blanket_history_rows(const zf_blanket *model)
{
    return zf_history_rows(&model->history);
}

size_t zf_blanket_history_columns(const zf_blanket *model)
{
    return 1 + (size_t)model->history.measures;
}

const char *zf_blanket_history_column(const zf_blanket *model, size_t column)
{
    static const char *const names[ZF_BLANKET_MEASURES] = {"loss", "rectified", "zero",
                                                           "mean_gate"};
    return zf_history_column(&model->history, names, column);
}

double zf_blanket_history_value(const zf_blanket *model, size_t row, size_t column)
{
    return zf_history_cell(&model->history, row, column);
}

/* --- queries --------------------------------------------------------------------- */

static bool is_fixed(const zf_blanket *model, int32_t target)
{
    for (int k = 0; k < model->n_fixed; k++)
        if (model->fixed[k] == target) return true;
    return false;
}

/* Free gates know one set alone. The targets are known to differ. */
static zf_status check_fixed(const zf_blanket *model, const int32_t *targets, int n)
{
    bool same = n == model->n_fixed;
    for (int k = 0; k < n && same; k++) same = is_fixed(model, targets[k]);
    if (same) return ZF_OK;
    char list[400] = "";
    for (int k = 0; k < model->n_fixed; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s\"%s\"", k ? ", " : "",
                 model->names[model->fixed[k]]);
    }
    return zf_fail(ZF_EINVAL, "this model was fitted for a single target set: %s", list);
}

static zf_status check_targets(const zf_blanket *model, const int32_t *targets, size_t given)
{
    int d = zf_blanket_variables(model), most = model->shape.gate.most_targets, n = (int)given;
    if (given < 1) return zf_fail(ZF_EINVAL, "a blanket needs at least one target");
    if (given >= (size_t)d)
        return zf_fail(ZF_EINVAL, "%zu targets of %d variables leave nothing to predict them from",
                       given, d);
    if (zf_gate_about_of(model->shape.gate.kind)->listed && n > most)
        return zf_fail(ZF_EINVAL, "%d targets; this model was trained for sets of at most %d", n,
                       most);
    for (int k = 0; k < n; k++) {
        if (targets[k] < 0 || targets[k] >= d)
            return zf_fail(ZF_EINVAL, "target %d is outside the model's %d variables",
                           (int)targets[k], d);
        for (int l = 0; l < k; l++)
            if (targets[l] == targets[k])
                return zf_fail(ZF_EINVAL, "target \"%s\" is named twice", model->names[targets[k]]);
    }
    return model->fixed ? check_fixed(model, targets, n) : ZF_OK;
}

static void finish_gates(const zf_blanket *model, const int32_t *targets, int n, float *gates)
{
    int d = zf_blanket_variables(model);
    for (int j = 0; model->constraints && j < d; j++) {
        zf_gate_rule rule = zf_gate_rule_of(model->constraints, d, targets, n, j);
        if (rule != ZF_GATE_LEARNT) gates[j] = rule == ZF_GATE_OPEN ? 1.0f : 0.0f;
    }
    for (int k = 0; k < n; k++) gates[targets[k]] = 0.0f;
}

/* Weights may be finite and yet so large that the network is not. */
static zf_status check_gates(const zf_blanket *model, const float *gates, int32_t target)
{
    size_t n = (size_t)zf_blanket_variables(model), at = zf_finite_floats(gates, n);
    if (at == n) return ZF_OK;
    return zf_fail(ZF_ENUMERIC, "the gate of \"%s\" for the target \"%s\" is not a finite number",
                   model->names[at], model->names[target]);
}

zf_status zf_blanket_query(const zf_blanket *model, const int32_t *targets, size_t n_targets,
                           float *gates)
{
    asker *a = NULL;
    ZF_TRY(check_targets(model, targets, n_targets));
    int n = (int)n_targets;
    ZF_TRY(take_asker(&a, model));
    zf_status status = zf_domain_set_rows(a->masks, 1);
    if (status == ZF_OK) {
        zf_gates_set_mask(&a->gates, 0, targets, n);
        zf_program_forward(a->program, model->crew, ZF_EVALUATE);
        memcpy(gates, zf_node_value(a->gates.gates),
               (size_t)zf_blanket_variables(model) * sizeof *gates);
        finish_gates(model, targets, n, gates);
    }
    give_asker(model, a);
    return status == ZF_OK ? check_gates(model, gates, targets[0]) : status;
}

static zf_status query_block(const zf_blanket *m, asker *a, int first, int count, float *gates)
{
    int d = zf_blanket_variables(m);
    ZF_TRY(zf_domain_set_rows(a->masks, count));
    for (int i = 0; i < count; i++) zf_gates_set_mask(&a->gates, i, &(int32_t){first + i}, 1);
    zf_program_forward(a->program, m->crew, ZF_EVALUATE);
    memcpy(gates, zf_node_value(a->gates.gates), (size_t)count * (size_t)d * sizeof *gates);
    for (int i = 0; i < count; i++) {
        finish_gates(m, &(int32_t){first + i}, 1, gates + (size_t)i * (size_t)d);
        ZF_TRY(check_gates(m, gates + (size_t)i * (size_t)d, first + i));
    }
    return ZF_OK;
}

zf_status zf_blanket_matrix(const zf_blanket *model, float *gates)
{
    int d = zf_blanket_variables(model), rows = query_rows(d);
    asker *a = NULL;
    if (model->fixed)
        return zf_fail(ZF_EINVAL, "this model was fitted for a single target set; a graph needs "
                                  "the blanket of every variable");
    ZF_TRY(take_asker(&a, model));
    zf_status status = ZF_OK;
    for (int first = 0; first < d && status == ZF_OK; first += rows) {
        int count = d - first < rows ? d - first : rows;
        status = query_block(model, a, first, count, gates + (size_t)first * (size_t)d);
    }
    give_asker(model, a);
    return status;
}
