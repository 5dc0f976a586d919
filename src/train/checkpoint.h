/* Models and checkpoints on disk.

   Both are one safetensors file: every parameter and buffer under its name, the
   training history as a tensor, and in the metadata what the caller says about
   the model (architecture, options, seed, names). A checkpoint has the
   optimiser's moments ("adamw.first.NAME", "adamw.second.NAME") and the step as
   well. Files are written whole or not at all, and have a checksum (io/seal.h) that is
   checked when they are opened. */
#ifndef ZF_TRAIN_CHECKPOINT_H
#define ZF_TRAIN_CHECKPOINT_H

#include "engine/params.h"
#include "io/safetensors.h"
#include "train/history.h"
#include "train/optimiser.h"

/* What goes into the file besides what the optimiser trains. Text about the run: on
   resuming, what is in the file must be equal. Tensors of numbers that were found before
   training, such as marginals: whoever reads the model asks for them by name. */
typedef struct zf_description {
    const zf_metadata *items;
    size_t count;
    const zf_tensor *tensors;
    size_t n_tensors;
} zf_description;

/* Where a model is written: a file, or memory, where *bytes is for free(). */
typedef struct zf_model_place {
    const char *path; /* NULL: memory */
    void **bytes;
    size_t *n;
} zf_model_place;

/* A model: what was learnt, without what training needs to go on. */
zf_status zf_model_write(zf_model_place place, zf_params *params, const zf_history *history,
                         zf_description description) ZF_CHECK;
/* Every parameter and buffer that was declared is in the file, of the same shape. Asked
   before the set is fixed, so that a small file that claims huge networks is refused
   before memory is asked for: what a model takes is bounded by the tensors that are in
   its file. `file` is NULL for a model that is not read from one: ZF_OK. ZF_EINPUT. */
zf_status zf_model_check(const zf_params *params, const zf_safetensors *file) ZF_CHECK;
/* Reads the values of every parameter and buffer of a fixed set. ZF_EINPUT: one
   is missing, of another shape, or not finite. */
zf_status zf_model_read(zf_params *params, const zf_safetensors *file) ZF_CHECK;

/* A file that zf_model_write wrote for this task, the description's "task". ZF_EINPUT:
   another format or task, or a checkpoint. */
zf_status zf_model_expect(const zf_safetensors *file, const char *path, const char *task) ZF_CHECK;

/* Is it a checkpoint, and not a model? */
bool zf_is_checkpoint(const zf_safetensors *file);

/* Opens a file that has to be a model of the task; what is no such file at all is called by
   its name. Whether it is one of the task zf_model_expect says. */
zf_status zf_model_open(zf_safetensors **out, const char *path, const char *task) ZF_CHECK;
/* The same of bytes in memory, which the caller keeps; name is for messages. */
zf_status zf_model_open_memory(zf_safetensors **out, const char *name, const void *bytes, size_t n,
                               const char *task) ZF_CHECK;
/* A whole number of the description, least to most. ZF_EINPUT: absent or another. */
zf_status zf_model_number(uint64_t *out, const zf_safetensors *file, const char *path,
                          const char *key, uint64_t least, uint64_t most) ZF_CHECK;

/* The training history of a model or checkpoint; history->measures says how many
   measures it must have. */
zf_status zf_history_read(zf_history *history, const zf_safetensors *file,
                          const char *path) ZF_CHECK;

zf_status zf_checkpoint_write(const char *path, zf_params *params, zf_optimiser *optimiser,
                              const zf_history *history, zf_description description) ZF_CHECK;
/* Restores parameters, moments, step and history. ZF_EINPUT: not a checkpoint,
   or one of a run with another description; nothing is promised about the
   values in memory then. */
zf_status zf_checkpoint_read(const char *path, zf_params *params, zf_optimiser *optimiser,
                             zf_history *history, zf_description description) ZF_CHECK;

#endif
