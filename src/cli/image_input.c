#include "image_input.h"

#include "progress.h"
#include "text.h"

void cli_close_images(const cli_call *call, cli_exit exit, zf_images *images)
{
    const zf_images_about *about = images ? zf_images_describe(images) : NULL;
    bool ended = exit == CLI_DONE || exit == CLI_INTERRUPTED;
    if (about && about->refused > 0 && ended)
        cli_warn(call, "%s: %s left out, %s used; the first left out is %s: %s",
                 zf_images_path(images), cli_count(about->refused).text,
                 cli_plural(about->count - about->lost, "picture").text, about->refusals[0].name,
                 about->refusals[0].reason);
    zf_images_free(images);
}

json_t *cli_add_refusals(json_t *object, const zf_images *a, const zf_images *b)
{
    if (object) zf_image_input_answer(object, a, b);
    return object;
}
