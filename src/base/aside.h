/* A thread that does one job at a time beside the caller: what is needed next is
   prepared while the caller works on what is there. */
#ifndef ZF_BASE_ASIDE_H
#define ZF_BASE_ASIDE_H

#include "zeroflow/status.h"

typedef struct zf_aside zf_aside;

/* ZF_ENOMEM: the thread cannot be started. */
zf_status zf_aside_new(zf_aside **out) ZF_CHECK;

/* Begins a job; the one before must have been waited for. Everything written
   before the call is seen by the job. */
void zf_aside_start(zf_aside *aside, void (*run)(void *context), void *context);

/* Returns when the job is done, at once if there is none; what it wrote is seen. */
void zf_aside_wait(zf_aside *aside);

/* Waits for the job, if there is one. NULL is fine. */
void zf_aside_free(zf_aside *aside);

#endif
