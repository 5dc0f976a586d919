#include "kernel/adamw.h"

#include <math.h>

#include "kernel/dispatch.h"

zf_adamw_step zf_adamw_step_at(const zf_adamw_options *options, uint64_t t, double gradient_scale)
{
    double root = sqrt(1 - pow(options->beta2, (double)t));
    return (zf_adamw_step){
        .gradient_scale = (float)gradient_scale,
        .keep = (float)(1 - options->rate * options->decay),
        .beta1 = (float)options->beta1,
        .rest1 = (float)(1 - options->beta1),
        .beta2 = (float)options->beta2,
        .rest2 = (float)(1 - options->beta2),
        .rate = (float)(options->rate * root / (1 - pow(options->beta1, (double)t))),
        .epsilon = (float)(options->epsilon * root),
    };
}

ZF_DISPATCH(zf_adamw_kernels, zf_adamw)
