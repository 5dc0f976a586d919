/* From a list of nodes to memory and passes: who wants a gradient, who may
   work in place, who writes a gradient first, where everything lies. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/internal.h"

/* A node wants a gradient if something learnt is before it and the loss is
   after it. Inputs and parameters were marked when they were made. */
static void mark_gradients(zf_program *program)
{
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i];
        for (int k = 0; k < node->inputs; k++) node->wants_grad |= node->input[k]->wants_grad;
    }
    bool *reached = zf_arena_get(&program->arena, (size_t)program->n_nodes);
    if (program->loss && reached) reached[program->loss->id] = true;
    for (int i = program->n_nodes - 1; i >= 0; i--) {
        zf_node *node = program->nodes[i];
        node->wants_grad &= reached && reached[i];
        for (int k = 0; k < node->inputs && node->wants_grad; k++)
            reached[node->input[k]->id] = true;
    }
}

static bool may_share(const zf_node *node)
{
    const zf_node *input = node->inputs ? node->input[0] : NULL;
    if (!input || !input->domain || input->type != node->type ||
        zf_shape_row_size(input->shape) != zf_shape_row_size(node->shape))
        return false;
    if (node->op->flags & ZF_OP_VIEW) return input->readers == 1 || !node->wants_grad;
    if (input->domain != node->domain) return false;
    return (node->op->flags & ZF_OP_IN_PLACE) && input->op && input->readers == 1 &&
           !input->is_kept && input->wants_grad == node->wants_grad;
}

/* Decides in order, because a view hands its input's protection on. */
static void mark_sharing(zf_program *program)
{
    for (int i = 0; i < program->n_nodes; i++)
        for (int k = 0; k < program->nodes[i]->inputs; k++) program->nodes[i]->input[k]->readers++;
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i];
        node->is_kept = node->is_output || !node->op || (node->op->flags & ZF_OP_READS_OUTPUT);
        if (!node->op) continue;
        node->in_place = may_share(node);
        if (node->in_place && (node->op->flags & ZF_OP_VIEW))
            node->is_kept |= node->input[0]->is_kept || node->input[0]->readers > 1;
    }
}

/* In which domain each parameter gets its gradient. One that gets it in several
   is shared: it is cleared before each backward run, because the domains differ
   in their number of shards. */
static zf_status find_param_domains(zf_program *program)
{
    size_t count = (size_t)zf_params_count(program->params);
    program->param_domain = zf_arena_get(&program->arena, count * sizeof *program->param_domain);
    program->param_shared = zf_arena_get(&program->arena, count * sizeof *program->param_shared);
    if (!program->param_domain || !program->param_shared) return ZF_ENOMEM;
    for (int i = 0; i < program->n_nodes; i++) {
        const zf_node *node = program->nodes[i];
        for (int k = 0; k < node->inputs && node->wants_grad; k++) {
            int p = node->input[k]->parameter;
            if (p < 0 || !node->input[k]->wants_grad) continue;
            zf_domain *domain = zf_op_stage_domain(node, &node->op->backward[0]);
            if (domain->shards > program->n_slots) program->n_slots = domain->shards;
            if (!program->param_domain[p]) program->param_domain[p] = domain;
            if (program->param_domain[p] == domain || program->param_shared[p]) continue;
            program->param_shared[p] = true;
            program->n_shared++;
        }
    }
    return ZF_OK;
}

/* The first in backward order writes, the others add. */
static zf_status mark_fresh(zf_program *program)
{
    bool *written = zf_arena_get(&program->arena, (size_t)program->n_nodes);
    if (!written) return ZF_ENOMEM;
    for (int i = program->n_nodes - 1; i >= 0; i--) {
        zf_node *node = program->nodes[i];
        for (int k = 0; k < node->inputs && node->wants_grad; k++) {
            zf_node *input = node->input[k];
            if (!input->wants_grad || written[input->id]) continue;
            if (input->parameter >= 0 && program->param_shared[input->parameter]) continue;
            node->fresh |= 1u << k;
            written[input->id] = true;
        }
    }
    return ZF_OK;
}

/* --- memory ---------------------------------------------------------------- */

static size_t padded(size_t bytes)
{
    return (bytes + ZF_ALIGN - 1) / ZF_ALIGN * ZF_ALIGN;
}

static size_t tensor_bytes(const zf_node *node)
{
    return padded(zf_shape_size(node->shape) * sizeof(float));
}

static size_t saved_bytes(zf_node *node)
{
    const zf_domain *domain = zf_saved_domain(node);
    node->saved_bytes_a_shard = padded(node->saved_bytes_a_shard);
    return padded(node->saved_bytes) + padded((size_t)domain->max_rows * node->saved_bytes_a_row) +
           (size_t)domain->shards * node->saved_bytes_a_shard;
}

/* Without a loss nothing is kept for backward. */
static void drop_saved_rows(zf_program *program)
{
    for (int i = 0; i < program->n_nodes && !program->loss; i++) {
        zf_node *node = program->nodes[i];
        if (node->op && (node->op->flags & ZF_OP_SAVES_FOR_BACKWARD)) node->saved_bytes_a_row = 0;
    }
}

static void measure(zf_program *program)
{
    zf_footprint *print = &program->footprint;
    print->nodes = program->n_nodes;
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i];
        if (node->parameter >= 0) continue;
        if (!node->in_place && !node->value_passing) print->values += tensor_bytes(node);
        if (!node->in_place && node->wants_grad && !node->passing)
            print->gradients += tensor_bytes(node);
        if (node->op) print->saved += saved_bytes(node);
        size_t scratch = padded(node->scratch_bytes);
        if (scratch > program->scratch_stride) program->scratch_stride = scratch;
    }
    print->scratch = (program->scratch_stride + program->passing_stride) * (size_t)program->workers;
    print->slots = (size_t)program->n_slots * zf_params_length(program->params) * sizeof(float);
}

static zf_status take_slabs(zf_program *program)
{
    const zf_footprint *print = &program->footprint;
    program->values = zf_slab_new(print->values);
    program->grads = zf_slab_new(print->gradients);
    program->saved = zf_slab_new(print->saved);
    program->scratch = zf_slab_new(print->scratch);
    program->slot_slab = zf_slab_new(print->slots);
    program->slots =
        zf_arena_get(&program->arena, (size_t)(program->n_slots + 1) * sizeof *program->slots);
    bool all = program->values && program->grads && program->saved && program->scratch &&
               program->slot_slab && program->slots;
    if (all)
        program->passing = program->scratch + program->scratch_stride * (size_t)program->workers;
    for (int s = 0; all && s < program->n_slots; s++)
        program->slots[s] = program->slot_slab + (size_t)s * zf_params_length(program->params);
    return all ? ZF_OK : ZF_ENOMEM;
}

static void place_saved(zf_node *node, unsigned char **free_saved)
{
    const zf_domain *domain = zf_saved_domain(node);
    node->saved = *free_saved;
    node->saved_rows = node->saved + padded(node->saved_bytes);
    node->saved_shards =
        node->saved_rows + padded((size_t)domain->max_rows * node->saved_bytes_a_row);
    *free_saved += saved_bytes(node);
}

static void place(zf_program *program)
{
    unsigned char *value = program->values, *grad = program->grads, *saved = program->saved;
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i];
        if (node->parameter >= 0) {
            node->value = zf_params_data(program->params, node->parameter);
            continue;
        }
        if (node->in_place) {
            node->value = node->input[0]->value;
            node->grad = node->wants_grad ? node->input[0]->grad : NULL;
        } else {
            node->value = node->value_passing ? NULL : value;
            if (!node->value_passing) value += tensor_bytes(node);
            bool stored = node->wants_grad && !node->passing;
            node->grad = stored ? (float *)grad : NULL;
            if (stored) grad += tensor_bytes(node);
        }
        if (node->op) place_saved(node, &saved);
    }
}

zf_status zf_program_plan(zf_program *program, zf_node *loss, zf_node *const *outputs,
                          int n_outputs, int workers)
{
    ZF_TRY(zf_program_built(program));
    if (program->planned) return zf_fail(ZF_EINVAL, "the program was planned already");
    if (workers < 1) return zf_fail(ZF_EINVAL, "a program needs at least one worker");
    if (loss && (!loss->op || loss->type != ZF_F32))
        return zf_fail(ZF_EINVAL, "the loss must be the result of an operation");
    program->planned = true;
    program->loss = loss;
    program->workers = workers;
    if (loss) loss->is_output = true;
    for (int i = 0; i < n_outputs; i++) outputs[i]->is_output = true;
    ZF_TRY(zf_params_fix(program->params));
    mark_gradients(program);
    if (loss && !loss->wants_grad)
        return zf_fail(ZF_EINVAL, "the loss depends on nothing that is learnt");
    mark_sharing(program);
    ZF_TRY(find_param_domains(program));
    ZF_TRY(mark_fresh(program));
    ZF_TRY(zf_passes_build(program));
    ZF_TRY(zf_find_passing(program));
    drop_saved_rows(program);
    measure(program);
    ZF_TRY(take_slabs(program));
    place(program);
    program->footprint.forward_phases = program->forward.n_phases;
    program->footprint.backward_phases = program->backward.n_phases;
    return ZF_OK;
}
