/* UTF-8: the borders of every range of RFC 3629. */
#include "support.h"

#include <string.h>

#include "io/utf8.h"

static void accepts_the_borders(void **state)
{
    (void)state;
    static const char *const good[] = {"a",
                                       "\x7f",
                                       "\xc2\x80",
                                       "\xdf\xbf",
                                       "\xe0\xa0\x80",
                                       "\xed\x9f\xbf",
                                       "\xee\x80\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(zf_utf8_length(good[i], strlen(good[i])), strlen(good[i]));
        assert_true(zf_utf8_valid(good[i], strlen(good[i])));
        for (size_t cut = 1; cut < strlen(good[i]); cut++)
            assert_false(zf_utf8_valid(good[i], cut));
    }
    assert_true(zf_utf8_valid("", 0));
    assert_true(zf_utf8_valid("Größe\0€😀", sizeof "Größe\0€😀" - 1));
}

static void refuses_what_lies_beyond(void **state)
{
    (void)state;
    static const char *const bad[] = {"\x80",
                                      "\xbf",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xc2\x7f",
                                      "\xc2\xc0",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xe1\x80\x7f",
                                      "\xe1\x80\xc0",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff",
                                      "a\xfe"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(zf_utf8_valid(bad[i], strlen(bad[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_the_borders),
        cmocka_unit_test(refuses_what_lies_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
