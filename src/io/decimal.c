/* The shortest text by trial: as many digits as a number surely survives, one
   more until it reads back the same, zeros at the end cut off. printf chooses
   the digits; its decimal point, which is the locale's, is thrown away and ours
   put in. Rejected: an algorithm of the Ryu family, ten times faster and two
   hundred lines longer, where writing is not what takes time. */
#include "io/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT_SURE = 6, FLOAT_MOST = 9, DOUBLE_SURE = 15, DOUBLE_MOST = 17, PLAIN_MOST = 16 };

/* A number as 0 or d.ddd times ten to the exponent. */
typedef struct digits {
    bool negative;
    char digit[DOUBLE_MOST + 1];
    int n; /* digits, at least 1 */
    int exponent;
} digits;

/* Takes printf's "-d.ddde-xx" apart, whatever its point is. */
static digits take_apart(const char *text)
{
    digits d = {.negative = *text == '-'};
    for (; *text && *text != 'e'; text++)
        if (isdigit((unsigned char)*text) && d.n < DOUBLE_MOST) d.digit[d.n++] = *text;
    d.exponent = *text ? atoi(text + 1) : 0;
    while (d.n > 1 && d.digit[d.n - 1] == '0') d.n--;
    return d;
}

static digits shortest(double value, bool single)
{
    char text[64];
    int most = single ? FLOAT_MOST : DOUBLE_MOST;
    for (int n = single ? FLOAT_SURE : DOUBLE_SURE;; n++) {
        snprintf(text, sizeof text, "%.*e", n - 1, value);
        double back = strtod(text, NULL);
        /* Readers parse to double first, ours too. */
        if (n == most || (single ? (float)back == (float)value : back == value)) break;
    }
    return take_apart(text);
}

/* Text of what has no digits. */
static char *strange(char *text, double value)
{
    return strcpy(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

/* Digits, a point and an exponent; real: the point even where it says nothing. */
static char *assemble(char *text, const digits *d, bool real)
{
    char *at = text;
    if (d->negative) *at++ = '-';
    bool plain = d->exponent >= -5 && d->exponent < PLAIN_MOST;
    int before = plain ? d->exponent + 1 : 1; /* digits before the point */
    if (before <= 0) *at++ = '0';
    for (int i = 0; i < before; i++) *at++ = i < d->n ? d->digit[i] : '0';
    bool fraction = d->n > before;
    if (fraction || real) *at++ = '.';
    for (int i = before; i < 0; i++) *at++ = '0';
    for (int i = before > 0 ? before : 0; i < d->n; i++) *at++ = d->digit[i];
    if (!fraction && real) *at++ = '0';
    *at = '\0';
    if (!plain) snprintf(at, 8, "e%c%02d", d->exponent < 0 ? '-' : '+', abs(d->exponent) % 1000);
    return text;
}

char *zf_decimal_float(char text[ZF_DECIMAL_ROOM], float value)
{
    if (!isfinite(value)) return strange(text, (double)value);
    digits d = shortest((double)value, true);
    return assemble(text, &d, false);
}

char *zf_decimal_double(char text[ZF_DECIMAL_ROOM], double value)
{
    if (!isfinite(value)) return strange(text, value);
    digits d = shortest(value, false);
    return assemble(text, &d, false);
}

char *zf_decimal_real(char text[ZF_DECIMAL_ROOM], float value)
{
    if (!isfinite(value)) return strange(text, (double)value);
    digits d = shortest((double)value, true);
    return assemble(text, &d, true);
}
