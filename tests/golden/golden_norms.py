"""Norms, softmax and losses."""
import torch
import torch.nn.functional as F

from golden_common import layer, normal, write


def batch_norm(name, x):
    channels = x.shape[1]
    weight, bias = normal(channels), normal(channels)
    mean, variance = normal(channels), normal(channels) ** 2 + 0.5
    before = {"running_mean": mean.float().double(), "running_variance": variance.float().double()}

    def train(input, weight, bias, running_mean, running_variance):
        return F.batch_norm(input, running_mean.clone(), running_variance.clone(), weight, bias,
                            True, 0.1, 1e-5)

    layer(name, train, {"input": x, "weight": weight, "bias": bias}, before)
    after = {key: value.clone() for key, value in before.items()}
    F.batch_norm(x, after["running_mean"], after["running_variance"], weight, bias, True, 0.1, 1e-5)
    evaluated = F.batch_norm(x, before["running_mean"], before["running_variance"], weight, bias,
                             False, 0.1, 1e-5)
    write(name + "_running", {"running_mean": after["running_mean"],
                              "running_variance": after["running_variance"],
                              "evaluated": evaluated})


def make():
    torch.manual_seed(12)
    batch_norm("batch_norm_columns", normal(11, 19) * 3 + 5)
    batch_norm("batch_norm_images", normal(7, 3, 5, 7) * 2 - 3)
    layer("layer_norm", lambda input, weight, bias: F.layer_norm(input, (21,), weight, bias, 1e-5),
          {"input": normal(5, 3, 21) * 3 + 2, "weight": normal(21), "bias": normal(21)})
    layer("normalise_rows", lambda input: F.normalize(input, dim=1, eps=1e-6),
          {"input": normal(7, 19)})
    layer("softmax", lambda input: F.softmax(input, dim=2), {"input": normal(5, 3, 19) * 3})
    label = torch.tensor([0, 18, 3, 3, 7, 11, 2])
    layer("cross_entropy", lambda input, label: F.cross_entropy(input, label),
          {"input": normal(7, 19) * 3}, {"label": label})
    a, b = normal(7, 5), normal(7, 5)
    layer("squared_error", lambda input, other: ((input - other) ** 2).mean(),
          {"input": a, "other": b})
    layer("squared_error_weighted",
          lambda input, other, weight: (weight * (input - other) ** 2).mean(),
          {"input": a, "other": b}, {"weight": normal(7, 5).abs()})
    layer("squared_error_rows",
          lambda input, other, weight: (weight[:, None] * (input - other) ** 2).sum(),
          {"input": a, "other": b}, {"weight": normal(7).abs()})
