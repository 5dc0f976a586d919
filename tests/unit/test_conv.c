/* Convolution kernels against the definition, in every instruction set, over
   odd geometries: adding and overwriting, with and without bias; and an image's
   result does not depend on its neighbours in the batch. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "isas.h"
#include "kernel/conv.h"
#include "kernel/conv_product.h"
#include "kernel/conv_winograd.h"

ISA_TABLES(zf_conv_kernels, zf_conv_kernels_of)
ISA_TABLES(zf_product_kernels, zf_product_kernels_of)

enum { N = 3 };

typedef struct tensors {
    size_t x_size, y_size, w_size;
    float *x, *y, *w, *bias_y, *bias_x;
} tensors;

static float *normals(size_t n, uint32_t key)
{
    float *values = zf_slab_new(n * sizeof *values);
    assert_non_null(values);
    fill_normal(values, n, key);
    return values;
}

static tensors some_tensors(const zf_conv *g, int n)
{
    tensors t = {.x_size = (size_t)(n * g->c * g->h * g->w),
                 .y_size = (size_t)(n * g->o * zf_conv_output_h(g) * zf_conv_output_w(g)),
                 .w_size = (size_t)(g->o * g->c * g->kh * g->kw)};
    t.x = normals(t.x_size, 1);
    t.y = normals(t.y_size, 2);
    t.w = normals(t.w_size, 3);
    t.bias_y = normals((size_t)g->o, 4);
    t.bias_x = normals((size_t)g->c, 5);
    return t;
}

static void free_tensors(tensors *t)
{
    free(t->x);
    free(t->y);
    free(t->w);
    free(t->bias_y);
    free(t->bias_x);
}

/* Calls visit with the indices of x, y and w of every product that the
   definition has. */
typedef struct sums {
    const tensors *t;
    double *x, *y, *w;
} sums;

static void add_products_of_pixel(const zf_conv *g, sums *s, int i, int o, int a, int b)
{
    int oh = zf_conv_output_h(g), ow = zf_conv_output_w(g);
    size_t y = (size_t)(((i * g->o + o) * oh + a) * ow + b);
    for (int c = 0; c < g->c; c++)
        for (int ky = 0; ky < g->kh; ky++)
            for (int kx = 0; kx < g->kw; kx++) {
                int p = a * g->stride_h + ky - g->padding_h;
                int q = b * g->stride_w + kx - g->padding_w;
                if (p < 0 || p >= g->h || q < 0 || q >= g->w) continue;
                size_t x = (size_t)(((i * g->c + c) * g->h + p) * g->w + q);
                size_t w = (size_t)(((o * g->c + c) * g->kh + ky) * g->kw + kx);
                s->y[y] += (double)s->t->x[x] * (double)s->t->w[w];
                s->x[x] += (double)s->t->y[y] * (double)s->t->w[w];
                s->w[w] += (double)s->t->x[x] * (double)s->t->y[y];
            }
}

static sums by_definition(const zf_conv *g, int n, const tensors *t)
{
    sums s = {.t = t,
              .x = calloc(t->x_size, sizeof(double)),
              .y = calloc(t->y_size, sizeof(double)),
              .w = calloc(t->w_size, sizeof(double))};
    for (int i = 0; i < n; i++)
        for (int o = 0; o < g->o; o++)
            for (int a = 0; a < zf_conv_output_h(g); a++)
                for (int b = 0; b < zf_conv_output_w(g); b++)
                    add_products_of_pixel(g, &s, i, o, a, b);
    return s;
}

static double scale_of(const double *sum, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += sum[i] * sum[i];
    return sqrt(squares / (double)n);
}

/* got is start (or 0) + sum + bias of its channel, to rounding. With products of 16 bits a
   sum was off by 2e-5 of the sums' scale at worst, of a million. */
static void check(const zf_conv *g, const char *what, const float *got, const float *start,
                  const double *sum, size_t n, const float *bias, int channels, int pixels)
{
    double most = g->quick ? 3e-5 * (1 + scale_of(sum, n)) : 2e-4;
    for (size_t i = 0; i < n; i++) {
        double expected = sum[i] + (start ? (double)start[i] : 0.0);
        if (bias) expected += (double)bias[i / (size_t)pixels % (size_t)channels];
        double off = (double)got[i] - expected;
        if (!(fabs(off) < most))
            fail_msg("%s of %dx%dx%d by %dx%dx%d, stride %dx%d, padding %dx%d, %d lanes: element "
                     "%zu is %.7g, expected %.7g",
                     what, g->c, g->h, g->w, g->o, g->kh, g->kw, g->stride_h, g->stride_w,
                     g->padding_h, g->padding_w, g->kernels ? g->kernels->lanes : 0, i,
                     (double)got[i], expected);
    }
}

/* Exactly as large as asked for, and full of NaN. */
static void *dirty_scratch(size_t bytes)
{
    void *memory = aligned_alloc(64, bytes);
    memset(memory, 0xff, bytes);
    return memory;
}

static void check_geometry(const zf_conv *g, bool accumulate, bool with_bias)
{
    tensors t = some_tensors(g, N);
    sums s = by_definition(g, N, &t);
    float *y = normals(t.y_size, 6), *y0 = normals(t.y_size, 6);
    float *x = normals(t.x_size, 7), *x0 = normals(t.x_size, 7);
    float *w = normals(t.w_size, 8), *w0 = normals(t.w_size, 8);

    void *scratch = dirty_scratch(zf_conv_forward_scratch(g));
    zf_conv_forward(g, N, t.x, t.w, with_bias ? t.bias_y : NULL, accumulate, y, scratch);
    free(scratch);
    check(g, "forward", y, accumulate ? y0 : NULL, s.y, t.y_size, with_bias ? t.bias_y : NULL, g->o,
          zf_conv_output_h(g) * zf_conv_output_w(g));

    scratch = dirty_scratch(zf_conv_backward_data_scratch(g));
    zf_conv_backward_data(g, N, t.y, t.w, with_bias ? t.bias_x : NULL, accumulate, x, scratch);
    free(scratch);
    check(g, "backward data", x, accumulate ? x0 : NULL, s.x, t.x_size, with_bias ? t.bias_x : NULL,
          g->c, g->h * g->w);

    scratch = dirty_scratch(zf_conv_backward_weights_scratch(g));
    zf_conv_backward_weights(g, N, t.x, t.y, accumulate, w, scratch);
    free(scratch);
    check(g, "backward weights", w, accumulate ? w0 : NULL, s.w, t.w_size, NULL, 1, 1);

    free(s.x), free(s.y), free(s.w);
    free(x), free(x0), free(y), free(y0), free(w), free(w0);
    free_tensors(&t);
}

static void check_everywhere(zf_conv g, uint32_t variant)
{
    EVERY_ISA(zf_conv_kernels, zf_conv_kernels_of, kernels)
    {
        g.kernels = kernels;
        check_geometry(&g, variant & 1, variant & 2);
    }
}

static void test_random_geometries(void **state)
{
    (void)state;
    zf_random r = zf_random_at(7, ZF_FOR_TEST, 1, 0);
    for (int i = 0; i < 300;) {
        zf_conv g = {.c = 1 + (int)zf_random_below(&r, 19),
                     .h = 1 + (int)zf_random_below(&r, 17),
                     .w = 1 + (int)zf_random_below(&r, 33),
                     .o = 1 + (int)zf_random_below(&r, 19),
                     .kh = 1 + (int)zf_random_below(&r, 5),
                     .kw = 1 + (int)zf_random_below(&r, 5),
                     .stride_h = 1 + (int)zf_random_below(&r, 3),
                     .stride_w = 1 + (int)zf_random_below(&r, 3),
                     .padding_h = (int)zf_random_below(&r, 3),
                     .padding_w = (int)zf_random_below(&r, 3)};
        if (zf_conv_output_h(&g) < 1 || zf_conv_output_w(&g) < 1) continue;
        check_everywhere(g, zf_random_below(&r, 4));
        i++;
    }
}

/* A kernel of 3 x 3 whose output is as large as the image. */
static zf_conv usual(int c, int h, int w, int o)
{
    return (zf_conv){.c = c,
                     .h = h,
                     .w = w,
                     .o = o,
                     .kh = 3,
                     .kw = 3,
                     .stride_h = 1,
                     .stride_w = 1,
                     .padding_h = 1,
                     .padding_w = 1};
}

/* Rows that are whole vectors, the hot case; every number of output channels
   of a tile; images so small that many share a plane. */
static void test_chosen_geometries(void **state)
{
    (void)state;
    for (int o = 1; o <= 17; o++) check_everywhere(usual(3, 5, 32, o), (uint32_t)o);
    for (int size = 1; size <= 8; size++) check_everywhere(usual(4, size, size, 5), (uint32_t)size);
    /* A stride beyond the kernel leaves inputs that nothing reads. */
    zf_conv g = usual(2, 9, 16, 3);
    g.kh = 2, g.kw = 1, g.stride_h = 3, g.stride_w = 2, g.padding_h = 0, g.padding_w = 0;
    check_everywhere(g, 2);
    /* A padding beyond the kernel gives outputs that read nothing. */
    g = usual(2, 4, 12, 3);
    g.kh = 2, g.kw = 2, g.padding_h = 4, g.padding_w = 2;
    check_everywhere(g, 3);
    /* Only the rows are strided: vectors are still written in place. */
    g = usual(3, 11, 16, 3);
    g.stride_h = 2;
    check_everywhere(g, 1);
}

/* Channels enough for Winograd's way, tiles cut at the right and below, one and
   two rows of tiles a vector, every padding; each pass takes this way somewhere. */
static void test_winograd_geometries(void **state)
{
    (void)state;
    static const int widths[] = {3, 7, 8, 13, 14, 16, 27, 31, 32, 33, 47, 62};
    static const int channels[][2] = {{10, 16}, {16, 10}, {17, 33}, {12, 14}};
    EVERY_ISA(zf_conv_kernels, zf_conv_kernels_of, kernels)
    {
        int taken[3] = {0};
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            for (int padding = 0; padding <= 2; padding++) {
                int variant = (int)i + padding;
                zf_conv g = usual(channels[variant % 4][0], 3 + variant % 5, widths[i],
                                  channels[variant % 4][1]);
                g.padding_h = (padding + variant) % 3, g.padding_w = padding, g.kernels = kernels;
                zf_winograd pass;
                taken[0] += zf_winograd_of_forward(&g, &pass);
                taken[1] += zf_winograd_of_backward_data(&g, &pass);
                taken[2] += zf_winograd_of_backward_weights(&g, &pass);
                check_geometry(&g, variant & 1, variant & 2);
            }
        for (int i = 0; i < 3; i++) assert_true(taken[i] >= 5);
    }
}

/* The decoder's doublings and others with channels enough: as products of matrices, of
   more images than are laid out at a time. */
static void test_product_geometries(void **state)
{
    (void)state;
    static const zf_conv some[] = {
        {.c = 16, .h = 8, .w = 8, .o = 32, .kh = 4, .kw = 4, .padding_h = 1, .padding_w = 1},
        {.c = 33, .h = 7, .w = 10, .o = 17, .kh = 4, .kw = 3, .padding_h = 2, .padding_w = 0},
        {.c = 16, .h = 5, .w = 4, .o = 16, .kh = 2, .kw = 2, .padding_h = 3, .padding_w = 4},
        {.c = 64, .h = 24, .w = 30, .o = 25, .kh = 5, .kw = 5, .padding_h = 2, .padding_w = 2},
    };
    for (int i = 0; i < 4; i++) {
        zf_conv g = some[i];
        g.stride_h = g.stride_w = 2;
        assert_true(zf_product_suits(&g));
        g.kernels = zf_conv_kernels_of();
        check_geometry(&g, i & 1, i & 2);
    }
}

/* Every instruction set moves an image as the first one does. */
static void test_product_kernels(void **state)
{
    (void)state;
    enum { C = 21, H = 5, W = 7, PIXELS = H * W, PATCHES = 3 * 4 * 3 * 2 * C };
    const zf_product_runs runs = {C, H, W, 3, 4, 3, 2, 2, 2, 1, 1};
    static float pixels[C * PIXELS], planes[C * PIXELS], patches[PATCHES], back[C * PIXELS];
    float *x = normals(C * PIXELS, 1), *start = normals(C * PIXELS, 2), *bias = normals(C, 3);
    EVERY_ISA(zf_product_kernels, zf_product_kernels_of, kernels)
    {
        kernels->to_pixels(pixels, x, C, PIXELS);
        for (int i = 0; i < C * PIXELS; i++)
            assert_true(pixels[i % PIXELS * C + i / PIXELS] == x[i]);
        memcpy(planes, start, sizeof planes);
        kernels->to_planes(planes, pixels, bias, C, PIXELS, true);
        for (int i = 0; i < C * PIXELS; i++)
            assert_float_equal(planes[i], x[i] + bias[i / PIXELS] + start[i], 1e-6);
        kernels->to_planes(planes, pixels, NULL, C, PIXELS, false);
        assert_memory_equal(planes, x, sizeof planes);
        kernels->gather(&runs, patches, pixels);
        kernels->scatter(&runs, back, patches);
        for (int p = 0; p < PIXELS; p++) { /* as often as the definition reads it */
            int times = 0;
            for (int k = 0; k < 3 * 4 * 3 * 2; k++)
                times +=
                    k / 6 / 4 * 2 - 1 + k % 6 / 2 == p / W && k / 6 % 4 * 2 - 1 + k % 2 == p % W;
            assert_float_equal(back[p * C + 3], (float)times * pixels[p * C + 3], 1e-5);
        }
    }
    free(x), free(start), free(bias);
}

/* More images than a group holds, bit for bit what they give one by one. */
static void check_images_alone(const zf_conv *g, int n)
{
    tensors t = some_tensors(g, n);
    size_t x_image = t.x_size / (size_t)n, y_image = t.y_size / (size_t)n;
    float *y = normals(t.y_size, 6), *x = normals(t.x_size, 7);
    float *one_y = normals(y_image, 6), *one_x = normals(x_image, 7);
    void *forward = dirty_scratch(zf_conv_forward_scratch(g));
    void *backward = dirty_scratch(zf_conv_backward_data_scratch(g));
    zf_conv_forward(g, n, t.x, t.w, t.bias_y, false, y, forward);
    zf_conv_backward_data(g, n, t.y, t.w, NULL, false, x, backward);
    for (int i = 0; i < n; i++) {
        size_t at_x = (size_t)i * x_image, at_y = (size_t)i * y_image;
        zf_conv_forward(g, 1, t.x + at_x, t.w, t.bias_y, false, one_y, forward);
        zf_conv_backward_data(g, 1, t.y + at_y, t.w, NULL, false, one_x, backward);
        assert_memory_equal(one_y, y + at_y, y_image * sizeof *y);
        assert_memory_equal(one_x, x + at_x, x_image * sizeof *x);
    }
    free(forward), free(backward);
    free(y), free(x), free(one_y), free(one_x);
    free_tensors(&t);
}

static void test_images_are_independent(void **state)
{
    (void)state;
    EVERY_ISA(zf_conv_kernels, zf_conv_kernels_of, kernels)
    {
        zf_conv g = usual(3, 6, 7, 5);
        g.kernels = kernels;
        check_images_alone(&g, 50);
        g.w = 16, g.h = 20;
        check_images_alone(&g, 7);
        g.c = 11, g.o = 17, g.h = 9, g.w = 31;
        check_images_alone(&g, 5);
        g.c = 33, g.o = 19, g.kh = g.kw = 4, g.stride_h = g.stride_w = 2;
        check_images_alone(&g, 5);
    }
}

static void test_bias_gradient(void **state)
{
    (void)state;
    enum { CHANNELS = 3, PIXELS = 37 };
    float *dy = normals(N * CHANNELS * PIXELS, 1), db[CHANNELS] = {1, 2, 3}, more[CHANNELS];
    double expected[CHANNELS] = {0};
    for (int i = 0; i < N * CHANNELS * PIXELS; i++)
        expected[i / PIXELS % CHANNELS] += (double)dy[i];
    memset(more, 0xff, sizeof more);
    zf_conv_backward_bias(N, CHANNELS, PIXELS, dy, true, db);
    zf_conv_backward_bias(N, CHANNELS, PIXELS, dy, false, more);
    for (int c = 0; c < CHANNELS; c++) {
        assert_float_equal(db[c], (float)expected[c] + (float)(c + 1), 1e-4);
        assert_float_equal(more[c], (float)expected[c], 1e-4);
    }
    free(dy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_geometries),   cmocka_unit_test(test_chosen_geometries),
        cmocka_unit_test(test_winograd_geometries), cmocka_unit_test(test_images_are_independent),
        cmocka_unit_test(test_product_geometries),  cmocka_unit_test(test_product_kernels),
        cmocka_unit_test(test_bias_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
