/* Row kernels (kernel/rows.h). Rows are short enough to stay in the first cache,
   so each takes as many passes as its formula has steps. */
#include "kernel/rows.h"

#include <math.h>

#include "kernel/isa/fold.h"
#include "kernel/isa/math.h"

/* dx = or += value, the part that is left of a row. */
V_INLINE void put(float *dx, vfloat value, size_t left, bool fresh)
{
    if (!fresh) value += v_load_rest(dx, left);
    v_store_rest(dx, value, left);
}

/* --- softmax ------------------------------------------------------------------- */

static float largest_of(const float *x, size_t n)
{
    vfloat most = v_set(-INFINITY);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) most = v_max(most, v_load(x + i));
    if (i < n) most = v_max(most, v_keep_first(v_load_part(x + i, n - i), n - i, -INFINITY));
    return v_largest(most);
}

V_INLINE vfloat exp_above(vfloat x, vfloat unused, vfloat largest)
{
    (void)unused;
    return v_exp(x - largest);
}

static void softmax(float *y, const float *x, size_t rows, size_t columns)
{
    for (size_t n = 0; n < rows; n++, x += columns, y += columns) {
        vfloat largest = v_set(largest_of(x, columns)), sums = {0};
        for (size_t i = 0; i < columns; i += LANES) {
            vfloat e = v_exp(v_load_rest(x + i, columns - i) - largest);
            v_store_rest(y + i, e, columns - i);
            sums += columns - i < LANES ? v_keep_first(e, columns - i, 0.0f) : e;
        }
        float inverse = 1.0f / v_sum(sums);
        for (size_t i = 0; i < columns; i += LANES)
            v_store_rest(y + i, v_load_rest(y + i, columns - i) * inverse, columns - i);
    }
}

static void softmax_backward(float *dx, const float *dy, const float *y, size_t rows,
                             size_t columns, bool fresh)
{
    for (size_t n = 0; n < rows; n++, dx += columns, dy += columns, y += columns) {
        float dot = v_sum(v_fold(v_term_product, dy, y, v_set(0), columns));
        for (size_t i = 0; i < columns; i += LANES) {
            size_t left = columns - i;
            vfloat value = v_load_rest(y + i, left) * (v_load_rest(dy + i, left) - dot);
            put(dx + i, value, left, fresh);
        }
    }
}

/* --- layer norm ------------------------------------------------------------------ */

/* Of a scale or shift, which may not be there. */
V_INLINE vfloat affine_or(float otherwise, const float *affine, size_t i, size_t left)
{
    return affine ? v_load_rest(affine + i, left) : v_set(otherwise);
}

static void layer_norm(float *y, zf_row_moments *moments, const float *x, const float *scale,
                       const float *shift, float epsilon, size_t rows, size_t columns)
{
    float each = 1.0f / (float)columns;
    for (size_t n = 0; n < rows; n++, x += columns, y += columns) {
        float mean = each * v_sum(v_fold(v_term_first, x, x, v_set(0), columns));
        float variance = each * v_sum(v_fold(v_term_spread, x, x, v_set(mean), columns));
        float inverse = 1.0f / sqrtf(variance + epsilon);
        moments[n] = (zf_row_moments){mean, inverse};
        for (size_t i = 0; i < columns; i += LANES) {
            size_t left = columns - i;
            vfloat standard = (v_load_rest(x + i, left) - mean) * inverse;
            vfloat value = standard * affine_or(1, scale, i, left) + affine_or(0, shift, i, left);
            v_store_rest(y + i, value, left);
        }
    }
}

/* The gradients of scale and shift by one row. */
static void add_affine(float *d_scale, float *d_shift, const float *dy, const float *x,
                       zf_row_moments m, size_t columns)
{
    for (size_t i = 0; i < columns; i += LANES) {
        size_t left = columns - i;
        vfloat g = v_load_rest(dy + i, left);
        vfloat standard = (v_load_rest(x + i, left) - m.mean) * m.inverse_deviation;
        if (d_scale) put(d_scale + i, g * standard, left, false);
        if (d_shift) put(d_shift + i, g, left, false);
    }
}

/* The gradient of one row: with g = dy scale and s the standardised row,
   (g - mean(g) - s mean(g s)) / deviation. */
static void norm_row_backward(float *dx, const float *dy, const float *x, const float *scale,
                              zf_row_moments m, size_t columns, bool fresh)
{
    vfloat sums = {0}, dots = {0};
    for (size_t i = 0; i < columns; i += LANES) {
        size_t left = columns - i;
        vfloat g = v_load_rest(dy + i, left) * affine_or(1, scale, i, left);
        sums += g; /* 0 beyond the end, because dy is */
        dots += g * (v_load_rest(x + i, left) - m.mean);
    }
    float mean = v_sum(sums) / (float)columns;
    float pull = v_sum(dots) / (float)columns * m.inverse_deviation * m.inverse_deviation;
    for (size_t i = 0; i < columns; i += LANES) {
        size_t left = columns - i;
        vfloat g = v_load_rest(dy + i, left) * affine_or(1, scale, i, left);
        vfloat value = (g - mean - (v_load_rest(x + i, left) - m.mean) * pull);
        put(dx + i, value * m.inverse_deviation, left, fresh);
    }
}

static void layer_norm_backward(float *dx, float *d_scale, float *d_shift, const float *dy,
                                const float *x, const float *scale, const zf_row_moments *moments,
                                size_t rows, size_t columns, bool fresh)
{
    for (size_t n = 0; n < rows; n++) {
        size_t at = n * columns;
        if (d_scale || d_shift) add_affine(d_scale, d_shift, dy + at, x + at, moments[n], columns);
        if (dx) norm_row_backward(dx + at, dy + at, x + at, scale, moments[n], columns, fresh);
    }
}

/* --- normalisation ------------------------------------------------------------------ */

static void normalise(float *y, zf_row_norm *norms, const float *x, float epsilon, size_t rows,
                      size_t columns)
{
    for (size_t n = 0; n < rows; n++, x += columns, y += columns) {
        float norm = sqrtf(v_sum(v_fold(v_term_product, x, x, v_set(0), columns)));
        /* Written so that a NaN stays one. */
        bool tiny = norm < epsilon;
        norms[n] = (zf_row_norm){1.0f / (tiny ? epsilon : norm), tiny ? 0.0f : 1.0f};
        for (size_t i = 0; i < columns; i += LANES)
            v_store_rest(y + i, v_load_rest(x + i, columns - i) * norms[n].inverse, columns - i);
    }
}

static void normalise_backward(float *dx, const float *dy, const float *y, const zf_row_norm *norms,
                               size_t rows, size_t columns, bool fresh)
{
    for (size_t n = 0; n < rows; n++, dx += columns, dy += columns, y += columns) {
        float pull = norms[n].pull * v_sum(v_fold(v_term_product, dy, y, v_set(0), columns));
        for (size_t i = 0; i < columns; i += LANES) {
            size_t left = columns - i;
            vfloat value = v_load_rest(dy + i, left) - pull * v_load_rest(y + i, left);
            put(dx + i, value * norms[n].inverse, left, fresh);
        }
    }
}

/* --- cross-entropy ------------------------------------------------------------------- */

static double cross_entropy(zf_row_softmax *kept, const float *x, const int32_t *labels,
                            size_t rows, size_t columns)
{
    double total = 0;
    for (size_t n = 0; n < rows; n++, x += columns) {
        float largest = largest_of(x, columns);
        float sum = v_sum(v_fold(exp_above, x, x, v_set(largest), columns));
        kept[n] = (zf_row_softmax){largest, 1.0f / sum};
        bool known = labels[n] >= 0 && (size_t)labels[n] < columns;
        double chosen = known ? (double)x[labels[n]] : (double)NAN;
        total += log((double)sum) + ((double)largest - chosen);
    }
    return total;
}

static void cross_entropy_backward(float *dx, float factor, const float *x, const int32_t *labels,
                                   const zf_row_softmax *kept, size_t rows, size_t columns,
                                   bool fresh)
{
    for (size_t n = 0; n < rows; n++, dx += columns, x += columns) {
        bool known = labels[n] >= 0 && (size_t)labels[n] < columns;
        float scale = known ? factor * kept[n].inverse_sum : 0.0f;
        for (size_t i = 0; i < columns; i += LANES) {
            size_t left = columns - i;
            vfloat e = v_exp(v_load_rest(x + i, left) - kept[n].largest);
            put(dx + i, e * scale, left, fresh);
        }
        if (known) dx[labels[n]] -= factor;
    }
}

static void contrast(float *weight, float factor, const zf_contrast *contrast, size_t rows,
                     size_t columns)
{
    const float *x = contrast->similarity + contrast->first * columns;
    for (size_t n = 0; n < rows; n++, weight += columns, x += columns) {
        float largest = contrast->largest[contrast->first + n];
        float scale = factor * contrast->inverse_sum[contrast->first + n];
        for (size_t i = 0; i < columns; i += LANES) {
            size_t left = columns - i;
            vfloat s = v_load_rest(x + i, left);
            vfloat own = v_exp(s - largest) * scale;
            vfloat other = v_exp(s - v_load_rest(contrast->largest + i, left)) *
                           v_load_rest(contrast->inverse_sum + i, left);
            v_store_rest(weight + i, own + other * factor, left);
        }
    }
}

const zf_rows_kernels ZF_TABLE(zf_rows) = {
    .softmax = softmax,
    .softmax_backward = softmax_backward,
    .layer_norm = layer_norm,
    .layer_norm_backward = layer_norm_backward,
    .normalise = normalise,
    .normalise_backward = normalise_backward,
    .cross_entropy = cross_entropy,
    .cross_entropy_backward = cross_entropy_backward,
    .contrast = contrast,
};
