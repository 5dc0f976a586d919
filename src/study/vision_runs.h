/* What the studies of self-supervised learning share: a training as a fit of the study,
   features of the images that are looked at, and what can be read off them. */
#ifndef ZF_STUDY_VISION_RUNS_H
#define ZF_STUDY_VISION_RUNS_H

#include "study/image_set.h"
#include "zeroflow/probe.h"
#include "zeroflow/vision.h"

enum { VISION_METHODS = 3 }; /* in the order of zf_vision_method */

extern const char *const vision_titles[VISION_METHODS]; /* "zero-flow", "SimCLR", "MAE" */
extern const char *const vision_marks[];                /* in the order of zf_watermark */

/* Steps of a training at the study's scale: of the paper's 5,000; of MAE's 100 epochs, over
   as large a share of the images as is looked at. */
uint64_t vision_iterations(const zf_study *study, const image_set *set, zf_vision_method method);

/* The paper's training of a method on the set, for the caller to change. */
zf_pretrain_options vision_wish(const zf_study *study, const image_set *set,
                                zf_vision_method method, zf_watermark watermark);

/* Announces so many trainings of this kind. */
void vision_plan(zf_study *study, const image_set *set, const zf_pretrain_options *wish, int fits);

/* A planned training. */
zf_status vision_pretrain(zf_study *study, zf_vision **model, zf_pretrain_summary *summary,
                          image_set *set, const zf_pretrain_options *wish);

/* Features, a row for each image that is looked at, marked as in training; clean has the
   test images without the mark, NULL where there is none. */
typedef struct vision_features {
    float *train, *test, *clean;
    size_t dim;
} vision_features;
zf_status vision_embed(zf_study *study, vision_features *features, const zf_vision *model,
                       image_set *set, zf_watermark watermark);
void vision_features_free(vision_features *features);

/* Which probes are asked for, and what they say. Neighbours are by the angle, or by the
   distance, as suits codes of few numbers. */
enum {
    VISION_KNN = 1,
    VISION_NEAR = 2,
    VISION_LINEAR = 4,
    VISION_STANDARDISED = 8,
    VISION_RIDGE = 16
};
typedef struct vision_score {
    double knn, ridge;
    zf_probe_accuracy linear, standardised; /* features as they are, and standardised */
} vision_score;

/* scores[0] is of the test images as marked, scores[1] of the clean ones; NAN for what
   was not asked for. */
zf_status vision_probe(zf_study *study, vision_score scores[2], const vision_features *features,
                       const image_set *set, unsigned probes);

/* Seeds of the linear probe: five at the paper's scale. */
int vision_probe_seeds(const zf_study *study);

json_t *vision_score_json(const vision_score *score);

/* Lines of the text: "CIFAR-10, 30,000 training images of 32 x 32"; then ", 500 iterations
   (MAE 750)"; and what the probes are. None ends its line but the last. */
void vision_print_set(const study_page *page, const image_set *set);
void vision_print_iterations(FILE *out, const zf_study *study, const image_set *set);
void vision_print_probes(FILE *out, const zf_study *study, const image_set *set);

#endif
