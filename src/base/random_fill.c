#include "base/random_fill.h"

#if defined(__x86_64__)
static bool has_long_vectors(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}

void zf_random_fill_normal(const zf_random *random, float *values, size_t n)
{
    if (has_long_vectors())
        zf_random_fill_normal_avx512(random, values, n);
    else
        fill_normals(random, values, n);
}
#else
void zf_random_fill_normal(const zf_random *random, float *values, size_t n)
{
    fill_normals(random, values, n);
}
#endif
