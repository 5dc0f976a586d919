/* Target sets from files. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "scratch.h"
#include "zeroflow/blanket.h"

enum { D = 5 };
static const char *const NAMES[D] = {"delta", "alpha", "two words", "gr\303\274n", "a,b"};

/* The sets as text: "0,1 2" is {0, 1} and {2}. */
static void assert_sets(const char *text, const char *expected)
{
    zf_target_sets sets = {0};
    char got[200] = "";
    assert_ok(zf_target_sets_read(&sets, scratch_text("sets", text), NAMES, D));
    for (int s = 0; s < sets.count; s++)
        for (int k = sets.first[s]; k < sets.first[s + 1]; k++) {
            const char *gap = k > sets.first[s] ? "," : s ? " " : "";
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d", gap, (int)sets.items[k]);
        }
    assert_string_equal(got, expected);
    zf_target_sets_free(&sets);
    assert_null(sets.items);
    assert_int_equal(sets.count, 0);
}

static void reads_sets(void **state)
{
    (void)state;
    assert_sets("alpha\n", "1");
    assert_sets("alpha,delta\r\n\r\n two words , alpha ,delta", "0,1 0,1,2");
    assert_sets("\xef\xbb\xbf"
                "delta\nalpha;two words\n",
                "0 1,2");
    assert_sets("delta\ttwo words\n", "0,2");
    assert_sets("\"a,b\",delta\n", "0,4");
    assert_sets("\"a,b\"|delta\n", "0,4"); /* the comma is quoted, so the bar decides */
    assert_sets("gr\xfcn\n", "3");         /* Latin-1 */
    assert_sets("alpha\nalpha\n", "1 1");
}

static void refuses(const char *text, const char *message)
{
    zf_target_sets sets = {.count = 77};
    assert_fails(zf_target_sets_read(&sets, scratch_text("sets", text), NAMES, D), ZF_EINPUT,
                 message);
    assert_int_equal(sets.count, 77);
}

static void refuses_bad_sets(void **state)
{
    (void)state;
    refuses("", "sets: empty, expected the names of target variables");
    refuses("\n\n", "sets: empty");
    refuses("alpha\n\nalhpa\n", "sets:3: \"alhpa\" is not among the 5 variables; did you mean "
                                "\"alpha\"?");
    refuses("zzzzzzzz\n", "sets:1: \"zzzzzzzz\" is not among the 5 variables");
    refuses("alpha,\n", "sets:1: an empty cell");
    refuses("delta\nalpha,delta,alpha\n", "sets:2: \"alpha\" is twice in one set");
    refuses("alpha,delta,two words,gr\xc3\xbcn,\"a,b\"\n", "sets:1: a set of all 5 variables");
    refuses("\"alpha\n", "a quote that is never closed");
    zf_target_sets sets = {0};
    assert_fails(zf_target_sets_read(&sets, scratch_path("absent"), NAMES, D), ZF_EIO,
                 "cannot open");
}

/* More than one piece of the file, and names found among many. */
static void reads_long_files(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static char text[200000], name[MANY][16];
    static const char *names[MANY];
    size_t n = 0;
    for (int i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof name[i], "variable%d", i);
        names[i] = name[i];
    }
    for (int i = 0; i < MANY; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s,%s,%s\n", name[i],
                              name[(i + 1) % MANY], name[(i + 7) % MANY]);
    zf_target_sets sets = {0};
    assert_true(n > 65536);
    assert_ok(zf_target_sets_read(&sets, scratch_gzip("sets", text, n), names, MANY));
    assert_int_equal(sets.count, MANY);
    for (int i = 0; i + 7 < MANY; i++) {
        assert_int_equal(sets.first[i], 3 * i);
        assert_int_equal(sets.items[3 * i], i);
        assert_int_equal(sets.items[3 * i + 1], i + 1);
        assert_int_equal(sets.items[3 * i + 2], i + 7);
    }
    zf_target_sets_free(&sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_sets),
        cmocka_unit_test(refuses_bad_sets),
        cmocka_unit_test(reads_long_files),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
