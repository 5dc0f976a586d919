/* Cleaning, measuring and wrapping of text. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Runs statements that write to out, and compares what they wrote. */
#define assert_writes(expected, ...)                                                               \
    do {                                                                                           \
        char *text_ = NULL;                                                                        \
        size_t length_;                                                                            \
        FILE *out = open_memstream(&text_, &length_);                                              \
        assert_non_null(out);                                                                      \
        __VA_ARGS__;                                                                               \
        assert_int_equal(fclose(out), 0);                                                          \
        assert_string_equal(text_, expected);                                                      \
        free(text_);                                                                               \
    } while (0)

static void clean_escapes_what_harms(void **state)
{
    (void)state;
    assert_writes("plain größe 日本", cli_clean(out, "plain größe 日本"));
    assert_writes("\\x1b[31mred\\x0a", cli_clean(out, "\033[31mred\n"));
    assert_writes("a\\xffb", cli_clean(out, "a\xff"
                                            "b"));
    /* Truncated, overlong, a surrogate, beyond Unicode: byte by byte. */
    assert_writes("\\xe2\\x82", cli_clean(out, "\xe2\x82"));
    assert_writes("\\xc0\\xaf", cli_clean(out, "\xc0\xaf"));
    assert_writes("\\xed\\xa0\\x80", cli_clean(out, "\xed\xa0\x80"));
    assert_writes("\\xf4\\x90\\x80\\x80", cli_clean(out, "\xf4\x90\x80\x80"));
    /* A right-to-left override, which would turn the rest of the line around. */
    assert_writes("\\xe2\\x80\\xae", cli_clean(out, "\xe2\x80\xae"));
}

static void lines_and_json_stay_what_they_are(void **state)
{
    (void)state;
    assert_writes("a\tb\n\\x1b[2J\\x0d\n", cli_clean_lines(out, "a\tb\n\033[2J\r\n", 10));
    assert_writes("{\n \"\\u007f\\u009b\\u202eé\"}",
                  cli_clean_json(out, "{\n \"\x7f\xc2\x9b\xe2\x80\xaeé\"}"));
}

static void words_are_quoted_for_a_shell(void **state)
{
    (void)state;
    assert_writes("plain-name_1.csv", cli_print_word(out, "plain-name_1.csv"));
    assert_writes("''", cli_print_word(out, ""));
    assert_writes("'leaf area'", cli_print_word(out, "leaf area"));
    assert_writes("'=ls'", cli_print_word(out, "=ls"));
    assert_writes("'it'\\''s'", cli_print_word(out, "it's"));
    assert_writes("'größe \\n'", cli_print_word(out, "größe \\n"));
    assert_writes("$'\\033[2J\\377it\\'s \\\\'", cli_print_word(out, "\033[2J\xff"
                                                                     "it's \\"));
    assert_writes("./-m", cli_print_path(out, "-m"));
    assert_writes("-", cli_print_path(out, "-"));
}

static void width_counts_columns(void **state)
{
    (void)state;
    assert_int_equal(cli_width(""), 0);
    assert_int_equal(cli_width("größe"), 5);
    assert_int_equal(cli_width("日本"), 4);
    assert_int_equal(cli_width("e\xcc\x81"), 1); /* e and a combining accent */
    assert_int_equal(cli_width("\033"), 4);
}

static void fit_fills_exactly(void **state)
{
    (void)state;
    assert_writes("ab   ", cli_fit(out, "ab", 5, false));
    assert_writes("   ab", cli_fit(out, "ab", 5, true));
    assert_writes("abcde", cli_fit(out, "abcde", 5, false));
    assert_writes("ab...", cli_fit(out, "abcdef", 5, false));
    /* A wide character that does not fit leaves a space. */
    assert_writes("日... ", cli_fit(out, "日本語だ", 6, false));
}

static void wrap_keeps_within_width(void **state)
{
    (void)state;
    assert_writes("one two\n  three\n  four\n", cli_wrap(out, "one two three four", 2, 9));
    assert_writes("one\n\n  two\n", cli_wrap(out, "one\n\ntwo", 2, 9));
    assert_writes("unbreakable\n", cli_wrap(out, "unbreakable", 2, 5));
}

static void numbers_for_people(void **state)
{
    (void)state;
    assert_string_equal(zf_count(0).text, "0");
    assert_string_equal(zf_count(999).text, "999");
    assert_string_equal(zf_count(1000).text, "1,000");
    assert_string_equal(zf_count(1234567).text, "1,234,567");
    assert_string_equal(zf_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
    assert_string_equal(zf_duration(0.4).text, "0:00");
    assert_string_equal(zf_duration(59.6).text, "1:00");
    assert_string_equal(zf_duration(3723).text, "1:02:03");
    assert_string_equal(zf_duration(-1).text, "?");
    assert_string_equal(zf_duration(1e300).text, "?");
    assert_string_equal(zf_plural(1, "row").text, "1 row");
    assert_string_equal(zf_plural(2000, "row").text, "2,000 rows");
}

static void the_charset_is_the_first_that_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *all, *ctype, *lang;
        bool utf8;
    } wishes[] = {
        {"C", "C.UTF-8", "C.UTF-8", false},
        {"", "C.UTF-8", "C", true},
        {NULL, NULL, "xx_YY.utf8@euro", true},
        {NULL, "", "de_DE.ISO-8859-1", false},
        {NULL, NULL, NULL, false},
        {"C.UTF-8", NULL, NULL, true},
    };
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const char *const values[] = {wishes[i].all, wishes[i].ctype, wishes[i].lang};
        static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
        for (int k = 0; k < 3; k++)
            if (values[k])
                setenv(names[k], values[k], 1);
            else
                unsetenv(names[k]);
        cli_text_begin();
        assert_int_equal(cli_utf8(), wishes[i].utf8);
    }
}

int main(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    cli_text_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_escapes_what_harms),
        cmocka_unit_test(lines_and_json_stay_what_they_are),
        cmocka_unit_test(words_are_quoted_for_a_shell),
        cmocka_unit_test(width_counts_columns),
        cmocka_unit_test(fit_fills_exactly),
        cmocka_unit_test(wrap_keeps_within_width),
        cmocka_unit_test(numbers_for_people),
        cmocka_unit_test(the_charset_is_the_first_that_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
