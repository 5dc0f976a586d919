/* Self-supervised learning on images: an encoder that turns an image into a few
   hundred numbers, its features, learnt without labels from pairs of views
   (zeroflow/images.h).

     zf_vision *model = NULL;
     status = zf_pretrain(&model, NULL, images, NULL);
     if (status == ZF_OK) status = zf_vision_save(model, "vision.model");
     if (status == ZF_OK) status = zf_vision_encode(model, features, pixels, 1, 1); // one image
     zf_vision_free(model);

   The zero-flow criterion makes f(y) sufficient: it tells all that one view y of an image tells
   about another view x. The flow from x to another image's x', given y and f(y'), is trained as a
   rectified flow, and required to be zero at t = 0.5 when given y and f(y). SimCLR and a masked
   autoencoder are the methods that the paper compares with, on the same images and views.

   Functions that take a const model may be called for one model from any number of threads at
   once; one image is encoded and decoded on the calling thread and waits for no other. Use a set of
   images from one thread at a time. */
#ifndef ZEROFLOW_VISION_H
#define ZEROFLOW_VISION_H

#include <stddef.h>

#include "zeroflow/images.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_vision zf_vision;

/* Training method. */
typedef enum zf_vision_method {
    ZF_VISION_ZEROFLOW, /* the code of a view is sufficient for the other view */
    ZF_VISION_SIMCLR,   /* codes of two views are closer than those of two images */
    ZF_VISION_MAE,      /* a vision transformer that fills in masked patches */
} zf_vision_method;

ZF_API const char *zf_vision_method_name(zf_vision_method method); /* "zeroflow", ... */

enum {
    ZF_VISION_BITS_MOST = 64,
    ZF_VISION_DIM_MOST = 1 << 14,
    ZF_VISION_BLOCKS_MOST = 256,
    ZF_VISION_WATCHES_MOST = 10000, /* validations on held-out images in a training */
};

typedef struct zf_pretrain_options {
    size_t struct_size; /* zf_pretrain_defaults sets it */
    zf_vision_method method;
    int dim;    /* number of features of an image; 512; for MAE the width of the transformer, 192 */
    int hidden; /* channels of the convolutions; 16 */
    int patch, blocks, heads; /* MAE: pixels a side of a patch, 4; of the transformer, 12 and 3 */
    int decoder_dim, decoder_blocks, decoder_heads; /* MAE: 128, 2, 4 */
    uint64_t iterations;
    int batch;          /* images a step, no more than there are; 256, MAE 128 */
    double rate;        /* Adam's; 0.001 */
    double decay;       /* of the weights; 0, MAE 0.05 */
    double zero_weight; /* zero-flow: of the zero-flow term; 0.1 */
    double temperature; /* SimCLR; 0.1 */
    double masked;      /* MAE: share of the patches; 0.75 */
    int bits; /* random bits of each image, the same in all its views, as planes after the colours:
                 to study shortcuts; 0 */
    zf_view_options views;  /* with the watermark; its seed goes for the bits too */
    uint64_t seed;          /* of everything else */
    int threads;            /* 0: all processors */
    const char *checkpoint; /* written regularly and at the end; NULL: none */
    uint64_t every;         /* iterations between checkpoints */
    bool resume;            /* continue from the checkpoint if there is one */
    zf_images *held_out;    /* images with labels, which are classified by their nearest
                               neighbours among those trained on, to see how good the features are;
                               NULL: none. Does not affect what is learnt. */
    uint64_t watch_every;   /* iterations between two such validations; there is one at the end */
    const char *history;    /* CSV file of zf_vision_history_..., written every few seconds and
                               at the end; NULL: none */
    zf_report report;
} zf_pretrain_options;

/* The paper's, for each method. */
ZF_API void zf_pretrain_options_init(zf_pretrain_options *options, size_t size,
                                     zf_vision_method method);
static inline zf_pretrain_options zf_pretrain_defaults(zf_vision_method method)
{
    zf_pretrain_options options;
    zf_pretrain_options_init(&options, sizeof options, method);
    return options;
}

/* Summary of a training. */
typedef struct zf_pretrain_summary {
    uint64_t iterations, resumed_from;
    uint64_t saved; /* iteration of the last checkpoint that could be written; 0: none */
    double seconds;
    double loss;            /* means over the last stretch of training */
    double rectified, zero; /* its terms; NAN: the method has none */
    double knn;             /* accuracy of the last validation; NAN: none */
    size_t watched;         /* held-out images that were classified */
    size_t parameters;      /* numbers that were learnt */
    bool history_failed;    /* the last of it could not be written */
} zf_pretrain_summary;

/* Trains on a set, whose size must be one that zf_vision_untrained takes. The same options
   and images give the same bits on any number of threads, and after a stop and resume.
   ZF_EINVAL: invalid options. ZF_EINPUT: fewer images than a batch has, a
   checkpoint of another run, or held-out images that cannot be recognised: without labels,
   of one class, or of one that was not trained on; or more images lost on the way than may
   be (zeroflow/images.h), of which zf_images_describe tells at the end. ZF_EINTERRUPT: *out is the
   model so far. ZF_ENUMERIC: the loss is no longer finite. summary may be NULL. */
ZF_API zf_status zf_pretrain_sized(zf_vision **out, zf_pretrain_summary *summary, size_t size,
                                   zf_images *images, const zf_pretrain_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_pretrain(zf_vision **out, zf_pretrain_summary *summary,
                                             zf_images *images, const zf_pretrain_options *options)
{
    return zf_pretrain_sized(out, summary, sizeof *summary, images, options);
}

/* A model before training, for images of that many pixels a side: a baseline for what was learnt.
   ZF_EINVAL: invalid options, or a size that is no multiple of 4 from 16 to ZF_IMAGES_SIDE_MAX. */
ZF_API zf_status zf_vision_untrained(zf_vision **out, int size,
                                     const zf_pretrain_options *options) ZF_CHECK;

/* The network of a model as it was before training. */
ZF_API zf_status zf_vision_before_training(zf_vision **out, const zf_vision *model) ZF_CHECK;

/* pixels[n, 3, side, side] of the images of a set that `which` lists, whole, without noise
   and with the watermark of views, made smaller by averaging: another baseline. ZF_EINVAL: side
   beyond the set's size. */
ZF_API zf_status zf_vision_pixels(float *pixels, int side, zf_images *images, const uint32_t *which,
                                  size_t n, const zf_view_options *views, int threads) ZF_CHECK;

/* Models as files (zeroflow/model.h) and as the same bytes in memory: free *bytes with zf_free;
   name stands for the path in messages. ZF_EIO, ZF_EOUTPUT; ZF_EINPUT: not such a model. */
ZF_API zf_status zf_vision_save(const zf_vision *model, const char *path) ZF_CHECK;
ZF_API zf_status zf_vision_load(zf_vision **out, const char *path) ZF_CHECK;
ZF_API zf_status zf_vision_save_memory(void **bytes, size_t *n, const zf_vision *model) ZF_CHECK;
ZF_API zf_status zf_vision_load_memory(zf_vision **out, const char *name, const void *bytes,
                                       size_t n) ZF_CHECK;
ZF_API void zf_vision_free(zf_vision *model); /* NULL is allowed */

/* Properties of a model, and how its training images were marked. */
ZF_API zf_vision_method zf_vision_trained_by(const zf_vision *model);
ZF_API int zf_vision_size(const zf_vision *model);     /* pixels a side */
ZF_API int zf_vision_channels(const zf_vision *model); /* 3 and one for each bit */
ZF_API int zf_vision_dim(const zf_vision *model);      /* features of an image */
ZF_API zf_watermark zf_vision_watermark(const zf_vision *model);

/* What training measured, as a table of at most a few hundred rows, each the mean over a
   run of iterations. Columns: "iteration", the last of the row; "loss" and its terms;
   "rate"; "knn" if held-out images were classified. NAN: not measured. */
ZF_API size_t zf_vision_history_rows(const zf_vision *model);
ZF_API size_t zf_vision_history_columns(const zf_vision *model);
ZF_API const char *zf_vision_history_column(const zf_vision *model, size_t column);
ZF_API double zf_vision_history_value(const zf_vision *model, size_t row, size_t column);
ZF_API zf_status zf_vision_history_write(const zf_vision *model, const char *path) ZF_CHECK;

/* features[n, dim] of images [n, channels, size, size] with values in [0, 1]. Safe from
   several threads, like the functions below. Of all of them, ZF_ENUMERIC: the weights are
   so large that a result is not finite; the results are then undefined. */
ZF_API zf_status zf_vision_encode(const zf_vision *model, float *features, const float *images,
                                  size_t n, int threads) ZF_CHECK;

/* features[n, dim] of images of a set: those that `which` lists, or all if it is NULL,
   whole and without noise, with the watermark and the bits that views has.
   ZF_EINVAL: a set of another size. ZF_EINPUT: one of the images is lost. */
ZF_API zf_status zf_vision_embed(const zf_vision *model, float *features, zf_images *images,
                                 const uint32_t *which, size_t n, const zf_view_options *views,
                                 int threads, zf_report report) ZF_CHECK;

/* Zero-flow: images[n, channels, size, size] that the model's own decoder makes of
   features. ZF_EINVAL: a model of another method. */
ZF_API zf_status zf_vision_decode(const zf_vision *model, float *images, const float *features,
                                  size_t n, int threads) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
