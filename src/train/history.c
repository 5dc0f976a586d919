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

double zf_history_latest(const zf_history *history, int m)
{
    if (history->rows > 0) return history->mean[history->rows - 1][m];
    return history->pending ? history->sum[m] / (double)history->pending : (double)NAN;
}
