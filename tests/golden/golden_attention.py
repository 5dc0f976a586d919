"""Attention with several heads."""
import torch

from golden_common import layer, normal


def attention(heads):
    def run(input, keys, values):
        def split(x):
            return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)

        q, k, v = split(input), split(keys), split(values)
        p = torch.softmax(q @ k.transpose(2, 3) / q.shape[3] ** 0.5, dim=3)
        return (p @ v).transpose(1, 2).reshape(input.shape)

    return run


def make():
    torch.manual_seed(41)
    layer("attention", attention(3),
          {"input": normal(7, 5, 15), "keys": normal(7, 9, 15), "values": normal(7, 9, 15)})
    layer("attention_square", attention(2),
          {"input": normal(5, 17, 64), "keys": normal(5, 17, 64), "values": normal(5, 17, 64)})
