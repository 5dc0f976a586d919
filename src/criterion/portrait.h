/* From what is left of two variables to a portrait of their dependence. */
#ifndef ZF_CRITERION_PORTRAIT_H
#define ZF_CRITERION_PORTRAIT_H

#include "zeroflow/portrait.h"

/* One of the two. */
typedef struct zf_sitter {
    int32_t column;
    const double *left;   /* [rows]: what is left of its score */
    const double *square; /* [rows]: what is left of its second shape */
    const double *score;  /* [rows]: the score itself */
} zf_sitter;

typedef struct zf_sitting {
    zf_form form;
    zf_sitter across, up; /* of curves that nobody knows the direction of (ZF_FORM_CURVED) the two
                             may change places: up becomes the one that the curve says more of */
    int32_t third;
    size_t rows;
    const double *turning; /* [rows]: what the slope changes with; NULL: no interaction */
    const size_t *first;   /* [units + 1]: rows that belong together stand together, as in
                              zf_unit_rows;   NULL: every row is by itself */
    size_t units;
} zf_sitting;

/* ZF_ENOMEM. */
zf_status zf_portrait_make(zf_portrait *out, const zf_sitting *sitting) ZF_CHECK;

#endif
