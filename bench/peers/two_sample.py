#!/usr/bin/env python3
"""The statistics of the two-sample tests from their definitions, by brute force.

Every pair of rows is visited and every field evaluated at the middle of the pair,
where the library uses witnesses of single rows; MMD, energy distance and medians are
those of NumPy and SciPy; for MMDAgg all ways to tell eleven rows into two samples are
taken. The numbers stand in tests/unit/test_two_sample.c and
test_peers.c.

    bench/peers/two_sample.py
"""
from itertools import combinations

import numpy as np
from scipy.spatial.distance import cdist, pdist
from scipy.stats import chi2, energy_distance, norm, rankdata


def sample(case, rows, sign):
    """Deterministic rows of two columns, the same in C."""
    i = np.arange(1, rows + 1, dtype=np.float64)
    x = np.sin(i * i + sign)
    y = np.cos(3 * i * i + 2 * sign)
    if sign > 0 and case == "shifted":
        x = x + 1
    if sign > 0 and case == "sheared":
        y = 0.2 * y + x
    return np.stack([x, y], 1).astype(np.float32).astype(np.float64)


def standard(z):
    return (z - z.mean(0)) / z.std(0)


def scores(z):
    return standard(norm.ppf((np.apply_along_axis(rankdata, 0, z) - 0.5) / len(z)))


def drift(a, b):
    """What each field says of a pair: the field at the middle times the difference."""
    return b - a


def spread(a, b):
    return np.array([(a + b) @ (b - a)])


def stretch(a, b):
    return (b - a) * (a + b)


def shear(a, b):
    d, m = b - a, (a + b) / 2
    return np.array([m[1] * d[0] + m[0] * d[1]])


def local_field(pool, share):
    """Fields linear around each row of the pool, for pairs that are near it."""
    distances = np.sort(pdist(pool) ** 2)
    width = distances[int(share * len(distances))]
    near = np.exp(-cdist(pool, pool) ** 2 / width)  # [row, centre]
    means = near.T @ pool / near.sum(0)[:, None]

    def field(a, b):
        found = []
        for c, mean in zip(pool, means):
            weight = np.exp(-(((a - c) ** 2).sum() + ((b - c) ** 2).sum()) / width)
            d, m = b - a, (a + b) / 2 - mean
            found += [weight * v for v in (2 * m[0] * d[0], 2 * m[1] * d[1], m[1] * d[0] + m[0] * d[1])]
        return np.array(found)

    return field


def clustered(pool):
    """Columns in units of deviations, wider where they are parted into clusters."""
    z = standard(pool)
    factor = 3 * ((z**3).mean(0) ** 2 + 1) / (z**4).mean(0)
    return z * np.maximum(factor, 1)


def wide(pool, n):
    """Squared distance of the means in the space that a kernel at all rows spans."""
    z = clustered(pool)
    distances = np.sort(pdist(z))
    kernel = np.exp(-cdist(z, z) / (2 * distances[len(distances) // 2]))
    difference = kernel[n:].mean(0) - kernel[:n].mean(0)
    return difference @ np.linalg.solve(kernel + 1e-3 * np.eye(len(z)), difference)


def halves(pool, n):
    """Chi-square of the best of all 2-means that begin at two rows."""
    z = clustered(pool)
    best, nearest = np.inf, None
    for i, j in combinations(range(len(z)), 2):
        centres = z[[i, j]]
        for _ in range(20):
            distances = cdist(z, centres) ** 2
            own = distances.argmin(1)
            centres = np.array([z[own == c].mean(0) for c in (0, 1)])
        if distances.min(1).sum() < best:
            best, nearest = distances.min(1).sum(), own
    return sum(((nearest[n:] == c).mean() - (nearest[:n] == c).mean()) ** 2
               / (nearest == c).mean() for c in (0, 1))


def few_values(rows, first):
    """Deterministic rows of three columns of 2, 3 and 2 values, the same in C."""
    i = np.arange(first, first + rows)
    return np.stack([i % 2, (i * i) % 5 % 3, (i * i * i) % 7 % 2], 1).astype(np.float64)


def indicators(column):
    return np.stack([(column == v) / np.sqrt((column == v).mean()) for v in np.unique(column)], 1)


def similarity(column):
    """Of rows by one column: 1 where it is equal, centred, in units of its variance."""
    equal = (column[:, None] == column).astype(np.float64)
    share = equal.mean(0)
    return (equal - share - share[:, None] + share.mean()) / max(1 - share.mean(), 0.25)


def discrete(pool, n):
    """Chi-squares of columns and of pairs of columns; MMD with a kernel of three columns."""
    single = [indicators(column) for column in pool.T]
    centred = [x - x.mean(0) for x in single]
    pairs = [(x[:, :, None] * y[:, None, :]).reshape(len(pool), -1)
             for x, y in combinations(centred, 2)]
    kernel = np.prod([similarity(column) for column in pool.T], 0)
    label = np.where(np.arange(len(pool)) < n, -1 / n, 1 / (len(pool) - n))
    yield "levels", sum(((label @ x) ** 2).sum() for x in single)
    yield "tables", sum(((label @ x) ** 2).sum() for x in pairs)
    yield "rows", label @ kernel @ label


def statistic(field, a, b, ridge):
    """Mean over all pairs of h with the field that ridge least squares gives, times the number
    that fits best: its square, as a share of the variance of the witness."""
    pool = np.concatenate([a, b])
    witness = np.array([np.mean([field(z, x) for z in pool], 0) for x in pool])
    deviation = witness.std(0)
    difference = np.mean([[field(x, y) for y in b] for x in a], (0, 1))
    varies = deviation > 1e-5 * deviation.max()
    difference = difference[varies] / deviation[varies]
    correlation = np.corrcoef(witness[:, varies].T).reshape(len(difference), -1)
    weight = np.linalg.solve(correlation + ridge * np.eye(len(difference)), difference)
    return (weight @ difference) ** 2 / (weight @ correlation @ weight)


def flow(a, b):
    pool = np.concatenate([a, b])
    n, whole, near = len(a), scores(pool), standard(pool)
    yield "drift", statistic(drift, whole[:n], whole[n:], 0.5)
    yield "spread", statistic(spread, whole[:n], whole[n:], 0.5)
    yield "stretch", statistic(stretch, whole[:n], whole[n:], 0.5)
    yield "shear", statistic(shear, whole[:n], whole[n:], 1)
    for name, share in ("near", 0.05), ("nearest", 0.008):
        yield name, statistic(local_field(near, share), near[:n], near[n:], 1)


def mmd(a, b):
    """Squared, biased; the kernel's 2 sigma^2 is the median squared distance."""
    median = np.median(pdist(np.concatenate([a, b]))) ** 2

    def mean(x, y):
        return np.exp(-cdist(x, y) ** 2 / median).mean()

    return mean(a, a) + mean(b, b) - 2 * mean(a, b)


def mmd_widths(a, b):
    """The sum of five Gaussian kernels: biased MMDs add up."""
    median = np.median(pdist(np.concatenate([a, b]))) ** 2
    total = 0
    for factor in 1 / 16, 1 / 4, 1, 4, 16:

        def mean(x, y):
            return np.exp(-cdist(x, y) ** 2 / (factor * median)).mean()

        total += mean(a, a) + mean(b, b) - 2 * mean(a, b)
    return total


def mmdagg(a, b):
    """The smallest p-value of twenty kernels and its own p-value, by all labellings."""
    pool, n = np.concatenate([a, b]), len(a)
    labellings = [tuple(range(n))] + [c for c in combinations(range(len(pool)), n)
                                      if c != tuple(range(n))]
    shares = []
    for metric, power in ("euclidean", 2), ("cityblock", 1):
        distance = cdist(pool, pool, metric)
        above = np.sort(pdist(pool, metric))
        low, high = (above[int(q * (len(above) - 1))] for q in (0.05, 0.95))
        for width in np.geomspace(low / 2, high * 2, 10):
            kernel = np.exp(-((distance / width) ** power))
            values = []
            for first in labellings:
                second = [i for i in range(len(pool)) if i not in first]
                values.append(kernel[np.ix_(first, first)].mean()
                              + kernel[np.ix_(second, second)].mean()
                              - 2 * kernel[np.ix_(first, second)].mean())
            values = np.array(values)
            shares.append([(values >= v - 1e-6 * abs(v)).mean() for v in values])
    least, mean = np.min(shares, 0), np.mean(shares, 0)
    evidence = least * len(labellings) + 1e-3 * mean
    return least[0], (evidence <= evidence[0] * (1 + 1e-6)).mean()


def energy(a, b):
    return 2 * cdist(a, b).mean() - cdist(a, a).mean() - cdist(b, b).mean()


def main():
    for case in "equal", "shifted", "sheared":
        a, b = sample(case, 12, 0), sample(case, 9, 1)
        for name, value in flow(a, b):
            print(f"{case:8} {name:8} {value:.9f}")
        pool = np.concatenate([a, b])
        print(f"{case:8} wide     {wide(pool, len(a)):.9f}, plain")
        print(f"{case:8} halves   {halves(pool, len(a)):.9f}, plain")
        print(f"{case:8} mmd      {mmd(a, b):.9f}")
        print(f"{case:8} widths   {mmd_widths(a, b):.9f}")
        few = sample(case, 6, 0), sample(case, 5, 1)
        least, p = mmdagg(*few)
        print(f"{case:8} mmdagg   {least:.9f}, p {p:.9f}")
        print(f"{case:8} energy   {energy(a, b):.9f}")
        one = energy(a[:, :1], b[:, :1])
        print(f"{case:8} energy of x {one:.9f}, by SciPy {energy_distance(a[:, 0], b[:, 0]) ** 2:.9f}")
    for name, value in discrete(few_values(41, 1), 23):
        print(f"few values {name:6} {value:.9f}, plain")
    for x, freedom in (0.5, 1), (3.2, 2.5), (60, 11), (30, 200.5):
        print(f"log tail of chi-square {x} {freedom}: {chi2.logsf(x, freedom):.12g}")


if __name__ == "__main__":
    main()
