/* What training measured, step by step, thinned to a table of bounded length.

   Each row is the mean over a span of steps. When the table is full, pairs of
   rows are merged and the span doubles, so that any number of steps fits and
   the table does not depend on how many were planned. */
#ifndef ZF_TRAIN_HISTORY_H
#define ZF_TRAIN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

enum { ZF_HISTORY_ROWS = 256, ZF_MOST_MEASURES = 8 };

typedef struct zf_history {
    int measures;
    int rows;                     /* complete ones */
    uint64_t span;                /* steps a row */
    uint64_t pending;             /* steps in the row that is being filled */
    double sum[ZF_MOST_MEASURES]; /* of these */
    float mean[ZF_HISTORY_ROWS][ZF_MOST_MEASURES];
} zf_history;

zf_history zf_history_new(int measures);
void zf_history_add(zf_history *history, const double *values);

/* Steps that were added. */
uint64_t zf_history_steps(const zf_history *history);

/* Whether rows, span and pending may come from zf_history_add: for what is read from a file. */
bool zf_history_possible(const zf_history *history);

/* Mean of measure m over the last complete row, or over the steps so far if
   there is none; NaN before the first step. */
double zf_history_latest(const zf_history *history, int m);

/* As a table: the complete rows, and the one that is being filled. */
size_t zf_history_rows(const zf_history *history);
/* The last step of a row, counted from 1. */
uint64_t zf_history_step(const zf_history *history, size_t row);
/* The mean of measure m over the row's steps. */
double zf_history_value(const zf_history *history, size_t row, size_t m);

/* The same with the step as column 0, for models that have no more to tell: names are of the
   measures. NULL and NaN: there is none. */
const char *zf_history_column(const zf_history *history, const char *const *names, size_t column);
double zf_history_cell(const zf_history *history, size_t row, size_t column);

#endif
