#!/usr/bin/env python3
"""Writes the seeds of tests/fuzz/corpus/: one small file for each thing that the
readers know. Files that once broke a reader are there too, named crash-*; this
script leaves them alone.

    python3 tests/fuzz/make_corpus.py [ZEROFLOW]

Models are made by the command ZEROFLOW; without it their seeds stay as they are.
"""
import gzip
import io
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "io"
IMAGES = HERE.parent / "golden" / "images"

CSV = {
    "comma": b"a,b\n1,2\n3,4\n",
    "semicolon": b"a;b\n1,5;2\n3;4\n",
    "tab": b"a\tb\r\n1\t2\r\n",
    "bar": b"a|b\n1|2\n",
    "space": b"a b\n1  2\n 3 4 \n",
    "quotes": b'"a""b","c\nd"\n"1", "x,y"\n',
    "types": b"n,d,t,w,e\n1.5,2020-01-01,x,true,\n-2e3,2020-01-02 10:30,y,false,NA\n3,30.06.2020,x,true,?\n",
    "mark": b"\xef\xbb\xbfa,b\n1,2\n",
    "latin": b"gr\xf6\xdfe,b\n1,2\n",
    "bare": b"1,2\n3,4\n5,6\n7,9\n",
    "ragged": b"a,b\n1\n",
    "open": b'a,"b\n1,2\n',
    "nul": b"a,b\n1,\0\n",
    "huge": b"a,b\n1e400,inf\n1e39,nan\n",
    "digits": b"a\n123456789012345678901234567890e-10\n0.1\n4.9e-324\n",
    "collinear": b"a,b,c,d\n1,2,3,3\n2,1,3,3\n5,1,6,6\n4,4,8,8\n3,7,10,10\n9,1,10,10\n",
    "twice": b"a,a\n1,2\n",
    "returns": b"a,b\r1,2\r3,4\r",
    "header": b"a,b\n",
    "utf16": b"\xff\xfea\0",
}

GRAPH = {
    "edges": b"source,target\na,b\nb,c\n",
    "scored": b"source,target,score\na,b,0.5\nc,a,-1e-3\na,b,2\n",
    "aliases": b"\xef\xbb\xbfweight;To;x;From\r\n1;a;?;b\r\n",
    "quoted": b'source,target\n"a,""b""","c\nd"\n',
    "square": b"gates,a,b,gates\na,0,1,2\ngates,0,0,1\nb,3,4,5e-9\n",
    "json": b'{"nodes": ["a", "b", "c"], "edges": [{"source": "a", "target": "b", "score": 0.5}]}',
    "gates": b'{"nodes": ["b", "a"], "edges": [], "gates": [[0, 1.5], [2, 0]]}',
    "control": b'{"nodes": ["a\\u0001", "b"], "edges": [{"source": "b", "target": "a\\u0001"}]}',
    "short": b"source,target\na\n",
    "itself": b"source,target\na,a\n",
    "latin": b"source\ttarget\ngr\xf6\xdfe\tb\n",
}


def write(kind, name, data):
    folder = HERE / "corpus" / kind
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def tar(entries, form):
    """An archive of (name, bytes) pairs."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in entries:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def images():
    """Single images, and every kind of source of them."""
    files = {path.name: path.read_bytes() for path in sorted(IMAGES.iterdir())}
    for name, data in files.items():
        write("image", name, data)
    write("image", "gif", b"GIF89a\1\0\1\0")
    small = [("a/1.png", files["bits.png"]), ("b/2.jpg", files["grey.jpg"]), ("b/x.txt", b"x")]
    for name, form in [("ustar", tarfile.USTAR_FORMAT), ("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)]:
        entries = small + [("n" * 99 + "/" + "\u00e9" * 60 + ".png", files["bits.png"])] * (name != "ustar")
        write("images", "tar-" + name, b"\1" + tar(entries, form))
    write("images", "tar-gzip", b"\0" + gzip.compress(tar(small, tarfile.USTAR_FORMAT), mtime=0))
    write("images", "tar-cut", b"\1" + tar(small, tarfile.USTAR_FORMAT)[:700])
    idx = struct.pack(">HBBIII", 0, 8, 3, 2, 3, 4) + bytes(range(24))
    write("images", "idx", b"\0" + idx)
    write("images", "idx-gzip", b"\0" + gzip.compress(idx, mtime=0))
    write("images", "idx-colour", b"\0" + struct.pack(">HBBIIII", 0, 8, 4, 1, 2, 2, 3) + bytes(12))
    write("images", "cifar", b"\2" + bytes([3]) + bytes(range(64)))
    write("images", "stl", b"\3" + bytes(range(64)))


def models(zeroflow):
    """The headers of small models of every kind, and how many bytes of numbers follow."""
    small_mae = "--patch 8 --blocks 1 --heads 1 --decoder-dim 1 --decoder-blocks 1 --decoder-heads 1"
    recipes = {
        "mlp": "fit t.csv --hidden 1 --gate mlp",
        "lstm": "fit t.csv --hidden 1 --gate lstm",
        "cnn": "fit t.csv --hidden 1 --gate cnn",
        "reduction": "reduce t.csv --hidden 1 --target x1 --dim 1",
        "vision-zeroflow": "pretrain p.idx --size 16 --batch 2 --dim 1 --hidden 1",
        "vision-simclr": "pretrain p.idx --size 16 --batch 2 --dim 1 --hidden 1 --method simclr",
        "vision-mae": "pretrain p.idx --size 16 --batch 2 --dim 1 --method mae " + small_mae,
    }
    with tempfile.TemporaryDirectory() as folder:
        def run(words):
            subprocess.run([zeroflow, *words.split(), "--quiet"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
        run("generate chain --dim 4 --order 1 --rows 64 -o t.csv")
        (pathlib.Path(folder) / "p.idx").write_bytes(
            struct.pack(">HBBIII", 0, 8, 3, 2, 16, 16) + bytes(range(256)) * 2)
        for name, recipe in recipes.items():
            run(recipe + " --iterations 1 -o " + name)
            data = (pathlib.Path(folder) / name).read_bytes()
            length = struct.unpack("<Q", data[:8])[0]
            zeros = len(data) - 8 - length
            write("model", name, zeros.to_bytes(3, "little") + data[8:8 + length])


if __name__ == "__main__":
    images()
    if len(sys.argv) > 1:
        models(str(pathlib.Path(sys.argv[1]).resolve()))
    for name, data in CSV.items():
        write("csv", name, b"\0" + data)
    for name, data in GRAPH.items():
        write("graph", name, b"\0" + data)
        write("graph", name + "-given", b"\1" + data)
    write("graph", "gzip", b"\0" + gzip.compress(GRAPH["scored"], mtime=0))
    write("csv", "gzip", b"\0" + gzip.compress(CSV["types"], mtime=0))
    write("csv", "space-forced", b"\4" + CSV["comma"])
    write("csv", "no-missing", b"\x80" + CSV["types"])
    for path in sorted(GOLDEN.glob("*.npy*")):
        if path.name[:2] != "be":
            (HERE / "corpus" / "npy").mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, HERE / "corpus" / "npy" / path.name)
    shutil.copyfile(GOLDEN / "model.safetensors", HERE / "corpus" / "safetensors" / "model")
    for name, header, data in [
            ("empty", b"{}", b""),
            ("two", b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},'
                    b'"b":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]}}', bytes(12)),
            ("overlap", b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},'
                        b'"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', bytes(4)),
            ("metadata", b'{"__metadata__":{"format":"1"},'
                         b'"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}', bytes(4)),
            ("dtype", b'{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}', bytes(8))]:
        write("safetensors", name, struct.pack("<Q", len(header)) + header + data)
        write("safetensors", name + "-parts", header + b"\0" + data)
    for code, size in [(8, 1), (9, 1), (0xb, 2), (0xc, 4), (0xd, 4), (0xe, 8)]:
        write("idx", f"type{code}", struct.pack(">HBBI", 0, code, 1, 3) + bytes(3 * size))
    write("idx", "images", struct.pack(">HBBIII", 0, 8, 3, 2, 3, 4) + bytes(range(24)))
    write("idx", "cut", struct.pack(">HBBIII", 0, 8, 3, 200, 3, 4) + bytes(24))
    write("idx", "gzip", gzip.compress(struct.pack(">HBBI", 0, 8, 1, 9) + bytes(9), mtime=0))
