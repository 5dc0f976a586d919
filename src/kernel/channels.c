#include "kernel/channels.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_channels_kernels, zf_channels)
