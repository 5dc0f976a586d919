/* Making nodes. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/internal.h"

zf_status zf_program_new(zf_program **out, zf_params *params)
{
    zf_program *program = calloc(1, sizeof *program);
    if (!program) return zf_fail_memory(sizeof *program);
    program->params = params;
    program->scalars = zf_program_domain(program, "scalars", 1, 1);
    if (!program->scalars) {
        zf_program_free(program);
        return ZF_ENOMEM;
    }
    *out = program;
    return ZF_OK;
}

void zf_program_free(zf_program *program)
{
    if (!program) return;
    zf_arena_free(&program->arena);
    free(program->nodes);
    free(program->values);
    free(program->grads);
    free(program->saved);
    free(program->scratch);
    free(program->slot_slab);
    free(program);
}

void *zf_program_refuse(zf_program *program, zf_status status)
{
    if (program->status == ZF_OK) {
        program->status = status;
        program->message = zf_arena_string(&program->arena, zf_error());
    }
    return NULL;
}

zf_status zf_program_built(const zf_program *program)
{
    if (program->status == ZF_OK) return ZF_OK;
    return zf_fail(program->status, "%s", program->message ? program->message : "out of memory");
}

zf_params *zf_program_params(const zf_program *program)
{
    return program->params;
}

int zf_default_shards(int max_rows)
{
    /* A power of two, so that two or four processors get equal shares; at least
       64 rows in each, so that products stay efficient and the sum over shards,
       which reads every gradient from memory, stays short. */
    int shards = 1;
    while (shards < 8 && max_rows / (2 * shards) >= ZF_LONG_SHARD) shards *= 2;
    return shards;
}

/* In a shard: where shards are rounded to a step, half of one at each end. */
static int most_rows(int max_rows, int shards)
{
    int even = (max_rows + shards - 1) / shards + ZF_SHARD_STEP;
    return even < max_rows ? even : max_rows;
}

zf_domain *zf_program_domain(zf_program *program, const char *name, int max_rows, int shards)
{
    if (max_rows < 1 || shards < 0 || shards > 1024)
        return zf_program_refuse(
            program, zf_fail(ZF_EINVAL,
                             "domain \"%s\": %d rows in %d shards; expected at least one "
                             "row and at most 1024 shards",
                             name, max_rows, shards));
    if (shards == 0) shards = zf_default_shards(max_rows);
    if (shards > max_rows) shards = max_rows;
    zf_domain *domain = zf_arena_get(&program->arena, sizeof *domain);
    char *own_name = zf_arena_string(&program->arena, name);
    if (!domain || !own_name) return zf_program_refuse(program, ZF_ENOMEM);
    *domain = (zf_domain){
        .program = program,
        .name = own_name,
        .max_rows = max_rows,
        .shards = shards,
        .rows = max_rows,
        .max_shard_rows = most_rows(max_rows, shards),
        .twin = domain,
    };
    return domain;
}

zf_domain *zf_domain_regrouped(zf_domain *domain, int shards)
{
    if (shards == 0) shards = zf_default_shards(domain->max_rows);
    if (shards > domain->max_rows) shards = domain->max_rows;
    zf_domain *found = domain;
    do {
        if (found->shards == shards) return found;
        found = found->twin;
    } while (found != domain);
    zf_domain *made = zf_program_domain(domain->program, domain->name, domain->max_rows, shards);
    if (!made) return NULL;
    made->rows = domain->rows;
    made->twin = domain->twin;
    domain->twin = made;
    return made;
}

zf_status zf_domain_set_rows(zf_domain *domain, int rows)
{
    if (rows < 1 || rows > domain->max_rows)
        return zf_fail(ZF_EINVAL, "domain \"%s\": %d rows asked for, expected 1 to %d",
                       domain->name, rows, domain->max_rows);
    for (; domain->rows != rows; domain = domain->twin) domain->rows = rows;
    return ZF_OK;
}

int zf_domain_rows(const zf_domain *domain)
{
    return domain->rows;
}

/* A blank node at the end of the list. */
static zf_node *new_node(zf_program *program)
{
    if (program->planned)
        return zf_program_refuse(program, zf_fail(ZF_EINVAL, "the program was planned already"));
    if (program->n_nodes == program->capacity) {
        int capacity = program->capacity ? 2 * program->capacity : 64;
        zf_node **nodes = realloc(program->nodes, (size_t)capacity * sizeof *nodes);
        if (!nodes)
            return zf_program_refuse(program, zf_fail_memory((size_t)capacity * sizeof *nodes));
        program->nodes = nodes;
        program->capacity = capacity;
    }
    zf_node *node = zf_arena_get(&program->arena, sizeof *node);
    if (!node) return zf_program_refuse(program, ZF_ENOMEM);
    node->program = program;
    node->id = program->n_nodes;
    node->parameter = -1;
    program->nodes[program->n_nodes++] = node;
    return node;
}

static zf_node *new_input(zf_program *program, zf_domain *domain, zf_type type, zf_shape row)
{
    if (!domain) return NULL;
    if (row.rank >= ZF_MAX_RANK)
        return zf_program_refuse(
            program, zf_fail(ZF_EINVAL, "input: a row has at most %d dimensions", ZF_MAX_RANK - 1));
    size_t size = (size_t)domain->max_rows;
    for (int i = 0; i < row.rank; i++) {
        if (row.dim[i] >= 1) size *= (size_t)row.dim[i];
        if (row.dim[i] < 1 || size > INT_MAX)
            return zf_program_refuse(
                program, zf_fail(ZF_EINVAL,
                                 "input: dimension %d of a row is %d, expected at least "
                                 "1 and at most %d elements in all",
                                 i, row.dim[i], INT_MAX));
    }
    zf_node *node = new_node(program);
    if (!node) return NULL;
    node->type = type;
    node->domain = domain;
    node->shape = zf_shape_with_rows(domain->max_rows, row);
    return node;
}

zf_node *zf_input(zf_program *program, zf_domain *domain, zf_type type, zf_shape row)
{
    return new_input(program, domain, type, row);
}

zf_node *zf_input_with_gradient(zf_program *program, zf_domain *domain, zf_shape row)
{
    zf_node *node = new_input(program, domain, ZF_F32, row);
    if (node) node->wants_grad = true;
    return node;
}

static zf_node *new_parameter(zf_program *program, const char *name, zf_shape shape, zf_init init,
                              bool trainable)
{
    int index = -1;
    zf_status status = zf_params_get(&index, program->params, name, shape, init, trainable);
    if (status != ZF_OK) return zf_program_refuse(program, status);
    for (int i = 0; i < program->n_nodes; i++)
        if (program->nodes[i]->parameter == index) return program->nodes[i];
    zf_node *node = new_node(program);
    if (!node) return NULL;
    node->type = ZF_F32;
    node->shape = shape;
    node->parameter = index;
    node->wants_grad = trainable;
    return node;
}

zf_node *zf_parameter(zf_program *program, const char *name, zf_shape shape, zf_init init)
{
    return new_parameter(program, name, shape, init, true);
}

zf_node *zf_buffer(zf_program *program, const char *name, zf_shape shape, zf_init init)
{
    return new_parameter(program, name, shape, init, false);
}

void zf_program_allow_quick_products(zf_program *program)
{
    program->quick = true;
}

bool zf_op_quick(const zf_node *node)
{
    return node->program->quick;
}

zf_program *zf_op_program(zf_node *const *inputs, int n_inputs)
{
    for (int i = 0; i < n_inputs; i++)
        if (inputs[i]) return inputs[i]->program;
    return NULL;
}

zf_node *zf_op_apply(const zf_op *op, zf_program *program, zf_node *const *inputs, int n_inputs,
                     const void *attribute, size_t attribute_bytes)
{
    if (!program) return NULL;
    for (int i = 0; i < n_inputs; i++) {
        if (!inputs[i]) return NULL; /* the program knows why */
        if (inputs[i]->program != program)
            return zf_program_refuse(
                program, zf_fail(ZF_EINVAL, "%s: inputs are from different programs", op->name));
    }
    if (n_inputs < op->min_inputs || n_inputs > op->max_inputs ||
        attribute_bytes > ZF_ATTRIBUTE_BYTES)
        return zf_program_refuse(program,
                                 zf_fail(ZF_EINVAL, "%s: %d inputs, expected %d to %d", op->name,
                                         n_inputs, op->min_inputs, op->max_inputs));
    zf_node *node = new_node(program);
    if (!node) return NULL;
    node->op = op;
    node->inputs = n_inputs;
    memcpy(node->input, inputs, (size_t)n_inputs * sizeof *inputs);
    if (attribute_bytes > 0) memcpy(node->attribute, attribute, attribute_bytes);
    zf_status status = op->infer(node);
    if (status == ZF_OK && zf_shape_size(node->shape) > INT_MAX)
        status = zf_op_mismatch(node, "at most %d elements in the result", INT_MAX);
    if (status != ZF_OK) {
        program->n_nodes--;
        return zf_program_refuse(program, status);
    }
    return node;
}

zf_status zf_op_mismatch(const zf_node *node, const char *expected, ...)
{
    char wish[256], found[512] = "", text[ZF_SHAPE_TEXT];
    va_list arguments;
    va_start(arguments, expected);
    vsnprintf(wish, sizeof wish, expected, arguments);
    va_end(arguments);
    size_t used = 0;
    for (int i = 0; i < node->inputs && used < sizeof found; i++)
        used += (size_t)snprintf(found + used, sizeof found - used, "%s%s%s%s", i ? ", " : "",
                                 node->input[i]->type == ZF_I32 ? "index " : "",
                                 node->input[i]->domain ? "" : "parameter ",
                                 zf_shape_text(node->input[i]->shape, text));
    return zf_fail(ZF_EINVAL, "%s: expected %s; found %s", node->op->name, wish, found);
}

void zf_op_rows_like(zf_node *node, int input, zf_shape row)
{
    node->domain = node->input[input]->domain;
    node->shape = zf_shape_with_rows(node->domain->max_rows, row);
}

void zf_op_scalar(zf_node *node)
{
    node->domain = node->program->scalars;
    node->shape = zf_shape_with_rows(1, ZF_SCALAR);
}

int zf_max_shard_rows(const zf_node *node)
{
    return node->domain->max_shard_rows;
}

int zf_max_shard_rows_in(const zf_node *node)
{
    return node->input[0]->domain->max_shard_rows;
}
