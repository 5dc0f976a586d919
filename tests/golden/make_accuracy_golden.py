#!/usr/bin/env python3
"""Writes tests/golden/accuracy.json with scikit-learn: graphs of gates, their
truths, and what roc_auc_score, average_precision_score, f1_score and roc_curve
say of them.

    /usr/bin/python3 tests/golden/make_accuracy_golden.py

Needed to make the file (Debian: python3-sklearn), not to run the tests.
"""
import json
import pathlib
from fractions import Fraction

import numpy as np
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score, roc_curve

HERE = pathlib.Path(__file__).parent


def corners(labels, scores):
    """scikit-learn's curve without the points on a line between others."""
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    edges, others = int(labels.sum()), int((~labels).sum())
    points = [(Fraction(round(x * others), others), Fraction(round(y * edges), edges))
              for x, y in zip(fpr, tpr)]
    kept = points[:1]
    for i in range(1, len(points)):
        if len(kept) > 1:
            (a, b), (c, d), (e, f) = kept[-2], kept[-1], points[i]
            if (c - a) * (f - d) == (d - b) * (e - c):
                kept.pop()
        if points[i] != kept[-1]:
            kept.append(points[i])
    return [[float(x), float(y)] for x, y in kept]


def case(name, gates, truth):
    n = len(gates)
    gates = gates.astype("f4").astype("f8")
    upper = np.triu_indices(n, 1)
    scores, labels = np.maximum(gates, gates.T)[upper], truth[upper]
    thresholds = np.unique(scores)[::-1]
    f1 = [f1_score(labels, scores >= t) for t in thresholds]
    return {
        "name": name, "n": n, "gates": gates.ravel().tolist(),
        "edges": [[int(i), int(j)] for i, j in zip(*upper) if truth[i, j]],
        "auc": roc_auc_score(labels, scores),
        "auc_paper": roc_auc_score((truth & ~np.eye(n, dtype=bool)).ravel(), gates.ravel()),
        "average_precision": average_precision_score(labels, scores),
        "best_f1": max(f1), "best_threshold": float(thresholds[int(np.argmax(f1))]),
        "roc": corners(labels, scores),
    }


def random_truth(rng, n, share):
    truth = np.triu(rng.random((n, n)) < share, 1)
    return truth | truth.T


def main():
    rng = np.random.default_rng(3)
    cases = []
    for name, n, share, levels in (("distinct", 12, 0.3, 0), ("few ties", 15, 0.2, 40),
                                   ("many ties", 20, 0.15, 4), ("two levels", 9, 0.4, 1),
                                   ("rare edges", 25, 0.02, 10), ("most edges", 10, 0.9, 7)):
        truth = random_truth(rng, n, share)
        gates = np.clip(rng.random((n, n)) * 0.8 + truth * rng.random((n, n)) * 0.5, 0, 1)
        if levels:
            gates = np.round(gates * levels) / levels
        if name != "few ties":
            np.fill_diagonal(gates, 0)
        cases.append(case(name, gates, truth))
    truth = random_truth(rng, 8, 0.4)
    cases.append(case("constant", np.full((8, 8), 0.25), truth))
    cases.append(case("perfect", truth * 0.7, truth))
    cases.append(case("inverse", (~truth) * 0.7, truth))
    cases.append(case("negative scores", -rng.random((8, 8)) - truth, truth))
    (HERE / "accuracy.json").write_text(json.dumps({"cases": cases}) + "\n")


if __name__ == "__main__":
    main()
