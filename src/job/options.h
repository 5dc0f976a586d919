/* The inside of zf_options. */
#ifndef ZF_JOB_OPTIONS_H
#define ZF_JOB_OPTIONS_H

#include <stdatomic.h>

#include "job/job.h"
#include "job/value.h"

/* What every job can be told. */
typedef struct zf_common {
    uint64_t seed;
} zf_common;

enum { ZF_COMMON_OPTIONS = 1 };
extern const zf_option zf_common_options[];

struct zf_options {
    atomic_int held; /* by the caller, and by results */
    const zf_job *job;
    void *values;
    zf_common common;
    bool *given; /* options, then arguments */
    zf_texts texts;
};

/* One more holder, to be given back by zf_options_free. */
zf_options *zf_options_hold(const zf_options *options);

/* "option --seed", "DATA". */
void zf_option_label(char *label, size_t size, const zf_option *option);

#endif
