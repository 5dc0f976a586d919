/* Synthetic data whose graph is known.

     double *sample = NULL;
     zf_graph *truth = NULL;
     zf_generate_options options = zf_generate_defaults(ZF_CHAIN);
     status = zf_generate(&sample, &truth, NULL, &options); // [2048, 50]
     zf_graph_free(truth);
     zf_free(sample);

   All functions are safe from several threads. */
#ifndef ZEROFLOW_GENERATE_H
#define ZEROFLOW_GENERATE_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which variables depend on which: the precision matrix of a Gaussian, whose
   entries other than 0 are the edges, except for volatility and sem. */
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
    /* No edge at all: the precision is the identity. */
    ZF_INDEPENDENT,
    /* A structural equation model: each variable is a function of its parents, which are drawn
       at random, and of noise of its own. zf_mechanism says which function. The order of the
       columns has no meaning. */
    ZF_SEM,
} zf_structure;

/* How the parents u of a variable determine it; e is noise, with variance 1 unless said otherwise.
   The edges are those of the moral graph: a parent and its child, and two parents of one child,
   which depend on each other given the child. All but kinetics are without loops, and bring
   each variable to mean 0 and variance 1 (by 2,048 rows that are drawn for that and not given)
   before its children get it. */
typedef enum zf_mechanism {
    /* Sum of w u, w 0.4 to 1 with either sign, + e, by chance Laplace or uniform; up to 4
       parents. */
    ZF_SEM_LINEAR,
    /* Sum of w f(u), w 0.5 to 1 with either sign, + 0.7 e, normal; f by chance u, tanh 2u,
       u^2 - 1, sin 2u, 1.5 |u| or 2.5 exp(-u^2); up to 4 parents. */
    ZF_SEM_ADDITIVE,
    /* Groups of three: two standard normal parents and, in turn, their product + 0.5 e or the
       sign of their product times |e|, normal. No two variables of a group are correlated, and
       those of the second kind are pairwise independent. */
    ZF_SEM_PRODUCTS,
    /* e sqrt(0.15 + 0.85 m), normal, m the mean square of up to 2 parents: uncorrelated. */
    ZF_SEM_SPREAD,
    /* Sum of w f(u), w 0.6 to 1.2 with either sign, + 0.8 e; f by chance u, |u|, max(u, 0) or a
       step at 0.3; e by chance normal, Student's t with 3 degrees (over 1.7), or of two humps
       0.8 beside 0 with deviation 0.6; up to 3 parents. */
    ZF_SEM_MIXTURE,
    /* Regulation: 60 steps, each halfway, towards x = own * product of rates, from x = 1; a
       rate is (1 + k h) / (1 + k / 2) or (1 + k) / (1 + 2 k h) with h = u^2 / (u^2 + 0.5) and
       k 1 to 3; own is log-normal with deviation 0.25; values are measured with a log-normal
       error of 0.05. Some regulators have many targets, and there are loops; up to 5 parents.
       The edges are who regulates whom, as benchmarks of gene networks count: two regulators
       of one target are none. */
    ZF_SEM_KINETICS,
} zf_mechanism;

/* The distribution, made from a Gaussian vector z; none changes the graph. */
typedef enum zf_law {
    ZF_GAUSSIAN,
    ZF_NONPARANORMAL, /* sign(z) |z|^3, divided by its standard deviation (of the distribution, not
                         of the sample, so that rows are independent and samples comparable) */
    ZF_TRUNCATED,     /* z given that every coordinate exceeds -0.75 */
} zf_law;

typedef struct zf_generate_options {
    size_t struct_size; /* zf_generate_defaults sets it */
    zf_structure structure;
    zf_law law;             /* volatility and sem have ZF_GAUSSIAN only */
    zf_mechanism mechanism; /* sem */
    size_t rows;
    int variables; /* all but the lattice: `--dim` */
    int side;      /* lattice */
    int order;     /* chain */
    int edges;     /* random: edges. sem: arrows from parents to children, two for each child of
                      products; 0: 1.5 a variable, or as many groups of three as there can be */
    uint64_t seed;
    int threads; /* 0: all processors; does not affect the data */
} zf_generate_options;

ZF_API void zf_generate_options_init(zf_generate_options *options, size_t size,
                                     zf_structure structure);
static inline zf_generate_options zf_generate_defaults(zf_structure structure)
{
    zf_generate_options options;
    zf_generate_options_init(&options, sizeof options, structure);
    return options;
}

/* A sample and its graph: values [rows * variables] are the caller's (zf_free),
   and so is the graph (zf_graph_free), whose gates are 1 on edges and whose
   names (x1, x2, ...; r1c1, ... on the lattice) are those of the columns.
   precision, if not NULL, gets the [variables * variables] precision matrix (for
   volatility and sem, which have none, 1 on edges and on the diagonal), the
   caller's (zf_free).

   The values have the digits of float32; they are double because that is what every
   function here takes. The data is a function of the options: with the same seed, a larger sample
   begins with the smaller one. A truncated row is within 1e-9 of an exact draw from its
   distribution. ZF_EINVAL: invalid options. */
ZF_API zf_status zf_generate(double **values, zf_graph **truth, double **precision,
                             const zf_generate_options *options) ZF_CHECK;

/* n independent standard normal values, from which any distribution can be made. Streams of one
   seed are independent of each other, of those of other seeds and of zf_generate's data; a longer
   stream begins with the shorter one. */
ZF_API void zf_generate_normals(double *values, size_t n, uint64_t seed, uint32_t stream);

#ifdef __cplusplus
}
#endif
#endif
