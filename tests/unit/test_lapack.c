/* Symmetric matrices: hand-computed cases, and inverses multiplied back. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "kernel/lapack.h"

enum { N = 37, M = 101 };

static void fill(double *to, size_t n, uint32_t key)
{
    float values[M * N];
    fill_normal(values, n, key);
    for (size_t i = 0; i < n; i++) to[i] = (double)values[i];
}

static double product_at(const double *a, const double *b, size_t n, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
    return sum;
}

static double row_times(const double *row, const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += row[i] * v[i];
    return sum;
}

static void cross_product_is_the_sum(void **state)
{
    (void)state;
    static double a[M * N], got[N * N];
    fill(a, M * N, 1);
    memset(got, 0xff, sizeof got); /* NaN: nothing may be added to */
    zf_cross_product(got, a, M, N, 0.5);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < M; k++) sum += 0.5 * a[k * N + i] * a[k * N + j];
            assert_close(got[i * N + j], sum, 1e-11);
        }
}

static void cross_rows_are_added(void **state)
{
    (void)state;
    static double a[M * N], got[M * M], before[M * M];
    fill(a, M * N, 4);
    memset(got, 0xff, sizeof got);
    zf_cross_rows(got, a, M, N, 0.5, 0);
    memcpy(before, got, sizeof got);
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++) {
            double sum = 0;
            for (size_t k = 0; k < N; k++) sum += 0.5 * a[i * N + k] * a[j * N + k];
            assert_close(got[i * M + j], sum, 1e-11);
        }
    zf_cross_rows(got, a, M, N, -0.5, 3);
    for (size_t i = 0; i < M * M; i++) assert_close(got[i], 2 * before[i], 1e-11);
}

/* A v = Q (T (Q^T v)), of every size from 1 on. */
static void tridiagonal_is_the_same_matrix(void **state)
{
    (void)state;
    static double a[N * N], turned[N * N], v[2 * N], image[2 * N];
    double scales[N], diagonal[N], beside[N];
    const size_t sizes[] = {1, 2, 5, N};
    for (size_t s = 0; s < 4; s++) {
        size_t n = sizes[s];
        fill(turned, n * n, 5);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) a[i * n + j] = turned[i * n + j] + turned[j * n + i];
        memcpy(turned, a, sizeof turned);
        fill(v, 2 * n, 6);
        memcpy(image, v, sizeof v);
        assert_ok(zf_tridiagonalise(turned, scales, diagonal, beside, n));
        assert_ok(zf_reflect(image, 2, turned, scales, n, false));
        for (size_t k = 0; k < 2; k++) {
            double *x = image + k * n, before = 0;
            for (size_t i = 0; i < n; i++) {
                double after = i + 1 < n ? beside[i] * x[i + 1] : 0, at = x[i];
                x[i] = diagonal[i] * at + after + (i ? beside[i - 1] * before : 0);
                before = at;
            }
        }
        assert_ok(zf_reflect(image, 2, turned, scales, n, true));
        for (size_t k = 0; k < 2; k++)
            for (size_t i = 0; i < n; i++)
                assert_close(image[k * n + i], row_times(a + i * n, v + k * n, n), 1e-11);
    }
}

static void inverts_by_hand(void **state)
{
    (void)state;
    double a[] = {4, 2, 2, 3}, same[] = {4, 2, 2, 3}, log_determinant;
    int pivots[2];
    assert_int_equal(zf_invert_positive(a, 2, 0), 0);
    const double expected[] = {0.375, -0.25, -0.25, 0.5};
    for (int i = 0; i < 4; i++) assert_close(a[i], expected[i], 1e-15);
    log_determinant = zf_log_determinant(same, pivots, 2);
    assert_close(log_determinant, log(8), 1e-15);
}

static void inverse_times_matrix_is_one(void **state)
{
    (void)state;
    static double a[M * N], covariance[N * N], inverse[N * N], pseudo[N * N];
    fill(a, M * N, 2);
    zf_cross_product(covariance, a, M, N, 1.0 / M);
    memcpy(inverse, covariance, sizeof inverse);
    memcpy(pseudo, covariance, sizeof pseudo);
    assert_int_equal(zf_invert_positive(inverse, N, 1e-10), 0);
    assert_ok(zf_invert_symmetric(pseudo, N));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            assert_close(product_at(covariance, inverse, N, i, j), i == j, 1e-11);
            assert_close(pseudo[i * N + j], inverse[i * N + j], 1e-10);
        }
}

static void says_which_row_is_dependent(void **state)
{
    (void)state;
    double flat[] = {2, 1, 3, 1, 2, 3, 3, 3, 1}, nan[] = {NAN};
    double nearly[] = {1, 0, 1, 0, 1, 0, 1, 0, 1 + 1e-9}, same[9];
    memcpy(same, nearly, sizeof same);
    assert_int_equal(zf_invert_positive(flat, 3, 0), 3);
    assert_int_equal(zf_invert_positive(nearly, 3, 1e-8), 3);
    assert_int_equal(zf_invert_positive(same, 3, 1e-10), 0);
    assert_int_not_equal(zf_invert_positive(nan, 1, 0), 0);
}

/* The sign comes from pivots and exchanges of rows. */
static void determinants_have_signs(void **state)
{
    (void)state;
    double negative[] = {1, 2, 2, 1}, flat[] = {1, 1, 1, 1}, got;
    double even[] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, odd[] = {0, 1, 0, 1, 0, 0, 0, 0, 1};
    double both[] = {0, 2, 0, 2, 0, 0, 0, 0, -1};
    int pivots[3];
    got = zf_log_determinant(negative, pivots, 2);
    assert_true(isinf(got));
    got = zf_log_determinant(flat, pivots, 2);
    assert_true(isinf(got));
    got = zf_log_determinant(even, pivots, 3);
    assert_close(got, 0, 1e-15);
    got = zf_log_determinant(odd, pivots, 3);
    assert_true(isinf(got));
    got = zf_log_determinant(both, pivots, 3);
    assert_close(got, log(4), 1e-15);
}

/* A A+ A = A and A+ A A+ = A+ for a matrix of rank 5. */
static void pseudo_inverse_of_a_singular_matrix(void **state)
{
    (void)state;
    static double a[5 * N], flat[N * N], pseudo[N * N], once[N * N];
    fill(a, 5 * N, 3);
    zf_cross_product(flat, a, 5, N, 1);
    memcpy(pseudo, flat, sizeof pseudo);
    assert_ok(zf_invert_symmetric(pseudo, N));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) once[i * N + j] = product_at(flat, pseudo, N, i, j);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            assert_close(product_at(once, flat, N, i, j), flat[i * N + j], 1e-10);
            assert_close(product_at(pseudo, once, N, i, j), pseudo[i * N + j], 1e-10);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_product_is_the_sum),
        cmocka_unit_test(cross_rows_are_added),
        cmocka_unit_test(tridiagonal_is_the_same_matrix),
        cmocka_unit_test(inverts_by_hand),
        cmocka_unit_test(inverse_times_matrix_is_one),
        cmocka_unit_test(says_which_row_is_dependent),
        cmocka_unit_test(determinants_have_signs),
        cmocka_unit_test(pseudo_inverse_of_a_singular_matrix),
    };
    if (zf_lapack_open() != ZF_OK) {
        print_error("%s\n", zf_error());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
