#include "base/random_fill.h"

#include "base/vectors.h"

void zf_random_fill_normal(const zf_random *random, float *values, size_t n)
{
#if defined(__x86_64__)
    if (zf_has_long_vectors()) {
        zf_random_fill_normal_avx512(random, values, n);
        return;
    }
#endif
    fill_normals(random, values, n);
}
