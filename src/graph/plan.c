/* From a list of nodes to memory and a program: who wants a gradient, who may
   work in place, who writes a gradient first, where everything lies. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/internal.h"

/* A node wants a gradient if something learnt is before it and the loss is
   after it. Inputs and parameters were marked when they were made. */
static void mark_gradients(zf_graph *graph)
{
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i];
        for (int k = 0; k < node->inputs; k++) node->wants_grad |= node->input[k]->wants_grad;
    }
    bool *reached = zf_arena_get(&graph->arena, (size_t)graph->n_nodes);
    if (graph->loss && reached) reached[graph->loss->id] = true;
    for (int i = graph->n_nodes - 1; i >= 0; i--) {
        zf_node *node = graph->nodes[i];
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
static void mark_sharing(zf_graph *graph)
{
    for (int i = 0; i < graph->n_nodes; i++)
        for (int k = 0; k < graph->nodes[i]->inputs; k++) graph->nodes[i]->input[k]->readers++;
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i];
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
static zf_status find_param_domains(zf_graph *graph)
{
    size_t count = (size_t)zf_params_count(graph->params);
    graph->param_domain = zf_arena_get(&graph->arena, count * sizeof *graph->param_domain);
    graph->param_shared = zf_arena_get(&graph->arena, count * sizeof *graph->param_shared);
    if (!graph->param_domain || !graph->param_shared) return ZF_ENOMEM;
    for (int i = 0; i < graph->n_nodes; i++) {
        const zf_node *node = graph->nodes[i];
        for (int k = 0; k < node->inputs && node->wants_grad; k++) {
            int p = node->input[k]->parameter;
            if (p < 0 || !node->input[k]->wants_grad) continue;
            zf_domain *domain = zf_stage_domain(node, &node->op->backward[0]);
            if (domain->shards > graph->n_slots) graph->n_slots = domain->shards;
            if (!graph->param_domain[p]) graph->param_domain[p] = domain;
            if (graph->param_domain[p] == domain || graph->param_shared[p]) continue;
            graph->param_shared[p] = true;
            graph->n_shared++;
        }
    }
    return ZF_OK;
}

/* The first in backward order writes, the others add. */
static zf_status mark_fresh(zf_graph *graph)
{
    bool *written = zf_arena_get(&graph->arena, (size_t)graph->n_nodes);
    if (!written) return ZF_ENOMEM;
    for (int i = graph->n_nodes - 1; i >= 0; i--) {
        zf_node *node = graph->nodes[i];
        for (int k = 0; k < node->inputs && node->wants_grad; k++) {
            zf_node *input = node->input[k];
            if (!input->wants_grad || written[input->id]) continue;
            if (input->parameter >= 0 && graph->param_shared[input->parameter]) continue;
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
static void drop_saved_rows(zf_graph *graph)
{
    for (int i = 0; i < graph->n_nodes && !graph->loss; i++) {
        zf_node *node = graph->nodes[i];
        if (node->op && (node->op->flags & ZF_OP_SAVES_FOR_BACKWARD)) node->saved_bytes_a_row = 0;
    }
}

static void measure(zf_graph *graph)
{
    zf_footprint *print = &graph->footprint;
    print->nodes = graph->n_nodes;
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i];
        if (node->parameter >= 0) continue;
        if (!node->in_place && !node->value_passing) print->values += tensor_bytes(node);
        if (!node->in_place && node->wants_grad && !node->passing)
            print->gradients += tensor_bytes(node);
        if (node->op) print->saved += saved_bytes(node);
        size_t scratch = padded(node->scratch_bytes);
        if (scratch > graph->scratch_stride) graph->scratch_stride = scratch;
    }
    print->scratch = (graph->scratch_stride + graph->passing_stride) * (size_t)graph->workers;
    print->slots = (size_t)graph->n_slots * zf_params_length(graph->params) * sizeof(float);
}

static zf_status take_slabs(zf_graph *graph)
{
    const zf_footprint *print = &graph->footprint;
    graph->values = zf_slab_new(print->values);
    graph->grads = zf_slab_new(print->gradients);
    graph->saved = zf_slab_new(print->saved);
    graph->scratch = zf_slab_new(print->scratch);
    graph->slot_slab = zf_slab_new(print->slots);
    graph->slots = zf_arena_get(&graph->arena, (size_t)(graph->n_slots + 1) * sizeof *graph->slots);
    bool all = graph->values && graph->grads && graph->saved && graph->scratch &&
               graph->slot_slab && graph->slots;
    if (all) graph->passing = graph->scratch + graph->scratch_stride * (size_t)graph->workers;
    for (int s = 0; all && s < graph->n_slots; s++)
        graph->slots[s] = graph->slot_slab + (size_t)s * zf_params_length(graph->params);
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

static void place(zf_graph *graph)
{
    unsigned char *value = graph->values, *grad = graph->grads, *saved = graph->saved;
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i];
        if (node->parameter >= 0) {
            node->value = zf_params_data(graph->params, node->parameter);
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

zf_status zf_graph_plan(zf_graph *graph, zf_node *loss, zf_node *const *outputs, int n_outputs,
                        int workers)
{
    ZF_TRY(zf_graph_built(graph));
    if (graph->planned) return zf_fail(ZF_EINVAL, "the graph was planned already");
    if (workers < 1) return zf_fail(ZF_EINVAL, "a graph needs at least one worker");
    if (loss && (!loss->op || loss->type != ZF_F32))
        return zf_fail(ZF_EINVAL, "the loss must be the result of an operation");
    graph->planned = true;
    graph->loss = loss;
    graph->workers = workers;
    if (loss) loss->is_output = true;
    for (int i = 0; i < n_outputs; i++) outputs[i]->is_output = true;
    ZF_TRY(zf_params_fix(graph->params));
    mark_gradients(graph);
    if (loss && !loss->wants_grad)
        return zf_fail(ZF_EINVAL, "the loss depends on nothing that is learnt");
    mark_sharing(graph);
    ZF_TRY(find_param_domains(graph));
    ZF_TRY(mark_fresh(graph));
    ZF_TRY(zf_program_build(graph));
    ZF_TRY(zf_find_passing(graph));
    drop_saved_rows(graph);
    measure(graph);
    ZF_TRY(take_slabs(graph));
    place(graph);
    graph->footprint.forward_phases = graph->forward.n_phases;
    graph->footprint.backward_phases = graph->backward.n_phases;
    return ZF_OK;
}
