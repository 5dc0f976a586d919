#include "train/schedule.h"

#include <math.h>

zf_schedule zf_schedule_to_rest(double rate, uint64_t steps)
{
    return (zf_schedule){.rate = rate, .decline = ZF_COSINE, .steps = steps, .floor = 0.01};
}

double zf_schedule_rate(const zf_schedule *schedule, uint64_t step)
{
    if (step < schedule->warmup)
        return schedule->rate * (double)(step + 1) / (double)schedule->warmup;
    if (schedule->decline == ZF_FLAT || schedule->steps <= schedule->warmup) return schedule->rate;
    double done = (double)(step - schedule->warmup) / (double)(schedule->steps - schedule->warmup);
    if (done > 1.0) done = 1.0;
    double share = 0.5 * (1.0 + cos(3.141592653589793 * done));
    return schedule->rate * (schedule->floor + (1.0 - schedule->floor) * share);
}
