#include "image_input.h"

#include "progress.h"

const char *const cli_parts[] = {"train", "test", "unlabelled", NULL};
const char *const cli_watermarks[] = {"none", "patch", "colour", NULL};

zf_images_options cli_image_options(const cli_call *call, const cli_value *first)
{
    zf_images_options wish = zf_images_defaults();
    if (first[CLI_SIZE].given) wish.size = (int)first[CLI_SIZE].whole;
    wish.part = (zf_images_part)cli_place_of(first[CLI_PART].text, cli_parts);
    wish.labels = first[CLI_LABELS].text;
    wish.memory = first[CLI_MEMORY].whole << 20;
    wish.threads = call->threads;
    return wish;
}

cli_exit cli_open_images(zf_images **out, const cli_call *call, const char *path,
                         const zf_images_options *options)
{
    zf_images_options wish = *options;
    cli_progress progress;
    wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, call);
    zf_status status = zf_images_open(out, path, &wish);
    cli_progress_end(&progress);
    return cli_check(status);
}
