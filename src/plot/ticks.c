/* Ticks by the rule of 1, 2, 5. A tick is a whole multiple of its step, and its
   label is made of that whole number and the step's power of ten, so neither
   rounding (0.30000000000000004) nor the locale can show. */
#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step: unit (1, 2 or 5) times ten to the power. */
typedef struct step {
    int unit, power;
} step;

static double power_of_ten(int power)
{
    return pow(10, power);
}

/* whole * 10^power, exact where it can be. */
static double times_power(double whole, int power)
{
    return power < 0 ? whole / power_of_ten(-power) : whole * power_of_ten(power);
}

void zf_range_open(double *low, double *high)
{
    if (!isfinite(*low) || !isfinite(*high) || *low > *high) {
        *low = 0;
        *high = 1;
        return;
    }
    *low = fmin(fmax(*low, -ZF_LARGEST), ZF_LARGEST);
    *high = fmin(fmax(*high, -ZF_LARGEST), ZF_LARGEST);
    double size = fmax(fabs(*low), fabs(*high));
    if (*high - *low > 1e-9 * size && *high - *low > 1e-290) return;
    double half = size > 1e-280 ? 0.5 * size : 1;
    double middle = *low / 2 + *high / 2;
    *low = fmax(middle - half, -ZF_LARGEST);
    *high = fmin(middle + half, ZF_LARGEST);
}

/* The smallest step of which at most `most` ticks lie in the range. */
static step choose_step(double low, double high, int most)
{
    static const int units[] = {1, 2, 5};
    double span = high - low;
    int power = (int)floor(log10(span / most)) - 1;
    for (;; power++)
        for (int i = 0; i < 3; i++) {
            double size = times_power(units[i], power);
            if (size <= 0) continue;
            double first = ceil(low / size - 1e-6), last = floor(high / size + 1e-6);
            if (last - first + 1 <= most) return (step){units[i], power};
        }
}

/* Digits with commas between thousands. */
static void group(char *text, size_t room, const char *digits)
{
    size_t n = strlen(digits), out = 0;
    for (size_t i = 0; i < n && out + 2 < room; i++) {
        if (i > 0 && (n - i) % 3 == 0) text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = '\0';
}

/* d.ddde-7 of a number given by its digits; zeros at the end go. */
static void scientific(char *text, size_t room, const char *sign, const char *digits, int power)
{
    int n = (int)strlen(digits), kept = n;
    while (kept > 1 && digits[kept - 1] == '0') kept--;
    int exponent = power + n - 1;
    snprintf(text, room, "%s%c%s%.*se%s%d", sign, digits[0], kept > 1 ? "." : "", kept - 1,
             digits + 1, exponent < 0 ? "−" : "", abs(exponent));
}

/* whole * 10^power; size is the largest magnitude on the axis. */
static void label(char *text, size_t room, long long whole, int power, double size)
{
    static const char zeros[] = "00000000000000000000";
    const char *sign = whole < 0 ? "−" : "";
    char digits[24], plain[48], grouped[64];
    int n = snprintf(digits, sizeof digits, "%lld", llabs(whole));
    if (whole == 0) {
        snprintf(text, room, "0");
    } else if (size >= 1e7 || size < 1e-4 || abs(power) > 18) {
        scientific(text, room, sign, digits, power);
    } else if (power >= 0) {
        snprintf(plain, sizeof plain, "%s%.*s", digits, power, zeros);
        group(grouped, sizeof grouped, plain);
        snprintf(text, room, "%s%.30s", sign, size >= 1e4 ? grouped : plain);
    } else { /* at least one digit before the point */
        int missing = n <= -power ? 1 - power - n : 0, point = n + missing + power;
        snprintf(plain, sizeof plain, "%.*s%s", missing, zeros, digits);
        snprintf(text, room, "%s%.*s.%.20s", sign, point < 12 ? point : 12, plain, plain + point);
    }
}

static zf_tick *next_tick(zf_ticks *ticks, double at)
{
    if (ticks->count == ZF_MOST_TICKS) return NULL;
    zf_tick *tick = &ticks->tick[ticks->count++];
    *tick = (zf_tick){.at = at};
    return tick;
}

void zf_ticks_linear(zf_ticks *ticks, double low, double high, int most)
{
    step s = choose_step(low, high, most);
    double size = times_power(s.unit, s.power), largest = fmax(fabs(low), fabs(high));
    long long first = (long long)ceil(low / size - 1e-6);
    long long last = (long long)floor(high / size + 1e-6);
    ticks->count = 0;
    for (long long i = first; i <= last; i++) {
        zf_tick *tick = next_tick(ticks, times_power((double)(i * s.unit), s.power));
        if (tick) label(tick->label, sizeof tick->label, i * s.unit, s.power, largest);
    }
}

void zf_ticks_logarithmic(zf_ticks *ticks, double low, double high, int most)
{
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    ticks->count = 0;
    if (last - first < 1) { /* less than two powers: numbers say more */
        zf_ticks_linear(ticks, low, high, most);
        return;
    }
    int stride = 1 + (last - first) / most;
    double size = low >= 1e-4 ? high : 1e9; /* small powers are written 1e−5 */
    for (int power = first - 1; power <= last; power++) {
        if (power >= first && (power - first) % stride == 0) {
            zf_tick *tick = next_tick(ticks, power_of_ten(power));
            if (tick) label(tick->label, sizeof tick->label, 1, power, size);
        }
        for (int i = 2; i < 10 && stride == 1 && last - first <= 3; i++) {
            double at = i * power_of_ten(power);
            if (at > low && at < high) next_tick(ticks, at);
        }
    }
}
