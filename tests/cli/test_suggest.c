/* Edit distances, by hand, and what counts as near. */
#include "support.h"

#include <limits.h>
#include <string.h>

#include "suggest.h"

static void distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } cases[] = {
        {"", "", 0},           {"", "abc", 3},        {"abc", "", 3},
        {"check", "check", 0}, {"chekc", "check", 1}, {"kitten", "sitting", 3},
        {"jsno", "json", 1},   {"ca", "abc", 3},      {"abcd", "badc", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cli_edit_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(cli_edit_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void long_words_are_far(void **state)
{
    (void)state;
    char word[65];
    memset(word, 'a', 64);
    word[64] = '\0';
    assert_int_equal(cli_edit_distance(word, "a"), INT_MAX);
    assert_int_equal(cli_edit_distance(word + 1, word + 1), 0);
}

static const char *nearest(const char *word)
{
    static const char *const words[] = {"check", "bench", "demo", "iterations", "two-sample"};
    cli_suggestion suggestion = {.word = word};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) cli_consider(&suggestion, words[i]);
    return suggestion.best ? suggestion.best : "";
}

static void nearest_words(void **state)
{
    (void)state;
    assert_string_equal(nearest("chek"), "check");
    assert_string_equal(nearest("dmo"), "demo");
    assert_string_equal(nearest("iter"), "iterations"); /* an abbreviation */
    assert_string_equal(nearest("twosample"), "two-sample");
    assert_string_equal(nearest("zzz"), "");
    assert_string_equal(nearest(""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(long_words_are_far),
        cmocka_unit_test(nearest_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
