/* The atomic writer: whole or not at all, whatever goes wrong. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "scratch.h"

static void assert_content(const char *path, const char *expected)
{
    size_t n;
    char *bytes = scratch_read(path, &n);
    assert_int_equal(n, strlen(expected));
    assert_memory_equal(bytes, expected, n);
    free(bytes);
}

static void writes_and_replaces(void **state)
{
    (void)state;
    scratch_clear();
    const char *path = scratch_path("a");
    assert_ok(zf_file_write_whole(path, "one", 3));
    assert_content(path, "one");
    assert_int_equal(chmod(path, 0640), 0);
    zf_file *file;
    assert_ok(zf_file_create(&file, path));
    assert_ok(zf_file_write(file, "two", 3));
    assert_content(path, "one");
    assert_ok(zf_file_write(file, "!", 1));
    assert_ok(zf_file_commit(file));
    assert_content(path, "two!");
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(scratch_count(), 1);
}

static void large_pieces_keep_their_order(void **state)
{
    (void)state;
    enum { N = 300000 };
    const char *path = scratch_path("large");
    char *bytes = malloc(N);
    for (size_t i = 0; i < N; i++) bytes[i] = (char)(i * 7 + i / 251);
    zf_file *file;
    assert_ok(zf_file_create(&file, path));
    size_t pieces[] = {1, 65535, 65536, 0, 2, 100000, 65537}, at = 0;
    for (size_t i = 0; i < 7; i++) {
        assert_ok(zf_file_write(file, bytes + at, pieces[i]));
        at += pieces[i];
    }
    assert_ok(zf_file_write(file, bytes + at, N - at));
    assert_ok(zf_file_commit(file));
    size_t n;
    char *back = scratch_read(path, &n);
    assert_int_equal(n, N);
    assert_memory_equal(back, bytes, N);
    free(back);
    free(bytes);
}

static void drop_leaves_the_old_file(void **state)
{
    (void)state;
    scratch_clear();
    const char *path = scratch_text("a", "old");
    zf_file *file;
    assert_ok(zf_file_create(&file, path));
    assert_ok(zf_file_write(file, "new", 3));
    zf_file_drop(file);
    zf_file_drop(NULL);
    assert_content(path, "old");
    assert_int_equal(scratch_count(), 1);
}

/* A limit on file size makes write fail as a full disk does. */
static void full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    scratch_clear();
    const char *path = scratch_text("a", "old");
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    static char bytes[200000];
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    zf_status whole = zf_file_write_whole(path, bytes, sizeof bytes);
    zf_file *file;
    zf_status created = zf_file_create(&file, path), flushed = ZF_OK;
    for (int i = 0; i < 10; i++) (void)!zf_file_write(file, bytes, 15000);
    flushed = zf_file_commit(file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_ok(created);
    assert_int_equal(whole, ZF_EIO);
    assert_int_equal(flushed, ZF_EIO);
    assert_content(path, "old");
    assert_int_equal(scratch_count(), 1);
}

static void devices_are_written_straight(void **state)
{
    (void)state;
    assert_ok(zf_file_write_whole("/dev/null", "x", 1));
    assert_fails(zf_file_write_whole("/dev/full", "x", 1), ZF_EIO,
                 "/dev/full: cannot write: No space left on device");
    struct stat about;
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

static void links_are_followed(void **state)
{
    (void)state;
    scratch_clear();
    const char *target = scratch_text("target", "old"), *link = scratch_path("link");
    assert_int_equal(symlink(target, link), 0);
    assert_ok(zf_file_write_whole(link, "new", 3));
    assert_content(target, "new");
    struct stat about;
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
}

static void two_writers_are_kept_apart(void **state)
{
    (void)state;
    scratch_clear();
    const char *path = scratch_path("a");
    zf_file *first, *second;
    assert_ok(zf_file_create(&first, path));
    assert_fails(zf_file_create(&second, path), ZF_EIO, "another process is writing");
    assert_ok(zf_file_write(first, "1", 1));
    assert_ok(zf_file_commit(first));
    assert_ok(zf_file_create(&second, path));
    zf_file_drop(second);
    assert_content(path, "1");
}

static void what_a_killed_writer_left_is_taken_over(void **state)
{
    (void)state;
    scratch_clear();
    const char *path = scratch_path("a");
    scratch_text("a.partial", "half of something longer");
    assert_ok(zf_file_write_whole(path, "whole", 5));
    assert_content(path, "whole");
    assert_int_equal(scratch_count(), 1);
}

static void impossible_places_are_named(void **state)
{
    (void)state;
    scratch_clear();
    assert_fails(zf_file_write_whole(scratch_path("no/such"), "x", 1), ZF_EIO,
                 "no/such: cannot write: No such file or directory");
    assert_fails(zf_file_write_whole("/", "x", 1), ZF_EIO, "this is a folder");
    assert_int_equal(mkdir(scratch_path("folder"), 0777), 0);
    assert_fails(zf_file_write_whole(scratch_path("folder"), "x", 1), ZF_EIO, "this is a folder");
    /* A link in the place of the partial file is not followed. */
    assert_int_equal(symlink("/dev/null", scratch_path("a.partial")), 0);
    assert_fails(zf_file_write_whole(scratch_path("a"), "x", 1), ZF_EIO, "cannot write");
    assert_fails(zf_file_write_whole("", "x", 1), ZF_EIO, "cannot write");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_replaces),
        cmocka_unit_test(large_pieces_keep_their_order),
        cmocka_unit_test(drop_leaves_the_old_file),
        cmocka_unit_test(full_disk_leaves_the_old_file),
        cmocka_unit_test(devices_are_written_straight),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(two_writers_are_kept_apart),
        cmocka_unit_test(what_a_killed_writer_left_is_taken_over),
        cmocka_unit_test(impossible_places_are_named),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
