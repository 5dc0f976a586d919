#!/usr/bin/env python3
"""Which ranking of the pairs of columns is the best? `zeroflow fit` with its default options
beside what else there is, on tables whose graph is known.

For each row of the table below and each seed, `zeroflow generate` (or a linear Gaussian network
of bnlearn's, as pgmpy brings it) makes a table; each method scores its pairs; and `zeroflow
score` says how well that ranks the true edges. The methods:

    zeroflow   fit, then graph --all
    partial    partial correlation; shrunk (Schaefer and Strimmer) where rows are few
    rank       the same of normal scores
    shrunk     partial correlation by scikit-learn's LedoitWolf, at any number of rows
    glasso     the graphical lasso, its penalty by cross-validation
    nodewise   the larger coefficient of scikit-learn's LassoCV of each column on the others
    pc         PC: the strictest of 22 levels that keeps the edge
    boosting   permutation importance in gradient-boosted trees

Boosting predicts the normal scores of each column, and their squares, from the normal scores of
all others, by scikit-learn's HistGradientBoosting on 70 % of the rows; on the rest each other
column is permuted five times. The score of a pair is the largest importance of either column
for the other.

F1 is that of a decision: ours at a false discovery rate of 0.1, boosting's by scikit-learn's
guide (an importance of more than two deviations over the permutations). Those of the classical
methods are in `zeroflow reproduce decisions`.

Prints, as Markdown, our mean and deviation over the seeds with the lead over the opponent that
comes closest, each on the seeds of both; then the means of every method, and their seconds of the
clock and of the processor.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPEATS, TRAINING = 5, 0.7
SLACK = {"auc": 0.005, "precision": 0.01}  # behind by more than this is behind

# Name: words, then what `generate` is told, or the name of a network; options of fit.
SEM = ["sem", "--mechanism"]
ROWS = {
    "products": ("products", [*SEM, "products"], 2000, 15, 10),
    "spread": ("spread set by parents", [*SEM, "spread"], 2000, 15, 16),
    "additive-2000": ("curves, additive noise", [*SEM, "additive"], 2000, 20, 30),
    "additive-500": ("curves, additive noise", [*SEM, "additive"], 500, 20, 30),
    "linear": ("linear, Laplace and uniform noise", [*SEM, "linear"], 1000, 30, 45),
    "linear-dense": ("the same, twice as many arrows", [*SEM, "linear"], 500, 30, 90),
    "mixture": ("mixtures, heavy tails, kinks", [*SEM, "mixture"], 1000, 20, 28),
    "gaussian": ("Gaussian graph", ["random"], 1000, 20, 30),
    "gaussian-100": ("Gaussian graph", ["random"], 100, 100, 100),
    "kinetics-100": ("kinetics", [*SEM, "kinetics"], 100, 100, 206),
    "ecoli70": ("ecoli70, linear Gaussian", "ecoli70", 1000, 46, None),
    "magic-niab": ("magic-niab, linear Gaussian", "magic-niab", 1000, 44, None),
    "random": ("random graph, cubes", ["random", "--law", "nonparanormal"], 2048, 50, None),
    "chain": ("chain, cubes", ["chain", "--law", "nonparanormal"], 2048, 50, None),
    "lattice": ("lattice, cubes", ["lattice", "--law", "nonparanormal"], 2048, 64, None),
    "volatility": ("volatility chain", ["volatility"], 2048, 50, None),
}
METHODS = ["zeroflow", "partial", "rank", "shrunk", "glasso", "nodewise", "pc", "boosting"]
BASELINES = {"partial": [], "rank": [], "glasso": ["--marginals", "standard"], "pc": []}
COLUMNS = ["row", "seed", "method", "auc", "precision", "f1", "clock", "processor"]


# --- tables -----------------------------------------------------------------------------

def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"rankings: {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def write_pairs(path, names, scores):
    """A symmetric matrix as a graph of `zeroflow graph`."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["source", "target", "score"])
        for i in range(len(names)):
            for j in range(i):
                writer.writerow([names[i], names[j], float(scores[i, j])])


def network_file(name):
    places = ROOT.glob("build/rankings/lib/python3*/site-packages/pgmpy/utils/example_models")
    return next((place / f"{name}.json" for place in places), None)


def draw_network(name, rows, seed, folder):
    """A sample of a linear Gaussian network, and the edges of its moral graph."""
    network = json.loads(network_file(name).read_text())
    random, nodes, values, edges = np.random.default_rng(seed), network["cpds"], {}, set()
    while len(values) < len(nodes):
        for node, law in nodes.items():
            if node in values or any(parent not in values for parent in law["parents"]):
                continue
            weight = {word: number[0] for word, number in law["coefficients"].items()}
            values[node] = (weight["(Intercept)"] + law["variance"][0] ** 0.5
                            * random.standard_normal(rows)
                            + sum(weight[parent] * values[parent] for parent in law["parents"]))
            family = sorted([node, *law["parents"]])
            edges |= {(a, b) for a in family for b in family if a < b}
    with open(folder / "data.csv", "w", newline="") as file:
        csv.writer(file).writerows([list(values), *zip(*values.values())])
    with open(folder / "truth.csv", "w", newline="") as file:
        csv.writer(file).writerows([("source", "target"), *sorted(edges)])


def make(options, row, seed, folder):
    """data.csv and truth.csv of a row and seed; the names and values of the table."""
    _, law, rows, columns, edges = ROWS[row]
    if isinstance(law, str):
        draw_network(law, rows, seed, folder)
    else:
        sizes = ["--rows", rows] + (["--dim", columns] if law[0] != "lattice" else [])
        run(options.zeroflow, "generate", *law, *sizes, *(["--edges", edges] if edges else []),
            "--seed", seed, "-o", folder / "data.csv", "--truth", folder / "truth.csv")
    with open(folder / "data.csv") as file:
        names = next(csv.reader(file))
        return names, np.loadtxt(file, delimiter=",")


# --- methods ----------------------------------------------------------------------------

def by_zeroflow(options, seed, folder):
    """What is decided, as pairs; pairs.csv has the scores."""
    run(options.zeroflow, "fit", folder / "data.csv", "-o", folder / "model", "--seed", seed,
        "--threads", options.threads, "--quiet")
    run(options.zeroflow, "graph", folder / "model", "--all", "-o", folder / "pairs.csv")
    with open(folder / "pairs.csv") as file:
        return {frozenset((pair["source"], pair["target"])) for pair in csv.DictReader(file)
                if pair["decided"] == "true"}


def by_shrinking(values):
    inverse = LedoitWolf().fit((values - values.mean(0)) / values.std(0)).precision_
    scale = np.sqrt(np.diag(inverse))
    return np.abs(inverse) / np.outer(scale, scale)


def by_lassos(values):
    scaled = (values - values.mean(0)) / values.std(0)
    columns = values.shape[1]
    found = np.zeros((columns, columns))
    for i in range(columns):
        others = np.delete(np.arange(columns), i)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[i, others] = np.abs(LassoCV(cv=5).fit(scaled[:, others], scaled[:, i]).coef_)
    return np.maximum(found, found.T)


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
    """Scores and decisions."""
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
    return np.maximum(found, found.T), decided | decided.T


def f1_of(decided, folder):
    with open(folder / "truth.csv") as file:
        edges = {frozenset(pair) for pair in list(csv.reader(file))[1:]}
    return 2 * len(decided & edges) / max(1, len(decided) + len(edges))


def measure(options, method, seed, folder, names, values):
    """pairs.csv by this method; F1 of its decision, or nothing."""
    if method == "zeroflow":
        return f1_of(by_zeroflow(options, seed, folder), folder)
    if method in BASELINES:
        run(options.zeroflow, "baseline", method, folder / "data.csv", *BASELINES[method],
            "--threads", options.threads, "-o", folder / "pairs.csv")
        return None
    if method == "boosting":
        scores, decided = by_boosting(values, seed)
        write_pairs(folder / "pairs.csv", names, scores)
        return f1_of({frozenset((names[i], names[j])) for i, j in zip(*np.nonzero(decided))},
                     folder)
    scores = by_shrinking(values) if method == "shrunk" else by_lassos(values)
    write_pairs(folder / "pairs.csv", names, scores)
    return None


def processor():
    return sum(resource.getrusage(who).ru_utime
               for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def run_seed(options, row, seed, methods):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        names, values = make(options, row, seed, folder)
        for method in methods:
            clock, work = time.perf_counter(), processor()
            f1 = measure(options, method, seed, folder, names, values)
            clock, work = time.perf_counter() - clock, processor() - work
            score = json.loads(run(options.zeroflow, "score", folder / "pairs.csv", "--truth",
                                   folder / "truth.csv", "--json"))
            keep(options.runs, {"row": row, "seed": seed, "method": method, "auc": score["auc"],
                                "precision": score["average_precision"],
                                "f1": "" if f1 is None else f1, "clock": clock,
                                "processor": work})


# --- what came out ----------------------------------------------------------------------

def numbers(runs, row, method, which):
    """By seed."""
    return {run["seed"]: float(run[which]) for run in runs
            if (run["row"], run["method"]) == (row, method) and run[which] != ""}


def lead(runs, row, method, which):
    """How far ours is ahead of a method, the method, and on how many seeds, which are those of
    both; nothing if there are none."""
    ours, theirs = numbers(runs, row, "zeroflow", which), numbers(runs, row, method, which)
    seeds = ours.keys() & theirs.keys()
    if not seeds:
        return None
    return np.mean([ours[seed] - theirs[seed] for seed in seeds]), method, len(seeds)


def show_best(runs, rows):
    """Ours, and the lead over the opponent that comes closest or is ahead, on so many seeds."""
    print("| table | rows x columns | seeds | AUC | lead | average precision | lead |\n"
          "|---|---|---|---|---|---|---|")
    leads = {which: [] for which in SLACK}
    for row in rows:
        cells = []
        for which, slack in SLACK.items():
            ours = list(numbers(runs, row, "zeroflow", which).values())
            found = [lead(runs, row, method, which) for method in METHODS[1:]]
            if not any(found):
                break
            least, method, seeds = min(one for one in found if one)
            leads[which].append(least)
            spread = np.std(ours, ddof=1) if len(ours) > 1 else 0
            bold = "**" if least < -slack else ""
            cells += [f"{np.mean(ours):.3f} ± {spread:.3f}", f"{bold}{least:+.3f}{bold} {method} ({seeds})"]
        if len(cells) == 4:
            words, _, n, d, _ = ROWS[row]
            print(f"| {words} | {n:,} x {d} | {len(ours)} | " + " | ".join(cells) + " |")
    for which, slack in SLACK.items():
        print(f"\n{which}: at most {slack} behind on {sum(x >= -slack for x in leads[which])} of "
              f"{len(leads[which])}, ahead on {sum(x > 0 for x in leads[which])}")


def show_all(runs, rows, which):
    print(f"\n| {which} | " + " | ".join(METHODS) + " |\n|---|" + "---|" * len(METHODS))
    for row in rows:
        found = [list(numbers(runs, row, method, which).values()) for method in METHODS]
        digits = 3 if which in ("auc", "precision", "f1") else 1
        if any(found):
            print(f"| {row} | " + " | ".join(f"{np.mean(values):.{digits}f}" if values else ""
                                              for values in found) + " |")


def read_runs(path):
    """By row, seed and method; of several the last."""
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        return {(run["row"], int(run["seed"]), run["method"]): run for run in csv.DictReader(file)}


def keep(path, run):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if file.tell() == 0:
            writer.writeheader()
        writer.writerow(run)


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zeroflow", default=ROOT / "build/release/zeroflow")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rows", default=",".join(ROWS), help="rows of the table, between commas")
    parser.add_argument("--methods", default=",".join(METHODS), help="between commas")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=pathlib.Path, default=ROOT / "build/rankings/runs.csv",
                        help="where every run is kept")
    parser.add_argument("--again", action="store_true", help="run also what is there")
    parser.add_argument("--show", action="store_true", help="run nothing, show what is there")
    options = parser.parse_args()
    options.rows, options.methods = options.rows.split(","), options.methods.split(",")
    for given, known in ((options.rows, ROWS), (options.methods, METHODS)):
        unknown = [name for name in given if name not in known]
        if unknown:
            parser.error(f"no {unknown[0]}; there are {', '.join(known)}")
    return options


def main(options):
    seeds, runs = range(options.first, options.first + options.seeds), read_runs(options.runs)
    for seed in () if options.show else seeds:
        for row in options.rows:
            if isinstance(ROWS[row][1], str) and not network_file(ROWS[row][1]):
                continue
            missing = [method for method in options.methods
                       if options.again or (row, seed, method) not in runs]
            if missing:
                print(f"seed {seed}: {row}", file=sys.stderr)
                run_seed(options, row, seed, missing)
    shown = [run for key, run in read_runs(options.runs).items() if key[1] in seeds]
    show_best(shown, options.rows)
    for which in ("auc", "precision", "f1", "clock", "processor"):
        show_all(shown, options.rows, which)


if __name__ == "__main__":
    wish = parse()
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(wish.threads)
    # Read by the libraries below when they are loaded.
    import numpy as np
    from scipy.stats import norm, rankdata
    from sklearn.covariance import LedoitWolf
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.linear_model import LassoCV
    main(wish)
