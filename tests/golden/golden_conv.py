"""Convolutions and transposed convolutions."""
import torch
import torch.nn.functional as F

from golden_common import layer, normal


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
