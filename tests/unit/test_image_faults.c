/* Sources of images that the system will not let read: each file and folder is left out by
   name and reason, or the opening fails; nothing is dropped without a word, in memory or
   not. The linker sends the library's calls through here (--wrap), as a test that runs as
   root may read whatever it likes. */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/stream.h"
#include "imagefile.h"
#include "scratch.h"

enum { SIZE = 16, BYTES = 3 * SIZE * SIZE, CIFAR = 3073 };

/* What fails, at paths that end so, with which error. */
typedef enum call { NOTHING, OPEN, READ, PREAD, OPENDIR, READDIR, STAT } call;
static call failing;
static const char *at;
static int code;
static int file = -1; /* opened at such a path */
static DIR *folder;   /* likewise */

static bool fails(call what, const char *path)
{
    size_t n = strlen(path), m = at ? strlen(at) : 0;
    if (failing != what || n < m || strcmp(path + n - m, at) != 0) return false;
    errno = code;
    return true;
}

int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int descriptor, void *bytes, size_t n);
ssize_t __real_pread(int descriptor, void *bytes, size_t n, off_t offset);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *of);
int __real_stat(const char *path, struct stat *about);

int __wrap_open(const char *path, int flags, ...)
{
    va_list mode;
    va_start(mode, flags);
    int permissions = flags & O_CREAT ? va_arg(mode, int) : 0;
    va_end(mode);
    if (fails(OPEN, path)) return -1;
    int opened = __real_open(path, flags, permissions);
    if (fails(READ, path))
        file = opened;
    else if (opened == file)
        file = -1;
    return opened;
}

ssize_t __wrap_read(int descriptor, void *bytes, size_t n)
{
    if (failing != READ || descriptor != file) return __real_read(descriptor, bytes, n);
    errno = code;
    return -1;
}

/* The second record of CIFAR-10's, but for its label. */
ssize_t __wrap_pread(int descriptor, void *bytes, size_t n, off_t offset)
{
    if (failing != PREAD || n == 1 || offset != CIFAR)
        return __real_pread(descriptor, bytes, n, offset);
    errno = code;
    return -1;
}

DIR *__wrap_opendir(const char *path)
{
    if (fails(OPENDIR, path)) return NULL;
    DIR *opened = __real_opendir(path);
    if (fails(READDIR, path))
        folder = opened;
    else if (opened == folder)
        folder = NULL;
    return opened;
}

struct dirent *__wrap_readdir(DIR *of)
{
    if (failing != READDIR || of != folder) return __real_readdir(of);
    errno = code;
    return NULL;
}

int __wrap_stat(const char *path, struct stat *about)
{
    return fails(STAT, path) ? -1 : __real_stat(path, about);
}

static void make_set(void)
{
    static const char *const names[] = {"set/a/1.png", "set/a/2.png", "set/b/1.png", "set/b/2.png",
                                        "set/c/1.png"};
    scratch_clear();
    for (int i = 0; i < 5; i++) {
        image_bytes png = image_scene_png(20, 20, i);
        image_place(names[i], png.data, png.n);
        free(png.data);
    }
}

/* Opens with the fault in place; memory 1: images are not kept. */
static zf_status open_faulty(zf_images **images, const char *path, uint64_t memory, int threads)
{
    zf_images_options options = zf_images_defaults();
    options.size = SIZE;
    options.memory = memory;
    options.threads = threads;
    file = -1;
    folder = NULL;
    return zf_images_open(images, path, &options);
}

typedef struct fault {
    call what;
    const char *at;
    int code;
    size_t count; /* images that are left */
    const char *name, *reason;
} fault;

static void leaves_out_by_name_and_reason(void **state)
{
    (void)state;
    static const fault faults[] = {
        {OPEN, "/b/2.png", EACCES, 4, "b/2.png", "Permission denied"},
        {OPEN, "/b/2.png", ELOOP, 4, "b/2.png", "Too many levels of symbolic links"},
        {READ, "/b/2.png", EIO, 4, "b/2.png", "Input/output error"},
        {READ, "/b/2.png", EISDIR, 4, "b/2.png", "Is a directory"},
        {OPENDIR, "/b", EACCES, 3, "b", "Permission denied"},
        {READDIR, "/b", EIO, 3, "b", "Input/output error"},
        {STAT, "/c", EACCES, 4, "c", "Permission denied"},
        {STAT, "/c/1.png", EACCES, 4, "c/1.png", "Permission denied"},
    };
    make_set();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int pass = 0; pass < 2; pass++) {
            const fault *f = &faults[i];
            zf_images *images = NULL;
            print_message("%s: %s\n", f->name, f->reason);
            failing = f->what, at = f->at, code = f->code;
            assert_ok(open_faulty(&images, scratch_path("set"), pass ? 1 : 1 << 20, 1));
            const zf_images_about *about = zf_images_describe(images);
            assert_int_equal(about->in_memory, pass == 0);
            assert_int_equal(about->count, f->count);
            assert_int_equal(about->refused, 1);
            assert_int_equal(about->lost, 0);
            assert_string_equal(about->refusals[0].name, f->name);
            assert_string_equal(about->refusals[0].reason, f->reason);
            failing = NOTHING;
            zf_images_free(images);
        }
}

/* Without memory or descriptors no image is at fault. */
static void ends_where_the_system_is_exhausted(void **state)
{
    (void)state;
    static const fault faults[] = {
        {OPEN, "/b/2.png", ENOMEM, 0, NULL, "out of memory"},
        {OPEN, "/b/2.png", EMFILE, 0, NULL, "Too many open files"},
        {READ, "/b/2.png", ENOMEM, 0, NULL, "out of memory"},
        {OPENDIR, "/b", ENOMEM, 0, NULL, "b: cannot read: out of memory"},
        {OPENDIR, "/b", ENFILE, 0, NULL, "b: cannot read: Too many open files in system"},
        {STAT, "/c", ENOMEM, 0, NULL, "c: cannot read: out of memory"},
    };
    make_set();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int pass = 0; pass < 2; pass++) {
            const fault *f = &faults[i];
            zf_images *images = NULL;
            failing = f->what, at = f->at, code = f->code;
            assert_fails(open_faulty(&images, scratch_path("set"), pass ? 1 : 1 << 20, 2),
                         ZF_ENOMEM, f->reason);
            assert_null(images);
        }
    failing = OPENDIR, at = "/set", code = EACCES;
    zf_images *images = NULL;
    assert_fails(open_faulty(&images, scratch_path("set"), 1, 1), ZF_EIO,
                 "set: cannot read: Permission denied");
    failing = NOTHING;
}

/* A record has no name but a number. */
static void leaves_out_a_record(void **state)
{
    (void)state;
    scratch_clear();
    char *bytes = calloc(3, CIFAR);
    const char *path = scratch_write("test_batch.bin", bytes, 3 * CIFAR);
    free(bytes);
    for (int pass = 0; pass < 2; pass++) {
        zf_images *images = NULL;
        failing = PREAD, code = EIO;
        assert_ok(open_faulty(&images, path, pass ? 1 : 1 << 20, 1));
        failing = NOTHING;
        const zf_images_about *about = zf_images_describe(images);
        assert_int_equal(about->count, 2);
        assert_int_equal(about->refused, 1);
        assert_string_equal(about->refusals[0].name, "image 1");
        assert_non_null(strstr(about->refusals[0].reason, "Input/output error"));
        zf_images_free(images);
    }
}

/* What is there and cannot be read is not taken for absent. */
static void does_not_pass_over_parts(void **state)
{
    (void)state;
    scratch_clear();
    zf_images *images = NULL;
    char *bytes = calloc(1, CIFAR);
    scratch_write("data_batch_1.bin", bytes, CIFAR);
    free(bytes);
    assert_int_equal(symlink("nowhere", scratch_path("data_batch_2.bin")), 0);
    assert_fails(open_faulty(&images, scratch_path("."), 1 << 20, 1), ZF_EIO,
                 "data_batch_2.bin: cannot open: No such file");
    unlink(scratch_path("data_batch_2.bin"));
    assert_int_equal(symlink("nowhere", scratch_path("batches.meta.txt")), 0);
    assert_fails(open_faulty(&images, scratch_path("."), 1 << 20, 1), ZF_EIO,
                 "batches.meta.txt: cannot open: No such file");
    scratch_write("x-images", "\0\0\x08\3\0\0\0\1\0\0\0\2\0\0\0\2abcd", 20);
    assert_int_equal(symlink("x-labels", scratch_path("x-labels")), 0);
    assert_fails(open_faulty(&images, scratch_path("x-images"), 1 << 20, 1), ZF_EIO,
                 "x-labels: cannot open: Too many levels");
    assert_null(images);
}

/* Lost after the opening: told by who reads, and the memory of a codec is no loss. */
static void tells_what_is_lost(void **state)
{
    (void)state;
    make_set();
    zf_images *images;
    uint8_t pixels[5 * BYTES], expected[5 * BYTES];
    const uint32_t all[] = {0, 1, 2, 3, 4};
    bool missing[5];
    assert_ok(open_faulty(&images, scratch_path("set"), 1, 3));
    assert_ok(zf_images_read(images, all, 5, expected));
    const zf_images_about *about = zf_images_describe(images);
    failing = OPEN, at = "/b/1.png", code = EMFILE;
    assert_fails(zf_images_read(images, all, 5, pixels), ZF_ENOMEM, "Too many open files");
    assert_int_equal(about->lost, 0);
    code = ENOENT;
    assert_fails(zf_images_read(images, all, 5, pixels), ZF_EINPUT,
                 "set: b/1.png: it could be read before and no longer can: No such file");
    memset(pixels, 1, sizeof pixels);
    assert_ok(zf_images_read_left(images, all, 5, pixels, missing));
    for (int i = 0; i < 5; i++) assert_int_equal(missing[i], i == 2);
    memset(expected + 2 * BYTES, 0, BYTES);
    assert_memory_equal(pixels, expected, sizeof pixels);
    assert_int_equal(about->count, 5);
    assert_int_equal(about->lost, 1);
    assert_int_equal(about->refused, 1);
    assert_string_equal(about->refusals[0].name, "b/1.png");
    /* One of five may be, two may not. */
    at = "/c/1.png";
    assert_fails(zf_images_read_left(images, all, 5, pixels, missing), ZF_EINPUT,
                 "set: 2 of its 5 images could be read before and no longer can: expected at "
                 "most 1 such");
    failing = NOTHING;
    zf_images_free(images);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_out_by_name_and_reason),
        cmocka_unit_test(ends_where_the_system_is_exhausted),
        cmocka_unit_test(leaves_out_a_record),
        cmocka_unit_test(does_not_pass_over_parts),
        cmocka_unit_test(tells_what_is_lost),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
