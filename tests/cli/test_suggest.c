/* Words that come one at a time: the nearest stays. */
#include "support.h"

#include <string.h>

#include "suggest.h"

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
    assert_string_equal(nearest("deno"), "demo"); /* and not the first that is near enough */
    assert_string_equal(nearest("zzz"), "");
    assert_string_equal(nearest(""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
