/* Channel kernels (kernel/channels.h).

   Two layouts, two ways: with space = 1 a vector holds neighbouring channels
   and goes down the rows; otherwise it holds neighbouring points of one channel
   and that channel's constants are spread over it. */
#include "kernel/channels.h"

#include "kernel/isa/fold.h"

V_INLINE vfloat distance(vfloat x, vfloat unused, vfloat mean)
{
    (void)unused;
    return x - mean;
}

V_INLINE vfloat times_distance(vfloat dy, vfloat x, vfloat mean)
{
    return dy * (x - mean);
}

/* --- sums down the rows, LANES channels at a time -------------------------------- */

enum { ROW_BLOCK = 64 };

typedef struct lanes {
    double v[LANES];
} lanes;

/* The sums over rows of a term, for the `left` channels at a and b (or as many
   as a vector holds). Blocks of rows are added in double. */
V_INLINE lanes sum_down(v_term *term, const float *a, const float *b, vfloat mean, size_t left,
                        zf_channels_shape shape)
{
    lanes total = {{0}};
    for (size_t first = 0; first < shape.rows; first += ROW_BLOCK) {
        size_t last = shape.rows - first < ROW_BLOCK ? shape.rows : first + ROW_BLOCK;
        vfloat block = {0};
        for (size_t n = first; n < last; n++) {
            size_t at = n * shape.channels;
            block += term(v_load_rest(a + at, left), v_load_rest(b + at, left), mean);
        }
        for (int k = 0; k < LANES; k++) total.v[k] += (double)block[k];
    }
    return total;
}

static void put_lanes(double *to, lanes from, size_t left)
{
    for (size_t k = 0; k < LANES && k < left; k++) to[k] = from.v[k];
}

/* A first pass finds the mean as a float, a second one what that is off by and
   the spread around it; then the mean is moved to where it belongs. */
static void settle(double *mean, double *spread, float centre, double distances, double squares,
                   double points)
{
    *mean = (double)centre + distances / points;
    *spread = squares - distances * (distances / points);
}

static void column_moments(double *mean, double *spread, const float *x, zf_channels_shape shape)
{
    double points = (double)shape.rows;
    for (size_t c = 0; c < shape.channels; c += LANES) {
        const float *from = x + c;
        size_t left = shape.channels - c;
        lanes sums = sum_down(v_term_first, from, from, v_set(0), left, shape);
        vfloat centre;
        for (int k = 0; k < LANES; k++) centre[k] = (float)(sums.v[k] / points);
        lanes distances = sum_down(distance, from, from, centre, left, shape);
        lanes squares = sum_down(v_term_spread, from, from, centre, left, shape);
        for (size_t k = 0; k < LANES && k < left; k++)
            settle(mean + c + k, spread + c + k, centre[k], distances.v[k], squares.v[k], points);
    }
}

static void column_sums(double *sums, double *dots, const float *dy, const float *x,
                        const float *mean, zf_channels_shape shape)
{
    for (size_t c = 0; c < shape.channels; c += LANES) {
        size_t left = shape.channels - c;
        vfloat centre = v_load_rest(mean + c, left);
        put_lanes(sums + c, sum_down(v_term_first, dy + c, dy + c, centre, left, shape), left);
        put_lanes(dots + c, sum_down(times_distance, dy + c, x + c, centre, left, shape), left);
    }
}

/* --- sums over the points of a channel --------------------------------------------- */

static void image_moments(double *mean, double *spread, const float *x, zf_channels_shape shape)
{
    double points = (double)shape.rows * (double)shape.space;
    size_t row = shape.channels * shape.space;
    for (size_t c = 0; c < shape.channels; c++, x += shape.space) {
        double sum = 0, distances = 0, squares = 0;
        for (size_t n = 0; n < shape.rows; n++)
            sum += v_fold_double(v_term_first, x + n * row, x + n * row, 0, shape.space);
        float centre = (float)(sum / points);
        for (size_t n = 0; n < shape.rows; n++) {
            const float *from = x + n * row;
            distances += v_fold_double(distance, from, from, centre, shape.space);
            squares += v_fold_double(v_term_spread, from, from, centre, shape.space);
        }
        settle(mean + c, spread + c, centre, distances, squares, points);
    }
}

static void image_sums(double *sums, double *dots, const float *dy, const float *x,
                       const float *mean, zf_channels_shape shape)
{
    size_t row = shape.channels * shape.space;
    for (size_t c = 0; c < shape.channels; c++, x += shape.space, dy += shape.space) {
        double sum = 0, dot = 0;
        for (size_t n = 0; n < shape.rows; n++) {
            const float *g = dy + n * row;
            sum += v_fold_double(v_term_first, g, g, 0, shape.space);
            dot += v_fold_double(times_distance, g, x + n * row, mean[c], shape.space);
        }
        sums[c] = sum;
        dots[c] = dot;
    }
}

static void moments(double *mean, double *spread, const float *x, zf_channels_shape shape)
{
    (shape.space == 1 ? column_moments : image_moments)(mean, spread, x, shape);
}

static void backward_sums(double *sums, double *dots, const float *dy, const float *x,
                          const float *mean, zf_channels_shape shape)
{
    (shape.space == 1 ? column_sums : image_sums)(sums, dots, dy, x, mean, shape);
}

/* --- applying -------------------------------------------------------------------------- */

static void apply(float *y, const float *x, const float *mean, const float *factor,
                  const float *shift, zf_channels_shape shape)
{
    size_t c_step = shape.space == 1 ? LANES : 1;
    for (size_t n = 0; n < shape.rows; n++)
        for (size_t c = 0; c < shape.channels; c += c_step) {
            size_t left = shape.channels - c, at = (n * shape.channels + c) * shape.space;
            if (shape.space == 1) {
                vfloat v = v_load_rest(x + at, left) - v_load_rest(mean + c, left);
                v = v * v_load_rest(factor + c, left) + v_load_rest(shift + c, left);
                v_store_rest(y + at, v, left);
                continue;
            }
            for (size_t i = 0; i < shape.space; i += LANES) {
                vfloat v = v_load_rest(x + at + i, shape.space - i) - mean[c];
                v_store_rest(y + at + i, v * factor[c] + shift[c], shape.space - i);
            }
        }
}

/* A vector of the gradient; the constants are vectors of channels or one channel's. */
V_INLINE void pull(float *dx, const float *dy, const float *x, vfloat mean, vfloat factor,
                   vfloat level, vfloat slope, size_t left, bool fresh)
{
    vfloat v = factor * v_load_rest(dy, left) - level;
    v -= slope * (v_load_rest(x, left) - mean);
    if (!fresh) v += v_load_rest(dx, left);
    v_store_rest(dx, v, left);
}

static void backward_apply(float *dx, const float *dy, const float *x, const float *mean,
                           const float *factor, const float *level, const float *slope,
                           zf_channels_shape shape, bool fresh)
{
    size_t c_step = shape.space == 1 ? LANES : 1;
    for (size_t n = 0; n < shape.rows; n++)
        for (size_t c = 0; c < shape.channels; c += c_step) {
            size_t left = shape.channels - c, at = (n * shape.channels + c) * shape.space;
            if (shape.space == 1) {
                pull(dx + at, dy + at, x + at, v_load_rest(mean + c, left),
                     v_load_rest(factor + c, left), v_load_rest(level + c, left),
                     v_load_rest(slope + c, left), left, fresh);
                continue;
            }
            for (size_t i = 0; i < shape.space; i += LANES)
                pull(dx + at + i, dy + at + i, x + at + i, v_set(mean[c]), v_set(factor[c]),
                     v_set(level[c]), v_set(slope[c]), shape.space - i, fresh);
        }
}

const zf_channels_kernels ZF_TABLE(zf_channels) = {
    .moments = moments,
    .apply = apply,
    .backward_sums = backward_sums,
    .backward_apply = backward_apply,
};
