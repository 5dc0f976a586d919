/* Characters, their widths, and how lines are cut. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "plot/font.h"

static void glyphs_are_found_by_code(void **state)
{
    (void)state;
    for (int i = 0; i < zf_font_glyph_count; i++) {
        assert_ptr_equal(zf_font_find(zf_font_glyphs[i].code), &zf_font_glyphs[i]);
        if (i > 0) assert_true(zf_font_glyphs[i - 1].code < zf_font_glyphs[i].code);
    }
    const zf_font_glyph *missing = zf_font_find(ZF_NO_CHARACTER);
    assert_int_equal(missing->code, ZF_NO_CHARACTER);
    assert_ptr_equal(zf_font_find(0x65E5), missing);
    assert_ptr_equal(zf_font_find(0x10FFFF), missing);
    assert_ptr_equal(zf_font_find(0), missing);
    assert_true(missing->parts > 0); /* it is seen */
}

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

/* Widths of Arial, from its published metrics (units of 1/2048). */
static void widths_are_those_of_arial(void **state)
{
    (void)state;
    assert_true(zf_text_width("", 10) == 0);
    assert_true(fabs(zf_text_width("i", 2048) - 455) < 1e-9);
    assert_true(fabs(zf_text_width("0", 2048) - 1139) < 1e-9);
    assert_true(fabs(zf_text_width("W", 2048) - 1933) < 1e-9);
    assert_true(fabs(zf_text_width("iW0", 12) - 12.0 * (455 + 1933 + 1139) / 2048) < 1e-9);
    assert_true(fabs(zf_text_width("é", 2048) - zf_text_width("e", 2048)) < 1e-9);
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    char line[32];
    assert_string_equal(zf_text_shorten(line, sizeof line, "short", 10, 100), "short");
    assert_string_equal(zf_text_shorten(line, sizeof line, "00000000", 10, 5.57 * 5 + 10),
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
        cmocka_unit_test(glyphs_are_found_by_code),
        cmocka_unit_test(bytes_become_characters),
        cmocka_unit_test(widths_are_those_of_arial),
        cmocka_unit_test(long_lines_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
