/* A vision model in memory: what it is, its parameters, what training measured. */
#ifndef ZF_VISION_MODEL_H
#define ZF_VISION_MODEL_H

#include "base/arena.h"
#include "base/spares.h"
#include "train/checkpoint.h"
#include "vision/step.h"
#include "zeroflow/vision.h"

/* By zf_vision_method. */
enum { ZF_VISION_METHODS = 3 };
extern const char *const zf_vision_method_names[ZF_VISION_METHODS];

/* What a model is and how it is trained; the file tells it. */
typedef struct zf_vision_plan {
    zf_vision_step_options step;
    double rate, decay;
    uint64_t iterations;
    uint64_t images;      /* trained on */
    uint64_t watch_every; /* iterations between looks at held-out images; 0: none */
} zf_vision_plan;

struct zf_vision {
    zf_vision_plan plan;
    uint64_t given; /* fingerprint of the images that it was trained on */
    zf_arena arena;
    zf_params *params; /* fixed */
    const char *measures[ZF_MOST_MEASURES];
    zf_history history;           /* of these */
    zf_spares encoders, decoders; /* embedders (embed.h) of a few images, as they are asked for */
    zf_crew *crew;                /* of one, on which these run */
    float *watched; /* [zf_vision_watches]: what each look found, below 0: nothing yet; a
                       buffer of params, so that checkpoints keep it */
};

/* A model as it is before training. `from`: a file that must hold all of its tensors
   (zf_model_check); NULL: none. */
zf_status zf_vision_new(zf_vision **out, const zf_vision_plan *plan,
                        const zf_safetensors *from) ZF_CHECK;

/* How many looks there are, and after which iteration look i is: the last one is at the
   end. */
int zf_vision_watches(const zf_vision_plan *plan);
uint64_t zf_vision_watch_at(const zf_vision_plan *plan, int i);

/* What the file says about the model in words; lives in the arena. */
zf_status zf_vision_describe(zf_description *out, zf_arena *arena, const zf_vision *model) ZF_CHECK;

#endif
