"""Networks in PyTorch, and a process that times their training steps: three plain
ones, the blanket encoder with each of its gates (blankets.py), learning from
images (images.py), and a masked autoencoder (mae.py).

Run by compare.py, one process for each installed PyTorch and number of
threads. It reads one request a line from standard input,

    {"case": ..., "variant": ..., "seconds": ...}

runs training steps for that long, and answers with the fastest and the median
step in milliseconds. A model stays in memory between requests, so only the
first pays for compilation; the steps of each request begin with a few that do
not count.

A variant is one of the ways in which a user could make PyTorch fast on a
processor, as words joined by "+": AdamW as a loop, "foreach" or fused; images
with channels last; sequences with time first; both velocities of an encoder, or
both views, joined into one pass; attention spelt out; torch.compile around network
and loss. A variant that this version does not have is answered with an error, not
with silence.
"""

import json
import statistics
import sys
import time

import blankets
import images
import mae
import torch
from torch import nn

WARM_UP = 2


class Lstm(nn.Module):
    """The states of both directions, without the last state that nn.LSTM adds."""

    def __init__(self, batch_first):
        super().__init__()
        self.lstm = nn.LSTM(16, 32, batch_first=batch_first, bidirectional=True)

    def forward(self, x):
        return self.lstm(x)[0]


def mean_squares(output, target):
    return nn.functional.mse_loss(output, target)


def sum_squares(output, _target):
    return (output * output).sum()


def make_mlp(_words):
    network = nn.Sequential(
        nn.Linear(201, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 50)
    )
    return network, torch.randn(400, 201), torch.randn(400, 50), mean_squares


def make_conv(words):
    layout = torch.channels_last if "channels-last" in words else torch.contiguous_format
    network = nn.Sequential(
        nn.Conv2d(10, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 3, 3, padding=1),
    )
    x = torch.randn(256, 10, 32, 32).to(memory_format=layout)
    target = torch.randn(256, 3, 32, 32).to(memory_format=layout)
    return network.to(memory_format=layout), x, target, mean_squares


def make_lstm(words):
    if "time-first" in words:
        return Lstm(False), torch.randn(50, 400, 16), None, sum_squares
    return Lstm(True), torch.randn(400, 50, 16), None, sum_squares


CASES = {"mlp": make_mlp, "conv": make_conv, "lstm": make_lstm}


def make_step(case, variant):
    """A function that trains by one step."""
    if case.startswith("blanket-"):
        return blankets.make_timed_step(case.removeprefix("blanket-"), variant)
    if case.startswith("image-"):
        return images.make_timed_step(case.removeprefix("image-"), variant)
    if case == "mae":
        return mae.make_timed_step(variant)
    torch.manual_seed(0)
    words = variant.split("+")
    network, x, target, loss_of = CASES[case](words)
    options = {word: True for word in ("foreach", "fused") if word in words}
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, **options)

    def forward():
        return loss_of(network(x), target)

    if "compile" in words:
        forward = torch.compile(forward)

    def step():
        optimiser.zero_grad(set_to_none=True)
        forward().backward()
        optimiser.step()

    return step


def time_steps(step, seconds):
    for _ in range(WARM_UP):
        step()
    times = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        begin = time.perf_counter()
        step()
        times.append(1e3 * (time.perf_counter() - begin))
    return {"ms": min(times), "median_ms": statistics.median(times), "steps": len(times)}


def main():
    torch.set_num_threads(int(sys.argv[1]))
    steps = {}
    print(json.dumps({"version": torch.__version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        key = (request["case"], request["variant"])
        try:
            if key not in steps:
                steps[key] = make_step(*key)
            answer = time_steps(steps[key], request["seconds"])
        except Exception as error:  # whatever a version cannot do
            answer = {"error": str(error).strip().split("\n")[0]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
