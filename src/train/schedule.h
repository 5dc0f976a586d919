/* The learning rate as a function of the step. */
#ifndef ZF_TRAIN_SCHEDULE_H
#define ZF_TRAIN_SCHEDULE_H

#include <stdint.h>

typedef enum zf_decline { ZF_FLAT, ZF_COSINE } zf_decline;

typedef struct zf_schedule {
    double rate;        /* the highest */
    uint64_t warmup;    /* steps of linear rise to it; 0: none */
    zf_decline decline; /* what happens after the warm-up */
    uint64_t steps;     /* at which the cosine ends; ignored when flat */
    double floor;       /* share of the rate that the cosine ends at */
} zf_schedule;

/* From the rate to a hundredth of it, without a warm-up. */
zf_schedule zf_schedule_to_rest(double rate, uint64_t steps);

/* step counts from 0; beyond `steps` a cosine stays at its floor. */
double zf_schedule_rate(const zf_schedule *schedule, uint64_t step);

#endif
