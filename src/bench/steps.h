/* Steps of blanket training to measure. */
#ifndef ZF_BENCH_STEPS_H
#define ZF_BENCH_STEPS_H

#include "bench/cases.h"

/* Make a subject's step and data and set its flops and bytes; params and crew are there. */
zf_status zf_bench_step_mlp(zf_subject *subject) ZF_CHECK;  /* chain of 50 */
zf_status zf_bench_step_lstm(zf_subject *subject) ZF_CHECK; /* the same */
zf_status zf_bench_step_cnn(zf_subject *subject) ZF_CHECK;  /* lattice 8 x 8 */

/* Single variables as targets, more and more variables: time and memory are to grow
   no faster than they do. */
zf_status zf_bench_step_50(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_step_200(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_step_1000(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_step_5000(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_step_10000(zf_subject *subject) ZF_CHECK;

/* Products of the gate network for one mask: every matrix is used once, or once
   for each variable where they come in a sequence or an image; what is picked by
   column is not counted. */
double zf_gate_flops(zf_params *params, int uses);

#endif
