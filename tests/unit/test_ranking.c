/* Small versions of the contests with the classical methods: a table without an
   order, a dependence in the spread alone, and an ordered table that is not Gaussian.
   Each is fitted with what the library chooses by itself. */
#include "support.h"

#include <stdlib.h>

#include "zeroflow/baseline.h"
#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"
#include "zeroflow/graph.h"

enum { D = 20, ROWS = 1000 };

typedef struct contest {
    double *values;
    zf_graph *truth;
    size_t variables;
    zf_accuracy ours, theirs;
} contest;

static void compete(contest *c, const zf_generate_options *data, zf_fit_options *wish,
                    zf_baseline method)
{
    zf_blanket *model = NULL;
    zf_graph *found = NULL, *classical = NULL;
    *c = (contest){.variables = (size_t)data->variables};
    assert_ok(zf_generate(&c->values, &c->truth, NULL, data));
    const char *const *names = zf_graph_names(c->truth);
    wish->batch = 200;
    assert_ok(zf_blanket_fit(&model, NULL, c->values, data->rows, names, c->variables, wish));
    float *gates = malloc(c->variables * c->variables * sizeof *gates);
    assert_ok(zf_blanket_matrix(model, gates));
    assert_ok(zf_graph_new(&found, names, c->variables, gates));
    assert_ok(zf_graph_compare(&c->ours, found, c->truth));
    zf_baseline_options baseline = zf_baseline_defaults(method);
    assert_ok(
        zf_baseline_run(&classical, NULL, c->values, data->rows, names, c->variables, &baseline));
    assert_ok(zf_graph_compare(&c->theirs, classical, c->truth));
    zf_graph_free(classical);
    zf_graph_free(found);
    zf_blanket_free(model);
    free(gates);
}

static void end(contest *c)
{
    zf_accuracy_free(&c->ours);
    zf_accuracy_free(&c->theirs);
    zf_graph_free(c->truth);
    free(c->values);
}

static void finds_a_random_graph_as_well_as_ranks(void **state)
{
    (void)state;
    contest c;
    zf_generate_options data = zf_generate_defaults(ZF_RANDOM);
    data.law = ZF_NONPARANORMAL, data.rows = ROWS, data.variables = D, data.edges = 40;
    zf_fit_options wish = zf_fit_defaults();
    wish.iterations = 1500;
    compete(&c, &data, &wish, ZF_BASELINE_RANK);
    assert_true(c.ours.auc >= c.theirs.auc && c.ours.auc >= 0.995);
    assert_true(c.ours.average_precision >= c.theirs.average_precision);
    end(&c);
}

static void finds_what_no_correlation_sees(void **state)
{
    (void)state;
    contest c;
    zf_generate_options data = zf_generate_defaults(ZF_VOLATILITY);
    data.rows = ROWS, data.variables = 10;
    zf_fit_options wish = zf_fit_defaults();
    wish.iterations = 1500;
    compete(&c, &data, &wish, ZF_BASELINE_PARTIAL);
    assert_true(c.ours.auc >= 0.93 && c.ours.auc > c.theirs.auc + 0.1);
    end(&c);
}

static void order_finds_the_truncated_chain(void **state)
{
    (void)state;
    contest c;
    zf_generate_options data = zf_generate_defaults(ZF_CHAIN);
    data.law = ZF_TRUNCATED, data.rows = ROWS, data.variables = D;
    zf_fit_options wish = zf_fit_defaults();
    wish.iterations = 600;
    wish.gate = ZF_GATE_LSTM, wish.targets = ZF_TARGET_NEIGHBOURS;
    compete(&c, &data, &wish, ZF_BASELINE_PARTIAL);
    assert_true(c.ours.auc >= 0.99 && c.ours.auc > c.theirs.auc);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_random_graph_as_well_as_ranks),
        cmocka_unit_test(finds_what_no_correlation_sees),
        cmocka_unit_test(order_finds_the_truncated_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
