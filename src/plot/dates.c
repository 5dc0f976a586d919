/* Ticks of a date axis, and the calendar behind them. The day numbers follow
   Howard Hinnant's algorithms: years begin in March, so that the leap day is the
   last of its year. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/ticks.h"
#include "zeroflow/plot.h"

static const char month_names[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

long zf_day_of(int year, int month, int day)
{
    long y = month <= 2 ? year - 1L : year;
    long era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    long of_year = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void zf_date_of(long day, int *year, int *month, int *day_of_month)
{
    day += 719468;
    long era = (day >= 0 ? day : day - 146096) / 146097, left = day - era * 146097;
    long of_era = (left - left / 1460 + left / 36524 - left / 146096) / 365;
    long of_year = left - (365 * of_era + of_era / 4 - of_era / 100);
    long shifted = (5 * of_year + 2) / 153;
    *day_of_month = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = (int)(of_era + era * 400 + (*month <= 2));
}

/* Four digits, two, two, with hyphens between; sscanf would allow signs and spaces. */
static bool read_date(const char *text, int part[3])
{
    static const char form[] = "dddd-dd-dd";
    int which = 0;
    part[0] = part[1] = part[2] = 0;
    for (int i = 0; form[i]; i++) {
        if (form[i] == '-' && text[i] == '-')
            which++;
        else if (form[i] == 'd' && text[i] >= '0' && text[i] <= '9')
            part[which] = 10 * part[which] + (text[i] - '0');
        else
            return false;
    }
    return text[sizeof form - 1] == '\0';
}

zf_status zf_plot_day(double *day, const char *date)
{
    int part[3], back[3];
    if (read_date(date, part) && part[0] >= 1 && part[1] >= 1 && part[1] <= 12) {
        long number = zf_day_of(part[0], part[1], part[2]);
        zf_date_of(number, &back[0], &back[1], &back[2]);
        if (memcmp(part, back, sizeof part) == 0) { /* not the 30th of February */
            *day = (double)number;
            return ZF_OK;
        }
    }
    return zf_fail(ZF_EINPUT, "\"%.40s\": expected a date such as 2020-03-09", date);
}

static void add(zf_ticks *ticks, long day, const char *text, int year)
{
    if (ticks->count == ZF_MOST_TICKS) return;
    zf_tick *tick = &ticks->tick[ticks->count++];
    *tick = (zf_tick){.at = (double)day};
    snprintf(tick->label, sizeof tick->label, "%s", text);
    if (year > 0) snprintf(tick->below, sizeof tick->below, "%d", year);
}

/* The first of every stride-th month; the year stands below the first tick and
   below those that begin a year. */
static void months(zf_ticks *ticks, double low, double high, int stride)
{
    int year, month, day, shown = 0;
    zf_date_of((long)floor(low), &year, &month, &day);
    int count = (year * 12 + month - 1) / stride * stride;
    for (;; count += stride) {
        long at = zf_day_of(count / 12, count % 12 + 1, 1);
        if ((double)at > high) return;
        if ((double)at < low) continue;
        int here = count / 12;
        char text[16];
        if (stride % 12 == 0)
            snprintf(text, sizeof text, "%d", here);
        else
            snprintf(text, sizeof text, "%s", month_names[count % 12]);
        add(ticks, at, text, stride % 12 && here != shown ? here : 0);
        shown = here;
    }
}

static void days(zf_ticks *ticks, double low, double high, int stride)
{
    long first = (long)ceil(low);
    int shown = 0;
    for (long at = first; (double)at <= high; at += stride) {
        int year, month, day;
        char text[16];
        zf_date_of(at, &year, &month, &day);
        snprintf(text, sizeof text, "%d %s", day, month_names[month - 1]);
        add(ticks, at, text, year != shown ? year : 0);
        shown = year;
    }
}

void zf_ticks_dates(zf_ticks *ticks, double low, double high, int most)
{
    static const int day_strides[] = {1, 2, 7, 14};
    static const int month_strides[] = {1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000};
    enum { DAYS = 4, MONTHS = 13, TWO_MONTHS = 62 };
    double first = (double)zf_day_of(1, 1, 1), last = (double)zf_day_of(9999, 12, 31);
    if (low < first || high > last) { /* no dates: numbers */
        zf_ticks_linear(ticks, low, high, most);
        return;
    }
    ticks->count = 0;
    for (int i = 0; i < DAYS; i++)
        if (high - low <= TWO_MONTHS && (high - low) / day_strides[i] < most) {
            days(ticks, low, high, day_strides[i]);
            return;
        }
    int i = 0;
    while (i < MONTHS - 1 && (high - low) / (30.4 * month_strides[i]) > most) i++;
    months(ticks, low, high, month_strides[i]);
}
