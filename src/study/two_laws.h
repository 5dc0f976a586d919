/* Pairs of samples whose laws differ in a known way, or not at all. */
#ifndef ZF_STUDY_TWO_LAWS_H
#define ZF_STUDY_TWO_LAWS_H

#include "zeroflow/status.h"
#include "zeroflow/two_sample.h"

typedef enum difference {
    DIFFERENCE_MEAN,       /* 10 columns; the second's means are moved by effect in all */
    DIFFERENCE_VARIANCE,   /* 10 columns; the second is 1 + effect as wide */
    DIFFERENCE_BLOBS,      /* 2 columns; 3 x 3 Gaussian blobs 5 deviations apart, those of the
                              second correlated by effect */
    DIFFERENCE_DEPENDENCE, /* 10 columns, all marginals standard normal; the second's form a
                              chain, neighbours correlated by effect */
    /* Two clusters or three; effect is what the first has of the rows in the second sample
       more than in the first, the last one less. */
    DIFFERENCE_WEIGHTS_PLANE, /* 2 columns; two, equally large, 4 deviations apart in each */
    DIFFERENCE_WEIGHTS,       /* 10 columns; two, 0.3 and 0.7, 1.9 apart in each */
    DIFFERENCE_WEIGHTS_THREE, /* 5 columns; three, 3 apart in two directions */
    /* Columns of few values, all equally frequent in the first sample. */
    DIFFERENCE_LEVELS, /* 5 columns of 4 values; in the second the outer two have effect more */
    DIFFERENCE_COPIES, /* 6 columns of 3; a column has the value of the one before it with
                          probability effect in the second */
    DIFFERENCE_MAPPED, /* 8 columns of 5; the same, but of the value before, 0 to 4, 2 v + 1
                          modulo 5 */
    DIFFERENCE_PARITY, /* 6 columns of 2; the third and the sixth are the sum, modulo 2, of
                          the two before with probability effect */
    DIFFERENCES,
    /* No difference, 5 columns: */
    NULL_GAUSSIAN = DIFFERENCES, /* correlated by 0.5 */
    NULL_HEAVY,                  /* Student's t with 3 degrees of freedom */
    NULL_MIXTURE,                /* two Gaussians, 4 deviations apart in each column */
    NULL_LEVELS,                 /* two to six values, neighbours alike with probability 0.3 */
    TWO_LAWS,
} difference;

const char *two_laws_name(difference kind);

/* Two samples of so many rows each, a function of the arguments: values is for free(),
   samples points into it. */
zf_status two_laws_draw(double **values, zf_two_samples *samples, difference kind, double effect,
                        size_t rows, uint64_t seed, uint32_t trial);

#endif
