#include "layer.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 16, SPARE_ROWS = 3 };

typedef struct part {
    const char *name; /* of the array */
    zf_node *node;    /* NULL for a parameter or buffer */
    int parameter;    /* its index, or -1 */
    bool compared;    /* its gradient */
} part;

struct layer {
    golden *file;
    zf_params *params;
    zf_program *program;
    zf_domain *domain;
    zf_crew *crew;
    int rows;
    part parts[MOST_NODES];
    int n_parts;
};

layer *layer_open(const char *name, int shards)
{
    layer *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->file = golden_open(name);
    l->rows = golden_shape(l->file, "input").dim[0];
    assert_ok(zf_params_new(&l->params, 1));
    assert_ok(zf_program_new(&l->program, l->params));
    l->domain = zf_program_domain(l->program, "rows", l->rows + SPARE_ROWS, shards);
    assert_ok(zf_crew_new(&l->crew, shards > 1 ? 2 : 1));
    return l;
}

static zf_node *add_part(layer *l, part p)
{
    assert_true(l->n_parts < MOST_NODES);
    assert_non_null(p.node);
    if (p.parameter >= 0) p.parameter = zf_params_find(l->params, p.name);
    l->parts[l->n_parts++] = p;
    return p.node;
}

static zf_shape row_of(layer *l, const char *name)
{
    zf_shape shape = golden_shape(l->file, name);
    if (shape.rank < 1 || shape.dim[0] != l->rows)
        fail_msg("array \"%s\" has other rows than \"input\"", name);
    return zf_shape_row(shape);
}

zf_node *layer_input(layer *l, const char *name)
{
    zf_node *node = zf_input_with_gradient(l->program, l->domain, row_of(l, name));
    return add_part(l, (part){name, node, -1, true});
}

zf_node *layer_fixed(layer *l, const char *name)
{
    zf_node *node = zf_input(l->program, l->domain, ZF_F32, row_of(l, name));
    return add_part(l, (part){name, node, -1, false});
}

zf_node *layer_index(layer *l, const char *name)
{
    zf_node *node = zf_input(l->program, l->domain, ZF_I32, row_of(l, name));
    return add_part(l, (part){name, node, -1, false});
}

zf_node *layer_parameter(layer *l, const char *name)
{
    zf_node *node = zf_parameter(l->program, name, golden_shape(l->file, name), ZF_ZEROS);
    return add_part(l, (part){name, node, 0, true});
}

zf_node *layer_buffer(layer *l, const char *name)
{
    zf_node *node = zf_buffer(l->program, name, golden_shape(l->file, name), ZF_ZEROS);
    return add_part(l, (part){name, node, 0, false});
}

/* Values from the file; rows that are not in use hold what must not be read. */
static void fill(layer *l)
{
    for (int i = 0; i < l->n_parts; i++) {
        part *p = &l->parts[i];
        const float *values = golden_array(l->file, p->name);
        size_t size = golden_size(l->file, p->name), spare = size / (size_t)l->rows * SPARE_ROWS;
        if (p->parameter >= 0) {
            memcpy(zf_params_data(l->params, p->parameter), values, size * sizeof *values);
        } else if (zf_node_index(p->node)) {
            for (size_t k = 0; k < size; k++) zf_node_index(p->node)[k] = (int32_t)values[k];
            memset(zf_node_index(p->node) + size, 0x7f, spare * sizeof(int32_t));
        } else {
            memcpy(zf_node_value(p->node), values, size * sizeof *values);
            memset(zf_node_value(p->node) + size, 0xff, spare * sizeof(float));
        }
    }
}

/* Backward must overwrite whatever gradients held before. */
static void spoil_gradients(layer *l)
{
    for (int i = 0; i < l->n_parts; i++) {
        const part *p = &l->parts[i];
        if (!p->compared) continue;
        if (p->parameter < 0) {
            size_t size = zf_shape_size(zf_node_shape(p->node));
            memset(zf_node_grad(p->node), 0xff, size * sizeof(float));
            continue;
        }
        const zf_param *param = zf_params_at(l->params, p->parameter);
        for (int s = 0; s < zf_program_param_slots(l->program, p->parameter); s++)
            memset(zf_program_slots(l->program)[s] + param->offset, 0xff,
                   param->size * sizeof(float));
    }
}

static void compare(layer *l, const char *name, const float *got, double relative)
{
    print_message("    %s\n", name);
    assert_near(got, golden_array(l->file, name), golden_size(l->file, name), relative, 0);
}

static void compare_gradient(layer *l, const part *p, double relative)
{
    char name[128];
    snprintf(name, sizeof name, "d_%s", p->name);
    if (p->parameter < 0) {
        compare(l, name, zf_node_grad(p->node), relative);
        return;
    }
    size_t size = golden_size(l->file, p->name);
    float *sum = calloc(size, sizeof *sum);
    assert_non_null(sum);
    size_t offset = zf_params_at(l->params, p->parameter)->offset;
    for (int s = 0; s < zf_program_param_slots(l->program, p->parameter); s++)
        for (size_t i = 0; i < size; i++) sum[i] += zf_program_slots(l->program)[s][offset + i];
    compare(l, name, sum, relative);
    free(sum);
}

void layer_check(layer *l, zf_node *y, double relative)
{
    zf_node *outputs[] = {y};
    assert_ok(zf_program_plan(l->program, y, outputs, y ? 1 : 0, zf_crew_size(l->crew)));
    assert_ok(zf_domain_set_rows(l->domain, l->rows));
    fill(l);
    zf_program_forward(l->program, l->crew, ZF_TRAIN);
    compare(l, "y", zf_node_value(y), relative);
    spoil_gradients(l);
    memcpy(zf_node_grad(y), golden_array(l->file, "dy"),
           golden_size(l->file, "dy") * sizeof(float));
    zf_program_backward(l->program, l->crew);
    for (int i = 0; i < l->n_parts; i++)
        if (l->parts[i].compared) compare_gradient(l, &l->parts[i], relative);
}

void layer_evaluate(layer *l)
{
    fill(l);
    zf_program_forward(l->program, l->crew, ZF_EVALUATE);
}

golden *layer_golden(layer *l)
{
    return l->file;
}

const float *layer_values(layer *l, const char *name)
{
    int index = zf_params_find(l->params, name);
    if (index < 0) fail_msg("there is no parameter \"%s\"", name);
    return zf_params_data(l->params, index);
}

void layer_close(layer *l)
{
    zf_crew_free(l->crew);
    zf_program_free(l->program);
    zf_params_free(l->params);
    golden_close(l->file);
    free(l);
}
