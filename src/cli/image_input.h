/* Images in the studies: which were left out, and where a set's parts are. */
#ifndef ZF_CLI_IMAGE_INPUT_H
#define ZF_CLI_IMAGE_INPUT_H

#include <jansson.h>

#include "command.h"
#include "job/image_input.h"

#define cli_find_parts zf_image_input_parts

/* At the end of a command: warns, if it came to an end, of what was left out of a set or was
   lost on the way; then frees it. NULL is fine. */
void cli_close_images(const cli_call *call, cli_exit exit, zf_images *images);

/* zf_image_input_answer() for a new object, which is returned. NULL: out of memory. */
json_t *cli_add_refusals(json_t *object, const zf_images *a, const zf_images *b);

#endif
