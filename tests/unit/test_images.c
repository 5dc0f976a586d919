/* Sets of images from every kind of source, whole and damaged. */
#include "support.h"

#include <archive.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "imagefile.h"
#include "scratch.h"
#include "zeroflow/images.h"

enum { CIFAR = 3073, STL = 27648 };

static zf_images *open_with(const char *path, zf_images_options options)
{
    zf_images *images;
    options.threads = 2;
    assert_ok(zf_images_open(&images, path, &options));
    return images;
}

static zf_images *open_set(const char *path)
{
    return open_with(path, zf_images_defaults());
}

static void assert_no_set(const char *path, zf_status status, const char *text)
{
    zf_images *images = NULL;
    zf_images_options options = zf_images_defaults();
    options.threads = 1;
    assert_fails(zf_images_open(&images, path, &options), status, text);
    assert_null(images);
}

/* The bytes of all images, for free(). */
static uint8_t *all_pixels(zf_images *images, size_t *bytes)
{
    size_t n = zf_images_count(images), side = (size_t)zf_images_size(images);
    uint32_t *which = malloc(n * sizeof *which);
    uint8_t *pixels = malloc(n * 3 * side * side);
    for (size_t i = 0; i < n; i++) which[i] = (uint32_t)i;
    assert_ok(zf_images_read(images, which, n, pixels));
    free(which);
    *bytes = n * 3 * side * side;
    return pixels;
}

/* IDX */

static void fill_idx(unsigned char *bytes, int n)
{
    static const unsigned char header[16] = {0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 6};
    memcpy(bytes, header, 16);
    bytes[7] = (unsigned char)n;
    for (int i = 0; i < n * 24; i++) bytes[16 + i] = (unsigned char)(i * 7);
}

static void reads_idx(void **state)
{
    (void)state;
    scratch_clear();
    unsigned char bytes[16 + 3 * 24];
    fill_idx(bytes, 3);
    scratch_write("train-images-idx3-ubyte", bytes, sizeof bytes);
    scratch_gzip("train-labels-idx1-ubyte.gz", "\0\0\x08\1\0\0\0\3\4\0\4", 11);
    zf_images_options options = zf_images_defaults();
    options.size = 4;
    zf_images *images = open_with(scratch_path("train-images-idx3-ubyte"), options);
    const zf_images_about *about = zf_images_describe(images);
    assert_int_equal(about->kind, ZF_IMAGES_IDX);
    assert_int_equal(about->count, 3);
    assert_int_equal(about->grey, 3);
    assert_int_equal(about->classes, 5);
    assert_int_equal(about->labelled, 3);
    assert_int_equal(about->common_width, 6);
    assert_int_equal(zf_images_label(images, 2), 4);
    assert_string_equal(zf_images_class_name(images, 4), "4");
    assert_int_equal(zf_images_class_count(images, 4), 2);
    assert_null(zf_images_name(images, 0));
    /* 4 of 6 columns, from 1 on, in three equal planes. */
    size_t n;
    uint8_t *pixels = all_pixels(images, &n);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
            for (int p = 0; p < 16; p++)
                assert_int_equal(pixels[(i * 3 + c) * 16 + p],
                                 bytes[16 + 24 * i + p / 4 * 6 + 1 + p % 4]);
    zf_images_free(images);
    /* The same gzipped, and found in its folder. */
    unlink(scratch_path("train-images-idx3-ubyte"));
    scratch_gzip("train-images-idx3-ubyte.gz", bytes, sizeof bytes);
    images = open_with(scratch_path("."), options);
    uint8_t *again = all_pixels(images, &n);
    assert_true(zf_images_describe(images)->gzip);
    assert_int_equal(zf_images_label(images, 0), 4);
    assert_memory_equal(pixels, again, n);
    free(pixels);
    free(again);
    zf_images_free(images);
}

static void refuses_bad_idx(void **state)
{
    (void)state;
    scratch_clear();
    unsigned char bytes[16 + 3 * 24 + 1] = {0};
    fill_idx(bytes, 3);
    assert_no_set(scratch_write("cut-images", bytes, 60), ZF_EINPUT,
                  "truncated: expected 72 bytes of data at offset 16, found 44");
    assert_no_set(scratch_write("long-images", bytes, sizeof bytes), ZF_EINPUT,
                  "bytes after the array, expected the end at offset 88");
    assert_no_set(scratch_gzip("long-images.gz", bytes, sizeof bytes), ZF_EINPUT,
                  "bytes after the array, expected the end at offset 88");
    const char *labels = scratch_write("labels", "\0\0\x08\1\0\0\0\2\1\0", 10);
    assert_no_set(labels, ZF_EINPUT, "IDX of one dimension, as labels have");
    scratch_write("few-labels", "\0\0\x08\1\0\0\0\2\1\0", 10);
    assert_no_set(scratch_write("few-images", bytes, 88), ZF_EINPUT,
                  "few-labels: 2 labels, expected 3");
    /* Without labels it is a set without labels; told a file that is not there, none. */
    zf_images_options options = zf_images_defaults();
    zf_images *images = open_set(scratch_write("lone-images", bytes, 88));
    assert_int_equal(zf_images_describe(images)->labelled, 0);
    assert_int_equal(zf_images_describe(images)->classes, 0);
    assert_int_equal(zf_images_label(images, 1), -1);
    assert_int_equal(zf_images_size(images), 32);
    zf_images_free(images);
    options.labels = scratch_path("absent");
    assert_fails(zf_images_open(&images, scratch_path("lone-images"), &options), ZF_EIO, "absent");
    bytes[7] = 0;
    assert_no_set(scratch_write("no-images", bytes, 16), ZF_EINPUT, "IDX of 0 images");
    /* A billion images of a pixel in 2 MB: what a gzip of zeros unfolds to. */
    unsigned char *zeros = calloc(1, 1 << 26);
    memcpy(zeros, "\0\0\x08\3\x3f\0\0\0\0\0\0\1\0\0\0\1", 16);
    const char *path = scratch_gzip("bomb-images", zeros, 1 << 26);
    free(zeros);
    size_t n, m = 0;
    char *once = scratch_read(path, &n), *many = malloc(16 * n);
    for (int i = 0; i < 16; i++, m += n) memcpy(many + m, once, n);
    options = zf_images_defaults();
    options.memory = 1;
    path = scratch_write("bomb-images", many, m);
    assert_fails(zf_images_open(&images, path, &options), ZF_EINPUT, "their list alone takes");
    free(once);
    free(many);
}

/* CIFAR-10 */

static const char *write_cifar(const char *name, int n, int key)
{
    unsigned char *bytes = malloc((size_t)(n * CIFAR));
    for (int i = 0; i < n * CIFAR; i++)
        bytes[i] =
            i % CIFAR == 0 ? (unsigned char)((i / CIFAR + key) % 10) : (unsigned char)(i * 3 + key);
    const char *path = scratch_write(name, bytes, (size_t)(n * CIFAR));
    free(bytes);
    return path;
}

static void reads_cifar(void **state)
{
    (void)state;
    scratch_clear();
    write_cifar("data_batch_1.bin", 3, 0);
    write_cifar("data_batch_2.bin", 2, 5);
    write_cifar("test_batch.bin", 1, 9);
    zf_images *images = open_set(scratch_path("."));
    assert_int_equal(zf_images_describe(images)->kind, ZF_IMAGES_CIFAR10);
    assert_int_equal(zf_images_count(images), 5);
    assert_int_equal(zf_images_label(images, 4), 6);
    assert_string_equal(zf_images_class_name(images, 9), "9");
    size_t n;
    uint8_t *pixels = all_pixels(images, &n);
    for (int i = 0; i < 3072; i++)
        assert_int_equal(pixels[4 * 3072 + i], (unsigned char)((CIFAR + 1 + i) * 3 + 5));
    free(pixels);
    zf_images_free(images);
    zf_images_options options = zf_images_defaults();
    options.part = ZF_IMAGES_TEST;
    scratch_text("batches.meta.txt", "a\nb\nc\r\nd\ne\nf\ng\nh\ni\nlast\n\n");
    images = open_with(scratch_path("."), options);
    assert_int_equal(zf_images_count(images), 1);
    assert_string_equal(zf_images_class_name(images, 9), "last");
    assert_int_equal(zf_images_class_count(images, 9), 1);
    zf_images_free(images);
    options.part = ZF_IMAGES_UNLABELLED;
    assert_fails(zf_images_open(&images, scratch_path("."), &options), ZF_EINPUT,
                 "no part \"unlabelled\"");
    /* Any name will do, where size and labels fit. */
    images = open_set(write_cifar("images", 2, 0));
    assert_int_equal(zf_images_count(images), 2);
    zf_images_free(images);
}

static void refuses_bad_cifar(void **state)
{
    (void)state;
    scratch_clear();
    char bytes[2 * CIFAR] = {0};
    assert_no_set(scratch_write("data_batch_1.bin", bytes, 2 * CIFAR - 1), ZF_EINPUT,
                  "cut short: 6145 bytes, expected a multiple of 3073");
    bytes[CIFAR] = 10;
    assert_no_set(scratch_write("data_batch_1.bin", bytes, 2 * CIFAR), ZF_EINPUT,
                  "offset 3073: expected a label from 0 to 9, found 10");
    assert_no_set(scratch_write("test_batch.bin", bytes, 0), ZF_EINPUT, "empty");
}

/* STL-10 */

static void reads_stl(void **state)
{
    (void)state;
    scratch_clear();
    unsigned char *bytes = malloc(2 * STL);
    for (int i = 0; i < 2 * STL; i++) bytes[i] = (unsigned char)(i * 5 + i / 96);
    scratch_write("train_X.bin", bytes, 2 * STL);
    scratch_write("unlabeled_X.bin", bytes, STL);
    scratch_write("train_y.bin", "\x0a\1", 2);
    zf_images *images = open_set(scratch_path("."));
    assert_int_equal(zf_images_describe(images)->kind, ZF_IMAGES_STL10);
    assert_int_equal(zf_images_size(images), 96);
    assert_int_equal(zf_images_label(images, 0), 9);
    assert_int_equal(zf_images_label(images, 1), 0);
    size_t n;
    uint8_t *pixels = all_pixels(images, &n);
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < 96; y++)
            for (int x = 0; x < 96; x++)
                assert_int_equal(pixels[STL + c * 9216 + y * 96 + x],
                                 bytes[STL + c * 9216 + x * 96 + y]);
    free(pixels);
    zf_images_free(images);
    zf_images_options options = zf_images_defaults();
    options.part = ZF_IMAGES_UNLABELLED;
    images = open_with(scratch_path("."), options);
    assert_int_equal(zf_images_count(images), 1);
    assert_int_equal(zf_images_describe(images)->labelled, 0);
    zf_images_free(images);
    assert_no_set(scratch_write("train_X.bin", bytes, 2 * STL - 1000), ZF_EINPUT,
                  "cut short: 54296 bytes, expected a multiple of 27648");
    scratch_write("test_y.bin", "\1\2\3", 3);
    assert_no_set(scratch_write("test_X.bin", bytes, 2 * STL), ZF_EINPUT,
                  "test_y.bin: 3 labels, expected 2");
    scratch_write("test_y.bin", "\1\x0b", 2);
    assert_no_set(scratch_path("test_X.bin"), ZF_EINPUT,
                  "offset 1: expected a label from 1 to 10, found 11");
    free(bytes);
}

/* Folders and archives */

static const struct {
    const char *name;
    int width, height, label;
} tree[] = {{"cats/1.png", 10, 10, 0},
            {"cats/2.PNG", 17, 31, 0},
            {"cats/deep/er/3.png", 40, 9, 0},
            {"dogs and/more.png", 8, 8, 1},
            {"zebra/1.jpg", 33, 33, 2}};
enum { TREE = sizeof tree / sizeof *tree };

static void make_tree(image_entry entries[TREE])
{
    for (int i = 0; i < TREE; i++)
        entries[i] = (image_entry){tree[i].name, image_scene_png(tree[i].width, tree[i].height, i)};
}

static void free_tree(image_entry entries[TREE])
{
    for (int i = 0; i < TREE; i++) free(entries[i].bytes.data);
}

static void assert_tree(zf_images *images)
{
    const zf_images_about *about = zf_images_describe(images);
    assert_int_equal(about->count, TREE);
    assert_int_equal(about->classes, 3);
    assert_int_equal(about->size, 64);
    assert_int_equal(about->least_width, 8);
    assert_int_equal(about->most_width, 40);
    assert_string_equal(zf_images_class_name(images, 1), "dogs and");
    assert_int_equal(zf_images_class_count(images, 0), 3);
    for (int i = 0; i < TREE; i++)
        assert_int_equal(zf_images_label(images, (size_t)i), tree[i].label);
}

static void same_from_folder_and_archives(void **state)
{
    (void)state;
    scratch_clear();
    image_entry entries[TREE], backwards[TREE];
    make_tree(entries);
    for (int i = 0; i < TREE; i++) {
        char name[64];
        snprintf(name, sizeof name, "set/%s", tree[i].name);
        image_place(name, entries[i].bytes.data, entries[i].bytes.n);
        backwards[TREE - 1 - i] = entries[i];
    }
    image_place("set/README.txt", "x", 1);
    image_place("set/cats/._1.png", "x", 1);
    zf_images *images = open_set(scratch_path("set"));
    assert_tree(images);
    assert_int_equal(zf_images_describe(images)->other_files, 1);
    assert_string_equal(zf_images_name(images, 2), "cats/deep/er/3.png");
    size_t n, m;
    uint8_t *expected = all_pixels(images, &n);
    zf_images_free(images);
    static const int formats[] = {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FORMAT_TAR_GNUTAR,
                                  ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE};
    for (int f = 0; f < 6; f++) {
        const char *path = image_tar("set.tar", formats[f % 3], backwards, TREE);
        if (f >= 3) {
            char *bytes = scratch_read(path, &m);
            path = scratch_gzip("set.tar.gz", bytes, m);
            free(bytes);
        }
        images = open_set(path);
        assert_tree(images);
        uint8_t *found = all_pixels(images, &m);
        assert_int_equal(n, m);
        assert_memory_equal(found, expected, n);
        free(found);
        zf_images_free(images);
    }
    free(expected);
    free_tree(entries);
}

/* A set that is larger than allowed gives the same images, one by one. */
static void reads_what_is_not_in_memory(void **state)
{
    (void)state;
    scratch_clear();
    image_entry entries[TREE];
    make_tree(entries);
    const char *path = image_tar("set.tar", ARCHIVE_FORMAT_TAR_USTAR, entries, TREE);
    zf_images *whole = open_set(path);
    zf_images_options options = zf_images_defaults();
    options.memory = 30000;
    zf_images *parts = open_with(path, options);
    assert_true(zf_images_describe(whole)->in_memory);
    assert_false(zf_images_describe(parts)->in_memory);
    assert_tree(parts);
    size_t n, m;
    uint8_t *a = all_pixels(whole, &n), *b = all_pixels(parts, &m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
    zf_images_free(whole);
    zf_images_free(parts);
    char *bytes = scratch_read(path, &m);
    scratch_gzip("set.tgz", bytes, m);
    free(bytes);
    assert_fails(zf_images_open(&parts, scratch_path("set.tgz"), &options), ZF_EINPUT,
                 "unpack it, or allow more memory");
    uint32_t beyond = TREE;
    uint8_t pixel;
    parts = open_set(path);
    assert_fails(zf_images_read(parts, &beyond, 1, &pixel), ZF_EINVAL, "image 5");
    zf_images_free(parts);
    free_tree(entries);
}

static void tells_what_it_leaves_out(void **state)
{
    (void)state;
    scratch_clear();
    image_bytes png = image_scene_png(12, 12, 1);
    image_place("set/a/good.png", png.data, png.n);
    image_place("set/a/cut.png", png.data, png.n / 2);
    image_place("set/a/empty.jpg", "", 0);
    image_place("set/b/moving.gif", "GIF89a", 6);
    image_place("set/b/text.png", "hello", 5);
    image_place("set/b/really.jpg", png.data, png.n);
    mkfifo(scratch_path("set/b/pipe.png"), 0600);
    assert_int_equal(symlink("..", scratch_path("set/b/loop")), 0);
    assert_int_equal(symlink("nowhere", scratch_path("set/b/dangling.png")), 0);
    for (int pass = 0; pass < 2; pass++) {
        zf_images_options options = zf_images_defaults();
        if (pass == 1) options.memory = 1;
        zf_images *images = open_with(scratch_path("set"), options);
        const zf_images_about *about = zf_images_describe(images);
        assert_int_equal(about->in_memory, pass == 0);
        assert_int_equal(about->count, 2);
        assert_int_equal(about->refused, 6);
        assert_int_equal(about->n_refusals, 6);
        assert_int_equal(about->lost, 0);
        assert_int_equal(about->other_files, 0);
        assert_int_equal(zf_images_label(images, 0), 0);
        assert_string_equal(zf_images_name(images, 1), "b/really.jpg");
        int seen = 0;
        for (size_t i = 1; i < about->n_refusals; i++)
            assert_true(strcmp(about->refusals[i - 1].name, about->refusals[i].name) < 0);
        for (size_t i = 0; i < about->n_refusals; i++) {
            const zf_refusal *r = &about->refusals[i];
            if (!strcmp(r->name, "a/cut.png")) seen += !strcmp(r->reason, "PNG: truncated");
            if (!strcmp(r->name, "a/empty.jpg")) seen += !strcmp(r->reason, "empty");
            if (!strcmp(r->name, "b/text.png")) seen += !strcmp(r->reason, "neither JPEG nor PNG");
            if (!strcmp(r->name, "b/dangling.png")) seen += strstr(r->reason, "No such") != NULL;
            if (!strcmp(r->name, "b/moving.gif")) seen += strstr(r->reason, "GIF") != NULL;
            if (!strcmp(r->name, "b/pipe.png")) seen += strstr(r->reason, "a pipe") != NULL;
        }
        assert_int_equal(seen, 6);
        zf_images_free(images);
    }
    free(png.data);
}

static void refuses_what_holds_no_images(void **state)
{
    (void)state;
    scratch_clear();
    mkdir(scratch_path("set"), 0700);
    assert_no_set(scratch_path("set"), ZF_EINPUT, "no images: expected CLASS/FILE.jpg or .png");
    image_place("set/a/1.jpg", "x", 1);
    assert_no_set(scratch_path("set"), ZF_EINPUT, "1 left out, the first, a/1.jpg: neither");
    assert_no_set(scratch_path("absent"), ZF_EIO, "cannot open");
    assert_int_equal(mkfifo(scratch_path("pipe"), 0600), 0);
    assert_no_set(scratch_path("pipe"), ZF_EINPUT, "a pipe or device, expected a file");
    assert_no_set(scratch_text("table.csv", "a,b\n1,2\n"), ZF_EINPUT, "this is a CSV table");
    assert_no_set(scratch_text("nothing", ""), ZF_EINPUT, "this is an empty file");
    assert_no_set(scratch_text("set.zip", "PK\3\4...."), ZF_EINPUT, "this is a zip archive");
    image_bytes png = image_scene_png(5, 5, 0);
    assert_no_set(scratch_write("one.png", png.data, png.n), ZF_EINPUT, "this is a PNG image");
    image_entry entry = {"a/1.png", png};
    const char *path = image_tar("set.tar", ARCHIVE_FORMAT_TAR_USTAR, &entry, 1);
    size_t n;
    char *bytes = scratch_read(path, &n);
    assert_no_set(scratch_write("cut.tar", bytes, 512 + png.n / 2), ZF_EINPUT, "as a tar archive");
    free(bytes);
    free(png.data);
    zf_images *images;
    zf_images_options options = zf_images_defaults();
    options.size = 2000;
    assert_fails(zf_images_open(&images, path, &options), ZF_EINVAL, "size: expected 1 to 1024");
}

/* Names that would be a danger to who unpacks are only names here. */
static void shows_any_name(void **state)
{
    (void)state;
    scratch_clear();
    char lengthy[300] = "long/";
    memset(lengthy + 5, 'n', 240);
    strcpy(lengthy + 245, ".png");
    image_bytes png = image_scene_png(5, 5, 0);
    const image_entry entries[] = {
        {"../../etc/1.png", png},       {"/usr/2.png", png}, {"./a/../3.png", png},
        {"\033[31m/\xff\xfe.png", png}, {lengthy, png},      {"alone.png", png},
        {"a/notes.txt", {NULL, 0}}};
    const char *path = image_tar("odd.tar", ARCHIVE_FORMAT_TAR_GNUTAR, entries, 7);
    zf_images *images = open_set(path);
    const zf_images_about *about = zf_images_describe(images);
    assert_int_equal(about->count, 6);
    assert_int_equal(about->labelled, 5);
    assert_int_equal(about->classes, 5);
    assert_int_equal(about->other_files, 1);
    static const char *const classes[] = {"\033[31m", "a", "etc", "long", "usr"};
    for (size_t c = 0; c < 5; c++) {
        assert_string_equal(zf_images_class_name(images, c), classes[c]);
        assert_int_equal(zf_images_class_count(images, c), 1);
    }
    assert_string_equal(zf_images_name(images, 1), "../../etc/1.png");
    zf_images_free(images);
    free(png.data);
}

/* One folder around all others is no class, a single class is. */
static void looks_through_outer_folders(void **state)
{
    (void)state;
    scratch_clear();
    image_bytes png = image_scene_png(5, 5, 0);
    const image_entry wrapped[] = {{"top/train/x/1.png", png}, {"top/train/y/2.png", png}};
    const image_entry single[] = {{"top/x/1.png", png}, {"top/x/2.png", png}};
    zf_images *images = open_set(image_tar("a.tar", ARCHIVE_FORMAT_TAR_USTAR, wrapped, 2));
    assert_int_equal(zf_images_describe(images)->classes, 2);
    assert_string_equal(zf_images_class_name(images, 1), "y");
    zf_images_free(images);
    images = open_set(image_tar("b.tar", ARCHIVE_FORMAT_TAR_USTAR, single, 2));
    assert_int_equal(zf_images_describe(images)->classes, 1);
    assert_string_equal(zf_images_class_name(images, 0), "x");
    assert_int_equal(zf_images_class_count(images, 0), 2);
    zf_images_free(images);
    free(png.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_idx),
        cmocka_unit_test(refuses_bad_idx),
        cmocka_unit_test(reads_cifar),
        cmocka_unit_test(refuses_bad_cifar),
        cmocka_unit_test(reads_stl),
        cmocka_unit_test(same_from_folder_and_archives),
        cmocka_unit_test(reads_what_is_not_in_memory),
        cmocka_unit_test(tells_what_it_leaves_out),
        cmocka_unit_test(refuses_what_holds_no_images),
        cmocka_unit_test(shows_any_name),
        cmocka_unit_test(looks_through_outer_folders),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
