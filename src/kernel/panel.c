#include "kernel/panel.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_panel_kernels, zf_panel)

size_t zf_panel_bytes(int k, int n)
{
    size_t width = (size_t)zf_panel()->width;
    return ((size_t)n + width - 1) / width * width * (size_t)k * sizeof(float);
}
