/* Text gathered in memory: all of it, whatever its length, or nothing. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "gather.h"

static void gathers_all(void **state)
{
    (void)state;
    static const int lengths[] = {0, 1, 255, 256, 257, 4095, 4096, 4097, 100000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        cli_gathered text;
        FILE *out = cli_gather(&text);
        assert_non_null(out);
        for (int k = 0; k < lengths[i]; k++) fputc('a' + k % 26, out);
        assert_true(cli_gather_end(&text));
        assert_int_equal(text.length, lengths[i]);
        assert_int_equal(strlen(text.text), lengths[i]);
        for (int k = 0; k < lengths[i]; k++) assert_int_equal(text.text[k], 'a' + k % 26);
        free(text.text);
    }
}

static void bytes_may_be_nul(void **state)
{
    (void)state;
    cli_gathered text;
    assert_non_null(cli_gather(&text));
    fwrite("a\0b", 1, 3, text.out);
    assert_true(cli_gather_end(&text));
    assert_int_equal(text.length, 3);
    assert_memory_equal(text.text, "a\0b", 4);
    free(text.text);
}

/* The sanitizers' allocators do not heed the limit, and end the process instead. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* A later, shorter text must not close the gap that a refused one has left. */
static void tells_when_memory_runs_out(void **state)
{
    (void)state;
    enum { PIECE = 1 << 20 };
    struct rlimit before, low = {512 << 20, 0};
    char *piece = calloc(1, PIECE);
    assert_non_null(piece);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    low.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
    cli_gathered text;
    assert_non_null(cli_gather(&text));
    for (int i = 0; i < 1024 && !text.lacks; i++) fwrite(piece, 1, PIECE, text.out);
    fputs("the end", text.out);
    bool all = cli_gather_end(&text);
    setrlimit(RLIMIT_AS, &before);
    assert_false(all);
    assert_null(text.text);
    assert_int_equal(text.length, 0);
    free(piece);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathers_all),
        cmocka_unit_test(bytes_may_be_nul),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        cmocka_unit_test(tells_when_memory_runs_out),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
