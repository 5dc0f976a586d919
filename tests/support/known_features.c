#include "known_features.h"

#include <stdlib.h>

#include "support.h"

int32_t *known_labels(golden *file, const char *name)
{
    size_t n = golden_size(file, name);
    const float *values = golden_array(file, name);
    int32_t *labels = malloc(n * sizeof *labels);
    assert_non_null(labels);
    for (size_t i = 0; i < n; i++) labels[i] = (int32_t)values[i];
    return labels;
}

void known_features_open(known_features *known)
{
    golden *file = golden_open("probe");
    *known = (known_features){.file = file,
                              .train_labels = known_labels(file, "train_labels"),
                              .test_labels = known_labels(file, "test_labels")};
    size_t rows = golden_size(file, "test_labels");
    known->test = (zf_labelled){golden_array(file, "test"), known->test_labels, rows};
    known->data = (zf_probe_data){
        .dim = golden_size(file, "test") / rows,
        .classes = 5,
        .train = {golden_array(file, "train"), known->train_labels,
                  golden_size(file, "train_labels")},
        .tests = &known->test,
        .n_tests = 1,
    };
}

void known_features_expect(known_features *known, const char *name)
{
    free(known->test_labels);
    known->test.labels = known->test_labels = known_labels(known->file, name);
}

void known_features_close(known_features *known)
{
    free(known->train_labels);
    free(known->test_labels);
    golden_close(known->file);
}
