/* Numbers of up to 19 digits whose power of ten is small are one exact integer
   and one exact power of ten apart from the result, so a single multiplication
   or division rounds correctly (Clinger, 1990). The few others go to strtod in
   the C locale. */
#include "data/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { EXACT_POWER = 22, EXPONENT_CAP = 100000 };

static const double power_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A number taken apart: mantissa * 10^exponent, exact unless digits were many. */
typedef struct parts {
    bool negative, many;
    uint64_t mantissa;
    int exponent;
} parts;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits, adding them to the mantissa while they fit; returns the end. */
static const char *take_digits(const char *at, const char *end, parts *number, int *dropped)
{
    for (; at < end && is_digit(*at); at++) {
        if (number->mantissa <= (UINT64_MAX - 9) / 10) {
            number->mantissa = number->mantissa * 10 + (uint64_t)(*at - '0');
        } else {
            number->many |= *at != '0';
            if (*dropped < EXPONENT_CAP) ++*dropped;
        }
    }
    return at;
}

/* Reads e[+-]digits; NULL if it is malformed. */
static const char *take_exponent(const char *at, const char *end, int *exponent)
{
    bool negative = false;
    int value = 0;
    at++;
    if (at < end && (*at == '+' || *at == '-')) negative = *at++ == '-';
    if (at == end || !is_digit(*at)) return NULL;
    for (; at < end && is_digit(*at); at++)
        if (value < EXPONENT_CAP) value = value * 10 + (*at - '0');
    *exponent += negative ? -value : value;
    return at;
}

/* False if the text is not a decimal number. */
static bool take_apart(const char *text, size_t n, parts *number)
{
    const char *at = text, *end = text + n;
    *number = (parts){0};
    if (at < end && (*at == '+' || *at == '-')) number->negative = *at++ == '-';
    int dropped = 0, dropped_behind = 0;
    const char *digits = at;
    at = take_digits(at, end, number, &dropped);
    size_t seen = (size_t)(at - digits);
    int behind = 0;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        at = take_digits(at, end, number, &dropped_behind);
        behind = (int)(at - fraction);
        seen += (size_t)behind;
    }
    number->exponent = dropped + dropped_behind - behind;
    if (seen == 0) return false;
    if (at < end && (*at == 'e' || *at == 'E')) at = take_exponent(at, end, &number->exponent);
    return at == end;
}

/* The C locale is a constant of the C library, so getting it costs nothing. */
static double parse_slowly(const char *text, size_t n)
{
    char copy[ZF_NUMBER_TEXT_MAX + 1];
    memcpy(copy, text, n);
    copy[n] = '\0';
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) return strtod(copy, NULL);
    double value = strtod_l(copy, NULL, c_locale);
    freelocale(c_locale);
    return value;
}

static zf_number_kind parse_word(const char *text, size_t n)
{
    if (n > 0 && (*text == '+' || *text == '-')) text++, n--;
    if (n == 3 && strncasecmp(text, "nan", 3) == 0) return ZF_NUMBER_NAN;
    if (n == 3 && strncasecmp(text, "inf", 3) == 0) return ZF_NUMBER_INFINITE;
    if (n == 8 && strncasecmp(text, "infinity", 8) == 0) return ZF_NUMBER_INFINITE;
    return ZF_NUMBER_NONE;
}

zf_number_kind zf_number_parse(const char *text, size_t n, double *value)
{
    parts number;
    if (n > ZF_NUMBER_TEXT_MAX) return ZF_NUMBER_NONE;
    if (!take_apart(text, n, &number)) return parse_word(text, n);
    double result;
    if (!number.many && number.mantissa <= (uint64_t)1 << 53 && number.exponent >= -EXACT_POWER &&
        number.exponent <= EXACT_POWER) {
        result = (double)number.mantissa;
        if (number.exponent < 0)
            result /= power_of_ten[-number.exponent];
        else
            result *= power_of_ten[number.exponent];
        if (number.negative) result = -result;
    } else {
        result = parse_slowly(text, n);
    }
    if (!isfinite(result)) return ZF_NUMBER_INFINITE;
    *value = result;
    return ZF_NUMBER_FINITE;
}
