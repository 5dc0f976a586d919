/* Structural equation models: each variable is a function of its parents and of noise of its
   own. The laws are in zeroflow/generate.h. */
#ifndef ZF_DATA_SYNTHETIC_SEM_H
#define ZF_DATA_SYNTHETIC_SEM_H

#include "base/random.h"
#include "data/synthetic.h"
#include "zeroflow/generate.h"

enum { ZF_SEM_PARENTS = 5 }; /* the most that any mechanism has */

/* What a parent's value becomes before it is added. */
typedef enum zf_sem_shape {
    ZF_SHAPE_LINE,
    ZF_SHAPE_STEEP,  /* tanh 2u */
    ZF_SHAPE_SQUARE, /* u^2 - 1 */
    ZF_SHAPE_WAVE,   /* sin 2u */
    ZF_SHAPE_FOLD,   /* 1.5 |u| */
    ZF_SHAPE_BUMP,   /* 2.5 exp(-u^2) */
    ZF_SHAPE_RAMP,   /* u above 0, else 0 */
    ZF_SHAPE_CORNER, /* |u| */
    ZF_SHAPE_STEP,   /* 1 above 0.3, else -1 */
} zf_sem_shape;

/* All with mean 0. */
typedef enum zf_sem_noise {
    ZF_NOISE_NORMAL,
    ZF_NOISE_LAPLACE,
    ZF_NOISE_UNIFORM,
    ZF_NOISE_STUDENT, /* three degrees of freedom, over 1.7 */
    ZF_NOISE_HUMPS,   /* 0.6 times a normal, 0.8 to the left or to the right */
} zf_sem_noise;

/* How parents and noise make the value. */
typedef enum zf_sem_rule {
    ZF_RULE_SUM,     /* weighted shapes of the parents, plus noise */
    ZF_RULE_SPREAD,  /* noise times sqrt(0.15 + 0.85 mean square of the parents) */
    ZF_RULE_PRODUCT, /* the parents' product, plus noise */
    ZF_RULE_SIGN,    /* the sign of the parents' product, times |noise| */
} zf_sem_rule;

typedef struct zf_sem_arrow {
    int from;
    zf_sem_shape shape;
    double weight; /* kinetics: how much stronger (above 0) or weaker the parent makes it */
} zf_sem_arrow;

typedef struct zf_sem_node {
    zf_sem_arrow arrows[ZF_SEM_PARENTS];
    int parents;
    int column; /* where it stands in the table */
    zf_sem_rule rule;
    zf_sem_noise noise;
    double noise_scale;
    double mean, deviation; /* are taken from the value, and divide it */
} zf_sem_node;

/* Parents come before their children, but for kinetics, where there are loops. */
typedef struct zf_sem {
    zf_mechanism mechanism;
    int d;
    zf_sem_node *nodes; /* [d] */
} zf_sem;

/* Arrows that d variables can have at most, and that they have if no number is named. */
int64_t zf_sem_arrows_most(zf_mechanism mechanism, int d);
int64_t zf_sem_arrows_usual(zf_mechanism mechanism, int d);

/* Draws a model of so many arrows, which is a number that zf_sem_arrows_most allows and for
   products an even one. ZF_ENOMEM. */
zf_status zf_sem_new(zf_sem *out, zf_mechanism mechanism, int d, int64_t arrows,
                     uint64_t seed) ZF_CHECK;
void zf_sem_free(zf_sem *sem); /* leaves an empty one */

/* The undirected graph: 1 on edges and on the diagonal. ZF_ENOMEM. */
zf_status zf_sem_graph(zf_band *graph, const zf_sem *sem) ZF_CHECK;

zf_status zf_sem_sample(const zf_synthetic_draw *draw, const zf_sem *sem) ZF_CHECK;

/* Sets means and deviations by the moments of a sample of its own. ZF_ENOMEM. */
zf_status zf_sem_scale(zf_sem *sem, uint64_t seed, uint64_t step) ZF_CHECK;

#endif
