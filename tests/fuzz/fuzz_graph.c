/* Any bytes as a graph: the first one says whether the nodes are given. What
   is read is written and read again. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "zeroflow/graph.h"

static const char *const names[] = {"a", "b", "c", "gates"};

static void look_at(const zf_graph *graph)
{
    size_t n = zf_graph_count(graph);
    assert(n >= 2);
    for (size_t i = 0; i < n; i++) {
        assert(zf_graph_find(graph, zf_graph_name(graph, i)) == (long)i);
        for (size_t j = 0; j < n; j++) assert(isfinite(zf_graph_gate(graph, i, j)));
    }
}

/* CSV and JSON, with all gates: the same graph comes back. */
static void write_and_read(const zf_graph *graph, zf_graph_format format)
{
    zf_graph_options options = {.struct_size = sizeof options, .format = format, .matrix = true};
    zf_graph *again = NULL;
    char *text = NULL;
    size_t length, n = zf_graph_count(graph);
    if (zf_graph_encode(&text, &length, graph, &options) != ZF_OK) abort();
    if (zf_graph_read_memory(&again, "again", text, length, NULL, 0) != ZF_OK) abort();
    assert(zf_graph_count(again) == n);
    for (size_t i = 0; i < n; i++) {
        assert(strcmp(zf_graph_name(graph, i), zf_graph_name(again, i)) == 0);
        for (size_t j = 0; j < n; j++)
            assert(zf_graph_gate(graph, i, j) == zf_graph_gate(again, i, j));
    }
    free(text);
    zf_graph_free(again);
}

/* The others must not stumble; GraphML may refuse a control character. */
static void write_others(const zf_graph *graph)
{
    for (int format = ZF_GRAPH_CSV; format <= ZF_GRAPH_NPY; format++) {
        zf_graph_options options = {
            .struct_size = sizeof options, .format = (zf_graph_format)format, .threshold = 0.5};
        char *text = NULL;
        size_t length;
        if (zf_graph_encode(&text, &length, graph, &options) == ZF_OK)
            free(text);
        else
            assert(format == ZF_GRAPH_GRAPHML && !text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n == 0) return 0;
    zf_graph *graph = NULL;
    zf_accuracy accuracy;
    bool given = bytes[0] & 1;
    if (zf_graph_read_memory(&graph, "fuzz", bytes + 1, n - 1, given ? names : NULL, 4) != ZF_OK) {
        assert(!graph && strncmp(zf_error(), "fuzz:", 5) == 0);
        return 0;
    }
    look_at(graph);
    write_and_read(graph, ZF_GRAPH_CSV);
    write_and_read(graph, ZF_GRAPH_JSON);
    write_others(graph);
    if (zf_graph_compare(&accuracy, graph, graph) == ZF_OK) {
        assert(accuracy.auc >= 0 && accuracy.auc <= 1 && accuracy.fpr[accuracy.n_roc - 1] == 1);
        zf_accuracy_free(&accuracy);
    }
    zf_graph_free(graph);
    return 0;
}
