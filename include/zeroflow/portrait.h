/* What a dependence looks like: the residuals of two variables given others, with summaries that
   show its form. zf_independence_portrait and zf_target_portraits make one, zf_plot_findings draws
   it.

     zf_portrait portrait;
     status = zf_independence_portrait(&portrait, values, rows, names, columns, &question,
                                       &found.found, NULL);
     if (status == ZF_OK) printf("%zu rows\n", portrait.rows), zf_portrait_free(&portrait);

   Values are normal scores (of mean 0 and deviation 1), minus what the other variables explain: the
   residuals that the test used. If a dependence rises or falls, their correlation is the effect of
   the test. Where it is a curve, the variable that it is a function of is shown as it is: freed of
   the others it would hide the curve, and where there is no dependence what is left of the one has
   mean 0 along the other all the same. Where spreads go together and bins do not show it, the
   square of the one, less what the others explain of that, takes the place of its value, which is a
   curve again.

   Portraits are the caller's own. */
#ifndef ZEROFLOW_PORTRAIT_H
#define ZEROFLOW_PORTRAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/form.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ZF_PORTRAIT_BINS = 12, ZF_PORTRAIT_THIRDS = 3 };

/* Rows that are neighbours in the variable across. Standard errors take rows that belong together
   as one; they are NaN where a bin has no two rows that do not. */
typedef struct zf_portrait_bin {
    size_t rows;
    double across;               /* the mean */
    double mean, mean_error;     /* of the variable up */
    double spread, spread_error; /* its standard deviation */
} zf_portrait_bin;

/* The straight line by least squares through the rows where the third variable is low, in its
   middle, or high. */
typedef struct zf_portrait_line {
    size_t rows;     /* 0: there is none, as of a third variable that has two values */
    double from, to; /* of the variable across: nine tenths of these rows lie between */
    double level;    /* where across is 0 */
    double slope, slope_error;
} zf_portrait_line;

typedef struct zf_portrait {
    size_t struct_size; /* the library sets it */
    zf_form form;
    int32_t across, up; /* columns of the table: from left to right, and upwards */
    int32_t third;      /* of an interaction; -1: the given ones together, or there is none */
    bool across_left;   /* across is what is left of its column, too, and not the column itself */
    bool squared;       /* up is what is left of its column's square, standardised */
    size_t rows;
    double *across_at, *up_at; /* [rows], in no certain order */
    zf_portrait_bin bins[ZF_PORTRAIT_BINS];
    size_t n_bins;
    /* Of an interaction only: */
    unsigned char *part; /* [rows]: 0, 1, 2: in which third of the third variable; else NULL */
    zf_portrait_line lines[ZF_PORTRAIT_THIRDS];
} zf_portrait;

ZF_API void zf_portrait_free(zf_portrait *portrait); /* leaves it empty */

#ifdef __cplusplus
}
#endif
#endif
