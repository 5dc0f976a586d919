#!/usr/bin/env python3
"""What features of images are worth: trains every method with and without a watermark,
probes and reconstructs, and prints mean and spread over seeds as Markdown tables.

    bench/images/quality.py --data cifar10=../shared/data/cifar10
    bench/images/quality.py --data tiny=../shared/data/tinyimagenet --size 32 --methods zeroflow simclr

Everything is kept under --work and done only once, so a run that was stopped goes on
where it stood, and several may share the work (--only-print prints what there is). On
two cores a training of 5,000 iterations at 32 pixels takes some minutes by zeroflow and
SimCLR, half an hour by MAE.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

MARKS = ("none", "patch")
PROBES = (("linear", "linear"), ("linear_standardised", "linear, standardised"), ("knn", "kNN"),
          ("ridge", "ridge"))


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zeroflow", default="build/release/zeroflow")
    parser.add_argument("--data", nargs="+", required=True, metavar="NAME=FOLDER",
                        help="sets with labels that have a part for tests")
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--methods", nargs="+", default=["zeroflow", "simclr", "mae"])
    parser.add_argument("--marks", nargs="+", default=MARKS, choices=MARKS,
                        help="watermarks, for a share of the work")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--iterations", type=int, default=5000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--threads", type=int, default=0, help="0: all processors")
    parser.add_argument("--no-reconstruct", action="store_true", help="leaves out the MSE")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/images"))
    parser.add_argument("--only-print", action="store_true")
    return parser.parse_args()


def call(wish, out, words):
    """Runs the command unless what it printed is there already."""
    if out.exists():
        return
    words = [wish.zeroflow, *words, "--json", "--quiet"]
    if wish.threads:
        words += ["--threads", str(wish.threads)]
    print("+", *words, file=sys.stderr)
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE)
    part = out.with_suffix(".part")
    part.write_bytes(done.stdout)
    part.rename(out)


def to_train(folder):
    archive = pathlib.Path(folder) / "train.tar"
    return str(archive) if archive.exists() else folder


def run(wish, stem, folder, method, mark, seed):
    model = str(stem) + ".model"
    call(wish, stem.with_suffix(".json"),
         ["pretrain", to_train(folder), "-o", model, "--method", method, "--watermark", mark,
          "--size", str(wish.size), "--seed", str(seed), "--iterations", str(wish.iterations),
          "--batch", str(wish.batch), "--history", str(stem) + ".csv", "--resume"])
    call(wish, stem.with_suffix(".probe.json"), ["probe", model, folder])
    if not wish.no_reconstruct:
        call(wish, stem.with_suffix(".recon.json"), ["reconstruct", model, folder])


def printed(file):
    return json.loads(file.read_text()) if file.exists() and file.stat().st_size else None


def read(stem):
    """The figures of a run by name, or None if it is not done; it may lack an MSE."""
    trained, probed, drawn = (printed(stem.with_suffix(end))
                              for end in (".json", ".probe.json", ".recon.json"))
    if not trained or not probed:
        return None
    figures = {"loss": trained["loss"]}
    if drawn:
        figures["mse"] = drawn["mse"]
    for field, _ in PROBES:
        for test in ("clean", "watermarked"):
            found = (probed["test"][test] or probed["test"]["clean"])[field]
            figures[test, field] = found["mean"] if isinstance(found, dict) else found
    return figures


def spread(values, digits):
    if not values:
        return "-"
    text = f"{statistics.mean(values):.{digits}f}"
    return text + f" ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else text


def print_table(wish, name, stem_of):
    print(f"\n{name}, {wish.size} x {wish.size}, {wish.iterations} iterations of {wish.batch}:\n")
    print("| method | images | seeds | loss |", " | ".join(p for _, p in PROBES),
          "| kNN, clean tests | MSE |")
    print("|---" * (6 + len(PROBES)) + "|")
    for method in wish.methods:
        for mark in wish.marks:
            runs = [read(stem_of(method, mark, seed)) for seed in wish.seeds]
            runs = [found for found in runs if found]
            if not runs:
                continue
            cells = [spread([r["loss"] for r in runs], 4)]
            cells += [spread([r["watermarked", field] for r in runs], 3) for field, _ in PROBES]
            cells += [spread([r["clean", "knn"] for r in runs], 3),
                      spread([r["mse"] for r in runs if "mse" in r], 4)]
            print(f"| {method} | {'clean' if mark == 'none' else mark} | {len(runs)} |",
                  " | ".join(cells), "|")


def main():
    wish = options()
    wish.work.mkdir(parents=True, exist_ok=True)
    for name, folder in (given.split("=", 1) for given in wish.data):
        def stem_of(method, mark, seed, name=name):
            size = f"{wish.size}-{wish.iterations}x{wish.batch}"
            return wish.work / f"{name}-{size}-{method}-{mark}-{seed}"
        for seed in wish.seeds if not wish.only_print else []:
            for method in wish.methods:
                for mark in wish.marks:
                    run(wish, stem_of(method, mark, seed), folder, method, mark, seed)
        print_table(wish, name, stem_of)


if __name__ == "__main__":
    main()
