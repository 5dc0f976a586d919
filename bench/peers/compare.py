"""Trains the same three networks here and in PyTorch, side by side.

    compare.py --zeroflow PROGRAM --python NAME=PROGRAM... [--json FILE]
               [--rounds N] [--seconds S]

First a heat for each network: every installed PyTorch, with one and with two
threads, in every variant that networks.py knows, for a moment each. The
fastest variant of each PyTorch and number of threads goes into the final
together with zeroflow, and there they take turns (A B C A B C ...), so that
whatever else the machine is doing meets all alike. What counts is the fastest
step of all turns, on every side. zeroflow runs with one and with two threads
as well, and its faster one is the one compared.

Debian's PyTorch calls OpenBLAS, which takes slow kernels on a processor that is
newer than itself unless it is told better; so it is told (OPENBLAS_CORETYPE), as
zeroflow does for itself.

Only the standard library is used here; PyTorch lives in the processes.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

OPTIMISERS = ["loop", "foreach", "fused"]
CASES = {
    "mlp": {
        "title": "MLP 201-256-256-50, batch 400",
        "ours": "train-mlp-201-256-256-50",
        "goal": 1.5,
        "variants": OPTIMISERS + ["fused+compile"],
    },
    "conv": {
        "title": "conv 3x3 10-16-16-3 at 32x32, batch 256",
        "ours": "train-conv-10-16-16-3",
        "goal": 2.0,
        "variants": OPTIMISERS + ["loop+channels-last", "fused+channels-last",
                                  "fused+compile", "fused+channels-last+compile"],
    },
    "lstm": {
        "title": "bidirectional LSTM 16-32, length 50, batch 400",
        "ours": "train-lstm-32x50",
        "goal": 4.0,
        "variants": OPTIMISERS + ["loop+time-first", "fused+time-first", "fused+compile"],
    },
}
THREADS = [1, 2]


def peer_environment():
    flags = Path("/proc/cpuinfo").read_text().split()
    core = "SkylakeX" if "avx512bw" in flags else "Haswell" if "avx2" in flags else None
    return {**({"OPENBLAS_CORETYPE": core} if core else {}), **os.environ}


class Peer:
    """One PyTorch with one number of threads."""

    def __init__(self, name, python, threads):
        self.threads = threads
        worker = Path(__file__).with_name("networks.py")
        self.process = subprocess.Popen(
            [python, str(worker), str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=peer_environment())
        self.name = f"{name} {self.read()['version']}"

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
        print(f"  {time}  {entry['peer']}, {entry['threads']} thread(s), {entry['variant']}",
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
    threads = min(ours, key=ours.get)
    against = [{"peer": key[0], "threads": key[1], "variant": finalists[key]["variant"],
                "ms": ms, "ratio": ms / ours[threads]} for key, ms in theirs.items()]
    against.sort(key=lambda peer: peer["ms"])
    return {"case": case, "title": CASES[case]["title"], "goal": CASES[case]["goal"],
            "ms": ours[threads], "threads": threads, "ms_by_threads": ours,
            "against": against, "heat": entries}


def print_table(results):
    print(f"\n{'network':<48} {'':<26} {'ms/step':>9} {'threads':>7} {'ratio':>6} {'goal':>5}")
    for result in results:
        print(f"{result['title']:<48} {'zeroflow':<26} {result['ms']:>9.3f} "
              f"{result['threads']:>7}")
        for peer in result["against"]:
            print(f"{'':<48} {'PyTorch, ' + peer['peer']:<26} {peer['ms']:>9.3f} "
                  f"{peer['threads']:>7} {peer['ratio']:>6.2f} {result['goal']:>5}"
                  f"  {peer['variant']}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--zeroflow", required=True)
    parser.add_argument("--python", action="append", required=True, metavar="NAME=PROGRAM")
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--case", action="append", choices=CASES)
    arguments = parser.parse_args()

    peers = [Peer(name, python, threads)
             for name, python in (text.split("=", 1) for text in arguments.python)
             for threads in THREADS]
    results = [compare(case, peers, arguments) for case in arguments.case or CASES]
    for peer in peers:
        peer.close()
    print_table(results)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
