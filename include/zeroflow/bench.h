/* How fast the engine is on this machine, relative to the machine's peak.

     zf_bench *bench = NULL;
     if (zf_bench_run(&bench, NULL) == ZF_OK)
         for (int i = 0; i < zf_bench_count(bench); i++)
             printf("%s: %.3f ms\n", zf_bench_at(bench, i)->name, zf_bench_at(bench, i)->ms);
     zf_bench_free(bench);

   Measure from one thread at a time: two measurements would disturb each other. */
#ifndef ZEROFLOW_BENCH_H
#define ZEROFLOW_BENCH_H

#include <stddef.h>

#include "zeroflow/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_bench zf_bench;

typedef struct zf_bench_options {
    size_t struct_size; /* zf_bench_defaults sets it */
    int threads;        /* for the cases that use a crew; 0: all processors */
    double seconds;     /* spent on each case; the best of many repetitions counts */
    const char *only;   /* run only cases whose name contains this; NULL: all */
    zf_report report;
} zf_bench_options;

ZF_API void zf_bench_options_init(zf_bench_options *options, size_t size);
static inline zf_bench_options zf_bench_defaults(void)
{
    zf_bench_options options;
    zf_bench_options_init(&options, sizeof options);
    return options;
}

typedef struct zf_bench_case {
    const char *name;
    int threads;
    double ms;     /* one repetition; of cases that ask a model, one answer */
    double gflops; /* useful work per second */
    double peak;   /* GFLOP/s of sgemm to compare with: at the same shape for linear cases, the
                      machine's peak otherwise, times the number of threads used */
    double share;  /* gflops / peak */
    double bytes;  /* memory of a step of blanket training; 0 for other cases */
    double rate;   /* answers per second of a model, over all threads; 0 for other cases */
} zf_bench_case;

/* Measures. ZF_EINVAL: no case matches `only`. */
ZF_API zf_status zf_bench_run(zf_bench **out, const zf_bench_options *options) ZF_CHECK;

ZF_API double zf_bench_peak_gflops(const zf_bench *bench); /* sgemm, one thread */
ZF_API const char *zf_bench_isa(const zf_bench *bench);    /* "avx512", ... */
ZF_API const char *zf_bench_blas(const zf_bench *bench);
ZF_API int zf_bench_threads(const zf_bench *bench);
ZF_API int zf_bench_count(const zf_bench *bench);
ZF_API const zf_bench_case *zf_bench_at(const zf_bench *bench, int i);
ZF_API void zf_bench_free(zf_bench *bench);

#ifdef __cplusplus
}
#endif
#endif
