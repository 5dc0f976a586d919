/* One model asked by several threads at once: the answers of one thread, whoever asks. */
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"
#include "zeroflow/reduce.h"
#include "zeroflow/vision.h"

enum {
    ASKERS = 4,
    ROUNDS = 25,
    ROWS = 200,
    D = 12,
    SIZE = 16,
    PICTURES = 3,
    PIXELS = 3 * SIZE * SIZE
};

/* The models, and what one thread was told. */
static struct {
    double *rows;
    zf_blanket *blanket;
    zf_reduction *reduction;
    zf_vision *vision;
    int dim; /* of a picture's features */
    float pictures[PICTURES * PIXELS];
    float gates[D * D], *codes, *features, *decoded;
} s;

static zf_graph *truth;

static void fit_tables(void)
{
    zf_generate_options law = zf_generate_defaults(ZF_CHAIN);
    law.rows = ROWS;
    law.variables = D;
    assert_ok(zf_generate(&s.rows, &truth, NULL, &law));
    zf_fit_options fit = zf_fit_defaults();
    fit.iterations = 20;
    fit.threads = 1;
    assert_ok(zf_blanket_fit(&s.blanket, NULL, s.rows, ROWS, zf_graph_names(truth), D, &fit));
    zf_reduce_options reduce = zf_reduce_defaults();
    reduce.targets = &(int32_t){0};
    reduce.n_targets = 1;
    reduce.dim = 2;
    reduce.iterations = 20;
    reduce.threads = 1;
    assert_ok(zf_reduce_fit(&s.reduction, NULL, s.rows, ROWS, zf_graph_names(truth), D, &reduce));
}

static float *room(size_t n)
{
    float *values = calloc(n, sizeof *values);
    assert_non_null(values);
    return values;
}

static int set_up(void **state)
{
    (void)state;
    fit_tables();
    zf_pretrain_options options = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    options.dim = 24;
    assert_ok(zf_vision_untrained(&s.vision, SIZE, &options));
    s.dim = zf_vision_dim(s.vision);
    for (int i = 0; i < PICTURES * PIXELS; i++) s.pictures[i] = (float)(i * 37 % 101) / 101;
    s.codes = room((size_t)ROWS * (size_t)zf_reduction_dim(s.reduction));
    s.features = room((size_t)(PICTURES * s.dim));
    s.decoded = room(PICTURES * PIXELS);
    for (int32_t i = 0; i < D; i++) assert_ok(zf_blanket_query(s.blanket, &i, 1, s.gates + i * D));
    int dim = zf_reduction_dim(s.reduction);
    for (int i = 0; i < ROWS; i++)
        assert_ok(zf_reduction_transform(s.reduction, s.codes + i * dim, s.rows + i * D, 1));
    for (int i = 0; i < PICTURES; i++) {
        float *features = s.features + i * s.dim;
        assert_ok(zf_vision_encode(s.vision, features, s.pictures + i * PIXELS, 1, 1));
        assert_ok(zf_vision_decode(s.vision, s.decoded + i * PIXELS, features, 1, 1));
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    zf_blanket_free(s.blanket);
    zf_reduction_free(s.reduction);
    zf_vision_free(s.vision);
    zf_graph_free(truth);
    free(s.rows);
    free(s.codes);
    free(s.features);
    free(s.decoded);
    return 0;
}

/* Assertions are for the first thread: the others count. */
static bool same(const float *found, const float *wanted, size_t n)
{
    return memcmp(found, wanted, n * sizeof *found) == 0;
}

static int ask_blankets(int round)
{
    int faults = 0;
    float gates[D];
    for (int32_t i = 0; i < D; i++) {
        int32_t target = (i + round) % D;
        zf_status status = zf_blanket_query(s.blanket, &target, 1, gates);
        faults += status != ZF_OK || !same(gates, s.gates + target * D, D);
    }
    return faults;
}

static int ask_codes(int round)
{
    float code[ZF_REDUCE_MOST];
    int faults = 0, dim = zf_reduction_dim(s.reduction);
    for (int i = round; i < ROWS; i += ROUNDS) {
        zf_status status = zf_reduction_transform(s.reduction, code, s.rows + i * D, 1);
        faults += status != ZF_OK || !same(code, s.codes + i * dim, (size_t)dim);
    }
    return faults;
}

static int ask_pictures(int round)
{
    float features[64], decoded[PIXELS];
    int faults = 0, i = round % PICTURES;
    const float *picture = s.pictures + i * PIXELS, *known = s.features + i * s.dim;
    faults += zf_vision_encode(s.vision, features, picture, 1, 1) != ZF_OK ||
              !same(features, known, (size_t)s.dim);
    faults += zf_vision_decode(s.vision, decoded, known, 1, 0) != ZF_OK ||
              !same(decoded, s.decoded + i * PIXELS, PIXELS);
    return faults;
}

static void *ask(void *faults)
{
    for (int round = 0; round < ROUNDS; round++)
        *(int *)faults += ask_blankets(round) + ask_codes(round) + ask_pictures(round);
    return NULL;
}

static void threads_share_models(void **state)
{
    (void)state;
    pthread_t threads[ASKERS];
    int faults[ASKERS] = {0};
    for (int i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &faults[i]), 0);
    for (int i = 0; i < ASKERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(faults[i], 0);
    }
}

/* What is asked one at a time and what is asked in batches go different ways. */
static void batches_agree(void **state)
{
    (void)state;
    enum { MOST = PICTURES * PIXELS };
    static float found[MOST];
    assert_ok(zf_blanket_matrix(s.blanket, found));
    for (int i = 0; i < D * D; i++) assert_close(found[i], s.gates[i], 1e-6);
    assert_ok(zf_vision_encode(s.vision, found, s.pictures, PICTURES, 2));
    for (int i = 0; i < PICTURES * s.dim; i++) assert_close(found[i], s.features[i], 1e-5);
    assert_ok(zf_vision_decode(s.vision, found, s.features, PICTURES, 2));
    for (int i = 0; i < MOST; i++) assert_close(found[i], s.decoded[i], 1e-5);
}

/* A question that fails gives back what it has taken. */
static void failures_leave_the_model_as_it_was(void **state)
{
    (void)state;
    double row[D] = {[1] = 1.0 / 0.0};
    float code[ZF_REDUCE_MOST], features[64];
    assert_fails(zf_reduction_transform(s.reduction, code, row, 1), ZF_EINPUT, "column");
    assert_fails(zf_vision_encode(s.vision, features, s.pictures, 1, -1), ZF_EINVAL, "threads");
    assert_int_equal(ask_codes(0) + ask_pictures(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_models),
        cmocka_unit_test(batches_agree),
        cmocka_unit_test(failures_leave_the_model_as_it_was),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
