/* What every training run asks of its numbers, whatever it trains. */
#ifndef ZF_TRAIN_LIMITS_H
#define ZF_TRAIN_LIMITS_H

#include <stdint.h>

#include "zeroflow/status.h"

typedef struct zf_training_numbers {
    uint64_t iterations;
    int batch;
    int hidden; /* units of a layer */
    double rate;
    double zero_weight; /* of the zero-flow term; 0 where there is none */
} zf_training_numbers;

enum { ZF_HIDDEN_MOST = 1 << 14 };

/* ZF_EINVAL, with the name of the number. */
zf_status zf_training_check(const zf_training_numbers *numbers) ZF_CHECK;

#endif
