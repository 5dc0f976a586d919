/* Decided graphs on laws of several kinds: few false edges, and most of the true ones. A small
   version of `zeroflow reproduce decisions`, with thresholds. */
#include "support.h"

#include <stdlib.h>

#include "zeroflow/evidence.h"
#include "zeroflow/generate.h"

enum { SEEDS = 2, NOISES = 20 };
static const double FDR = 0.1;

/* Means over the seeds. */
typedef struct verdict {
    double false_share, power, f1;
} verdict;

static zf_graph *decide(const double *values, const zf_graph *truth, size_t rows)
{
    size_t d = zf_graph_count(truth);
    zf_evidence *evidence = NULL;
    zf_evidence_options options = zf_evidence_defaults();
    zf_graph *decided = NULL;
    assert_ok(zf_evidence_test(&evidence, values, rows, zf_graph_names(truth), d, &options));
    assert_ok(zf_graph_new(&decided, zf_graph_names(truth), d, NULL));
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++)
            if (a != b && zf_evidence_pair(evidence, (int32_t)a, (int32_t)b)->q_value <= FDR)
                assert_ok(zf_graph_set_gate(decided, a, b, 1));
    zf_evidence_free(evidence);
    return decided;
}

static verdict judge(zf_generate_options law, int seeds)
{
    verdict mean = {0};
    for (law.seed = 100; law.seed < 100 + (uint64_t)seeds; law.seed++) {
        double *values = NULL;
        zf_graph *truth = NULL;
        zf_decision got;
        assert_ok(zf_generate(&values, &truth, NULL, &law));
        zf_graph *decided = decide(values, truth, law.rows);
        assert_ok(zf_graph_judge(&got, decided, truth));
        mean.false_share += got.false_share / seeds;
        mean.power += got.power / seeds;
        mean.f1 += got.f1 / seeds;
        zf_graph_free(decided);
        zf_graph_free(truth);
        free(values);
    }
    print_message("false %.3f, power %.3f, F1 %.3f\n", mean.false_share, mean.power, mean.f1);
    return mean;
}

static zf_generate_options law_of(zf_structure structure, zf_mechanism mechanism, size_t rows,
                                  int variables, int edges)
{
    zf_generate_options law = zf_generate_defaults(structure);
    law.mechanism = mechanism;
    law.rows = rows;
    law.variables = variables;
    law.edges = edges;
    return law;
}

static void check(zf_generate_options law, double least_f1)
{
    verdict got = judge(law, SEEDS);
    assert_true(got.false_share <= 0.13);
    assert_true(got.f1 >= least_f1);
}

static void gaussian_graphs(void **state)
{
    (void)state;
    check(law_of(ZF_RANDOM, 0, 1000, 10, 14), 0.93);
    check(law_of(ZF_RANDOM, 0, 100, 100, 100), 0.45);
}

static void linear_models(void **state)
{
    (void)state;
    check(law_of(ZF_SEM, ZF_SEM_LINEAR, 1000, 10, 12), 0.9);
}

static void curves(void **state)
{
    (void)state;
    check(law_of(ZF_SEM, ZF_SEM_ADDITIVE, 500, 10, 12), 0.8);
}

static void products(void **state)
{
    (void)state;
    check(law_of(ZF_SEM, ZF_SEM_PRODUCTS, 600, 15, 10), 0.93);
}

static void spreads(void **state)
{
    (void)state;
    check(law_of(ZF_SEM, ZF_SEM_SPREAD, 2000, 8, 8), 0.85);
}

static void mixtures(void **state)
{
    (void)state;
    check(law_of(ZF_SEM, ZF_SEM_MIXTURE, 1000, 10, 12), 0.85);
}

static void kinetics(void **state)
{
    (void)state;
    check(law_of(ZF_SEM, ZF_SEM_KINETICS, 100, 100, 206), 0.35);
}

/* Any edge is false, and one table in ten may have one: six of twenty have a chance of 0.011. */
static void noise(void **state)
{
    (void)state;
    assert_true(judge(law_of(ZF_INDEPENDENT, 0, 200, 10, 0), NOISES).false_share < 5.5 / NOISES);
    assert_true(judge(law_of(ZF_INDEPENDENT, 0, 100, 100, 0), NOISES).false_share < 5.5 / NOISES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_graphs), cmocka_unit_test(linear_models),
        cmocka_unit_test(curves),          cmocka_unit_test(products),
        cmocka_unit_test(spreads),         cmocka_unit_test(mixtures),
        cmocka_unit_test(kinetics),        cmocka_unit_test(noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
