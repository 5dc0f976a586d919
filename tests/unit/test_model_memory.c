/* Models as bytes: the same in memory as in files, and what each kind of file is. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "zeroflow/zeroflow.h"

enum { ROWS = 100, D = 5 };

static double *rows;
static zf_graph *truth;

static int set_up(void **state)
{
    assert_int_equal(scratch_setup(state), 0);
    zf_generate_options law = zf_generate_defaults(ZF_CHAIN);
    law.rows = ROWS;
    law.variables = D;
    assert_ok(zf_generate(&rows, &truth, NULL, &law));
    return 0;
}

static int tear_down(void **state)
{
    zf_free(rows);
    zf_graph_free(truth);
    return scratch_teardown(state);
}

/* The file holds these bytes, and is of this type. */
static void check_file(const char *path, const void *bytes, size_t n, zf_model_type type)
{
    size_t size = 0;
    char *found = scratch_read(path, &size);
    assert_int_equal(size, n);
    assert_memory_equal(found, bytes, n);
    free(found);
    zf_model_type is = ZF_MODEL_NONE;
    bool checkpoint = true;
    assert_ok(zf_model_kind(&is, &checkpoint, path));
    assert_int_equal(is, type);
    assert_false(checkpoint);
}

static void blankets(void **state)
{
    (void)state;
    const char *path = scratch_path("a.model"), *checkpoint = scratch_path("a.checkpoint");
    zf_blanket *model = NULL, *other = NULL;
    zf_fit_options options = zf_fit_defaults();
    options.iterations = 5;
    options.threads = 1;
    options.marginals = ZF_MARGINALS_STANDARD;
    options.checkpoint = checkpoint;
    assert_ok(zf_blanket_fit(&model, NULL, rows, ROWS, zf_graph_names(truth), D, &options));
    void *bytes = NULL;
    size_t n = 0;
    assert_ok(zf_blanket_save(model, path));
    assert_ok(zf_blanket_save_memory(&bytes, &n, model));
    check_file(path, bytes, n, ZF_MODEL_BLANKET);
    assert_ok(zf_blanket_load_memory(&other, "a model", bytes, n));
    float gates[D * D], again[D * D];
    assert_ok(zf_blanket_matrix(model, gates));
    assert_ok(zf_blanket_matrix(other, again));
    assert_memory_equal(gates, again, sizeof gates);
    assert_int_equal(zf_blanket_gate(other), ZF_GATE_MLP);
    assert_int_equal(zf_blanket_marginals(other), ZF_MARGINALS_STANDARD);
    assert_int_equal(zf_blanket_most_targets(other), 1);
    assert_string_equal(zf_blanket_options(other), zf_blanket_options(model));
    assert_int_equal(zf_blanket_history_rows(other), 5);
    assert_int_equal(zf_blanket_history_columns(other), 5);
    assert_string_equal(zf_blanket_history_column(other, 0), "iteration");
    assert_string_equal(zf_blanket_history_column(other, 4), "mean_gate");
    assert_null(zf_blanket_history_column(other, 5));
    assert_true(zf_blanket_history_value(other, 4, 0) == 5);
    assert_true(isfinite(zf_blanket_history_value(other, 4, 1)));
    assert_true(isnan(zf_blanket_history_value(other, 5, 1)));
    zf_model_type type;
    bool unfinished = false;
    assert_ok(zf_model_kind(&type, &unfinished, checkpoint));
    assert_int_equal(type, ZF_MODEL_BLANKET);
    assert_true(unfinished);
    ((char *)bytes)[n - 1] ^= 1;
    zf_blanket *none = NULL;
    assert_fails(zf_blanket_load_memory(&none, "a model", bytes, n), ZF_EINPUT, "a model");
    assert_fails(zf_reduction_load_memory(&(zf_reduction *){NULL}, "a model", bytes, n), ZF_EINPUT,
                 "a model");
    zf_free(bytes);
    zf_blanket_free(model);
    zf_blanket_free(other);
}

static void reductions(void **state)
{
    (void)state;
    const char *path = scratch_path("a.model");
    zf_reduction *model = NULL, *other = NULL;
    zf_reduce_options options = zf_reduce_defaults();
    options.targets = &(int32_t){0};
    options.n_targets = 1;
    options.iterations = 5;
    options.threads = 1;
    assert_ok(zf_reduce_fit(&model, NULL, rows, ROWS, zf_graph_names(truth), D, &options));
    void *bytes = NULL;
    size_t n = 0;
    assert_ok(zf_reduction_save(model, path));
    assert_ok(zf_reduction_save_memory(&bytes, &n, model));
    check_file(path, bytes, n, ZF_MODEL_REDUCTION);
    assert_ok(zf_reduction_load_memory(&other, "a model", bytes, n));
    float code, again;
    assert_ok(zf_reduction_transform(model, &code, rows + 1, 1));
    assert_ok(zf_reduction_transform(other, &again, rows + 1, 1));
    assert_true(code == again);
    assert_int_equal(zf_reduction_marginals(other), ZF_MARGINALS_NORMAL_SCORES);
    assert_int_equal(zf_reduction_history_columns(other), 4);
    assert_int_equal(zf_reduction_history_rows(other), 5);
    zf_free(bytes);
    zf_reduction_free(model);
    zf_reduction_free(other);
}

static void vision_and_flows(void **state)
{
    (void)state;
    enum { PIXELS = 3 * 16 * 16, DIM = 8 };
    const char *path = scratch_path("a.model");
    zf_vision *model = NULL, *other = NULL;
    zf_pretrain_options options = zf_pretrain_defaults(ZF_VISION_SIMCLR);
    options.dim = DIM;
    assert_ok(zf_vision_untrained(&model, 16, &options));
    void *bytes = NULL;
    size_t n = 0;
    assert_ok(zf_vision_save(model, path));
    assert_ok(zf_vision_save_memory(&bytes, &n, model));
    check_file(path, bytes, n, ZF_MODEL_VISION);
    assert_ok(zf_vision_load_memory(&other, "a model", bytes, n));
    float picture[PIXELS] = {0.5f}, features[DIM], again[DIM];
    assert_ok(zf_vision_encode(model, features, picture, 1, 1));
    assert_ok(zf_vision_encode(other, again, picture, 1, 1));
    assert_memory_equal(features, again, sizeof features);
    zf_free(bytes);
    zf_vision_free(model);
    zf_vision_free(other);
    zf_flow *flow = NULL, *copy = NULL;
    zf_flow_options few = zf_flow_defaults();
    few.iterations = 5;
    few.threads = 1;
    zf_flow_sample sample = {rows, ROWS, D};
    assert_ok(zf_flow_fit(&flow, NULL, sample, sample, &few));
    assert_ok(zf_flow_save(flow, path));
    assert_ok(zf_flow_save_memory(&bytes, &n, flow));
    check_file(path, bytes, n, ZF_MODEL_FLOW);
    assert_ok(zf_flow_load_memory(&copy, "a model", bytes, n));
    zf_free(bytes);
    zf_flow_free(flow);
    zf_flow_free(copy);
}

static void other_files(void **state)
{
    (void)state;
    const char *path = scratch_path("rows.csv"), *none = scratch_path("none");
    scratch_write("rows.csv", "a,b\n1,2\n3,4\n", 12);
    zf_model_type type = ZF_MODEL_FLOW;
    bool checkpoint = true;
    assert_ok(zf_model_kind(&type, &checkpoint, path));
    assert_int_equal(type, ZF_MODEL_NONE);
    assert_false(checkpoint);
    assert_fails(zf_model_kind(&type, NULL, none), ZF_EIO, "none");
    zf_blanket *model = NULL;
    assert_fails(zf_blanket_load_memory(&model, "rows", "a,b\n1,2\n", 8), ZF_EINPUT, "rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blankets),
        cmocka_unit_test(reductions),
        cmocka_unit_test(vision_and_flows),
        cmocka_unit_test(other_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
