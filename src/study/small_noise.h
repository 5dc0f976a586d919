/* Laws in which X and Y are strong functions of the same variables Z, independent given Z, and
   noise has a fifth of the deviation of what Z explains: the less noise, the more exactly a test
   of independence has to know these functions. */
#ifndef ZF_STUDY_SMALL_NOISE_H
#define ZF_STUDY_SMALL_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

/* What X and Y are sums of, each with weights and curves of its own. */
typedef enum small_noise_law {
    SMALL_NOISE_CURVES,   /* a curve of each variable */
    SMALL_NOISE_PRODUCTS, /* curves of the first five variables, and products of neighbours */
    SMALL_NOISE_NETWORK,  /* eight units tanh of the first five variables */
    SMALL_NOISE_LAWS
} small_noise_law;
extern const char *const small_noise_laws[SMALL_NOISE_LAWS];

typedef struct small_noise {
    small_noise_law law;
    int given; /* dimension of Z, which is standard normal */
    size_t rows;
    uint64_t seed;
    uint32_t trial;
} small_noise;

/* rows * (2 + given) values, row-major: X, Y, Z; for free(). */
zf_status small_noise_draw(double **values, const small_noise *model);

#endif
