#include "kernel/panel.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_panel_kernels, zf_panel)

#if defined(__x86_64__)
extern const zf_panel_kernels zf_panel_tiles_amx;

const zf_panel_kernels *zf_panel_for(int k, int n)
{
    enum { LEAST = 24 }; /* less would be mostly padding: tiles are 32 wide and deep */
    return k >= LEAST && n >= LEAST && zf_tiles_usable() ? &zf_panel_tiles_amx : zf_panel();
}
#else
const zf_panel_kernels *zf_panel_for(int k, int n)
{
    (void)k;
    (void)n;
    return zf_panel();
}
#endif
