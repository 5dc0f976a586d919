/* For conv.c only: how images are laid out for the inner kernels, and where
   results go.

   Images are copied, a small group at a time, into zero-padded planes. Element
   (y, x) of an image lies in phase ((y + top) % phases_h, (x + left) % phases_w),
   at row (y + top) / phases_h and column (x + left) / phases_w of that phase's
   plane. With a stride there are as many phases, so that neighbouring outputs
   read neighbouring inputs for every tap. Rows share their padding: the zeros
   left of a row are those right of the row before it, and the same goes for
   the images of a group, one below the other.

   Where a row of the output is a whole number of vectors, they are written in
   place (direct). Elsewhere a vector runs on over the end of a row into the next
   one, garbage falls into the padding columns, and the good columns are copied
   out (flat).

   Rejected: a plane for each column of the kernel, shifted by it and as wide as
   the output, which makes whole images contiguous and leaves no garbage. It
   gains a third at 4x4 with AVX-512, but nothing at 8x8 (75 % of the sgemm peak
   either way), and loses 5 % at 28x28, because three times as much is copied and
   cached. */
#ifndef ZF_KERNEL_CONV_LAYOUT_H
#define ZF_KERNEL_CONV_LAYOUT_H

#include "kernel/conv.h"

/* Result (y, x), y < rows, x < cols, is computed at row first_row + y and column
   first_col + x of the padded planes, and belongs to row row0 + y row_step and
   column col0 + x col_step of an image of `channels` planes of height x width. */
typedef struct zf_conv_target {
    int rows, cols, first_row, first_col;
    int row0, row_step, col0, col_step;
    int channels, height, width;
} zf_conv_target;

typedef struct zf_conv_planes {
    /* Set by the caller. */
    int channels, height, width; /* of an image */
    int top, left;
    int phases_h, phases_w;
    int reach_h, reach_w; /* places of a phase that are read, padding included */
    bool direct;

    /* Set by zf_conv_lay_out. */
    int lanes;
    int rows, pitch; /* of one image in a plane */
    int images;      /* in a group */
    size_t image;    /* floats from one to the next */
    size_t plane;    /* floats */
} zf_conv_planes;

void zf_conv_lay_out(zf_conv_planes *in, int lanes);
size_t zf_conv_planes_size(const zf_conv_planes *in); /* floats */
/* Where the plane of a channel and phase begins. */
size_t zf_conv_plane_at(const zf_conv_planes *in, int channel, int phase);

/* Copies n images into planes that were cleared once; borders are not written. */
void zf_conv_fill(const zf_conv_kernels *kernels, const zf_conv_planes *in, float *to,
                  const float *images, int n);

/* Vectors of an image; and the lists of a whole group. */
int zf_conv_vectors(const zf_conv_target *to, const zf_conv_planes *in);
void zf_conv_list_vectors(const zf_conv_target *to, const zf_conv_planes *in, int32_t *in_list,
                          int32_t *out_list);

/* Positions of one image when vectors run over the ends of rows; and from the flat planes
   [channel][image][position] to n images. */
int zf_conv_flat_length(const zf_conv_target *to, const zf_conv_planes *in);
void zf_conv_copy_out(const zf_conv_kernels *kernels, const zf_conv_target *to,
                      const zf_conv_planes *in, const float *flat, int n, bool accumulate,
                      float *result);

#endif
