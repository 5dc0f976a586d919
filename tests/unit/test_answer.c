/* Values on their way to JSON. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "job/answer.h"

static void finite_and_absent_numbers(void **state)
{
    (void)state;
    char *text;
    assert_ok(
        zf_answer_end(&text, json_pack("{s:o s:o s:o}", "a", zf_answer_number(0.5), "b",
                                       zf_answer_optional(NAN), "c", zf_answer_optional(-2))));
    assert_string_equal(text, "{\n  \"a\": 0.5,\n  \"b\": null,\n  \"c\": -2.0\n}");
    free(text);
}

static void no_json_of_what_is_not_finite(void **state)
{
    (void)state;
    char *text = NULL;
    json_t *object = json_pack("{s:o s:[o {s:o}]}", "good", zf_answer_number(1), "list",
                               zf_answer_number(2), "p_value", zf_answer_optional(INFINITY));
    assert_fails(zf_answer_end(&text, object), ZF_ENUMERIC,
                 "p_value is inf, expected a finite number");
    assert_null(text);
    /* The next one does not hear of it. */
    assert_ok(zf_answer_end(&text, json_pack("{s:o}", "a", zf_answer_number(1))));
    free(text);
}

static void what_is_lacking_is_noticed_at_the_end(void **state)
{
    (void)state;
    char *text = NULL;
    json_t *object = json_object();
    zf_answer_set(object, "a", NULL);
    assert_fails(zf_answer_end(&text, object), ZF_ENOMEM, "out of memory");
    assert_fails(zf_answer_end(&text, NULL), ZF_ENOMEM, "out of memory");
    assert_null(text);
}

static void text_is_repaired(void **state)
{
    (void)state;
    json_t *text = zf_answer_text("a\xff"
                                  "b");
    assert_string_equal(json_string_value(text), "a\xef\xbf\xbd"
                                                 "b");
    json_decref(text);
    text = zf_answer_text("\xe2\x82");
    assert_string_equal(json_string_value(text), "\xef\xbf\xbd\xef\xbf\xbd");
    json_decref(text);
    assert_true(json_is_null(zf_answer_text(NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_and_absent_numbers),
        cmocka_unit_test(no_json_of_what_is_not_finite),
        cmocka_unit_test(what_is_lacking_is_noticed_at_the_end),
        cmocka_unit_test(text_is_repaired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
