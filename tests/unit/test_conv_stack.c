/* Stacks of convolutions: the kernels against the definition over many shapes, the operation
   against PyTorch, as one and as layers of their own. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "engine/op.h"
#include "kernel/conv_stack.h"
#include "kernel/dispatch.h"
#include "layer.h"
#include "op/ops.h"

enum { N = 2, MOST = ZF_STACK_MOST };

/* Whether this machine has a way for whole stacks. */
static bool as_one(void)
{
    return (zf_tiles_usable() || zf_isa_current() >= ZF_AVX2) && !zf_products_exact();
}

/* --- by definition --------------------------------------------------------------------- */

/* Values and gradients of all layers; value[l] is what layer l reads, behind relu. */
typedef struct truth {
    double *value[MOST + 1], *grad[MOST + 1], *dw[MOST], *db[MOST];
} truth;

typedef struct tensors {
    float *x, *dy, *w[MOST], *b[MOST];
} tensors;

static size_t size_of(const zf_stack *s, int l)
{
    return (size_t)(N * s->channels[l] * s->h * s->w);
}

static size_t weights_of(const zf_stack *s, int l)
{
    return (size_t)(9 * s->channels[l] * s->channels[l + 1]);
}

/* Where in a tensor and in the weights a pixel's product with a tap is; false beyond. */
static bool place_of(const zf_stack *s, int l, const int at[6], size_t *x, size_t *w)
{
    int i = at[0], o = at[1], p = at[2] / s->w, q = at[2] % s->w, c = at[3];
    int row = p + at[4] - 1, column = q + at[5] - 1, in = s->channels[l];
    *x = (size_t)(((i * in + c) * s->h + row) * s->w + column);
    *w = (size_t)(((o * in + c) * 3 + at[4]) * 3 + at[5]);
    return row >= 0 && row < s->h && column >= 0 && column < s->w;
}

/* All products of an output pixel: into its value, or out of its gradient. */
static void visit_pixel(const zf_stack *s, int l, truth *t, const float *weights, int i, int o,
                        int pixel, bool back)
{
    size_t y = (size_t)((i * s->channels[l + 1] + o) * s->h * s->w + pixel), x, w;
    for (int c = 0; c < s->channels[l]; c++)
        for (int k = 0; k < 9; k++) {
            int at[] = {i, o, pixel, c, k / 3, k % 3};
            if (!place_of(s, l, at, &x, &w)) continue;
            if (!back) t->value[l + 1][y] += t->value[l][x] * (double)weights[w];
            if (back) t->grad[l][x] += t->grad[l + 1][y] * (double)weights[w];
            if (back) t->dw[l][w] += t->grad[l + 1][y] * t->value[l][x];
        }
}

static void visit_layer(const zf_stack *s, int l, truth *t, const tensors *from, bool back)
{
    int pixels = s->h * s->w, outputs = s->channels[l + 1];
    for (int i = 0; i < N; i++)
        for (int o = 0; o < outputs; o++)
            for (int p = 0; p < pixels; p++) {
                size_t y = (size_t)((i * outputs + o) * pixels + p);
                if (!back) t->value[l + 1][y] = (double)from->b[l][o];
                if (back) t->db[l][o] += t->grad[l + 1][y];
                visit_pixel(s, l, t, from->w[l], i, o, p, back);
            }
}

static truth by_definition(const zf_stack *s, const tensors *from)
{
    truth t = {0};
    int last = s->layers;
    for (int l = 0; l <= last; l++) {
        t.value[l] = calloc(size_of(s, l), sizeof(double));
        t.grad[l] = calloc(size_of(s, l), sizeof(double));
        if (l == last) continue;
        t.dw[l] = calloc(weights_of(s, l), sizeof(double));
        t.db[l] = calloc((size_t)s->channels[l + 1], sizeof(double));
    }
    for (size_t i = 0; i < size_of(s, 0); i++) t.value[0][i] = (double)from->x[i];
    for (size_t i = 0; i < size_of(s, last); i++) t.grad[last][i] = (double)from->dy[i];
    for (int l = 0; l < last; l++) {
        visit_layer(s, l, &t, from, false);
        for (size_t i = 0; l + 1 < last && i < size_of(s, l + 1); i++)
            t.value[l + 1][i] = fmax(t.value[l + 1][i], 0);
    }
    for (int l = last - 1; l >= 0; l--) {
        visit_layer(s, l, &t, from, true);
        for (size_t i = 0; l > 0 && i < size_of(s, l); i++)
            if (t.value[l][i] <= 0) t.grad[l][i] = 0;
    }
    return t;
}

static void free_truth(truth *t)
{
    for (int l = 0; l <= MOST; l++) free(t->value[l]), free(t->grad[l]);
    for (int l = 0; l < MOST; l++) free(t->dw[l]), free(t->db[l]);
}

/* --- numbers --------------------------------------------------------------------------- */

static float *floats(size_t n)
{
    float *values = zf_slab_new(n * sizeof *values);
    assert_non_null(values);
    return values;
}

/* -1, 0 or 1, plus what is given. */
static float *whole_numbers(size_t n, zf_random *r, float plus)
{
    float *values = floats(n);
    for (size_t i = 0; i < n; i++) values[i] = (float)zf_random_below(r, 3) - 1 + plus;
    return values;
}

static float *normals(size_t n, zf_random *r)
{
    float *values = floats(n);
    for (size_t i = 0; i < n; i++) values[i] = zf_random_normal(r);
    return values;
}

/* With whole numbers all sums are exact, and a layer's bias sees to it that none is 0,
   where relu has its kink: a half, a quarter, an eighth more than whole. */
static tensors some_tensors(const zf_stack *s, zf_random *r, bool whole)
{
    tensors t = {0};
    t.x = whole ? whole_numbers(size_of(s, 0), r, 0) : normals(size_of(s, 0), r);
    t.dy = whole ? whole_numbers(size_of(s, s->layers), r, 0) : normals(size_of(s, s->layers), r);
    for (int l = 0; l < s->layers; l++) {
        size_t outputs = (size_t)s->channels[l + 1];
        float plus = 1.0f / (float)(2 << l);
        t.w[l] = whole ? whole_numbers(weights_of(s, l), r, 0) : normals(weights_of(s, l), r);
        t.b[l] = whole ? whole_numbers(outputs, r, plus) : normals(outputs, r);
    }
    return t;
}

static void free_tensors(tensors *t)
{
    free(t->x), free(t->dy);
    for (int l = 0; l < MOST; l++) free(t->w[l]), free(t->b[l]);
}

/* --- kernels ---------------------------------------------------------------------------- */

static double scale_of(const double *v, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += v[i] * v[i];
    return sqrt(squares / (double)n);
}

/* got is what was there before, if it was to be added to, and the truth. */
static void compare(const zf_stack *s, const char *what, int l, const float *got, float before,
                    const double *expected, size_t n, double relative)
{
    double most = relative * (1 + scale_of(expected, n));
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - (double)before - expected[i]) <= most))
            fail_msg("%s %d of %d layers, %dx%d, %d-%d-%d-%d-%d: element %zu is %.7g, not %.7g",
                     what, l, s->layers, s->h, s->w, s->channels[0], s->channels[1], s->channels[2],
                     s->channels[3], s->channels[4], i, (double)got[i],
                     expected[i] + (double)before);
}

/* Exactly as large as asked for, and full of NaN. */
static void *dirty(size_t bytes)
{
    void *memory = aligned_alloc(64, bytes ? bytes : 64);
    assert_non_null(memory);
    memset(memory, 0xff, bytes);
    return memory;
}

static float *filled(size_t n, float value)
{
    float *values = floats(n);
    for (size_t i = 0; i < n; i++) values[i] = value;
    return values;
}

typedef struct run {
    void *packed, *scratch;
    float *y;
} run;

static run run_forward(const zf_stack *s, const tensors *t)
{
    const zf_stack_kernels *kernels = zf_stack_kernels_for(s);
    assert_non_null(kernels);
    run r = {.packed = dirty(kernels->packed_bytes(s)),
             .scratch = dirty(kernels->scratch_bytes(s)),
             .y = filled(size_of(s, s->layers), NAN)};
    kernels->pack(s, (const float *const *)t->w, (const float *const *)t->b, r.packed);
    kernels->forward(s, N, r.packed, t->x, r.y, r.scratch);
    return r;
}

static void free_run(run *r)
{
    free(r->packed), free(r->scratch), free(r->y);
}

/* Of dx only what is wanted is written, and added to where asked for. */
static void check_dx(const zf_stack *s, const float *dx, float before, const truth *t,
                     double relative)
{
    size_t pixels = (size_t)(s->h * s->w), image = (size_t)s->channels[0] * pixels;
    size_t skipped = (size_t)s->wanted * pixels;
    for (size_t i = 0; i < N; i++) {
        compare(s, "dx", 0, dx + i * image + skipped, before, t->grad[0] + i * image + skipped,
                image - skipped, relative);
        for (size_t k = 0; k < skipped; k++) assert_true(dx[i * image + k] == 3);
    }
}

/* For a call that goes forward and back: it must ask with what forward alone gives. */
typedef struct asked {
    const zf_stack *stack;
    const float *y, *dy;
    float *told;
} asked;

static void answer(void *context, int i, const float *y)
{
    const asked *a = context;
    size_t size = size_of(a->stack, a->stack->layers) / N, at = (size_t)i * size;
    assert_memory_equal(y, a->y + at, size * sizeof *y);
    memcpy(a->told + at, a->dy + at, size * sizeof *y);
}

static void check_backward(const zf_stack *s, const tensors *t, run *r, const truth *expected,
                           bool asking, bool add, double relative)
{
    zf_stack_gradients g = {.x = t->x, .dy = t->dy, .add_dx = add};
    size_t outputs = size_of(s, s->layers);
    asked a = {.stack = s, .y = r->y, .dy = t->dy, .told = filled(outputs, NAN)};
    if (asking) g.dy = a.told, g.answer = answer, g.context = &a, g.y = filled(outputs / N, NAN);
    g.dx = filled(size_of(s, 0), 3);
    for (int l = 0; l < s->layers; l++) {
        g.dw[l] = filled(weights_of(s, l), 5), g.add_dw[l] = add;
        g.db[l] = filled((size_t)s->channels[l + 1], 7), g.add_db[l] = add;
    }
    memset(r->scratch, 0xff, zf_stack_kernels_for(s)->scratch_bytes(s));
    zf_stack_kernels_for(s)->backward(s, N, r->packed, &g, r->scratch);
    check_dx(s, g.dx, add ? 3 : 0, expected, relative);
    for (int l = 0; l < s->layers; l++) {
        compare(s, "dw", l, g.dw[l], add ? 5 : 0, expected->dw[l], weights_of(s, l), relative);
        compare(s, "db", l, g.db[l], add ? 7 : 0, expected->db[l], (size_t)s->channels[l + 1],
                relative);
        free(g.dw[l]), free(g.db[l]);
    }
    free(g.dx), free(g.y), free(a.told);
}

/* Tiles have whole numbers exactly, and 16 bits of others; Winograd's way takes fractions of
   both. */
static double tolerance(bool whole)
{
    if (!zf_tiles_usable()) return 1e-5;
    return whole ? 1e-6 : 3e-5;
}

static void check_stack(const zf_stack *s, zf_random *r, bool whole, bool add)
{
    double relative = tolerance(whole);
    tensors t = some_tensors(s, r, whole);
    truth expected = by_definition(s, &t);
    run done = run_forward(s, &t);
    size_t outputs = size_of(s, s->layers);
    compare(s, "y", 0, done.y, 0, expected.value[s->layers], outputs, relative);
    check_backward(s, &t, &done, &expected, false, add, relative);
    check_backward(s, &t, &done, &expected, true, add, relative);
    free_run(&done);
    free_truth(&expected);
    free_tensors(&t);
}

static int between(zf_random *r, int least, int most)
{
    return least + (int)zf_random_below(r, (uint32_t)(most - least + 1));
}

/* Channels of every number, rows of every rest by 16, up to four layers. */
static void test_whole_numbers(void **state)
{
    (void)state;
    zf_random r = zf_random_at(7, ZF_FOR_TEST, 3, 0);
    if (!as_one()) skip();
    for (int i = 0; i < 48; i++) {
        zf_stack s = {.layers = 1 + i % 4, .h = between(&r, 4, 9), .w = 12 + i};
        for (int l = 0; l <= s.layers; l++) s.channels[l] = between(&r, 1, i % 3 ? 16 : 5);
        if (s.layers == 1) s.channels[1] = between(&r, 4, 16);
        s.wanted = between(&r, 0, s.channels[0] - 1);
        check_stack(&s, &r, true, i & 1);
    }
}

/* The networks' own, at the sides that images have. */
static void test_sides(void **state)
{
    (void)state;
    static const int sides[] = {16, 32, 48, 64, 96};
    zf_random r = zf_random_at(7, ZF_FOR_TEST, 4, 0);
    if (!as_one()) skip();
    for (int i = 0; i < 5; i++) {
        zf_stack encoder = {3, 5 + i, sides[i], {3, 16, 16, 1}, 0};
        zf_stack velocity = {3, 5 + i, sides[i], {10, 16, 16, 3}, 7};
        check_stack(&encoder, &r, true, false);
        check_stack(&velocity, &r, true, true);
    }
}

/* Numbers of 24 bits, of which 16 count. */
static void test_normal_numbers(void **state)
{
    (void)state;
    zf_random r = zf_random_at(7, ZF_FOR_TEST, 5, 0);
    if (!as_one()) skip();
    for (int i = 0; i < 24; i++) {
        zf_stack s = {.layers = 1, .h = between(&r, 4, 9), .w = between(&r, 12, 50)};
        s.channels[0] = between(&r, 1, 16), s.channels[1] = between(&r, 4, 16);
        check_stack(&s, &r, false, i & 1);
    }
}

/* What no one wants is not written, and changes nothing else. */
static void test_unwanted(void **state)
{
    (void)state;
    zf_stack s = {3, 6, 20, {4, 16, 12, 2}, 0};
    zf_random r = zf_random_at(7, ZF_FOR_TEST, 6, 0);
    if (!as_one()) skip();
    tensors t = some_tensors(&s, &r, true);
    truth expected = by_definition(&s, &t);
    run done = run_forward(&s, &t);
    zf_stack_gradients g = {.x = t.x, .dy = t.dy};
    g.dw[1] = filled(weights_of(&s, 1), 1), g.db[2] = filled(2, 1);
    zf_stack_kernels_for(&s)->backward(&s, N, done.packed, &g, done.scratch);
    compare(&s, "dw", 1, g.dw[1], 0, expected.dw[1], weights_of(&s, 1), tolerance(true));
    compare(&s, "db", 2, g.db[2], 0, expected.db[2], 2, tolerance(true));
    free(g.dw[1]), free(g.db[2]);
    free_run(&done);
    free_truth(&expected);
    free_tensors(&t);
}

static void test_refused(void **state)
{
    (void)state;
    const zf_stack good = {2, 8, 16, {3, 16, 1}, 0};
    zf_stack bad[6];
    for (int i = 0; i < 6; i++) bad[i] = good;
    bad[0].channels[1] = 17;
    bad[1].w = 11;
    bad[2].h = 3;
    bad[3].wanted = 3;
    bad[4].layers = 5;
    bad[5] = (zf_stack){1, 8, 16, {16, 3}, 0};
    assert_int_equal(zf_stack_kernels_for(&good) != NULL, as_one());
    for (int i = 0; i < 6; i++) assert_null(zf_stack_kernels_for(&bad[i]));
}

/* --- the operation ------------------------------------------------------------------------ */

static void check_golden(const char *name, int layers, int shards, bool quick)
{
    static const char *const weight[] = {"0_weight", "1_weight", "2_weight"};
    static const char *const bias[] = {"0_bias", "1_bias", "2_bias"};
    layer *l = layer_open(name, shards);
    zf_node *x = layer_input(l, "input"), *weights[3], *biases[3];
    if (quick) zf_program_allow_quick_products(zf_node_program(x));
    for (int i = 0; i < layers; i++) {
        weights[i] = layer_parameter(l, weight[i]);
        biases[i] = layer_parameter(l, bias[i]);
    }
    zf_node *y = zf_conv_stack(x, weights, biases, layers);
    assert_int_equal(strcmp(y->op->name, "conv_stack") == 0, quick && as_one());
    layer_check(l, y, quick ? 2e-5 : 1e-5);
    layer_close(l);
}

static void test_golden(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 3; shards++)
        for (int quick = 0; quick < 2; quick++) {
            check_golden("conv_stack_velocity", 3, shards, quick);
            check_golden("conv_stack_encoder", 3, shards, quick);
            check_golden("conv_stack_odd", 3, shards, quick);
            check_golden("conv_stack_one", 1, shards, quick);
        }
}

/* Layers that do not fit together are refused as layers of their own are. */
static void test_message(void **state)
{
    (void)state;
    zf_params *params;
    zf_program *program;
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_program_new(&program, params));
    zf_program_allow_quick_products(program);
    zf_domain *rows = zf_program_domain(program, "rows", 4, 1);
    zf_node *x = zf_input(program, rows, ZF_F32, zf_shape_of(3, 16, 16));
    zf_node *weights[] = {zf_parameter(program, "v", zf_shape_of(5, 3, 3, 3), ZF_ZEROS),
                          zf_parameter(program, "w", zf_shape_of(5, 4, 3, 3), ZF_ZEROS)};
    zf_node *biases[] = {zf_parameter(program, "b", zf_shape_of(5), ZF_ZEROS),
                         zf_parameter(program, "c", zf_shape_of(5), ZF_ZEROS)};
    assert_null(zf_conv_stack(x, weights, biases, 2));
    assert_fails(zf_program_plan(program, NULL, NULL, 0, 1), ZF_EINVAL, "parameter [O, C, KH, KW]");
    zf_program_free(program);
    zf_params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_numbers),  cmocka_unit_test(test_sides),
        cmocka_unit_test(test_normal_numbers), cmocka_unit_test(test_unwanted),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
