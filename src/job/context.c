#include "job/context.h"

#include <stdlib.h>

#include "base/error.h"

zf_status zf_context_new(zf_context **out, int threads)
{
    if (threads < 0)
        return zf_fail(ZF_EINVAL, "threads: expected 0, for all processors, or more, found %d",
                       threads);
    zf_context *context = calloc(1, sizeof *context);
    if (!context) return zf_fail_memory(sizeof *context);
    context->threads = threads;
    atomic_init(&context->cancels, 0);
    zf_status status = zf_crews_new(&context->crews);
    if (status != ZF_OK) {
        free(context);
        return status;
    }
    *out = context;
    return ZF_OK;
}

void zf_context_free(zf_context *context)
{
    if (!context) return;
    zf_crews_free(context->crews);
    free(context);
}

void zf_context_set_report(zf_context *context, zf_report report)
{
    context->report = report;
}

void zf_context_set_quiet(zf_context *context, int quiet)
{
    context->quiet = quiet != 0;
}

void zf_context_cancel(zf_context *context)
{
    atomic_fetch_add(&context->cancels, 1);
}
