#!/usr/bin/env python3
"""Boosted trees as an opponent: which pairs of columns are edges, by permutation importance
in scikit-learn's HistGradientBoosting and by zeroflow's evidence, on the laws of
`zeroflow reproduce decisions`.

    python3 bench/peers/boosting.py [--zeroflow FILE] [--seeds N] [--first N] [--laws TEXT]

Trees predict the normal scores of each column, and their squares, from the normal scores of
all others, on 70 % of the rows; on the rest each other column is permuted five times. The
score of a pair is the largest importance of either column for the other. Its decision is the
one of scikit-learn's guide: an importance of more than two deviations over the five
permutations, in either direction. Ours is a q-value of at most 0.1.

Prints mean and deviation over the seeds. Time is processor time of one thread; ours is that of
a whole `fit` with hardly any training.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
from scipy.stats import norm, rankdata  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: E402
from sklearn.metrics import average_precision_score, roc_auc_score  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPEATS, TRAINING, FDR = 5, 0.7, 0.1
ITERATIONS = 10  # of the fit, whose gates have no part in the evidence

# As in src/cli/reproduce/decisions.c: words of generate, rows, columns, edges.
LAWS = {
    "gaussian": (["random"], 1000, 20, 30),
    "linear": (["sem", "--mechanism", "linear"], 1000, 30, 45),
    "additive-500": (["sem", "--mechanism", "additive"], 500, 20, 30),
    "additive-2000": (["sem", "--mechanism", "additive"], 2000, 20, 30),
    "products": (["sem", "--mechanism", "products"], 2000, 15, 10),
    "spread": (["sem", "--mechanism", "spread"], 2000, 15, 16),
    "mixture": (["sem", "--mechanism", "mixture"], 1000, 20, 28),
    "gaussian-100": (["random"], 100, 100, 100),
    "kinetics": (["sem", "--mechanism", "kinetics"], 100, 100, 206),
    "independent": (["independent"], 200, 10, 0),
    "independent-100": (["independent"], 100, 100, 0),
}


def run(command, *words):
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"boosting: zeroflow {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def make(command, law, seed, folder):
    """The table, and its true edges as a matrix."""
    words, rows, columns, edges = LAWS[law]
    sizes = ["--rows", rows, "--dim", columns] + (["--edges", edges] if edges else [])
    run(command, "generate", *words, *sizes, "--seed", seed, "-o", folder / "data.csv",
        "--truth", folder / "truth.json")
    values = np.loadtxt(folder / "data.csv", delimiter=",", skiprows=1)
    truth = json.loads((folder / "truth.json").read_text())
    return values, matrix_of(truth, lambda edge: True)


def matrix_of(graph, value):
    """What `value` says of each edge, as a symmetric matrix."""
    place = {name: i for i, name in enumerate(graph["nodes"])}
    square = np.zeros((len(place), len(place)))
    for edge in graph["edges"]:
        a, b = place[edge["source"]], place[edge["target"]]
        square[a, b] = square[b, a] = value(edge)
    return square


def by_evidence(command, folder):
    """Scores, decisions and seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run(command, "fit", folder / "data.csv", "-o", folder / "model", "--iterations", ITERATIONS,
        "--threads", 1, "--quiet")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    graph = json.loads(run(command, "graph", folder / "model", "--all", "--format", "json"))
    return (matrix_of(graph, lambda edge: -np.log10(max(edge["p_value"], 1e-300))),
            matrix_of(graph, lambda edge: edge["q_value"] <= FDR) > 0, seconds)


def importances(model, inputs, target, random):
    """Mean and deviation of how much worse the model becomes without each input."""
    rows, columns = inputs.shape
    tried = np.repeat(inputs[None], columns * REPEATS, axis=0)
    for j in range(columns):
        for k in range(REPEATS):
            tried[j * REPEATS + k, :, j] = inputs[random.permutation(rows), j]
    error = ((model.predict(tried.reshape(-1, columns)).reshape(-1, rows) - target) ** 2).mean(1)
    worse = (error - ((model.predict(inputs) - target) ** 2).mean()).reshape(columns, REPEATS)
    return worse.mean(1) / target.var(), worse.std(1) / target.var()


def by_boosting(values, seed):
    """Scores, decisions and seconds."""
    before = time.process_time()
    random = np.random.default_rng(seed)
    rows, columns = values.shape
    scores = norm.ppf(rankdata(values, axis=0) / (rows + 1))
    order = random.permutation(rows)
    training, rest = order[:int(TRAINING * rows)], order[int(TRAINING * rows):]
    found, decided = np.zeros((columns, columns)), np.zeros((columns, columns), bool)
    for i in range(columns):
        others = np.delete(np.arange(columns), i)
        for target in (scores[:, i], scores[:, i] ** 2):
            model = HistGradientBoostingRegressor(random_state=seed)
            model.fit(scores[np.ix_(training, others)], target[training])
            mean, deviation = importances(model, scores[np.ix_(rest, others)], target[rest], random)
            found[i, others] = np.maximum(found[i, others], mean)
            decided[i, others] |= mean > 2 * deviation
    return np.maximum(found, found.T), decided | decided.T, time.process_time() - before


def judge(truth, scores, decided, seconds):
    """False share, power, F1, AUC, average precision, edges, seconds."""
    pairs = np.triu_indices(len(truth), 1)
    edge, given, score = truth[pairs] > 0, decided[pairs], scores[pairs]
    right, ranks = (edge & given).sum(), 0 < edge.sum() < len(edge)
    return [1 - right / given.sum() if given.any() else 0, right / edge.sum() if edge.any() else 1,
            2 * right / (given.sum() + edge.sum()) if (given | edge).any() else 1,
            roc_auc_score(edge, score) if ranks else np.nan,
            average_precision_score(edge, score) if ranks else np.nan, given.sum(), seconds]


def show(law, name, runs):
    mean, spread = np.mean(runs, axis=0), np.std(runs, axis=0, ddof=1 if len(runs) > 1 else 0)
    cells = "  ".join(f"{m:5.3f} ± {s:5.3f}" for m, s in zip(mean[:5], spread[:5]))
    print(f"{law:<16} {name:<9} {cells}  {mean[5]:7.1f} {mean[6]:7.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--zeroflow", default=ROOT / "build/release/zeroflow")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--laws", default=",".join(LAWS), help="names between commas")
    options = parser.parse_args()
    laws = options.laws.split(",")
    unknown = [law for law in laws if law not in LAWS]
    if unknown or options.seeds < 1:
        parser.error(f"no law {unknown[0]}; there are {', '.join(LAWS)}" if unknown else "no seed")
    print(f"{'law':<16} {'method':<9} " +
          "  ".join(f"{name:<13}" for name in ("false", "power", "F1", "AUC", "precision")) +
          f"  {'edges':>7} {'seconds':>7}")
    for law in laws:
        ours, theirs = [], []
        for seed in range(options.first, options.first + options.seeds):
            with tempfile.TemporaryDirectory() as place:
                folder = pathlib.Path(place)
                values, truth = make(options.zeroflow, law, seed, folder)
                ours.append(judge(truth, *by_evidence(options.zeroflow, folder)))
                theirs.append(judge(truth, *by_boosting(values, seed)))
        show(law, "zeroflow", ours)
        show(law, "boosting", theirs)


if __name__ == "__main__":
    main()
