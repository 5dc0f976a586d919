/* At which times a flow is trained and looked at. */
#ifndef ZF_FLOW_TIME_H
#define ZF_FLOW_TIME_H

#include "base/random.h"

typedef enum zf_time_law {
    ZF_TIME_UNIFORM, /* on (0, 1) */
    ZF_TIME_EARLY,   /* uniform on (0, a) */
    ZF_TIME_BETA,    /* Beta(a, a) */
    ZF_TIME_LAPLACE, /* around 0.5 with scale a, drawn again outside (0, 1): omega as a law */
    ZF_TIME_MIDDLE,  /* 0.5 */
} zf_time_law;

typedef struct zf_time {
    zf_time_law law;
    double a;
} zf_time;

float zf_time_draw(zf_time time, zf_random *random);

#endif
