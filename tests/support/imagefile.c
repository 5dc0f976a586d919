#include "imagefile.h"

#include <archive.h>
#include <archive_entry.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jpeglib.h>

#include "scratch.h"
#include "support.h"

void image_scene(uint8_t *rgb, int width, int height, int key)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, rgb += 3) {
            rgb[0] = (uint8_t)(255 * x / width);
            rgb[1] = (uint8_t)(255 * y / height);
            rgb[2] = (uint8_t)(key * 37);
        }
}

image_bytes image_jpeg(const uint8_t *rgb, int width, int height)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    image_bytes out = {NULL, 0};
    unsigned long n = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &out.data, &n);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < height; y++) {
        JSAMPROW row = (JSAMPROW)(rgb + (size_t)y * (size_t)width * 3);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    out.n = n;
    return out;
}

static void append(png_structp png, png_bytep bytes, size_t n)
{
    image_bytes *out = png_get_io_ptr(png);
    out->data = realloc(out->data, out->n + n);
    assert_non_null(out->data);
    memcpy(out->data + out->n, bytes, n);
    out->n += n;
}

image_bytes image_png(const uint8_t *rgb, int width, int height, int interlaced)
{
    image_bytes out = {NULL, 0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &out, append, NULL);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
                 PNG_FILTER_TYPE_BASE);
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < height; y++)
            png_write_row(png, (png_bytep)(rgb + (size_t)y * (size_t)width * 3));
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return out;
}

image_bytes image_scene_png(int width, int height, int key)
{
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    assert_non_null(rgb);
    image_scene(rgb, width, height, key);
    image_bytes out = image_png(rgb, width, height, 0);
    free(rgb);
    return out;
}

void image_place(const char *name, const void *bytes, size_t n)
{
    char part[512];
    for (const char *slash = name; (slash = strchr(slash, '/')); slash++) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        mkdir(scratch_path(part), 0700);
    }
    scratch_write(name, bytes, n);
}

const char *image_tar(const char *name, int format, const image_entry *entries, size_t n)
{
    const char *path = scratch_path(name);
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    assert_int_equal(archive_write_set_format(archive, format), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        archive_entry_clear(entry);
        archive_entry_set_pathname(entry, entries[i].name);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0600);
        archive_entry_set_size(entry, (la_int64_t)entries[i].bytes.n);
        assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
        if (entries[i].bytes.n > 0)
            archive_write_data(archive, entries[i].bytes.data, entries[i].bytes.n);
    }
    archive_entry_free(entry);
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
    return path;
}
