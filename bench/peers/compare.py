"""Trains the same networks here and in PyTorch, side by side.

    compare.py --zeroflow PROGRAM --python NAME=PROGRAM... [--json FILE]
               [--case NAME...] [--rounds N] [--seconds S] [--again]

Steps: three plain networks, the blanket encoder of the paper with each of its
gates, and learning from images. First a heat for each: every installed PyTorch, with one and with two
threads, in every variant that networks.py knows, for a moment each. The
fastest variant of each PyTorch and number of threads goes into the final
together with zeroflow, and there they take turns (A B C A B C ...), so that
whatever else the machine is doing meets all alike. What counts is the fastest
step of all turns, on every side. zeroflow runs with one and with two threads;
each has its goal, always against the fastest PyTorch of all.

Last the race (race.py): whole runs on the chain, to the same accuracy.

Debian's PyTorch calls OpenBLAS, which takes slow kernels on a processor that is
newer than itself unless it is told better; so it is told (OPENBLAS_CORETYPE), as
zeroflow does for itself. It is told the number of threads as well
(OPENBLAS_NUM_THREADS): torch.set_num_threads does not reach it.

Only the standard library is used here; PyTorch lives in the processes.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

import race

OPTIMISERS = ["loop", "foreach", "fused"]
GATES = ["loop+joined", "fused+joined", "fused+compile", "fused+joined+compile"]
IMAGES = ["loop", "loop+channels-last", "fused", "fused+joined", "fused+channels-last",
            "fused+joined+channels-last", "fused+compile", "fused+joined+compile",
            "fused+channels-last+compile", "fused+joined+channels-last+compile"]
# Goals: by zeroflow's number of threads, how many times as fast it should be.
CASES = {
    "mlp": {
        "title": "MLP 201-256-256-50, AdamW, batch 400",
        "ours": "train-mlp-201-256-256-50",
        "goals": {2: 1.5},
        "variants": OPTIMISERS + ["fused+compile"],
    },
    "conv": {
        "title": "convolutions 3x3, 10-16-16-3 at 32x32, batch 256",
        "ours": "train-conv-10-16-16-3",
        "goals": {2: 2},
        "variants": OPTIMISERS + ["loop+channels-last", "fused+channels-last",
                                  "fused+compile", "fused+channels-last+compile"],
    },
    "lstm": {
        "title": "bidirectional LSTM 16-32, length 50, batch 400",
        "ours": "train-lstm-32x50",
        "goals": {2: 4},
        "variants": OPTIMISERS + ["loop+time-first", "fused+time-first", "fused+compile"],
    },
    "blanket-mlp": {
        "title": "blankets, MLP gates, chain of 50, batch 400",
        "ours": "step-blanket-mlp",
        "goals": {1: 3, 2: 5},
        "variants": OPTIMISERS + GATES,
    },
    "blanket-lstm": {
        "title": "blankets, LSTM gates, chain of 50, batch 400",
        "ours": "step-blanket-lstm",
        "goals": {1: 25, 2: 40},
        "variants": OPTIMISERS + ["fused+joined", "loop+time-first", "fused+time-first",
                                  "fused+joined+time-first", "fused+compile"],
    },
    "blanket-cnn": {
        "title": "blankets, CNN gates, lattice 8x8, batch 400",
        "ours": "step-blanket-cnn",
        "goals": {1: 4, 2: 8},
        "variants": OPTIMISERS + GATES + ["loop+channels-last", "fused+joined+channels-last",
                                          "fused+joined+channels-last+compile"],
    },
    "image-zeroflow": {
        "title": "zero-flow on images, 32x32, L = 512, batch 256",
        "ours": "step-image-zeroflow",
        "goals": {1: 2, 2: 3.5},
        "variants": IMAGES,
    },
    "image-simclr": {
        "title": "SimCLR on images, 32x32, L = 512, batch 256",
        "ours": "step-image-simclr",
        "goals": {1: 2, 2: 3.5},
        "variants": IMAGES,
    },
    "mae": {
        "title": "masked autoencoder, ViT-Ti, 32x32, batch 128",
        "ours": "step-mae",
        "goals": {1: 1.2, 2: 2},
        "variants": ["fused", "fused+compile", "fused+own-attention",
                     "fused+own-attention+compile"],
    },
}
THREADS = [1, 2]


def peer_environment(threads):
    flags = Path("/proc/cpuinfo").read_text().split()
    core = "SkylakeX" if "avx512bw" in flags else "Haswell" if "avx2" in flags else None
    told = {"OPENBLAS_CORETYPE": core} if core else {}
    return {**told, **os.environ, "OPENBLAS_NUM_THREADS": str(threads)}


class Peer:
    """One PyTorch with one number of threads."""

    def __init__(self, name, python, threads):
        self.python, self.threads = python, threads
        worker = Path(__file__).with_name("networks.py")
        self.process = subprocess.Popen(
            [python, str(worker), str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=peer_environment(threads))
        self.name = f"{self.read()['version'].split('+')[0]} ({name})"

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"peers: PyTorch ended unexpectedly ({self.process.args[0]})")
        return json.loads(line)

    def time(self, case, variant, seconds):
        request = {"case": case, "variant": variant, "seconds": seconds}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.read()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def time_ours(program, case, threads, seconds):
    """Milliseconds of zeroflow's fastest step, as a list; empty if it has no such case."""
    command = [program, "bench", "--json", "--quiet", "--only", CASES[case]["ours"],
               "--threads", str(threads), "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"peers: {' '.join(command)}: {done.stderr.strip()}")
    return [c["ms"] for c in json.loads(done.stdout)["cases"]
            if CASES[case]["ours"] in c["name"] and c.get("threads", threads) == threads]


def run_heat(case, peers, seconds):
    """Every variant of every peer; fastest first, the impossible last."""
    entries = []
    for peer in peers:
        for variant in CASES[case]["variants"]:
            entry = {"peer": peer.name, "threads": peer.threads, "variant": variant}
            entry.update(peer.time(case, variant, seconds))
            entries.append(entry)
    entries.sort(key=lambda entry: entry.get("ms", float("inf")))
    return entries


def print_heat(case, entries):
    print(f"{CASES[case]['title']}: heat")
    for entry in entries:
        time = f"{entry['ms']:9.3f} ms" if "ms" in entry else f"{'cannot':>12}"
        print(f"  {time}  {entry['peer']}, {count_threads(entry['threads'])}, {entry['variant']}",
              flush=True)


def choose_finalists(entries):
    """The fastest variant of each installed PyTorch at each number of threads: a
    busy moment in the heat must not decide between one thread and two."""
    best = {}
    for entry in entries:
        if "ms" in entry:
            best.setdefault((entry["peer"], entry["threads"]), entry)
    return best


def run_final(case, finalists, peers, arguments):
    """Rounds in which everyone takes a turn; the fastest step of all counts, for
    PyTorch that of the heat too."""
    theirs = {key: [entry["ms"]] for key, entry in finalists.items()}
    ours = {threads: [] for threads in THREADS}
    for _ in range(arguments.rounds):
        for peer in peers:
            key = (peer.name, peer.threads)
            if key in finalists:
                answer = peer.time(case, finalists[key]["variant"], arguments.seconds)
                theirs[key].append(answer["ms"])
        for threads in THREADS:
            ours[threads] += time_ours(arguments.zeroflow, case, threads, arguments.seconds)
    if not any(ours.values()):
        raise SystemExit(f"peers: zeroflow bench has no case {CASES[case]['ours']}")
    return ({key: min(times) for key, times in theirs.items()},
            {threads: min(times) for threads, times in ours.items() if times})


def compare(case, peers, arguments):
    entries = run_heat(case, peers, arguments.seconds)
    print_heat(case, entries)
    finalists = choose_finalists(entries)
    theirs, ours = run_final(case, finalists, peers, arguments)
    against = [{"peer": key[0], "threads": key[1], "variant": finalists[key]["variant"], "ms": ms}
               for key, ms in theirs.items()]
    against.sort(key=lambda peer: peer["ms"])
    ratios = {threads: against[0]["ms"] / ms for threads, ms in ours.items()}
    return {"case": case, "title": CASES[case]["title"], "goals": CASES[case]["goals"],
            "ms_by_threads": ours, "ratio_by_threads": ratios, "against": against,
            "heat": entries}


def run_race(result, peers, arguments):
    """Against the PyTorch whose steps with MLP gates are the fastest."""
    best = result["against"][0]
    peer = next(p for p in peers if (p.name, p.threads) == (best["peer"], best["threads"]))
    opponent = {**best, "python": peer.python, "environment": peer_environment(peer.threads)}
    return race.run(arguments.zeroflow, opponent, Path(arguments.folder), arguments.again)


def count_threads(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


def print_steps(results):
    """As the rows of the table in docs/benchmarks.md."""
    for result in results:
        best, goals = result["against"][0], result["goals"]
        ours = "; ".join(f"{result['ms_by_threads'][n]:.3g} ms, {count_threads(n)}" for n in goals)
        ratios = "; ".join(f"{result['ratio_by_threads'][n]:.2f}" for n in goals)
        print(f"| {result['title']} | {ours} | {best['ms']:.3g} ms: {best['peer']}, "
              f"{count_threads(best['threads'])}, {best['variant']} | {ratios} | "
              f"{'; '.join(map(str, goals.values()))} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--zeroflow", required=True)
    parser.add_argument("--python", action="append", required=True, metavar="NAME=PROGRAM")
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--case", action="append", choices=[*CASES, "race"])
    parser.add_argument("--folder", default="build/peers",
                        help="data, and PyTorch's finished runs")
    parser.add_argument("--again", action="store_true",
                        help="train PyTorch again, even if it has finished before")
    arguments = parser.parse_args()

    peers = [Peer(name, python, threads)
             for name, python in (text.split("=", 1) for text in arguments.python)
             for threads in THREADS]
    wanted = set(arguments.case or [*CASES, "race"])
    if "race" in wanted:
        wanted.add("blanket-mlp")
    results = {case: compare(case, peers, arguments) for case in CASES if case in wanted}
    raced = run_race(results["blanket-mlp"], peers, arguments) if "race" in wanted else None
    for peer in peers:
        peer.close()
    if arguments.json:
        everything = {"results": list(results.values()), "race": raced}
        Path(arguments.json).write_text(json.dumps(everything, indent=1) + "\n")
    print("\n| training step | zeroflow | fastest PyTorch | ratio | goal |\n|---|---|---|---|---|")
    print_steps(results.values())
    if raced:
        race.print_rows(raced)


if __name__ == "__main__":
    main()
