/* What callers and stages see of a node's memory. */
#include <assert.h>
#include <stdint.h>

#include "engine/internal.h"

/* --- for callers ---------------------------------------------------------- */

zf_program *zf_node_program(const zf_node *node)
{
    return node->program;
}

zf_domain *zf_node_domain(const zf_node *node)
{
    return node->domain;
}

float *zf_node_value(const zf_node *node)
{
    return node->type == ZF_F32 ? node->value : NULL;
}

int32_t *zf_node_index(const zf_node *node)
{
    return node->type == ZF_I32 ? node->value : NULL;
}

float *zf_node_grad(const zf_node *node)
{
    return node->grad;
}

zf_shape zf_node_shape(const zf_node *node)
{
    return node->shape;
}

float zf_node_scalar(const zf_node *node)
{
    return *(const float *)node->value;
}

float *const *zf_program_slots(const zf_program *program)
{
    return program->slots;
}

int zf_program_param_slots(const zf_program *program, int parameter)
{
    if (program->param_shared[parameter]) return program->n_slots;
    const zf_domain *domain = program->param_domain[parameter];
    return domain ? zf_active_shards(domain) : 0;
}

void zf_program_fill_inputs(zf_program *program, void (*fill)(float *values, size_t n))
{
    for (int i = 0; i < program->n_nodes; i++) {
        const zf_node *node = program->nodes[i];
        if (!node->op && node->parameter < 0 && node->type == ZF_F32)
            fill(node->value, zf_shape_size(node->shape));
    }
}

zf_footprint zf_program_footprint(const zf_program *program)
{
    return program->footprint;
}

/* --- for stages ----------------------------------------------------------- */

static size_t offset_of(const zf_call *call, const zf_node *node)
{
    return node->domain ? (size_t)call->begin * zf_shape_row_size(node->shape) : 0;
}

static float *passing_of(const zf_call *call, const zf_node *node)
{
    return (float *)(void *)(call->passing + node->passing_place);
}

/* The value's row `begin`. */
static float *value_of(const zf_call *call, const zf_node *node)
{
    if (node->value_passing) return passing_of(call, node);
    return (float *)node->value + offset_of(call, node);
}

/* The value's first row: of one that passes only this shard's rows are there. */
static float *values_of(const zf_call *call, const zf_node *node)
{
    if (!node->value_passing) return node->value;
    uintptr_t own = (uintptr_t)passing_of(call, node);
    return (float *)(own - offset_of(call, node) * sizeof(float));
}

const float *zf_in(const zf_call *call, int i)
{
    return value_of(call, call->node->input[i]);
}

const int32_t *zf_in_index(const zf_call *call, int i)
{
    const zf_node *input = call->node->input[i];
    return (const int32_t *)input->value + offset_of(call, input);
}

float *zf_in_grad(const zf_call *call, int i)
{
    const zf_node *input = call->node->input[i];
    if (!input->wants_grad) return NULL;
    if (input->passing) return passing_of(call, input);
    if (input->domain) return input->grad + offset_of(call, input);
    const zf_program *program = input->program;
    return program->slots[call->shard] + zf_params_at(program->params, input->parameter)->offset;
}

bool zf_fresh(const zf_call *call, int i)
{
    return call->node->fresh >> i & 1;
}

float *zf_out(const zf_call *call)
{
    return value_of(call, call->node);
}

const float *zf_out_grad(const zf_call *call)
{
    if (call->node->passing) return passing_of(call, call->node);
    return call->node->grad + offset_of(call, call->node);
}

const float *zf_in_all(const zf_call *call, int i)
{
    return values_of(call, call->node->input[i]);
}

const int32_t *zf_in_index_all(const zf_call *call, int i)
{
    return call->node->input[i]->value;
}

float *zf_in_grad_all(const zf_call *call, int i)
{
    assert(!call->node->input[i]->passing);
    return call->node->input[i]->wants_grad ? call->node->input[i]->grad : NULL;
}

float *zf_out_all(const zf_call *call)
{
    return values_of(call, call->node);
}

const float *zf_out_grad_all(const zf_call *call)
{
    assert(!call->node->passing);
    return call->node->grad;
}

size_t zf_in_row_size(const zf_call *call, int i)
{
    return zf_shape_row_size(call->node->input[i]->shape);
}

size_t zf_out_row_size(const zf_call *call)
{
    return zf_shape_row_size(call->node->shape);
}

int zf_call_rows(const zf_call *call)
{
    return call->end - call->begin;
}

bool zf_backward_follows(const zf_call *call)
{
    return call->training && call->node->program->loss;
}

zf_domain *zf_saved_domain(const zf_node *node)
{
    bool reduces =
        node->domain == node->program->scalars && node->inputs > 0 && node->input[0]->domain;
    return reduces ? node->input[0]->domain : node->domain;
}

void *zf_saved(const zf_call *call)
{
    return call->node->saved;
}

void *zf_saved_row(const zf_call *call, int row)
{
    return call->node->saved_rows + (size_t)row * call->node->saved_bytes_a_row;
}

void *zf_saved_shard(const zf_call *call, int shard)
{
    return call->node->saved_shards + (size_t)shard * call->node->saved_bytes_a_shard;
}
