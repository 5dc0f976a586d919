/* A reduction in memory: parameters, names, marginals, and a program that gives codes. */
#ifndef ZF_REDUCE_MODEL_H
#define ZF_REDUCE_MODEL_H

#include "base/arena.h"
#include "base/spares.h"
#include "data/marginals.h"
#include "engine/program.h"
#include "train/checkpoint.h"
#include "zeroflow/reduce.h"

enum { ZF_REDUCE_MEASURES = 3 }; /* loss, rectified, zero */

/* What a model is besides its numbers; all of it goes into the file. */
typedef struct zf_reduce_shape {
    int inputs, targets;
    int dim;  /* trained */
    int kept; /* given; set at the end of training */
    int hidden;
    zf_marginals_kind marginals;
    int knots; /* of the inputs' marginals */
} zf_reduce_shape;

struct zf_reduction {
    zf_reduce_shape shape;
    uint64_t seed;
    uint64_t given; /* fingerprint of what it was trained on */
    zf_arena arena;
    const char **inputs, **targets; /* names */
    const char *options_text;       /* how it was trained, for people and for resuming */
    zf_params *params;
    zf_marginals marginals; /* of the inputs */
    zf_history history;
    zf_spares coders; /* programs of codes */
    zf_crew *crew;    /* of one, so that all may run on it */
    bool mapped;      /* there is a buffer code.map; files of earlier versions have none */
};

/* A model without numbers; names are copied. */
zf_status zf_reduction_new(zf_reduction **out, const zf_reduce_shape *shape, uint64_t seed,
                           const char *const *inputs, const char *const *targets) ZF_CHECK;

/* Declares what the file holds, builds the program of codes and fixes the set. `from`: a
   file that must hold all of it (zf_model_check); NULL: none. */
zf_status zf_reduction_prepare(zf_reduction *model, const zf_safetensors *from) ZF_CHECK;

/* Codes [rows, dim], as the networks know them, of inputs after the marginals. */
zf_status zf_reduction_encode(const zf_reduction *model, float *codes, const float *y,
                              size_t rows) ZF_CHECK;

/* The memory of a buffer: code.mean, code.deviation [dim], code.map [dim, dim], of which row l
   makes the l-th number that is given from all that are centred,
   criterion [dim, 4]: rectified, excess, error, zero. */
float *zf_reduction_buffer(const zf_reduction *model, const char *name);

/* What the file says about the model in words; lives in the arena. `kept` is not
   in it, which a checkpoint cannot know. */
zf_status zf_reduction_describe(zf_description *out, zf_arena *arena, const zf_reduction *model,
                                bool trained) ZF_CHECK;

#endif
