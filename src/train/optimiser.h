/* AdamW over a set of parameters, and the sum over shards before it.

   The parameter slab is cut into fixed ranges. One job of the crew adds up the
   shards' gradients of each range, in the order of the shards, with the squares
   for the norm; a second applies AdamW. In between the norm is known, so that
   a gradient that is not finite is refused before it can touch a weight. */
#ifndef ZF_TRAIN_OPTIMISER_H
#define ZF_TRAIN_OPTIMISER_H

#include "engine/program.h"

enum { ZF_MOST_GROUPS = 8 };

/* How the parameters of a group (zf_params_set_group) differ from the rest. */
typedef struct zf_group {
    double rate_scale; /* of the schedule's rate */
    double decay;      /* decoupled weight decay */
} zf_group;

typedef struct zf_optimiser_options {
    double beta1, beta2, epsilon;
    double clip; /* the largest norm of the whole gradient; 0: any */
    zf_group groups[ZF_MOST_GROUPS];
} zf_optimiser_options;

/* beta 0.9 and 0.999, epsilon 1e-8, no clipping, decay 0.01 in every group:
   what PyTorch's AdamW has. */
zf_optimiser_options zf_optimiser_defaults(void);

typedef struct zf_optimiser zf_optimiser;

/* params must be fixed (a program of it planned) and outlive the optimiser. */
zf_status zf_optimiser_new(zf_optimiser **out, zf_params *params,
                           const zf_optimiser_options *options) ZF_CHECK;
void zf_optimiser_free(zf_optimiser *optimiser);

/* One step with the gradients that zf_program_backward has left in the program.
   Parameters that the loss does not reach stay as they are. ZF_ENUMERIC: the
   gradient is not finite; no weight and no moment was changed. */
zf_status zf_optimiser_step(zf_optimiser *optimiser, const zf_program *program, zf_crew *crew,
                            double rate) ZF_CHECK;

/* Norm of the last gradient, before clipping. */
double zf_optimiser_norm(const zf_optimiser *optimiser);

/* What a checkpoint keeps: moments, laid out like zf_params_values, and how
   many steps were done. */
float *zf_optimiser_first_moment(zf_optimiser *optimiser);
float *zf_optimiser_second_moment(zf_optimiser *optimiser);
uint64_t zf_optimiser_steps(const zf_optimiser *optimiser);
void zf_optimiser_set_steps(zf_optimiser *optimiser, uint64_t steps);

#endif
