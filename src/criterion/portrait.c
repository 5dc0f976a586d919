/* Bins of nearly as many rows each, in the order of the variable across, and lines through thirds
   of the rows. Equal values are never parted, so that a column of few values has few bins.

   Standard errors are sums over units of the squares of sums within them, which are the usual ones
   where every row is a unit.

   Rejected: a smoother with a width to choose, whose band would have to be explained; means of
   bins show the same and everybody knows them. */
#include "criterion/portrait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"

enum { ROWS_A_BIN = 10, BINS_LEAST = 3 };

static const double ENDS = 0.05; /* share of rows beyond either end of a line */

/* What rows of a unit have in sum. */
typedef struct tally {
    double sum;
    bool seen;
} tally;

typedef struct work {
    const zf_sitting *sitting;
    const double *across, *up; /* [rows]: what is drawn */
    zf_portrait *out;
    zf_arena arena;
    size_t *unit;       /* [rows] */
    tally *tallies;     /* [units]; empty between uses */
    size_t *order;      /* [rows]: by the variable across */
    size_t *chosen;     /* [rows]: some of them */
    double *deviations; /* [rows]: of those */
} work;

void zf_portrait_free(zf_portrait *portrait)
{
    free(portrait->across_at);
    free(portrait->up_at);
    free(portrait->part);
    portrait->across_at = portrait->up_at = NULL;
    portrait->part = NULL;
    zf_clear(portrait);
}

typedef struct ranked {
    double value;
    size_t row;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static zf_status rank(ranked **out, zf_arena *arena, const double *values, size_t rows)
{
    ranked *list = zf_arena_get(arena, rows * sizeof *list);
    if (!list) return ZF_ENOMEM;
    for (size_t i = 0; i < rows; i++) list[i] = (ranked){values[i], i};
    qsort(list, rows, sizeof *list, compare);
    *out = list;
    return ZF_OK;
}

static zf_status prepare(work *w)
{
    const zf_sitting *s = w->sitting;
    size_t rows = s->rows, units = s->first ? s->units : rows, bytes = rows * sizeof(double);
    ranked *ranks;
    w->unit = zf_arena_get(&w->arena, rows * sizeof *w->unit);
    w->tallies = zf_arena_get(&w->arena, units * sizeof *w->tallies);
    w->order = zf_arena_get(&w->arena, rows * sizeof *w->order);
    w->chosen = zf_arena_get(&w->arena, rows * sizeof *w->chosen);
    w->deviations = zf_arena_get(&w->arena, bytes);
    if (!w->unit || !w->tallies || !w->order || !w->chosen || !w->deviations) return ZF_ENOMEM;
    for (size_t u = 0; u < units; u++)
        for (size_t i = s->first ? s->first[u] : u; i < (s->first ? s->first[u + 1] : u + 1); i++)
            w->unit[i] = u;
    ZF_TRY(rank(&ranks, &w->arena, w->across, rows));
    for (size_t i = 0; i < rows; i++) w->order[i] = ranks[i].row;
    w->out->across_at = malloc(bytes);
    w->out->up_at = malloc(bytes);
    if (!w->out->across_at || !w->out->up_at) return zf_fail_memory(2 * bytes);
    memcpy(w->out->across_at, w->across, bytes);
    memcpy(w->out->up_at, w->up, bytes);
    return ZF_OK;
}

/* The standard error of a mean of n values, from their deviations from it. */
static double error_of(work *w, const size_t *rows, size_t n)
{
    double squares = 0;
    size_t units = 0;
    for (size_t i = 0; i < n; i++) {
        tally *t = &w->tallies[w->unit[rows[i]]];
        t->sum += w->deviations[i];
        t->seen = true;
    }
    for (size_t i = 0; i < n; i++) {
        tally *t = &w->tallies[w->unit[rows[i]]];
        if (!t->seen) continue;
        squares += t->sum * t->sum;
        units++;
        *t = (tally){0};
    }
    if (units < 2) return (double)NAN;
    return sqrt(squares * (double)units / (double)(units - 1)) / (double)n;
}

static double mean_of(const double *values, const size_t *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[rows[i]];
    return sum / (double)n;
}

static zf_portrait_bin bin_of(work *w, const size_t *rows, size_t n)
{
    zf_portrait_bin bin = {
        .rows = n, .across = mean_of(w->across, rows, n), .mean = mean_of(w->up, rows, n)};
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        w->deviations[i] = w->up[rows[i]] - bin.mean;
        squares += w->deviations[i] * w->deviations[i];
    }
    bin.mean_error = error_of(w, rows, n);
    bin.spread = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
    for (size_t i = 0; i < n; i++)
        w->deviations[i] = w->deviations[i] * w->deviations[i] - squares / (double)n;
    /* The error of a root is that of its square over twice the root. */
    double error = error_of(w, rows, n);
    bin.spread_error = bin.spread > 0 ? error / (2 * bin.spread) : (double)NAN;
    return bin;
}

static void make_bins(work *w)
{
    const double *across = w->across;
    size_t rows = w->sitting->rows, count = rows / ROWS_A_BIN;
    if (count < BINS_LEAST) count = BINS_LEAST;
    if (count > ZF_PORTRAIT_BINS) count = ZF_PORTRAIT_BINS;
    for (size_t k = 0, begin = 0, end; k < count && begin < rows; k++, begin = end) {
        end = (k + 1) * rows / count;
        if (end <= begin) end = begin + 1;
        while (end < rows && across[w->order[end]] == across[w->order[end - 1]]) end++;
        w->out->bins[w->out->n_bins++] = bin_of(w, w->order + begin, end - begin);
    }
}

/* Which third of the rows each is in, by the middle of its rank, so that equal values stay
   together. Where only the middle and one side have rows, as of two values, they become the two
   sides. */
static zf_status part_rows(work *w)
{
    size_t rows = w->sitting->rows, count[ZF_PORTRAIT_THIRDS] = {0};
    ranked *ranks;
    ZF_TRY(rank(&ranks, &w->arena, w->sitting->turning, rows));
    w->out->part = malloc(rows);
    if (!w->out->part) return zf_fail_memory(rows);
    for (size_t begin = 0, end; begin < rows; begin = end) {
        for (end = begin + 1; end < rows && ranks[end].value == ranks[begin].value;) end++;
        size_t part = ZF_PORTRAIT_THIRDS * (begin + end) / (2 * rows);
        if (part >= ZF_PORTRAIT_THIRDS) part = ZF_PORTRAIT_THIRDS - 1;
        count[part] += end - begin;
        for (size_t i = begin; i < end; i++) w->out->part[ranks[i].row] = (unsigned char)part;
    }
    if ((count[0] > 0) == (count[2] > 0)) return ZF_OK;
    for (size_t i = 0; i < rows; i++)
        if (w->out->part[i] == 1) w->out->part[i] = count[0] > 0 ? 2 : 0;
    return ZF_OK;
}

static zf_portrait_line line_of(work *w, unsigned char part)
{
    const double *across = w->across, *up = w->up;
    size_t n = 0;
    for (size_t i = 0; i < w->sitting->rows; i++)
        if (w->out->part[w->order[i]] == part) w->chosen[n++] = w->order[i];
    zf_portrait_line line = {.rows = n};
    if (n == 0) return line;
    double x_mean = mean_of(across, w->chosen, n), y_mean = mean_of(up, w->chosen, n);
    double squares = 0, products = 0;
    for (size_t i = 0; i < n; i++) {
        double x = across[w->chosen[i]] - x_mean;
        squares += x * x;
        products += x * (up[w->chosen[i]] - y_mean);
    }
    if (!(squares > 0)) return (zf_portrait_line){0};
    line.slope = products / squares;
    line.level = y_mean - line.slope * x_mean;
    for (size_t i = 0; i < n; i++) {
        double x = across[w->chosen[i]];
        w->deviations[i] = (x - x_mean) * (up[w->chosen[i]] - line.level - line.slope * x);
    }
    line.slope_error = error_of(w, w->chosen, n) * (double)n / squares;
    size_t beyond = (size_t)(ENDS * (double)n);
    line.from = across[w->chosen[beyond]];
    line.to = across[w->chosen[n - 1 - beyond]];
    return line;
}

static zf_status make(work *w)
{
    ZF_TRY(prepare(w));
    make_bins(w);
    if (!w->sitting->turning) return ZF_OK;
    ZF_TRY(part_rows(w));
    for (unsigned char k = 0; k < ZF_PORTRAIT_THIRDS; k++) w->out->lines[k] = line_of(w, k);
    return ZF_OK;
}

/* Does the form speak of a mean along a variable, rather than of slopes or spreads? */
static bool is_curve(zf_form form)
{
    return form == ZF_FORM_VALLEY || form == ZF_FORM_HILL || form == ZF_FORM_CURVED;
}

static zf_status make_one(zf_portrait *out, const zf_sitting *s, bool squared)
{
    bool left = !(is_curve(s->form) || squared) || s->across.left == s->across.score;
    zf_portrait portrait = {.form = s->form,
                            .across = s->across.column,
                            .up = s->up.column,
                            .third = s->third,
                            .across_left = left,
                            .squared = squared,
                            .rows = s->rows};
    work w = {.sitting = s,
              .across = left ? s->across.left : s->across.score,
              .up = squared ? s->up.square : s->up.left,
              .out = &portrait};
    zf_status status = make(&w);
    zf_arena_free(&w.arena);
    if (status == ZF_OK)
        *out = portrait;
    else
        zf_portrait_free(&portrait);
    return status;
}

/* The share of the variance upwards that lies between bins. */
static double share_between(const zf_portrait *p)
{
    double mean = 0, all = 0, between = 0;
    for (size_t i = 0; i < p->rows; i++) mean += p->up_at[i] / (double)p->rows;
    for (size_t i = 0; i < p->rows; i++) all += (p->up_at[i] - mean) * (p->up_at[i] - mean);
    for (size_t k = 0; k < p->n_bins; k++) {
        double off = p->bins[k].mean - mean;
        between += (double)p->bins[k].rows * off * off;
    }
    return all > 0 ? between / all : 0;
}

/* Do the spreads of bins differ by more than chance would make them? */
static bool spreads_differ(const zf_portrait *p)
{
    double weights = 0, mean = 0, squares = 0;
    for (size_t k = 0; k < p->n_bins; k++) {
        double weight = 1 / (p->bins[k].spread_error * p->bins[k].spread_error);
        if (!isfinite(weight)) continue;
        weights += weight;
        mean += weight * p->bins[k].spread;
    }
    for (size_t k = 0; weights > 0 && k < p->n_bins; k++) {
        double off = (p->bins[k].spread - mean / weights) / p->bins[k].spread_error;
        if (isfinite(off)) squares += off * off;
    }
    return squares > 2 * (double)p->n_bins; /* of which chance makes as many as there are bins */
}

/* Keeps the better of two portraits and frees the other. */
static void choose(zf_portrait *portrait, zf_portrait *other, bool better)
{
    zf_portrait worse = better ? *portrait : *other;
    if (better) *portrait = *other;
    zf_portrait_free(&worse);
}

/* Puts a better portrait in the place of *portrait, where the form may have one. */
static zf_status improve(zf_portrait *portrait, const zf_sitting *sitting)
{
    zf_portrait other;
    zf_sitting turned = *sitting;
    if (sitting->form == ZF_FORM_CURVED) {
        turned.across = sitting->up;
        turned.up = sitting->across;
        ZF_TRY(make_one(&other, &turned, false));
        choose(portrait, &other, share_between(&other) > share_between(portrait));
    } else if (sitting->form == ZF_FORM_SPREAD && !spreads_differ(portrait)) {
        ZF_TRY(make_one(&other, sitting, true));
        choose(portrait, &other, true);
    }
    return ZF_OK;
}

zf_status zf_portrait_make(zf_portrait *out, const zf_sitting *sitting)
{
    zf_portrait portrait;
    ZF_TRY(make_one(&portrait, sitting, false));
    zf_status status = improve(&portrait, sitting);
    if (status == ZF_OK)
        *out = portrait;
    else
        zf_portrait_free(&portrait);
    return status;
}
