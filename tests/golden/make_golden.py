#!/usr/bin/env python3
"""Writes golden values, made with other software, into tests/golden/.

    python3 tests/golden/make_golden.py [FAMILY ...]

A family is a file golden_FAMILY.py here with a function make(): layers are made
with PyTorch, the baselines with scikit-learn and causal-learn, as each file says.
They are needed to make the files, not to run the tests; a family whose software
is not there is left as it is.
"""
import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))


def main():
    found = sorted(path.stem.removeprefix("golden_") for path in HERE.glob("golden_*.py"))
    families = [family for family in found if family != "common"]
    for family in sys.argv[1:] or families:
        try:
            importlib.import_module(f"golden_{family}").make()
            print(f"made {family}")
        except ModuleNotFoundError as error:
            print(f"left {family} as it is: {error}")


if __name__ == "__main__":
    main()
