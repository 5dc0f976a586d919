/* Features of images and every probe on them: what zeroflow probe tabulates. */
#ifndef ZF_CLI_PROBING_H
#define ZF_CLI_PROBING_H

#include "image_sets.h"
#include "zeroflow/probe.h"
#include "zeroflow/vision.h"

/* The probes; the first two have a spread. */
enum { CLI_LINEAR, CLI_LINEAR_STANDARDISED, CLI_KNN, CLI_RIDGE, CLI_PROBES };

/* Names for people, and for JSON. */
extern const char *const cli_probe_names[CLI_PROBES];
extern const char *const cli_probe_fields[CLI_PROBES];

typedef struct cli_probed {
    size_t dim;
    int n_tests; /* 2 if images are marked */
    zf_probe_accuracy of[CLI_TEST_SETS][CLI_PROBES];
    double penalty; /* of the ridge */
} cli_probed;

typedef struct cli_probing {
    const cli_call *call;
    const cli_image_sets *sets;
    zf_watermark watermark; /* of the images to fit on */
    uint64_t seed;          /* of the marks to fit on; those to judge on have the next */
    zf_linear_options linear;
    zf_knn_options knn;
    const char *model; /* its file; NULL: it was trained by this run */
} cli_probing;

/* Probes the features of a model. */
cli_exit cli_probe_model(cli_probed *out, const cli_probing *probing, const zf_vision *model);

/* Probes the pixels, at most 32 a side, and as many principal components of them as the
   features to compare with have, or all. */
cli_exit cli_probe_pixels(cli_probed *pixels, cli_probed *components, const cli_probing *probing,
                          size_t dim);

/* The share of the images to judge on that are of the class most common among those to
   fit on: what a guess is worth. */
double cli_chance(const cli_image_sets *sets);

#endif
