#!/usr/bin/env python3
"""Writes the golden values of all layers, made with PyTorch, into tests/golden/.

    python3 tests/golden/make_golden.py [FAMILY ...]

A family is a file golden_FAMILY.py here with a function make(). PyTorch is
needed to make the files, not to run the tests.
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
        importlib.import_module(f"golden_{family}").make()
        print(f"made {family}")


if __name__ == "__main__":
    main()
