/* The portrait of what a test of independence has found, from the residuals of that test. */
#include <math.h>

#include "base/error.h"
#include "base/grow.h"
#include "criterion/independence.h"
#include "criterion/portrait.h"

/* A variable of the question. ZF_EINVAL: it is neither in x nor in y. */
static zf_status find_sitter(zf_sitter *out, const zf_left *left, const zf_question *q,
                             int32_t column)
{
    for (size_t i = 0; i < q->n_x + q->n_y; i++) {
        bool in_x = i < q->n_x;
        size_t at = in_x ? i : i - q->n_x;
        if ((in_x ? q->x : q->y)[at] != column) continue;
        const zf_columns *shapes = in_x ? &left->x : &left->y;
        *out = (zf_sitter){column, zf_column_at(shapes, at * ZF_SHAPES),
                           zf_column_at(shapes, at * ZF_SHAPES + 1),
                           zf_column_at(in_x ? &left->x_scores : &left->y_scores, at)};
        if (q->n_given == 0) out->score = out->left; /* nothing was taken from it */
        return ZF_OK;
    }
    return zf_fail(ZF_EINVAL, "column %ld of a finding is not among those in question",
                   (long)column);
}

/* The modulator with which the two make the largest entry, as in the test; NULL: there is none. */
static const double *strongest_modulator(const zf_columns *modulators, const double *a,
                                         const double *b)
{
    const double *found = NULL;
    double most = -1;
    for (size_t m = 0; m < modulators->count; m++) {
        const double *modulator = zf_column_at(modulators, m);
        double sum = 0, squares = 0;
        for (size_t i = 0; i < modulators->rows; i++) {
            double product = a[i] * b[i] * modulator[i];
            sum += product;
            squares += product * product;
        }
        double entry = squares > 0 ? fabs(sum) / sqrt(squares) : 0;
        if (entry <= most) continue;
        most = entry;
        found = modulator;
    }
    return found;
}

/* What the slope changes with: the third variable or, where it is none of them alone, what the
   test has found among their directions. */
static const double *turning_of(const zf_left *left, const zf_question *q, const zf_sitting *s)
{
    if (s->form != ZF_FORM_INTERACTION) return NULL;
    for (size_t k = 0; s->third >= 0 && k < q->n_given; k++)
        if (left->sorted[k] == s->third) return zf_column_at(&left->given.scores, k);
    return strongest_modulator(&left->given.modulators, s->across.left, s->up.left);
}

static zf_status sit(zf_portrait *out, const zf_left *left, const zf_question *q, size_t rows,
                     const zf_finding *found)
{
    bool turned = found->bent >= 0 && found->bent == found->x; /* it is a function of y */
    zf_sitting s = {.form = found->form, .third = found->third, .rows = rows};
    ZF_TRY(find_sitter(&s.across, left, q, turned ? found->y : found->x));
    ZF_TRY(find_sitter(&s.up, left, q, turned ? found->x : found->y));
    s.turning = turning_of(left, q, &s);
    return zf_portrait_make(out, &s);
}

zf_status zf_independence_portrait_sized(zf_portrait *out, size_t size, const double *values,
                                         size_t rows, const char *const *names, size_t columns,
                                         const zf_question *question, const zf_finding *found,
                                         const zf_independence_options *given)
{
    zf_independence_options known = zf_independence_defaults();
    const zf_independence_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "independence"));
    zf_arena arena = {0};
    zf_left left;
    zf_status status =
        zf_independence_left(&left, &arena, values, rows, names, columns, question, options);
    zf_portrait portrait = {0};
    if (status == ZF_OK) status = sit(&portrait, &left, question, rows, found);
    if (status == ZF_OK) zf_give(out, size, &portrait, sizeof portrait);
    zf_arena_free(&arena);
    return status;
}
