/* Features of images and every probe on them: what the job probe tabulates. The probes
   themselves are in zeroflow/probe.h; here is how they are used on images. */
#ifndef ZF_JOB_PROBING_H
#define ZF_JOB_PROBING_H

#include "job/image_sets.h"
#include "zeroflow/probe.h"

/* The probes; the first two have a spread. */
enum { ZF_PROBE_LINEAR, ZF_PROBE_STANDARDISED, ZF_PROBE_KNN, ZF_PROBE_RIDGE, ZF_PROBES };

/* Names for people, and for JSON. */
extern const char *const zf_probe_names[ZF_PROBES];
extern const char *const zf_probe_fields[ZF_PROBES];

/* How well the classes can be read off some features. */
typedef struct zf_probed {
    size_t dim;
    int n_tests; /* 2 if images are marked */
    zf_probe_accuracy of[ZF_TEST_SETS][ZF_PROBES];
    double penalty; /* of the ridge */
} zf_probed;

typedef struct zf_probing {
    const zf_run *run;
    const zf_image_sets *sets;
    zf_set_views views;
    zf_linear_options linear;
    zf_knn_options knn;
} zf_probing;

/* The standard probes on these sets; the images to fit on have that watermark. */
zf_probing zf_probing_defaults(const zf_run *run, const zf_image_sets *sets,
                               zf_watermark watermark);

/* Probes the features of a model; path is its file. */
zf_status zf_probing_model(zf_probed *out, const zf_probing *probing, const zf_vision *model,
                           const char *path) ZF_CHECK;

/* Probes the pixels, at most 32 a side, and as many principal components of them as the
   features to compare with have, or all. */
zf_status zf_probing_pixels(zf_probed *pixels, zf_probed *components, const zf_probing *probing,
                            size_t dim) ZF_CHECK;

#endif
