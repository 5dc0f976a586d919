#!/usr/bin/python3
"""Reads what write_graphs wrote with NetworkX, Graphviz and Python's own
parsers, and compares nodes, edges and scores. All formats must tell the same.

    check_formats.py WRITE_GRAPHS

The first line names Debian's Python, which is the one that has NetworkX.
"""
import csv
import json
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import networkx

SVG = "{http://www.w3.org/2000/svg}"


def single(value):
    """The nearest float32, as a float."""
    return struct.unpack("f", struct.pack("f", float(value)))[0]


def same(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got!r}\nexpected: {expected!r}")


def edges_of(graph, attribute="score"):
    return {frozenset((a, b)): single(data[attribute]) for a, b, data in graph.edges(data=True)}


def read_npy(path):
    """Rows of a float32 matrix, without NumPy."""
    with open(path, "rb") as file:
        same("magic", file.read(8), b"\x93NUMPY\x01\x00")
        header = eval(file.read(struct.unpack("<H", file.read(2))[0]))
        same("type", (header["descr"], header["fortran_order"]), ("<f4", False))
        rows, columns = header["shape"]
        return [list(struct.unpack(f"<{columns}f", file.read(4 * columns))) for _ in range(rows)]


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def shown(name):
    """A label: the start of a long name."""
    return name if len(name) <= 1000 else name[:1000] + "..."


def check_identifiers(path, nodes, edges):
    """Graphviz has the names as they are, but those that DOT cannot write."""
    read = json.loads(subprocess.run(["neato", "-Tdot_json", path], check=True,
                                     capture_output=True).stdout)
    names = {node["_gvid"]: node["name"] for node in read["objects"]}
    same("identifiers", len(set(names.values())), len(nodes))
    odd = re.compile(r'^%|(?<!\\)(\\\\)*\\(["\n\r]|$)')
    written = [name for name in nodes if not odd.search(name)]
    same("lost", [name[:80] for name in written if name not in names.values()], [])
    same("written", len(written) > len(nodes) - 8, True)
    made = sorted(set(names.values()) - set(written))
    same("made", all(re.fullmatch("node_+[0-9]+", name) for name in made), True)
    drawn = {frozenset((names[edge["tail"]], names[edge["head"]])): single(edge["score"])
             for edge in read["edges"]}
    kept = {pair: score for pair, score in edges.items() if not any(odd.search(x) for x in pair)}
    same("edges", {pair: score for pair, score in drawn.items() if not pair & set(made)}, kept)
    same("all edges", len(drawn), len(edges))


def check_svg(engine, path, nodes, n_edges):
    """Draws with Graphviz and reads the labels back from the image."""
    drawn = subprocess.run([engine, "-Tsvg", path], check=True, capture_output=True)
    same("dot's complaints", drawn.stderr, b"")
    root = ElementTree.fromstring(drawn.stdout)
    labels, edges = [], 0
    for group in root.iter(SVG + "g"):
        if group.get("class") == "node":
            labels.append("\n".join(text.text or "" for text in group.iter(SVG + "text")))
        edges += group.get("class") == "edge"
    # SVG turns tabs and blanks at the ends of a line, and dot carriage returns,
    # into what a drawing needs; letters and signs must be there.
    squeeze = lambda names: sorted("".join(name.split()) for name in names)
    same("labels", squeeze(labels), squeeze(shown(name) for name in nodes))
    same("drawn edges", edges, n_edges)


def check_evidence(folder, edges):
    """p_value, q_value, decided and stability of every edge, the same in all formats."""
    fields = ("p_value", "q_value", "decided", "stability")
    graph = networkx.Graph()
    for edge in read_json(f"{folder}/decided.json")["edges"]:
        graph.add_edge(edge["source"], edge["target"], **edge)
    found = lambda graph: {frozenset((a, b)): tuple(float(data[field]) for field in fields)
                           for a, b, data in graph.edges(data=True)}
    evidence = found(graph)
    same("pairs with evidence", evidence.keys(), edges.keys())
    same("decided", sum(decided for _, _, decided, _ in evidence.values()), len(evidence) // 5 + 1)
    for reader, name in ((networkx.read_graphml, "decided.graphml"),
                         (networkx.read_gml, "decided.gml")):
        same(name, found(reader(f"{folder}/{name}")), evidence)
    header, *rows = read_csv(f"{folder}/decided.csv")
    same("header", header, ["source", "target", "score", *fields])
    same("rows", {frozenset(row[:2]): (float(row[3]), float(row[4]), float(row[5] == "true"),
                                          float(row[6]))
                  for row in rows}, evidence)


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        plain = read_json(f"{folder}/all.json")
        nodes = plain["nodes"]
        n = len(nodes)
        same("nodes", (n, len(set(nodes))), (32, 32))
        same("pairs", len(plain["edges"]), n * (n - 1) // 2)
        scores = [edge["score"] for edge in plain["edges"]]
        same("order", scores, sorted(scores, reverse=True))
        graph = networkx.Graph()
        graph.add_nodes_from(nodes)
        for edge in plain["edges"]:
            graph.add_edge(edge["source"], edge["target"], score=edge["score"])
        edges = edges_of(graph)

        matrix, gates = read_npy(f"{folder}/all.npy"), read_npy(f"{folder}/gates.npy")
        for i in range(n):
            for j in range(n):
                same("max", matrix[i][j], max(gates[i][j], gates[j][i]))
                if i != j:
                    same("score", edges[frozenset((nodes[i], nodes[j]))], matrix[i][j])

        for reader, name in ((networkx.read_graphml, "all.graphml"), (networkx.read_gml, "all.gml")):
            read = reader(f"{folder}/{name}")
            same(name + " nodes", list(read.nodes), nodes)
            same(name + " is directed", read.is_directed(), False)
            same(name + " edges", edges_of(read), edges)
            same(name + " weights", edges_of(read, "weight"), edges)
        check_evidence(folder, edges)
        read = networkx.read_graphml(f"{folder}/all.graphml")
        same("labels", [read.nodes[node]["label"] for node in nodes], nodes)

        rows = read_csv(f"{folder}/all.csv")
        same("header", rows[0], ["source", "target", "score"])
        same("csv", {frozenset(row[:2]): single(row[2]) for row in rows[1:]}, edges)
        rows = read_csv(f"{folder}/gates.csv")
        same("gate columns", rows[0], ["gates"] + nodes)
        same("gate rows", [row[0] for row in rows[1:]], nodes)
        same("gates", [[single(cell) for cell in row[1:]] for row in rows[1:]], gates)

        strong = {pair: score for pair, score in edges.items() if score >= 10}
        same("threshold", 0 < len(strong) < len(edges), True)
        same("strong", edges_of(networkx.read_graphml(f"{folder}/some.graphml")), strong)
        directed = read_json(f"{folder}/gates.json")
        same("strong in json", len(directed["edges"]), len(strong))
        same("gates in json", [[single(gate) for gate in row] for row in directed["gates"]], gates)
        check_identifiers(f"{folder}/all.dot", nodes, edges)
        check_svg("neato", f"{folder}/all.dot", nodes, len(edges))
        check_svg("dot", f"{folder}/some.dot", nodes, len(strong))
    print(f"{n} nodes and {len(edges)} edges are the same in every format")


if __name__ == "__main__":
    main()
