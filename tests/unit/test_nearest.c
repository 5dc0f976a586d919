/* The nearest name. */
#include "support.h"

#include <string.h>

#include "base/nearest.h"

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
        cmocka_unit_test(test_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
