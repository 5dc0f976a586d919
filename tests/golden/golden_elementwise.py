"""Elementwise operations, shapes and sums."""
import torch
import torch.nn.functional as F

from golden_common import layer, normal


def make():
    torch.manual_seed(11)
    x = normal(5, 3, 7) * 2
    layer("relu", F.relu, {"input": x})
    layer("leaky_relu", lambda input: F.leaky_relu(input, 0.2), {"input": x})
    layer("gelu", F.gelu, {"input": x})
    layer("sigmoid", lambda input: torch.sigmoid(input), {"input": x})
    layer("tanh", torch.tanh, {"input": x})
    layer("exp", torch.exp, {"input": x})
    a, b, row = normal(5, 3, 7), normal(5, 3, 7), normal(3, 7)
    layer("mul", lambda input, other: input * other, {"input": a, "other": b})
    layer("mul_row", lambda input, other: input * other, {"input": a, "other": row})
    layer("add_row", lambda input, other: input + other, {"input": a, "other": row})
    layer("concat", lambda input, other: torch.cat([input, other, input], 1),
          {"input": normal(5, 3, 4), "other": normal(5, 2, 4)})
    layer("slice", lambda input: input[:, :, 1:3], {"input": normal(5, 3, 4)})
    layer("sum_axis", lambda input: input.sum(1), {"input": normal(5, 3, 4)})
    layer("mean_axis", lambda input: input.mean(2), {"input": normal(5, 3, 4)})
    layer("mean", torch.mean, {"input": normal(5, 3, 4)})
