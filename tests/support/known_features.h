/* The features of tests/golden/probe.safetensors, of five classes, for tests of what is
   read off them. */
#ifndef ZF_TEST_KNOWN_FEATURES_H
#define ZF_TEST_KNOWN_FEATURES_H

#include "golden.h"
#include "zeroflow/probe.h"

typedef struct known_features {
    golden *file;
    int32_t *train_labels, *test_labels;
    zf_labelled test;
    zf_probe_data data; /* with that one test set */
} known_features;

/* known must not move afterwards. */
void known_features_open(known_features *known);
void known_features_close(known_features *known);

/* Takes what another software gave the test rows for their labels: a probe that gives
   the same has accuracy 1. */
void known_features_expect(known_features *known, const char *name);

/* An array of the file as whole numbers, for free(). */
int32_t *known_labels(golden *file, const char *name);

#endif
