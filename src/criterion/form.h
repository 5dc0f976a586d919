/* From the shapes of two variables that go together to the form of their dependence. */
#ifndef ZF_CRITERION_FORM_H
#define ZF_CRITERION_FORM_H

#include <stddef.h>

#include "zeroflow/form.h"

/* Which of the two is high or low where the other is far from its middle. */
typedef enum zf_bent { ZF_BENT_NEITHER, ZF_BENT_X, ZF_BENT_Y } zf_bent;

/* What a correlation of two shapes looks like (zf_columns_shapes and its kin: their order is
   the same). bent may be NULL; it is set for valleys and hills. */
zf_form zf_form_of(size_t x_shape, size_t y_shape, double correlation, zf_bent *bent);

/* The correlation with its sign as the form has it: above 0 where a curve opens upward and
   where spreads go together. */
double zf_form_effect(size_t x_shape, size_t y_shape, double correlation);

#endif
