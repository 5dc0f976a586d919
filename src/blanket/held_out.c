#include "blanket/held_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "evidence/rows.h"

enum { BATCHES = 48, PAIRS = 1024, TARGETS_MOST = 8192 };
static const double NEAR = 0.12; /* the width of the kernel, in deviations of a column */

size_t zf_held_out_rows(size_t rows, double share)
{
    if (!(share > 0) || rows < 4) return 0;
    size_t held = (size_t)((double)rows * share + 0.5);
    if (held < 2) held = 2; /* a pair */
    return held < rows - 2 ? held : rows - 2;
}

/* Marks about `wanted` rows, whole units in an order of chance; returns how many. */
static size_t mark(unsigned char *out, uint32_t *order, const zf_unit_rows *units, size_t wanted,
                   uint64_t seed)
{
    size_t held = 0;
    zf_random random = zf_random_at(seed, ZF_FOR_SPLIT, 0, 0);
    zf_random_permutation(&random, order, units->units);
    for (size_t k = 0; k < units->units && held < wanted; k++) {
        size_t begin = units->first ? units->first[order[k]] : order[k];
        size_t end = units->first ? units->first[order[k] + 1] : begin + 1;
        if (held + end - begin > wanted + wanted / 2) continue;
        for (size_t i = begin; i < end; i++) out[(size_t)units->values[i]] = 1;
        held += end - begin;
    }
    return held;
}

/* Which rows are held out, in an arena's memory. */
static zf_status choose(unsigned char **out, size_t *held, zf_arena *arena, size_t rows,
                        uint64_t seed, zf_together together)
{
    double *row = zf_arena_get(arena, rows * sizeof *row);
    uint32_t *order = zf_arena_get(arena, rows * sizeof *order);
    *out = zf_arena_get(arena, rows); /* zeroed */
    if (!row || !order || !*out) return ZF_ENOMEM;
    for (size_t i = 0; i < rows; i++) row[i] = (double)i;
    zf_unit_rows units = zf_unit_rows_of(row, rows, 1);
    if (together.groups)
        ZF_TRY(zf_unit_rows_group(&units, arena, &(zf_unit_rows){row, rows, 1, NULL, rows},
                                  together.groups));
    else if (together.block > 1)
        ZF_TRY(zf_unit_rows_cut(&units, arena, &(zf_unit_rows){row, rows, 1, NULL, rows},
                                together.block));
    *held = mark(*out, order, &units, *held, seed);
    if (*held >= 2) return ZF_OK;
    memset(*out, 0, rows);
    *held = 0;
    return ZF_OK;
}

zf_status zf_held_out_split(float *values, size_t rows, size_t columns, size_t *held, uint64_t seed,
                            zf_together together)
{
    zf_arena arena = {0};
    unsigned char *out;
    zf_status status = choose(&out, held, &arena, rows, seed, together);
    float *aside =
        status == ZF_OK ? zf_arena_get(&arena, (*held + 1) * columns * sizeof *aside) : NULL;
    if (aside) {
        size_t kept = 0, moved = 0, bytes = columns * sizeof *values;
        for (size_t i = 0; i < rows; i++)
            if (out[i])
                memcpy(aside + moved++ * columns, values + i * columns, bytes);
            else if (kept++ < i)
                memcpy(values + (kept - 1) * columns, values + i * columns, bytes);
        memcpy(values + kept * columns, aside, *held * bytes);
    } else if (status == ZF_OK) {
        status = ZF_ENOMEM;
    }
    zf_arena_free(&arena);
    return status;
}

/* --- the guess that uses no column --------------------------------------------------- */

/* The pairs are the same for every column, from training rows. */
struct zf_guess {
    const float *rows;
    size_t columns;
    uint32_t from[PAIRS], to[PAIRS];
    double *linear, *near; /* [columns]: sums of squared errors */
    size_t seen;           /* targets */
};

zf_status zf_guess_new(zf_guess **out, size_t columns)
{
    zf_guess *g = calloc(1, sizeof *g);
    double *sums = calloc(2 * columns, sizeof *sums);
    if (!g || !sums) {
        free(g);
        free(sums);
        return zf_fail_memory(sizeof *g + 2 * columns * sizeof *sums);
    }
    g->columns = columns;
    g->linear = sums;
    g->near = sums + columns;
    *out = g;
    return ZF_OK;
}

void zf_guess_free(zf_guess *guess)
{
    if (!guess) return;
    free(guess->linear);
    free(guess);
}

static double square(double x)
{
    return x * x;
}

/* Of two independent values of mean 0 and one variance, given the point between them. */
static double guess_linear(double point, double t)
{
    return (2 * t - 1) / (square(t) + square(1 - t)) * point;
}

static double guess_near(const zf_guess *g, size_t column, double point, double t)
{
    double weights = 0, sum = 0;
    for (int i = 0; i < PAIRS; i++) {
        double from = g->rows[g->from[i] * g->columns + column];
        double to = g->rows[g->to[i] * g->columns + column];
        double off = ((1 - t) * from + t * to - point) / NEAR;
        if (fabs(off) > 4) continue;
        double weight = exp(-0.5 * off * off);
        weights += weight;
        sum += weight * (to - from);
    }
    return weights > 0 ? sum / weights : guess_linear(point, t);
}

/* The targets of the batch that the step holds. */
static void judge_batch(zf_guess *g, const zf_blanket_step *s)
{
    int most = s->most_targets;
    for (int row = 0; row < s->options.batch; row++) {
        const float *moving = zf_node_value(s->moving) + row * (most + 1);
        const float *difference = zf_node_value(s->difference) + row * most;
        const int32_t *targets = zf_node_index(s->targets) + row * most;
        for (int k = 0; k < s->counts[row]; k++, g->seen++) {
            size_t column = (size_t)targets[k];
            double point = moving[k], t = moving[most], truth = difference[k];
            g->linear[column] += square(guess_linear(point, t) - truth);
            g->near[column] += square(guess_near(g, column, point, t) - truth);
        }
    }
}

static double best_of(const zf_guess *g)
{
    double sum = 0;
    for (size_t j = 0; j < g->columns; j++) sum += fmin(g->linear[j], g->near[j]);
    return sum;
}

static void draw_pairs(zf_guess *g, const zf_blanket_step *s)
{
    zf_random random = zf_random_at(s->options.seed, ZF_FOR_SPLIT, 1, 0);
    g->rows = s->rows;
    for (int i = 0; i < PAIRS; i++) {
        g->from[i] = zf_random_below(&random, (uint32_t)s->n);
        g->to[i] = zf_random_below(&random, (uint32_t)s->n);
    }
}

/* --- both ------------------------------------------------------------------------------ */

zf_held_out_losses zf_held_out_measure(zf_guess *guess, zf_blanket_step *step, size_t held,
                                       zf_crew *crew)
{
    const float *rows = step->rows;
    int n = step->n, batches = 0;
    double sum = 0;
    draw_pairs(guess, step);
    step->rows = rows + (size_t)n * (size_t)step->variables;
    step->n = (int)held;
    /* Steps after the last one: gates as they are, and draws that training never saw. */
    for (; batches < BATCHES && guess->seen < TARGETS_MOST; batches++) {
        zf_step_prepare(step, step->options.steps + (uint64_t)batches, crew);
        zf_program_forward(step->program, crew, ZF_EVALUATE);
        sum += (double)zf_node_scalar(step->objective.rectified);
        judge_batch(guess, step);
    }
    step->rows = rows;
    step->n = n;
    double terms = (double)batches * step->options.batch * step->variables;
    return (zf_held_out_losses){sum / batches, best_of(guess) / terms};
}
