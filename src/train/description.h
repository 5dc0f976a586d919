/* Making a zf_description: what a model file says about itself in words. */
#ifndef ZF_TRAIN_DESCRIPTION_H
#define ZF_TRAIN_DESCRIPTION_H

#include "base/arena.h"
#include "train/checkpoint.h"

enum { ZF_DESCRIBED_TENSORS = 12 };

/* A list under construction; {0} but for the arena, where everything in it lives. */
typedef struct zf_describing {
    zf_arena *arena;
    zf_metadata *items;
    size_t count, room;
    zf_tensor tensors[ZF_DESCRIBED_TENSORS];
    size_t n_tensors;
} zf_describing;

/* Room for so many items. */
zf_status zf_describe_begin(zf_describing *list, zf_arena *arena, size_t room) ZF_CHECK;
zf_status zf_describe_text(zf_describing *list, const char *key, const char *value) ZF_CHECK;
zf_status zf_describe_number(zf_describing *list, const char *key, uint64_t value) ZF_CHECK;
/* KEY.0, KEY.1, ... */
zf_status zf_describe_texts(zf_describing *list, const char *key, const char *const *values,
                            size_t n) ZF_CHECK;
/* Its data stays the caller's, and must live as long as the description is used. */
zf_status zf_describe_tensor(zf_describing *list, zf_tensor tensor) ZF_CHECK;
zf_status zf_described(zf_description *out, const zf_describing *list) ZF_CHECK;

/* Reads such texts back; they belong to the file. ZF_EINPUT: one is absent. */
zf_status zf_model_texts(const char **out, const zf_safetensors *file, const char *path,
                         const char *key, size_t n) ZF_CHECK;

#endif
