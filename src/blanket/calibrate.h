/* What a gate means as a probability of belonging to a blanket. */
#ifndef ZF_BLANKET_CALIBRATE_H
#define ZF_BLANKET_CALIBRATE_H

#include "zeroflow/blanket.h"

/* log odds = intercept + slope * log odds of the gate + size * log(number of targets). */
typedef struct zf_calibration {
    double intercept, slope, size; /* slope is 0 or more */
    bool known;
} zf_calibration;

enum { ZF_CALIBRATION_NUMBERS = 3 };

/* Learns it from the model's evidence and gates; unknown if the gates are not finite.
   ZF_ENOMEM. */
zf_status zf_calibrate(zf_calibration *out, const zf_blanket *model) ZF_CHECK;

double zf_calibrated(const zf_calibration *calibration, float gate, int n_targets);
double zf_calibrated_odds(const zf_calibration *calibration, float gate, int n_targets); /* log */

/* A gate, how many targets it is for, and the chance that the variable belongs. */
typedef struct zf_graded {
    float gate;
    int targets;
    double chance, weight;
} zf_graded;

/* The logistic regression itself, on n of them. */
zf_calibration zf_calibration_fit(const zf_graded *graded, size_t n);

#endif
