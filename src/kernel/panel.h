/* Matrix products with a packed matrix: what BLAS does for large matrices, for
   the small ones of a shard.

   B [k, n] is packed once into panels of two vectors' width, contiguous along k,
   and multiplied many times: a weight matrix is packed once a step for all
   shards, where BLAS would pack it again for each. The rows of A are read where
   they are. An element of C is the sum over k in one fixed order, whatever m, n
   and its own place are, so a row's result does not depend on the batch it is
   in. OpenBLAS promises neither, and loses a third of its speed on shards of 50
   rows, which do not fill its register blocks.

   Where the processor has AMX, products that are large enough go to its tiles
   (isa/panel_tiles.c), which are as accurate and two to three times as fast. */
#ifndef ZF_KERNEL_PANEL_H
#define ZF_KERNEL_PANEL_H

#include <stdbool.h>
#include <stddef.h>

/* C = onto + row + A B, where the first two are added first: A [m, k], C and onto [m, n],
   rows lda and ldc apart, a row [n] that is the same for all, as a bias is. onto may be C. */
typedef struct zf_panel_product {
    float *c;
    const float *a, *packed;
    int ldc, lda, m, n, k;
    const float *onto, *row; /* or NULL */
} zf_panel_product;

typedef struct zf_panel_kernels {
    /* A product over k may be cut at multiples of it into one that writes and others that
       add, without a change of bits. */
    int depth;
    /* Room for a packed B; aligned memory please. */
    size_t (*bytes)(int k, int n);
    /* B from rows [k, n], ldb apart; and from its transpose [n, k]. */
    void (*pack)(float *packed, const float *b, int ldb, int k, int n);
    void (*pack_transposed)(float *packed, const float *b, int ldb, int k, int n);
    /* C = A B, or C += A B: A [m, k], C [m, n], rows lda and ldc apart; and with
       A given as its transpose [k, m]. */
    void (*multiply)(float *c, int ldc, const float *a, int lda, const float *packed, int m, int n,
                     int k, bool add);
    void (*multiply_transposed)(float *c, int ldc, const float *a, int lda, const float *packed,
                                int m, int n, int k, bool add);
    void (*multiply_onto)(const zf_panel_product *product);
} zf_panel_kernels;

const zf_panel_kernels *zf_panel(void);

/* The fastest for a matrix B of this size that many rows of A are multiplied with. */
const zf_panel_kernels *zf_panel_for(int k, int n);

/* The same where products of 16 bits will do, which tiles form at twice the speed.
   ZEROFLOW_PRODUCTS=exact in the environment asks for all 24 bits after all. */
const zf_panel_kernels *zf_panel_quick_for(int k, int n);

#endif
