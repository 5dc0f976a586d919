#include "flow/pair.h"

zf_pair_draws zf_pair_draws_at(uint64_t seed, uint64_t step, int row)
{
    return (zf_pair_draws){zf_random_at(seed, ZF_FOR_BOOTSTRAP, step, (uint32_t)row),
                           zf_random_at(seed, ZF_FOR_TIME, step, (uint32_t)row)};
}

size_t zf_pair_row(zf_pair_draws *draws, size_t n)
{
    return zf_random_below(&draws->rows, (uint32_t)n);
}

float zf_pair_time(zf_pair_draws *draws, zf_time time)
{
    return zf_time_draw(time, &draws->times);
}
