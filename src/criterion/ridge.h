/* Ridge regression whose penalty is chosen on the rows that it is fitted to. */
#ifndef ZF_CRITERION_RIDGE_H
#define ZF_CRITERION_RIDGE_H

#include "criterion/columns.h"

/* Coefficients [fit->count] of y (of mean 0) on columns, the first `linear` of which count
   in full, the others with a weight that is chosen too, 0 at the least. Columns of both, those
   that are fitted and those that are to be predicted from, lose the mean that they have in the
   former. Penalty and weight by generalised cross-validation, in which a degree of freedom costs
   `repetition` rows: 1 where rows are independent, more where they repeat each other. ZF_ENOMEM,
   ZF_ENUMERIC. */
zf_status zf_ridge_fit(double *coefficients, zf_columns *fit, zf_columns *rest, const double *y,
                       size_t linear, double repetition, zf_arena *arena) ZF_CHECK;

#endif
