"""Sufficient reduction: one training step by PyTorch, in double on float32 values, with
every gradient; distance correlation and sliced inverse regression by NumPy, written from
their definitions (Szekely, Rizzo and Bakirov, 2007; Li, 1991).
"""
import numpy as np
from golden_common import write

ROWS, INPUTS, TARGETS, DIM, HIDDEN, BATCH = 30, 5, 2, 3, 7, 23
ZERO_WEIGHT = 0.3


def layers(prefix, sizes, random):
    found = {}
    for i, (inside, out) in enumerate(zip(sizes, sizes[1:])):
        found[f"{prefix}.{i}.weight"] = random.standard_normal((out, inside)) / np.sqrt(inside)
        found[f"{prefix}.{i}.bias"] = random.standard_normal(out) / np.sqrt(inside)
    return {key: value.astype(np.float32) for key, value in found.items()}


def network(x, weights, prefix):
    import torch
    for i in range(3):
        x = x @ weights[f"{prefix}.{i}.weight"].T + weights[f"{prefix}.{i}.bias"]
        if i < 2:
            x = torch.relu(x)
    return x


def step(rows, pairs, weights, antisymmetry):
    """The loss as the paper writes it, term by term."""
    import torch
    here, other = rows[pairs["here"].long()], rows[pairs["other"].long()]
    x, y, x_other, y_other = here[:, :TARGETS], here[:, TARGETS:], other[:, :TARGETS], other[:, TARGETS:]
    keep = (torch.arange(DIM)[None] < pairs["length"][:, None]).double()

    def velocity(point, f, t):
        return network(torch.cat([point, t[:, None], keep, y, f * keep], 1), weights, "field")

    t, zero_t = pairs["t"], pairs["zero_t"] if antisymmetry else torch.full_like(pairs["t"], 0.5)
    f, f_other = network(y, weights, "code"), network(y_other, weights, "code")
    moving = velocity((1 - t[:, None]) * x + t[:, None] * x_other, f_other, t)
    point = (1 - zero_t[:, None]) * x + zero_t[:, None] * x_other
    still = velocity(point, f, zero_t)
    if antisymmetry:
        still = (still + velocity(point, f, 1 - zero_t)) / 2
    rectified, zero = ((moving - (x_other - x)) ** 2).mean(), (still ** 2).mean()
    return rectified + ZERO_WEIGHT * zero, rectified, zero


def make_step(random):
    import torch
    weights = layers("code", [INPUTS, HIDDEN, HIDDEN, DIM], random)
    weights |= layers("field", [TARGETS + 1 + DIM + INPUTS + DIM, HIDDEN, HIDDEN, TARGETS], random)
    arrays = {"rows": random.standard_normal((ROWS, TARGETS + INPUTS)).astype(np.float32)}
    arrays |= {key: random.integers(0, ROWS, BATCH) for key in ("here", "other")}
    arrays |= {key: random.random(BATCH).astype(np.float32) for key in ("t", "zero_t")}
    arrays["length"] = random.integers(1, DIM + 1, BATCH)
    tensors = {key: torch.tensor(np.asarray(value, dtype=np.float64)) for key, value in arrays.items()}
    for name, antisymmetry in (("midpoint", False), ("antisymmetry", True)):
        leaves = {key: torch.tensor(value.astype(np.float64), requires_grad=True) for key, value in weights.items()}
        terms = step(tensors["rows"], tensors, leaves, antisymmetry)
        terms[0].backward()
        arrays[name] = [term.item() for term in terms]
        arrays |= {f"{name}.{key}": leaf.grad.numpy() for key, leaf in leaves.items()}
    write("reduction_step", arrays | weights)


def distance_correlation(a, b):
    def centred(points):
        d = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
        return d - d.mean(0) - d.mean(1)[:, None] + d.mean()
    a, b = centred(a), centred(b)
    return np.sqrt((a * b).mean() / np.sqrt((a * a).mean() * (b * b).mean()))


def sliced_inverse(x, inputs, dim, slices):
    n = len(x)
    values, vectors = np.linalg.eigh(np.cov(inputs.T, bias=True))
    z = (inputs - inputs.mean(0)) @ vectors / np.sqrt(values) @ vectors.T
    order = np.lexsort((np.arange(n), x))
    cut = [n * s // slices for s in range(slices + 1)]
    means = np.array([z[order[a:b]].mean(0) for a, b in zip(cut, cut[1:])])
    weights = np.diff(cut) / n
    _, directions = np.linalg.eigh((means.T * weights) @ means)
    return z @ directions[:, ::-1][:, :dim]


def make():
    random = np.random.default_rng(4)
    make_step(random)
    a = random.standard_normal((60, 3)).astype(np.float32)
    b = np.stack([a[:, 0] ** 2 + 0.3 * random.standard_normal(60), a[:, 1]], 1).astype(np.float32)
    inputs = (random.standard_normal((203, 6)) @ random.standard_normal((6, 6)) + 5).astype(np.float32)
    x = (np.exp((inputs - 5) @ [0.3, -0.2, 0, 0.1, 0, 0]) + random.standard_normal(203)).astype(np.float32)
    scores = sliced_inverse(x, inputs.astype(np.float64), 2, 10)
    write("reduction_peers", {
        "a": a, "b": b, "distance_correlation": [distance_correlation(a.astype(np.float64), b.astype(np.float64))],
        "x": x, "inputs": inputs, "scores": scores})
