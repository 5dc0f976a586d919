#include "scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/fingerprint.h"
#include "io/seal.h"
#include "support.h"

enum { PATHS = 16, PATH_BYTES = 512 };

static char folder[PATH_BYTES];

int scratch_setup(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/zeroflow-test-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static const char *join(const char *first, const char *name)
{
    static char paths[PATHS][2 * PATH_BYTES];
    static int next;
    char *path = paths[next++ % PATHS];
    snprintf(path, sizeof paths[0], "%s/%s", first, name);
    return path;
}

const char *scratch_path(const char *name)
{
    return join(folder, name);
}

const char *golden_path(const char *name)
{
    return join(ZF_TEST_FOLDER "/golden/io", name);
}

const char *scratch_write(const char *name, const void *bytes, size_t n)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(n == 0 || fwrite(bytes, 1, n, file) == n);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *scratch_text(const char *name, const char *text)
{
    return scratch_write(name, text, strlen(text));
}

const char *scratch_gzip(const char *name, const void *bytes, size_t n)
{
    const char *path = scratch_path(name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_true(n == 0 || gzwrite(file, bytes, (unsigned)n) == (int)n);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

char *scratch_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    bytes[*n] = '\0';
    fclose(file);
    return bytes;
}

void scratch_seal(char *bytes, size_t n)
{
    char *digits = zf_seal_find(bytes, n);
    if (!digits) return;
    memcpy(digits, ZF_SEAL_BLANK, ZF_SEAL_DIGITS);
    zf_seal_set(digits, zf_fingerprint(ZF_FINGERPRINT_START, bytes, n / sizeof(uint32_t)));
}

const char *scratch_forge(const char *name, const char *what, const char *by)
{
    size_t n, length = strlen(what);
    char *bytes = scratch_read(scratch_path(name), &n);
    assert_int_equal(length, strlen(by));
    char *at = memmem(bytes, n, what, length);
    assert_non_null(at);
    memcpy(at, by, length);
    scratch_seal(bytes, n);
    const char *path = scratch_write("forged", bytes, n);
    free(bytes);
    return path;
}

bool scratch_exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static size_t walk(bool remove_each)
{
    size_t count = 0;
    DIR *listing = opendir(folder);
    if (!listing) return 0;
    for (struct dirent *item; (item = readdir(listing));) {
        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0) continue;
        count++;
        if (remove_each) nftw(scratch_path(item->d_name), remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
    closedir(listing);
    return count;
}

size_t scratch_count(void)
{
    return walk(false);
}

void scratch_clear(void)
{
    walk(true);
}

int scratch_teardown(void **state)
{
    (void)state;
    walk(true);
    return rmdir(folder);
}
