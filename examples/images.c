/* Features of one image at a time, as images come in.

     cc images.c $(pkg-config --cflags --libs zeroflow) -o images
     ./images vision.model IMAGES    IMAGES: as zeroflow pretrain takes them; without both, a
                                     model before training looks at an image of noise */
#include <stdio.h>
#include <stdlib.h>
#include <zeroflow/zeroflow.h>

static void check(zf_status status)
{
    if (status == ZF_OK) return;
    fprintf(stderr, "%s: %s\n", zf_status_name(status), zf_error());
    exit(1);
}

/* On the caller's thread, as threads is 1; any number of threads may share the model. */
static void show(const zf_vision *model, float *features, const float *image, const char *name)
{
    check(zf_vision_encode(model, features, image, 1, 1));
    printf("%s: %.3f %.3f ...\n", name, (double)features[0], (double)features[1]);
}

int main(int argc, char **argv)
{
    zf_vision *model = NULL;
    zf_images *images = NULL;
    zf_pretrain_options untrained = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    check(argc == 3 ? zf_vision_load(&model, argv[1])
                    : zf_vision_untrained(&model, 32, &untrained));
    int size = zf_vision_size(model);
    size_t pixels = 3 * (size_t)size * (size_t)size;
    unsigned char *bytes = calloc(pixels, 1);
    float *image = calloc(pixels, sizeof *image);
    float *features = calloc((size_t)zf_vision_dim(model), sizeof *features);
    if (!bytes || !image || !features || zf_vision_channels(model) != 3) return 1;
    if (argc == 3) {
        zf_images_options options = zf_images_defaults();
        zf_view_options plain = zf_view_defaults();
        options.size = size;
        check(zf_images_open(&images, argv[2], &options));
        for (uint32_t i = 0; i < zf_images_count(images); i++) {
            char number[16];
            const char *name = zf_images_name(images, i);
            snprintf(number, sizeof number, "%u", (unsigned)i);
            check(zf_images_read(images, &i, 1, bytes));
            zf_view_plain(image, bytes, size, &plain, i);
            show(model, features, image, name ? name : number);
        }
    } else {
        for (size_t i = 0; i < pixels; i++) image[i] = (float)(i * 2654435761u % 256) / 255;
        show(model, features, image, "noise");
    }
    zf_images_free(images);
    zf_vision_free(model);
    free(bytes);
    free(image);
    free(features);
    return 0;
}
