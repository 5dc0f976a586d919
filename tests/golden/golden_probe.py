"""Probes by scikit-learn (1.2.1, Debian's python3-sklearn) and, for the steps of the
linear one, PyTorch; in double on float32 values.

The features are of five classes with means that overlap; the columns have other
deviations, and a mean far from 0.
"""
import numpy as np
from golden_common import write

TRAIN, TEST, DIM, CLASSES, NEIGHBOURS = 300, 120, 11, 5, 7
STEPS, BATCH, RATE = 5, 40, 1e-2
PENALTY, FEW = 50, 9


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


def linear(arrays, train, labels, test, random):
    """A few steps of Adam from given weights, on given rows, of columns standardised."""
    import torch
    weights = random.standard_normal((DIM + 1, CLASSES)).astype(np.float32) / 4
    which = np.stack([random.permutation(TRAIN)[:BATCH] for _ in range(STEPS)])
    arrays |= {"linear_start": weights, "linear_which": which}
    mean, deviation = train.mean(0), train.std(0)
    for name, scale in (("plain", lambda x: x), ("standardised", lambda x: (x - mean) / deviation)):
        leaf = torch.tensor(weights.astype(np.float64), requires_grad=True)
        adam = torch.optim.Adam([leaf], RATE)
        for rows in which:
            adam.zero_grad()
            logits = torch.tensor(scale(train[rows])) @ leaf[:DIM] + leaf[DIM]
            torch.nn.functional.cross_entropy(logits, torch.tensor(labels[rows])).backward()
            adam.step()
        end = leaf.detach().numpy()
        arrays[f"linear_{name}"] = end
        arrays[f"linear_{name}_given"] = np.argmax(scale(test) @ end[:DIM] + end[DIM], 1)


def ridge(arrays, train, labels, test):
    from sklearn.linear_model import Ridge, RidgeCV
    hot = np.eye(CLASSES)[labels]
    arrays["ridge_fixed_given"] = np.argmax(Ridge(PENALTY).fit(train, hot).predict(test), 1)
    for name, rows in (("", TRAIN), ("few_", FEW)):
        x, y = train[:rows], hot[:rows]
        penalties = x.var(0).sum() * rows / DIM * 1e-5 * 10 ** (np.arange(17) / 2)
        chosen = RidgeCV(penalties).fit(x, y)
        arrays |= {f"ridge_{name}penalty": [chosen.alpha_],
                   f"ridge_{name}given": np.argmax(chosen.predict(test), 1)}


def components(arrays, train, test):
    from sklearn.decomposition import PCA
    model = PCA(4, svd_solver="full").fit(train)
    arrays |= {"components_variance": model.explained_variance_ * (TRAIN - 1) / TRAIN,
               "components_codes": model.transform(test)}


def make():
    random = np.random.default_rng(7)
    means = 0.8 * random.standard_normal((CLASSES, DIM))
    (train, labels), (test, test_labels) = rows(TRAIN, random, means), rows(TEST, random, means)
    arrays = {"train": train, "train_labels": labels, "test": test, "test_labels": test_labels}
    knn(arrays, train.astype(np.float64), labels, test.astype(np.float64))
    linear(arrays, train.astype(np.float64), labels, test.astype(np.float64), random)
    ridge(arrays, train.astype(np.float64), labels, test.astype(np.float64))
    components(arrays, train.astype(np.float64), test.astype(np.float64))
    write("probe", arrays)
