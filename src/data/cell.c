/* The kinds of cells. A date is recognised by its shape and by plausible numbers
   in it; which of two numbers is the month stays open, as nothing depends on
   it. */
#include "data/cell.h"

#include <string.h>

#include "data/number.h"

bool zf_cell_is_missing(const char *text, size_t n, const zf_table_options *options)
{
    if (n == 0) return true;
    for (size_t i = 0; i < options->n_missing; i++) {
        const char *missing = options->missing[i];
        if (missing[0] == text[0] && strlen(missing) == n && memcmp(missing, text, n) == 0)
            return true;
    }
    return false;
}

static bool is_word(const char *text, size_t n, double *value)
{
    static const char *const words[] = {"false", "False", "FALSE", "true", "True", "TRUE"};
    for (int i = 0; i < 6; i++)
        if (strlen(words[i]) == n && memcmp(words[i], text, n) == 0) {
            *value = i >= 3;
            return true;
        }
    return false;
}

/* Takes between least and most digits; false if there are fewer. */
static bool take_count(const char **at, const char *end, int least, int most, int *value)
{
    int digits = 0;
    *value = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && digits < most; ++*at, digits++)
        *value = *value * 10 + (**at - '0');
    return digits >= least;
}

/* [T or blank] hh:mm[:ss[.digits]] [Z or +hh:mm], up to the end. */
static bool is_time(const char *at, const char *end)
{
    int hour, minute, second = 0, zone;
    if (*at != 'T' && *at != ' ') return false;
    at++;
    if (!take_count(&at, end, 1, 2, &hour) || at == end || *at++ != ':') return false;
    if (!take_count(&at, end, 2, 2, &minute)) return false;
    if (at < end && *at == ':') {
        at++;
        if (!take_count(&at, end, 2, 2, &second)) return false;
        if (at < end && *at == '.')
            for (at++; at < end && *at >= '0' && *at <= '9';) at++;
    }
    if (at < end && *at == 'Z') at++;
    if (at < end && (*at == '+' || *at == '-')) {
        at++;
        if (!take_count(&at, end, 2, 2, &zone)) return false;
        if (at < end && *at == ':') at++;
        if (!take_count(&at, end, 2, 2, &zone)) return false;
    }
    return at == end && hour < 25 && minute < 60 && second < 61;
}

/* 2020-06-30, 2020/6/30, 30.06.2020, 06/30/2020, then perhaps a time. */
static bool is_date(const char *text, size_t n)
{
    const char *at = text, *end = text + n;
    int first, second, third;
    if (n < 8 || !take_count(&at, end, 1, 4, &first)) return false;
    bool year_first = at - text == 4;
    char mark = at < end ? *at : '\0';
    if ((!year_first && at - text > 2) || !strchr(year_first ? "-/." : "/.-", mark) || !mark)
        return false;
    at++;
    if (!take_count(&at, end, 1, 2, &second) || at == end || *at++ != mark) return false;
    if (!take_count(&at, end, year_first ? 1 : 4, year_first ? 2 : 4, &third)) return false;
    int day = year_first ? third : first;
    if (day < 1 || day > 31 || second < 1 || second > 31 || (day > 12 && second > 12)) return false;
    return at == end || is_time(at, end);
}

zf_cell_kind zf_cell_classify(const char *text, size_t n, const zf_table_options *options,
                              double *value)
{
    if (zf_cell_is_missing(text, n, options)) return ZF_CELL_MISSING;
    switch (zf_number_parse(text, n, value)) {
    case ZF_NUMBER_FINITE:
        return ZF_CELL_NUMBER;
    case ZF_NUMBER_INFINITE:
    case ZF_NUMBER_NAN:
        return ZF_CELL_UNFINITE;
    case ZF_NUMBER_NONE:
        break;
    }
    if (is_word(text, n, value)) return ZF_CELL_WORD;
    return is_date(text, n) ? ZF_CELL_DATE : ZF_CELL_TEXT;
}

bool zf_cell_is_decimal_comma(const char *text, size_t n)
{
    char copy[64];
    size_t used = 0;
    bool comma = false;
    double value;
    if (n >= sizeof copy) return false;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '.' && !comma) continue; /* 1.234,5: points between thousands */
        if (text[i] == ',' && comma) return false;
        comma |= text[i] == ',';
        copy[used++] = text[i] == ',' ? '.' : text[i];
    }
    return comma && zf_number_parse(copy, used, &value) == ZF_NUMBER_FINITE;
}
