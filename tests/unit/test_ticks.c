/* Ticks and ranges, by hand-made cases. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/ticks.h"
#include "zeroflow/plot.h"

/* The labels in one line: "0 0.5 1.0"; a second line of a label after a slash. */
static const char *shown(const zf_ticks *ticks)
{
    static char text[2000];
    text[0] = '\0';
    for (int i = 0; i < ticks->count; i++) {
        const zf_tick *tick = &ticks->tick[i];
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%s%s%s", i ? " " : "", tick->label,
                 tick->below[0] ? "/" : "", tick->below);
    }
    return text;
}

static const char *linear(double low, double high, int most)
{
    static zf_ticks ticks;
    zf_ticks_linear(&ticks, low, high, most);
    for (int i = 0; i < ticks.count; i++) {
        assert_true(ticks.tick[i].at >= low - 1e-6 * (high - low));
        assert_true(ticks.tick[i].at <= high + 1e-6 * (high - low));
    }
    assert_true(ticks.count <= most);
    return shown(&ticks);
}

static void linear_ticks_follow_the_rule(void **state)
{
    (void)state;
    assert_string_equal(linear(0, 1, 6), "0 0.2 0.4 0.6 0.8 1.0");
    assert_string_equal(linear(0, 1, 5), "0 0.5 1.0");
    assert_string_equal(linear(0, 1, 11), "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0");
    assert_string_equal(linear(-3, 7, 6), "−2 0 2 4 6");
    assert_string_equal(linear(0, 5000, 6), "0 1000 2000 3000 4000 5000");
    assert_string_equal(linear(0, 50000, 6), "0 10,000 20,000 30,000 40,000 50,000");
    assert_string_equal(linear(0.12, 0.23, 3), "0.15 0.20");
    assert_string_equal(linear(0, 0.0000234, 3), "0 1e−5 2e−5");
    assert_string_equal(linear(-2.5e9, 2.5e9, 6), "−2e9 −1e9 0 1e9 2e9");
    assert_string_equal(linear(1000000, 1000003, 4), "1,000,000 1,000,001 1,000,002 1,000,003");
    assert_string_equal(linear(-1e300, 1e300, 3), "−1e300 0 1e300");
    assert_string_equal(linear(0.30000000000000004, 0.7, 5), "0.3 0.4 0.5 0.6 0.7");
}

static void opens(double low, double high, double wanted_low, double wanted_high)
{
    zf_range_open(&low, &high);
    assert_true(low == wanted_low);
    assert_true(high == wanted_high);
}

static void ranges_are_never_empty(void **state)
{
    (void)state;
    opens(2, 3, 2, 3);
    opens(4, 4, 2, 6);
    opens(-4, -4, -6, -2);
    opens(0, 0, -1, 1);
    opens(NAN, 3, 0, 1);
    opens(INFINITY, -INFINITY, 0, 1); /* no data */
    opens(-1.5e308, 1.5e308, -ZF_LARGEST, ZF_LARGEST);
    opens(1e-300, 2e-300, 1.5e-300 - 1, 1.5e-300 + 1);
    double low = 1e15, high = 1e15 + 0.125; /* too close for labels to differ */
    zf_range_open(&low, &high);
    assert_true(high - low > 1e14);
}

static void logarithmic_ticks_are_powers(void **state)
{
    (void)state;
    zf_ticks ticks;
    zf_ticks_logarithmic(&ticks, 1, 1000, 6);
    char labels[64] = "";
    int small = 0;
    for (int i = 0; i < ticks.count; i++) {
        if (ticks.tick[i].label[0])
            strcat(strcat(labels, ticks.tick[i].label), " ");
        else
            small++;
    }
    assert_string_equal(labels, "1 10 100 1000 ");
    assert_int_equal(small, 24); /* 2 .. 9 of three decades */
    zf_ticks_logarithmic(&ticks, 1e-8, 1, 4);
    assert_string_equal(shown(&ticks), "1e−8 1e−5 1e−2");
    zf_ticks_logarithmic(&ticks, 2, 7, 6); /* no two powers within */
    assert_string_equal(shown(&ticks), "2 3 4 5 6 7");
    zf_ticks_logarithmic(&ticks, 1e-290, 1e300, 5);
    assert_in_range(ticks.count, 2, 6);
}

static double day(const char *date)
{
    double number;
    assert_ok(zf_plot_day(&number, date));
    return number;
}

static const char *dates(const char *from, const char *to, int most)
{
    static zf_ticks ticks;
    zf_ticks_dates(&ticks, day(from), day(to), most);
    return shown(&ticks);
}

static void date_ticks_are_calendar_dates(void **state)
{
    (void)state;
    assert_string_equal(dates("2019-07-01", "2020-06-30", 14),
                        "Jul/2019 Aug Sep Oct Nov Dec Jan/2020 Feb Mar Apr May Jun");
    assert_string_equal(dates("2019-07-02", "2020-06-30", 7), "Sep/2019 Nov Jan/2020 Mar May");
    assert_string_equal(dates("2020-02-27", "2020-03-02", 8),
                        "27 Feb/2020 28 Feb 29 Feb 1 Mar 2 Mar");
    assert_string_equal(dates("2020-01-05", "2020-03-08", 8), "Feb/2020 Mar");
    assert_string_equal(dates("2020-01-05", "2020-03-07", 8),
                        "5 Jan/2020 19 Jan 2 Feb 16 Feb 1 Mar");
    assert_string_equal(dates("2001-06-01", "2009-02-01", 5), "2002 2004 2006 2008");
    zf_ticks ticks;
    zf_ticks_dates(&ticks, -1e12, 1e12, 5); /* no such years */
    assert_string_equal(shown(&ticks), "−1e12 −5e11 0 5e11 1e12");
}

static void dates_are_read_strictly(void **state)
{
    (void)state;
    assert_true(day("1970-01-01") == 0);
    assert_true(day("1969-12-31") == -1);
    assert_true(day("2020-03-01") == 18322); /* date -d 2020-03-01 +%s, divided by 86,400 */
    assert_true(day("2020-03-01") - day("2020-02-28") == 2);
    assert_true(day("2100-03-01") - day("2100-02-28") == 1);
    static const char *const bad[] = {"",           "2020",       "2020-3-01",  "2020-02-30",
                                      "2020-13-01", "2020-00-10", "2020-01-00", "2020-01-01x",
                                      "2020-+3-01", "2020- 3-01", "20x0-03-01", "0000-01-01"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double number = 7;
        assert_fails(zf_plot_day(&number, bad[i]), ZF_EINPUT, "expected a date");
        assert_true(number == 7);
    }
    for (long number = -800000; number < 800000; number += 37) {
        int year, month, of_month;
        zf_date_of(number, &year, &month, &of_month);
        assert_int_equal(zf_day_of(year, month, of_month), number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_follow_the_rule),
        cmocka_unit_test(ranges_are_never_empty),
        cmocka_unit_test(logarithmic_ticks_are_powers),
        cmocka_unit_test(date_ticks_are_calendar_dates),
        cmocka_unit_test(dates_are_read_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
