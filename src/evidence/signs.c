#include "evidence/signs.h"

#include <math.h>

#include "base/normal.h"

/* Shapes, in the order of zf_columns_bounded_shapes: how an even one bends. */
enum { FIRST, SQUARE, CUBE, SINE, COSINE };

static const double FIRST_SHARE = 0.6, OTHER_SHARE = 0.28, INTERACTION_SHARE = 0.12;

const zf_sign ZF_SIGN_NONE = {.p_value = INFINITY, .third = -1};

double zf_sign_share(size_t x_shape, size_t y_shape)
{
    if (x_shape == FIRST && y_shape == FIRST) return FIRST_SHARE;
    return OTHER_SHARE / (ZF_SHAPES * ZF_SHAPES - 1);
}

double zf_sign_interaction_share(size_t others)
{
    return INTERACTION_SHARE / (double)(others ? others : 1);
}

void zf_sign_weigh(zf_sign *best, double deviations, double share, zf_sign sign)
{
    sign.p_value = zf_normal_two_sided(deviations) / share;
    if (sign.p_value < best->p_value) *best = sign;
}

static bool is_even(int shape)
{
    return shape == SQUARE || shape == COSINE;
}

/* A square rises on both sides of the middle, a cosine falls. */
static double upward(int shape, double correlation)
{
    return shape == COSINE ? -correlation : correlation;
}

zf_pair_evidence zf_sign_describe(const zf_sign *sign, int32_t x, int32_t y)
{
    zf_pair_evidence out = {.p_value = fmin(1, sign->p_value),
                            .q_value = 1,
                            .effect = sign->correlation,
                            .curved = -1,
                            .third = sign->third};
    bool x_even = is_even(sign->x_shape), y_even = is_even(sign->y_shape);
    if (!isfinite(sign->p_value)) return out;
    if (sign->third >= 0) {
        out.form = ZF_FORM_INTERACTION;
    } else if (x_even && y_even) {
        out.form = ZF_FORM_SPREAD;
    } else if (x_even != y_even) {
        int even = x_even ? sign->x_shape : sign->y_shape;
        out.form = upward(even, sign->correlation) > 0 ? ZF_FORM_VALLEY : ZF_FORM_HILL;
        out.curved = x_even ? y : x;
        if ((x_even ? sign->y_shape : sign->x_shape) != FIRST) out.form = ZF_FORM_CURVED;
    } else if (sign->x_shape == FIRST && sign->y_shape == FIRST) {
        out.form = sign->correlation > 0 ? ZF_FORM_RISING : ZF_FORM_FALLING;
    } else {
        out.form = ZF_FORM_CURVED;
    }
    if (out.form == ZF_FORM_CURVED) out.curved = -1;
    return out;
}

const char *zf_form_name(zf_form form)
{
    static const char *const names[] = {
        [ZF_FORM_NONE] = "none",       [ZF_FORM_RISING] = "rising",
        [ZF_FORM_FALLING] = "falling", [ZF_FORM_VALLEY] = "U-shaped",
        [ZF_FORM_HILL] = "hill",       [ZF_FORM_SPREAD] = "spread",
        [ZF_FORM_CURVED] = "curved",   [ZF_FORM_INTERACTION] = "interaction",
    };
    return names[form];
}
