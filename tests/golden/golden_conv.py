"""Convolutions and transposed convolutions."""
import torch
import torch.nn.functional as F

from golden_common import layer, normal


def stack(input, **weights):
    """Convolutions with relu between them, and the least distance from its kink."""
    least = float("inf")
    for i in range(len(weights) // 2):
        if i > 0:
            least = min(least, float(input.abs().min()))
            input = F.relu(input)
        input = F.conv2d(input, weights[f"{i}_weight"], weights[f"{i}_bias"], padding=1)
    return input, least


def stack_layer(name, channels, rows, height, width):
    """Values so that rounding to 16 bits moves nothing across the kink of a relu."""
    while True:
        inputs = {"input": normal(rows, channels[0], height, width)}
        for i, (c, o) in enumerate(zip(channels, channels[1:])):
            scale = 1 / (9 * c) ** 0.5
            inputs[f"{i}_weight"] = (scale * normal(o, c, 3, 3)).float().double()
            inputs[f"{i}_bias"] = normal(o)
        if stack(**inputs)[1] > 1e-4:
            break
    layer(name, lambda **leaves: stack(**leaves)[0], inputs)


def make():
    torch.manual_seed(21)
    layer("conv2d_same",
          lambda input, weight, bias: F.conv2d(input, weight, bias, padding=1),
          {"input": normal(5, 3, 7, 16), "weight": normal(5, 3, 3, 3), "bias": normal(5)})
    layer("conv2d_odd",
          lambda input, weight: F.conv2d(input, weight, stride=(2, 3), padding=(2, 1)),
          {"input": normal(5, 2, 9, 11), "weight": normal(3, 2, 5, 2)})
    layer("conv2d_transposed_even",
          lambda input, weight, bias: F.conv_transpose2d(input, weight, bias, stride=2, padding=1),
          {"input": normal(5, 3, 4, 8), "weight": normal(3, 4, 4, 4), "bias": normal(4)})
    layer("conv2d_transposed_odd",
          lambda input, weight: F.conv_transpose2d(input, weight, stride=(3, 2), padding=(1, 0),
                                                   output_padding=(2, 1)),
          {"input": normal(5, 2, 3, 5), "weight": normal(2, 3, 2, 3)})
    stack_layer("conv_stack_velocity", [10, 16, 16, 3], 2, 5, 21)
    stack_layer("conv_stack_encoder", [3, 16, 16, 1], 1, 16, 16)
    stack_layer("conv_stack_odd", [5, 9, 11, 6], 3, 4, 13)
    stack_layer("conv_stack_one", [12, 7], 2, 6, 33)
