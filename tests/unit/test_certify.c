/* Certificates on a chain, whose blankets are known: the true one passes, one that
   lacks a neighbour fails and names it. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/lapack.h"
#include "zeroflow/generate.h"
#include "zeroflow/independence.h"

enum { ROWS = 1500, VARIABLES = 12 };

typedef struct world {
    double *values, *fresh;
    zf_graph *truth;
    zf_blanket *model;
} world;

static world w;

static double *draw(zf_graph **truth, uint64_t seed)
{
    double *values = NULL;
    zf_generate_options wish = zf_generate_defaults(ZF_CHAIN);
    wish.variables = VARIABLES;
    wish.order = 1;
    wish.rows = ROWS;
    wish.seed = seed;
    wish.law = ZF_NONPARANORMAL;
    assert_ok(zf_generate(&values, truth, NULL, &wish));
    return values;
}

static int begin(void **state)
{
    (void)state;
    zf_graph *same = NULL;
    zf_fit_options wish = zf_fit_defaults();
    wish.iterations = 2;
    wish.batch = 20;
    wish.hidden = 8;
    w.values = draw(&w.truth, 1);
    w.fresh = draw(&same, 2);
    zf_graph_free(same);
    assert_ok(
        zf_blanket_fit(&w.model, NULL, w.values, ROWS, zf_graph_names(w.truth), VARIABLES, &wish));
    return 0;
}

static int end(void **state)
{
    (void)state;
    zf_blanket_free(w.model);
    zf_graph_free(w.truth);
    free(w.values);
    free(w.fresh);
    return 0;
}

static zf_independence_options options(void)
{
    zf_independence_options out = zf_independence_defaults();
    out.draws = 999;
    out.threads = 1;
    return out;
}

static zf_certificate certify(const double *values, int32_t target, const int32_t *blanket,
                              size_t n)
{
    zf_certificate out = {.n_left_out = 77};
    zf_independence_options wish = options();
    assert_ok(zf_certify(&out, w.model, values, ROWS, &target, 1, blanket, n, &wish));
    return out;
}

static void true_blankets_pass(void **state)
{
    (void)state;
    int rejected = 0;
    for (int32_t target = 0; target < VARIABLES; target++) {
        int32_t blanket[2];
        size_t n = 0;
        if (target > 0) blanket[n++] = target - 1;
        if (target < VARIABLES - 1) blanket[n++] = target + 1;
        zf_certificate c = certify(w.fresh, target, blanket, n);
        assert_int_equal(c.n_left_out, VARIABLES - 1 - n);
        assert_false(c.trained);
        rejected += c.test.p_value <= 0.05;
        zf_certificate_free(&c);
    }
    assert_in_range(rejected, 0, 2); /* of 12; three or more come 2 times in 100 */
}

static void a_missing_neighbour_is_named(void **state)
{
    (void)state;
    for (int32_t target = 1; target < VARIABLES - 1; target += 3) {
        const int32_t blanket[] = {target - 1};
        zf_certificate c = certify(w.fresh, target, blanket, 1);
        assert_close(c.test.p_value, 0.001, 1e-12);
        int32_t first = c.missing[0];
        assert_int_equal(c.left_out[first], target + 1);
        assert_true(c.test.y[first].gain > 0.05);
        assert_close(c.test.y[first].p_value, 0.001, 1e-12);
        for (size_t rank = 1; rank < c.n_left_out; rank++)
            assert_true(c.test.y[c.missing[rank]].gain <= c.test.y[c.missing[rank - 1]].gain);
        zf_certificate_free(&c);
    }
    /* Without any blanket the nearest is most missing, and the farthest is not. */
    zf_certificate c = certify(w.fresh, 0, NULL, 0);
    assert_int_equal(c.left_out[c.missing[0]], 1);
    assert_true(c.test.y[VARIABLES - 2].p_value > 0.01);
    zf_certificate_free(&c);
}

/* A chain: neighbours are needed, given each other, and what lies beyond is not. */
static void superfluous_members_are_told(void **state)
{
    (void)state;
    int idle = 0;
    for (int32_t target = 2; target < VARIABLES - 2; target += 3) {
        const int32_t blanket[] = {target + 1, target - 2, target - 1};
        zf_certificate c = certify(w.fresh, target, blanket, 3);
        assert_int_equal(c.n_members, 3);
        assert_int_equal(c.members[0].variable, target - 2); /* the least needed is first */
        idle += c.members[0].p_value > 0.05;
        for (int i = 1; i < 3; i++) {
            assert_close(c.members[i].p_value, 0.001, 1e-12);
            assert_int_equal(c.members[i].found.form, ZF_FORM_FALLING);
        }
        assert_int_equal(c.members[1].variable, target - 1); /* of equals the earlier */
        zf_certificate_free(&c);
    }
    assert_true(idle >= 2);
    zf_certificate c = certify(w.fresh, 0, NULL, 0);
    assert_int_equal(c.n_members, 0);
    zf_certificate_free(&c);
}

/* Gaussian tables of 150 rows: blankets of four, whole or without a neighbour of a partial
   correlation of about 0.3. */
static void certifies_with_few_rows(void **state)
{
    (void)state;
    enum { FEW = 150, TABLES = 40, TARGET = 5 };
    int refused[2] = {0};
    for (uint64_t t = 0; t < TABLES; t++) {
        double *values = NULL;
        zf_graph *truth = NULL;
        zf_generate_options wish = zf_generate_defaults(ZF_CHAIN);
        wish.variables = VARIABLES, wish.order = 2, wish.rows = FEW, wish.seed = 100 + t;
        assert_ok(zf_generate(&values, &truth, NULL, &wish));
        const int32_t target = TARGET;
        const int32_t given[] = {TARGET - 2, TARGET - 1, TARGET + 2, TARGET + 1};
        int32_t rest[] = {0, 1, 2, 8, 9, 10, 11, TARGET + 1};
        for (int lacking = 0; lacking < 2; lacking++) {
            zf_question question = {&target, rest, given, 1, 7, 4};
            question.n_y += (size_t)lacking, question.n_given -= (size_t)lacking;
            zf_independence_options draws = options();
            draws.draws = 299;
            zf_independence result = {0};
            assert_ok(
                zf_independence_test(&result, values, FEW, NULL, VARIABLES, &question, &draws));
            refused[lacking] += result.p_value <= 0.05 && !result.cannot_tell;
            zf_independence_free(&result);
        }
        zf_graph_free(truth);
        free(values);
    }
    assert_in_range(refused[0], 0, 6);
    assert_in_range(refused[1], 27, TABLES);
}

static void knows_the_rows_of_training(void **state)
{
    (void)state;
    const int32_t blanket[] = {1};
    zf_certificate c = certify(w.values, 0, blanket, 1);
    assert_true(c.trained);
    zf_certificate_free(&c);
}

static void refuses(void **state)
{
    (void)state;
    const int32_t two[] = {2, 3}, both[] = {3, 2}, twice[] = {4, 4}, far[] = {VARIABLES};
    const int32_t rest[] = {0, 1, 4, 5, 6, 7, 8, 9, 10, 11};
    zf_independence_options wish = options();
    zf_certificate c = {.n_left_out = 77};
#define ASK(rows, targets, n, blanket, m)                                                          \
    zf_certify(&c, w.model, w.fresh, rows, targets, n, blanket, m, &wish)
    assert_fails(ASK(ROWS, two, 2, both, 1), ZF_EINVAL,
                 "\"x4\" is a target and cannot be in its own blanket");
    assert_fails(ASK(ROWS, two, 2, twice, 2), ZF_EINVAL, "member \"x5\" is named twice");
    assert_fails(ASK(ROWS, far, 1, twice, 1), ZF_EINVAL, "variable 12 of a model of 12");
    assert_fails(ASK(ROWS, two, 2, rest, 10), ZF_EINVAL,
                 "targets and blanket are all 12 variables: none is left out");
    assert_fails(ASK(ROWS, two, 0, rest, 10), ZF_EINVAL, "x is empty");
    assert_fails(ASK(40, two, 2, rest, 1), ZF_EINPUT, "40 rows, expected at least 50");
    assert_int_equal(c.n_left_out, 77);
#undef ASK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_blankets_pass),
        cmocka_unit_test(a_missing_neighbour_is_named),
        cmocka_unit_test(superfluous_members_are_told),
        cmocka_unit_test(certifies_with_few_rows),
        cmocka_unit_test(knows_the_rows_of_training),
        cmocka_unit_test(refuses),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, begin, end);
}
