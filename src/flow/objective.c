#include "flow/objective.h"

#include "op/ops.h"

zf_objective zf_objective_build(zf_node *moving, zf_node *difference, zf_node *weight,
                                zf_node *middle, zf_node *middle_weight,
                                const zf_objective_options *options)
{
    return zf_objective_of_sums(zf_squared_error(moving, difference, weight, ZF_SUM),
                                zf_squared_error(middle, NULL, middle_weight, ZF_SUM), options);
}

zf_objective zf_objective_of_sums(zf_node *moving, zf_node *middle,
                                  const zf_objective_options *options)
{
    float scale = (float)(1.0 / (options->coordinates * options->rows));
    zf_objective out = {.rectified = zf_scale(moving, scale), .zero = zf_scale(middle, scale)};
    out.loss = zf_add(out.rectified, zf_scale(out.zero, (float)options->zero_weight));
    return out;
}
