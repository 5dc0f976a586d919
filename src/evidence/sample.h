/* A table as the evidence works on it: scores and shapes of every variable. */
#ifndef ZF_EVIDENCE_SAMPLE_H
#define ZF_EVIDENCE_SAMPLE_H

#include "criterion/members.h"
#include "evidence/rows.h"

/* Slopes that change with a third variable, and spreads that change with the size of a third: the
   product of the first shapes, or of the second shapes, of all three. The second kind is how two
   show that set the spread of a third: given that it is small they go together, given that it is
   large apart. */
enum { ZF_INTERACTIONS = 2 };

/* How far the lasso's partial correlations are believed (evidence/lasso.h): not asked; as far as
   what is left given chosen controls, and the stronger counts; asked, but what they say alone
   counts for little; in place of what is left. */
typedef enum zf_hearing {
    ZF_HEAR_NOTHING,
    ZF_HEAR_BESIDE,
    ZF_HEAR_WITH_CARE,
    ZF_HEAR_FULLY
} zf_hearing;

typedef struct zf_sample {
    const double *values; /* [rows, variables] */
    size_t rows, variables;
    const size_t *first; /* of each unit's rows, as in zf_unit_rows; NULL: every row is a unit */
    size_t units;
    zf_columns scores; /* normal scores, standardised */
    zf_columns ranks;  /* of these (zf_columns_ranks) */
    zf_columns raw;    /* the columns themselves (zf_columns_raw) */
    zf_columns lines;  /* what straight lines are drawn through: a column itself where it may be
                          normal, else its scores, as ranks lose a little of normal values */
    zf_columns shapes; /* ZF_SHAPES of each variable (zf_columns_bounded_shapes) */
    /* Of each variable, what the products of two others may change with, and its squares: the
       first and the second shape. Of no columns where interactions are not looked for. */
    zf_columns thirds[ZF_INTERACTIONS], third_squares[ZF_INTERACTIONS];
    zf_hearing hearing;
} zf_sample;

/* BLAS is open. ZF_ENOMEM. */
zf_status zf_sample_new(zf_sample *out, zf_arena *arena, const zf_unit_rows *rows) ZF_CHECK;

/* May `column` come from a normal law? scores: its normal scores, standardised as it is. By Shapiro
   and Francia's test at 0.05; false with more than 5,000 rows, for which its law is not known. */
bool zf_may_be_normal(const double *column, const double *scores, size_t rows);

/* The shapes of one variable. */
zf_columns zf_sample_shapes(const zf_sample *sample, size_t variable);

/* Some variables, to regress on. ZF_ENOMEM. */
zf_status zf_sample_members(zf_criterion_members *out, zf_arena *arena, const zf_sample *sample,
                            const int32_t *which, size_t n) ZF_CHECK;

/* By how much rows of a unit repeat each other, the most of some columns: 1 where they are
   independent, the size of a unit where they are equal. */
double zf_sample_repetition(const zf_sample *sample, const zf_columns *columns);

/* Are there rows enough to look for slopes that change with a third variable? */
bool zf_rows_see_interactions(size_t rows, size_t variables);
bool zf_sample_sees_interactions(const zf_sample *sample);

#endif
