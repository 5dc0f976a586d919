/* The nearest name. */
#include "support.h"

#include <stdbool.h>
#include <string.h>

#include "zeroflow/nearest.h"

static const char *const genes[] = {"PKA", "PKC", "Raf", "Mek", "Jnk", "plcgamma", "PIP2"};
enum { GENES = sizeof genes / sizeof *genes };

static void test_finds(void **state)
{
    (void)state;
    assert_string_equal(zf_nearest("pka", genes, GENES), "PKA");
    assert_string_equal(zf_nearest("plcg", genes, GENES), "plcgamma");
    assert_string_equal(zf_nearest("Mke", genes, GENES), "Mek");
    assert_string_equal(zf_nearest("plcgmama", genes, GENES), "plcgamma");
    assert_string_equal(zf_nearest("PIP3", genes, GENES), "PIP2");
}

/* Edits by hand: a word of 4 to 7 letters is near within two, one of 8 within three. */
static void test_counts_edits(void **state)
{
    (void)state;
    static const struct {
        const char *word, *name;
        bool near;
    } cases[] = {
        {"chekc", "check", true},     {"abdc", "badc", true},        {"abcd", "badc", true},
        {"xbcy", "abcd", true},       {"xycd", "abcd", true},        {"xyzd", "abcd", false},
        {"sitting", "kitten", false}, {"sittings", "kittens", true}, {"ca", "abc", false},
        {"cab", "abc", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(!!zf_nearest(cases[i].word, &cases[i].name, 1) == cases[i].near);
    const char *const twice[] = {"abcx", "abcd", "abcy"};
    assert_string_equal(zf_nearest("abcz", twice, 3), "abcx"); /* the first of equals */
    assert_string_equal(zf_nearest("abdc", twice, 3), "abcd"); /* a swap is one edit */
}

static void test_finds_none(void **state)
{
    (void)state;
    char longest[200] = {0};
    memset(longest, 'P', sizeof longest - 1);
    const char *const names[] = {longest};
    assert_null(zf_nearest("tubulin", genes, GENES));
    assert_null(zf_nearest("", genes, GENES));
    assert_null(zf_nearest("PKA", genes, 0));
    assert_null(zf_nearest(longest, genes, GENES));
    assert_null(zf_nearest("QQQQ", names, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds),
        cmocka_unit_test(test_counts_edits),
        cmocka_unit_test(test_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
