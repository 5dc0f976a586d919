/* The masked autoencoder: a vision transformer that sees some patches of an image and
   fills in the others (He et al., 2022), in the sizes of the paper, appendix F.

   An image [C, S, S] is cut into patches, patch x patch pixels of all channels: place p
   is row p / (S / patch) of the patches and column p % (S / patch); a patch is a vector of
   channel by channel, row by row. Blocks are pre-norm, with an MLP of four times the width
   and exact gelu. Letters: N images, V patches that are seen, M masked, P values of a
   patch.

   Exactly, and not by approximation, less is computed than the text says. Tokens of the
   decoder come in the order seen, masked, and are told apart by the positions that are
   added, so that nothing is put back into the order of the image. Of the last block only
   those tokens are computed whose result is used, the others only as keys and values: the
   class token in the encoder, the tokens of seen patches in the decoder. */
#ifndef ZF_NET_VIT_H
#define ZF_NET_VIT_H

#include "engine/program.h"
#include "net/image.h"

typedef struct zf_vit_shape {
    int patch;                                      /* pixels a side: 4 */
    int dim, blocks, heads;                         /* of the encoder: 192, 12, 3 */
    int decoder_dim, decoder_blocks, decoder_heads; /* 128, 2, 4 */
} zf_vit_shape;

zf_vit_shape zf_vit_defaults(void); /* the paper's */

/* ZF_EINVAL: something below 1, a width that is no multiple of its heads, an image that
   is no whole number of patches (and at least two). */
zf_status zf_vit_check(const zf_vit_shape *shape, const zf_image_shape *image) ZF_CHECK;

int zf_vit_places(const zf_vit_shape *shape, const zf_image_shape *image);
int zf_vit_values(const zf_vit_shape *shape, const zf_image_shape *image); /* P */

/* How many shards a batch is best cut into: work for two threads, if it has two rows. */
int zf_vit_shards(int rows);

/* Copies the patch at a place out of an image. */
void zf_vit_cut(float *patch, const float *image, int place, const zf_vit_shape *shape,
                const zf_image_shape *size);

/* The same as the encoder is to read it: pixels from 0 to 1 become numbers from -2 to 2, which
   in photographs have a mean near 0 and a deviation near 1. Told pixels as they are, of which
   the mean is most, it learns nothing but the mean image for hundreds of steps. */
void zf_vit_show(float *patch, const float *image, int place, const zf_vit_shape *shape,
                 const zf_image_shape *size);

/* patches [N, V, P] at these places (index [N, V]) give [N, V, dim], normed; the class
   token has taken part and is dropped. Parameters are encoder.*. */
zf_node *zf_vit_encoder(zf_node *patches, zf_node *places, const zf_vit_shape *shape,
                        const zf_image_shape *image);

/* What an image is represented by, [N, dim]: the mean over the tokens that the encoder
   gives, then layer norm without scale and shift. */
zf_node *zf_vit_features(zf_node *encoded);

/* The masked patches [N, M, P], from what was seen [N, V, dim] and where: places (index
   [N, V + M]) of the seen patches, then of the masked ones. Parameters are decoder.*. */
zf_node *zf_vit_decoder(zf_node *encoded, zf_node *places, const zf_vit_shape *shape,
                        const zf_image_shape *image);

#endif
