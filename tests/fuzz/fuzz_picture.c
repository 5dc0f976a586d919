/* Any bytes as a picture, whole and by its header. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "image/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    enum { SIZE = 8 };
    static zf_decoder decoder = {.most_pixels = 1 << 20};
    uint8_t planes[3 * SIZE * SIZE];
    zf_picture seen, about;
    zf_status look = zf_picture_look(&seen, &decoder, bytes, n);
    zf_status decode = zf_picture_decode(planes, SIZE, &about, &decoder, bytes, n);
    if (decode == ZF_OK) {
        assert(look == ZF_OK && seen.width == about.width && seen.height == about.height);
        assert(about.width >= 1 && about.height >= 1);
        assert((int64_t)about.width * about.height <= decoder.most_pixels);
    }
    zf_decoder_free(&decoder);
    return 0;
}
