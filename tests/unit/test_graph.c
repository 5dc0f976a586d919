/* Graphs: what is kept, what is refused, what files hold and what is read
   from them. The formats as other programs see them: tests/graph/. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"
#include "scratch.h"
#include "zeroflow/graph.h"

static const char *const abc[] = {"a", "b", "c"};

static zf_graph *graph(const char *const *names, size_t n, const float *gates)
{
    zf_graph *made = NULL;
    assert_ok(zf_graph_new(&made, names, n, gates));
    return made;
}

static void test_keeps(void **state)
{
    (void)state;
    static const float gates[] = {0.5f, 0.1f, 0.2f, 0.3f, 0, 0.4f, 0.6f, -1, 0};
    zf_graph *made = graph(abc, 3, gates);
    assert_int_equal(zf_graph_count(made), 3);
    assert_string_equal(zf_graph_name(made, 2), "c");
    assert_string_equal(zf_graph_names(made)[1], "b");
    assert_int_equal(zf_graph_find(made, "b"), 1);
    assert_int_equal(zf_graph_find(made, "B"), -1);
    assert_true(zf_graph_gate(made, 0, 0) == 0.5f);
    assert_true(zf_graph_gate(made, 2, 0) == 0.6f);
    assert_true(zf_graph_score(made, 0, 2) == 0.6f && zf_graph_score(made, 2, 0) == 0.6f);
    assert_true(zf_graph_score(made, 1, 2) == 0.4f);
    assert_true(zf_graph_is_directed(made));
    assert_ok(zf_graph_set_gate(made, 0, 1, 7));
    assert_true(zf_graph_score(made, 1, 0) == 7);
    zf_graph_free(made);
    made = graph(abc, 3, NULL);
    assert_false(zf_graph_is_directed(made));
    assert_true(zf_graph_score(made, 0, 1) == 0);
    zf_graph_free(made);
    zf_graph_free(NULL);
}

/* Scores of their own take the place of the larger gates, which stay. */
static void test_scores_of_their_own(void **state)
{
    (void)state;
    static const float gates[] = {0, 0.1f, 0.2f, 0.3f, 0, 0.4f, 0.6f, 0.5f, 0};
    static const float scores[] = {2, 0, 0.25f}, broken[] = {1, NAN, 1};
    zf_graph *made = graph(abc, 3, gates);
    assert_ok(zf_graph_set_scores(made, scores));
    assert_fails(zf_graph_set_scores(made, broken), ZF_EINVAL, "finite number");
    assert_true(zf_graph_score(made, 0, 1) == 2 && zf_graph_score(made, 1, 0) == 2);
    assert_true(zf_graph_score(made, 2, 0) == 0 && zf_graph_score(made, 1, 2) == 0.25f);
    assert_true(zf_graph_gate(made, 2, 0) == 0.6f);
    zf_edge *edges;
    size_t n;
    assert_ok(zf_graph_edges(&edges, &n, made, 0.1));
    assert_int_equal(n, 2);
    assert_true(edges[0].a == 0 && edges[0].b == 1 && edges[0].score == 2);
    free(edges);
    assert_ok(zf_graph_set_scores(made, NULL));
    assert_true(zf_graph_score(made, 2, 0) == 0.6f);
    zf_graph_free(made);
}

static void test_finds_among_many(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static char text[MANY][12];
    static const char *names[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "node %d", i * 7);
        names[i] = text[i];
    }
    zf_graph *made = graph(names, MANY, NULL);
    for (int i = 0; i < MANY; i++) assert_int_equal(zf_graph_find(made, text[i]), i);
    assert_int_equal(zf_graph_find(made, "node 1"), -1);
    zf_graph_free(made);
}

static void test_refuses_to_be_made(void **state)
{
    (void)state;
    zf_graph *made = NULL;
    static const char *const twice[] = {"a", "b", "a"}, *const empty[] = {"a", ""};
    static const char *const bytes[] = {"a", "\xff"}, *const none[] = {"a", NULL};
    float gates[9] = {0};
    assert_fails(zf_graph_new(&made, abc, 1, NULL), ZF_EINVAL, "1 nodes, expected 2 to 30000");
    assert_fails(zf_graph_new(&made, abc, 40000, NULL), ZF_EINVAL, "40000 nodes");
    assert_fails(zf_graph_new(&made, twice, 3, NULL), ZF_EINVAL,
                 "node 3: the name \"a\" appears twice");
    assert_fails(zf_graph_new(&made, empty, 2, NULL), ZF_EINVAL, "node 2: the name \"\" is empty");
    assert_fails(zf_graph_new(&made, none, 2, NULL), ZF_EINVAL, "is empty");
    assert_fails(zf_graph_new(&made, bytes, 2, NULL), ZF_EINVAL, "is not UTF-8");
    gates[5] = NAN;
    assert_fails(zf_graph_new(&made, abc, 3, gates), ZF_EINVAL, "gate (1, 2) is nan");
    assert_null(made);
}

static char *encode(const zf_graph *from, zf_graph_options options)
{
    char *text = NULL;
    size_t n = 0;
    assert_ok(zf_graph_encode(&text, &n, from, &options));
    assert_true(options.format == ZF_GRAPH_NPY || strlen(text) == n);
    return text;
}

#define assert_encodes(graph, expected, ...)                                                       \
    do {                                                                                           \
        char *text_ = encode(                                                                      \
            graph, (zf_graph_options){.struct_size = sizeof(zf_graph_options), __VA_ARGS__});      \
        assert_string_equal(text_, expected);                                                      \
        free(text_);                                                                               \
    } while (0)

static void test_bytes_of_files(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b,\"", "c\n"};
    static const float gates[] = {0, 0.25f, 0, 0.5f, 0, 1, 0, 1e-9f, 0};
    zf_graph *made = graph(names, 3, gates);
    assert_encodes(made,
                   "source,target,score\n\"b,\"\"\",\"c\n\",1\na,\"b,\"\"\",0.5\na,\"c\n\",0\n",
                   .format = ZF_GRAPH_CSV);
    assert_encodes(made, "source,target\n\"b,\"\"\",\"c\n\"\n", .format = ZF_GRAPH_CSV,
                   .threshold = 0.6, .unscored = true);
    assert_encodes(
        made, "gates,a,\"b,\"\"\",\"c\n\"\na,0,0.25,0\n\"b,\"\"\",0.5,0,1\n\"c\n\",0,1e-09,0\n",
        .format = ZF_GRAPH_CSV, .matrix = true, .threshold = 5);
    assert_encodes(made,
                   "{\n  \"nodes\": [\"a\", \"b,\\\"\", \"c\\u000a\"],\n  \"edges\": [\n"
                   "    {\"source\": \"b,\\\"\", \"target\": \"c\\u000a\", \"score\": 1.0},\n"
                   "    {\"source\": \"a\", \"target\": \"b,\\\"\", \"score\": 0.5}\n  ]\n}\n",
                   .format = ZF_GRAPH_JSON, .threshold = 0.5);
    assert_ok(zf_graph_set_gate(made, 1, 2, 0));
    assert_encodes(made,
                   "{\n  \"nodes\": [\"a\", \"b,\\\"\", \"c\\u000a\"],\n  \"edges\": [],\n"
                   "  \"gates\": [\n    [0.0, 0.25, 0.0],\n    [0.5, 0.0, 0.0],\n"
                   "    [0.0, 1.0e-09, 0.0]\n  ]\n}\n",
                   .format = ZF_GRAPH_JSON, .threshold = 2, .matrix = true);
    assert_encodes(made,
                   "graph {\n  \"a\";\n  \"b,\\\"\";\n  \"c\n\" [label=\"c\\n\"];\n"
                   "  \"a\" -- \"b,\\\"\" [score=\"0.5\", penwidth=4.0];\n}\n",
                   .format = ZF_GRAPH_DOT, .threshold = 0.1);
    zf_graph_free(made);
}

static void test_refuses_to_write(void **state)
{
    (void)state;
    static const char *const control[] = {"a", "b\x01"};
    zf_graph *made = graph(control, 2, NULL), *plain = graph(abc, 3, NULL);
    zf_graph_options options = zf_graph_defaults();
    assert_true(options.format == ZF_GRAPH_CSV && options.threshold == 0 && !options.matrix);
    options.format = ZF_GRAPH_GRAPHML;
    const char *path = scratch_text("kept", "before");
    assert_fails(zf_graph_write(made, path, &options), ZF_EINVAL, "the name \"b?\" has a control");
    options.matrix = true;
    assert_fails(zf_graph_write(plain, path, &options), ZF_EINVAL,
                 "GraphML holds edges, not a matrix");
    options =
        (zf_graph_options){.struct_size = sizeof(zf_graph_options), .format = (zf_graph_format)9};
    assert_fails(zf_graph_write(plain, path, &options), ZF_EINVAL, "graph format 9");
    options = (zf_graph_options){.struct_size = sizeof(zf_graph_options), .threshold = NAN};
    assert_fails(zf_graph_write(plain, path, &options), ZF_EINVAL, "threshold");
    options = zf_graph_defaults();
    assert_fails(zf_graph_write(plain, scratch_path("no/where"), &options), ZF_EIO, "no/where");
    assert_fails(zf_graph_write(plain, "/dev/full", &options), ZF_EOUTPUT,
                 "/dev/full: cannot write");
    size_t n;
    char *kept = scratch_read(path, &n);
    assert_string_equal(kept, "before");
    free(kept);
    assert_int_equal(scratch_count(), 1);
    scratch_clear();
    zf_graph_free(made);
    zf_graph_free(plain);
}

/* Gates are checked when a graph is made; should one get past that, no format has it. */
static void test_writes_finite_numbers_alone(void **state)
{
    (void)state;
    zf_graph *made = graph(abc, 3, NULL);
    const char *path = scratch_text("kept", "before");
    for (int format = ZF_GRAPH_CSV; format <= ZF_GRAPH_NPY; format++)
        for (int strange = 0; strange < 3; strange++) {
            zf_graph_options options = {.struct_size = sizeof options,
                                        .format = (zf_graph_format)format,
                                        .unscored = strange == 2};
            char *text = NULL;
            size_t n = 0;
            made->gates[5] = strange == 0 ? NAN : strange == 1 ? INFINITY : -INFINITY;
            assert_fails(zf_graph_write(made, path, &options), ZF_ENUMERIC,
                         "kept: target 2, node \"c\" is ");
            assert_fails(zf_graph_encode(&text, &n, made, &options), ZF_ENUMERIC,
                         "expected a finite number");
            assert_null(text);
        }
    zf_graph *list = NULL; /* what was read from a list is kept as one */
    zf_graph_options options = zf_graph_defaults();
    assert_ok(zf_graph_read(
        &list, scratch_text("list.csv", "source,target,score\na,b,0.5\nb,c,0.25\n"), abc, 3));
    assert_null(list->gates);
    assert_ok(zf_graph_write(list, scratch_path("list.json"), &options));
    list->edges[1].score = NAN;
    assert_fails(zf_graph_write(list, path, &options), ZF_ENUMERIC,
                 "kept: target 2, node \"c\" is not a number");
    zf_graph_free(list);
    size_t n;
    char *kept = scratch_read(path, &n);
    assert_string_equal(kept, "before");
    free(kept);
    scratch_clear();
    zf_graph_free(made);
}

static void test_finds_formats(void **state)
{
    (void)state;
    assert_int_equal(zf_graph_format_find("csv"), ZF_GRAPH_CSV);
    assert_int_equal(zf_graph_format_find("GraphML"), ZF_GRAPH_GRAPHML);
    assert_int_equal(zf_graph_format_find("a/b.c.gml"), ZF_GRAPH_GML);
    assert_int_equal(zf_graph_format_find("x.NPY"), ZF_GRAPH_NPY);
    assert_int_equal(zf_graph_format_find("xgml"), -1);
    assert_int_equal(zf_graph_format_find(""), -1);
    assert_int_equal(zf_graph_format_find("x.csv.gz"), -1);
}

static void assert_same(const zf_graph *a, const zf_graph *b, bool directed)
{
    size_t n = zf_graph_count(a);
    assert_int_equal(zf_graph_count(b), n);
    for (size_t i = 0; i < n; i++) {
        long k = zf_graph_find(b, zf_graph_name(a, i));
        assert_true(k >= 0);
        for (size_t j = 0; j < n; j++) {
            size_t l = (size_t)zf_graph_find(b, zf_graph_name(a, j));
            if (directed)
                assert_true(zf_graph_gate(a, i, j) == zf_graph_gate(b, (size_t)k, l));
            else if (i != j)
                assert_true(zf_graph_score(a, i, j) == zf_graph_score(b, (size_t)k, l));
        }
    }
}

/* What is written is read back, whatever the names. */
static void test_round_trips(void **state)
{
    (void)state;
    static const char *const names[] = {"source", "a,b;c\td|e", " \"q\" ",
                                        "x\r\ny", "ü\\n",       "gates"};
    enum { N = 6 };
    float gates[N * N];
    fill_normal(gates, N * N, 3);
    zf_graph *made = graph(names, N, gates), *read = NULL;
    static const struct {
        const char *file;
        bool matrix;
    } files[] = {{"e.csv", false}, {"g.csv", true}, {"e.json", false}, {"g.json", true}};
    static const char *const order[] = {"gates",  "ü\\n",       " \"q\" ",
                                        "source", "a,b;c\td|e", "x\r\ny"};
    for (int i = 0; i < 4; i++) {
        zf_graph_options options = zf_graph_defaults();
        options.format = (zf_graph_format)zf_graph_format_find(files[i].file);
        options.matrix = files[i].matrix;
        const char *path = scratch_path(files[i].file);
        assert_ok(zf_graph_write(made, path, &options));
        assert_ok(zf_graph_read(&read, path, NULL, 0));
        assert_same(made, read, files[i].matrix);
        assert_int_equal(zf_graph_is_directed(read), files[i].matrix);
        zf_graph_free(read);
        assert_ok(zf_graph_read(&read, path, order, N));
        assert_string_equal(zf_graph_name(read, 1), "ü\\n");
        assert_same(made, read, files[i].matrix);
        zf_graph_free(read);
    }
    scratch_clear();
    zf_graph_free(made);
}

static zf_graph *read_text(const char *text, const char *const *names, size_t n)
{
    zf_graph *made = NULL;
    assert_ok(zf_graph_read(&made, scratch_text("edges.csv", text), names, n));
    return made;
}

/* A list that is changed, written and read again is what its square would be. */
static void test_lists_are_graphs(void **state)
{
    (void)state;
    static const char text[] = "source,target,score\na,b,0.5\nd,c,0.75\nb,d,-2\n";
    zf_graph *list = read_text(text, NULL, 0), *square = read_text(text, NULL, 0);
    assert_ok(zf_graph_set_gate(square, 0, 1, zf_graph_gate(square, 0, 1)));
    static const double thresholds[] = {0, 0.6, -3};
    for (int i = 0; i < 18; i++) {
        zf_graph_options options = {.struct_size = sizeof options,
                                    .format = (zf_graph_format)(i / 3),
                                    .threshold = thresholds[i % 3]};
        char *one = encode(list, options), *other = encode(square, options);
        assert_string_equal(one, other);
        free(one);
        free(other);
    }
    assert_false(zf_graph_is_directed(list));
    assert_ok(zf_graph_set_gate(list, 0, 3, 4));
    assert_true(zf_graph_is_directed(list));
    assert_true(zf_graph_gate(list, 0, 3) == 4 && zf_graph_gate(list, 3, 0) == 0);
    assert_true(zf_graph_gate(list, 1, 2) == -2 || zf_graph_gate(list, 1, 3) == -2);
    zf_graph_free(list);
    zf_graph_free(square);
}

static void test_reads_lists(void **state)
{
    (void)state;
    static const char *const four[] = {"d", "c", "b", "a"};
    zf_graph *made = read_text("source,target\na,b\nc,b\nb,a\n", NULL, 0);
    assert_int_equal(zf_graph_count(made), 3);
    assert_true(zf_graph_gate(made, 0, 1) == 1 && zf_graph_gate(made, 1, 0) == 1);
    assert_true(zf_graph_gate(made, 1, 2) == 1 && zf_graph_gate(made, 0, 2) == 0);
    zf_graph_free(made);
    made = read_text("\xef\xbb\xbfTo;x;From;Weight\r\na;?;b;0.5\r\nb;?;a;0.75\r\n\r\nb;?;c;-2",
                     four, 4);
    assert_int_equal(zf_graph_count(made), 4);
    assert_true(zf_graph_score(made, 2, 3) == 0.75f);
    assert_true(zf_graph_score(made, 1, 2) == -2);
    assert_true(zf_graph_score(made, 0, 1) == 0);
    zf_graph_free(made);
    made = read_text("from,to,score,source,target,weight\np,q,3,a,b,4\n", NULL, 0);
    assert_int_equal(zf_graph_find(made, "a"), 0);
    assert_true(zf_graph_score(made, 0, 1) == 3);
    zf_graph_free(made);
    made = read_text("source,target,score\n", four, 4); /* no edges, but nodes */
    assert_true(zf_graph_score(made, 0, 1) == 0);
    zf_graph_free(made);
    made = read_text("source\ttarget\nGr\xf6\xdf"
                     "e\tb\n",
                     NULL, 0); /* Latin-1, as tables read it */
    assert_int_equal(zf_graph_find(made, "Größe"), 0);
    zf_graph_free(made);
    zf_graph *packed = NULL;
    assert_ok(
        zf_graph_read(&packed, scratch_gzip("e.csv.gz", "source,target\na,b\n", 18), NULL, 0));
    zf_graph_free(packed);
    scratch_clear();
}

static void test_refuses_files(void **state)
{
    (void)state;
    static const char *const genes[] = {"PKA", "PKC", "Raf"};
    static const struct {
        const char *text, *fault;
        bool named;
    } cases[] = {
        {"", "edges.csv: this is an empty file, expected edges", false},
        {" \n", "edges.csv: empty, expected the header", false},
        {"a,b\n1,2\n", "edges.csv:1: expected the header source,target", false},
        {"source,target\n", "edges.csv: no edges", false},
        {"source,target\na,b\na\n", "edges.csv:3: expected 2 cells as in the header, found 1",
         false},
        {"source,target\na,b,c\n", "edges.csv:2: expected 2 cells as in the header, found more",
         false},
        {"source,target\na,\n", "edges.csv:2: a node without a name", false},
        {"source,target\na,b\nb,b\n", "edges.csv:3: an edge from \"b\" to itself", false},
        {"source,target,score\na,b,x\n",
         "edges.csv:2: column \"score\": expected a finite number, found \"x\"", false},
        {"source,target,score\na,b,inf\n", "found \"inf\"", false},
        {"source,target,score\na,b,1e39\n", "found \"1e39\"", false},
        {"source,target,source\na,b,c\n", "edges.csv:1: two columns are named \"source\"", false},
        {"source,target\nPKA,pkc\n",
         "edges.csv:2: \"pkc\" is not among the 3 nodes; did you mean \"PKC\"?", true},
        {"source,target\nPKA,tubulin\n",
         "edges.csv:2: \"tubulin\" is not among the 3 nodes, expected", true},
        {"gates,a,b\na,0,1\n", "edges.csv: gates of 2 nodes in 1 rows, expected a row for each",
         false},
        {"gates,a,b\na,0,1\na,1,0\n", "edges.csv:3: a second row for \"a\"", false},
        {"gates,a,b\nc,0,1\n", "edges.csv:2: a row for \"c\", expected one of the columns", false},
        {"gates,a,b\na,0,\n", "edges.csv:2: column \"b\": expected a finite number, found \"\"",
         false},
        {"gates,PKA,Ras\nPKA,0,\n",
         "edges.csv:1: \"Ras\" is not among the 3 nodes; did you mean \"Raf\"?", true},
        {"\x93NUMPY", "this is an NPY array", false},
        {"<graphml/>", "this is a graph as GraphML", false},
        {"{", "edges.csv:1: not valid JSON", false},
        {"{}", "edges.csv:nodes: expected a list of names", false},
        {"{\"nodes\": [1]}", "edges.csv:nodes[0]: expected a name", false},
        {"{\"nodes\": [\"a\", \"a\"]}",
         "edges.csv:nodes[1]: expected a name that is not used before", false},
        {"{\"nodes\": [\"a\", \"b\"]}", "edges.csv:edges: expected a list", false},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [3]}", "edges.csv:edges[0]: expected \"source\"",
         false},
        {"{\"nodes\": [\"ab\", \"b\"], \"edges\": [{\"source\": \"aa\", \"target\": \"b\"}]}",
         "edges.csv:edges[0]: \"aa\" is not among the 2 nodes; did you mean \"ab\"?", false},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [{\"source\": \"a\", \"target\": \"b\", "
         "\"score\": 1e99}]}",
         "too large", false},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [], \"gates\": [[0, 1]]}",
         "edges.csv:gates: expected a list with a row for each node", false},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [], \"gates\": [[0, 1], [2]]}",
         "edges.csv:gates[1]: expected a number for each node", false},
        {"{\"nodes\": [\"a\", \"b\"], \"edges\": [], \"gates\": [[0, 1], [2, \"x\"]]}",
         "edges.csv:gates[1][1]: expected a finite number", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zf_graph *made = NULL;
        const char *path = scratch_text("edges.csv", cases[i].text);
        assert_fails(zf_graph_read(&made, path, cases[i].named ? genes : NULL, 3), ZF_EINPUT,
                     cases[i].fault);
        assert_null(made);
    }
    zf_graph *made = NULL;
    assert_fails(zf_graph_read(&made, scratch_path("absent"), NULL, 0), ZF_EIO,
                 "absent: cannot open");
    assert_fails(zf_graph_read(&made, scratch_text("a", "source,target"), genes, 1), ZF_EINVAL,
                 "1 nodes");
    scratch_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps),
        cmocka_unit_test(test_scores_of_their_own),
        cmocka_unit_test(test_finds_among_many),
        cmocka_unit_test(test_refuses_to_be_made),
        cmocka_unit_test(test_bytes_of_files),
        cmocka_unit_test(test_refuses_to_write),
        cmocka_unit_test(test_writes_finite_numbers_alone),
        cmocka_unit_test(test_finds_formats),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_lists_are_graphs),
        cmocka_unit_test(test_reads_lists),
        cmocka_unit_test(test_refuses_files),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
