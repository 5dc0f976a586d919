"""A small masked autoencoder by PyTorch, in double on float32 values, written as the paper
has it: tokens are put back into the order of the image, every block is computed for every
token, and the loss picks the masked ones. Loss, prediction, every gradient, and features.
"""
import numpy as np
from golden_common import write

IMAGES, CHANNELS, SIZE, PATCH, SEEN = 5, 4, 12, 4, 4
DIM, BLOCKS, HEADS = 24, 2, 3
NARROW, DECODER_BLOCKS, DECODER_HEADS = 8, 2, 2
SIDE = SIZE // PATCH
PLACES, VALUES = SIDE * SIDE, CHANNELS * PATCH * PATCH


def weights_of(random):
    found = {}

    def linear(name, inside, out):
        found[f"{name}.weight"] = random.standard_normal((out, inside)) / np.sqrt(inside)
        found[f"{name}.bias"] = 0.3 * random.standard_normal(out)

    def norm(name, width):
        found[f"{name}.scale"] = 1 + 0.3 * random.standard_normal(width)
        found[f"{name}.shift"] = 0.3 * random.standard_normal(width)

    def blocks(name, width, count):
        for i in range(count):
            inside = f"{name}.block.{i}"
            norm(f"{inside}.norm_1", width)
            if i < count - 1:
                linear(f"{inside}.qkv", width, 3 * width)
            else:
                linear(f"{inside}.q", width, width)
                linear(f"{inside}.kv", width, 2 * width)
            linear(f"{inside}.out", width, width)
            norm(f"{inside}.norm_2", width)
            linear(f"{inside}.mlp_1", width, 4 * width)
            linear(f"{inside}.mlp_2", 4 * width, width)
        norm(f"{name}.norm", width)

    linear("encoder.patch", VALUES, DIM)
    for name, rows in (("positions", PLACES), ("class", 1), ("class_position", 1)):
        found[f"encoder.{name}"] = random.standard_normal((rows, DIM))
    blocks("encoder", DIM, BLOCKS)
    linear("decoder.narrow", DIM, NARROW)
    for name, rows in (("positions", PLACES), ("mask", 1)):
        found[f"decoder.{name}"] = random.standard_normal((rows, NARROW))
    blocks("decoder", NARROW, DECODER_BLOCKS)
    linear("decoder.head", NARROW, VALUES)
    return {key: value.astype(np.float32) for key, value in found.items()}


def linear(x, w, name):
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def norm(x, w, name):
    from torch.nn.functional import layer_norm
    return layer_norm(x, x.shape[-1:], w[f"{name}.scale"], w[f"{name}.shift"], 1e-6)


def transform(x, w, name, count, heads):
    import torch
    n, tokens, width = x.shape
    for i in range(count):
        inside = f"{name}.block.{i}"
        h = norm(x, w, f"{inside}.norm_1")
        joined = f"{inside}.qkv.weight" in w
        qkv = linear(h, w, f"{inside}.qkv") if joined else torch.cat(
            [linear(h, w, f"{inside}.q"), linear(h, w, f"{inside}.kv")], -1)
        q, k, v = qkv.view(n, tokens, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        p = (q @ k.transpose(-1, -2) / np.sqrt(width // heads)).softmax(-1)
        x = x + linear((p @ v).transpose(1, 2).reshape(n, tokens, width), w, f"{inside}.out")
        h = torch.nn.functional.gelu(linear(norm(x, w, f"{inside}.norm_2"), w, f"{inside}.mlp_1"))
        x = x + linear(h, w, f"{inside}.mlp_2")
    return norm(x, w, f"{name}.norm")


def encode(patches, places, w):
    """Without the class token."""
    import torch
    seen = patches.gather(1, places[:, :, None].expand(-1, -1, VALUES))
    x = linear(seen, w, "encoder.patch") + w["encoder.positions"][places]
    first = (w["encoder.class"] + w["encoder.class_position"]).expand(len(x), 1, DIM)
    return transform(torch.cat([first, x], 1), w, "encoder", BLOCKS, HEADS)[:, 1:]


def decode(encoded, order, w):
    """All patches, in the order of the image."""
    import torch
    x = linear(encoded, w, "decoder.narrow")
    x = torch.cat([x, w["decoder.mask"].expand(len(x), PLACES - SEEN, NARROW)], 1)
    x = x.gather(1, order.argsort(1)[:, :, None].expand(-1, -1, NARROW)) + w["decoder.positions"]
    return linear(transform(x, w, "decoder", DECODER_BLOCKS, DECODER_HEADS), w, "decoder.head")


def make():
    import torch
    random = np.random.default_rng(11)
    images = random.random((IMAGES, CHANNELS, SIZE, SIZE)).astype(np.float32)
    order = np.stack([random.permutation(PLACES) for _ in range(IMAGES)])
    weights = weights_of(random)
    w = {key: torch.tensor(value.astype(np.float64), requires_grad=True) for key, value in weights.items()}
    x = torch.tensor(images.astype(np.float64))
    patches = x.unfold(2, PATCH, PATCH).unfold(3, PATCH, PATCH)  # n, channel, row, column, y, x
    patches = patches.permute(0, 2, 3, 1, 4, 5).reshape(IMAGES, PLACES, VALUES)
    places = torch.tensor(order)
    predicted = decode(encode(patches, places[:, :SEEN], w), places, w)
    masked = torch.ones(IMAGES, PLACES, dtype=torch.bool).scatter(1, places[:, :SEEN], False)
    loss = ((predicted - patches) ** 2)[masked].mean()
    loss.backward()
    every = torch.arange(PLACES).expand(IMAGES, -1)
    features = torch.nn.functional.layer_norm(encode(patches, every, w).mean(1), (DIM,), eps=1e-6)
    arrays = {"pictures": images, "order": order, "predicted": predicted.detach().numpy(),
              "loss": [loss.item()], "features": features.detach().numpy()}
    write("mae", arrays | weights | {f"d_{key}": leaf.grad.numpy() for key, leaf in w.items()})
