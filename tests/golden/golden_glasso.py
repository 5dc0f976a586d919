"""The graphical lasso by scikit-learn's GraphicalLassoCV (1.2.1, Debian's
python3-sklearn), with its defaults, in double on float32 values.

    chain   300 rows of a chain of order 3 in 20 columns
    scales  60 rows of 8 columns whose deviations go from 0.01 to 100, far from 0
    wide    12 rows of 15 columns
    sorted  90 rows of 6 columns, one of them rising, so that the folds differ
"""
import warnings

import numpy as np
from golden_common import write


def chain(d, n, random):
    """Rows with off-diagonal precision 0.8, 0.4, 0.2."""
    precision = np.zeros((d, d))
    for k, weight in enumerate([0.8, 0.4, 0.2], 1):
        precision += weight * (np.eye(d, k=k) + np.eye(d, k=-k))
    precision += np.diag(np.abs(precision).sum(1) + 0.5)
    factor = np.linalg.cholesky(np.linalg.inv(precision))
    return random.standard_normal((n, d)) @ factor.T


def cases():
    random = np.random.RandomState(20)
    yield "chain", chain(20, 300, random)
    yield "scales", 7 + chain(8, 60, random) * np.logspace(-2, 2, 8)
    yield "wide", chain(15, 12, random)
    rising = chain(6, 90, random)
    rising[:, 2] = np.sort(rising[:, 2])
    yield "sorted", rising


def make():
    from sklearn.covariance import GraphicalLassoCV
    for name, values in cases():
        values = values.astype(np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = GraphicalLassoCV().fit(values.astype(np.float64))
        score = model.cv_results_["mean_test_score"]
        best = list(model.cv_results_["alphas"]).index(model.alpha_)
        write(f"glasso_{name}", {"values": values, "precision": model.precision_,
                                 "penalty": [model.alpha_], "likelihood": [score[best]]})
