/* Questions to a model, one at a time, from the question to the answer. */
#ifndef ZF_BENCH_ASKING_H
#define ZF_BENCH_ASKING_H

#include "bench/cases.h"

/* Make a subject's model and what is asked of it, and set its flops and answers: a blanket of one
   target of 50, the features of one image of 32 x 32 pixels. */
zf_status zf_bench_query_mlp(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_query_lstm(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_encode(zf_subject *subject) ZF_CHECK;
/* By several threads at once, of one model. */
zf_status zf_bench_query_shared(zf_subject *subject) ZF_CHECK;
zf_status zf_bench_encode_shared(zf_subject *subject) ZF_CHECK;

/* One repetition. */
zf_status zf_bench_ask(zf_subject *subject) ZF_CHECK;

void zf_bench_asking_free(zf_subject *subject);

#endif
