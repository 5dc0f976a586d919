/* Named parameters: what is learnt, and what a model file holds.

   Trainable ones lie in one slab, in the order in which they were made, each
   at a multiple of 16 floats; gradients and optimiser moments are vectors of
   the same layout. Buffers (state that is not trained) lie in a second slab.
   Building programs adds names; the first plan fixes the set and draws the
   initial values, each a function of (seed, name) alone, so that adding a
   layer does not change the others. */
#ifndef ZF_ENGINE_PARAMS_H
#define ZF_ENGINE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/shape.h"
#include "zeroflow/status.h"

typedef struct zf_params zf_params;

/* How initial values are drawn. */
typedef struct zf_init {
    enum { ZF_INIT_CONSTANT, ZF_INIT_UNIFORM, ZF_INIT_NORMAL, ZF_INIT_SECOND_QUARTER } law;
    float a; /* the constant; the bound of the uniform law on (-a, a); the deviation */
} zf_init;

#define ZF_ZEROS             ((zf_init){ZF_INIT_CONSTANT, 0.0f})
#define ZF_CONSTANT(value)   ((zf_init){ZF_INIT_CONSTANT, (value)})
#define ZF_UNIFORM(bound)    ((zf_init){ZF_INIT_UNIFORM, (bound)})
#define ZF_NORMAL(deviation) ((zf_init){ZF_INIT_NORMAL, (deviation)})
/* 1 in the second of four equal parts, 0 elsewhere: the bias of an LSTM that
   begins by remembering. */
#define ZF_FORGET_BIAS ((zf_init){ZF_INIT_SECOND_QUARTER, 1.0f})
/* Uniform on +-1/sqrt(fan_in): what PyTorch gives a linear or convolution layer. */
zf_init zf_init_fan_in(int fan_in);

typedef struct zf_param {
    const char *name;
    zf_shape shape;
    size_t offset; /* in floats, into the slab of its kind */
    size_t size;   /* in floats */
    bool trainable;
    int group; /* which of the optimiser's groups it belongs to; 0 unless set */
    zf_init init;
} zf_param;

zf_status zf_params_new(zf_params **out, uint64_t seed) ZF_CHECK;
void zf_params_free(zf_params *params);

/* Finds or makes; the index goes to *out. Asking again with another shape or
   kind is ZF_EINVAL, and so is a new name after the set was fixed. */
zf_status zf_params_get(int *out, zf_params *params, const char *name, zf_shape shape, zf_init init,
                        bool trainable) ZF_CHECK;

/* Fixes the set, allocates, draws initial values. Idempotent. */
zf_status zf_params_fix(zf_params *params) ZF_CHECK;

int zf_params_count(const zf_params *params);
const zf_param *zf_params_at(const zf_params *params, int index);
int zf_params_find(const zf_params *params, const char *name); /* -1: no such name */
float *zf_params_data(zf_params *params, int index);           /* after zf_params_fix */

/* Every parameter whose name begins with prefix joins the group. Returns how many. */
int zf_params_set_group(zf_params *params, const char *prefix, int group);

/* The trainable slab and its length in floats, padding included (padding is 0). */
float *zf_params_values(zf_params *params);
size_t zf_params_length(const zf_params *params);
uint64_t zf_params_seed(const zf_params *params);

#endif
