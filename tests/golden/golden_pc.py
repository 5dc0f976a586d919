"""Skeletons of ten random graphs by causal-learn (0.1.4.8): skeleton_discovery
with fisherz, stable, at alpha 0.05 (`loose_K`) and 0.001 (`strict_K`).

Each graph has 8 to 12 columns, an edge from each to later ones with probability
0.35 and a weight of 0.3 to 1 of either sign, and 120 rows.
"""
import numpy as np
from golden_common import write


def draw(random, d, n):
    """Rows of a random linear Gaussian network."""
    edges = np.triu(random.uniform(size=(d, d)) < 0.35, 1)
    weights = edges * random.uniform(0.3, 1, (d, d)) * random.choice([-1, 1], (d, d))
    rows = random.standard_normal((n, d))
    for j in range(d):
        rows[:, j] += rows[:, :j] @ weights[:j, j]
    return rows[:, random.permutation(d)].astype(np.float32)


def make():
    from causallearn.utils.cit import CIT
    from causallearn.utils.PCUtils.SkeletonDiscovery import skeleton_discovery
    random = np.random.RandomState(7)
    arrays = {}
    for k in range(10):
        rows = draw(random, 8 + k % 5, 120)
        arrays[f"values_{k}"] = rows
        rows = rows.astype(np.float64)
        for name, alpha in [("loose", 0.05), ("strict", 0.001)]:
            found = skeleton_discovery(rows, alpha, CIT(rows, "fisherz"), stable=True, show_progress=False)
            arrays[f"{name}_{k}"] = found.G.graph != 0
    write("pc", arrays)
