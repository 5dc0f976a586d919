/* Numbers: the same bits as strtod for whatever is a number, and nothing else. */
#include "support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "data/number.h"

static void assert_like_strtod(const char *text)
{
    double value = 0, expected = strtod(text, NULL);
    zf_number_kind kind = zf_number_parse(text, strlen(text), &value);
    if (isfinite(expected) ? kind != ZF_NUMBER_FINITE || memcmp(&value, &expected, sizeof value)
                           : kind != ZF_NUMBER_INFINITE) {
        print_error("%s: kind %d, got %.17g, expected %.17g\n", text, (int)kind, value, expected);
        fail();
    }
}

static void agrees_with_strtod_on_hard_cases(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5e1",
        "1e0",
        "1E+05",
        "1e-5",
        "00012.500",
        "1e22",
        "1e23",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993e0",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "0.1",
        "0.3",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "4.9e-324",
        "2.4e-324",
        "1e-400",
        "-1e-400",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e308",
        "1e309",
        "-1e400",
        "1e99999999999",
        "1e-99999999999",
        "0e99999",
        "0.000000000000000000000000000000000000000000000000000000000001e60",
        "1000000000000000000000000000000000000000000000000000000000000e-60",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "6.9294956446009195e15",
        "8.5e-5",
        "1448997445238699",
        "10000000000000000000",
        "99999999999999999999e-20"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_like_strtod(cases[i]);
}

static void agrees_with_strtod_on_random_cases(void **state)
{
    (void)state;
    zf_random random = zf_random_at(1, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < 200000; i++) {
        char text[80];
        uint64_t bits = (uint64_t)zf_random_word(&random) << 32 | zf_random_word(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.*g", 1 + i % 20, value);
        assert_like_strtod(text);
        snprintf(text, sizeof text, "%u.%0*u", zf_random_word(&random), 1 + i % 12,
                 zf_random_word(&random));
        assert_like_strtod(text);
    }
}

static void knows_what_is_no_number(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",   "-",  "+",   ".",     "-.",   "e5",   "1e",  "1e+",   "1.2.3", "1,5",    "0x10", "1f",
        " 1", "1 ", "--1", "1e5.5", "infi", "nano", "n/a", "1_000", "1e 5",  "nan(1)", "abc"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 42;
        assert_int_equal(zf_number_parse(cases[i], strlen(cases[i]), &value), ZF_NUMBER_NONE);
        assert_true(value == 42);
    }
    char *many = malloc(5000);
    double value;
    memset(many, '1', 5000);
    assert_int_equal(zf_number_parse(many, 5000, &value), ZF_NUMBER_NONE);
    assert_int_equal(zf_number_parse(many, 1023, &value), ZF_NUMBER_INFINITE);
    memcpy(many, "0.", 2);
    assert_int_equal(zf_number_parse(many, 1023, &value), ZF_NUMBER_FINITE);
    assert_true(value == 0.1111111111111111111111111);
    free(many);
}

static void knows_the_words(void **state)
{
    (void)state;
    double value;
    assert_int_equal(zf_number_parse("inf", 3, &value), ZF_NUMBER_INFINITE);
    assert_int_equal(zf_number_parse("-Infinity", 9, &value), ZF_NUMBER_INFINITE);
    assert_int_equal(zf_number_parse("NaN", 3, &value), ZF_NUMBER_NAN);
    assert_int_equal(zf_number_parse("-nan", 4, &value), ZF_NUMBER_NAN);
}

/* A locale with a decimal comma must change nothing. Where none is installed the
   default locale stands in. */
static void is_deaf_to_the_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) print_message("no German locale installed\n");
    double value = 0;
    assert_int_equal(zf_number_parse("1.2345678901234567890123", 24, &value), ZF_NUMBER_FINITE);
    setlocale(LC_NUMERIC, "C");
    assert_true(value == 1.2345678901234567890123);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_strtod_on_hard_cases),
        cmocka_unit_test(agrees_with_strtod_on_random_cases),
        cmocka_unit_test(knows_what_is_no_number),
        cmocka_unit_test(knows_the_words),
        cmocka_unit_test(is_deaf_to_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
