/* Projection pursuit: directions along which several responses change together. */
#ifndef ZF_CRITERION_PURSUIT_H
#define ZF_CRITERION_PURSUIT_H

#include "criterion/columns.h"

/* The functions of an index that its profile is a sum of: one that is all but linear,
   and bumps along it. */
enum { ZF_BUMPS = 10, ZF_PROFILE = 1 + ZF_BUMPS, ZF_DIRECTIONS = 2 };

/* What was found, strongest first: the functions of each index, of mean 0. */
typedef struct zf_directions {
    int count;
    zf_columns profile[ZF_DIRECTIONS];
} zf_directions;

/* The functions of an index of mean 0 and deviation 1, centred, and their derivatives along it:
   both [ZF_PROFILE, rows]. */
void zf_spread_profile(double *profile, double *derivative, const double *index, size_t rows);

/* How far starting points are followed: each to its end; or each a little way, the best of them
   further, until little is gained, which costs a third and finds nearly as much. */
typedef enum zf_pursuit { ZF_PURSUE_ALL, ZF_PURSUE_BEST } zf_pursuit;

/* inputs: orthonormal times the root of N, that is, white; scores: the same of the
   variables' normal scores, for starting points that outliers cannot pull away;
   responses: of mean 0. inputs has no fewer columns than scores. A direction that explains no more
   than chance would is not kept. */
zf_status zf_pursue(zf_directions *out, zf_arena *arena, const zf_columns *inputs,
                    const zf_columns *scores, const zf_columns *responses, zf_pursuit how) ZF_CHECK;

#endif
