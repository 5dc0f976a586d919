#include "kernel/index.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_index_kernels, zf_index)
