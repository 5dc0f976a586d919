/* Post-nonlinear models: X = g(a Z + noise), Y = h(b Z + noise), with the six shapes
   u, u^3, tanh u, exp u, u^2 and cos u for g and h, drawn anew for each sample. */
#ifndef ZF_STUDY_POST_NONLINEAR_H
#define ZF_STUDY_POST_NONLINEAR_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

/* The law of Z. */
typedef enum given_law { GIVEN_GAUSSIAN, GIVEN_HEAVY, GIVEN_MIXTURE, GIVEN_LAWS } given_law;
extern const char *const given_laws[GIVEN_LAWS];

/* How X and Y depend on each other beyond Z. */
typedef enum relation {
    RELATION_NONE,      /* a and b are random directions: independent given Z, any shapes */
    RELATION_COMMON,    /* the noises have correlation `common`; rising shapes */
    RELATION_DIRECT,    /* Y's index is added to X's, times 0.1; rising shapes */
    RELATION_SQUARE,    /* the square of Y's index is added to X's, times 0.1; rising shapes */
    RELATION_ONE_INDEX, /* as none, with a = b: the hardest null */
    RELATIONS
} relation;
extern const char *const relations[RELATIONS];

typedef struct post_nonlinear {
    relation relation;
    given_law law;
    int given; /* dimension of Z */
    size_t rows;
    double common;
    uint64_t seed;
    uint32_t trial;
} post_nonlinear;

/* rows * (2 + given) values, row-major: X, Y, Z; for free(). */
zf_status post_nonlinear_draw(double **values, const post_nonlinear *model);

#endif
