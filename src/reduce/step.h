/* One training step of a reduction, as a program and the functions that fill its inputs.

   f is asked at two places of a sample, y' and y, in one pass; the field at two or three
   moments in one more: (x_t, f(y'), y) for the rectified-flow loss, (x_0.5, f(y), y) for
   the zero-flow term, and with antisymmetry this at t and 1 - t of the same point.
   Weights are brought into form once for all of them.

   A sample's code is cut: numbers from `length` on are 0, and the field is told which.
   A field that guesses the length from the zeros learns more slowly. Separate fits for
   each length were rejected: they cost that many times as much and were no better. */
#ifndef ZF_REDUCE_STEP_H
#define ZF_REDUCE_STEP_H

#include "base/random.h"
#include "engine/program.h"
#include "flow/objective.h"

enum { ZF_REDUCE_LAYERS = 3 };

typedef struct zf_reduce_step_options {
    uint64_t seed;
    int batch, hidden;
    int inputs, targets, dim;
    bool antisymmetry;
    double zero_weight;
} zf_reduce_step_options;

typedef struct zf_reduce_step {
    zf_reduce_step_options options;
    int moments, known_columns;
    zf_program *program;
    zf_domain *samples;
    zf_node *both;          /* [N, 2, inputs]: y', y */
    zf_node *keep;          /* [N, 2, dim]: 1 for the numbers that stay, 0 for those cut */
    zf_node *known;         /* [N, moments, targets + 1 + dim + inputs]: x_t, t, keep, y */
    zf_node *difference;    /* [N, targets]: x' - x */
    zf_node *moving, *zero; /* velocities [N, targets]: which should be x' - x, and 0 */
    zf_objective objective;
    const float *rows; /* [n, targets + inputs] */
    int n;
} zf_reduce_step;

/* The sizes of the networks' layers, ZF_REDUCE_LAYERS + 1 each; parameters are code.*
   and field.*. */
void zf_reduce_code_sizes(int *sizes, int inputs, int dim, int hidden);
void zf_reduce_field_sizes(int *sizes, int inputs, int targets, int dim, int hidden);

/* Builds and plans; the rows are used, not copied. */
zf_status zf_reduce_step_new(zf_reduce_step *step, zf_params *params, const float *rows, int n,
                             const zf_reduce_step_options *options, int workers) ZF_CHECK;
void zf_reduce_step_free(zf_reduce_step *step);

/* A pair of rows at times t (of the moving point) and zero_t (of the zero-flow term), with
   codes cut to length. */
typedef struct zf_reduce_pair {
    const float *here, *other; /* targets, then inputs */
    float t, zero_t;
    int length;
} zf_reduce_pair;
void zf_reduce_fill(const zf_reduce_step *step, int sample, const zf_reduce_pair *pair);

/* Draws and fills the samples of a step: context is the zf_reduce_step. */
void zf_reduce_prepare(void *step, uint64_t number, zf_crew *crew);

#endif
