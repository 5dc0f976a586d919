"""Linear layers, dense, sparse and selected; pairs, gather, embedding."""
import torch
import torch.nn.functional as F

from golden_common import layer, normal


def padded_index(shape, bound):
    return torch.randint(-1, bound, shape)


def sparse(input, weight, bias, columns):
    """The dense layer on the rows that the columns and values stand for."""
    x = torch.zeros(input.shape[0], weight.shape[0], dtype=torch.float64)
    keep = (columns >= 0).double()
    x = x.scatter_add(1, columns.clamp(min=0), input * keep)
    return x @ weight + bias


def selected(input, weight, bias, columns):
    """The outputs of the dense layer that the columns name."""
    y = F.linear(input, weight, bias)
    return y.gather(1, columns.clamp(min=0)) * (columns >= 0).double()


def pairs(weight, input):
    """What a dense mask gives with the symmetric matrix."""
    counts = torch.zeros(input.shape[0], weight.shape[0], dtype=torch.float64)
    counts = counts.scatter_add(1, input.clamp(min=0), (input >= 0).double())
    return counts @ (weight + weight.T)


def make():
    torch.manual_seed(21)
    layer("linear", F.linear,
          {"input": normal(7, 5), "weight": normal(3, 5), "bias": normal(3)})
    layer("linear_in_out", lambda input, weight: input @ weight,
          {"input": normal(7, 5), "weight": normal(5, 3)})
    layer("linear_sparse", sparse,
          {"input": normal(7, 4), "weight": normal(9, 5), "bias": normal(5)},
          {"columns": padded_index((7, 4), 9)})
    layer("linear_selected", selected,
          {"input": normal(7, 5), "weight": normal(9, 5), "bias": normal(9)},
          {"columns": padded_index((7, 4), 9)})
    layer("gather", lambda input, index: input[index.long()],
          {"input": normal(7, 3)}, {"index": torch.randint(0, 7, (7,))})
    layer("embedding", lambda weight, input: F.embedding(input, weight),
          {"weight": normal(4, 3)}, {"input": torch.randint(0, 4, (5, 6))})
    layer("pairs", pairs, {"weight": normal(6, 6)}, {"input": padded_index((7, 3), 6)})
