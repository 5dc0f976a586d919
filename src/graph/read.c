/* Reading graphs: what the file is, and what all its readers do with names
   and edges. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/text.h"
#include "graph/graph.h"
#include "io/recognise.h"
#include "zeroflow/nearest.h"

/* "FILE:PLACE", or the file alone. */
static zf_status fail_at(const zf_graph_reader *reader, const char *place)
{
    return zf_fail_within(ZF_EINPUT, "%s%s%s: ", reader->path, place[0] ? ":" : "", place);
}

static zf_status unknown_name(const zf_graph_reader *reader, const char *name, const char *place)
{
    char shown[ZF_SHOWN_BYTES], near[ZF_SHOWN_BYTES];
    const char *best = zf_nearest(name, reader->names.list, reader->names.n);
    zf_text_show(shown, sizeof shown, name, strlen(name));
    if (best)
        zf_fail(ZF_EINPUT, "\"%s\" is not among the %zu nodes; did you mean \"%s\"?", shown,
                reader->names.n, zf_text_show(near, sizeof near, best, strlen(best)));
    else
        zf_fail(ZF_EINPUT, "\"%s\" is not among the %zu nodes, expected one of them", shown,
                reader->names.n);
    return fail_at(reader, place);
}

zf_status zf_graph_reader_node(zf_graph_reader *reader, uint32_t *node, const char *name,
                               const char *place)
{
    long found = zf_node_names_find(&reader->names, name);
    if (found < 0 && !name[0]) {
        zf_fail(ZF_EINPUT, "a node without a name, expected two names");
        return fail_at(reader, place);
    }
    if (found < 0 && reader->fixed) return unknown_name(reader, name, place);
    if (found < 0) {
        if (reader->names.n == ZF_GRAPH_LISTED_MAX) {
            zf_fail(ZF_EINPUT, "more than %d nodes", ZF_GRAPH_LISTED_MAX);
            return fail_at(reader, place);
        }
        ZF_TRY(zf_node_names_add(&reader->names, name));
        found = (long)reader->names.n - 1;
    }
    *node = (uint32_t)found;
    return ZF_OK;
}

zf_status zf_graph_reader_edge(zf_graph_reader *reader, uint32_t a, uint32_t b, double score,
                               const char *place)
{
    char shown[ZF_SHOWN_BYTES];
    if (a == b) {
        const char *name = reader->names.list[a];
        zf_fail(ZF_EINPUT, "an edge from \"%s\" to itself, expected two nodes",
                zf_text_show(shown, sizeof shown, name, strlen(name)));
        return fail_at(reader, place);
    }
    if (!isfinite((float)score)) {
        zf_fail(ZF_EINPUT, "the score %g is too large for float32", score);
        return fail_at(reader, place);
    }
    if (reader->n_edges == reader->room) {
        size_t room = reader->room ? 2 * reader->room : 256;
        zf_edge *edges = realloc(reader->edges, room * sizeof *edges);
        if (!edges) return zf_fail_memory(room * sizeof *edges);
        reader->edges = edges;
        reader->room = room;
    }
    /* A place in CSV is a line; others start with a word, which reads as 0. */
    uint32_t line = (uint32_t)strtoul(place, NULL, 10);
    reader->edges[reader->n_edges++] =
        (zf_edge){a < b ? a : b, a < b ? b : a, (float)score + 0.0f, line};
    return ZF_OK;
}

/* Of an edge that is there more than once the largest stays, and it has to be sorted
   out before pairs that are not there are seen as 0: a negative score must not lose
   to that. */
static void sort_edges(zf_graph_reader *reader)
{
    size_t kept = 0;
    zf_edge *edges = reader->edges;
    if (reader->n_edges > 0) qsort(edges, reader->n_edges, sizeof *edges, zf_compare_pairs);
    for (size_t i = 0; i < reader->n_edges; i++)
        if (kept == 0 || edges[i].a != edges[kept - 1].a || edges[i].b != edges[kept - 1].b)
            edges[kept++] = edges[i];
    reader->n_edges = kept;
}

static zf_status build(zf_graph **out, zf_graph_reader *reader)
{
    size_t n = reader->names.n;
    if (n < 2)
        return zf_fail(ZF_EINPUT,
                       "%s: no edges, expected at least one, or a separate list of nodes",
                       reader->path);
    if (!reader->edges) reader->edges = calloc(1, sizeof *reader->edges);
    if (!reader->edges) return zf_fail_memory(sizeof *reader->edges);
    sort_edges(reader);
    float *gates = reader->gates;
    zf_edge *edges = reader->edges;
    reader->gates = NULL;
    if (gates) return zf_graph_take(out, &reader->names, gates, NULL, 0);
    reader->edges = NULL;
    return zf_graph_take(out, &reader->names, NULL, edges, reader->n_edges);
}

/* What the file is, by its first bytes. */
static zf_status read_kind(zf_graph_reader *reader, zf_io_input *input)
{
    static const char expected[] = "edges as CSV or JSON (zeroflow graph and baseline make them)";
    unsigned char first[ZF_INPUT_PEEK + 1] = {0};
    size_t n, at = 0;
    ZF_TRY(zf_io_input_peek(input, first, &n));
    ZF_TRY(zf_recognise_text(reader->path, first, n, expected));
    while (at < n && isspace(first[at])) at++;
    if (first[at] == '{') return zf_graph_read_json(reader, input);
    zf_content content = zf_recognise(first, n);
    if (content.class == ZF_CONTENT_MARKUP)
        return zf_fail(ZF_EINPUT, "%s: this is %s, expected %s", reader->path, content.what,
                       expected);
    return zf_graph_read_csv(reader, input);
}

/* Fills an empty reader; takes over the input, also on failure. */
static zf_status read_input(zf_graph_reader *reader, zf_io_input *input, const char *const *names,
                            size_t n_names)
{
    reader->fixed = names != NULL;
    zf_status status = names ? zf_graph_take_names(&reader->names, names, n_names) : ZF_OK;
    if (status == ZF_OK) status = read_kind(reader, input);
    zf_io_input_close(input);
    return status;
}

static void reader_free(zf_graph_reader *reader)
{
    zf_node_names_free(&reader->names);
    free(reader->edges);
    free(reader->gates);
}

/* Takes over the input, also on failure. */
static zf_status read_graph(zf_graph **out, const char *path, zf_io_input *input,
                            const char *const *names, size_t n_names)
{
    zf_graph_reader reader = {.path = path};
    zf_status status = read_input(&reader, input, names, n_names);
    if (status == ZF_OK) status = build(out, &reader);
    reader_free(&reader);
    return status;
}

zf_status zf_graph_read(zf_graph **out, const char *path, const char *const *names, size_t n_names)
{
    zf_io_input *input;
    ZF_TRY(zf_io_input_open(&input, path));
    return read_graph(out, path, input, names, n_names);
}

zf_status zf_graph_read_memory(zf_graph **out, const char *name, const void *bytes, size_t n,
                               const char *const *names, size_t n_names)
{
    zf_io_input *input;
    ZF_TRY(zf_io_input_open_memory(&input, name, bytes, n));
    return read_graph(out, name, input, names, n_names);
}

zf_status zf_graph_read_list(zf_edge **edges, size_t *n, const char *path, const char *const *names,
                             size_t n_names)
{
    zf_graph_reader reader = {.path = path};
    zf_io_input *input;
    ZF_TRY(zf_io_input_open(&input, path));
    zf_status status = read_input(&reader, input, names, n_names);
    if (status == ZF_OK) {
        size_t kept = 0;
        for (size_t i = 0; i < reader.n_edges; i++)
            if (reader.edges[i].score > 0) reader.edges[kept++] = reader.edges[i];
        *edges = reader.edges;
        *n = kept;
        reader.edges = NULL;
    }
    reader_free(&reader);
    return status;
}
