/* One training step of the amortized blanket encoder, as a program and the
   function that fills its inputs.

   Two row domains: the samples of the batch, and the distinct target masks
   among them. Gates are computed once for each distinct mask and gathered to
   the samples, where both terms of the loss and the sparsity use them. */
#ifndef ZF_BLANKET_STEP_H
#define ZF_BLANKET_STEP_H

#include "blanket/targets.h"
#include "flow/objective.h"
#include "flow/time.h"
#include "net/field.h"
#include "net/gates.h"

typedef struct zf_step_options {
    uint64_t seed;
    int batch;
    int hidden; /* units of the velocity field */
    zf_gate_kind gate;
    bool pairs; /* of MLP gates */
    zf_target_options targets;
    zf_time time;         /* of the rectified-flow term */
    zf_time middle;       /* of the zero-flow term, where it has its own */
    double literal_width; /* > 0: the zero-flow term at the other term's t and x_t, weighted by
                             exp(-|t - 0.5| / width) */
    bool antisymmetry; /* the zero-flow term: the mean of the velocities at t and 1 - t, both at the
                          x_t of the middle's t, instead of the velocity at t */
    double zero_weight;
    double sparsity;     /* times the sum of all gates of the batch */
    double pruning;      /* at its peak, times the mean over variables and rows of the gates */
    double exploration;  /* probability with which the rectified-flow term sees a gate open
                            that may be closed, while zf_explores_at says so */
    uint64_t steps;      /* in all, for the course of these */
    uint64_t open_steps; /* first steps with every gate open */
    /* Hard constraints [variables * variables], row = target: 1 forbids the gate,
       2 requires it; NULL: none. */
    const unsigned char *constraints;
} zf_step_options;

typedef struct zf_blanket_step {
    zf_step_options options;
    int variables, most_targets;
    zf_program *program;
    zf_domain *masks, *samples;
    zf_gates gates;
    zf_field field;
    /* inputs of the masks; NULL without constraints and opening */
    zf_node *allow, *force;
    /* inputs of the samples */
    zf_node *pressure; /* NULL without pruning */
    zf_node *tried;    /* other_y where its gate is tried open; NULL without exploration */
    zf_node *mask_of, *y, *other_y, *targets, *weight, *middle_weight, *ones;
    int moments;                    /* at which the field is asked: 3 with antisymmetry, else 2 */
    zf_node *columns, *all_targets; /* for all of these */
    zf_node *moving, *middle, *difference;
    zf_node *mirror; /* the middle at 1 - t; NULL without antisymmetry */
    zf_objective objective;
    zf_node *mean_gate, *loss;
    /* the data and what is drawn for the step */
    const float *rows; /* [n, variables] */
    int n;
    int *counts;      /* [batch] targets of each sample */
    int32_t *buckets; /* hash of masks */
    int n_buckets;
} zf_blanket_step;

/* Builds and plans; data is used, not copied. */
zf_status zf_blanket_step_new(zf_blanket_step *step, zf_params *params, const float *rows, int n,
                              const zf_step_options *options, int workers) ZF_CHECK;
void zf_blanket_step_free(zf_blanket_step *step);

/* Fills the inputs for a step: context is the zf_blanket_step. */
void zf_step_prepare(void *step, uint64_t number, zf_crew *crew);

/* How strong pruning is at a step, 0 to 1. Gates close once the field knows what
   it needs, and those that it needs recover before the end. */
double zf_pruning_at(uint64_t step, uint64_t steps);

/* Whether gates are tried open at a step. Without it a gate that closed before the
   field knew its use stays so: the field never meets what is behind it. In the last
   steps the field learns for the gates as they are. */
bool zf_explores_at(uint64_t step, uint64_t steps);

/* What the constraints say of gate j for a target set: allowed, forbidden (for
   every target), required (for some target). */
typedef enum zf_gate_rule { ZF_GATE_LEARNT, ZF_GATE_CLOSED, ZF_GATE_OPEN } zf_gate_rule;
zf_gate_rule zf_gate_rule_of(const unsigned char *constraints, int variables,
                             const int32_t *targets, int n_targets, int j);

#endif
