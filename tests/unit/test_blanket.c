/* Fitting, asking, saving: from rows to blankets. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "evidence/result.h"
#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"

enum { D = 8, ROWS = 600 };

static const char *const NAMES[D] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/* A chain: each column is 0.8 times the one before plus noise. */
static double *chain(void)
{
    double *values = malloc(ROWS * D * sizeof *values);
    for (int i = 0; i < ROWS; i++) {
        zf_random random = zf_random_at(6, ZF_FOR_TEST, 0, (uint32_t)i);
        for (int j = 0; j < D; j++)
            values[i * D + j] =
                (j ? 0.8f * values[i * D + j - 1] : 0.0f) + 0.6f * zf_random_normal(&random);
    }
    return values;
}

static zf_fit_options quick(void)
{
    zf_fit_options options = zf_fit_defaults();
    options.iterations = 1500;
    options.batch = 128;
    options.hidden = 256;
    options.threads = 2;
    return options;
}

static void finds_the_chain(void **state)
{
    (void)state;
    double *values = chain();
    float gates[D * D];
    zf_blanket *model = NULL;
    zf_fit_summary summary;
    zf_fit_options options = quick();
    assert_ok(zf_blanket_fit(&model, &summary, values, ROWS, NAMES, D, &options));
    assert_int_equal(summary.iterations, 1500);
    assert_true(summary.zero < summary.rectified);
    assert_ok(zf_blanket_matrix(model, gates));
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            if (abs(i - j) < 2) continue;
            /* weaker than the weaker of the two true neighbours */
            double near =
                fminf(i > 0 ? gates[i * D + i - 1] : 1, i < D - 1 ? gates[i * D + i + 1] : 1);
            if (!(gates[i * D + j] < near))
                fail_msg("gate(%s, %s) = %g, its neighbours have %g", NAMES[i], NAMES[j],
                         (double)gates[i * D + j], (double)near);
        }
    for (int i = 0; i < D; i++) assert_true(gates[i * D + i] == 0);
    zf_blanket_free(model);
    free(values);
}

enum { SIDE = 6, NODES = SIDE * SIDE };

static int steps_apart(int a, int b)
{
    return abs(a / SIDE - b / SIDE) + abs(a % SIDE - b % SIDE);
}

/* Is the blanket of these targets, at threshold 0.1, all their neighbours but for
   a tenth? */
static bool is_right(const zf_blanket *model, const int32_t *targets, int n)
{
    float gates[NODES];
    int both = 0, either = 0;
    assert_ok(zf_blanket_query(model, targets, n, gates));
    for (int j = 0; j < NODES; j++) {
        bool next = false, inside = false, found = gates[j] > 0.1f;
        for (int k = 0; k < n; k++) {
            next |= steps_apart(j, targets[k]) == 1;
            inside |= j == targets[k];
        }
        both += found && next && !inside;
        either += found || (next && !inside);
    }
    return both >= 0.9 * either;
}

/* A grid learnt from a node with its neighbours, and asked for every two nodes that
   are not neighbours and every square of four: sets that training does not draw. */
static void finds_blankets_of_unseen_sets_on_a_grid(void **state)
{
    (void)state;
    double *values = NULL;
    zf_graph *truth = NULL, *found = NULL;
    zf_blanket *model = NULL;
    zf_generate_options data = zf_generate_defaults(ZF_LATTICE);
    data.side = SIDE;
    data.rows = 2048;
    assert_ok(zf_generate(&values, &truth, NULL, &data));
    zf_fit_options options = zf_fit_defaults();
    options.gate = ZF_GATE_CNN;
    options.targets = ZF_TARGET_GRID;
    options.iterations = 800;
    options.batch = 200;
    options.hidden = 128;
    options.threads = 2;
    assert_ok(
        zf_blanket_fit(&model, NULL, values, data.rows, zf_graph_names(truth), NODES, &options));
    float gates[NODES * NODES];
    zf_accuracy accuracy = {0};
    assert_ok(zf_blanket_matrix(model, gates));
    assert_ok(zf_graph_new(&found, zf_graph_names(truth), NODES, gates));
    assert_ok(zf_graph_compare(&accuracy, found, truth));
    assert_true(accuracy.auc >= 0.999);
    int sets = 0, right = 0;
    for (int32_t a = 0; a < NODES; a++)
        for (int32_t b = a + 1; b < NODES; b++) {
            int32_t square[] = {a, a + 1, b - 1, b};
            bool is_square = a % SIDE + 1 < SIDE && b == a + SIDE + 1;
            if (is_square) sets++, right += is_right(model, square, 4);
            if (steps_apart(a, b) > 1) sets++, right += is_right(model, (int32_t[]){a, b}, 2);
        }
    assert_int_equal(sets, 630 - 60 + 25);
    if (right < 0.95 * sets) fail_msg("%d of %d blankets are right", right, sets);
    zf_accuracy_free(&accuracy);
    zf_graph_free(found);
    zf_graph_free(truth);
    zf_blanket_free(model);
    free(values);
}

static void files_keep_the_model(void **state)
{
    (void)state;
    char path[] = "/tmp/zeroflow-blanket-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    double *values = chain();
    float before[D], after[D];
    zf_blanket *model = NULL, *again = NULL;
    zf_fit_options options = quick();
    zf_constraint rules[] = {{.target = 2, .variable = 1},
                             {.target = 2, .variable = 7, .required = true}};
    options.iterations = 30;
    options.marginals = ZF_MARGINALS_NORMAL_SCORES;
    options.constraints = rules;
    options.n_constraints = 2;
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options));
    assert_ok(zf_blanket_save(model, path));
    assert_ok(zf_blanket_load(&again, path));
    assert_int_equal(zf_blanket_variables(again), D);
    assert_string_equal(zf_blanket_name(again, 4), "e");
    assert_int_equal(zf_blanket_find(again, "h"), 7);
    int32_t target = 2;
    assert_ok(zf_blanket_query(model, &target, 1, before));
    assert_ok(zf_blanket_query(again, &target, 1, after));
    assert_memory_equal(before, after, sizeof before);
    assert_true(before[1] == 0 && before[7] == 1 && before[2] == 0);
    zf_blanket_free(again);
    zf_blanket_free(model);
    unlink(path);
    free(values);
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    double *values = chain();
    float gates[D];
    zf_blanket *model = NULL;
    zf_fit_options options = quick();
    options.iterations = 2;
    options.gate = ZF_GATE_CNN;
    assert_fails(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options), ZF_EINVAL,
                 "8 variables are not a square grid");
    options.gate = ZF_GATE_FREE;
    assert_fails(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options), ZF_EINVAL,
                 "expected one target set");
    options.gate = ZF_GATE_MLP;
    zf_constraint both[] = {{.target = 2, .variable = 1},
                            {.target = 2, .variable = 1, .required = true}};
    options.constraints = both;
    options.n_constraints = 2;
    assert_fails(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options), ZF_EINVAL,
                 "\"b\" in the blanket of \"c\" is both forbidden and required");
    options.n_constraints = 0;
    assert_fails(zf_blanket_fit(&model, NULL, values, 1, NAMES, D, &options), ZF_EINPUT,
                 "1 rows of 8 columns");
    for (int i = 0; i < ROWS; i++) values[i * D + 3] = 7;
    assert_fails(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options), ZF_EINPUT,
                 "column \"d\" is constant");
    values[5 * D + 3] = NAN;
    assert_fails(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options), ZF_EINPUT,
                 "column \"d\", row 6: expected a finite number");
    values[5 * D + 3] = 1;
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options));
    int32_t targets[D] = {0, 0, 1, 2, 3, 4, 5, 6};
    assert_fails(zf_blanket_query(model, targets, 0, gates), ZF_EINVAL, "at least one target");
    assert_fails(zf_blanket_query(model, targets, 2, gates), ZF_EINVAL, "at most 1");
    assert_fails(zf_blanket_query(model, targets, D, gates), ZF_EINVAL, "leave nothing");
    assert_fails(zf_blanket_query(model, (int32_t[]){9}, 1, gates), ZF_EINVAL, "outside");
    zf_blanket_free(model);
    free(values);
}

/* The one target set of free gates is part of the model, and of its file. */
static void free_gates_know_one_set(void **state)
{
    (void)state;
    char path[] = "/tmp/zeroflow-blanket-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    double *values = chain();
    float gates[D * D];
    zf_blanket *model = NULL;
    zf_fit_options options = quick();
    options.iterations = 5;
    options.gate = ZF_GATE_FREE;
    options.targets = ZF_TARGET_SETS;
    options.sets = (zf_target_sets){(int32_t[]){2, 5}, (int32_t[]){0, 2}, 1};
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options));
    assert_ok(zf_blanket_save(model, path));
    zf_blanket_free(model);
    assert_ok(zf_blanket_load(&model, path));
    assert_ok(zf_blanket_query(model, (int32_t[]){5, 2}, 2, gates));
    assert_true(gates[2] == 0 && gates[5] == 0 && gates[0] > 0);
    assert_fails(zf_blanket_query(model, (int32_t[]){2}, 1, gates), ZF_EINVAL,
                 "a single target set: \"c\", \"f\"");
    assert_fails(zf_blanket_query(model, (int32_t[]){2, 6}, 2, gates), ZF_EINVAL, "\"f\"");
    assert_fails(zf_blanket_matrix(model, gates), ZF_EINVAL, "a single target set");
    zf_blanket_free(model);
    unlink(path);
    free(values);
}

static void refuses_target_sets_of_no_use(void **state)
{
    (void)state;
    static const struct {
        int32_t items[D], n;
        const char *message;
    } cases[] = {
        {{0}, 0, "target set 1: expected 1 to 7 of 8 variables, found 0"},
        {{0, 1, 2, 3, 4, 5, 6, 7}, 8, "found 8"},
        {{3, 3}, 2, "target set 1: expected ascending numbers below 8, found 3"},
        {{3, 8}, 2, "found 8"},
        {{-1}, 1, "found -1"},
    };
    double *values = chain();
    zf_blanket *model = NULL;
    zf_fit_options options = quick();
    options.targets = ZF_TARGET_SETS;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options.sets = (zf_target_sets){cases[i].items, (int32_t[]){0, cases[i].n}, 1};
        assert_fails(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options), ZF_EINVAL,
                     cases[i].message);
    }
    free(values);
}

/* Evidence is kept in the model, through a file too; neighbours of the chain are decided on, and
   the blanket of a set is what borders on it. */
static void decides(void **state)
{
    (void)state;
    double *values = chain();
    zf_blanket *model = NULL, *loaded = NULL;
    zf_fit_options options = quick();
    zf_evidence_options weighing = zf_evidence_defaults();
    zf_member members[D];
    size_t decided = 0;
    char path[] = "/tmp/zeroflow-decides-XXXXXX";
    close(mkstemp(path));
    weighing.half_samples = 4;
    options.iterations = 5;
    options.targets = ZF_TARGET_NEIGHBOURS;
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options));
    assert_null(zf_blanket_evidence(model));
    assert_int_equal(zf_blanket_decide(members, &decided, model, (int32_t[]){3}, 1, 0.1),
                     ZF_EINVAL);
    assert_ok(zf_blanket_weigh(model, values, ROWS, &weighing));
    assert_ok(zf_blanket_save(model, path));
    assert_ok(zf_blanket_load(&loaded, path));
    const zf_evidence *own = zf_blanket_evidence(model), *read = zf_blanket_evidence(loaded);
    assert_non_null(read);
    assert_int_equal(zf_evidence_rows(read), ROWS);
    for (int a = 1; a < D; a++)
        for (int b = 0; b < a; b++) {
            const zf_pair_evidence *x = zf_evidence_pair(own, a, b),
                                   *y = zf_evidence_pair(read, a, b);
            assert_true(x->p_value == y->p_value && x->q_value == y->q_value &&
                        x->effect == y->effect && x->form == y->form && x->third == y->third &&
                        x->stability >= 0 && x->stability == y->stability);
        }
    assert_ok(zf_blanket_decide(members, &decided, loaded, (int32_t[]){3}, 1, 0.01));
    assert_int_equal(decided, 2);
    assert_true(members[0].variable + members[1].variable == 6 && members[0].decided);
    assert_true(members[0].stability > 0.5 && members[D - 2].stability >= 0);
    double probability = zf_blanket_probability(model, members[0].gate, 1);
    assert_true(probability > 0 && probability == members[0].probability);
    assert_ok(zf_blanket_decide(members, &decided, loaded, (int32_t[]){3, 4}, 2, 0.01));
    assert_int_equal(decided, 2);
    assert_true(members[0].variable + members[1].variable == 7);
    assert_false(members[2].decided);
    assert_int_equal(zf_blanket_decide(members, &decided, loaded, (int32_t[]){3}, 1, 1.0),
                     ZF_EINVAL);
    /* Another model of the same table takes the evidence over, one of other columns does not. */
    zf_blanket *second = NULL, *other = NULL;
    const char *names[D];
    for (int i = 0; i < D; i++) names[i] = NAMES[(i + 1) % D];
    assert_ok(zf_blanket_fit(&second, NULL, values, ROWS, NAMES, D, &options));
    assert_ok(zf_blanket_fit(&other, NULL, values, ROWS, names, D, &options));
    assert_int_equal(zf_blanket_share_evidence(model, second), ZF_EINVAL);
    assert_int_equal(zf_blanket_share_evidence(other, model), ZF_EINVAL);
    assert_ok(zf_blanket_share_evidence(second, model));
    zf_blanket_free(model);
    own = zf_blanket_evidence(second);
    assert_true(zf_evidence_pair(own, 3, 4)->q_value == zf_evidence_pair(read, 3, 4)->q_value);
    assert_int_equal(zf_evidence_rows(own), ROWS);
    assert_true(zf_blanket_probability(second, 0.5f, 1) > 0); /* of its own gates */
    unlink(path);
    zf_blanket_free(second);
    zf_blanket_free(other);
    zf_blanket_free(loaded);
    free(values);
}

/* What the user said comes before what the tests say, and is told as such. The chain has an edge
   between each two neighbours. */
static void says_why(void **state)
{
    (void)state;
    double *values = chain();
    zf_blanket *model = NULL;
    zf_fit_options options = quick();
    zf_evidence_options weighing = zf_evidence_defaults();
    zf_constraint rules[] = {{.target = 3, .variable = 4, .required = false},
                             {.target = 4, .variable = 3, .required = false},
                             {.target = 3, .variable = 0, .required = true},
                             {.target = 0, .variable = 3, .required = true}};
    zf_member members[D];
    size_t decided = 0;
    options.iterations = 5;
    options.constraints = rules;
    options.n_constraints = 4;
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options));
    assert_int_equal(zf_blanket_edges(model, 0.01), 0);
    assert_ok(zf_blanket_weigh(model, values, ROWS, &weighing));
    assert_int_equal(zf_evidence_edges(zf_blanket_evidence(model), 0.01), D - 1);
    assert_int_equal(zf_blanket_edges(model, 0.01), D - 1); /* one less, one more */
    assert_ok(zf_blanket_decide(members, &decided, model, (int32_t[]){3}, 1, 0.01));
    assert_int_equal(decided, 2);
    assert_true(members[0].variable == 2 && members[0].verdict == ZF_VERDICT_EVIDENCE);
    assert_true(members[1].variable == 0 && members[1].verdict == ZF_VERDICT_REQUIRED);
    assert_true(members[2].variable == 4 && members[2].verdict == ZF_VERDICT_FORBIDDEN);
    assert_true(members[2].q_value < 0.01 && !members[2].decided);
    assert_true(members[3].verdict == ZF_VERDICT_CHANCE && !members[3].decided);
    assert_string_equal(zf_verdict_name(ZF_VERDICT_FORBIDDEN), "forbidden");
    assert_string_equal(zf_verdict_name(ZF_VERDICT_STAND_IN), "stand-in");
    assert_string_equal(zf_verdict_name(ZF_VERDICT_SUPERFLUOUS), "superfluous");
    zf_blanket_free(model);
    free(values);
}

static zf_member member_of(const zf_member *members, int32_t variable)
{
    for (int i = 0; i < D; i++)
        if (members[i].variable == variable) return members[i];
    return (zf_member){.variable = -1};
}

/* In a chain d needs c and e. Its evidence is changed to say that e is superfluous: then the
   blanket of d does without it and the graph does not, nor does the blanket of d and f, which
   borders on it, nor one at a rate whose level allows e, nor one from which the user keeps c,
   beside which it is superfluous. */
static void leaves_out_what_is_superfluous(void **state)
{
    (void)state;
    enum { C = 2, TARGET, SPARE, F };
    double *values = chain();
    zf_fit_options options = quick();
    zf_evidence_options weighing = zf_evidence_defaults();
    zf_constraint forbidden = {.target = TARGET, .variable = C};
    zf_blanket *model = NULL, *loaded = NULL;
    zf_graph *graph = NULL;
    zf_member members[D];
    size_t decided = 0;
    char path[] = "/tmp/zeroflow-superfluous-XXXXXX";
    close(mkstemp(path));
    options.iterations = 5;
    options.targets = ZF_TARGET_NEIGHBOURS;
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options));
    assert_ok(zf_blanket_weigh(model, values, ROWS, &weighing));
    zf_evidence *evidence = (zf_evidence *)zf_blanket_evidence(model);
    assert_true(zf_evidence_fdr(evidence) == weighing.fdr);
    evidence->superfluous[TARGET] = (zf_changes){.list = {{SPARE, 0.015}}, .n = 1};
    assert_ok(zf_blanket_save(model, path));
    assert_ok(zf_blanket_load(&loaded, path));
    assert_true(zf_evidence_fdr(zf_blanket_evidence(loaded)) == weighing.fdr);
    assert_ok(zf_blanket_decide(members, &decided, loaded, (int32_t[]){TARGET}, 1, 0.1));
    assert_true(decided >= 1 && members[0].variable == C && members[0].without < 0);
    assert_true(members[decided].variable == SPARE && !members[decided].decided);
    assert_true(members[decided].verdict == ZF_VERDICT_SUPERFLUOUS);
    assert_true(members[decided].q_value < 1e-9 && members[decided].without == 0.015);
    assert_ok(zf_blanket_graph(&graph, loaded, 0.1));
    assert_true(zf_graph_evidence(graph, TARGET, SPARE)->decided);
    assert_ok(zf_blanket_decide(members, &decided, loaded, (int32_t[]){SPARE}, 1, 0.1));
    assert_int_equal(member_of(members, TARGET).verdict, ZF_VERDICT_EVIDENCE);
    assert_ok(zf_blanket_decide(members, &decided, loaded, (int32_t[]){TARGET, F}, 2, 0.1));
    assert_int_equal(member_of(members, SPARE).verdict, ZF_VERDICT_EVIDENCE);
    assert_ok(zf_blanket_decide(members, &decided, loaded, (int32_t[]){TARGET}, 1, 0.2));
    assert_int_equal(member_of(members, SPARE).verdict, ZF_VERDICT_EVIDENCE);
    zf_blanket_free(model);
    options.constraints = &forbidden;
    options.n_constraints = 1;
    assert_ok(zf_blanket_fit(&model, NULL, values, ROWS, NAMES, D, &options));
    assert_ok(zf_blanket_share_evidence(model, loaded));
    assert_ok(zf_blanket_decide(members, &decided, model, (int32_t[]){TARGET}, 1, 0.1));
    assert_int_equal(member_of(members, C).verdict, ZF_VERDICT_FORBIDDEN);
    assert_int_equal(member_of(members, SPARE).verdict, ZF_VERDICT_EVIDENCE);
    unlink(path);
    zf_graph_free(graph);
    zf_blanket_free(loaded);
    zf_blanket_free(model);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_chain),
        cmocka_unit_test(decides),
        cmocka_unit_test(says_why),
        cmocka_unit_test(leaves_out_what_is_superfluous),
        cmocka_unit_test(finds_blankets_of_unseen_sets_on_a_grid),
        cmocka_unit_test(files_keep_the_model),
        cmocka_unit_test(refuses_what_makes_no_sense),
        cmocka_unit_test(free_gates_know_one_set),
        cmocka_unit_test(refuses_target_sets_of_no_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
