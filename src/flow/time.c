#include "flow/time.h"

float zf_time_draw(zf_time time, zf_random *random)
{
    switch (time.law) {
    case ZF_TIME_UNIFORM:
        return zf_random_uniform(random);
    case ZF_TIME_EARLY:
        return (float)time.a * zf_random_uniform(random);
    case ZF_TIME_BETA:
        return zf_random_beta(random, (float)time.a, (float)time.a);
    case ZF_TIME_LAPLACE:
        for (;;) {
            float t = zf_random_laplace(random, 0.5f, (float)time.a);
            if (t > 0.0f && t < 1.0f) return t;
        }
    case ZF_TIME_MIDDLE:
        break;
    }
    return 0.5f;
}
