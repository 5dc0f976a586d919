/* Shortest decimal text: known cases, and that any number comes back. */
#include "support.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "io/decimal.h"

static void test_known(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text, *real;
    } cases[] = {
        {0, "0", "0.0"},
        {1, "1", "1.0"},
        {-1, "-1", "-1.0"},
        {0.1f, "0.1", "0.1"},
        {-12.5f, "-12.5", "-12.5"},
        {100, "100", "100.0"},
        {16777216, "16777216", "16777216.0"},
        {0.3f, "0.3", "0.3"},
        {1.0f / 3, "0.33333334", "0.33333334"},
        {0.00001f, "0.00001", "0.00001"},
        {1e-9f, "1e-09", "1.0e-09"},
        {1.5e-9f, "1.5e-09", "1.5e-09"},
        {1e20f, "1e+20", "1.0e+20"},
        {FLT_MAX, "3.4028235e+38", "3.4028235e+38"},
        {FLT_MIN, "1.1754944e-38", "1.1754944e-38"},
        {1e-45f, "1.4013e-45", "1.4013e-45"},
    };
    char text[ZF_DECIMAL_ROOM];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(zf_decimal_float(text, cases[i].value), cases[i].text);
        assert_string_equal(zf_decimal_real(text, cases[i].value), cases[i].real);
    }
    assert_string_equal(zf_decimal_double(text, 0.1), "0.1");
    assert_string_equal(zf_decimal_double(text, 0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(zf_decimal_double(text, -DBL_MAX), "-1.7976931348623157e+308");
}

static void test_comes_back(void **state)
{
    (void)state;
    char text[ZF_DECIMAL_ROOM];
    zf_random random = zf_random_at(4, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = zf_random_word(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        zf_decimal_float(text, value);
        assert_true(strlen(text) < ZF_DECIMAL_ROOM && strtof(text, NULL) == value);
        zf_decimal_real(text, value);
        assert_true(strchr(text, '.') && strtof(text, NULL) == value);
        uint64_t wide = (uint64_t)bits << 32 | zf_random_word(&random);
        double exact;
        memcpy(&exact, &wide, sizeof exact);
        if (!isfinite(exact)) continue;
        zf_decimal_double(text, exact);
        assert_true(strlen(text) < ZF_DECIMAL_ROOM && strtod(text, NULL) == exact);
    }
}

/* Whatever is asked, a text of its own within the room, also at the end of a small buffer. */
static void test_not_finite(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{NAN, "nan"}, {-NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};
    char *text = malloc(ZF_DECIMAL_ROOM); /* for the address sanitizer */
    assert_non_null(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(zf_decimal_float(text, (float)cases[i].value), cases[i].text);
        assert_string_equal(zf_decimal_double(text, cases[i].value), cases[i].text);
        assert_string_equal(zf_decimal_real(text, (float)cases[i].value), cases[i].text);
    }
    free(text);
}

/* A point, whatever the program around us has set. */
static void test_any_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    char text[ZF_DECIMAL_ROOM];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_NUMERIC, names[i])) break;
    assert_string_equal(zf_decimal_float(text, 1234.5f), "1234.5");
    assert_string_equal(zf_decimal_double(text, 2.5e-7), "2.5e-07");
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_comes_back),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_any_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
