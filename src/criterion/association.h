/* How much residuals of x and of y go together, and what chance does. */
#ifndef ZF_CRITERION_ASSOCIATION_H
#define ZF_CRITERION_ASSOCIATION_H

#include "base/crew.h"
#include "base/progress.h"
#include "criterion/columns.h"

/* x and y hold ZF_SHAPES columns for each variable. An entry is a sum over rows of a column of x
   times one of y, in units of its deviation; also, of the two first shapes, times a modulator. */
typedef struct zf_pairing {
    zf_columns x, y;
    zf_columns modulators;   /* of no columns, if there are none */
    const double *inflation; /* [x columns, y columns] of zf_given_inflation. NULL: nothing was
                                taken from x and y, and the rows of y are permuted */
    uint64_t draws, seed;
    zf_crew *crew;
    zf_pace *pace; /* tells of the variables of y that are done; NULL: silence */
} zf_pairing;

/* Of each draw, the data themselves first. */
typedef struct zf_summary {
    double *linear;  /* [draws + 1] sum of the squared entries of first shapes */
    double *rest;    /* [draws + 1] of the others */
    double *largest; /* [draws + 1] largest score; see association.c */
} zf_summary;

/* The entry of a variable of y with the largest score. */
typedef struct zf_strongest {
    double score;
    double correlation;
    size_t x;                /* variable */
    size_t x_shape, y_shape; /* of which shapes */
    size_t modulator;        /* times which of the modulators; SIZE_MAX: none */
} zf_strongest;

typedef struct zf_association {
    zf_summary summary;
    size_t entries;
    size_t top;                  /* variable of y that has the largest score of all */
    double *x_excess, *y_excess; /* [variables]: squared entries beyond chance, summed */
    zf_strongest *strongest;     /* [y variables] */
} zf_association;

zf_status zf_associate(zf_association *out, zf_arena *arena, const zf_pairing *pairing) ZF_CHECK;

/* The p-value of all: the three sums and maxima, each by its rank among the draws, with weights,
   and the smallest of these by its rank again. ZF_ENUMERIC: a sum is not finite. ZF_ENOMEM. */
zf_status zf_association_p_value(double *out, const zf_association *a, uint64_t draws) ZF_CHECK;

/* Of one variable of y, corrected for their number: how often chance makes the largest score of
   all variables as large. */
double zf_association_y_p_value(const zf_association *a, uint64_t draws, size_t variable);

#endif
