/* Reconstruction: how much of an image its features keep.

     zf_reconstructor *decoder = NULL;
     zf_coded_images coded = {images, which, n, zf_view_defaults(), features, dim};
     status = zf_reconstruct_fit(&decoder, &coded, NULL);
     if (status == ZF_OK) status = zf_reconstruct_decode(decoder, pixels, features, 1, 1);
     zf_reconstructor_free(decoder);

   The decoder of the paper's appendix is trained from scratch to reconstruct images from fixed
   features of any network. What it cannot reconstruct, on images that it was not trained on, is not
   in the features, or not in a form that such a decoder can use.

   zf_reconstruct_decode may be called for one decoder from any number of threads at once; the other
   functions need exclusive access to the set of images. */
#ifndef ZEROFLOW_RECONSTRUCT_H
#define ZEROFLOW_RECONSTRUCT_H

#include <stddef.h>

#include "zeroflow/images.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_reconstructor zf_reconstructor;

/* Images of a set, whole and without noise but with the watermark of views, and the
   features of each. */
typedef struct zf_coded_images {
    zf_images *images;
    const uint32_t *which; /* [count], of the set */
    size_t count;
    zf_view_options views;
    const float *features; /* [count, dim] */
    size_t dim;
} zf_coded_images;

typedef struct zf_reconstruct_options {
    size_t struct_size;  /* zf_reconstruct_defaults sets it */
    uint64_t iterations; /* 3,000 */
    int batch;           /* images a step; 256, or as many as there are */
    double rate;         /* Adam's; 0.001, decays to 1/100 along a cosine */
    uint64_t seed;
    int threads; /* 0: all processors */
    zf_report report;
} zf_reconstruct_options;

ZF_API void zf_reconstruct_options_init(zf_reconstruct_options *options, size_t size);
static inline zf_reconstruct_options zf_reconstruct_defaults(void)
{
    zf_reconstruct_options options;
    zf_reconstruct_options_init(&options, sizeof options);
    return options;
}

/* Trains on these images. Features are brought to mean 0 and deviation 1 first, which
   changes what a decoder can learn from them as little as their unit does. ZF_EINVAL:
   invalid options or size. ZF_EINPUT: no image, features that are not finite.
   ZF_EINTERRUPT: the progress callback asked to stop. ZF_ENUMERIC: the loss is no longer finite. */
ZF_API zf_status zf_reconstruct_fit(zf_reconstructor **out, const zf_coded_images *train,
                                    const zf_reconstruct_options *options) ZF_CHECK;

/* Mean squared errors over all pixels and colours, which go from 0 to 1. */
typedef struct zf_reconstruct_error {
    double mse;  /* of the decoded images */
    double mean; /* of the mean of the training images, which needs no features */
} zf_reconstruct_error;

/* On any images of that size with features of that kind. */
ZF_API zf_status zf_reconstruct_measure(const zf_reconstructor *decoder, zf_reconstruct_error *out,
                                        const zf_coded_images *test, int threads) ZF_CHECK;

/* images[n, 3, size, size] of features [n, dim]. */
ZF_API zf_status zf_reconstruct_decode(const zf_reconstructor *decoder, float *images,
                                       const float *features, size_t n, int threads) ZF_CHECK;

ZF_API void zf_reconstructor_free(zf_reconstructor *decoder); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
