/* Decoding single images: what Pillow makes of the same files, and files that
   are cut, damaged, huge or of other kinds. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "image/decode.h"
#include "image/exif.h"
#include "imagefile.h"
#include "scratch.h"

enum { SIZE = 16, PIXELS = 3 * SIZE * SIZE };

static zf_decoder decoder = {.most_pixels = ZF_IMAGE_PIXELS};

static image_bytes golden_image(const char *name)
{
    char path[512];
    image_bytes bytes;
    snprintf(path, sizeof path, "%s/golden/images/%s", ZF_TEST_FOLDER, name);
    bytes.data = (unsigned char *)scratch_read(path, &bytes.n);
    return bytes;
}

/* The largest difference from what Pillow has. */
static int difference(golden *file, const char *name, zf_image *about)
{
    char key[32];
    uint8_t planes[PIXELS];
    image_bytes bytes = golden_image(name);
    snprintf(key, sizeof key, "%.*s", (int)strcspn(name, "."), name);
    const float *expected = golden_array(file, key);
    assert_ok(zf_image_decode(planes, SIZE, about, &decoder, bytes.data, bytes.n));
    int worst = 0;
    for (int i = 0; i < PIXELS; i++)
        if (abs(planes[i] - (int)expected[i]) > worst) worst = abs(planes[i] - (int)expected[i]);
    free(bytes.data);
    return worst;
}

static void reads_png_as_pillow(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool grey;
    } files[] = {{"rgb.png", false},     {"l.png", true},    {"bits.png", true},
                 {"palette.png", false}, {"deep.png", true}, {"rgba.png", false},
                 {"animated.png", false}};
    golden *file = golden_open("images");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        zf_image about;
        print_message("%s\n", files[i].name);
        assert_int_equal(difference(file, files[i].name, &about), 0);
        assert_int_equal(about.width, 19);
        assert_int_equal(about.height, 23);
        assert_int_equal(about.grey, files[i].grey);
    }
    golden_close(file);
}

/* Versions of libjpeg may differ by a unit. */
static void reads_jpeg_as_pillow(void **state)
{
    (void)state;
    golden *file = golden_open("images");
    static const char *const files[] = {"colour.jpg", "progressive.jpg", "grey.jpg", "cmyk.jpg"};
    zf_image about;
    for (size_t i = 0; i < 4; i++) {
        print_message("%s\n", files[i]);
        assert_in_range(difference(file, files[i], &about), 0, 2);
        assert_int_equal(about.width, 48);
        assert_int_equal(about.grey, i == 2);
    }
    for (int turn = 1; turn <= 8; turn++) {
        char name[32];
        snprintf(name, sizeof name, "turned%d.jpg", turn);
        assert_in_range(difference(file, name, &about), 0, 2);
        assert_int_equal(about.width, turn < 5 ? 48 : 36);
        assert_int_equal(about.height, turn < 5 ? 36 : 48);
    }
    golden_close(file);
}

/* Decoding at an eighth and shrinking comes near the true mean of a region. */
static void shrinks_large_jpegs(void **state)
{
    (void)state;
    enum { SIDE = 640 };
    static uint8_t rgb[SIDE * SIDE * 3];
    image_scene(rgb, SIDE, SIDE, 3);
    image_bytes jpeg = image_jpeg(rgb, SIDE, SIDE), png = image_png(rgb, SIDE, SIDE, 0);
    uint8_t fast[PIXELS], exact[PIXELS];
    zf_image about;
    assert_ok(zf_image_decode(fast, SIZE, &about, &decoder, jpeg.data, jpeg.n));
    assert_ok(zf_image_decode(exact, SIZE, &about, &decoder, png.data, png.n));
    for (int i = 0; i < PIXELS; i++) assert_in_range(abs(fast[i] - exact[i]), 0, 4);
    free(jpeg.data);
    free(png.data);
}

static void reads_interlaced_and_wide(void **state)
{
    (void)state;
    static uint8_t rgb[20000 * 9 * 3];
    image_scene(rgb, 20000, 9, 5);
    uint8_t first[PIXELS], second[PIXELS];
    zf_image about;
    for (int width = 31; width <= 20000; width += 19969) {
        image_bytes plain = image_png(rgb, width, 9, 0), passes = image_png(rgb, width, 9, 1);
        assert_ok(zf_image_decode(first, SIZE, &about, &decoder, plain.data, plain.n));
        assert_ok(zf_image_decode(second, SIZE, &about, &decoder, passes.data, passes.n));
        assert_int_equal(about.width, width);
        assert_memory_equal(first, second, PIXELS);
        free(plain.data);
        free(passes.data);
    }
}

static void assert_refused(const void *bytes, size_t n, const char *reason)
{
    uint8_t planes[PIXELS];
    zf_image about;
    /* Exactly as large as the image, so that a checker sees a read past its end. */
    uint8_t *copy = malloc(n ? n : 1);
    if (n) memcpy(copy, bytes, n);
    assert_fails(zf_image_decode(planes, SIZE, &about, &decoder, copy, n), ZF_EINPUT, reason);
    free(copy);
}

/* Every cut is refused, save in what follows the image data of a PNG. */
static void refuses_what_is_cut(void **state)
{
    (void)state;
    image_bytes png = golden_image("rgb.png"), jpeg = golden_image("progressive.jpg");
    for (size_t n = 0; n + 12 < png.n; n++) assert_refused(png.data, n, "");
    for (size_t n = 0; n < jpeg.n - 2; n++) assert_refused(jpeg.data, n, "");
    assert_refused(png.data, 0, "empty");
    assert_refused(png.data, png.n / 2, "PNG: truncated");
    assert_refused(jpeg.data, jpeg.n / 2, "JPEG: Premature end of JPEG file");
    png.data[60] ^= 0x10;
    assert_refused(png.data, png.n, "PNG: ");
    free(png.data);
    free(jpeg.data);
}

static void refuses_other_kinds(void **state)
{
    (void)state;
    assert_refused("GIF89a\1\0\1\0", 10, "GIF, expected JPEG or PNG");
    assert_refused("RIFF\0\0\0\0WEBPVP8 ", 16, "WebP, expected JPEG or PNG");
    assert_refused("hello", 5, "neither JPEG nor PNG");
    assert_refused("\xff\xd8\xff", 3, "JPEG: ");
    /* 12 bits a channel: a frame header of that precision */
    static const char twelve[] =
        "\xff\xd8\xff\xc0\0\x0b\x0c\0\1\0\1\1\1\x11\0\xff\xda\0\x08\1\1\0\0\x3f\0";
    assert_refused(twelve, sizeof twelve - 1, "precision");
}

/* Sizes are judged by the header: these files hold nothing else. */
static void refuses_bombs(void **state)
{
    (void)state;
    static const char jpeg[] =
        "\xff\xd8\xff\xc0\0\x11\x08\xff\xdc\xff\xdc\3\1\x22\0\2\x11\1\3\x11\1"
        "\xff\xda\0\x0c\3\1\0\2\x11\3\x11\0\x3f\0\0\0";
    assert_refused(jpeg, sizeof jpeg - 1, "declares 65500 x 65500 pixels, more than 100 million");
    /* Fewer pixels, but progressive: all coefficients would have to be kept. */
    static const char scans[] =
        "\xff\xd8\xff\xc2\0\x11\x08\x26\xac\x26\xac\3\1\x11\0\2\x11\1\3\x11\1"
        "\xff\xda\0\x0c\3\1\0\2\0\3\0\0\0\0\0";
    assert_refused(scans, sizeof scans - 1, "JPEG: takes more than 256 MB to decode");
    image_bytes png = golden_image("rgb.png");
    /* Width and height of 20,000, and the checksum that libpng wants for them. */
    static const unsigned char header[] = {0, 0, 0x4e, 0x20, 0,    0,    0x4e, 0x20, 8,
                                           2, 0, 0,    0,    0x6c, 0x12, 0xd1, 0x6e};
    memcpy(png.data + 16, header, sizeof header);
    assert_refused(png.data, png.n, "declares 20000 x 20000 pixels, more than 100 million");
    static const unsigned char wide[] = {0x00, 0x1e, 0x84, 0x80, 0x00, 0x00, 0x00, 0x0a, 0x08,
                                         0x02, 0x00, 0x00, 0x00, 0xd1, 0x66, 0xb9, 0xdd};
    memcpy(png.data + 16, wide, sizeof wide);
    assert_refused(png.data, png.n, "declares 2000000 x 10 pixels, more than 1048576 on a side");
    /* Interlaced, so that all of it would have to be kept: 243 MB in a small file. */
    static const unsigned char passes[] = {0x00, 0x00, 0x23, 0x28, 0x00, 0x00, 0x23, 0x28, 0x08,
                                           0x02, 0x00, 0x00, 0x01, 0x95, 0xb0, 0xd5, 0x7b};
    memcpy(png.data + 16, passes, sizeof passes);
    assert_refused(png.data, png.n, "PNG: declares 9000 x 9000 pixels in ");
    free(png.data);
}

static void finds_the_orientation(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        int expected;
    } cases[] = {
        {"Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 28, 6},
        {"Exif\0\0MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\x08\0\0", 28, 8},
        {"Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\x09\0\0\0", 28, 1}, /* no such turn */
        {"Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0", 25, 1},       /* cut */
        {"Exif\0\0II*\0\xff\xff\xff\xff\1\0", 16, 1},                       /* outside */
        {"Exif\0\0XX*\0\x08\0\0\0\1\0", 16, 1},
        {"http://ns.adobe.com/xap/1.0/", 28, 1},
        {"", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *copy = malloc(cases[i].n + 1);
        memcpy(copy, cases[i].bytes, cases[i].n);
        assert_int_equal(zf_exif_orientation(copy, cases[i].n), cases[i].expected);
        free(copy);
    }
}

static int free_decoder(void **state)
{
    (void)state;
    zf_decoder_free(&decoder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_png_as_pillow), cmocka_unit_test(reads_jpeg_as_pillow),
        cmocka_unit_test(shrinks_large_jpegs), cmocka_unit_test(reads_interlaced_and_wide),
        cmocka_unit_test(refuses_what_is_cut), cmocka_unit_test(refuses_other_kinds),
        cmocka_unit_test(refuses_bombs),       cmocka_unit_test(finds_the_orientation),
    };
    return cmocka_run_group_tests(tests, NULL, free_decoder);
}
