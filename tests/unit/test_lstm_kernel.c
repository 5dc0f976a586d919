/* The LSTM kernels against a plain walk through time in double precision, in
   every instruction set, over odd sizes, both directions; adding and
   overwriting; rows by themselves against rows together. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isas.h"
#include "kernel/lstm.h"

ISA_TABLES(zf_lstm_kernels, zf_lstm_kernels_of)

enum { MOST_HIDDEN = 40, MOST_STEPS = 7 };

typedef struct problem {
    zf_lstm_size size;
    int n;
    size_t n_x, n_y, n_input, n_hidden;
    float *x, *dy, *w_input, *w_hidden, *bias;
} problem;

static float *normals(size_t n, uint32_t key)
{
    float *values = zf_slab_new(n * sizeof *values);
    assert_non_null(values);
    fill_normal(values, n, key);
    return values;
}

static problem problem_of(zf_lstm_size size, int n)
{
    problem p = {.size = size, .n = n};
    size_t h = (size_t)size.hidden, i = (size_t)size.inputs;
    p.n_x = (size_t)(n * size.steps) * i;
    p.n_y = (size_t)(n * size.steps * size.outputs);
    p.n_input = 4 * h * i;
    p.n_hidden = 4 * h * h;
    p.x = normals(p.n_x, 1);
    p.dy = normals(p.n_y, 2);
    p.w_input = normals(p.n_input, 3);
    p.w_hidden = normals(p.n_hidden, 4);
    p.bias = normals(4 * h, 5);
    for (size_t k = 0; k < p.n_hidden; k++) p.w_hidden[k] *= 0.3f;
    return p;
}

static void free_problem(problem *p)
{
    free(p->x), free(p->dy), free(p->w_input), free(p->w_hidden), free(p->bias);
}

/* Everything about one row, in double. */
typedef struct trace {
    double gate[MOST_STEPS][4][MOST_HIDDEN], cell[MOST_STEPS + 1][MOST_HIDDEN],
        hidden[MOST_STEPS + 1][MOST_HIDDEN];
} trace;

typedef struct expected {
    double *y, *dx, *dw_input, *dw_hidden, *d_bias;
} expected;

static int step_at(const problem *p, int i)
{
    return p->size.reverse ? p->size.steps - 1 - i : i;
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static void forward_row(const problem *p, int row, trace *t, expected *e)
{
    int h = p->size.hidden, in = p->size.inputs;
    memset(t, 0, sizeof *t);
    for (int i = 0; i < p->size.steps; i++) {
        size_t at = (size_t)(row * p->size.steps + step_at(p, i));
        for (int g = 0; g < 4; g++)
            for (int u = 0; u < h; u++) {
                double sum = p->bias[g * h + u];
                for (int k = 0; k < in; k++)
                    sum += (double)p->w_input[(g * h + u) * in + k] *
                           p->x[at * (size_t)in + (size_t)k];
                for (int k = 0; k < h; k++)
                    sum += (double)p->w_hidden[(g * h + u) * h + k] * t->hidden[i][k];
                t->gate[i][g][u] = g == 2 ? tanh(sum) : logistic(sum);
            }
        for (int u = 0; u < h; u++) {
            t->cell[i + 1][u] =
                t->gate[i][1][u] * t->cell[i][u] + t->gate[i][0][u] * t->gate[i][2][u];
            t->hidden[i + 1][u] = t->gate[i][3][u] * tanh(t->cell[i + 1][u]);
            e->y[at * (size_t)p->size.outputs + (size_t)u] = t->hidden[i + 1][u];
        }
    }
}

static void backward_gate(const problem *p, size_t at, const trace *t, int i, int gate, double d,
                          double *d_hidden, expected *e)
{
    int h = p->size.hidden, in = p->size.inputs;
    e->d_bias[gate] += d;
    for (int k = 0; k < in; k++) {
        e->dw_input[gate * in + k] += d * (double)p->x[at * (size_t)in + (size_t)k];
        e->dx[at * (size_t)in + (size_t)k] += d * (double)p->w_input[gate * in + k];
    }
    for (int k = 0; k < h; k++) {
        e->dw_hidden[gate * h + k] += d * t->hidden[i][k];
        d_hidden[k] += d * (double)p->w_hidden[gate * h + k];
    }
}

static void backward_row(const problem *p, int row, const trace *t, expected *e)
{
    int h = p->size.hidden;
    double d_hidden[MOST_HIDDEN] = {0}, d_cell[MOST_HIDDEN] = {0};
    for (int i = p->size.steps - 1; i >= 0; i--) {
        size_t at = (size_t)(row * p->size.steps + step_at(p, i));
        double next[MOST_HIDDEN] = {0};
        for (int u = 0; u < h; u++) {
            double in = t->gate[i][0][u], forget = t->gate[i][1][u], cand = t->gate[i][2][u],
                   out = t->gate[i][3][u], shown = tanh(t->cell[i + 1][u]);
            double dh = p->dy[at * (size_t)p->size.outputs + (size_t)u] + d_hidden[u];
            double dc = d_cell[u] + dh * out * (1 - shown * shown);
            const double d[4] = {dc * cand * in * (1 - in),
                                 dc * t->cell[i][u] * forget * (1 - forget),
                                 dc * in * (1 - cand * cand), dh * shown * out * (1 - out)};
            for (int g = 0; g < 4; g++) backward_gate(p, at, t, i, g * h + u, d[g], next, e);
            d_cell[u] = dc * forget;
        }
        memcpy(d_hidden, next, sizeof next);
    }
}

static expected expect(const problem *p)
{
    expected e = {.y = calloc(p->n_y, sizeof(double)),
                  .dx = calloc(p->n_x, sizeof(double)),
                  .dw_input = calloc(p->n_input, sizeof(double)),
                  .dw_hidden = calloc(p->n_hidden, sizeof(double)),
                  .d_bias = calloc((size_t)p->size.hidden * 4, sizeof(double))};
    trace *t = malloc(sizeof *t);
    for (int row = 0; row < p->n; row++) {
        forward_row(p, row, t, &e);
        backward_row(p, row, t, &e);
    }
    free(t);
    return e;
}

static void free_expected(expected *e)
{
    free(e->y), free(e->dx), free(e->dw_input), free(e->dw_hidden), free(e->d_bias);
}

/* got, less what it started from, is sum. */
static void check(const problem *p, const char *what, const float *got, uint32_t start_key,
                  const double *sum, size_t n)
{
    float *start = normals(n, start_key);
    double largest = 1;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(sum[i]));
    for (size_t i = 0; i < n; i++) {
        double wish = sum[i] + (start_key ? (double)start[i] : 0.0);
        if (!(fabs((double)got[i] - wish) < 1e-5 * largest))
            fail_msg("%s, %d rows, %d steps, %d inputs, %d hidden, %d lanes: element %zu is %.8g, "
                     "expected %.8g",
                     what, p->n, p->size.steps, p->size.inputs, p->size.hidden,
                     p->size.kernels->lanes, i, (double)got[i], wish);
    }
    free(start);
}

static void *dirty(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    memset(memory, 0xff, bytes);
    return memory;
}

/* Columns of y that are not this direction's must stay as they were. */
static void check_output(const problem *p, const float *y, const double *sum)
{
    float *before = normals(p->n_y, 6);
    for (size_t i = 0; i < p->n_y; i++) {
        bool ours = (int)(i % (size_t)p->size.outputs) < p->size.hidden;
        double wish = ours ? sum[i] : (double)before[i];
        if (!(fabs((double)y[i] - wish) < 2e-6))
            fail_msg("y %zu is %.8g, expected %.8g", i, (double)y[i], wish);
    }
    free(before);
}

static void check_problem(const problem *p, bool fresh, bool with_x)
{
    expected e = expect(p);
    size_t n_bias = (size_t)p->size.hidden * 4;
    float *y = normals(p->n_y, 6), *shown = normals(p->n_y, 6), *dx = normals(p->n_x, 7);
    float *dw_input = normals(p->n_input, 8), *dw_hidden = normals(p->n_hidden, 9);
    float *d_bias = normals(n_bias, 10);
    float *saved = dirty(zf_lstm_saved_bytes(&p->size, p->n));
    void *scratch = dirty(zf_lstm_scratch_bytes(&p->size, p->n));
    zf_lstm_values w = {p->w_input, p->w_hidden, p->bias};
    zf_lstm_grads grads = {
        with_x ? dx : NULL, dw_input, dw_hidden, d_bias, fresh, fresh, fresh, fresh};

    zf_lstm_forward(&p->size, p->n, p->x, &w, shown, NULL, scratch);
    check_output(p, shown, e.y);
    zf_lstm_forward(&p->size, p->n, p->x, &w, y, saved, scratch);
    assert_memory_equal(y, shown, p->n_y * sizeof *y);
    memset(scratch, 0xff, zf_lstm_scratch_bytes(&p->size, p->n));
    zf_lstm_backward(&p->size, p->n, p->x, &w, y, p->dy, saved, &grads, scratch);
    if (with_x) check(p, "dx", dx, fresh ? 0 : 7, e.dx, p->n_x);
    check(p, "dw_input", dw_input, fresh ? 0 : 8, e.dw_input, p->n_input);
    check(p, "dw_hidden", dw_hidden, fresh ? 0 : 9, e.dw_hidden, p->n_hidden);
    check(p, "d_bias", d_bias, fresh ? 0 : 10, e.d_bias, n_bias);

    free(y), free(shown), free(dx), free(dw_input), free(dw_hidden), free(d_bias);
    free(saved), free(scratch);
    free_expected(&e);
}

static void test_against_definition(void **state)
{
    (void)state;
    static const int sizes[][4] = {/* rows, steps, inputs, hidden */
                                   {1, 1, 1, 1},  {2, 3, 1, 5},   {7, 5, 3, 4},   {13, 7, 16, 16},
                                   {50, 4, 5, 8}, {5, 6, 17, 20}, {9, 5, 33, 33}, {140, 3, 2, 40}};
    int variant = 0;
    EVERY_ISA(zf_lstm_kernels, zf_lstm_kernels_of, kernels)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, variant++) {
        zf_lstm_size size = {.steps = sizes[i][1],
                             .inputs = sizes[i][2],
                             .hidden = sizes[i][3],
                             .outputs = sizes[i][3] * (1 + variant % 2),
                             .reverse = variant / 2 % 2,
                             .kernels = kernels};
        problem p = problem_of(size, sizes[i][0]);
        check_problem(&p, true, variant % 3 > 0);
        check_problem(&p, false, true);
        free_problem(&p);
    }
}

static void test_rows_are_independent(void **state)
{
    (void)state;
    EVERY_ISA(zf_lstm_kernels, zf_lstm_kernels_of, kernels)
    {
        zf_lstm_size size = {
            .steps = 5, .inputs = 3, .hidden = 9, .outputs = 9, .kernels = kernels};
        problem p = problem_of(size, 11);
        zf_lstm_values w = {p.w_input, p.w_hidden, p.bias};
        float *y = normals(p.n_y, 6), *one = normals(p.n_y, 7);
        void *scratch = dirty(zf_lstm_scratch_bytes(&size, p.n));
        zf_lstm_forward(&size, p.n, p.x, &w, y, NULL, scratch);
        for (size_t row = 0; row < 11; row++)
            zf_lstm_forward(&size, 1, p.x + row * 5 * 3, &w, one + row * 5 * 9, NULL, scratch);
        assert_memory_equal(y, one, p.n_y * sizeof *y);
        free(y), free(one), free(scratch);
        free_problem(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_definition),
        cmocka_unit_test(test_rows_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
