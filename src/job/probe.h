/* How well classes can be read off the features of a model. */
#ifndef ZF_JOB_PROBE_H
#define ZF_JOB_PROBE_H

#include "job/probing.h"

typedef struct zf_probe_values {
    const char *model, *train, *test;
    int watermark; /* of zf_watermark; ZF_AUTO: that of the model's training */
    bool floors;
    int neighbours, epochs, seeds;
    const char *plot;
    zf_image_sets_values sets;
} zf_probe_values;

/* What is probed, in the order of the table; all but the model are floors. */
enum { ZF_OF_MODEL, ZF_OF_PIXELS, ZF_OF_COMPONENTS, ZF_OF_UNTRAINED, ZF_PROBED_KINDS };

typedef struct zf_probe_result {
    zf_image_sets sets;
    zf_vision_method method;
    int dim, size; /* of the model: features, pixels a side */
    zf_watermark watermark;
    double chance; /* what a guess is worth */
    zf_probed of[ZF_PROBED_KINDS];
    uint64_t seed;
} zf_probe_result;

/* Whether the model is above chance and every floor. */
bool zf_probe_beats(const zf_probe_result *found, int test, int probe);

/* "768 pixels", "the model", ... */
typedef struct zf_probed_name {
    char text[32];
} zf_probed_name;
zf_probed_name zf_probe_kind_name(const zf_probe_result *found, int kind);

extern const zf_job zf_job_probe;

#endif
