/* What training measured, as a table. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/finite.h"
#include "io/csv_write.h"
#include "vision/model.h"

/* "iteration", the measures, "rate", and "knn" if held-out images were looked at. */
enum { ITERATION, FIRST_MEASURE };

static size_t rate_column(const zf_vision *model)
{
    return FIRST_MEASURE + (size_t)model->history.measures;
}

size_t zf_vision_history_columns(const zf_vision *model)
{
    return rate_column(model) + 1 + (model->watched != NULL);
}

const char *zf_vision_history_column(const zf_vision *model, size_t column)
{
    if (column >= zf_vision_history_columns(model)) return NULL;
    if (column == ITERATION) return "iteration";
    if (column < rate_column(model)) return model->measures[column - FIRST_MEASURE];
    return column == rate_column(model) ? "rate" : "knn";
}

size_t zf_vision_history_rows(const zf_vision *model)
{
    return zf_history_rows(&model->history);
}

/* The last look among the row's iterations. */
static double look(const zf_vision *model, size_t row)
{
    uint64_t after = row * model->history.span, last = zf_history_step(&model->history, row);
    for (int i = zf_vision_watches(&model->plan) - 1; i >= 0; i--) {
        uint64_t at = zf_vision_watch_at(&model->plan, i);
        if (at <= after) break;
        if (at <= last && model->watched[i] >= 0) return (double)model->watched[i];
    }
    return (double)NAN;
}

double zf_vision_history_value(const zf_vision *model, size_t row, size_t column)
{
    const zf_history *h = &model->history;
    if (row >= zf_vision_history_rows(model) || column >= zf_vision_history_columns(model))
        return (double)NAN;
    if (column == ITERATION) return (double)zf_history_step(h, row);
    if (column == rate_column(model)) return model->plan.rate;
    if (column > rate_column(model)) return look(model, row);
    return zf_history_value(h, row, column - FIRST_MEASURE);
}

/* Empty where no look was due, the one value that may be absent. */
static void write_value(zf_sink *sink, size_t column, double value)
{
    char text[32] = "";
    if (column == ITERATION)
        snprintf(text, sizeof text, "%.0f", value);
    else if (isfinite(value))
        snprintf(text, sizeof text, "%.9g", value);
    zf_sink_text(sink, text);
}

/* What was measured; the looks are shares, or absent. */
static zf_status check(const zf_vision *model, const char *path)
{
    const zf_history *h = &model->history;
    size_t measures = (size_t)h->measures;
    ZF_TRY(zf_finite_check(path, &(zf_grid){.doubles = h->sum,
                                            .rows = 1,
                                            .columns = measures,
                                            .names = model->measures,
                                            .before = (size_t)h->rows}));
    for (int row = 0; row < h->rows; row++)
        ZF_TRY(zf_finite_check(path, &(zf_grid){.floats = h->mean[row],
                                                .rows = 1,
                                                .columns = measures,
                                                .names = model->measures,
                                                .before = (size_t)row}));
    return ZF_OK;
}

zf_status zf_vision_history_write(const zf_vision *model, const char *path)
{
    zf_sink sink;
    size_t columns = zf_vision_history_columns(model);
    ZF_TRY(check(model, path));
    ZF_TRY(zf_sink_open(&sink, path));
    for (size_t c = 0; c < columns; c++) {
        if (c > 0) zf_sink_byte(&sink, ',');
        zf_csv_write_cell(&sink, zf_vision_history_column(model, c), ',');
    }
    zf_sink_byte(&sink, '\n');
    for (size_t row = 0; row < zf_vision_history_rows(model); row++)
        for (size_t c = 0; c < columns; c++) {
            write_value(&sink, c, zf_vision_history_value(model, row, c));
            zf_sink_byte(&sink, c + 1 < columns ? ',' : '\n');
        }
    return zf_sink_finish(&sink);
}
