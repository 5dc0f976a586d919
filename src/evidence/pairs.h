/* The test of one variable against others, from residuals. */
#ifndef ZF_EVIDENCE_PAIRS_H
#define ZF_EVIDENCE_PAIRS_H

#include "evidence/controls.h"
#include "evidence/signs.h"

/* What controls leave of a variable's shapes. */
typedef struct zf_residual {
    double *shapes; /* [ZF_SHAPES, N] */
    double freedom; /* rows, less what the regression took */
} zf_residual;

/* What follows works in `scratch`, an arena that it clears: a worker keeps one for all its tests.

   Residuals of a variable given its controls. shapes: [ZF_SHAPES, N], the caller's. ZF_ENOMEM,
   ZF_ENUMERIC. */
zf_status zf_residual_take(zf_residual *out, double *shapes, const zf_sample *sample,
                           size_t variable, const zf_controls *controls,
                           zf_arena *scratch) ZF_CHECK;

/* Two variables of which one is among the controls of the other: given the controls of the one, of
   the other and of both, without each other; the mean of the three. both: [2 ZF_SHAPES, N], to
   work with. ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_pair_near(zf_sign *out, const zf_sample *sample, size_t x, size_t y,
                       const zf_controls *of_x, const zf_controls *of_y, zf_columns *both,
                       zf_arena *scratch) ZF_CHECK;

/* Two variables given n others, ascending and at most 2 ZF_CONTROLS_MOST. both: as above.
   ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_pair_given(zf_sign *out, const zf_sample *sample, size_t x, size_t y,
                        const int32_t *given, size_t n, zf_columns *both,
                        zf_arena *scratch) ZF_CHECK;

/* Is one of the two a control of the other? */
bool zf_pair_is_near(size_t x, size_t y, const zf_controls *of_x, const zf_controls *of_y);

/* What the test of a pair that shows it best has left of the shapes of both. both: [2 ZF_SHAPES,
   N], first those of x. ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_pair_residuals(zf_columns *both, const zf_sample *sample, size_t x, size_t y,
                            const zf_controls *of_x, const zf_controls *of_y,
                            zf_arena *scratch) ZF_CHECK;

/* A variable against those before it, each given its own controls: out[y] for y < x.
   ZF_ENOMEM. */
zf_status zf_pairs_far(zf_sign *out, const zf_sample *sample, size_t x,
                       const zf_residual *residuals) ZF_CHECK;

#endif
