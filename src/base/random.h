/* Random numbers as a function of an address.

   A stream is named by (seed, purpose, step, row); the k-th number drawn from
   it depends on these and on k alone. So neither the number of threads, nor
   the order in which rows are visited, nor a stop and resume can change what
   is drawn. Underneath is Philox4x32-10 (Salmon et al., 2011). */
#ifndef ZF_BASE_RANDOM_H
#define ZF_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* What a number is for: streams of different purposes never meet. Numbers are
   part of the meaning of a seed, so existing ones never change. */
typedef enum zf_purpose {
    ZF_FOR_INIT = 1,         /* weights: row = a hash of the parameter's name */
    ZF_FOR_DATA = 2,         /* generated data */
    ZF_FOR_BOOTSTRAP = 3,    /* which rows form a batch */
    ZF_FOR_TIME = 4,         /* the t of a flow */
    ZF_FOR_TARGET = 5,       /* target masks */
    ZF_FOR_VIEW = 6,         /* image augmentation */
    ZF_FOR_SPLIT = 7,        /* train and test, folds */
    ZF_FOR_NULL = 8,         /* permutations and sign flips of a test */
    ZF_FOR_TEST = 9,         /* the test suite's own */
    ZF_FOR_EXPLORATION = 10, /* gates that are tried open */
    ZF_FOR_ORDER = 11,       /* the order of a pass over the data: step = the pass */
    ZF_FOR_MARK = 12,        /* what marks an image: row = the image */
    ZF_FOR_REDRAW = 13,      /* what takes the place of an image that was lost */
    ZF_FOR_LINES = 14,       /* which lines explain a variable: step = sweep, row = variable */
} zf_purpose;

typedef struct zf_random {
    uint32_t key[2];
    uint32_t counter[4]; /* draw block, row, step low, purpose and step high */
    uint32_t block[4];   /* words of the current block */
    int used;            /* of these, how many are spent */
} zf_random;

/* step < 2^56. */
zf_random zf_random_at(uint64_t seed, zf_purpose purpose, uint64_t step, uint32_t row);

uint32_t zf_random_word(zf_random *random);                /* 32 uniform bits */
float zf_random_uniform(zf_random *random);                /* (0, 1), both ends open, 23 bits */
double zf_random_uniform_double(zf_random *random);        /* (0, 1), both ends open, 52 bits */
float zf_random_normal(zf_random *random);                 /* mean 0, variance 1 */
float zf_random_beta(zf_random *random, float a, float b); /* a, b > 0 */
float zf_random_laplace(zf_random *random, float centre, float scale);

/* n standard normal values at once, a few nanoseconds each: single precision, and
   others than zf_random_normal draws. They are functions of the stream's name,
   and those of a shorter list are the first of a longer one. The stream must be
   fresh; nothing else is to be drawn from it. */
void zf_random_fill_normal(const zf_random *random, float *values, size_t n);

/* Uniform on 0 .. bound-1, without bias; bound >= 1. One draw with
   replacement: the bootstrap. */
uint32_t zf_random_below(zf_random *random, uint32_t bound);

/* A uniformly random order of 0 .. n-1. */
void zf_random_permutation(zf_random *random, uint32_t *order, size_t n);

/* n row numbers below rows, with replacement; row i of step s is the same
   whoever asks: bootstrap(seed, s, i) draws from the stream of its own. */
void zf_random_bootstrap(uint64_t seed, uint64_t step, uint32_t rows, uint32_t *chosen, size_t n);

/* The raw generator, for tests against published vectors. */
void zf_philox4x32(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);

#endif
