/* Transposed convolutions that double images, on tiles, against the definition: every room
   for outputs, odd sides, groups of images that are full, begun or more than one. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/conv_doubling.h"
#include "kernel/dispatch.h"

typedef struct tensors {
    size_t x_size, y_size, w_size;
    float *x, *w, *dy, *bias;
    double *y, *dx, *dw; /* by definition */
} tensors;

static float *normals(size_t n, uint32_t key)
{
    float *values = zf_slab_new(n * sizeof *values);
    assert_non_null(values);
    fill_normal(values, n, key);
    return values;
}

/* What a number of x sends to y, and back. */
static void add_products(const zf_doubling *d, tensors *t, int n, int c, int i, int j)
{
    size_t x = (size_t)(((n * d->c + c) * d->h + i) * d->w + j);
    for (int o = 0; o < d->o; o++)
        for (int k = 0; k < 16; k++) {
            int row = 2 * i - 1 + k / 4, column = 2 * j - 1 + k % 4;
            if (row < 0 || row >= 2 * d->h || column < 0 || column >= 2 * d->w) continue;
            size_t y = (size_t)(((n * d->o + o) * 2 * d->h + row) * 2 * d->w + column);
            size_t w = (size_t)((c * d->o + o) * 16 + k);
            t->y[y] += (double)t->x[x] * (double)t->w[w];
            t->dx[x] += (double)t->dy[y] * (double)t->w[w];
            t->dw[w] += (double)t->dy[y] * (double)t->x[x];
        }
}

static tensors some_tensors(const zf_doubling *d, int n)
{
    size_t pixels = (size_t)(n * d->h * d->w);
    tensors t = {.x_size = pixels * (size_t)d->c,
                 .y_size = 4 * pixels * (size_t)d->o,
                 .w_size = (size_t)(d->c * d->o * 16)};
    t.x = normals(t.x_size, 1);
    t.w = normals(t.w_size, 2);
    t.dy = normals(t.y_size, 3);
    t.bias = normals((size_t)d->o, 4);
    t.y = calloc(t.y_size, sizeof *t.y);
    t.dx = calloc(t.x_size, sizeof *t.dx);
    t.dw = calloc(t.w_size, sizeof *t.dw);
    for (int i = 0; i < n * d->c * d->h * d->w; i++)
        add_products(d, &t, i / (d->c * d->h * d->w), i / (d->h * d->w) % d->c, i / d->w % d->h,
                     i % d->w);
    return t;
}

static void free_tensors(tensors *t)
{
    free(t->x);
    free(t->w);
    free(t->dy);
    free(t->bias);
    free(t->y);
    free(t->dx);
    free(t->dw);
}

/* got is start + sum, to what two bfloat16 hold of each factor. */
static void check(const zf_doubling *d, const char *what, const float *got, const float *start,
                  const double *sum, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += sum[i] * sum[i];
    double most = 3e-5 * (1 + sqrt(squares / (double)n));
    for (size_t i = 0; i < n; i++) {
        double expected = sum[i] + (start ? (double)start[i] : 0.0);
        if (!(fabs((double)got[i] - expected) < most))
            fail_msg("%s of %dx%dx%d to %d channels: element %zu is %.7g, expected %.7g", what,
                     d->c, d->h, d->w, d->o, i, (double)got[i], expected);
    }
}

static void check_forward(const zf_doubling *d, int n, tensors *t, const void *packed, void *memory)
{
    float *y = normals(t->y_size, 5);
    for (int biased = 1; biased >= 0; biased--) {
        zf_doubling_values job = {n, packed, t->x, biased ? t->bias : NULL, y};
        zf_doubling_forward(d, &job, memory);
        float *start = calloc(t->y_size, sizeof *start);
        for (size_t i = 0; i < t->y_size; i++)
            start[i] = biased ? t->bias[i / (size_t)(4 * d->h * d->w) % (size_t)d->o] : 0;
        check(d, "y", y, start, t->y, t->y_size);
        free(start);
    }
    free(y);
}

static void check_backward(const zf_doubling *d, int n, tensors *t, const void *packed,
                           void *memory)
{
    float *dx = normals(t->x_size, 6), *dw = normals(t->w_size, 7);
    float *x_start = normals(t->x_size, 6), *w_start = normals(t->w_size, 7);
    zf_doubling_gradients job = {n, packed, t->x, t->dy, dx, dw, true, true};
    zf_doubling_backward(d, &job, memory);
    check(d, "dx, added", dx, x_start, t->dx, t->x_size);
    check(d, "dw, added", dw, w_start, t->dw, t->w_size);
    job.add_dx = job.add_dw = false;
    zf_doubling_backward(d, &job, memory);
    check(d, "dx", dx, NULL, t->dx, t->x_size);
    check(d, "dw", dw, NULL, t->dw, t->w_size);
    memcpy(dx, x_start, t->x_size * sizeof *dx);
    job.dx = NULL;
    zf_doubling_backward(d, &job, memory);
    assert_memory_equal(dx, x_start, t->x_size * sizeof *dx);
    check(d, "dw alone", dw, NULL, t->dw, t->w_size);
    free(dx);
    free(dw);
    free(x_start);
    free(w_start);
}

static zf_conv conv_of(const zf_doubling *d)
{
    return (zf_conv){.c = d->o,
                     .h = 2 * d->h,
                     .w = 2 * d->w,
                     .o = d->c,
                     .kh = 4,
                     .kw = 4,
                     .stride_h = 2,
                     .stride_w = 2,
                     .padding_h = 1,
                     .padding_w = 1,
                     .quick = true};
}

static void check_doubling(zf_doubling d, int n)
{
    zf_conv conv = conv_of(&d);
    zf_doubling found;
    assert_true(zf_doubling_of(&conv, &found));
    assert_memory_equal(&found, &d, sizeof d);
    void *packed = zf_slab_new(zf_doubling_packed_bytes(&d)),
         *memory = zf_slab_new(zf_doubling_scratch(&d));
    tensors t = some_tensors(&d, n);
    memset(memory, 0xff, zf_doubling_scratch(&d)); /* NaN, wherever it is read too early */
    zf_doubling_pack(&d, t.w, packed);
    check_forward(&d, n, &t, packed, memory);
    memset(memory, 0xff, zf_doubling_scratch(&d));
    check_backward(&d, n, &t, packed, memory);
    free_tensors(&t);
    free(packed);
    free(memory);
}

static void test_values_and_gradients(void **state)
{
    (void)state;
    if (!zf_tiles_usable()) skip();
    check_doubling((zf_doubling){64, 4, 4, 32}, 16); /* the decoder's */
    check_doubling((zf_doubling){32, 8, 8, 16}, 16);
    check_doubling((zf_doubling){16, 16, 16, 3}, 16);
    check_doubling((zf_doubling){16, 6, 6, 8}, 3);
    check_doubling((zf_doubling){8, 5, 7, 1}, 17);
    check_doubling((zf_doubling){20, 1, 3, 4}, 2);
    check_doubling((zf_doubling){9, 3, 1, 5}, 33);
    check_doubling((zf_doubling){24, 3, 5, 20}, 7);
    check_doubling((zf_doubling){17, 2, 2, 16}, 1);
}

/* What an image becomes does not depend on those beside it. */
static void test_images_do_not_meet(void **state)
{
    (void)state;
    if (!zf_tiles_usable()) skip();
    enum { N = 20, LAST = 19 };
    zf_doubling d = {16, 4, 4, 8};
    tensors t = some_tensors(&d, N);
    void *packed = zf_slab_new(zf_doubling_packed_bytes(&d)),
         *memory = zf_slab_new(zf_doubling_scratch(&d));
    float *all = normals(t.y_size, 8), *alone = normals(t.y_size / N, 9);
    zf_doubling_pack(&d, t.w, packed);
    zf_doubling_forward(&d, &(zf_doubling_values){N, packed, t.x, NULL, all}, memory);
    zf_doubling_forward(
        &d, &(zf_doubling_values){1, packed, t.x + t.x_size / N * LAST, NULL, alone}, memory);
    assert_memory_equal(alone, all + t.y_size / N * LAST, t.y_size / N * sizeof *all);
    free_tensors(&t);
    free(packed);
    free(memory);
    free(all);
    free(alone);
}

static void test_others_are_refused(void **state)
{
    (void)state;
    zf_doubling d = {32, 8, 8, 16}, found;
    zf_conv conv = conv_of(&d), other = conv;
    assert_int_equal(zf_doubling_of(&conv, &found), zf_tiles_usable());
    other.quick = false;
    assert_false(zf_doubling_of(&other, &found));
    other = conv, other.h++;
    assert_false(zf_doubling_of(&other, &found));
    other = conv, other.padding_w = 0;
    assert_false(zf_doubling_of(&other, &found));
    other = conv, other.kw = 3;
    assert_false(zf_doubling_of(&other, &found));
    other = conv, other.o = 4;
    assert_false(zf_doubling_of(&other, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_and_gradients),
        cmocka_unit_test(test_images_do_not_meet),
        cmocka_unit_test(test_others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
