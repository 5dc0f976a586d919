/* The same with vectors of 16: noise is a tenth of a step on images without them. */
#include "base/random_fill.h"

#if defined(__AVX512F__)
void zf_random_fill_normal_avx512(const zf_random *random, float *values, size_t n)
{
    fill_normals(random, values, n);
}
#endif
