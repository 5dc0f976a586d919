#!/usr/bin/env python3
"""Holds `zeroflow baseline glasso` against scikit-learn's GraphicalLassoCV on the
chain of the paper (50 columns, 2,048 rows) under its three laws.

    /usr/bin/python3 bench/peers/glasso.py [--zeroflow FILE] [--seed N]

Prints the largest difference of the absolute precisions, both AUCs and both
times; fails if the difference exceeds 1e-3 or the AUCs differ by more than 0.005.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from sklearn.covariance import GraphicalLassoCV
from sklearn.metrics import roc_auc_score

ROOT = pathlib.Path(__file__).resolve().parents[2]


def compare(command, law, seed, folder):
    """One law: prints a line, says whether the two agree."""
    def run(*words):
        return subprocess.run([command, *map(str, words)], check=True, capture_output=True, text=True).stdout
    run("generate", "chain", "--law", law, "--seed", seed, "-o", folder / "data.npy",
        "--precision", folder / "truth.npy")
    ours = json.loads(run("baseline", "glasso", folder / "data.npy", "-o", folder / "graph.npy", "--json",
                          "--threads", 1))
    values = np.load(folder / "data.npy").astype(np.float64)
    before = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = GraphicalLassoCV().fit(values)
    seconds = time.perf_counter() - before
    pairs = np.triu_indices(values.shape[1], 1)
    edges = np.load(folder / "truth.npy")[pairs] != 0
    got, expected = np.load(folder / "graph.npy")[pairs], np.abs(theirs.precision_)[pairs]
    auc, auc_theirs = roc_auc_score(edges, got), roc_auc_score(edges, expected)
    off = np.abs(got - expected).max()
    print(f"{law:<14} precision off by {off:.1e}   AUC {auc:.4f}, scikit-learn {auc_theirs:.4f}   "
          f"{ours['seconds']:.2f} s, scikit-learn {seconds:.2f} s")
    return off <= 1e-3 and abs(auc - auc_theirs) <= 0.005


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--zeroflow", default=ROOT / "build/release/zeroflow")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        agree = [compare(options.zeroflow, law, options.seed, pathlib.Path(folder))
                 for law in ("gaussian", "nonparanormal", "truncated")]
    sys.exit(0 if all(agree) else 1)


if __name__ == "__main__":
    main()
