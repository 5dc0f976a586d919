/* One training step on images, of any method, as a program and the function that fills
   its inputs.

   Two views of an image go with each other: X is its view 0, Y its view 1.

   Zero-flow (step_zeroflow.c): (X', Y') are the views of another image of the batch,
   drawn with replacement, so that encoder and decoder D run once, on Y, and what y' tells
   is picked from the rows. The loss is the mean over all elements of
       |v(x_t, y, D(f(y')), t) - (x' - x)|^2,  x_t = (1 - t) x + t x',  t uniform,
   plus zero_weight times that of |v(x_0.5, y, D(f(y)), 0.5)|^2.

   SimCLR (step_simclr.c): both views through the encoder; of the codes' directions the
   contrastive loss (op/ops.h).

   MAE (step_mae.c): a vision transformer is shown some patches of X, drawn for each
   image and step, and fills in the others (net/vit.h). The loss is the mean squared
   error of their values. */
#ifndef ZF_VISION_STEP_H
#define ZF_VISION_STEP_H

#include "engine/program.h"
#include "flow/objective.h"
#include "net/image.h"
#include "net/vit.h"
#include "train/loop.h"
#include "zeroflow/images.h"
#include "zeroflow/vision.h"

enum { ZF_COLOURS = 3, ZF_VISION_BATCH_LEAST = 2 };

typedef struct zf_vision_step_options {
    zf_vision_method method;
    zf_image_shape image; /* planes beyond the colours: random bits of each image */
    int batch;            /* images a step */
    double zero_weight;   /* zero-flow: of the zero-flow term; 0.1 */
    double temperature;   /* SimCLR; 0.1 */
    zf_vit_shape vit;     /* MAE */
    double masked;        /* MAE: share of the patches; 0.75 */
    zf_view_options views;
    uint64_t seed; /* of times and pairs (and masks) */
} zf_vision_step_options;

typedef struct zf_zeroflow_step {
    zf_node *x, *y;    /* X and Y [N, C, S, S] */
    zf_node *other;    /* index [N]: the row of (x', y') */
    zf_node *t;        /* [N] */
    zf_node *distance; /* x' - x [N, C, S, S] */
} zf_zeroflow_step;

typedef struct zf_simclr_step {
    zf_node *views; /* [2N, C, S, S]: all X, then all Y */
} zf_simclr_step;

typedef struct zf_mae_step {
    float *views;    /* X [N, C, S, S]; not an input by itself */
    zf_node *seen;   /* patches [N, V, P] */
    zf_node *hidden; /* those that are masked, [N, M, P] */
    zf_node *where;  /* index [N, V]: the places of the patches seen */
    zf_node *places; /* index [N, V + M]: the same, then those of the masked ones */
} zf_mae_step;

typedef struct zf_vision_step {
    zf_vision_step_options options;
    zf_program *program;
    zf_watch watches[ZF_MOST_MEASURES]; /* the loss first; zero-flow: then rectified, zero */
    int n_watches;
    /* The images of this step, [3, size, size] bytes each, and their numbers: set by the
       caller before zf_vision_step_prepare. */
    const uint8_t *const *images;
    const uint32_t *which;
    zf_zeroflow_step zeroflow;
    zf_simclr_step simclr;
    zf_mae_step mae;
} zf_vision_step;

/* Builds and plans, for crews of up to so many workers. ZF_EINVAL: sizes or options that
   cannot be. */
zf_status zf_vision_step_new(zf_vision_step *step, zf_params *params,
                             const zf_vision_step_options *options, int workers) ZF_CHECK;
void zf_vision_step_free(zf_vision_step *step);

/* Declares the parameters of a step, and tells what it measures: for a set that is to be
   read or used, not trained. Takes none of the step's memory. */
zf_status zf_vision_step_declare(const char **measures, int *n, zf_params *params,
                                 const zf_vision_step_options *options) ZF_CHECK;

/* Makes the views of the step's images and draws what else it needs: context is the
   zf_vision_step, and with the images the result is a function of the number. */
void zf_vision_step_prepare(void *step, uint64_t number, zf_crew *crew);

/* What a network is shown of image `image`: its view 0 or 1 at a step, or (step < 0) the
   plain image, and behind the colours its random bits, planes of 0 or 1: [C, S, S]. */
void zf_vision_show(float *out, const zf_image_shape *shape, const zf_view_options *views,
                    const uint8_t *pixels, uint32_t image, int64_t step, int view);

/* --- between step.c and step_METHOD.c ----------------------------------------------- */

/* A method: build makes the program (whose domain and inputs are its own), notes the inputs
   and the watches, and returns the loss, NULL where the program remembers why not. Failures
   of other kinds go to the status. free may be NULL. */
typedef struct zf_vision_kind {
    zf_status (*build)(zf_vision_step *step, zf_node **loss);
    void (*prepare)(zf_vision_step *step, uint64_t number, zf_crew *crew);
    void (*free)(zf_vision_step *step);
} zf_vision_kind;

extern const zf_vision_kind zf_vision_zeroflow, zf_vision_simclr, zf_vision_mae;

/* Notes a scalar to be watched and kept as an output of the program. */
void zf_vision_watch(zf_vision_step *step, const char *name, const zf_node *node);

/* Does task(step, number, i) for each image i of the batch, in any order, by the crew. */
void zf_vision_each(zf_vision_step *step, uint64_t number, zf_crew *crew,
                    void (*task)(zf_vision_step *step, uint64_t number, int i));

/* Zero-flow: makes row i of the other inputs, where all of x is there. */
void zf_zeroflow_pair(zf_vision_step *step, int i, int other, float t);

#endif
