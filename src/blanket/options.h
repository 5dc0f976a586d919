/* The options of a fit, inside the library. */
#ifndef ZF_BLANKET_OPTIONS_H
#define ZF_BLANKET_OPTIONS_H

#include "zeroflow/blanket.h"

/* The side of a square grid of so many variables; 0: they are none. */
int zf_grid_side(size_t variables);

/* zf_fit_resolve, and what was measured for it. */
zf_status zf_options_resolve(zf_fit_options *options, zf_dependence *found, const double *values,
                             size_t rows, size_t columns) ZF_CHECK;

#endif
