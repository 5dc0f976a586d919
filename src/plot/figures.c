/* Finished figures that are charts with the right settings: shares of past and
   future days, training curves. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "plot/charts.h"

/* One of the lines over the days. */
static zf_series line_of(const zf_shares *shares, const char *name, const double *values,
                         int colour)
{
    return (zf_series){
        .name = name, .x = shares->day, .y = values, .n = shares->n, .colour = colour};
}

zf_status zf_plot_shares(const char *path, const zf_figure *figure, const zf_shares *shares)
{
    zf_series series[3];
    size_t n = 0;
    series[n++] = line_of(shares, "past days", shares->past, 1);
    if (shares->future) series[n++] = line_of(shares, "future days", shares->future, 2);
    if (shares->random) {
        series[n] =
            line_of(shares, "past days, if the blanket were drawn at random", shares->random, -1);
        series[n++].style = ZF_SERIES_DASHED;
    }
    zf_mark mark = {shares->mark_name, ZF_MARK_SPAN, shares->mark_from, shares->mark_until};
    zf_chart chart = {
        .x = {.label = "First day of the window", .dates = true},
        .y = {.label = "Share of the blanket", .low = 0, .high = 1},
        .series = series,
        .n_series = n,
        .marks = &mark,
        .n_marks = shares->mark_from < shares->mark_until,
        .height = 0.45,
    };
    return zf_plot_charts(path, figure, &chart, 1);
}

/* Values that go over orders of magnitude, all positive, are read off a
   logarithmic axis. */
static bool spans_orders(const double *values, size_t rows, size_t stride)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(values[i * stride])) continue;
        low = fmin(low, values[i * stride]);
        high = fmax(high, values[i * stride]);
    }
    return low > 0 && high / low > 50;
}

zf_status zf_plot_training(const char *path, const zf_figure *figure, const double *steps,
                           const double *values, size_t rows, const char *const *names,
                           size_t measures)
{
    if (measures < 1 || measures > ZF_MOST_CHARTS)
        return zf_fail(ZF_EINVAL, "%s: %zu measures, expected 1 to %d", path, measures,
                       ZF_MOST_CHARTS);
    zf_chart *charts = calloc(measures, sizeof *charts);
    zf_series *series = calloc(measures, sizeof *series);
    double *columns = calloc(rows * measures + 1, sizeof *columns);
    zf_status status = ZF_OK;
    if (!charts || !series || !columns) status = zf_fail_memory(rows * measures * sizeof *columns);
    for (size_t m = 0; m < measures && status == ZF_OK; m++) {
        for (size_t i = 0; i < rows; i++) columns[m * rows + i] = values[i * measures + m];
        series[m] = (zf_series){.x = steps, .y = columns + m * rows, .n = rows, .colour = 1};
        charts[m] = (zf_chart){.title = names ? names[m] : NULL,
                               .x = {.label = "Step"},
                               .y = {.logarithmic = spans_orders(values + m, rows, measures)},
                               .series = &series[m],
                               .n_series = 1,
                               .height = 0.55};
    }
    if (status == ZF_OK) status = zf_plot_charts(path, figure, charts, measures);
    free(charts);
    free(series);
    free(columns);
    return status;
}
