"""The paper's blanket encoder in PyTorch: networks, batches, loss and training.

    blankets.py DATA.csv --gates GATES.csv [--threads N] [--variant WORDS]
                [--marginals normal-scores|standard] [--iterations N] [--seed N]

Trains MLP gates on a chain, writes the gates of every single target as a
matrix (what `zeroflow graph --matrix` writes), and prints the seconds of the
training loop as JSON. networks.py takes the steps of all three gate networks
from here to time them.

Written from the paper's sections 4 and 6.1 and its implementation appendix, the
way a PyTorch user writes it: dense rows, one mask a row, every output, both
velocities from one batch, gates once for both. The settings are those that
reproduce the paper's table (rate 1e-3, uniform t, the zero-flow term at the
middle of the way with weight 0.1, means over rows and features). What zeroflow
leaves out of the work (repeated masks, zero columns, outputs that are no
target) is left in here: finding those savings is its claim.
"""

import argparse
import json
import time

import numpy as np
import torch
from torch import nn

RATE, ZERO_WEIGHT, SPARSITY, BATCH, ROWS = 1e-3, 0.1, 1e-9, 400, 2048


class LstmGates(nn.Module):
    """Reads the mask as a sequence, both ways; a gate for each position."""

    def __init__(self, _features, time_first):
        super().__init__()
        self.time_first = time_first
        self.embedding = nn.Embedding(2, 16)
        self.lstm = nn.LSTM(16, 32, batch_first=not time_first, bidirectional=True)
        self.out = nn.Linear(64, 1)
        for name, value in self.lstm.named_parameters():
            if "bias" in name:
                nn.init.zeros_(value)
            if "bias_ih" in name:
                nn.init.ones_(value.data[32:64])

    def forward(self, mask):
        bits = mask.long()
        states, _ = self.lstm(self.embedding(bits.t() if self.time_first else bits))
        logits = self.out(states).squeeze(-1)
        return torch.sigmoid(logits.t() if self.time_first else logits)


class CnnGates(nn.Module):
    """Reads the mask as a square image."""

    def __init__(self, features, layout):
        super().__init__()
        self.side, self.layout = round(features**0.5), layout
        self.layers = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(),
            nn.Conv2d(32, 1, 3, padding=1),
        ).to(memory_format=layout)

    def forward(self, mask):
        image = mask.view(-1, 1, self.side, self.side).to(memory_format=self.layout)
        return torch.sigmoid(self.layers(image).flatten(1))


def make_gates(kind, features, words):
    if kind == "lstm":
        return LstmGates(features, "time-first" in words)
    if kind == "cnn":
        last = "channels-last" in words
        return CnnGates(features, torch.channels_last if last else torch.contiguous_format)
    return nn.Sequential(
        nn.Linear(features, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(),
        nn.Linear(128, features), nn.Sigmoid(),
    )


def make_field(features):
    return nn.Sequential(
        nn.Linear(4 * features + 1, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(),
        nn.Linear(256, features),
    )


def target_chances(features, grid):
    """Row i: how likely each feature is a target when node i was drawn: itself
    always, each neighbour half the time."""
    place = torch.arange(features)
    side = round(features**0.5) if grid else features
    row, column = place // side, place % side
    distance = (row[:, None] - row).abs() + (column[:, None] - column).abs()
    return (distance == 0).float() + 0.5 * (distance == 1).float()


def draw_batch(data, chances):
    """Two independent rows, a mask and a time, BATCH times."""
    rows = torch.randint(len(data), (2, BATCH))
    mask = torch.bernoulli(chances[torch.randint(len(chances), (BATCH,))])
    return data[rows[0]], data[rows[1]], mask, torch.rand(BATCH, 1)


def terms_of(gates, field, batch, joined=False):
    """The rectified-flow term, the zero-flow term, the sum of all gates."""
    z, other, mask, t = batch
    x, other_x, rest = z * mask, other * mask, 1 - mask
    y, other_y = z * rest, other * rest
    gate = gates(mask)
    half = torch.full_like(t, 0.5)
    moving = torch.cat([x + t * (other_x - x), other_y * gate, y, mask, t], 1)
    middle = torch.cat([0.5 * (x + other_x), y * gate, y, mask, half], 1)
    if joined:
        velocity, still = field(torch.cat([moving, middle])).chunk(2)
    else:
        velocity, still = field(moving), field(middle)
    rectified = ((other_x - x - velocity) * mask).square().mean()
    return rectified, (still * mask).square().mean(), gate.sum()


def make_step(kind, variant, data, seed=0):
    """A function that draws a batch and trains by one step; and the gates."""
    torch.manual_seed(seed)
    words = variant.split("+")
    gates, field = make_gates(kind, data.shape[1], words), make_field(data.shape[1])
    chances = target_chances(data.shape[1], kind == "cnn")
    parameters = [*gates.parameters(), *field.parameters()]
    options = {word: True for word in ("foreach", "fused") if word in words}
    optimiser = torch.optim.AdamW(parameters, lr=RATE, **options)

    def forward(batch):
        rectified, zero, gate = terms_of(gates, field, batch, "joined" in words)
        return rectified + ZERO_WEIGHT * zero + SPARSITY * gate

    if "compile" in words:
        forward = torch.compile(forward)

    def step():
        optimiser.zero_grad(set_to_none=True)
        forward(draw_batch(data, chances)).backward()
        optimiser.step()

    return step, gates


def make_timed_step(kind, variant):
    """On data of the experiment's size; which data does not matter to the time."""
    return make_step(kind, variant, torch.randn(ROWS, 64 if kind == "cnn" else 50))[0]


def apply_marginals(values, marginals):
    if marginals == "standard":
        return ((values - values.mean(0)) / values.std(0)).float()
    ranks = values.argsort(0).argsort(0).double()
    return torch.special.ndtri((ranks + 0.5) / len(values)).float()


def read_data(path, marginals):
    """The names of the columns, and the values as the networks see them."""
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
    values = torch.from_numpy(np.loadtxt(path, delimiter=",", skiprows=1))
    return names, apply_marginals(values, marginals)


def gate_matrix(gates, features):
    """Row i: the gates of target i alone."""
    with torch.no_grad():
        return gates(torch.eye(features)).fill_diagonal_(0)


def write_gates(path, names, gates):
    matrix = gate_matrix(gates, len(names)).tolist()
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(["gates", *names]) + "\n")
        for name, row in zip(names, matrix):
            file.write(",".join([name, *(f"{gate:.9g}" for gate in row)]) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--gates", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--variant", default="loop")
    parser.add_argument("--marginals", default="normal-scores")
    parser.add_argument("--iterations", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    torch.set_num_threads(arguments.threads)
    names, data = read_data(arguments.data, arguments.marginals)
    step, gates = make_step("mlp", arguments.variant, data, arguments.seed)
    begin = time.perf_counter()
    for _ in range(arguments.iterations):
        step()
    seconds = time.perf_counter() - begin
    write_gates(arguments.gates, names, gates)
    print(json.dumps({"seconds": seconds, "version": torch.__version__}))


if __name__ == "__main__":
    main()
