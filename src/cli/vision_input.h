/* What the commands that ask a model of images share. */
#ifndef ZF_CLI_VISION_INPUT_H
#define ZF_CLI_VISION_INPUT_H

#include "image_input.h"
#include "output.h"
#include "zeroflow/vision.h"

#define CLI_VISION_ARGUMENT_HELP "A model that zeroflow pretrain has written."
#define CLI_SIZE_OF_MODEL        "the model's, the only one that it can take"

/* Loads a model and opens images at its size; `source` are the values of the image options.
   CLI_USAGE: --size asks for another one. */
cli_exit cli_open_model_images(zf_vision **model, zf_images **images, const cli_call *call,
                               const char *model_path, const char *images_path,
                               const cli_value *source);

#endif
