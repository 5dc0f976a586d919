/* Characters, their widths, and how lines are cut. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "plot/font.h"

static unsigned next(const char *text, size_t bytes)
{
    const char *at = text;
    unsigned code = zf_text_next(&at);
    assert_int_equal(at - text, bytes);
    return code;
}

static void bytes_become_characters(void **state)
{
    (void)state;
    assert_int_equal(next("A", 1), 'A');
    assert_int_equal(next("é", 2), 0xE9);
    assert_int_equal(next("−", 3), 0x2212);
    assert_int_equal(next("😀", 4), 0x1F600);
    assert_int_equal(next("\t", 1), ' ');
    assert_int_equal(next("\n", 1), ' ');
    assert_int_equal(next("\x01", 1), ZF_NO_CHARACTER);
    assert_int_equal(next("\x7f", 1), ZF_NO_CHARACTER);
    assert_int_equal(next("\xc3", 1), ZF_NO_CHARACTER); /* cut short */
    assert_int_equal(next("\xff", 1), ZF_NO_CHARACTER);
    assert_int_equal(next("\xc0\xaf", 1), ZF_NO_CHARACTER);     /* overlong */
    assert_int_equal(next("\xef\xbf\xbf", 3), ZF_NO_CHARACTER); /* U+FFFF is not XML */
}

static void widths_add_up(void **state)
{
    (void)state;
    assert_true(zf_text_width("", 10) == 0);
    double digit = zf_text_width("0", 12);
    assert_true(digit > 0.4 * 12 && digit < 0.7 * 12);
    for (const char *d = "123456789"; *d; d++) /* so that columns of numbers stand in line */
        assert_true(zf_text_width((char[]){*d, '\0'}, 12) == digit);
    assert_true(zf_text_width("i", 12) < digit && digit < zf_text_width("W", 12));
    assert_true(zf_text_width("é", 12) == zf_text_width("e", 12));
    double sum = zf_text_width("i", 12) + zf_text_width("W", 12) + digit;
    assert_true(fabs(zf_text_width("iW0", 12) - sum) < 1e-9);
    assert_true(fabs(zf_text_width("iW0", 24) - 2 * sum) < 1e-9);
    assert_true(zf_text_width("日", 12) > 0); /* the sign for a missing character */
    assert_true(zf_text_known("PKC-α, 10 µm ± 0.5"));
    assert_false(zf_text_known("PKC 日"));
    assert_false(zf_text_known("\xff"));
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    char line[32];
    assert_string_equal(zf_text_shorten(line, sizeof line, "short", 10, 100), "short");
    assert_string_equal(
        zf_text_shorten(line, sizeof line, "00000000", 10, 5 * zf_text_width("0", 10) + 10),
        "00000…");
    assert_string_equal(zf_text_shorten(line, sizeof line, "ab cd ef", 10, 24), "ab…");
    assert_string_equal(zf_text_shorten(line, sizeof line, "anything", 10, 0), "…");
    assert_string_equal(zf_text_shorten(line, sizeof line, "anything", 10, -5), "…");
    assert_string_equal(zf_text_shorten(line, 4, "anything", 10, 1000), "…");
    assert_string_equal(zf_text_shorten(line, 8, "ééééé", 10, 1000),
                        "éé…"); /* between characters */
    const char *rest;
    assert_int_equal(zf_text_break("one two three", 10, 45, &rest), 7);
    assert_string_equal(rest, "three");
    assert_int_equal(zf_text_break("one\ntwo", 10, 1000, &rest), 3);
    assert_string_equal(rest, "two");
    assert_int_equal(zf_text_break("word", 10, 1, &rest), 1); /* always goes on */
    assert_string_equal(rest, "ord");
    assert_int_equal(zf_text_break("all", 10, 1000, &rest), 3);
    assert_string_equal(rest, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_become_characters),
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(long_lines_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
