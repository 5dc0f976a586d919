#!/usr/bin/env python3
"""Writes tests/golden/io/: small NPY files by NumPy, and safetensors files by
the format's definition, straight from struct and json. The tests read them and
compare what the library writes with them byte for byte.

    python3 tests/golden/make_io_golden.py

Every array holds the value 0, 1, 2, ... in C order (modulo what the type can
hold), so that the tests can say what to expect without a second file.
"""
import gzip
import json
import pathlib
import struct

import numpy as np

HERE = pathlib.Path(__file__).parent / "io"


def npy():
    shape = (3, 4)
    counts = np.arange(12).reshape(shape)
    kinds = ["<f4", "<f8", ">f4", ">f8", "<i1", "<i2", "<i4", "<i8", ">i2", ">i4", ">i8",
             "<u1", "<u2", "<u4", "<u8", ">u2", ">u4", ">u8", "<f2"]
    for kind in kinds:
        name = kind.replace("<", "le_").replace(">", "be_")
        np.save(HERE / f"{name}.npy", counts.astype(kind))
    np.save(HERE / "bool.npy", counts % 2 == 1)
    np.save(HERE / "fortran.npy", np.asfortranarray(counts.astype("<f4")))
    np.save(HERE / "cube_fortran.npy", np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)))
    np.save(HERE / "vector.npy", np.arange(5, dtype="<i4"))
    np.save(HERE / "scalar.npy", np.float64(7))
    np.save(HERE / "empty.npy", np.zeros((0, 3), "<f4"))
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open(HERE / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, counts.astype("<f4"), version=version)
    np.save(HERE / "object.npy", np.array([1, "a", None], object), allow_pickle=True)
    np.save(HERE / "string.npy", np.array(["a", "bc"]))
    np.save(HERE / "fortran_bytes.npy", np.asfortranarray(np.array([[b"a", b"b"]], "S1")))
    np.save(HERE / "record.npy", np.zeros(2, [("a", "<f4"), ("b", "<i4")]))
    np.save(HERE / "complex.npy", np.zeros(2, "<c8"))
    np.save(HERE / "date.npy", np.zeros(2, "<M8[D]"))
    with gzip.GzipFile(HERE / "le_f4.npy.gz", "wb", mtime=0) as file:
        np.save(file, counts.astype("<f4"))


def safetensors(name, tensors, metadata):
    """The reference layout: length, header padded with spaces, data."""
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = dict(sorted(metadata.items()))
    for key, value in tensors.items():
        raw = np.ascontiguousarray(value).astype("<f4").tobytes()
        header[key] = {"dtype": "F32", "shape": list(np.shape(value)),
                       "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-(8 + len(text)) % 64)
    (HERE / name).write_bytes(struct.pack("<Q", len(text)) + text + data)


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    npy()
    safetensors("model.safetensors",
                {"layer.weight": np.arange(12).reshape(3, 4), "layer.bias": [0.5, -1.5, 3.25e-8],
                 "step": 41.0, "none": np.zeros((0, 3))},
                {"format": "1", "name": "Größe \"q\"\n", "features": "[\"a\",\"b\"]"})
