/* Blanket models as files. */
#ifndef ZF_BLANKET_FILE_H
#define ZF_BLANKET_FILE_H

#include "blanket/model.h"
#include "train/checkpoint.h"

/* What the file says about the model in words; lives in the arena. */
zf_status zf_blanket_describe(zf_description *out, zf_arena *arena,
                              const zf_blanket *model) ZF_CHECK;

/* Copies marginals and constraints into the buffers that the file holds. */
void zf_blanket_store_buffers(zf_blanket *model);

#endif
