/* Models and checkpoints that are damaged: a byte that changed, anywhere, is found out; so are
   numbers that no training gives, behind a checksum that agrees. */
#include "support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/seal.h"
#include "scratch.h"
#include "trainer.h"

static trainer t;
static zf_trained trained;

static int setup(void **state)
{
    if (scratch_setup(state) != 0) return -1;
    trainer_begin(&t, 1);
    t.training.steps = 13;
    return zf_train(&trained, &t.training) == ZF_OK ? 0 : -1;
}

static int teardown(void **state)
{
    trainer_end(&t);
    return scratch_teardown(state);
}

/* As the loaders of models do. */
static zf_status load_model(const char *path)
{
    zf_safetensors *file = NULL;
    zf_history history = zf_history_new(1);
    zf_status status = zf_safetensors_open(&file, path);
    if (status == ZF_OK) status = zf_model_expect(file, path, "test");
    if (status == ZF_OK) status = zf_model_read(t.params, file);
    if (status == ZF_OK) status = zf_history_read(&history, file, path);
    zf_safetensors_close(file);
    return status;
}

static zf_status load_checkpoint(const char *path)
{
    zf_history history = zf_history_new(1);
    return zf_checkpoint_read(path, t.params, t.optimiser, &history, t.training.description);
}

/* Every byte of what comes before the data, and some of the data, changed in one bit and in all. */
static void every_change_is_found(const char *name, zf_status (*load)(const char *path))
{
    static const unsigned char changes[] = {0x01, 0x02, 0x20, 0x80, 0xff};
    size_t n, tried = 0;
    char *bytes = scratch_read(scratch_path(name), &n);
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    assert_ok(load(scratch_path(name)));
    for (size_t at = 0; at < n; at += at < length + 8 ? 1 : 101) {
        char kept = bytes[at];
        bytes[at] = (char)(kept ^ changes[tried++ % sizeof changes]);
        zf_status status = load(scratch_write("changed", bytes, n));
        if (status != ZF_EINPUT) print_error("%s: byte %zu of %zu was changed\n", name, at, n);
        assert_int_equal(status, ZF_EINPUT);
        bytes[at] = kept;
    }
    assert_true(tried > 500);
    assert_ok(load(scratch_write("changed", bytes, n)));
    free(bytes);
}

static void changed_bytes_are_found(void **state)
{
    (void)state;
    zf_description about = t.training.description;
    assert_ok(zf_model_write((zf_model_place){.path = scratch_path("model")}, t.params,
                             &trained.history, about));
    assert_ok(zf_checkpoint_write(scratch_path("checkpoint"), t.params, t.optimiser,
                                  &trained.history, about));
    every_change_is_found("model", load_model);
    every_change_is_found("checkpoint", load_checkpoint);
}

static void cut_and_grown_files_are_found(void **state)
{
    (void)state;
    size_t n;
    char *bytes = scratch_read(scratch_path("model"), &n);
    assert_int_equal(load_model(scratch_write("changed", bytes, n - 4)), ZF_EINPUT);
    memset(bytes + n - 64, 0, 64); /* a block that was never written */
    assert_fails(load_model(scratch_write("changed", bytes, n)), ZF_EINPUT, "is damaged");
    free(bytes);
}

/* A file from before there were checksums: another key in its place, and the older format. */
static void files_without_a_checksum_are_read(void **state)
{
    (void)state;
    static const char format[] = "\"zeroflow.format\":\"";
    size_t n;
    char *bytes = scratch_read(scratch_path("model"), &n);
    char *key = memmem(bytes, n, ZF_SEAL_KEY, strlen(ZF_SEAL_KEY));
    assert_non_null(key);
    key[0] = 'Z';
    assert_fails(load_model(scratch_write("old", bytes, n)), ZF_EINPUT,
                 "lacks \"zeroflow.checksum");
    char *version = memmem(bytes, n, format, strlen(format));
    assert_non_null(version);
    version[strlen(format)] = '1';
    assert_ok(load_model(scratch_write("old", bytes, n)));
    version[strlen(format)] = '3';
    assert_fails(load_model(scratch_write("old", bytes, n)), ZF_EINPUT, "format 2 (found \"3\")");
    free(bytes);
}

/* The header's text with a piece of it replaced by one of another length, the checksum agreeing;
   spaces at its end make up for it. */
static const char *rewrite(const char *what, const char *by)
{
    size_t n, old = strlen(what), new = strlen(by);
    uint64_t length;
    char *bytes = scratch_read(scratch_path("checkpoint"), &n);
    memcpy(&length, bytes, sizeof length);
    size_t head = 8 + (size_t)length, grown = n + 64;
    char *out = malloc(grown), *at = memmem(bytes, head, what, old);
    assert_non_null(at);
    size_t before = (size_t)(at - bytes), after = head - before - old;
    memset(out, ' ', head + 64);
    memcpy(out, bytes, before);
    memcpy(out + before, by, new);
    memcpy(out + before + new, at + old, after);
    memcpy(out + head + 64, bytes + head, n - head);
    length += 64;
    memcpy(out, &length, sizeof length);
    scratch_seal(out, grown);
    const char *path = scratch_write("rewritten", out, grown);
    free(out);
    free(bytes);
    return path;
}

static void impossible_numbers_are_refused(void **state)
{
    (void)state;
    static const char step[] = "\"zeroflow.step\":\"13\"";
    assert_ok(load_checkpoint(rewrite(step, step)));
    assert_fails(load_checkpoint(rewrite(step, "\"zeroflow.step\":\"18446744073709551615\"")),
                 ZF_EINPUT, "its history is of 13 steps");
    assert_fails(load_checkpoint(rewrite(step, "\"zeroflow.step\":\"-1\"")), ZF_EINPUT, "-1");
    static const char history[] = "\"zeroflow.history\":\"1 0 0x0p+0\"";
    static const char *const lies[] = {"1 0 nan",     "1 0 inf",
                                       "0 0 0x0p+0",  "3 0 0x0p+0",
                                       "2 0 0x0p+0",  "1 1 0x0p+0",
                                       "1 0 0x0p+0 ", "18446744073709551615 0 0x0p+0",
                                       "1 -1 0x0p+0", ""};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        char text[80];
        snprintf(text, sizeof text, "\"zeroflow.history\":\"%s\"", lies[i]);
        assert_fails(load_checkpoint(rewrite(history, text)), ZF_EINPUT, "which no training gives");
    }
}

static void impossible_moments_are_refused(void **state)
{
    (void)state;
    float *second = zf_optimiser_second_moment(t.optimiser), kept = second[0];
    static const float mark = 12345.678f, wrong[] = {-1, NAN, INFINITY};
    const char *path = scratch_path("wrong");
    second[0] = mark;
    assert_ok(
        zf_checkpoint_write(path, t.params, t.optimiser, &trained.history, t.training.description));
    assert_ok(load_checkpoint(path));
    size_t n;
    char *bytes = scratch_read(path, &n), *at = memmem(bytes, n, &mark, sizeof mark);
    assert_non_null(at);
    for (int i = 0; i < 3; i++) {
        memcpy(at, &wrong[i], sizeof wrong[i]);
        scratch_seal(bytes, n);
        assert_fails(load_checkpoint(scratch_write("wrong", bytes, n)), ZF_EINPUT, "adamw.second.");
    }
    free(bytes);
    second[0] = kept;
}

static void a_run_that_is_longer_than_this_is_refused(void **state)
{
    (void)state;
    assert_ok(zf_checkpoint_write(scratch_path("long"), t.params, t.optimiser, &trained.history,
                                  t.training.description));
    zf_trained again;
    t.training.checkpoint = scratch_path("long");
    t.training.resume = true;
    t.training.steps = 12;
    assert_fails(zf_train(&again, &t.training), ZF_EINPUT,
                 "was saved after step 13, this run ends at 12");
    t.training.steps = 13;
    assert_ok(zf_train(&again, &t.training));
    assert_int_equal(again.resumed_from, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_bytes_are_found),
        cmocka_unit_test(cut_and_grown_files_are_found),
        cmocka_unit_test(files_without_a_checksum_are_read),
        cmocka_unit_test(impossible_numbers_are_refused),
        cmocka_unit_test(impossible_moments_are_refused),
        cmocka_unit_test(a_run_that_is_longer_than_this_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
