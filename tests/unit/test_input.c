/* The input layer: plain, gzipped, piped and in memory give the same bytes, and
   a damaged gzip stream is always noticed. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/input.h"
#include "scratch.h"

enum { N = 300000 };

static unsigned char *sample(void)
{
    unsigned char *bytes = malloc(N);
    uint32_t word = 1;
    for (size_t i = 0; i < N; i++) {
        word = word * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(word >> (i % 3 ? 24 : 30));
    }
    return bytes;
}

/* Reads in pieces of odd sizes and compares. */
static void assert_delivers(zf_io_input *input, const unsigned char *expected)
{
    unsigned char *got = malloc(N + 100), peeked[ZF_INPUT_PEEK];
    size_t at = 0, piece = 1, n;
    assert_ok(zf_io_input_peek(input, peeked, &n));
    assert_int_equal(n, ZF_INPUT_PEEK);
    assert_memory_equal(peeked, expected, n);
    do {
        size_t wanted = at + piece <= N + 100 ? piece : N + 100 - at;
        assert_ok(zf_io_input_read(input, got + at, wanted, &n));
        at += n;
        assert_int_equal(zf_io_input_offset(input), at);
        if (n < wanted) break;
        piece = piece * 3 % 90001;
    } while (1);
    assert_int_equal(at, N);
    assert_memory_equal(got, expected, N);
    free(got);
}

static void every_source_gives_the_same(void **state)
{
    (void)state;
    unsigned char *bytes = sample();
    zf_io_input *input;
    assert_ok(zf_io_input_open(&input, scratch_write("plain", bytes, N)));
    assert_false(zf_io_input_is_gzip(input));
    assert_true(zf_io_input_is_sized(input));
    assert_int_equal(zf_io_input_bound(input), N);
    assert_delivers(input, bytes);
    zf_io_input_close(input);
    assert_ok(zf_io_input_open(&input, scratch_gzip("zipped", bytes, N)));
    assert_true(zf_io_input_is_gzip(input));
    assert_false(zf_io_input_is_sized(input));
    assert_true(zf_io_input_bound(input) >= N);
    assert_delivers(input, bytes);
    zf_io_input_close(input);
    assert_ok(zf_io_input_open_memory(&input, "memory", bytes, N));
    assert_delivers(input, bytes);
    zf_io_input_close(input);
    free(bytes);
}

static void pipes_are_read(void **state)
{
    (void)state;
    unsigned char *bytes = sample();
    const char *path = scratch_path("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        FILE *file = fopen(path, "wb");
        size_t done = file ? fwrite(bytes, 1, N, file) : 0;
        if (file) fclose(file);
        _exit(done == N ? 0 : 1);
    }
    zf_io_input *input;
    assert_ok(zf_io_input_open(&input, path));
    assert_int_equal(zf_io_input_bound(input), UINT64_MAX);
    assert_delivers(input, bytes);
    unsigned char byte;
    assert_fails(zf_io_input_read_at(input, 0, &byte, 1), ZF_EINPUT, "a pipe");
    zf_io_input_close(input);
    free(bytes);
}

static void members_of_gzip_follow_each_other(void **state)
{
    (void)state;
    size_t n, m;
    char *first = scratch_read(scratch_gzip("1.gz", "one,", 4), &n);
    char *second = scratch_read(scratch_gzip("2.gz", "two", 3), &m);
    char both[256], text[16];
    memcpy(both, first, n);
    memcpy(both + n, second, m);
    zf_io_input *input;
    assert_ok(zf_io_input_open_memory(&input, "both", both, n + m));
    size_t got;
    assert_ok(zf_io_input_read(input, text, sizeof text, &got));
    assert_int_equal(got, 7);
    assert_memory_equal(text, "one,two", 7);
    zf_io_input_close(input);
    memcpy(both + n, "junk", 4);
    assert_ok(zf_io_input_open_memory(&input, "both", both, n + 4));
    assert_fails(zf_io_input_read(input, text, sizeof text, &got), ZF_EINPUT,
                 "both: gzip stream is followed by bytes that are not gzip after 4 bytes");
    zf_io_input_close(input);
    free(first);
    free(second);
}

static void every_cut_and_flip_of_gzip_is_noticed(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n";
    size_t n, got;
    char *bytes = scratch_read(scratch_gzip("a.gz", text, sizeof text - 1), &n), all[100000];
    zf_io_input *input;
    for (size_t cut = 2; cut < n; cut++) {
        assert_ok(zf_io_input_open_memory(&input, "a.gz", bytes, cut));
        assert_fails(zf_io_input_read(input, all, sizeof all, &got), ZF_EINPUT,
                     "a.gz: gzip stream is truncated after");
        zf_io_input_close(input);
    }
    size_t unnoticed = 0;
    for (size_t i = 10; i < n; i++) { /* the ten bytes before are free fields of the header */
        bytes[i] ^= 0x10;
        assert_ok(zf_io_input_open_memory(&input, "a.gz", bytes, n));
        /* The last bits of the deflated data are padding: there a flip changes nothing. */
        if (zf_io_input_read(input, all, sizeof all, &got) == ZF_OK) {
            assert_int_equal(got, sizeof text - 1);
            assert_memory_equal(all, text, got);
            unnoticed++;
        } else {
            assert_non_null(strstr(zf_error(), "a.gz: gzip stream is "));
        }
        zf_io_input_close(input);
        bytes[i] ^= 0x10;
    }
    assert_true(unnoticed <= 1);
    free(bytes);
}

static void reads_at_any_place(void **state)
{
    (void)state;
    const char *path = scratch_text("text", "0123456789");
    zf_io_input *file, *memory;
    char text[8];
    assert_ok(zf_io_input_open(&file, path));
    assert_ok(zf_io_input_open_memory(&memory, "memory", "0123456789", 10));
    zf_io_input *both[] = {file, memory};
    for (int i = 0; i < 2; i++) {
        assert_ok(zf_io_input_read_at(both[i], 7, text, 3));
        assert_memory_equal(text, "789", 3);
        assert_ok(zf_io_input_read_at(both[i], 10, text, 0));
        assert_fails(zf_io_input_read_at(both[i], 8, text, 3), ZF_EINPUT,
                     "truncated: expected 3 bytes at offset 8");
        assert_fails(zf_io_input_read_at(both[i], 1000, text, 3), ZF_EINPUT, "truncated");
        assert_fails(zf_io_input_read_exactly(both[i], (char[11]){0}, 11, "the text"), ZF_EINPUT,
                     "expected 11 bytes of the text at offset 0, found 10");
        zf_io_input_close(both[i]);
    }
    assert_ok(zf_io_input_open(&file, scratch_gzip("text.gz", "0123456789", 10)));
    assert_fails(zf_io_input_read_at(file, 0, text, 1), ZF_EINPUT, "found gzip");
    zf_io_input_close(file);
    zf_io_input_close(NULL);
}

static void what_cannot_be_opened_is_named(void **state)
{
    (void)state;
    zf_io_input *input;
    assert_fails(zf_io_input_open(&input, scratch_path("missing")), ZF_EIO,
                 "missing: cannot open: No such file");
    assert_fails(zf_io_input_open(&input, "/"), ZF_EIO, "/: cannot read: this is a folder");
    const char *path = scratch_text("secret", "x");
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() != 0) /* root reads everything */
        assert_fails(zf_io_input_open(&input, path), ZF_EIO,
                     "secret: cannot open: Permission denied");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_source_gives_the_same),
        cmocka_unit_test(pipes_are_read),
        cmocka_unit_test(members_of_gzip_follow_each_other),
        cmocka_unit_test(every_cut_and_flip_of_gzip_is_noticed),
        cmocka_unit_test(reads_at_any_place),
        cmocka_unit_test(what_cannot_be_opened_is_named),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
