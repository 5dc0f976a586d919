#include "kernel/panel.h"

#include "kernel/dispatch.h"

ZF_DISPATCH(zf_panel_kernels, zf_panel)

#if defined(__x86_64__)
extern const zf_panel_kernels zf_panel_tiles_exact, zf_panel_tiles_quick;

static const zf_panel_kernels *tiles_or_panel(const zf_panel_kernels *tiles, int k, int n)
{
    enum { LEAST = 24 }; /* less would be mostly padding: tiles are 32 wide and deep */
    return k >= LEAST && n >= LEAST && zf_tiles_usable() ? tiles : zf_panel();
}

const zf_panel_kernels *zf_panel_for(int k, int n)
{
    return tiles_or_panel(&zf_panel_tiles_exact, k, n);
}

const zf_panel_kernels *zf_panel_quick_for(int k, int n)
{
    return tiles_or_panel(zf_products_exact() ? &zf_panel_tiles_exact : &zf_panel_tiles_quick, k,
                          n);
}
#else
const zf_panel_kernels *zf_panel_for(int k, int n)
{
    (void)k;
    (void)n;
    return zf_panel();
}

const zf_panel_kernels *zf_panel_quick_for(int k, int n)
{
    return zf_panel_for(k, n);
}
#endif
