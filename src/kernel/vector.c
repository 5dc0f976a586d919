#include "kernel/vector.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_vector_kernels, zf_vector)
