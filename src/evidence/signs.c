#include "evidence/signs.h"

#include <math.h>

#include "base/normal.h"
#include "criterion/form.h"
#include "evidence/sample.h"

enum { FIRST }; /* of the shapes */

static const double INTERACTION_SHARE = 0.12;

/* Of the first shapes of both, of all other shapes together, and of the first shapes by the lasso
   or together with it. */
typedef struct shares {
    double first, other, lasso;
} shares;
static const shares shares_of[] = {
    [ZF_HEAR_NOTHING] = {0.6, 0.28, 0},
    [ZF_HEAR_BESIDE] = {0.3, 0.28, 0.3},
    [ZF_HEAR_WITH_CARE] = {0.32, 0.28, 0.4},
    [ZF_HEAR_FULLY] = {0, 0.05, 0.95},
};

/* How many times surer a lasso that is heard with care may make a pair. */
static const double SURER_MOST = 30;

static const double CERTAIN = 1e-12; /* 1 - r^2 */

const zf_sign ZF_SIGN_NONE = {.p_value = INFINITY, .third = -1};

double zf_sign_deviations(double correlation, double shared, double freedom)
{
    double square = fmin(correlation * correlation, 1 - CERTAIN), degrees = fmax(1, freedom - 1);
    double wallace = (8 * degrees + 1) / (8 * degrees + 3);
    double inflation = fmax(1, shared - 2 * square);
    return copysign(wallace * sqrt(-degrees * log1p(-square) / inflation), correlation);
}

double zf_sign_share(size_t x_shape, size_t y_shape, zf_hearing hearing)
{
    if (x_shape == FIRST && y_shape == FIRST) return shares_of[hearing].first;
    return shares_of[hearing].other / (ZF_SHAPES * ZF_SHAPES - 1);
}

double zf_sign_share_lasso(zf_hearing hearing)
{
    return shares_of[hearing].lasso;
}

double zf_sign_interaction_share(size_t others)
{
    return INTERACTION_SHARE / (double)(ZF_INTERACTIONS * (others ? others : 1));
}

static void keep_stronger(zf_sign *best, zf_sign sign)
{
    if (!(sign.p_value < best->p_value)) return;
    sign.linear = best->linear;
    sign.linear_correlation = best->linear_correlation;
    *best = sign;
}

void zf_sign_weigh(zf_sign *best, double deviations, double share, zf_sign sign)
{
    sign.p_value = share > 0 ? zf_normal_two_sided(deviations) / share : INFINITY;
    keep_stronger(best, sign);
}

static double deviations_of(const zf_sign *sign)
{
    static const double SMALLEST = 1e-300;
    return sign->p_value < 1 ? -zf_normal_quantile(fmax(SMALLEST, sign->p_value) / 2) : 0;
}

zf_sign zf_sign_average(const zf_sign *signs, size_t n)
{
    zf_sign average = signs[0];
    double deviations = 0, linear = 0, correlation = 0;
    for (size_t k = 0; k < n; k++) {
        deviations += deviations_of(&signs[k]) / (double)n;
        linear += signs[k].linear / (double)n;
        correlation += signs[k].linear_correlation / (double)n;
        if (signs[k].p_value < average.p_value) average = signs[k];
    }
    average.p_value = zf_normal_two_sided(deviations);
    average.linear = linear;
    average.linear_correlation = correlation;
    return average;
}

void zf_sign_hear(zf_sign *sign, double lasso, double common, zf_hearing hearing)
{
    double together = (sign->linear + lasso) / sqrt(2 + 2 * common);
    double alone = zf_normal_two_sided(sign->linear), both = zf_normal_two_sided(together);
    zf_sign first = {.correlation = sign->linear_correlation, .third = -1};
    bool with_care = hearing == ZF_HEAR_WITH_CARE;
    double p = with_care ? fmax(both, alone / SURER_MOST) : zf_normal_two_sided(lasso);
    first.p_value = p / zf_sign_share_lasso(hearing);
    keep_stronger(sign, first);
}

zf_pair_evidence zf_sign_describe(const zf_sign *sign, int32_t x, int32_t y)
{
    zf_pair_evidence out = {.p_value = fmin(1, sign->p_value),
                            .q_value = 1,
                            .effect = sign->correlation,
                            .curved = -1,
                            .third = sign->third};
    zf_bent bent = ZF_BENT_NEITHER;
    if (!isfinite(sign->p_value)) return out;
    size_t x_shape = (size_t)sign->x_shape, y_shape = (size_t)sign->y_shape;
    if (sign->third >= 0) {
        out.form = ZF_FORM_INTERACTION;
    } else {
        out.form = zf_form_of(x_shape, y_shape, sign->correlation, &bent);
        out.effect = zf_form_effect(x_shape, y_shape, sign->correlation);
    }
    if (bent != ZF_BENT_NEITHER) out.curved = bent == ZF_BENT_X ? x : y;
    return out;
}
