#include "net/mlp.h"

#include <stdio.h>

#include "op/ops.h"

typedef struct affine {
    zf_node *weight, *bias;
} affine;

static affine layer(zf_program *program, const char *name, int index, int in, int out)
{
    char weight[256], bias[256];
    snprintf(weight, sizeof weight, "%s.%d.weight", name, index);
    snprintf(bias, sizeof bias, "%s.%d.bias", name, index);
    zf_init init = zf_init_fan_in(in);
    return (affine){zf_parameter(program, weight, zf_shape_of(out, in), init),
                    zf_parameter(program, bias, zf_shape_of(out), init)};
}

zf_node *zf_mlp(zf_node *x, const char *name, const int *sizes, int layers)
{
    if (!x) return NULL;
    zf_program *program = zf_node_program(x);
    for (int i = 0; i < layers; i++) {
        affine own = layer(program, name, i, sizes[i], sizes[i + 1]);
        x = zf_linear(x, own.weight, own.bias);
        if (i + 1 < layers) x = zf_relu(x);
    }
    return x;
}

void zf_mlp_declare(zf_program *program, const char *name, const int *sizes, int layers)
{
    for (int i = 0; i < layers; i++) (void)layer(program, name, i, sizes[i], sizes[i + 1]);
}
