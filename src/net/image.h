/* The networks of images: an encoder to L numbers, a decoder back to an image, and
   the velocity of a flow between images. Those of the paper, appendix F.

   Images are [N, C, S, S]: colours and, behind them, further planes that are the same
   in all views of an image. Convolutions are 3x3 and keep the size; between layers is
   relu. Parameters are initialised as PyTorch does. */
#ifndef ZF_NET_IMAGE_H
#define ZF_NET_IMAGE_H

#include "engine/program.h"
#include "op/ops.h"

typedef struct zf_image_shape {
    int channels; /* C: 3 and one more for each further plane */
    int size;     /* S: pixels a side, a multiple of 4 and at least 16 */
    int hidden;   /* channels of the convolutions; 16 in the paper */
    int dim;      /* L */
} zf_image_shape;

/* ZF_EINVAL: a size that the decoder cannot double its way to, or something below 1. */
zf_status zf_image_shape_check(const zf_image_shape *shape) ZF_CHECK;

/* How many shards a batch of images is best cut into: those that the domain of an
   encoder's input should have, and that a decoder's result has. A code has few. */
int zf_image_shards(int rows, int size);

/* x [N, C, S, S] gives [N, L]: convolutions C-hidden-hidden-1 (encoder.0 to .2), then a
   linear layer from all pixels (encoder.3). */
zf_node *zf_image_encoder(zf_node *x, const zf_image_shape *shape);

/* code [N, L] gives an image [N, C, S, S] with values in (0, 1): a linear layer (NAME.0)
   to 64 channels, and transposed convolutions (NAME.1, ...) that double the side and halve
   the channels. Batch norm and relu behind each but the last, which has C channels and a
   sigmoid. The first side is what halving S leaves, as long as it is even and 4 or more
   come out: 4 for 16, 32 and 64 pixels, 6 for 48 and 96.

   Before a batch norm there is no bias, which it would take away again. */
zf_node *zf_image_decoder(zf_node *code, const char *name, const zf_image_shape *shape);

/* The velocity [N, C, S, S] at a point of a way: convolutions 3C+1-hidden-hidden-C (velocity.0
   to .2) of [N, 3C + 1, S, S]: x_t, y, a plane of t, and what the code of the own row tells,
   or that of the other (zf_flow_input). */
zf_node *zf_image_velocity(zf_flow_point point, zf_node *told, bool of_other,
                           const zf_image_shape *shape);
/* The sum of squares of that velocity less a target, or less 0 if that is NULL. */
zf_node *zf_image_velocity_error(zf_flow_point point, zf_node *told, bool of_other, zf_node *target,
                                 const zf_image_shape *shape);

#endif
