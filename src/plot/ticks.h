/* Where an axis has its ticks, and what is written there. */
#ifndef ZF_PLOT_TICKS_H
#define ZF_PLOT_TICKS_H

#include <stdbool.h>

enum { ZF_MOST_TICKS = 40, ZF_TICK_TEXT = 40 };

typedef struct zf_tick {
    double at;
    char label[ZF_TICK_TEXT]; /* "": a small tick without text */
    char below[12];           /* a second line: the year of a month */
} zf_tick;

typedef struct zf_ticks {
    int count;
    zf_tick tick[ZF_MOST_TICKS];
} zf_ticks;

/* Values must be no larger than this; drawing code cuts them there. */
#define ZF_LARGEST 1e300

/* Makes low < high with room to tell values between them apart: a single value
   gets a span around it, and what is not finite becomes 0 .. 1. */
void zf_range_open(double *low, double *high);

/* Multiples of 1, 2 or 5 times a power of ten, at most `most` (2 to ZF_MOST_TICKS)
   of them, within [low, high], which has been through zf_range_open. */
void zf_ticks_linear(zf_ticks *ticks, double low, double high, int most);

/* Powers of ten, small ticks between them; 0 < low < high. */
void zf_ticks_logarithmic(zf_ticks *ticks, double low, double high, int most);

/* Years, months or days; values are days since 1970-01-01. */
void zf_ticks_dates(zf_ticks *ticks, double low, double high, int most);

/* Calendar dates by days since 1970-01-01, in the Gregorian calendar at all times. */
long zf_day_of(int year, int month, int day);
void zf_date_of(long day, int *year, int *month, int *day_of_month);

#endif
