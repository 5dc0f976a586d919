/* Steps of training on images to measure. */
#ifndef ZF_BENCH_IMAGE_STEPS_H
#define ZF_BENCH_IMAGE_STEPS_H

#include "bench/cases.h"

/* Make a subject's vision step, its images and flops; params and crew are there. */
zf_status zf_bench_image_zeroflow(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_image_simclr(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_image_mae(zf_subject *subject) ZF_CHECK;

#endif
