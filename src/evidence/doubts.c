/* Signs that rows are not independent: copies, and neighbours that are alike. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "criterion/columns.h"
#include "data/distinct.h"
#include "zeroflow/evidence.h"

/* --- copies --------------------------------------------------------------------------- */

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Pairs of equal numbers among n; *copies: how many equal an earlier one. Sorts them. */
static double count_pairs(uint64_t *hashes, size_t n, size_t *copies)
{
    double pairs = 0;
    size_t run = 1;
    *copies = 0;
    qsort(hashes, n, sizeof *hashes, compare_hashes);
    for (size_t i = 1; i < n; i++) {
        run = hashes[i] == hashes[i - 1] ? run + 1 : 1;
        pairs += (double)(run - 1);
        *copies += run > 1;
    }
    return pairs;
}

/* Two rows are equal in all columns with the product of the probabilities that they are in each,
   if columns are independent; its root is right if half of them are functions of the others. */
static zf_status count_copies(size_t *out, const double *values, size_t rows, size_t columns)
{
    size_t found, unused;
    double all = (double)rows * (double)(rows - 1) / 2, chance = 0;
    uint64_t *hashes = malloc(rows * sizeof *hashes);
    if (!hashes) return zf_fail_memory(rows * sizeof *hashes);
    for (size_t i = 0; i < rows; i++)
        hashes[i] = zf_hash_text((const char *)(values + i * columns), columns * sizeof *values);
    double equal = count_pairs(hashes, rows, &found);
    for (size_t j = 0; found && j < columns; j++) {
        for (size_t i = 0; i < rows; i++) hashes[i] = zf_hash_number(values[i * columns + j]);
        chance += log(count_pairs(hashes, rows, &unused) / all);
    }
    double expected = all * exp(chance / 2);
    *out = found && equal > expected + 3 * sqrt(expected) ? found : 0;
    free(hashes);
    return ZF_OK;
}

/* --- neighbours ------------------------------------------------------------------------ */

/* Correlations of a standardised column with itself so many rows on. */
static double likeness_at(const double *column, size_t rows, size_t lag)
{
    return zf_column_dot(column, column + lag, rows - lag) / (double)(rows - lag);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Blocks five times as long as neighbours are alike lose a fifth of their likeness at the ends; 0:
   there are too few rows for any. */
static size_t block_for(const zf_columns *scores, double *room)
{
    enum { LAGS_A_BLOCK = 5 };
    static const double LITTLE = 0.1;
    size_t rows = scores->rows, most = rows / ZF_EVIDENCE_ROWS_LEAST, lag = 1;
    for (; lag * LAGS_A_BLOCK < most; lag++) {
        for (size_t j = 0; j < scores->count; j++)
            room[j] = likeness_at(zf_column_at(scores, j), rows, lag);
        qsort(room, scores->count, sizeof *room, compare_numbers);
        if (room[scores->count / 2] < LITTLE) break;
    }
    size_t block = lag * LAGS_A_BLOCK < most ? lag * LAGS_A_BLOCK : most;
    return block > 1 ? block : 0;
}

static zf_status compare_neighbours(zf_row_doubts *out, const double *values, size_t rows,
                                    size_t columns)
{
    static const double SURE = 4, STRONG = 0.2; /* deviations; correlation */
    zf_arena arena = {0};
    zf_columns scores;
    int32_t *which = zf_arena_get(&arena, columns * sizeof *which);
    double *found = zf_arena_get(&arena, columns * sizeof *found);
    size_t n = 0;
    for (size_t j = 0; which && j < columns; j++) which[j] = (int32_t)j;
    zf_chosen chosen = {values, rows, columns, which, columns};
    zf_status status = which && found ? zf_columns_scores(&scores, &arena, &chosen) : ZF_ENOMEM;
    if (status == ZF_OK) {
        for (size_t j = 0; j < columns; j++) {
            double likeness = likeness_at(zf_column_at(&scores, j), rows, 1);
            if (likeness * sqrt((double)rows) > SURE && likeness > STRONG) found[n++] = likeness;
        }
        qsort(found, n, sizeof *found, compare_numbers);
        if (2 * n >= columns) {
            out->ordered = n;
            out->likeness = found[n / 2];
            out->block = block_for(&scores, found);
        }
    }
    zf_arena_free(&arena);
    return status;
}

zf_status zf_rows_doubt_sized(zf_row_doubts *out, size_t size, const double *values, size_t rows,
                              size_t columns)
{
    zf_row_doubts doubts = {0};
    if (rows > 2 && columns > 0) {
        ZF_TRY(count_copies(&doubts.copies, values, rows, columns));
        ZF_TRY(compare_neighbours(&doubts, values, rows, columns));
    }
    zf_give(out, size, &doubts, sizeof doubts);
    return ZF_OK;
}
