"""Whole runs to the same accuracy: the chain of the paper, MLP gates, both with
normal scores and the same data.

PyTorch trains for 5,000 iterations (blankets.py), as the paper does. zeroflow
trains for as few iterations as give it at least PyTorch's AUC, mean of SEEDS
under the nonparanormal law; few and many are whole runs, each with its own
schedule. It runs twice: as a user calls it, with the field that fit chooses for
such a table, which is what counts; and held to the paper's field and training,
which compares two engines at the same work. Both are ranked by their gates
alone, without evidence. zeroflow's time is that of the whole command, reading
and writing included; PyTorch's that of its loop alone, without the seconds of its
start, and at most 5,000 times its fastest step, whatever the machine did meanwhile.

That both train the same model is checked twice with the paper's field: weights that
zeroflow trained have the same loss in PyTorch (same_loss.py), and under every law a
full run here finds the graph at least as well, but for chance. (Better is not a fault: the rate
declines here, and stays in the paper.)

A finished run of PyTorch is kept, under a name with its version and the
fingerprint of blankets.py, and not repeated unless asked.
"""

import hashlib
import json
import subprocess
import tempfile
import time
from pathlib import Path

ITERATIONS, THREADS = 5000, 2
LAWS = ["gaussian", "nonparanormal", "truncated"]
RACED, SEEDS = "nonparanormal", [0, 1, 2]
# The field of blankets.py and its training; fit by itself chooses a smaller one.
PAPER = ["--hidden", 256, "--rate", 0.002, "--last-time", 1, "--open-gates", 0]
ENTRIES = [
    {"name": "as fit chooses", "options": [], "goal": 15},
    {"name": "the paper's field", "options": PAPER, "goal": 15},
]
TRIES = [500, 750, 1000, 1250, 1500, 2000, 2500, 3000, 4000, ITERATIONS]
REPETITIONS = 3
LARGEST_SHORTFALL = 0.005


def run_ours(zeroflow, *words):
    done = subprocess.run([zeroflow, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"peers: zeroflow {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def make_data(zeroflow, law, seed, folder):
    data, truth = folder / f"chain-{law}-{seed}.csv", folder / f"chain-{law}-{seed}-edges.csv"
    run_ours(zeroflow, "generate", "chain", "--law", law, "--seed", seed, "-o", data,
             "--truth", truth, "--quiet")
    return data, truth


def score(zeroflow, gates, truth):
    return json.loads(run_ours(zeroflow, "score", gates, "--truth", truth, "--json"))["auc"]


def train_theirs(opponent, law, seed, data, folder, again):
    """Seconds, and the file with the gates."""
    source = Path(__file__).with_name("blankets.py")
    fingerprint = hashlib.sha256(source.read_bytes()).hexdigest()[:8]
    version = opponent["peer"].split()[0]
    name = (f"torch-{version}-{opponent['variant']}-{opponent['threads']}-{fingerprint}"
            f"-{law}-{seed}")
    gates, record = folder / f"{name}.csv", folder / f"{name}.json"
    if again or not record.exists():
        print(f"PyTorch {version}: {ITERATIONS} iterations, {law}, seed {seed}", flush=True)
        command = [opponent["python"], source, data, "--gates", gates, "--seed", seed,
                   "--threads", opponent["threads"], "--variant", opponent["variant"],
                   "--iterations", ITERATIONS]
        done = subprocess.run(list(map(str, command)), env=opponent["environment"], check=True,
                              stdout=subprocess.PIPE, text=True)
        record.write_text(done.stdout)
    return json.loads(record.read_text())["seconds"], gates


def fit(zeroflow, seed, data, iterations, folder, options=PAPER):
    """Seconds of the whole command, the model and the file with its gates."""
    model, gates = Path(folder) / "model", Path(folder) / "gates.csv"
    begin = time.perf_counter()
    run_ours(zeroflow, "fit", data, "-o", model, "--gate", "mlp", "--targets", "neighbours",
             "--marginals", "normal-scores", "--iterations", iterations, "--seed", seed,
             "--evidence", "none", *options, "--threads", THREADS, "--quiet")
    seconds = time.perf_counter() - begin
    run_ours(zeroflow, "graph", model, "--matrix", "-o", gates)
    return seconds, model, gates


def train_ours(zeroflow, seed, data, truth, iterations, options=PAPER):
    """Seconds of the whole command, and the AUC."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, _, gates = fit(zeroflow, seed, data, iterations, folder, options)
        return seconds, score(zeroflow, gates, truth)


def compare_loss(zeroflow, opponent, data):
    """What same_loss.py says of a model trained on this data."""
    with tempfile.TemporaryDirectory() as folder:
        _, model, gates = fit(zeroflow, SEEDS[0], data, 1500, folder)
        command = [opponent["python"], Path(__file__).with_name("same_loss.py"), data, model, gates]
        done = subprocess.run(list(map(str, command)), env=opponent["environment"],
                              stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        raise SystemExit("peers: same_loss.py failed")
    print(f"same weights, both losses: {done.stdout.strip()}", flush=True)
    return json.loads(done.stdout)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def find_iterations(zeroflow, entry, sets, wanted):
    """The fewest iterations with at least the AUC wanted, that AUC, and all tried;
    the most if none has it."""
    tried = []
    for iterations in TRIES:
        auc = mean(train_ours(zeroflow, seed, *sets[seed], iterations, entry["options"])[1]
                   for seed in SEEDS)
        tried.append({"iterations": iterations, "auc": auc})
        print(f"zeroflow, {entry['name']}: {iterations} iterations, AUC {auc:.4f} "
              f"(PyTorch {wanted:.4f})", flush=True)
        if auc >= wanted:
            break
    return tried


def compare_laws(zeroflow, opponent, folder, again):
    """Full runs of both sides under each law."""
    laws = []
    for law in LAWS:
        data, truth = make_data(zeroflow, law, SEEDS[0], folder)
        _, gates = train_theirs(opponent, law, SEEDS[0], data, folder, again)
        theirs = score(zeroflow, gates, truth)
        ours = train_ours(zeroflow, SEEDS[0], data, truth, ITERATIONS)[1]
        laws.append({"law": law, "auc": ours, "auc_theirs": theirs})
        print(f"{law}: AUC {ours:.4f}, PyTorch {theirs:.4f}", flush=True)
    return laws


def enter(zeroflow, entry, sets, wanted, theirs):
    """One entry of zeroflow: the fewest iterations that do, and their seconds."""
    tried = find_iterations(zeroflow, entry, sets, wanted)
    best = tried[-1]
    seconds = min(train_ours(zeroflow, seed, *sets[seed], best["iterations"], entry["options"])[0]
                  for _ in range(REPETITIONS) for seed in SEEDS)
    return {"name": entry["name"], "goal": entry["goal"], "seconds": seconds, "threads": THREADS,
            **best, "tried": tried, "reached": best["auc"] >= wanted, "ratio": theirs / seconds}


def run(zeroflow, opponent, folder, again):
    loss = compare_loss(zeroflow, opponent, make_data(zeroflow, RACED, SEEDS[0], folder)[0])
    laws = compare_laws(zeroflow, opponent, folder, again)
    sets = {seed: make_data(zeroflow, RACED, seed, folder) for seed in SEEDS}
    runs = {seed: train_theirs(opponent, RACED, seed, sets[seed][0], folder,
                               again and seed != SEEDS[0]) for seed in SEEDS}
    wanted = mean(score(zeroflow, gates, sets[seed][1]) for seed, (_, gates) in runs.items())
    measured = [taken for taken, _ in runs.values()]
    theirs = min(*measured, ITERATIONS * opponent["ms"] / 1e3)
    return {"entries": [enter(zeroflow, entry, sets, wanted, theirs) for entry in ENTRIES],
            "theirs": {"seconds": theirs, "measured": measured, "auc": wanted,
                       "iterations": ITERATIONS, "peer": opponent["peer"],
                       "threads": opponent["threads"], "variant": opponent["variant"]},
            "laws": laws, "loss": loss,
            "agree": loss["agree"] and all(
                law["auc"] >= law["auc_theirs"] - LARGEST_SHORTFALL for law in laws)}


def print_rows(result):
    """Rows for the tables of docs/benchmarks.md: one for each entry, and AUCs for each law."""
    theirs = result["theirs"]
    for entry in result["entries"]:
        note = "" if entry["reached"] else " (not reached)"
        print(f"| a whole fit to PyTorch's AUC, {entry['name']} | "
              f"{entry['seconds']:.2f} s: {entry['iterations']:,} iterations, "
              f"AUC {entry['auc']:.4f}{note}, {entry['threads']} threads | "
              f"{theirs['seconds']:.1f} s: {theirs['iterations']:,} iterations, "
              f"AUC {theirs['auc']:.4f} | {entry['ratio']:.1f} | {entry['goal']} |")
    print("\n| law | AUC, zeroflow | AUC, PyTorch |\n|---|---|---|")
    for law in result["laws"]:
        print(f"| {law['law']} | {law['auc']:.4f} | {law['auc_theirs']:.4f} |")
    if not result["agree"]:
        raise SystemExit("peers: the two do not train the same model: their losses differ, or "
                         f"our AUC is less by more than {LARGEST_SHORTFALL}")
