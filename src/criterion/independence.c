/* From a table and a question to a result: checks, shapes, residuals, association. */
#include "criterion/independence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/error.h"
#include "base/grow.h"
#include "criterion/association.h"
#include "criterion/form.h"
#include "criterion/missed.h"
#include "data/text.h"
#include "data/values.h"
#include "kernel/lapack.h"

enum {
    DRAWS = 10000,
    DRAWS_LEAST = 99,
    DRAWS_MOST = 10000000,
    PLAIN_ROWS = 20, /* without conditioning variables */
    FOLLOWED = 8,    /* variables of a side whose directions are looked for */
};

static const double THIRD_LEAST = 0.5; /* correlation with which a direction is a variable's */
static const double DOUBTED = 0.1;     /* p-values above need no second look */
static const double MISSED = 1.7;      /* deviations of chance, mean of both sides */
static const double MISSED_SHARE = 0.25, ENTRY_MOST = 20; /* deviations of the strongest sign */
static const double QUIET_SECONDS = 1;                    /* of work that tells nothing of itself */
static const double ALLOWANCE = 1e-3; /* of both sides' curved means: see allow_for_means */
static const double EXPLAINED = 1e-8; /* share of a shape's variance: less is no residual */

typedef struct trial {
    const double *values;
    size_t rows, columns;
    const char *const *names;
    const zf_question *question;
    const zf_independence_options *options;
    zf_pace pace;
    zf_arena arena;
    zf_crew *crew;
    zf_columns x_scores, y_scores;
    zf_columns x, y; /* shapes, then residuals */
    int32_t *sorted; /* the given columns, ascending */
    zf_given given;
    double freedom;                /* rows, less what the regressions took */
    zf_columns x_shapes, y_shapes; /* before the regression, if something is given */
    zf_regression x_taken, y_taken;
    zf_association association;
} trial;

void zf_independence_options_init(zf_independence_options *options, size_t size)
{
    const zf_independence_options all = {.draws = DRAWS};
    zf_give(options, size, &all, sizeof all);
}

size_t zf_independence_least_rows(size_t n_given)
{
    return n_given ? zf_given_least_rows(n_given) : PLAIN_ROWS;
}

/* How messages call a column. */
typedef struct label {
    char text[ZF_COLUMN_LABEL];
} label;

static label label_of(const trial *t, size_t column)
{
    label out = {0};
    zf_text_column(out.text, t->names ? t->names[column] : NULL, column);
    return out;
}

static const char *const roles[] = {"x", "y", "the given ones"};

/* Marks the columns of one set; role: its place in roles. */
static zf_status mark(const trial *t, unsigned char *marks, const int32_t *set, size_t n,
                      unsigned char role)
{
    for (size_t i = 0; i < n; i++) {
        if (set[i] < 0 || (size_t)set[i] >= t->columns)
            return zf_fail(ZF_EINVAL, "column %ld of a table of %zu", (long)set[i], t->columns);
        size_t column = (size_t)set[i];
        if (marks[column])
            return zf_fail(ZF_EINVAL, "%s is in %s and in %s; each may be in one of them, once",
                           label_of(t, column).text, roles[marks[column] - 1], roles[role]);
        marks[column] = (unsigned char)(role + 1);
        ZF_TRY(zf_values_check_column(t->values, t->rows, t->columns, column,
                                      t->names ? t->names[column] : NULL));
    }
    return ZF_OK;
}

static zf_status check_sets(const trial *t)
{
    const zf_question *q = t->question;
    unsigned char *marks = calloc(t->columns + 1, 1);
    if (!marks) return zf_fail_memory(t->columns + 1);
    zf_status status = mark(t, marks, q->x, q->n_x, 0);
    if (status == ZF_OK) status = mark(t, marks, q->y, q->n_y, 1);
    if (status == ZF_OK) status = mark(t, marks, q->given, q->n_given, 2);
    free(marks);
    return status;
}

static zf_status check(const trial *t)
{
    const zf_question *q = t->question;
    size_t least = zf_independence_least_rows(q->n_given);
    if (q->n_x == 0 || q->n_y == 0)
        return zf_fail(ZF_EINVAL, "%s is empty, expected at least one column", q->n_x ? "y" : "x");
    if (t->options->draws < DRAWS_LEAST || t->options->draws > DRAWS_MOST)
        return zf_fail(ZF_EINVAL, "%llu draws of the null, expected %d to %d",
                       (unsigned long long)t->options->draws, DRAWS_LEAST, DRAWS_MOST);
    ZF_TRY(check_sets(t));
    if (t->rows >= least) return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "%zu rows, expected at least %zu to test independence given %zu column%s",
                   t->rows, least, q->n_given, q->n_given == 1 ? "" : "s");
}

static zf_status shapes(trial *t, zf_columns *out, zf_columns *scores, const int32_t *which,
                        size_t n)
{
    zf_chosen chosen = {t->values, t->rows, t->columns, which, n};
    ZF_TRY(zf_columns_scores(scores, &t->arena, &chosen));
    return zf_columns_shapes(out, &t->arena, scores);
}

/* A shape that is a function of what is given has no residual, but rounding errors, which
   must not be mistaken for one. */
static void silence(zf_columns *residuals)
{
    size_t rows = residuals->rows;
    for (size_t c = 0; c < residuals->count; c++) {
        double *column = zf_column_at(residuals, c);
        if (zf_column_dot(column, column, rows) < EXPLAINED * (double)rows)
            memset(column, 0, rows * sizeof *column);
    }
}

static int compare_columns(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* What curves and products explain of each shape, in units of what is left. */
static double *curved_means(trial *t, const zf_columns *shapes, const zf_columns *residuals,
                            const zf_regression *regression)
{
    const zf_given *given = &t->given;
    size_t count = shapes->count, rows = t->rows, linear = given->ends[0];
    double *out = zf_arena_get(&t->arena, (count + rows) * sizeof *out), *mean = out + count;
    for (size_t c = 0; out && c < count; c++) {
        const double *shape = zf_column_at(shapes, c), *residual = zf_column_at(residuals, c);
        double freedom = (double)rows - 1, left = zf_column_dot(residual, residual, rows);
        for (size_t i = 0; i < rows; i++) mean[i] = shape[i] - residual[i];
        double explained = zf_column_dot(mean, mean, rows);
        for (size_t j = 0; j < linear; j++) {
            double along = zf_column_dot(mean, zf_column_at(&given->basis, j), rows);
            explained -= along * along;
        }
        for (size_t j = 0; j < given->basis.count; j++)
            freedom -= zf_column_at(&regression->taken, c)[j];
        out[c] = left > 0 ? fmax(explained, 0) * fmax(freedom, 1) / (left * (double)rows) : 0;
    }
    return out;
}

/* A regression misses a small share of a curved mean. The sum of the products of what both sides
   miss is of no known sign, and goes with the root of the rows times both shares, which fall as
   rows grow; its square is allowed for as if it were variance. Noise of half the deviation of
   the means makes the deviation of an entry 1 % larger, noise of a fifth an eighth. */
static zf_status allow_for_means(trial *t, double *inflation)
{
    const double *x = curved_means(t, &t->x_shapes, &t->x, &t->x_taken);
    const double *y = curved_means(t, &t->y_shapes, &t->y, &t->y_taken);
    if (!x || !y) return ZF_ENOMEM;
    for (size_t i = 0; i < t->x.count; i++)
        for (size_t j = 0; j < t->y.count; j++)
            inflation[i * t->y.count + j] *= sqrt(1 + ALLOWANCE * x[i] * y[j]);
    return ZF_OK;
}

static zf_status take_residuals(trial *t, double **inflation)
{
    const zf_question *q = t->question;
    /* In the order of the table: the result must not depend on how the question was put. */
    int32_t *sorted = t->sorted = zf_arena_get(&t->arena, q->n_given * sizeof *sorted);
    if (!sorted) return ZF_ENOMEM;
    memcpy(sorted, q->given, q->n_given * sizeof *sorted);
    qsort(sorted, q->n_given, sizeof *sorted, compare_columns);
    zf_chosen given = {t->values, t->rows, t->columns, sorted, q->n_given};
    zf_columns first = t->x;
    if (first.count > FOLLOWED * ZF_SHAPES) first.count = FOLLOWED * ZF_SHAPES;
    ZF_TRY(zf_given_build(&t->given, &t->arena, &given, &first, q->n_y <= FOLLOWED ? &t->y : NULL,
                          t->options->seed));
    ZF_TRY(zf_columns_copy(&t->x_shapes, &t->arena, &t->x));
    ZF_TRY(zf_columns_copy(&t->y_shapes, &t->arena, &t->y));
    ZF_TRY(zf_pace_tell(&t->pace, 0, t->question->n_y));
    ZF_TRY(zf_given_residuals(&t->given, &t->x, &t->x_taken, &t->arena));
    ZF_TRY(zf_pace_tell(&t->pace, 0, t->question->n_y));
    ZF_TRY(zf_given_residuals(&t->given, &t->y, &t->y_taken, &t->arena));
    ZF_TRY(zf_pace_tell(&t->pace, 0, t->question->n_y));
    *inflation = zf_arena_get(&t->arena, t->x.count * t->y.count * sizeof **inflation);
    if (!*inflation) return ZF_ENOMEM;
    ZF_TRY(zf_given_inflation(*inflation, &t->x_taken, &t->y_taken));
    silence(&t->x);
    silence(&t->y);
    ZF_TRY(allow_for_means(t, *inflation));
    t->freedom = (double)t->rows - 1;
    for (size_t j = 0; j < t->given.plain; j++) t->freedom -= t->x_taken.taken.values[j];
    return ZF_OK;
}

/* Sets x and y to what is left of the variables; *inflation stays NULL if nothing is given. */
static zf_status take_away(trial *t, double **inflation)
{
    ZF_TRY(zf_lapack_open());
    ZF_TRY(shapes(t, &t->x, &t->x_scores, t->question->x, t->question->n_x));
    ZF_TRY(shapes(t, &t->y, &t->y_scores, t->question->y, t->question->n_y));
    t->freedom = (double)t->rows - 1;
    return t->question->n_given ? take_residuals(t, inflation) : ZF_OK;
}

static zf_status associate(trial *t)
{
    double *inflation = NULL;
    ZF_TRY(take_away(t, &inflation));
    zf_pairing pairing = {.x = t->x,
                          .y = t->y,
                          .modulators = t->given.modulators,
                          .inflation = inflation,
                          .draws = t->options->draws,
                          .seed = t->options->seed,
                          .crew = t->crew,
                          .pace = &t->pace};
    return zf_associate(&t->association, &t->arena, &pairing);
}

/* The largest share of a column of x that the shapes of one variable of y explain. */
static zf_status gain_of(double *out, const trial *t, size_t variable)
{
    size_t rows = t->rows;
    double cross[ZF_SHAPES * ZF_SHAPES], best = 0;
    const double *y = zf_column_at(&t->y, variable * ZF_SHAPES);
    zf_multiply(cross, (zf_factor){y, false}, (zf_factor){y, true}, ZF_SHAPES, ZF_SHAPES, rows, 1,
                0);
    ZF_TRY(zf_invert_symmetric(cross, ZF_SHAPES));
    for (size_t c = 0; c < t->x.count; c++) {
        const double *x = zf_column_at(&t->x, c);
        double reach[ZF_SHAPES], explained = 0, all = zf_column_dot(x, x, rows);
        zf_multiply(reach, (zf_factor){y, false}, (zf_factor){x, true}, ZF_SHAPES, 1, rows, 1, 0);
        for (size_t k = 0; k < ZF_SHAPES; k++)
            explained += reach[k] * zf_column_dot(cross + k * ZF_SHAPES, reach, ZF_SHAPES);
        if (all > 0) best = fmax(best, explained / all);
    }
    double left = t->freedom - ZF_SHAPES;
    *out = left > 0 ? fmin(1, fmax(0, 1 - (1 - best) * t->freedom / left)) : 0;
    return ZF_OK;
}

static void share_out(double *to, size_t stride, const double *excess, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += excess[i];
    for (size_t i = 0; i < n; i++) to[i * stride] = sum > 0 ? excess[i] / sum : 0;
}

/* The given variable that a modulator goes with most; -1: none of them clearly. Modulators are
   given variables themselves, or directions among them, which point either way: *sign is -1 where
   the modulator falls as the variable rises. */
static int32_t find_third(double *sign, const trial *t, size_t modulator)
{
    const double *along = zf_column_at(&t->given.modulators, modulator);
    double most = THIRD_LEAST;
    int32_t third = -1;
    *sign = 1;
    for (size_t k = 0; k < t->given.scores.count; k++) {
        const double *score = zf_column_at(&t->given.scores, k);
        double together = zf_column_dot(along, score, t->rows) / (double)t->rows;
        if (fabs(together) <= most) continue;
        most = fabs(together);
        *sign = together < 0 ? -1 : 1;
        third = t->sorted[k];
    }
    return third;
}

static zf_finding describe(const trial *t, size_t variable)
{
    const zf_strongest *s = &t->association.strongest[variable];
    int32_t x = t->question->x[s->x], y = t->question->y[variable];
    zf_finding found = {.x = x, .y = y, .effect = s->correlation, .bent = -1, .third = -1};
    zf_bent bent;
    double sign;
    if (!(fabs(s->correlation) > 0)) return found;
    if (s->modulator != SIZE_MAX) {
        found.form = ZF_FORM_INTERACTION;
        found.third = find_third(&sign, t, s->modulator);
        found.effect *= sign;
        return found;
    }
    found.form = zf_form_of(s->x_shape, s->y_shape, s->correlation, &bent);
    found.effect = zf_form_effect(s->x_shape, s->y_shape, s->correlation);
    if (bent != ZF_BENT_NEITHER) found.bent = bent == ZF_BENT_X ? x : y;
    return found;
}

/* A small p-value is no sign of dependence if what is left of both sides of the strongest pair
   still depends on what is given, and enough to make such a sign. */
static zf_status doubt(zf_independence *out, const trial *t)
{
    const zf_strongest *s = &t->association.strongest[t->association.top];
    size_t x = s->x * ZF_SHAPES + s->x_shape, y = t->association.top * ZF_SHAPES + s->y_shape;
    double missed[2], entry = sqrt((double)t->rows) * fabs(s->correlation);
    zf_fitted fitted[] = {
        {zf_column_at(&t->x_shapes, x), zf_column_at(&t->x, x), zf_column_at(&t->x_taken.taken, x)},
        {zf_column_at(&t->y_shapes, y), zf_column_at(&t->y, y),
         zf_column_at(&t->y_taken.taken, y)}};
    ZF_TRY(zf_missed(missed, &t->given, fitted, 2, t->options->seed));
    double both = missed[0] > 0 && missed[1] > 0 ? sqrt(missed[0] * missed[1]) : 0;
    out->cannot_tell = both > MISSED && both > MISSED_SHARE * fmin(entry, ENTRY_MOST);
    return ZF_OK;
}

static zf_status conclude(zf_independence *out, const trial *t)
{
    const zf_association *a = &t->association;
    const zf_question *q = t->question;
    uint64_t draws = t->options->draws;
    out->rows = t->rows;
    out->found = describe(t, a->top);
    out->effect = fabs(out->found.effect);
    out->statistic = (a->summary.linear[0] + a->summary.rest[0]) / (double)a->entries;
    out->x_share = malloc(q->n_x * sizeof *out->x_share);
    out->y = malloc(q->n_y * sizeof *out->y);
    if (!out->x_share || !out->y) return zf_fail_memory(q->n_y * sizeof *out->y);
    share_out(out->x_share, 1, a->x_excess, q->n_x);
    share_out(&out->y[0].share, sizeof *out->y / sizeof(double), a->y_excess, q->n_y);
    for (size_t j = 0; j < q->n_y; j++) {
        out->y[j].p_value = zf_association_y_p_value(a, draws, j);
        out->y[j].found = describe(t, j);
        ZF_TRY(gain_of(&out->y[j].gain, t, j));
    }
    ZF_TRY(zf_association_p_value(&out->p_value, a, draws));
    return out->p_value <= DOUBTED && q->n_given ? doubt(out, t) : ZF_OK;
}

static trial trial_of(const double *values, size_t rows, const char *const *names, size_t columns,
                      const zf_question *question, const zf_independence_options *options)
{
    return (trial){.values = values,
                   .rows = rows,
                   .columns = columns,
                   .names = names,
                   .question = question,
                   .options = options,
                   .pace = zf_pace_begin(&options->report, QUIET_SECONDS)};
}

zf_status zf_independence_test_sized(zf_independence *out, size_t size, const double *values,
                                     size_t rows, const char *const *names, size_t columns,
                                     const zf_question *question,
                                     const zf_independence_options *given)
{
    zf_independence_options known = zf_independence_defaults();
    const zf_independence_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "independence"));
    trial t = trial_of(values, rows, names, columns, question, options);
    zf_independence result = {0};
    ZF_TRY(check(&t));
    ZF_TRY(zf_crew_new(&t.crew, options->threads));
    zf_status status = associate(&t);
    if (status == ZF_OK) status = conclude(&result, &t);
    zf_crew_free(t.crew);
    zf_arena_free(&t.arena);
    if (status == ZF_OK)
        zf_give(out, size, &result, sizeof result);
    else
        zf_independence_free(&result);
    return status;
}

zf_status zf_independence_left(zf_left *out, zf_arena *arena, const double *values, size_t rows,
                               const char *const *names, size_t columns,
                               const zf_question *question, const zf_independence_options *options)
{
    trial t = trial_of(values, rows, names, columns, question, options);
    double *inflation = NULL;
    ZF_TRY(check(&t));
    zf_status status = take_away(&t, &inflation);
    *arena = t.arena;
    if (status == ZF_OK) *out = (zf_left){t.x, t.y, t.x_scores, t.y_scores, t.given, t.sorted};
    return status;
}

void zf_independence_free(zf_independence *result)
{
    free(result->x_share);
    free(result->y);
    result->x_share = NULL;
    result->y = NULL;
    zf_clear(result);
}
