/* Pairs of samples whose laws differ in a known way, or not at all. */
#ifndef ZF_CLI_TWO_LAWS_H
#define ZF_CLI_TWO_LAWS_H

#include "command.h"
#include "zeroflow/two_sample.h"

typedef enum difference {
    DIFFERENCE_MEAN,       /* 10 columns; the second's means are moved by effect in all */
    DIFFERENCE_VARIANCE,   /* 10 columns; the second is 1 + effect as wide */
    DIFFERENCE_BLOBS,      /* 2 columns; 3 x 3 Gaussian blobs 5 deviations apart, those of the
                              second correlated by effect */
    DIFFERENCE_DEPENDENCE, /* 10 columns, all margins standard normal; the second's form a
                              chain, neighbours correlated by effect */
    DIFFERENCES,
    /* No difference, 5 columns: */
    NULL_GAUSSIAN = DIFFERENCES, /* correlated by 0.5 */
    NULL_HEAVY,                  /* Student's t with 3 degrees of freedom */
    NULL_MIXTURE,                /* two Gaussians, 4 deviations apart in each column */
    TWO_LAWS,
} difference;

extern const char *const two_laws_names[TWO_LAWS];

/* Two samples of so many rows each, a function of the arguments: values is for free(),
   samples points into it. */
cli_exit two_laws_draw(double **values, zf_two_samples *samples, difference kind, double effect,
                       size_t rows, uint64_t seed, uint32_t trial);

#endif
