/* Accuracy of graphs: scikit-learn's figures, hand-made cases, names. */
#include "support.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zeroflow/graph.h"

static zf_graph *graph(const char *const *names, size_t n, const float *gates)
{
    zf_graph *made = NULL;
    assert_ok(zf_graph_new(&made, names, n, gates));
    return made;
}

static void connect(zf_graph *to, size_t a, size_t b, float score)
{
    assert_ok(zf_graph_set_gate(to, a, b, score));
    assert_ok(zf_graph_set_gate(to, b, a, score));
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void near(double got, double expected, const char *what, const char *name)
{
    if (!(fabs(got - expected) <= 1e-12))
        fail_msg("%s: %s: %.17g, not %.17g", name, what, got, expected);
}

static void check_curve(const zf_accuracy *got, const json_t *roc, const char *name)
{
    assert_int_equal(got->n_roc, json_array_size(roc));
    for (size_t i = 0; i < got->n_roc; i++) {
        const json_t *point = json_array_get(roc, i);
        near(got->fpr[i], json_number_value(json_array_get(point, 0)), "fpr", name);
        near(got->tpr[i], json_number_value(json_array_get(point, 1)), "tpr", name);
    }
}

static void check_case(const json_t *wanted)
{
    enum { MOST = 32 };
    const char *names[MOST], *name = json_string_value(json_object_get(wanted, "name"));
    char text[MOST][8];
    float gates[MOST * MOST];
    size_t n = (size_t)number(wanted, "n"), i;
    assert_true(n <= MOST);
    for (i = 0; i < n; i++) {
        snprintf(text[i], sizeof text[i], "v%zu", i);
        names[i] = text[i];
    }
    const json_t *list = json_object_get(wanted, "gates");
    for (i = 0; i < n * n; i++) gates[i] = (float)json_number_value(json_array_get(list, i));
    zf_graph *scored = graph(names, n, gates), *truth = graph(names, n, NULL);
    const json_t *edges = json_object_get(wanted, "edges"), *edge;
    json_array_foreach(edges, i, edge)
        connect(truth, (size_t)json_integer_value(json_array_get(edge, 0)),
                (size_t)json_integer_value(json_array_get(edge, 1)), 1);
    zf_accuracy got;
    assert_ok(zf_graph_compare(&got, scored, truth));
    near(got.auc, number(wanted, "auc"), "auc", name);
    near(got.auc_paper, number(wanted, "auc_paper"), "auc_paper", name);
    near(got.average_precision, number(wanted, "average_precision"), "average precision", name);
    near(got.best_f1, number(wanted, "best_f1"), "best f1", name);
    near(got.best_threshold, number(wanted, "best_threshold"), "best threshold", name);
    assert_int_equal(got.edges, json_array_size(edges));
    assert_int_equal(got.pairs, n * (n - 1) / 2);
    assert_int_equal(got.nodes, n);
    check_curve(&got, json_object_get(wanted, "roc"), name);
    zf_accuracy_free(&got);
    assert_null(got.fpr);
    zf_graph_free(scored);
    zf_graph_free(truth);
}

static void test_agrees_with_scikit_learn(void **state)
{
    (void)state;
    size_t i;
    json_t *wanted, *root = json_load_file(ZF_TEST_FOLDER "/golden/accuracy.json", 0, NULL);
    const json_t *cases = json_object_get(root, "cases");
    assert_true(json_array_size(cases) >= 10);
    json_array_foreach(cases, i, wanted) check_case(wanted);
    json_decref(root);
}

static const char *const abc[] = {"a", "b", "c", "d"};

/* Edges a-b and c-d of six pairs; scores 3, 2 (twice), 1, 0, 0. */
static void test_by_hand(void **state)
{
    (void)state;
    zf_graph *truth = graph(abc, 4, NULL), *scored = graph(abc, 4, NULL);
    connect(truth, 0, 1, 1);
    connect(truth, 2, 3, 0.001f);
    assert_ok(zf_graph_set_gate(scored, 0, 1, 3)); /* one direction is enough */
    connect(scored, 2, 3, 2);
    connect(scored, 0, 2, 2);
    connect(scored, 1, 2, 1);
    zf_accuracy got;
    assert_ok(zf_graph_compare(&got, scored, truth));
    /* 8 pairs of edge and other; c-d ties with a-c. */
    near(got.auc, 7.5 / 8, "auc", "by hand");
    /* Gates of edges: 3, 0, 2, 2; of others: 2, 2, 1, 1, and eight zeros. */
    near(got.auc_paper, (12 + 4 + 2 * (10 + 1)) / 48.0, "auc_paper", "by hand");
    near(got.average_precision, 0.5 * 1 + 0.5 * 2 / 3, "average precision", "by hand");
    near(got.best_f1, 0.8, "best f1", "by hand");
    near(got.best_threshold, 2, "threshold", "by hand");
    assert_int_equal(got.n_roc, 4);
    zf_accuracy_free(&got);
    zf_graph_free(truth);
    zf_graph_free(scored);
}

/* A list of edges among nodes first .. first + 19: scores with ties, zeros and negative ones. */
static zf_graph *list_of_edges(uint32_t key, int first, int edges, bool scored)
{
    char text[4096];
    int used = snprintf(text, sizeof text, "source,target%s\n", scored ? ",score" : "");
    for (int i = 0; i < edges; i++) {
        key = key * 1664525u + 1013904223u;
        int a = (int)(key >> 20) % 20, b = (a + 1 + (int)(key >> 10) % 19) % 20;
        used += snprintf(text + used, sizeof text - (size_t)used, "v%d,v%d", first + a, first + b);
        if (scored)
            used +=
                snprintf(text + used, sizeof text - (size_t)used, ",%d", (int)(key >> 16) % 5 - 1);
        used += snprintf(text + used, sizeof text - (size_t)used, "\n");
    }
    zf_graph *list;
    assert_ok(zf_graph_read_memory(&list, "list", text, (size_t)used, NULL, 0));
    return list;
}

static zf_graph *square_of(const zf_graph *list)
{
    size_t n = zf_graph_count(list);
    float gates[40 * 40];
    for (size_t i = 0; i < n * n; i++) gates[i] = zf_graph_gate(list, i / n, i % n);
    return graph(zf_graph_names(list), n, gates);
}

static void same_figures(const zf_accuracy *a, const zf_accuracy *b)
{
    assert_true(a->auc == b->auc && a->auc_paper == b->auc_paper);
    assert_true(a->average_precision == b->average_precision);
    assert_true(a->best_f1 == b->best_f1 && a->best_threshold == b->best_threshold);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(a->pairs, b->pairs);
    assert_int_equal(a->only_scored, b->only_scored);
    assert_int_equal(a->only_truth, b->only_truth);
    assert_int_equal(a->n_roc, b->n_roc);
    assert_memory_equal(a->fpr, b->fpr, a->n_roc * sizeof *a->fpr);
    assert_memory_equal(a->tpr, b->tpr, a->n_roc * sizeof *a->tpr);
}

static void test_lists_and_squares_give_the_same(void **state)
{
    (void)state;
    for (uint32_t key = 0; key < 30; key++) {
        zf_graph *scored[2] = {list_of_edges(key, 0, 3 + (int)key * 5, true)};
        zf_graph *truth[2] = {list_of_edges(key + 99, (int)key % 7, 25, false)};
        scored[1] = square_of(scored[0]);
        truth[1] = square_of(truth[0]);
        zf_accuracy found[4];
        for (int i = 0; i < 4; i++) {
            assert_ok(zf_graph_compare(&found[i], scored[i / 2], truth[i % 2]));
            same_figures(&found[i], &found[0]);
        }
        for (int i = 0; i < 4; i++) zf_accuracy_free(&found[i]);
        for (int i = 0; i < 2; i++) zf_graph_free(scored[i]), zf_graph_free(truth[i]);
    }
}

static void test_matches_names_not_places(void **state)
{
    (void)state;
    static const char *const other[] = {"d", "z", "a", "b", "c"};
    zf_graph *truth = graph(abc, 4, NULL), *same = graph(abc, 4, NULL);
    zf_graph *moved = graph(other, 5, NULL);
    connect(truth, 0, 3, 1);
    connect(same, 0, 3, 0.5f);
    connect(same, 1, 2, 0.7f);
    connect(moved, 2, 0, 0.5f);
    connect(moved, 3, 4, 0.7f);
    zf_accuracy first, second;
    assert_ok(zf_graph_compare(&first, same, truth));
    near(first.auc, 4 / 5.0, "auc", "same");
    assert_ok(zf_graph_compare(&second, moved, truth));
    assert_int_equal(second.nodes, 5);
    assert_int_equal(second.only_scored, 1);
    assert_int_equal(second.only_truth, 0);
    assert_int_equal(second.pairs, 10);
    near(second.auc, 8 / 9.0, "auc", "one node more");
    zf_accuracy_free(&second);
    assert_ok(zf_graph_compare(&second, truth, moved));
    assert_int_equal(second.only_truth, 1);
    zf_accuracy_free(&first);
    zf_accuracy_free(&second);
    zf_graph_free(truth);
    zf_graph_free(same);
    zf_graph_free(moved);
}

/* Pairs in the order of zf_graph_set_evidence: ba, ca, cb, da, db, dc. */
static void test_judges_what_is_decided(void **state)
{
    (void)state;
    static const char *const other[] = {"d", "e", "b", "a", "c"};
    static const zf_edge_evidence pairs[] = {{0, 0, true, -1},       {0.2, 0.3, false, -1},
                                             {0.01, 0.02, true, -1}, {0.9, 0.9, false, -1},
                                             {0, 0, true, -1},       {1, 1, false, -1}};
    zf_graph *truth = graph(other, 5, NULL), *found = graph(abc, 4, NULL);
    connect(truth, 3, 2, 1); /* a b: found */
    connect(truth, 0, 4, 1); /* d c: missed */
    connect(truth, 1, 4, 1); /* e c: e is not known to the other */
    connect(found, 0, 1, 0.5f);
    connect(found, 2, 3, 0.25f);
    zf_decision got;
    assert_ok(zf_graph_judge(&got, found, truth)); /* by scores above 0: ab, cd */
    assert_int_equal(got.decided, 2);
    assert_int_equal(got.right, 2);
    assert_int_equal(got.edges, 3);
    assert_true(got.false_share == 0 && got.power == 2.0 / 3 && got.f1 == 4.0 / 5);
    assert_ok(zf_graph_set_evidence(found, pairs)); /* ab, bc, bd */
    assert_ok(zf_graph_judge(&got, found, truth));
    assert_int_equal(got.decided, 3);
    assert_int_equal(got.right, 1);
    assert_true(got.false_share == 2.0 / 3 && got.power == 1.0 / 3 && got.f1 == 2.0 / 6);
    /* Nothing decided: nothing false, nothing found. */
    zf_graph *none = graph(abc, 4, NULL);
    assert_ok(zf_graph_judge(&got, none, truth));
    assert_true(got.decided == 0 && got.false_share == 0 && got.power == 0 && got.f1 == 0);
    /* A truth without edges: nothing can be missed. */
    assert_ok(zf_graph_judge(&got, none, none));
    assert_true(got.false_share == 0 && got.power == 1 && got.f1 == 1);
    assert_ok(zf_graph_judge(&got, truth, none));
    assert_true(got.decided == 3 && got.false_share == 1 && got.power == 1 && got.f1 == 0);
    zf_graph_free(truth);
    zf_graph_free(found);
    zf_graph_free(none);
}

static void test_refuses(void **state)
{
    (void)state;
    static const char *const upper[] = {"A", "B", "C", "D"};
    zf_graph *truth = graph(abc, 4, NULL), *scored = graph(abc, 4, NULL);
    zf_graph *elsewhere = graph(upper, 4, NULL);
    zf_accuracy got = {.auc = -7};
    assert_fails(zf_graph_compare(&got, scored, truth), ZF_EINPUT,
                 "the truth has no edge among 4 nodes");
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++) connect(truth, i, j, 1);
    assert_fails(zf_graph_compare(&got, scored, truth), ZF_EINPUT, "all 6 edges of 4 nodes");
    assert_fails(zf_graph_compare(&got, elsewhere, truth), ZF_EINPUT,
                 "no node in common: \"a\" there, \"A\" here");
    assert_true(got.auc == -7);
    zf_graph_free(truth);
    zf_graph_free(scored);
    zf_graph_free(elsewhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_scikit_learn),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_lists_and_squares_give_the_same),
        cmocka_unit_test(test_matches_names_not_places),
        cmocka_unit_test(test_judges_what_is_decided),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
