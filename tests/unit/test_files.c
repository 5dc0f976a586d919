/* The files of a job: no output over an input or another output, however they are named; places
   that cannot be written; one job at a time. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "zeroflow/files.h"

static zf_files *files;

/* A job that reads "in" and the folder "set". */
static void begin(void)
{
    zf_files_free(files);
    files = NULL;
    scratch_clear();
    scratch_text("in", "data");
    assert_int_equal(mkdir(scratch_path("set"), 0777), 0);
    assert_int_equal(mkdir(scratch_path("set/class"), 0777), 0);
    scratch_text("set/class/1.png", "image");
    assert_ok(zf_files_new(&files));
    assert_ok(zf_files_reads(files, "DATA", scratch_path("in")));
    assert_ok(zf_files_reads_all(files, "IMAGES", scratch_path("set")));
}

static void end(void)
{
    zf_files_free(files);
    files = NULL;
}

static void an_input_is_known_by_any_name(void **state)
{
    (void)state;
    begin();
    assert_int_equal(symlink("in", scratch_path("soft")), 0);
    assert_int_equal(link(scratch_path("in"), scratch_path("hard")), 0);
    assert_int_equal(symlink(".", scratch_path("here")), 0);
    static const char *const names[] = {"in", "./in", "set/../in", "soft", "hard", "here/in"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_fails(zf_files_writes(files, "--output", scratch_path(names[i])), ZF_EINVAL,
                     "which is read (DATA)");
    assert_ok(zf_files_writes(files, "--output", scratch_path("in2")));
    end();
}

static void an_input_that_is_told_later_is_checked_too(void **state)
{
    (void)state;
    begin();
    const char *labels = scratch_text("labels", "0");
    assert_ok(zf_files_writes(files, "--names", scratch_path("./labels")));
    assert_fails(zf_files_reads(files, "--labels", labels), ZF_EINVAL, "--names would overwrite");
    assert_ok(zf_files_reads(files, "--labels", scratch_path("absent")));
    assert_ok(zf_files_reads(files, "--labels", scratch_path(".")));
    assert_ok(zf_files_reads(files, "--labels", "/dev/null"));
    end();
}

static void standard_input_is_an_input(void **state)
{
    (void)state;
    begin();
    int kept = dup(STDIN_FILENO), in = open(scratch_text("piped", "1"), O_RDONLY);
    assert_true(kept >= 0 && in >= 0 && dup2(in, STDIN_FILENO) == STDIN_FILENO);
    zf_status read = zf_files_reads(files, "B", "-");
    zf_status written = zf_files_writes(files, "--output", scratch_path("piped"));
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(in);
    assert_ok(read);
    assert_fails(written, ZF_EINVAL, "would overwrite standard input, which is read (B)");
    end();
}

static void a_folder_that_is_read_is_closed_to_outputs(void **state)
{
    (void)state;
    begin();
    assert_int_equal(symlink("set/class", scratch_path("short")), 0);
    static const char *const names[] = {"set/m", "set/class/1.png", "set/class/new", "short/x",
                                        "set/../set/m"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_fails(zf_files_writes(files, "--output", scratch_path(names[i])), ZF_EINVAL,
                     "which is read (IMAGES)");
    /* Images that are elsewhere, and in the folder by a link. */
    assert_int_equal(symlink("../../far.png", scratch_path("set/class/2.png")), 0);
    assert_int_equal(link(scratch_path("set/class/1.png"), scratch_path("twin.png")), 0);
    scratch_text("far.png", "image");
    assert_fails(zf_files_writes(files, "--sheet", scratch_path("far.png")), ZF_EINVAL,
                 "far.png: --sheet would overwrite");
    assert_fails(zf_files_writes(files, "--sheet", scratch_path("twin.png")), ZF_EINVAL,
                 "twin.png: --sheet would overwrite");
    assert_fails(zf_files_folder(files, "--output", scratch_path("set/results/a")), ZF_EINVAL,
                 "which is read (IMAGES)");
    assert_false(scratch_exists(scratch_path("set/results")));
    assert_ok(zf_files_writes(files, "--output", scratch_path("set.model")));
    assert_ok(zf_files_folder(files, "--output", scratch_path("results/a")));
    end();
}

static void two_outputs_are_two_files(void **state)
{
    (void)state;
    begin();
    scratch_text("old", "old");
    assert_ok(zf_files_writes(files, "--output", scratch_path("new")));
    assert_fails(zf_files_writes(files, "--history", scratch_path("./new")), ZF_EINVAL,
                 "--history and --output");
    assert_ok(zf_files_writes(files, "--names", scratch_path("old")));
    assert_fails(zf_files_writes(files, "--history", scratch_path("set/../old")), ZF_EINVAL,
                 "--history and --names");
    for (int i = 0; i < 2; i++) {
        assert_ok(zf_files_writes(files, "--history", "/dev/null"));
        assert_ok(zf_files_writes(files, "--history", "-"));
    }
    assert_ok(zf_files_hold(files));
    end();
}

static void impossible_outputs_are_found_out(void **state)
{
    (void)state;
    begin();
    char name[257];
    memset(name, 'n', 256);
    name[256] = '\0';
    assert_int_equal(symlink("absent", scratch_path("dangling")), 0);
    assert_int_equal(chmod(scratch_text("kept", "old"), 0444), 0);
    assert_fails(zf_files_writes(files, "o", scratch_path("no/m")), ZF_EIO, "into its folder");
    assert_fails(zf_files_writes(files, "o", scratch_path("set")), ZF_EIO, "is a folder");
    assert_fails(zf_files_writes(files, "o", scratch_path(name)), ZF_EIO, "name too long");
    assert_fails(zf_files_writes(files, "o", scratch_path("dangling")), ZF_EIO, "link to nothing");
    assert_fails(zf_files_writes(files, "o", scratch_path("kept")), ZF_EIO, "read-only");
    assert_fails(zf_files_folder(files, "o", scratch_path("in/x")), ZF_EIO, "make this folder");
    assert_fails(zf_files_folder(files, "o", ""), ZF_EINVAL, "expected a path");
    end();
}

static void one_job_at_a_time(void **state)
{
    (void)state;
    begin();
    zf_files *other;
    assert_ok(zf_files_new(&other));
    assert_ok(zf_files_writes(files, "--output", scratch_path("m")));
    assert_ok(zf_files_hold(files));
    assert_ok(zf_files_hold(files));
    assert_ok(zf_files_writes(other, "--output", scratch_path("set/../m")));
    assert_fails(zf_files_hold(other), ZF_EOUTPUT, "another process is making this file");
    scratch_text("m", "made meanwhile");
    assert_fails(zf_files_hold(other), ZF_EOUTPUT, "another process is making this file");
    assert_ok(zf_files_folder(files, "--output", scratch_path("results")));
    assert_fails(zf_files_folder(other, "--output", scratch_path("results")), ZF_EOUTPUT,
                 "another process is writing into this folder");
    end();
    assert_ok(zf_files_hold(other));
    assert_ok(zf_files_folder(other, "--output", scratch_path("results")));
    zf_files_free(other);
    assert_int_equal(scratch_count(), 4); /* in, set, m, results: no lock is left */
}

static void a_killed_job_holds_nothing(void **state)
{
    (void)state;
    begin();
    pid_t child = fork();
    if (child == 0) {
        if (zf_files_writes(files, "--output", scratch_path("m")) != ZF_OK) _exit(1);
        if (zf_files_hold(files) != ZF_OK) _exit(2);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_ok(zf_files_writes(files, "--output", scratch_path("m")));
    assert_ok(zf_files_hold(files));
    end();
    assert_int_equal(scratch_count(), 2); /* and what it left is gone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_input_is_known_by_any_name),
        cmocka_unit_test(an_input_that_is_told_later_is_checked_too),
        cmocka_unit_test(standard_input_is_an_input),
        cmocka_unit_test(a_folder_that_is_read_is_closed_to_outputs),
        cmocka_unit_test(two_outputs_are_two_files),
        cmocka_unit_test(impossible_outputs_are_found_out),
        cmocka_unit_test(one_job_at_a_time),
        cmocka_unit_test(a_killed_job_holds_nothing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
