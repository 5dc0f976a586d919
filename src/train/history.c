#include "train/history.h"

#include <math.h>
#include <string.h>

zf_history zf_history_new(int measures)
{
    return (zf_history){.measures = measures, .span = 1};
}

static void merge_pairs(zf_history *history)
{
    for (int row = 0; row < ZF_HISTORY_ROWS / 2; row++)
        for (int m = 0; m < history->measures; m++)
            history->mean[row][m] =
                0.5f * (history->mean[2 * row][m] + history->mean[2 * row + 1][m]);
    history->rows = ZF_HISTORY_ROWS / 2;
    history->span *= 2;
}

void zf_history_add(zf_history *history, const double *values)
{
    for (int m = 0; m < history->measures; m++) history->sum[m] += values[m];
    if (++history->pending < history->span) return;
    if (history->rows == ZF_HISTORY_ROWS) {
        merge_pairs(history);
        if (history->pending < history->span) return;
    }
    for (int m = 0; m < history->measures; m++)
        history->mean[history->rows][m] = (float)(history->sum[m] / (double)history->pending);
    history->rows++;
    history->pending = 0;
    memset(history->sum, 0, sizeof history->sum);
}

uint64_t zf_history_steps(const zf_history *history)
{
    return (uint64_t)history->rows * history->span + history->pending;
}

/* The span is a power of two, and 1 until the table was full for the first time. */
bool zf_history_possible(const zf_history *history)
{
    static const uint64_t MOST = UINT64_C(1) << 48;
    uint64_t span = history->span;
    return history->rows >= (span > 1 ? ZF_HISTORY_ROWS / 2 : 0) &&
           history->rows <= ZF_HISTORY_ROWS && span >= 1 && span <= MOST && !(span & (span - 1)) &&
           history->pending < span;
}

double zf_history_latest(const zf_history *history, int m)
{
    if (history->rows > 0) return history->mean[history->rows - 1][m];
    return history->pending ? history->sum[m] / (double)history->pending : (double)NAN;
}

size_t zf_history_rows(const zf_history *history)
{
    return (size_t)history->rows + (history->pending > 0);
}

uint64_t zf_history_step(const zf_history *history, size_t row)
{
    if (row < (size_t)history->rows) return (row + 1) * history->span;
    return zf_history_steps(history);
}

double zf_history_value(const zf_history *history, size_t row, size_t m)
{
    return row < (size_t)history->rows ? (double)history->mean[row][m]
                                       : history->sum[m] / (double)history->pending;
}

const char *zf_history_column(const zf_history *history, const char *const *names, size_t column)
{
    if (column > (size_t)history->measures) return NULL;
    return column ? names[column - 1] : "iteration";
}

double zf_history_cell(const zf_history *history, size_t row, size_t column)
{
    if (row >= zf_history_rows(history) || column > (size_t)history->measures) return (double)NAN;
    return column ? zf_history_value(history, row, column - 1)
                  : (double)zf_history_step(history, row);
}
