"""Probes by scikit-learn (1.2.1, Debian's python3-sklearn), in double on float32 values.

The features are of five classes with means that overlap; the columns have other
deviations, and a mean far from 0.
"""
import numpy as np
from golden_common import write

TRAIN, TEST, DIM, CLASSES, NEIGHBOURS = 300, 120, 11, 5, 7


def rows(n, random, means):
    labels = random.integers(0, CLASSES, n)
    features = means[labels] + random.standard_normal((n, DIM))
    return (3 + features * np.logspace(-0.5, 0.5, DIM)).astype(np.float32), labels


def neighbours_first(labels, order, classes):
    """Majority; of classes with as many votes the one of the nearest neighbour."""
    given = []
    for near in labels[order]:
        votes = np.bincount(near, minlength=classes)
        given.append(next(label for label in near if votes[label] == votes.max()))
    return given


def knn(arrays, train, labels, test):
    from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
    for metric in ("cosine", "euclidean"):
        finder = NearestNeighbors(n_neighbors=NEIGHBOURS, metric=metric, algorithm="brute")
        order = finder.fit(train).kneighbors(test, return_distance=False)
        arrays[f"knn_{metric}"] = neighbours_first(labels, order, CLASSES)
    weighted = KNeighborsClassifier(NEIGHBOURS, metric="cosine", algorithm="brute",
                                    weights=lambda distance: np.exp((1 - distance) / 0.07))
    arrays["knn_weighted"] = weighted.fit(train, labels).predict(test)


def make():
    random = np.random.default_rng(7)
    means = 0.8 * random.standard_normal((CLASSES, DIM))
    (train, labels), (test, test_labels) = rows(TRAIN, random, means), rows(TEST, random, means)
    arrays = {"train": train, "train_labels": labels, "test": test, "test_labels": test_labels}
    knn(arrays, train.astype(np.float64), labels, test.astype(np.float64))
    write("probe", arrays)
