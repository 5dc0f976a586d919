/* Evidence: for every pair of variables of a table, does each still tell something
   about the other once all that matters besides is known?

     zf_evidence *evidence = NULL;
     zf_evidence_options options = zf_evidence_defaults();
     zf_status status = zf_evidence_test(&evidence, values, rows, names, columns, &options);
     if (status == ZF_OK && zf_evidence_pair(evidence, 0, 1)->q_value <= 0.1) puts("an edge");
     zf_evidence_free(evidence);

   A pair's p-value says how often chance alone makes the two look as dependent as they do;
   its q-value is the share of false edges that must be expected if this pair and all that
   look stronger are called edges (Benjamini and Hochberg, 1995). So the pairs with a q-value
   of at most 0.1 are a graph of which about one edge in ten is false.

   What it assumes: rows that are independent of each other, and that the controls of one
   of the two variables (zf_evidence_controls) contain what the other acts through. Nothing
   is drawn at random, and no blanket model takes part: the same table gives the same answer,
   whatever the seed of a fit. docs/evidence.md says more.

   A zf_evidence is constant once made: any number of threads may read it. */
#ifndef ZEROFLOW_EVIDENCE_H
#define ZEROFLOW_EVIDENCE_H

#include <stddef.h>

#include "zeroflow/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_evidence zf_evidence;

enum {
    ZF_EVIDENCE_ROWS_LEAST = 30,      /* with fewer rows evidence is refused */
    ZF_EVIDENCE_COLUMNS_MOST = 10000, /* with more columns too */
};

/* What the strongest sign of a dependence looks like. */
typedef enum zf_form {
    ZF_FORM_NONE,        /* nothing to speak of */
    ZF_FORM_RISING,      /* the more of the one, the more of the other */
    ZF_FORM_FALLING,     /* the more of the one, the less of the other */
    ZF_FORM_VALLEY,      /* U-shaped: one is high where the other is far from its middle */
    ZF_FORM_HILL,        /* one is low where the other is far from its middle */
    ZF_FORM_SPREAD,      /* how far each is from its middle goes with how far the other is */
    ZF_FORM_CURVED,      /* another curve: steps, waves */
    ZF_FORM_INTERACTION, /* the slope changes with a third variable */
} zf_form;

ZF_API const char *zf_form_name(zf_form form); /* "rising", "U-shaped", ... */

typedef struct zf_pair_evidence {
    double p_value;
    double q_value; /* the p-value, adjusted for the number of pairs */
    double effect;  /* correlation behind the strongest sign of dependence, -1 to 1 */
    zf_form form;   /* what that sign looks like */
    int32_t curved; /* valley and hill: the variable that is high or low; otherwise -1 */
    int32_t third;  /* interaction: the variable with which the slope changes; otherwise -1 */
} zf_pair_evidence;

typedef struct zf_evidence_options {
    int threads; /* 0: all processors; the result does not depend on it */
    zf_report report;
} zf_evidence_options;

ZF_API zf_evidence_options zf_evidence_defaults(void);

/* On rows * columns finite values, row-major; names are for messages, NULL: numbers.
   ZF_EINPUT: too few rows, too many columns, fewer than two of them, a value that is not
   finite, a constant column. ZF_EINTERRUPT. */
ZF_API zf_status zf_evidence_test(zf_evidence **out, const double *values, size_t rows,
                                  const char *const *names, size_t columns,
                                  const zf_evidence_options *options) ZF_CHECK;

ZF_API size_t zf_evidence_rows(const zf_evidence *evidence);
ZF_API double zf_evidence_seconds(const zf_evidence *evidence); /* that it took; 0 from a file */
ZF_API int32_t zf_evidence_columns(const zf_evidence *evidence);

/* What is known of two different variables, in either order. */
ZF_API const zf_pair_evidence *zf_evidence_pair(const zf_evidence *evidence, int32_t a, int32_t b);

/* The controls of a variable, ascending, and their number: the other variables that a search
   found to help to predict it. They are candidates, not a blanket. */
ZF_API size_t zf_evidence_controls(const zf_evidence *evidence, int32_t variable,
                                   const int32_t **controls);

/* How many pairs have a q-value of at most fdr: the edges at that false discovery rate. */
ZF_API size_t zf_evidence_edges(const zf_evidence *evidence, double fdr);

/* About how many rows it would take for the pair with the smallest p-value to be an edge at
   this false discovery rate, if it is as strong as it looks; 0 if it is an edge already.
   fdr is above 0 and below 1. */
ZF_API size_t zf_evidence_rows_needed(const zf_evidence *evidence, double fdr);

ZF_API void zf_evidence_free(zf_evidence *evidence); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
