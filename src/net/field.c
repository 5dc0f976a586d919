#include "net/field.h"

#include "op/ops.h"

zf_field zf_field_build(zf_program *program, int variables, int hidden)
{
    int d = variables, h = hidden;
    zf_init first = zf_init_fan_in(4 * d + 1), next = zf_init_fan_in(h);
    return (zf_field){
        .program = program,
        .variables = d,
        .hidden = h,
        .moving = zf_parameter(program, "field.0.weight_xt_in_out", zf_shape_of(d + 1, h), first),
        .mask = zf_parameter(program, "field.0.weight_m_in_out", zf_shape_of(d, h), first),
        .f = zf_parameter(program, "field.0.weight_f", zf_shape_of(h, d), first),
        .y = zf_parameter(program, "field.0.weight_y", zf_shape_of(h, d), first),
        .bias = zf_parameter(program, "field.0.bias", zf_shape_of(h), first),
        .w1 = zf_parameter(program, "field.1.weight", zf_shape_of(h, h), next),
        .b1 = zf_parameter(program, "field.1.bias", zf_shape_of(h), next),
        .w2 = zf_parameter(program, "field.2.weight", zf_shape_of(d, h), next),
        .b2 = zf_parameter(program, "field.2.bias", zf_shape_of(d), next),
    };
}

zf_node *zf_field_still(const zf_field *field, zf_node *y, zf_node *targets, zf_node *ones)
{
    return zf_linear_sparse_onto(zf_linear(y, field->y, field->bias), targets, ones, field->mask);
}

/* [N, ...] each to [N, n, ...]. */
static zf_node *beside(zf_node *const *nodes, int n)
{
    zf_node *places[ZF_MOST_MOMENTS];
    for (int i = 0; i < n; i++) {
        if (!nodes[i]) return NULL;
        zf_shape row = zf_node_shape(nodes[i]);
        row.dim[0] = 1; /* instead of the rows in front */
        places[i] = zf_reshape(nodes[i], row);
    }
    return zf_concat(places, n, 1);
}

void zf_field_velocities(const zf_field *field, zf_node *still, zf_node *columns, zf_node *targets,
                         const zf_moment *moments, int count, zf_node **velocities)
{
    zf_node *values[ZF_MOST_MOMENTS], *f[ZF_MOST_MOMENTS];
    for (int i = 0; i < count; i++) {
        values[i] = moments[i].values;
        f[i] = moments[i].f;
        velocities[i] = NULL;
    }
    zf_node *h = zf_linear_sparse_onto(still, columns, beside(values, count), field->moving);
    h = zf_relu(zf_linear_onto(h, beside(f, count), field->f));
    h = zf_relu(zf_linear(h, field->w1, field->b1));
    zf_node *all = zf_linear_selected(h, targets, field->w2, field->b2);
    if (!all) return;
    zf_shape row = zf_shape_of(zf_node_shape(all).dim[2]);
    for (int i = 0; i < count; i++) velocities[i] = zf_reshape(zf_slice(all, 1, i, 1), row);
}
