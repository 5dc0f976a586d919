/* What a file is, for who does not know yet. */
#include <string.h>

#include "base/error.h"
#include "io/input.h"
#include "io/recognise.h"
#include "train/checkpoint.h"
#include "zeroflow/model.h"

/* By zf_model_type: the description's "task". */
static const char *const TASKS[] = {"", "blanket", "reduction", "vision", "flow"};
enum { TYPES = sizeof TASKS / sizeof *TASKS };

static zf_status is_of_tensors(bool *out, const char *path)
{
    unsigned char start[ZF_INPUT_PEEK];
    size_t n = 0;
    zf_io_input *input = NULL;
    ZF_TRY(zf_io_input_open(&input, path));
    zf_status status = zf_io_input_peek(input, start, &n);
    zf_io_input_close(input);
    if (status == ZF_OK) *out = zf_recognise(start, n).class == ZF_CONTENT_TENSORS;
    return status;
}

zf_status zf_model_kind(zf_model_type *type, bool *checkpoint, const char *path)
{
    bool tensors = false;
    zf_safetensors *file = NULL;
    ZF_TRY(is_of_tensors(&tensors, path));
    if (tensors) ZF_TRY(zf_safetensors_open(&file, path));
    const char *task = tensors ? zf_safetensors_metadata(file, "task") : NULL;
    int found = ZF_MODEL_NONE;
    for (int i = 1; task && i < TYPES; i++)
        if (strcmp(task, TASKS[i]) == 0) found = i;
    if (checkpoint) *checkpoint = found != ZF_MODEL_NONE && zf_is_checkpoint(file);
    *type = (zf_model_type)found;
    zf_safetensors_close(file);
    return ZF_OK;
}
