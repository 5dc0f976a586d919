/* Which of zeroflow's models a file holds.

     zf_model_type type;
     bool unfinished;
     if (zf_model_kind(&type, &unfinished, "some.model") != ZF_OK) return fail();
     if (type == ZF_MODEL_BLANKET && !unfinished) status = zf_blanket_load(&model, "some.model");

   Each kind is loaded by its own function. A checkpoint is what training continues from; no model
   can be loaded from it. Safe from several threads. */
#ifndef ZEROFLOW_MODEL_H
#define ZEROFLOW_MODEL_H

#include <stdbool.h>

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zf_model_type {
    ZF_MODEL_NONE,      /* another file */
    ZF_MODEL_BLANKET,   /* zeroflow/blanket.h */
    ZF_MODEL_REDUCTION, /* zeroflow/reduce.h */
    ZF_MODEL_VISION,    /* zeroflow/vision.h */
    ZF_MODEL_FLOW,      /* zeroflow/flow.h */
} zf_model_type;

/* *checkpoint, unless it is NULL: is it a checkpoint of such a model? ZF_EIO: it cannot be read.
   ZF_EINPUT: it begins as a model does, and is damaged. */
ZF_API zf_status zf_model_kind(zf_model_type *type, bool *checkpoint, const char *path) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
