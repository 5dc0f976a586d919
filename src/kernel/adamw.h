/* The optimiser's inner loops over ranges of the parameter slab: adding up the
   shards' gradients, and AdamW. */
#ifndef ZF_KERNEL_ADAMW_H
#define ZF_KERNEL_ADAMW_H

#include <stddef.h>
#include <stdint.h>

typedef struct zf_adamw_options {
    double rate, decay; /* decay is decoupled: w loses rate * decay * w a step */
    double beta1, beta2, epsilon;
} zf_adamw_options;

/* The constants of one step, computed in double and rounded once. */
typedef struct zf_adamw_step {
    float gradient_scale; /* gradients are multiplied by it first (clipping) */
    float keep;           /* 1 - rate * decay */
    float beta1, rest1;   /* rest = 1 - beta */
    float beta2, rest2;
    /* Both times r = sqrt(1 - beta2^t), which divides sqrt(v) in the textbook:
       rate m / (sqrt(v) / r + epsilon) = rate r m / (sqrt(v) + epsilon r), with
       one division less. */
    float rate; /* rate r / (1 - beta1^t) */
    float epsilon;
} zf_adamw_step;

/* t counts from 1. */
zf_adamw_step zf_adamw_step_at(const zf_adamw_options *options, uint64_t t, double gradient_scale);

typedef struct zf_adamw_kernels {
    /* One step of n parameters:
           w = keep w;  m = beta1 m + rest1 g;  v = beta2 v + rest2 g g
           w = w - rate m / (sqrt(v) + epsilon) */
    void (*update)(float *w, float *m, float *v, const float *g, size_t n,
                   const zf_adamw_step *step);
    /* out[i] = ((slots[0][i] + slots[1][i]) + slots[2][i]) + ... for the n
       elements from begin on, 0 without slots; out may be one of the slots.
       Returns the sum of their squares. */
    double (*sum_slots)(float *out, float *const *slots, int n_slots, size_t begin, size_t n);
} zf_adamw_kernels;

const zf_adamw_kernels *zf_adamw(void);

#endif
