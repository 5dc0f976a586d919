/* Padded planes and the vectors over them (conv_layout.h). */
#include "kernel/conv_layout.h"

/* Positions that a group of images has at least, where there are enough. */
enum { GROUP_POSITIONS = 1024 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* --- planes --------------------------------------------------------------------- */

/* One side: the distance from an image (row) to the next when `reach` places of
   it are read. Padding is shared where there is one phase. */
static int padded_side(int before, int size, int phases, int reach)
{
    if (phases == 1) return larger(before + size, reach - before);
    return larger((before + size + phases - 1) / phases, reach);
}

void zf_conv_lay_out(zf_conv_planes *in, int lanes)
{
    in->lanes = lanes;
    in->rows = padded_side(in->top, in->height, in->phases_h, in->reach_h);
    in->pitch = padded_side(in->left, in->width, in->phases_w, in->reach_w);
    in->image = (size_t)in->rows * (size_t)in->pitch;
    in->images = larger(1, GROUP_POSITIONS / (in->rows * in->pitch));
    size_t rows =
        (size_t)(in->images - 1) * (size_t)in->rows + (size_t)larger(in->rows, in->reach_h);
    in->plane = (rows * (size_t)in->pitch + (size_t)in->reach_w + (size_t)lanes + 15) / 16 * 16;
}

size_t zf_conv_planes_size(const zf_conv_planes *in)
{
    return zf_conv_plane_at(in, in->channels, 0);
}

size_t zf_conv_plane_at(const zf_conv_planes *in, int channel, int phase)
{
    size_t number = (size_t)channel * (size_t)(in->phases_h * in->phases_w) + (size_t)phase;
    return number * in->plane;
}

/* The places of one side that fall into a phase: every phases-th from `first`,
   which has the place `at` in the phase's plane. */
typedef struct places {
    int first, count, at;
} places;

static places places_of_phase(int before, int size, int phases, int phase)
{
    int first = (phase - before % phases + phases) % phases;
    return (places){.first = first,
                    .count = first < size ? (size - 1 - first) / phases + 1 : 0,
                    .at = (first + before) / phases};
}

static void fill_plane(const zf_conv_kernels *kernels, const zf_conv_planes *in, float *to,
                       const float *from, places v, places u)
{
    kernels->copy(&(zf_conv_copy){
        .to = to + (size_t)v.at * (size_t)in->pitch + (size_t)u.at,
        .from = from + (size_t)v.first * (size_t)in->width + (size_t)u.first,
        .to_pitch = (size_t)in->pitch,
        .to_step = 1,
        .from_pitch = (size_t)in->phases_h * (size_t)in->width,
        .from_step = (size_t)in->phases_w,
        .rows = v.count,
        .cols = u.count,
    });
}

static void fill_image(const zf_conv_kernels *kernels, const zf_conv_planes *in, float *to,
                       const float *image)
{
    size_t area = (size_t)in->height * (size_t)in->width;
    for (int a = 0; a < in->phases_h; a++)
        for (int b = 0; b < in->phases_w; b++) {
            places v = places_of_phase(in->top, in->height, in->phases_h, a);
            places u = places_of_phase(in->left, in->width, in->phases_w, b);
            for (int c = 0; c < in->channels; c++)
                fill_plane(kernels, in, to + zf_conv_plane_at(in, c, a * in->phases_w + b),
                           image + (size_t)c * area, v, u);
        }
}

void zf_conv_fill(const zf_conv_kernels *kernels, const zf_conv_planes *in, float *to,
                  const float *images, int n)
{
    size_t size = (size_t)in->channels * (size_t)in->height * (size_t)in->width;
    for (int i = 0; i < n; i++)
        fill_image(kernels, in, to + (size_t)i * in->image, images + (size_t)i * size);
}

/* --- vectors ------------------------------------------------------------------------ */

int zf_conv_flat_length(const zf_conv_target *to, const zf_conv_planes *in)
{
    int positions = (to->rows - 1) * in->pitch + to->cols;
    return (positions + in->lanes - 1) / in->lanes * in->lanes;
}

int zf_conv_vectors(const zf_conv_target *to, const zf_conv_planes *in)
{
    if (in->direct) return to->rows * (to->cols / in->lanes);
    return zf_conv_flat_length(to, in) / in->lanes;
}

void zf_conv_list_vectors(const zf_conv_target *to, const zf_conv_planes *in, int32_t *in_list,
                          int32_t *out_list)
{
    int flat = zf_conv_flat_length(to, in), n = 0;
    /* A flat image has its own place; elsewhere it is where it belongs. */
    int image = in->direct ? to->channels * to->height * to->width : flat;
    int first = in->direct ? to->row0 * to->width + to->col0 : 0;
    int runs = in->direct ? to->rows : 1;
    int run = in->direct ? to->cols : flat;
    for (int i = 0; i < in->images; i++)
        for (int y = 0; y < runs; y++)
            for (int x = 0; x < run; x += in->lanes, n++) {
                in_list[n] = (i * in->rows + to->first_row + y) * in->pitch + to->first_col + x;
                out_list[n] = i * image + first + y * to->row_step * to->width + x;
            }
}

void zf_conv_copy_out(const zf_conv_kernels *kernels, const zf_conv_target *to,
                      const zf_conv_planes *in, const float *flat, int n, bool accumulate,
                      float *result)
{
    size_t length = (size_t)zf_conv_flat_length(to, in);
    size_t area = (size_t)to->height * (size_t)to->width;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < to->channels; c++)
            kernels->copy(&(zf_conv_copy){
                .to = result + ((size_t)i * (size_t)to->channels + (size_t)c) * area +
                      (size_t)(to->row0 * to->width + to->col0),
                .from = flat + ((size_t)c * (size_t)in->images + (size_t)i) * length,
                .to_pitch = (size_t)(to->row_step * to->width),
                .to_step = (size_t)to->col_step,
                .from_pitch = (size_t)in->pitch,
                .from_step = 1,
                .rows = to->rows,
                .cols = to->cols,
                .accumulate = accumulate,
            });
}
