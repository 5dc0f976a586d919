/* Products with packed matrices against a plain sum in double, on every shape
   that has an edge, in every instruction set that the machine has. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/dispatch.h"
#include "kernel/panel.h"

extern const zf_panel_kernels zf_panel_baseline;
#if defined(__x86_64__)
extern const zf_panel_kernels zf_panel_avx2, zf_panel_avx512, zf_panel_tiles_exact,
    zf_panel_tiles_quick;
#endif

enum { MOST = 5 };

static int tables(const zf_panel_kernels *out[MOST])
{
    int n = 0;
    out[n++] = &zf_panel_baseline;
#if defined(__x86_64__)
    if (zf_isa_current() >= ZF_AVX2) out[n++] = &zf_panel_avx2;
    if (zf_isa_current() >= ZF_AVX512) out[n++] = &zf_panel_avx512;
    if (zf_tiles_usable()) out[n++] = &zf_panel_tiles_exact;
    if (zf_tiles_usable()) out[n++] = &zf_panel_tiles_quick;
#endif
    return n;
}

/* Products of 16 bits, where all others have 24. */
static bool is_quick(const zf_panel_kernels *panel)
{
#if defined(__x86_64__)
    return panel == &zf_panel_tiles_quick;
#else
    return panel == NULL;
#endif
}

typedef struct problem {
    int m, n, k;
    bool a_transposed, b_transposed, add;
} problem;

static float *filled(size_t n, uint32_t key)
{
    float *values = malloc((n + 1) * sizeof *values);
    fill_normal(values, n, key);
    return values;
}

/* Rows of C are one longer than they need to be, to see that nothing is written
   beyond the columns. */
static void check(const zf_panel_kernels *panel, problem q)
{
    size_t m = (size_t)q.m, n = (size_t)q.n, k = (size_t)q.k, ldc = n + 1;
    float *a = filled(m * k, 1), *b = filled(k * n, 2), *c = filled(m * ldc, 3);
    float *expected = malloc((m * ldc + 1) * sizeof *expected);
    memcpy(expected, c, m * ldc * sizeof *c);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = q.add ? c[i * ldc + j] : 0;
            for (size_t p = 0; p < k; p++)
                sum += (double)a[q.a_transposed ? p * m + i : i * k + p] *
                       b[q.b_transposed ? j * k + p : p * n + j];
            expected[i * ldc + j] = (float)sum;
        }
    float *packed = zf_slab_new(panel->bytes(q.k, q.n));
    memset(packed, 0x7f, panel->bytes(q.k, q.n));
    (q.b_transposed ? panel->pack_transposed : panel->pack)(packed, b, q.b_transposed ? q.k : q.n,
                                                            q.k, q.n);
    (q.a_transposed ? panel->multiply_transposed : panel->multiply)(
        c, (int)ldc, a, q.a_transposed ? q.m : q.k, packed, q.m, q.n, q.k, q.add);
    assert_near(c, expected, m * ldc, is_quick(panel) ? 4e-5 : 1e-5, 1e-6);
    free(a);
    free(b);
    free(c);
    free(expected);
    free(packed);
}

static void multiplies(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 5, 13, 16, 25, 31, 33, 50, 67};
    const zf_panel_kernels *table[MOST];
    int n_tables = tables(table), n_sizes = sizeof sizes / sizeof *sizes;
    for (int t = 0; t < n_tables; t++)
        for (int i = 0; i < n_sizes; i++)
            for (int j = 0; j < n_sizes; j++)
                for (int flags = 0; flags < 8; flags++)
                    check(table[t], (problem){sizes[i], sizes[j], sizes[(i + 3 * j) % n_sizes],
                                              flags & 1, flags & 2, flags & 4});
}

static void multiplies_deep_matrices(void **state)
{
    (void)state;
    const zf_panel_kernels *table[MOST];
    int n_tables = tables(table);
    for (int t = 0; t < n_tables; t++)
        for (int flags = 0; flags < 8; flags++)
            for (int k = 255; k <= 771; k += 129)
                check(table[t], (problem){14, 35, k, flags & 1, flags & 2, flags & 4});
}

/* onto + row first, either or none of them, over the result or beside it. */
static void check_onto(const zf_panel_kernels *panel, int m, int n, int k, int flags)
{
    float *a = filled((size_t)(m * k), 1), *b = filled((size_t)(k * n), 2);
    float *row = filled((size_t)n, 3), *c = filled((size_t)(m * n), 4);
    float *expected = filled((size_t)(m * n), 5), *onto = filled((size_t)(m * n), 4);
    float *packed = zf_slab_new(panel->bytes(k, n));
    bool with_row = flags & 1, with_onto = flags & 2, in_place = flags & 4;
    zf_panel_product p = {.c = c,
                          .a = a,
                          .packed = packed,
                          .ldc = n,
                          .lda = k,
                          .m = m,
                          .n = n,
                          .k = k,
                          .onto = !with_onto ? NULL
                                  : in_place ? c
                                             : onto,
                          .row = with_row ? row : NULL};
    for (int j = 0; j < m * n; j++)
        expected[j] = (with_onto ? onto[j] : 0) + (with_row ? row[j % n] : 0);
    panel->pack(packed, b, n, k, n);
    panel->multiply(expected, n, a, k, packed, m, n, k, true);
    panel->multiply_onto(&p);
    assert_memory_equal(c, expected, (size_t)(m * n) * sizeof *c);
    free(a);
    free(b);
    free(c);
    free(row);
    free(onto);
    free(expected);
    free(packed);
}

/* On whole tiles, edges, several strips, more of k than goes at once, and none. */
static void begins_with_a_row_and_more(void **state)
{
    (void)state;
    static const int sizes[][3] = {
        {32, 64, 40}, {16, 32, 7}, {67, 45, 300}, {70, 33, 800}, {3, 5, 0}};
    const zf_panel_kernels *table[MOST];
    int n_tables = tables(table);
    for (int t = 0; t < n_tables; t++)
        for (int i = 0; i < 5; i++)
            for (int flags = 0; flags < 8; flags++)
                check_onto(table[t], sizes[i][0], sizes[i][1], sizes[i][2], flags);
}

/* A row's result is the same bits alone and in company. */
static void row_by_row(const zf_panel_kernels *panel)
{
    enum { M = 51, N = 41, K = 300 };
    float *a = filled(M * K, 1), *b = filled(K * N, 2);
    float *packed = zf_slab_new(panel->bytes(K, N)), all[M * N], one[N];
    panel->pack(packed, b, N, K, N);
    panel->multiply(all, N, a, K, packed, M, N, K, false);
    for (int i = 0; i < M; i++) {
        panel->multiply(one, N, a + i * K, K, packed, 1, N, K, false);
        assert_memory_equal(one, all + i * N, sizeof one);
    }
    free(a);
    free(b);
    free(packed);
}

static void rows_do_not_depend_on_the_batch(void **state)
{
    (void)state;
    const zf_panel_kernels *table[MOST];
    int n_tables = tables(table);
    for (int t = 0; t < n_tables; t++) row_by_row(table[t]);
}

/* How far from the truth, in halves of a unit in the last place of the terms: the
   tiles, which split their numbers, are no further than sums of float32; the quick
   ones have 16 bits. */
static void is_as_accurate_as_float32(void **state)
{
    (void)state;
    enum { M = 40, N = 40, K = 256 };
    const zf_panel_kernels *table[MOST];
    int n_tables = tables(table);
    float *a = filled(M * K, 1), *b = filled(K * N, 2), c[M * N];
    for (int t = 0; t < n_tables; t++) {
        float *packed = zf_slab_new(table[t]->bytes(K, N));
        table[t]->pack(packed, b, N, K, N);
        table[t]->multiply(c, N, a, K, packed, M, N, K, false);
        double worst = 0;
        for (int i = 0; i < M * N; i++) {
            double sum = 0, sizes = 0;
            for (int p = 0; p < K; p++) {
                double term = (double)a[i / N * K + p] * (double)b[p * N + i % N];
                sum += term;
                sizes += term * term;
            }
            worst = fmax(worst, fabs((double)c[i] - sum) / sqrt(sizes));
        }
        assert_true(worst < (is_quick(table[t]) ? 512 : 64) * 5.96e-8);
#if defined(__x86_64__)
        if (table[t] == &zf_panel_tiles_exact) assert_true(worst < 16 * 5.96e-8);
#endif
        free(packed);
    }
    free(a);
    free(b);
}

static void no_depth_gives_zeros(void **state)
{
    (void)state;
    float c[6] = {1, 2, 3, 4, 5, 6}, packed[64] = {0};
    zf_panel()->multiply(c, 3, packed, 1, packed, 2, 2, 0, false);
    assert_near(c, ((float[]){0, 0, 3, 0, 0, 6}), 6, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiplies),
        cmocka_unit_test(multiplies_deep_matrices),
        cmocka_unit_test(begins_with_a_row_and_more),
        cmocka_unit_test(rows_do_not_depend_on_the_batch),
        cmocka_unit_test(is_as_accurate_as_float32),
        cmocka_unit_test(no_depth_gives_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
