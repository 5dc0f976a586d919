/* Synthetic data whose graph is known. */
#ifndef ZEROFLOW_GENERATE_H
#define ZEROFLOW_GENERATE_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which variables depend on which: the precision matrix of a Gaussian, whose
   entries other than 0 are the edges. */
typedef enum zf_structure {
    /* The variable and the `order` next ones: 0.8, 0.4, 0.2 and so on, halved
       each time; the diagonal is the sum of the row's entries + 0.5, and 0.125
       more at the two ends. */
    ZF_CHAIN,
    /* side x side, four neighbours: 1; the diagonal is their number + 0.1. */
    ZF_LATTICE,
    /* `edges` pairs drawn without repetition, uniform on 0.3 to 0.9 with either
       sign; the diagonal is the sum of the row's absolute entries + 0.5. */
    ZF_RANDOM,
    /* No Gaussian: Z_1 = e_1, Z_i = e_i sqrt(0.2 + 0.8 Z_{i-1}^2) with independent
       standard normal e. Neighbours are uncorrelated, and no Gaussian copula
       sees that they depend on each other; the variance is 1 everywhere. */
    ZF_VOLATILITY,
} zf_structure;

/* What becomes of the Gaussian vector z; none changes the graph. */
typedef enum zf_law {
    ZF_GAUSSIAN,
    ZF_NONPARANORMAL, /* sign(z) |z|^3, divided by its standard deviation (of the law, not of the
                         sample, so that rows are independent and samples comparable) */
    ZF_TRUNCATED,     /* z given that every coordinate exceeds -0.75 */
} zf_law;

typedef struct zf_generate_options {
    zf_structure structure;
    zf_law law; /* the volatility chain has ZF_GAUSSIAN only */
    size_t rows;
    int features; /* chain, random, volatility: `--dim` */
    int side;     /* lattice */
    int order;    /* chain */
    int edges;    /* random */
    uint64_t seed;
    int threads; /* 0: all processors; has no influence on the data */
} zf_generate_options;

ZF_API zf_generate_options zf_generate_defaults(zf_structure structure);

/* A sample and its graph: values [rows * features] are the caller's to free(),
   and so is the network (zf_network_free), whose gates are 1 on edges and whose
   names (x1, x2, ...; r1c1, ... on the lattice) are those of the columns.
   precision, if not NULL, gets the [features * features] precision matrix (for
   the volatility chain, which has none, 1 on edges and on the diagonal), the
   caller's to free().

   The values have the digits of float32; they are double because that is what every
   function here takes. The data is a function of the options: of the same seed, more rows begin
   with the fewer. A truncated row is within 1e-9 of an exact draw from its law. ZF_EINVAL: options
   that make no sense. */
ZF_API zf_status zf_generate(double **values, zf_network **truth, double **precision,
                             const zf_generate_options *options) ZF_CHECK;

/* n independent standard normal values, of which any law can be made. Streams of one seed
   are independent of each other, of those of other seeds and of zf_generate's data; of the
   same stream more values begin with the fewer. */
ZF_API void zf_generate_normals(double *values, size_t n, uint64_t seed, uint32_t stream);

#ifdef __cplusplus
}
#endif
#endif
