/* Prediction of a target from sets of columns, on held-out rows.

   Functions of the columns are made of all rows at once, held out or not: they know nothing
   of the target. What is learnt of the target, coefficients, penalty and weight of the
   functions beside the scores, comes from the fitted rows alone. Each fold of each set is a task
   of its own. Letters: N rows, M fitted rows, P functions. */
#include "zeroflow/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/units.h"
#include "criterion/columns.h"
#include "criterion/measures.h"
#include "criterion/ridge.h"
#include "data/text.h"
#include "data/values.h"
#include "kernel/lapack.h"

enum {
    FOLDS = 5,
    FOLDS_MOST = 100,
    ROWS_LEAST = 20,
    FUNCTIONS_MOST = 400,
    ROWS_A_FUNCTION = 3,         /* fitted rows */
    VALUES_MOST = 100 * 1000000, /* of all functions */
};

typedef struct inputs {
    zf_columns functions; /* scores first */
    size_t linear;        /* scores among them */
} inputs;

typedef struct contest {
    const double *values;
    size_t rows, columns, held_out, n_sets;
    int32_t target;
    const char *const *names;
    const zf_inputs *sets;
    const zf_predict_options *options;
    zf_arena arena;
    double *y;                  /* [N] */
    size_t *unit;               /* [N]: what belongs together has one number */
    size_t before, units;       /* units of rows that are only fitted have the lower numbers */
    int32_t *fold;              /* [N]; -1: only fitted */
    size_t largest;             /* rows of the largest fold */
    inputs *inputs;             /* [sets] */
    double *predicted, *middle; /* [sets, N]; [N]: mean of the rows that were fitted for a row */
    zf_status *status;          /* [sets, folds] */
} contest;

void zf_predict_options_init(zf_predict_options *options, size_t size)
{
    const zf_predict_options all = {.folds = FOLDS};
    zf_give(options, size, &all, sizeof all);
}

static zf_status check_column(const contest *c, int32_t column)
{
    if (column < 0 || (size_t)column >= c->columns)
        return zf_fail(ZF_EINVAL, "column %ld of a table of %zu", (long)column, c->columns);
    return zf_values_check_column(c->values, c->rows, c->columns, (size_t)column,
                                  c->names ? c->names[column] : NULL);
}

static zf_status check_set(const contest *c, const zf_inputs *set)
{
    char label[ZF_COLUMN_LABEL];
    for (size_t i = 0; i < set->n; i++) {
        int32_t one = set->columns[i];
        ZF_TRY(check_column(c, one));
        bool twice = one == c->target;
        for (size_t k = 0; k < i && !twice; k++) twice = set->columns[k] == one;
        if (!twice) continue;
        zf_text_column(label, c->names ? c->names[one] : NULL, (size_t)one);
        return zf_fail(ZF_EINVAL, "%s is %s", label,
                       one == c->target ? "the target and cannot predict itself" : "named twice");
    }
    return ZF_OK;
}

static zf_status check(const contest *c)
{
    int folds = c->options->folds;
    if (folds < 2 || folds > FOLDS_MOST)
        return zf_fail(ZF_EINVAL, "%d folds, expected 2 to %d", folds, FOLDS_MOST);
    size_t told = c->held_out ? c->held_out : c->rows;
    size_t fitted = c->held_out <= c->rows ? c->rows - c->held_out : 0;
    if (told < ROWS_LEAST || (c->held_out && fitted < ROWS_LEAST))
        return zf_fail(ZF_EINPUT, "%zu rows to %s, expected at least %d",
                       told < ROWS_LEAST ? told : fitted, told < ROWS_LEAST ? "predict" : "fit on",
                       ROWS_LEAST);
    ZF_TRY(zf_units_check(c->rows, c->options->groups, c->options->block));
    ZF_TRY(check_column(c, c->target));
    for (size_t s = 0; s < c->n_sets; s++) ZF_TRY(check_set(c, &c->sets[s]));
    return ZF_OK;
}

/* The first row that is predicted. */
static size_t first_told(const contest *c)
{
    return c->held_out ? c->rows - c->held_out : 0;
}

/* Units are numbered in the order of their first rows, and rows that are only fitted come
   first. */
static zf_status number_groups(contest *c)
{
    size_t first = first_told(c), cut = 0;
    ZF_TRY(zf_units_number(c->unit, &c->units, c->rows, c->options->groups, 0));
    for (size_t i = 0; i < first; i++)
        if (c->unit[i] >= c->before) c->before = c->unit[i] + 1;
    for (size_t i = first; i < c->rows; i++) cut += c->unit[i] < c->before;
    if (cut == 0) return ZF_OK;
    return zf_fail(
        ZF_EINPUT,
        "%zu of the rows to predict belong to groups that are also fitted on, expected new "
        "groups",
        cut);
}

static zf_status number_blocks(contest *c)
{
    size_t first = first_told(c), block = c->options->block;
    if (first) ZF_TRY(zf_units_number(c->unit, &c->before, first, NULL, block));
    ZF_TRY(zf_units_number(c->unit + first, &c->units, c->rows - first, NULL, block));
    for (size_t i = first; i < c->rows; i++) c->unit[i] += c->before;
    c->units += c->before;
    return ZF_OK;
}

static zf_status find_units(contest *c)
{
    const zf_predict_options *o = c->options;
    const char *what = o->groups ? "groups" : o->block ? "blocks" : "rows";
    c->unit = zf_arena_get(&c->arena, c->rows * sizeof *c->unit);
    if (!c->unit) return ZF_ENOMEM;
    ZF_TRY(o->groups ? number_groups(c) : number_blocks(c));
    size_t told = c->units - c->before;
    if ((size_t)o->folds <= told / 2) return ZF_OK;
    return zf_fail(ZF_EINVAL, "%d folds of %zu %s, expected at most %zu", o->folds, told, what,
                   told / 2);
}

/* Units at random into folds of nearly one size: each to the smallest, of equals the first. */
static zf_status deal(contest *c)
{
    ZF_TRY(find_units(c));
    size_t first = first_told(c), told = c->rows - first, units = c->units - c->before;
    size_t size[FOLDS_MOST] = {0};
    uint32_t *order = zf_arena_get(&c->arena, units * sizeof *order);
    size_t *rows = zf_arena_get(&c->arena, units * sizeof *rows);
    int32_t *fold = zf_arena_get(&c->arena, units * sizeof *fold);
    c->fold = zf_arena_get(&c->arena, c->rows * sizeof *c->fold);
    if (!order || !rows || !fold || !c->fold) return ZF_ENOMEM;
    for (size_t i = first; i < c->rows; i++) rows[c->unit[i] - c->before]++;
    zf_random random = zf_random_at(c->options->seed, ZF_FOR_SPLIT, 0, 0);
    zf_random_permutation(&random, order, units);
    for (size_t u = 0; u < units; u++) {
        int32_t smallest = 0;
        for (int32_t k = 1; k < c->options->folds; k++)
            if (size[k] < size[smallest]) smallest = k;
        fold[order[u]] = smallest;
        size[smallest] += rows[order[u]];
        if (size[smallest] > c->largest) c->largest = size[smallest];
    }
    for (size_t i = 0; i < c->rows; i++) c->fold[i] = i < first ? -1 : fold[c->unit[i] - c->before];
    if (c->held_out || units == told || told - c->largest >= ROWS_LEAST) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%zu rows to fit on beside the largest fold, expected at least %d",
                   told - c->largest, ROWS_LEAST);
}

static void add_products(zf_columns *to, const zf_columns *scores)
{
    size_t rows = scores->rows;
    for (size_t a = 0; a < scores->count; a++)
        for (size_t b = a + 1; b < scores->count; b++) {
            double *column = zf_column_at(to, to->count);
            for (size_t i = 0; i < rows; i++)
                column[i] = zf_column_at(scores, a)[i] * zf_column_at(scores, b)[i];
            to->count += zf_column_standardise(column, rows);
        }
}

/* Scores, then functions of single columns and products, while there is room for all. */
static zf_status build(inputs *out, contest *c, const zf_inputs *set)
{
    size_t n = set->n, rows = c->rows, total = n, room = VALUES_MOST / rows;
    size_t fold = rows / (size_t)c->options->folds + 1;
    size_t fitted = rows - (c->held_out ? c->held_out : fold > c->largest ? fold : c->largest);
    if (room > fitted / ROWS_A_FUNCTION) room = fitted / ROWS_A_FUNCTION;
    if (room > FUNCTIONS_MOST) room = FUNCTIONS_MOST;
    bool shapes = n * ZF_SHAPES <= room, products;
    if (shapes) total = n * ZF_SHAPES;
    products = shapes && total + n * (n - 1) / 2 <= room;
    zf_columns scores, bent;
    zf_chosen chosen = {c->values, rows, c->columns, set->columns, n};
    ZF_TRY(zf_columns_scores(&scores, &c->arena, &chosen));
    ZF_TRY(
        zf_columns_new(&out->functions, &c->arena, total + (products ? n * (n - 1) / 2 : 0), rows));
    memcpy(out->functions.values, scores.values, n * rows * sizeof *scores.values);
    out->functions.count = out->linear = n;
    if (shapes) {
        ZF_TRY(zf_columns_bounded_shapes(&bent, &c->arena, &scores));
        for (size_t k = 0; k < n * ZF_SHAPES; k++)
            if (k % ZF_SHAPES)
                memcpy(zf_column_at(&out->functions, out->functions.count++),
                       zf_column_at(&bent, k), rows * sizeof *bent.values);
    }
    if (products) add_products(&out->functions, &scores);
    return ZF_OK;
}

/* Splits the functions by rows: fitted ones go to `fit`, the fold's to `told`. */
static void part(zf_columns *fit, zf_columns *told, const zf_columns *functions,
                 const int32_t *fold, int32_t which)
{
    for (size_t p = 0; p < functions->count; p++) {
        const double *from = zf_column_at(functions, p);
        double *a = zf_column_at(fit, p), *b = zf_column_at(told, p);
        for (size_t i = 0; i < functions->rows; i++)
            if (fold[i] == which)
                *b++ = from[i];
            else
                *a++ = from[i];
    }
}

/* With held-out rows there is but one fit, for all folds: which = -2 stands for it. */
static bool is_fitted(const contest *c, size_t row, int32_t fold)
{
    return c->held_out ? c->fold[row] < 0 : c->fold[row] != fold;
}

/* By how much the fitted rows of a unit repeat each other: the factor by which the sum of
   products of a function and the target varies more than that of independent rows, in the mean of
   the functions. unit: of each fitted row. */
static zf_status find_repetition(double *out, const zf_columns *fit, const double *y,
                                 const size_t *unit, size_t units, zf_arena *arena)
{
    size_t rows = fit->rows;
    double sum = 0, *within = zf_arena_get(arena, units * sizeof *within);
    if (!within) return ZF_ENOMEM;
    for (size_t p = 0; p < fit->count; p++) {
        const double *x = zf_column_at(fit, p);
        double mean = zf_column_dot(x, y, rows) / (double)rows, alone = 0, together = 0;
        memset(within, 0, units * sizeof *within);
        for (size_t i = 0; i < rows; i++) {
            double product = x[i] * y[i] - mean;
            alone += product * product;
            within[unit[i]] += product;
        }
        for (size_t u = 0; u < units; u++) together += within[u] * within[u];
        sum += alone > 0 ? fmax(1, together / alone) : 1;
    }
    *out = fit->count ? sum / (double)fit->count : 1;
    return ZF_OK;
}

static zf_status predict_fold(contest *c, size_t set, int32_t fold, zf_arena *arena)
{
    const zf_columns *functions = &c->inputs[set].functions;
    size_t rows = c->rows, fitted = 0, told = 0;
    int32_t *mark = zf_arena_get(arena, rows * sizeof *mark);
    double *y = zf_arena_get(arena, rows * sizeof *y);
    double *coefficients = zf_arena_get(arena, (functions->count + 1) * sizeof *coefficients);
    size_t *unit = zf_arena_get(arena, rows * sizeof *unit);
    if (!mark || !y || !coefficients || !unit) return ZF_ENOMEM;
    double mean = 0, repetition = 1;
    for (size_t i = 0; i < rows; i++) {
        mark[i] = !is_fitted(c, i, fold);
        if (mark[i]) {
            told++;
            continue;
        }
        unit[fitted] = c->unit[i];
        mean += (y[fitted++] = c->y[i]);
    }
    mean /= (double)fitted;
    for (size_t i = 0; i < fitted; i++) y[i] -= mean;
    zf_columns fit, rest;
    ZF_TRY(zf_columns_new(&fit, arena, functions->count, fitted));
    ZF_TRY(zf_columns_new(&rest, arena, functions->count, told));
    part(&fit, &rest, functions, mark, 1);
    if (c->units < rows) ZF_TRY(find_repetition(&repetition, &fit, y, unit, c->units, arena));
    ZF_TRY(zf_ridge_fit(coefficients, &fit, &rest, y, c->inputs[set].linear, repetition, arena));
    for (size_t i = 0, at = 0; i < rows; i++) {
        if (!mark[i]) continue;
        double sum = mean;
        for (size_t p = 0; p < functions->count; p++)
            sum += coefficients[p] * zf_column_at(&rest, p)[at];
        c->predicted[set * rows + i] = sum;
        if (set == 0) c->middle[i] = mean;
        at++;
    }
    return ZF_OK;
}

static int fits(const contest *c)
{
    return c->held_out ? 1 : c->options->folds;
}

static void run_task(void *context, int task, int worker)
{
    contest *c = context;
    zf_arena arena = {0};
    (void)worker;
    c->status[task] = predict_fold(c, (size_t)(task / fits(c)), (int32_t)(task % fits(c)), &arena);
    zf_arena_free(&arena);
}

static zf_status run_tasks(contest *c)
{
    enum { QUIET_SECONDS = 1 }; /* of work that tells nothing of itself */
    zf_crew *crew = NULL;
    int tasks = (int)c->n_sets * fits(c);
    zf_pace pace = zf_pace_begin(&c->options->report, QUIET_SECONDS);
    zf_span all = {0, (uint64_t)tasks, (uint64_t)tasks};
    ZF_TRY(zf_crew_new(&crew, c->options->threads));
    zf_status status = zf_pace_run(&pace, all, crew, tasks, run_task, c);
    zf_crew_free(crew);
    ZF_TRY(status);
    for (int i = 0; i < tasks; i++)
        if (c->status[i] == ZF_ENOMEM)
            return zf_fail(ZF_ENOMEM, "out of memory while predicting from %zu rows", c->rows);
        else if (c->status[i] != ZF_OK)
            return zf_fail(c->status[i], "a regression on %zu rows failed", c->rows);
    return ZF_OK;
}

static zf_status prepare(contest *c)
{
    size_t rows = c->rows;
    ZF_TRY(zf_lapack_open());
    ZF_TRY(deal(c));
    c->y = zf_arena_get(&c->arena, rows * sizeof *c->y);
    c->inputs = zf_arena_get(&c->arena, c->n_sets * sizeof *c->inputs);
    c->predicted = zf_arena_get(&c->arena, c->n_sets * rows * sizeof *c->predicted);
    c->middle = zf_arena_get(&c->arena, rows * sizeof *c->middle);
    c->status = zf_arena_get(&c->arena, c->n_sets * FOLDS_MOST * sizeof *c->status);
    if (!c->y || !c->inputs || !c->predicted || !c->middle || !c->status) return ZF_ENOMEM;
    for (size_t i = 0; i < rows; i++) c->y[i] = c->values[i * c->columns + (size_t)c->target];
    for (size_t s = 0; s < c->n_sets; s++) ZF_TRY(build(&c->inputs[s], c, &c->sets[s]));
    return ZF_OK;
}

zf_status zf_predict(zf_prediction *out, const double *values, size_t rows,
                     const char *const *names, size_t columns, int32_t target,
                     const zf_inputs *sets, size_t n_sets, size_t held_out,
                     const zf_predict_options *given)
{
    zf_predict_options known = zf_predict_defaults();
    const zf_predict_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "predict"));
    contest c = {.values = values,
                 .rows = rows,
                 .columns = columns,
                 .held_out = held_out,
                 .n_sets = n_sets,
                 .target = target,
                 .names = names,
                 .sets = sets,
                 .options = options};
    ZF_TRY(check(&c));
    zf_status status = prepare(&c);
    if (status == ZF_OK) status = run_tasks(&c);
    zf_told told = {c.y, c.middle, c.predicted, c.fold, rows, options->folds};
    if (status == ZF_OK) status = zf_measures_take(out, &told, n_sets);
    zf_arena_free(&c.arena);
    return status;
}
