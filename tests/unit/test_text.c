/* Text made fit to show. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "data/text.h"
#include "io/utf8.h"

static void assert_shown(const char *text, size_t room, const char *expected)
{
    /* Exactly as large as promised, so that a checker sees a step too far. */
    char *shown = malloc(room);
    assert_string_equal(zf_text_show(shown, room, text, strlen(text)), expected);
    free(shown);
}

static void shows_text(void **state)
{
    (void)state;
    assert_shown("", 8, "");
    assert_shown("1234567", 8, "1234567");
    assert_shown("12345678", 8, "1234...");
    assert_shown("Größe", 16, "Größe");
    assert_shown("Gr\xf6\xdf"
                 "e",
                 16, "Größe");
    assert_shown("ööööö", 8, "öö...");
    assert_shown("a\nb\tc\033d\x7f", 16, "a?b?c?d?");
    assert_shown("\xc2\x85", 16, "?");
    assert_shown("\x85\xff", 16, "?ÿ");
}

static void every_cut_is_valid(void **state)
{
    (void)state;
    static const char text[] = "aß€😀bßc€d😀";
    for (size_t room = 4; room < sizeof text + 2; room++) {
        char *shown = malloc(room);
        zf_text_show(shown, room, text, strlen(text));
        assert_true(strlen(shown) < room);
        assert_true(zf_utf8_valid(shown, strlen(shown)));
        assert_true(room >= sizeof text || strstr(shown, "..."));
        free(shown);
    }
}

static void converts_whole_text(void **state)
{
    (void)state;
    char utf8[16] = {0};
    assert_int_equal(zf_text_utf8_bytes("a\xe4\n", 3), 4);
    zf_text_to_utf8(utf8, "a\xe4\n", 3);
    assert_string_equal(utf8, "aä\n");
    memset(utf8, 0, sizeof utf8);
    assert_int_equal(zf_text_utf8_bytes("aä\n", 4), 4);
    zf_text_to_utf8(utf8, "aä\n", 4);
    assert_string_equal(utf8, "aä\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_text),
        cmocka_unit_test(every_cut_is_valid),
        cmocka_unit_test(converts_whole_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
