#include "kernel/reduce.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_reduce_kernels, zf_reduce)
