/* Sums of f(a[i], b[i]) in a fixed order, for the kernels of this folder.

   Four vectors of float partial sums take turns, so that additions need not
   wait for one another; a long sum is cut into blocks whose totals are added in
   double. The order depends on the length alone. f is a constant function that
   the compiler puts into the loop. */
#ifndef ZF_KERNEL_ISA_FOLD_H
#define ZF_KERNEL_ISA_FOLD_H

#include "kernel/isa/isa.h"

typedef vfloat v_term(vfloat a, vfloat b, vfloat constant);

/* The partial sums of n terms, by lane. For a sum over one array give it twice. */
V_INLINE vfloat v_fold(v_term *term, const float *a, const float *b, vfloat constant, size_t n)
{
    vfloat sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        sum0 += term(v_load(a + i), v_load(b + i), constant);
        sum1 += term(v_load(a + i + LANES), v_load(b + i + LANES), constant);
        sum2 += term(v_load(a + i + 2 * LANES), v_load(b + i + 2 * LANES), constant);
        sum3 += term(v_load(a + i + 3 * LANES), v_load(b + i + 3 * LANES), constant);
    }
    for (; i + LANES <= n; i += LANES) sum0 += term(v_load(a + i), v_load(b + i), constant);
    if (i < n) {
        size_t rest = n - i;
        vfloat last = term(v_load_part(a + i, rest), v_load_part(b + i, rest), constant);
        sum1 += v_keep_first(last, rest, 0.0f);
    }
    return (sum0 + sum1) + (sum2 + sum3);
}

enum { V_FOLD_BLOCK = 1024 };

V_INLINE double v_fold_double(v_term *term, const float *a, const float *b, float constant,
                              size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i += V_FOLD_BLOCK) {
        size_t block = n - i < V_FOLD_BLOCK ? n - i : V_FOLD_BLOCK;
        total += v_sum_double(v_fold(term, a + i, b + i, v_set(constant), block));
    }
    return total;
}

/* Terms that several kernels need. */
V_INLINE vfloat v_term_first(vfloat a, vfloat b, vfloat unused)
{
    (void)b, (void)unused;
    return a;
}

V_INLINE vfloat v_term_product(vfloat a, vfloat b, vfloat unused)
{
    (void)unused;
    return a * b;
}

/* (a - constant)^2 */
V_INLINE vfloat v_term_spread(vfloat a, vfloat b, vfloat constant)
{
    (void)b;
    return (a - constant) * (a - constant);
}

#endif
