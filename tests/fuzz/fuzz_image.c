/* Any bytes as an image. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "image/decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    enum { SIZE = 8 };
    static zf_decoder decoder = {.most_pixels = 1 << 20};
    uint8_t planes[3 * SIZE * SIZE];
    zf_image about;
    if (zf_image_decode(planes, SIZE, &about, &decoder, bytes, n) == ZF_OK) {
        assert(about.width >= 1 && about.height >= 1);
        assert((int64_t)about.width * about.height <= decoder.most_pixels);
    }
    zf_decoder_free(&decoder);
    return 0;
}
