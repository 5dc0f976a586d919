/* Entries, and their law under the null.

   With conditioning variables a draw flips signs: the product of two residuals is
   of mean 0 in each row and nothing else is known of it, so each row's products
   keep their size and get a common random sign (the wild bootstrap). All entries
   are flipped together, so that their dependence needs no model, and 64 draws are
   one product of matrices. Without, a draw permutes the rows of y, which is exact
   at any size.

   The score of an entry is its square, less 2 log of how many times more weight an
   entry of first shapes has than one of the others: among Gaussian entries, the
   one with the largest score is the one with the smallest weighted p-value. First
   shapes have most of the weight, so that dependence that is monotone is found
   about as surely as by a test for that alone. */
#include "criterion/association.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/p_value.h"
#include "base/random.h"
#include "kernel/gemm.h"
#include "kernel/lapack.h"

enum { PAIRS = ZF_SHAPES * ZF_SHAPES, DRAWS_A_TASK = 64, ENTRIES_A_BLOCK = 2048 };

static const double CHANCE = 4;          /* a square of less is none to speak of: two deviations */
static const double FIRST_WEIGHT = 0.85; /* of first shapes among all entries */
static const double LARGEST_WEIGHT = 0.88, LINEAR_WEIGHT = 0.06, REST_WEIGHT = 0.06;

/* The variables of y are worked on in blocks, to bound memory. */
typedef struct work {
    const zf_pairing *pairing;
    size_t rows, x_variables, group; /* entries of a pair of variables */
    double handicap;                 /* added to the squares of all but first shapes */
    size_t first, variables;         /* of y in this block */
    float *products;                 /* [entries, N]: of length 1 */
    float *signs;                    /* [workers, DRAWS_A_TASK, N] */
    float *entries;                  /* [workers, DRAWS_A_TASK, entries of a block] */
    double *gathered;                /* [workers, columns of y in a block, N]: permuted */
    double *crossed;                 /* [workers, x columns * columns of y in a block] */
    uint32_t *order;                 /* [workers, N] */
    size_t block_variables, block_entries;
    zf_summary *summary;
} work;

static size_t entries_of(const work *w)
{
    return w->variables * w->x_variables * w->group;
}

/* Adds a block's entries to the summary of one draw. */
static void tally(const work *w, const float *entries, uint64_t draw)
{
    double linear = 0, rest = 0, largest = w->summary->largest[draw];
    size_t n = entries_of(w);
    for (size_t at = 0; at < n; at += w->group) {
        double square = (double)entries[at] * (double)entries[at], most = 0;
        linear += square;
        largest = fmax(largest, square);
        for (size_t e = at + 1; e < at + w->group; e++) {
            square = (double)entries[e] * (double)entries[e];
            rest += square;
            most = fmax(most, square);
        }
        largest = fmax(largest, most + w->handicap);
    }
    w->summary->linear[draw] += linear;
    w->summary->rest[draw] += rest;
    w->summary->largest[draw] = largest;
}

/* Draws of a task, from first to end. */
static uint64_t draws_end(const work *w, int task)
{
    uint64_t end = ((uint64_t)task + 1) * DRAWS_A_TASK;
    return end < w->pairing->draws ? end : w->pairing->draws;
}

static void draw_signs(float *signs, size_t rows, uint64_t seed, uint64_t draw)
{
    zf_random random = zf_random_at(seed, ZF_FOR_NULL, draw, 0);
    for (size_t i = 0; i < rows; i += 32) {
        uint32_t word = zf_random_word(&random);
        for (size_t k = i; k < rows && k < i + 32; k++, word >>= 1)
            signs[k] = word & 1 ? 1.0f : -1.0f;
    }
}

static void flip(void *context, int task, int worker)
{
    const work *w = context;
    uint64_t first = (uint64_t)task * DRAWS_A_TASK, end = draws_end(w, task);
    size_t n = entries_of(w), rows = w->rows;
    float *signs = w->signs + (size_t)worker * DRAWS_A_TASK * rows;
    float *entries = w->entries + (size_t)worker * DRAWS_A_TASK * w->block_entries;
    for (uint64_t draw = first; draw < end; draw++)
        draw_signs(signs + (draw - first) * rows, rows, w->pairing->seed, draw);
    zf_gemm(false, true, (int)(end - first), (int)n, (int)rows, 1, signs, (int)rows, w->products,
            (int)rows, 0, entries, (int)n);
    for (uint64_t draw = first; draw < end; draw++)
        tally(w, entries + (draw - first) * n, draw + 1);
}

/* The entries of a block, from cross products [x columns, columns of y in the block]. */
static void arrange(const work *w, float *entries, const double *crossed)
{
    size_t across = w->variables * ZF_SHAPES;
    double scale = sqrt((double)w->rows - 1) / (double)w->rows;
    for (size_t j = 0; j < w->variables; j++)
        for (size_t i = 0; i < w->x_variables; i++)
            for (size_t k = 0; k < ZF_SHAPES; k++)
                for (size_t l = 0; l < ZF_SHAPES; l++)
                    *entries++ =
                        (float)(scale * crossed[(i * ZF_SHAPES + k) * across + j * ZF_SHAPES + l]);
}

static const double *block_of_y(const work *w)
{
    return zf_column_at(&w->pairing->y, w->first * ZF_SHAPES);
}

static void permute(void *context, int task, int worker)
{
    const work *w = context;
    size_t rows = w->rows, across = w->variables * ZF_SHAPES, down = w->pairing->x.count;
    float *entries = w->entries + (size_t)worker * DRAWS_A_TASK * w->block_entries;
    double *gathered = w->gathered + (size_t)worker * w->block_variables * ZF_SHAPES * rows;
    double *crossed = w->crossed + (size_t)worker * w->block_variables * ZF_SHAPES * down;
    uint32_t *order = w->order + (size_t)worker * rows;
    for (uint64_t draw = (uint64_t)task * DRAWS_A_TASK; draw < draws_end(w, task); draw++) {
        zf_random random = zf_random_at(w->pairing->seed, ZF_FOR_NULL, draw, 0);
        zf_random_permutation(&random, order, rows);
        for (size_t c = 0; c < across; c++)
            for (size_t i = 0; i < rows; i++)
                gathered[c * rows + i] = block_of_y(w)[c * rows + order[i]];
        zf_multiply(crossed, (zf_factor){w->pairing->x.values, false}, (zf_factor){gathered, true},
                    down, across, rows, 1, 0);
        arrange(w, entries, crossed);
        tally(w, entries, draw + 1);
    }
}

/* One entry of the data: its products, of length 1, go to `to`. */
typedef struct observed {
    double value;       /* in deviations */
    double correlation; /* of the two residuals */
} observed;

static observed multiply(float *to, const double *x, const double *y, const double *modulator,
                         size_t rows, double inflation)
{
    double sum = 0, squares = 0, x_squares = 0, y_squares = 0;
    for (size_t i = 0; i < rows; i++) {
        double other = modulator ? y[i] * modulator[i] : y[i], product = x[i] * other;
        sum += product;
        squares += product * product;
        x_squares += x[i] * x[i];
        y_squares += other * other;
    }
    double length = sqrt(squares), scale = length > 0 ? 1 / length : 0;
    for (size_t i = 0; i < rows; i++)
        to[i] = (float)(scale * x[i] * (modulator ? y[i] * modulator[i] : y[i]));
    if (length <= 0) return (observed){0};
    return (observed){.value = sum * scale / inflation,
                      .correlation = sum / sqrt(x_squares * y_squares)};
}

/* Entry e of the pair of variables i and j. */
static observed observe(const work *w, float *to, size_t i, size_t j, size_t e)
{
    const zf_pairing *p = w->pairing;
    size_t k = e < PAIRS ? e / ZF_SHAPES : 0, l = e < PAIRS ? e % ZF_SHAPES : 0;
    size_t row = i * ZF_SHAPES + k, column = j * ZF_SHAPES + l;
    return multiply(to, zf_column_at(&p->x, row), zf_column_at(&p->y, column),
                    e < PAIRS ? NULL : zf_column_at(&p->modulators, e - PAIRS), w->rows,
                    p->inflation[row * p->y.count + column]);
}

/* Fills w->entries with those of the data, and the products where signs are flipped; keeps
   the correlations of all in `correlations`. */
static void observe_block(work *w, double *correlations)
{
    const zf_pairing *p = w->pairing;
    size_t across = w->variables * ZF_SHAPES, n = entries_of(w);
    if (!p->inflation) {
        zf_multiply(w->crossed, (zf_factor){p->x.values, false}, (zf_factor){block_of_y(w), true},
                    p->x.count, across, w->rows, 1, 0);
        arrange(w, w->entries, w->crossed);
        for (size_t e = 0; e < n; e++)
            correlations[e] = (double)w->entries[e] / sqrt((double)w->rows - 1);
        return;
    }
    size_t at = 0;
    for (size_t j = w->first; j < w->first + w->variables; j++)
        for (size_t i = 0; i < w->x_variables; i++)
            for (size_t e = 0; e < w->group; e++, at++) {
                observed o = observe(w, w->products + at * w->rows, i, j, e);
                w->entries[at] = (float)o.value;
                correlations[at] = o.correlation;
            }
}

/* Entry e of a pair of variables, for whom it may interest. */
static zf_strongest describe(size_t x, size_t e, double score, double correlation)
{
    bool shapes = e < PAIRS;
    return (zf_strongest){.score = score,
                          .correlation = correlation,
                          .x = x,
                          .x_shape = shapes ? e / ZF_SHAPES : 0,
                          .y_shape = shapes ? e % ZF_SHAPES : 0,
                          .modulator = shapes ? SIZE_MAX : e - PAIRS};
}

/* Shares and scores of the data's entries in this block. */
static void note(const work *w, zf_association *out, const double *correlations)
{
    const float *entries = w->entries;
    for (size_t j = w->first; j < w->first + w->variables; j++) {
        zf_strongest *best = &out->strongest[j];
        for (size_t i = 0; i < w->x_variables; i++)
            for (size_t e = 0; e < w->group; e++, entries++, correlations++) {
                double square = (double)*entries * (double)*entries;
                double score = square + (e ? w->handicap : 0);
                out->x_excess[i] += fmax(square - CHANCE, 0);
                out->y_excess[j] += fmax(square - CHANCE, 0);
                if (score > best->score) *best = describe(i, e, score, *correlations);
            }
        if (best->score > out->strongest[out->top].score) out->top = j;
    }
}

static zf_status work_new(work *w, zf_arena *arena)
{
    const zf_pairing *p = w->pairing;
    size_t each = w->x_variables * w->group, y_variables = p->y.count / ZF_SHAPES;
    size_t workers = (size_t)zf_crew_size(p->crew);
    w->block_variables = each < ENTRIES_A_BLOCK ? ENTRIES_A_BLOCK / each : 1;
    if (w->block_variables > y_variables) w->block_variables = y_variables;
    w->block_entries = w->block_variables * each;
    size_t across = w->block_variables * ZF_SHAPES;
    w->entries = zf_arena_get(arena, workers * DRAWS_A_TASK * w->block_entries * sizeof(float));
    if (!w->entries) return ZF_ENOMEM;
    if (p->inflation) {
        w->products = zf_arena_get(arena, w->block_entries * w->rows * sizeof(float));
        w->signs = zf_arena_get(arena, workers * DRAWS_A_TASK * w->rows * sizeof(float));
        return w->products && w->signs ? ZF_OK : ZF_ENOMEM;
    }
    w->gathered = zf_arena_get(arena, workers * across * w->rows * sizeof(double));
    w->crossed = zf_arena_get(arena, workers * across * p->x.count * sizeof(double));
    w->order = zf_arena_get(arena, workers * w->rows * sizeof(uint32_t));
    return w->gathered && w->crossed && w->order ? ZF_OK : ZF_ENOMEM;
}

static zf_status association_new(zf_association *out, zf_arena *arena, const zf_pairing *p)
{
    size_t x = p->x.count / ZF_SHAPES, y = p->y.count / ZF_SHAPES, n = p->draws + 1;
    double *memory = zf_arena_get(arena, (3 * n + x + y) * sizeof *memory);
    out->strongest = zf_arena_get(arena, y * sizeof *out->strongest);
    if (!memory || !out->strongest) return ZF_ENOMEM;
    out->summary = (zf_summary){memory, memory + n, memory + 2 * n};
    out->x_excess = memory + 3 * n;
    out->y_excess = out->x_excess + x;
    for (size_t j = 0; j < y; j++) out->strongest[j].score = -1; /* less than any first shape's */
    return ZF_OK;
}

zf_status zf_associate(zf_association *out, zf_arena *arena, const zf_pairing *pairing)
{
    size_t x = pairing->x.count / ZF_SHAPES, y = pairing->y.count / ZF_SHAPES;
    zf_association a = {0};
    work w = {.pairing = pairing,
              .rows = pairing->x.rows,
              .x_variables = x,
              .group = PAIRS + pairing->modulators.count,
              .summary = &a.summary};
    w.handicap = 2 * log((1 - FIRST_WEIGHT) / FIRST_WEIGHT / (double)(w.group - 1));
    a.entries = x * y * w.group;
    ZF_TRY(zf_gemm_open());
    ZF_TRY(association_new(&a, arena, pairing));
    ZF_TRY(work_new(&w, arena));
    double *correlations = zf_arena_get(arena, w.block_entries * sizeof *correlations);
    if (!correlations) return ZF_ENOMEM;
    int tasks = (int)((pairing->draws + DRAWS_A_TASK - 1) / DRAWS_A_TASK);
    for (; w.first < y; w.first += w.variables) {
        w.variables = y - w.first < w.block_variables ? y - w.first : w.block_variables;
        observe_block(&w, correlations);
        note(&w, &a, correlations);
        tally(&w, w.entries, 0);
        ZF_TRY(zf_pace_run(pairing->pace, (zf_span){w.first, w.first + w.variables, y},
                           pairing->crew, tasks, pairing->inflation ? flip : permute, &w));
    }
    *out = a;
    return ZF_OK;
}

static int compare_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* How many of n descending values are at least `value`. */
static size_t count_reaching(const double *values, size_t n, double value)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (values[middle] >= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* best[i] = the smaller of itself and the share of values that reach values[i], over weight. */
static void rank_into(double *best, const double *values, double *sorted, size_t n, double weight)
{
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_descending);
    for (size_t i = 0; i < n; i++) {
        double share = (double)count_reaching(sorted, n, values[i]) / (double)n;
        best[i] = fmin(best[i], share / weight);
    }
}

/* The sums tell: a maximum passes over what is not a number. */
static zf_status check_finite(const zf_summary *summary, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(summary->linear[i] + summary->rest[i]))
            return zf_fail(ZF_ENUMERIC, "the association of the %s is %g, expected a finite number",
                           i == 0 ? "data" : "data of the null",
                           summary->linear[i] + summary->rest[i]);
    return ZF_OK;
}

zf_status zf_association_p_value(double *out, const zf_association *a, uint64_t draws)
{
    size_t n = draws + 1, reaching = 0;
    ZF_TRY(check_finite(&a->summary, n));
    double *best = malloc(2 * n * sizeof *best);
    if (!best) return zf_fail_memory(2 * n * sizeof *best);
    for (size_t i = 0; i < n; i++) best[i] = INFINITY;
    rank_into(best, a->summary.largest, best + n, n, LARGEST_WEIGHT);
    rank_into(best, a->summary.linear, best + n, n, LINEAR_WEIGHT);
    rank_into(best, a->summary.rest, best + n, n, REST_WEIGHT);
    for (size_t i = 1; i < n; i++) reaching += best[i] <= best[0];
    free(best);
    *out = zf_p_value(reaching, draws);
    return ZF_OK;
}

double zf_association_y_p_value(const zf_association *a, uint64_t draws, size_t variable)
{
    size_t reaching = 0;
    for (uint64_t i = 1; i <= draws; i++)
        reaching += a->summary.largest[i] >= a->strongest[variable].score;
    return zf_p_value(reaching, draws);
}
