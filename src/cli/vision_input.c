#include "vision_input.h"

cli_exit cli_open_model_images(zf_vision **model, zf_images **images, const cli_call *call,
                               const char *model_path, const char *images_path,
                               const cli_value *source)
{
    zf_images_options wish = cli_image_options(call, source);
    CLI_TRY(cli_check(zf_vision_load(model, model_path)));
    int size = zf_vision_size(*model);
    if (wish.size != 0 && wish.size != size)
        return cli_fail(CLI_USAGE, "option --size: %s takes images of %d pixels a side, found %d",
                        model_path, size, wish.size);
    wish.size = size;
    return cli_open_images(images, call, images_path, &wish);
}
