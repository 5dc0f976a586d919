/* Thin covers of dgemm, dsyrk, dpotrf, dpotri, dgetrf, dsytrd, dormtr and dsyevd (divide and
   conquer: ten times as fast as dsyev from a thousand rows on). LAPACK fills one triangle; the
   other is mirrored here, so that no caller has to know which. */
#include "kernel/lapack.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/blas.h"

/* Doubles to work with, a row: as many as LAPACK's blocks are wide; and of a block's triangle. */
enum { TRIDIAGONAL_ROOM = 64, TURN_ROOM = 65 * 64 };

zf_status zf_lapack_open(void)
{
    return zf_blas_open();
}

/* Copies the triangle that column-major LAPACK calls lower to the other. */
static void mirror(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) a[j * n + i] = a[i * n + j];
}

void zf_cross_product(double *to, const double *a, size_t m, size_t n, double scale)
{
    assert(m <= INT_MAX && n <= INT_MAX);
    zf_blas_enter()->dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)n, (int)m, scale, a, (int)n,
                           0, to, (int)n);
    zf_blas_leave();
    mirror(to, n);
}

void zf_cross_rows(double *to, const double *a, size_t n, size_t k, double alpha, double beta)
{
    assert(n <= INT_MAX && k <= INT_MAX);
    zf_blas_enter()->dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, (int)n, (int)k, alpha, a,
                           (int)k, beta, to, (int)n);
    zf_blas_leave();
    mirror(to, n);
}

void zf_multiply(double *to, zf_factor a, zf_factor b, size_t m, size_t n, size_t k, double alpha,
                 double beta)
{
    assert(m <= INT_MAX && n <= INT_MAX && k <= INT_MAX);
    zf_blas_enter()->dgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
                           b.transposed ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, alpha,
                           a.values, (int)(a.transposed ? m : k), b.values,
                           (int)(b.transposed ? k : n), beta, to, (int)n);
    zf_blas_leave();
}

size_t zf_invert_positive(double *a, size_t n, double least)
{
    assert(n <= INT_MAX);
    int order = (int)n, info = 0;
    zf_blas_enter()->dpotrf("L", &order, a, &order, &info, 1);
    zf_blas_leave();
    size_t factored = info == 0 ? n : (size_t)info - 1;
    for (size_t i = 0; i < factored; i++)
        if (!(a[i * n + i] * a[i * n + i] >= least)) return i + 1; /* NaN too */
    if (info != 0) return (size_t)info;
    zf_blas_enter()->dpotri("L", &order, a, &order, &info, 1);
    zf_blas_leave();
    mirror(a, n);
    return info == 0 ? 0 : (size_t)info;
}

double zf_log_determinant(double *a, int *pivots, size_t n)
{
    assert(n <= INT_MAX);
    int order = (int)n, info = 0;
    zf_blas_enter()->dgetrf(&order, &order, a, &order, pivots, &info);
    zf_blas_leave();
    double sum = 0;
    bool negative = false;
    for (size_t i = 0; i < n; i++) {
        sum += log(fabs(a[i * n + i]));
        negative ^= (a[i * n + i] < 0) ^ (pivots[i] != (int)i + 1);
    }
    return info == 0 && !negative ? sum : -INFINITY;
}

/* a = V diag(1 / eigenvalue) V^T, vectors being the rows of `vectors`. */
static void compose(double *a, double *vectors, const double *eigenvalues, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(eigenvalues[i]));
    double limit = largest * (double)n * DBL_EPSILON;
    memcpy(a, vectors, n * n * sizeof *a);
    for (size_t i = 0; i < n; i++) {
        double scale = fabs(eigenvalues[i]) > limit ? 1 / eigenvalues[i] : 0;
        for (size_t j = 0; j < n; j++) vectors[i * n + j] *= scale;
    }
    double *product = vectors + n * n;
    zf_multiply(product, (zf_factor){a, true}, (zf_factor){vectors, false}, n, n, n, 1, 0);
    memcpy(a, product, n * n * sizeof *a);
}

zf_status zf_eigenvectors(double *a, double *values, size_t n)
{
    assert(n <= INT_MAX);
    int order = (int)n, info = 0, asked = -1, whole_room = 0;
    double room = 0;
    zf_blas_enter()->dsyevd("V", "L", &order, a, &order, values, &room, &asked, &whole_room, &asked,
                            &info, 1, 1);
    zf_blas_leave();
    int length = (int)room;
    size_t bytes = (size_t)length * sizeof(double) + (size_t)whole_room * sizeof(int);
    double *work = malloc(bytes);
    if (!work) return zf_fail_memory(bytes);
    zf_blas_enter()->dsyevd("V", "L", &order, a, &order, values, work, &length,
                            (int *)(work + length), &whole_room, &info, 1, 1);
    zf_blas_leave();
    free(work);
    return info == 0 ? ZF_OK : zf_fail(ZF_ENUMERIC, "eigenvalues of a symmetric matrix: not found");
}

zf_status zf_tridiagonalise(double *a, double *scales, double *diagonal, double *beside, size_t n)
{
    assert(n <= INT_MAX);
    int order = (int)n, info = 0, length = (int)n * TRIDIAGONAL_ROOM;
    size_t bytes = (size_t)length * sizeof(double);
    double *work = malloc(bytes);
    if (!work) return zf_fail_memory(bytes);
    zf_blas_enter()->dsytrd("L", &order, a, &order, diagonal, beside, scales, work, &length, &info,
                            1);
    zf_blas_leave();
    free(work);
    assert(info == 0); /* only wrong arguments fail */
    return ZF_OK;
}

zf_status zf_reflect(double *vectors, size_t count, const double *a, const double *scales, size_t n,
                     bool back)
{
    assert(n <= INT_MAX && count <= INT_MAX);
    int order = (int)n, many = (int)count, info = 0, length = many * TRIDIAGONAL_ROOM;
    length += TURN_ROOM;
    size_t bytes = (size_t)length * sizeof(double);
    double *work = malloc(bytes);
    if (!work) return zf_fail_memory(bytes);
    zf_blas_enter()->dormtr("L", "L", back ? "N" : "T", &order, &many, a, &order, scales, vectors,
                            &order, work, &length, &info, 1, 1, 1);
    zf_blas_leave();
    free(work);
    assert(info == 0); /* only wrong arguments fail */
    return ZF_OK;
}

zf_status zf_invert_symmetric(double *a, size_t n)
{
    size_t total = 2 * n * n + n;
    double *memory = malloc(total * sizeof *memory);
    if (!memory) return zf_fail_memory(total * sizeof *memory);
    double *eigenvalues = memory + 2 * n * n;
    memcpy(memory, a, n * n * sizeof *a);
    zf_status status = zf_eigenvectors(memory, eigenvalues, n);
    if (status == ZF_OK) compose(a, memory, eigenvalues, n);
    free(memory);
    return status;
}
