#include "kernel/rows.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_rows_kernels, zf_rows)
