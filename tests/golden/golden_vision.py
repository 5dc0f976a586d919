"""Networks and losses of images by PyTorch, in double, as the paper writes them: the
contrastive loss of some rows, and for several sizes of image one step of zero-flow and
one of SimCLR with the gradient of every parameter.

Weights and images are not in the files but a rule, `values`, that the test repeats;
of a gradient that is long there are SAMPLES elements, evenly spaced, and its product with
a vector by the same rule.
"""
import numpy as np
import torch
import torch.nn.functional as F

from golden_common import layer, normal, write

SIZES = [16, 32, 48, 64, 96]
BATCH, CHANNELS, HIDDEN, DIM = 5, 4, 9, 3
SAMPLES = 200
ZERO_WEIGHT, TEMPERATURE = 0.1, 0.1


def values(name, n):
    """n numbers in [-0.5, 0.5), by whole numbers alone."""
    k, key = np.arange(n, dtype=np.int64), sum(name.encode())
    mixed = (k * 7919 + key * 104729 + (k * k % 10007) * 31) % 10007
    return (mixed / 10007 - 0.5).astype(np.float32).astype(np.float64)


def sample(array):
    flat = np.asarray(array).ravel()
    return flat[::-(-len(flat) // SAMPLES)]


def decoder_shapes(name, size):
    side, depth, found = size, 64, {}
    while side % 2 == 0 and side // 2 >= 4:
        side //= 2
    found[f"{name}.0.weight"], found[f"{name}.0.bias"] = (depth * side * side, DIM), (depth * side * side,)
    index = 1
    while side < size:
        side *= 2
        out = CHANNELS if side == size else depth // 2
        found[f"{name}.{index}.weight"] = (depth, out, 4, 4)
        if side == size:
            found[f"{name}.{index}.bias"] = (out,)
        else:
            found[f"{name}.{index}.norm.weight"] = found[f"{name}.{index}.norm.bias"] = (out,)
        depth, index = out, index + 1
    return found


def shapes(size):
    found = {}
    for i, (inside, out) in enumerate([(CHANNELS, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 1)]):
        found[f"encoder.{i}.weight"], found[f"encoder.{i}.bias"] = (out, inside, 3, 3), (out,)
    found["encoder.3.weight"], found["encoder.3.bias"] = (DIM, size * size), (DIM,)
    found |= decoder_shapes("decoder", size)
    for i, (inside, out) in enumerate([(3 * CHANNELS + 1, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, CHANNELS)]):
        found[f"velocity.{i}.weight"], found[f"velocity.{i}.bias"] = (out, inside, 3, 3), (out,)
    return found


def leaves(size, networks):
    """Weights with 2 / sqrt(elements by output) as the width of their range."""
    found = {}
    for name, shape in shapes(size).items():
        if name.split(".")[0] in networks:
            width = 2 / np.sqrt(np.prod(shape) / shape[0])
            value = (np.float32(width) * values(name, np.prod(shape)).astype(np.float32)).reshape(shape)
            found[name] = torch.tensor(value.astype(np.float64), requires_grad=True)
    return found


def convolutions(x, w, name):
    for i in range(3):
        x = F.conv2d(x, w[f"{name}.{i}.weight"], w[f"{name}.{i}.bias"], padding=1)
        x = F.relu(x) if i < 2 else x
    return x


def encoder(x, w):
    return F.linear(convolutions(x, w, "encoder").flatten(1), w["encoder.3.weight"], w["encoder.3.bias"])


def decoder(code, w, size, running, training):
    x = F.linear(code, w["decoder.0.weight"], w["decoder.0.bias"])
    side = round((x.shape[1] / 64) ** 0.5)
    x = x.view(-1, 64, side, side)
    for i in range(1, 9):
        last = 2 * x.shape[2] == size
        bias = w[f"decoder.{i}.bias"] if last else None
        x = F.conv_transpose2d(x, w[f"decoder.{i}.weight"], bias, stride=2, padding=1)
        if last:
            return torch.sigmoid(x)
        mean, variance = running.setdefault(i, (torch.zeros(x.shape[1]).double(), torch.ones(x.shape[1]).double()))
        x = F.relu(F.batch_norm(x, mean, variance, w[f"decoder.{i}.norm.weight"],
                                w[f"decoder.{i}.norm.bias"], training, 0.1, 1e-5))


def velocity(x_t, y, t, decoded, w):
    plane = t[:, None, None, None].expand(-1, 1, *y.shape[2:])
    return convolutions(torch.cat([x_t, y, plane, decoded], 1), w, "velocity")


def images(name, size):
    return torch.tensor(values(name, BATCH * CHANNELS * size * size)).view(BATCH, CHANNELS, size, size)


def gradients(prefix, w):
    found = {}
    for name, leaf in w.items():
        flat = leaf.grad.numpy().ravel()
        found[f"{prefix}.{name}"] = sample(flat)
        found[f"{prefix}.{name}.product"] = [flat @ values(name + "'", len(flat))]
    return found


def zeroflow(size, other, t):
    w, running = leaves(size, ["encoder", "decoder", "velocity"]), {}
    x, y, middle = images("x", size), images("y", size), torch.full_like(t, 0.5)
    decoded = decoder(encoder(y, w), w, size, running, True)
    x_other, bend = x[other], t[:, None, None, None]
    moving = velocity((1 - bend) * x + bend * x_other, y, t, decoded[other], w)
    still = velocity((x + x_other) / 2, y, middle, decoded, w)
    rectified, zero = ((moving - (x_other - x)) ** 2).mean(), (still ** 2).mean()
    loss = rectified + ZERO_WEIGHT * zero
    loss.backward()
    evaluated = decoder(encoder(y, w), w, size, running, False)
    arrays = {"zeroflow": [loss.item(), rectified.item(), zero.item()],
              "decoded": sample(evaluated.detach()),
              "velocity": sample(velocity((x + x_other) / 2, y, middle, evaluated, w).detach())}
    for i, (mean, variance) in running.items():
        arrays[f"decoder.{i}.norm.running_mean"], arrays[f"decoder.{i}.norm.running_var"] = mean, variance
    return arrays | gradients("zeroflow", w)


def contrastive(input, temperature=TEMPERATURE):
    half = len(input) // 2
    similarity = (input @ input.T / temperature).masked_fill(torch.eye(2 * half, dtype=torch.bool), -torch.inf)
    return F.cross_entropy(similarity, torch.arange(2 * half).roll(half))


def simclr(size):
    w = leaves(size, ["encoder"])
    codes = encoder(torch.cat([images("x", size), images("y", size)]), w)
    loss = contrastive(F.normalize(codes))
    loss.backward()
    return {"simclr": [loss.item()]} | gradients("simclr", w)


def make():
    torch.manual_seed(31)
    layer("contrastive", lambda input: contrastive(F.normalize(input)), {"input": normal(14, 19)})
    for size in SIZES:
        other, t = torch.tensor([3, 1, 0, 3, 2]), torch.rand(BATCH).double().float().double()
        write(f"vision_{size}", {"other": other, "t": t} | zeroflow(size, other, t) | simclr(size))
