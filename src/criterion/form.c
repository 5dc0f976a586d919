#include "criterion/form.h"

#include <stdbool.h>

/* Shapes, in the order of zf_columns_shapes. */
enum { FIRST, SQUARE, CUBE, SINE, COSINE };

static bool is_even(size_t shape)
{
    return shape == SQUARE || shape == COSINE;
}

/* A square rises on both sides of the middle, a cosine falls. */
static double upward(size_t shape)
{
    return shape == COSINE ? -1 : 1;
}

double zf_form_effect(size_t x_shape, size_t y_shape, double correlation)
{
    return upward(x_shape) * upward(y_shape) * correlation;
}

zf_form zf_form_of(size_t x_shape, size_t y_shape, double correlation, zf_bent *bent)
{
    bool x_even = is_even(x_shape), y_even = is_even(y_shape);
    if (bent) *bent = ZF_BENT_NEITHER;
    if (x_even && y_even) return ZF_FORM_SPREAD;
    if (x_shape == FIRST && y_shape == FIRST)
        return correlation > 0 ? ZF_FORM_RISING : ZF_FORM_FALLING;
    if (x_even == y_even || (x_even ? y_shape : x_shape) != FIRST) return ZF_FORM_CURVED;
    if (bent) *bent = x_even ? ZF_BENT_Y : ZF_BENT_X;
    return zf_form_effect(x_shape, y_shape, correlation) > 0 ? ZF_FORM_VALLEY : ZF_FORM_HILL;
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
