/* The atomic writer: whole or not at all, whatever goes wrong. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "scratch.h"

/* A file system without unnamed files, when asked for. */
static bool no_unnamed;
int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, mode_t mode)
{
    if (no_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_openat(folder, path, flags, mode);
}

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
    assert_int_equal(whole, ZF_EOUTPUT);
    assert_int_equal(flushed, ZF_EOUTPUT);
    assert_content(path, "old");
    assert_int_equal(scratch_count(), 1);
}

static void devices_are_written_straight(void **state)
{
    (void)state;
    assert_ok(zf_file_write_whole("/dev/null", "x", 1));
    assert_fails(zf_file_write_whole("/dev/full", "x", 1), ZF_EOUTPUT,
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

static void of_two_writers_the_last_wins(void **state)
{
    (void)state;
    scratch_clear();
    const char *path = scratch_path("a");
    zf_file *first, *second;
    assert_ok(zf_file_create(&first, path));
    assert_ok(zf_file_create(&second, path));
    assert_ok(zf_file_write(first, "first", 5));
    assert_ok(zf_file_write(second, "second", 6));
    assert_ok(zf_file_commit(second));
    assert_content(path, "second");
    assert_ok(zf_file_commit(first));
    assert_content(path, "first");
    assert_int_equal(scratch_count(), 1);
}

/* Whatever the user has beside the output stays as it is. */
static void no_neighbour_is_touched(void **state)
{
    (void)state;
    static const char *const names[] = {"a.partial", "a.tmp", "a~", ".a", ".a.partial", "a.lock"};
    enum { NAMES = sizeof names / sizeof *names };
    scratch_clear();
    for (size_t i = 0; i < NAMES; i++) scratch_text(names[i], names[i]);
    assert_ok(zf_file_write_whole(scratch_path("a"), "whole", 5));
    assert_content(scratch_path("a"), "whole");
    for (size_t i = 0; i < NAMES; i++) assert_content(scratch_path(names[i]), names[i]);
    assert_int_equal(scratch_count(), 1 + NAMES);
}

static void a_killed_writer_leaves_nothing(void **state)
{
    (void)state;
    scratch_clear();
    const char *path = scratch_text("a", "old");
    static char bytes[100000];
    pid_t child = fork();
    if (child == 0) {
        zf_file *file;
        if (zf_file_create(&file, path) != ZF_OK) _exit(1);
        if (zf_file_write(file, bytes, sizeof bytes) != ZF_OK) _exit(2);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_content(path, "old");
    int unnamed = open(scratch_path("."), O_TMPFILE | O_WRONLY, 0600);
    if (unnamed >= 0) assert_int_equal(scratch_count(), 1); /* else one may stay behind */
    close(unnamed);
}

static void works_without_unnamed_files(void **state)
{
    no_unnamed = true;
    writes_and_replaces(state);
    large_pieces_keep_their_order(state);
    drop_leaves_the_old_file(state);
    full_disk_leaves_the_old_file(state);
    of_two_writers_the_last_wins(state);
    no_neighbour_is_touched(state);
    scratch_clear();
    zf_file *file;
    assert_ok(zf_file_create(&file, scratch_path("a")));
    assert_int_equal(scratch_count(), 1); /* by a name of chance */
    zf_file_drop(file);
    assert_int_equal(scratch_count(), 0);
    no_unnamed = false;
}

static void names_may_be_as_long_as_the_system_allows(void **state)
{
    (void)state;
    scratch_clear();
    char name[258];
    memset(name, 'n', sizeof name);
    name[255] = '\0';
    assert_ok(zf_file_write_whole(scratch_path(name), "x", 1));
    assert_content(scratch_path(name), "x");
    name[255] = 'n', name[256] = '\0';
    assert_fails(zf_file_write_whole(scratch_path(name), "x", 1), ZF_EIO, "File name too long");
    assert_int_equal(scratch_count(), 1);
}

static void links_to_nothing_and_files_to_keep_are_refused(void **state)
{
    (void)state;
    scratch_clear();
    zf_file *file;
    assert_int_equal(symlink("absent", scratch_path("dangling")), 0);
    assert_int_equal(symlink("loop", scratch_path("loop")), 0);
    assert_int_equal(chmod(scratch_text("kept", "old"), 0444), 0);
    assert_fails(zf_file_create(&file, scratch_path("dangling")), ZF_EIO,
                 "dangling: is a symbolic link to nothing");
    assert_fails(zf_file_create(&file, scratch_path("loop")), ZF_EIO,
                 "loop: cannot follow this symbolic link");
    assert_fails(zf_file_create(&file, scratch_path("kept")), ZF_EIO, "kept: is read-only");
    assert_content(scratch_path("kept"), "old");
    struct stat about;
    assert_int_equal(lstat(scratch_path("dangling"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(scratch_count(), 3);
}

static void impossible_places_are_named(void **state)
{
    (void)state;
    scratch_clear();
    assert_fails(zf_file_write_whole(scratch_path("no/such"), "x", 1), ZF_EIO,
                 "no/such: cannot write into its folder: No such file or directory");
    scratch_text("file", "");
    assert_fails(zf_file_write_whole(scratch_path("file/x"), "x", 1), ZF_EIO,
                 "file/x: cannot write into its folder: Not a directory");
    assert_fails(zf_file_write_whole("/", "x", 1), ZF_EIO, "is a folder");
    assert_int_equal(mkdir(scratch_path("folder"), 0777), 0);
    assert_fails(zf_file_write_whole(scratch_path("folder"), "x", 1), ZF_EIO, "is a folder");
    assert_fails(zf_file_write_whole(scratch_path("absent/"), "x", 1), ZF_EIO, "expected the name");
    assert_fails(zf_file_write_whole("", "x", 1), ZF_EIO, "expected the name of a file");
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
        cmocka_unit_test(of_two_writers_the_last_wins),
        cmocka_unit_test(no_neighbour_is_touched),
        cmocka_unit_test(a_killed_writer_leaves_nothing),
        cmocka_unit_test(works_without_unnamed_files),
        cmocka_unit_test(names_may_be_as_long_as_the_system_allows),
        cmocka_unit_test(links_to_nothing_and_files_to_keep_are_refused),
        cmocka_unit_test(impossible_places_are_named),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
