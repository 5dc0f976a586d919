/* Moving an image between planes, pixels and patches (conv_product.h). */
#include "kernel/conv_product.h"

#include "kernel/dispatch.h"
#include "kernel/isa/lanes.h"

/* A square of a matrix, as much of it as there is: rows `pitch` apart. */
V_INLINE void load_square(vfloat square[LANES], const float *from, size_t pitch, size_t rows,
                          size_t columns)
{
    for (size_t i = 0; i < LANES; i++)
        square[i] = i < rows ? v_load_rest(from + i * pitch, columns) : v_set(0);
}

static void to_pixels(float *pixels, const float *planes, size_t channels, size_t n)
{
    vfloat square[LANES];
    for (size_t c = 0; c < channels; c += LANES)
        for (size_t i = 0; i < n; i += LANES) {
            load_square(square, planes + c * n + i, n, channels - c, n - i);
            transpose(square);
            for (size_t k = 0; k < LANES && k < n - i; k++)
                v_store_rest(pixels + (i + k) * channels + c, square[k], channels - c);
        }
}

static void to_planes(float *planes, const float *pixels, const float *bias, size_t channels,
                      size_t n, bool accumulate)
{
    vfloat square[LANES];
    for (size_t c = 0; c < channels; c += LANES)
        for (size_t i = 0; i < n; i += LANES) {
            load_square(square, pixels + i * channels + c, channels, n - i, channels - c);
            transpose(square);
            for (size_t k = 0; k < LANES && k < channels - c; k++) {
                float *to = planes + (c + k) * n + i;
                vfloat value = square[k] + (bias ? bias[c + k] : 0.0f);
                if (accumulate) value += v_load_rest(to, n - i);
                v_store_rest(to, value, n - i);
            }
        }
}

/* The taps of a row of the kernel that are inside: first to end. */
typedef struct inside {
    int first, end;
} inside;

static inside inside_of(int begin, int taps, int size)
{
    int first = begin >= 0 ? 0 : -begin < taps ? -begin : taps;
    int end = size - begin < taps ? size - begin : taps;
    return (inside){first, end > first ? end : first};
}

V_INLINE void copy_run(float *to, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) v_store_rest(to + i, v_load_rest(from + i, n - i), n - i);
}

V_INLINE void add_run(float *to, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        v_store_rest(to + i, v_load_rest(to + i, n - i) + v_load_rest(from + i, n - i), n - i);
}

V_INLINE void clear_run(float *to, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) v_store_rest(to + i, v_set(0), n - i);
}

static void gather(const zf_product_runs *r, float *patches, const float *pixels)
{
    size_t c = (size_t)r->c, run = (size_t)r->kw * c;
    for (int a = 0; a < r->oh; a++)
        for (int b = 0; b < r->ow; b++) {
            int left = b * r->stride_w - r->padding_w;
            inside across = inside_of(left, r->kw, r->w);
            size_t before = (size_t)across.first * c, end = (size_t)across.end * c;
            for (int k = 0; k < r->kh; k++, patches += run) {
                int row = a * r->stride_h - r->padding_h + k;
                if (row < 0 || row >= r->h) {
                    clear_run(patches, run);
                    continue;
                }
                clear_run(patches, before);
                copy_run(patches + before, pixels + (size_t)(row * r->w + left + across.first) * c,
                         end - before);
                clear_run(patches + end, run - end);
            }
        }
}

static void scatter(const zf_product_runs *r, float *pixels, const float *patches)
{
    size_t c = (size_t)r->c, run = (size_t)r->kw * c;
    clear_run(pixels, (size_t)(r->h * r->w) * c);
    for (int a = 0; a < r->oh; a++)
        for (int b = 0; b < r->ow; b++) {
            int left = b * r->stride_w - r->padding_w;
            inside across = inside_of(left, r->kw, r->w);
            size_t before = (size_t)across.first * c, end = (size_t)across.end * c;
            for (int k = 0; k < r->kh; k++, patches += run) {
                int row = a * r->stride_h - r->padding_h + k;
                if (row >= 0 && row < r->h)
                    add_run(pixels + (size_t)(row * r->w + left + across.first) * c,
                            patches + before, end - before);
            }
        }
}

const zf_product_kernels ZF_TABLE(zf_product_kernels_of) = {
    .to_pixels = to_pixels,
    .to_planes = to_planes,
    .gather = gather,
    .scatter = scatter,
};
