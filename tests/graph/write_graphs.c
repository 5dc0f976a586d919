/* Writes one graph, whose names are as bad as names can be, in every format
   into a folder, for the programs that are to read it. */
#include <stdio.h>

#include "zeroflow/graph.h"

/* Longer than Graphviz reads at once and draws. */
static char long_name[70001];
static const char *const names[] = {
    "plain",
    "two words",
    "comma,semicolon;tab\tbar|",
    "\"quoted\" and 'so'",
    "line\nbreak",
    "carriage\r\nreturn",
    "back\\slash\\",
    "\\N",
    "<tag attr=\"1\">&amp;</tag>",
    "&lt;",
    " blanks around ",
    "Größe µ",
    "日本語",
    "\xf0\x9f\xa7\xac gene",
    "42",
    "-1e5",
    "graph",
    "source",
    "{json: [1]}",
    "#comment",
    "%d%s",
    "%1",
    "a\\b",
    "two\\\\",
    "odd\\\"quote",
    "even\\\\\"quote",
    "broken\\\nline",
    "node_1",
    "node__22",
    "\\l\\G",
    "100 % of",
    long_name,
};
enum { N = sizeof names / sizeof *names };

static int fail(void)
{
    fprintf(stderr, "%s\n", zf_error());
    return 1;
}

static int write_one(const zf_graph *graph, const char *folder, const char *file, double threshold,
                     bool matrix)
{
    char path[4096];
    zf_graph_options options = zf_graph_defaults();
    options.format = (zf_graph_format)zf_graph_format_find(file);
    options.threshold = threshold;
    options.matrix = matrix;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return zf_graph_write(graph, path, &options) == ZF_OK ? 0 : fail();
}

int main(int argc, char **argv)
{
    static const char *const files[] = {"all.csv", "all.graphml", "all.gml",
                                        "all.dot", "all.json",    "all.npy"};
    zf_graph *graph;
    for (size_t i = 0; i < sizeof long_name - 1; i++) long_name[i] = "\\W\"x&"[i % 5];
    if (argc != 2 || zf_graph_new(&graph, names, N, NULL) != ZF_OK) return fail();
    /* Gates from tiny to large, some 0; the two directions differ. */
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            if (i != j && (i + j) % 3 &&
                zf_graph_set_gate(graph, i, j, (float)(i * N + j) / 7 * (j % 5 ? 1 : 1e-12f)) !=
                    ZF_OK)
                return fail();
    int faults = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        faults += write_one(graph, argv[1], files[i], 0, false);
    faults += write_one(graph, argv[1], "some.graphml", 10, false);
    faults += write_one(graph, argv[1], "some.dot", 10, false);
    faults += write_one(graph, argv[1], "gates.csv", 0, true);
    faults += write_one(graph, argv[1], "gates.json", 10, true);
    faults += write_one(graph, argv[1], "gates.npy", 0, true);
    /* Once more with evidence. */
    static zf_edge_evidence pairs[N * (N - 1) / 2];
    static const char *const decided[] = {"decided.csv", "decided.graphml", "decided.gml",
                                          "decided.json"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        pairs[i] = (zf_edge_evidence){i % 3 ? 1.0 / (double)(i + 1) : 0, i % 2, i % 5 == 0,
                                      (double)(i % 51) / 50};
    if (zf_graph_set_evidence(graph, pairs) != ZF_OK) return fail();
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++)
        if (write_one(graph, argv[1], decided[i], 0, false) != 0) return 1;
    zf_graph_free(graph);
    return faults > 0;
}
