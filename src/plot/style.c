/* Colours and small conventions. */
#include "plot/style.h"

#include <math.h>

zf_colour zf_palette(size_t i)
{
    static const zf_colour colours[ZF_PALETTE] = {
        {0x00, 0x72, 0xb2, 255}, {0xd5, 0x5e, 0x00, 255}, {0x00, 0x9e, 0x73, 255},
        {0xcc, 0x79, 0xa7, 255}, {0xe6, 0x9f, 0x00, 255}, {0x56, 0xb4, 0xe9, 255},
        {0x3a, 0x3f, 0x45, 255}, {0x8e, 0x8a, 0x00, 255}, {0x7b, 0x3f, 0xa0, 255},
        {0x8c, 0x4a, 0x2f, 255},
    };
    return colours[i % ZF_PALETTE];
}

static uint8_t mix(double a, double b, double share)
{
    return (uint8_t)lround(a + share * (b - a));
}

static zf_colour blend(zf_colour a, zf_colour b, double share)
{
    return (zf_colour){mix(a.red, b.red, share), mix(a.green, b.green, share),
                       mix(a.blue, b.blue, share), 255};
}

zf_colour zf_tint(zf_colour colour, double share)
{
    return blend(ZF_WHITE, colour, share);
}

/* Between n colours that are evenly spaced. */
static zf_colour between(const zf_colour *colours, int n, double share)
{
    share = share > 0 ? fmin(share, 1) * (n - 1) : 0; /* NaN gives the first */
    int i = share < n - 1 ? (int)share : n - 2;
    return blend(colours[i], colours[i + 1], share - i);
}

zf_colour zf_sequential(double share)
{
    static const zf_colour colours[] = {
        {255, 255, 255, 255},    {0xd3, 0xe4, 0xf3, 255}, {0x97, 0xc4, 0xe4, 255},
        {0x4c, 0x95, 0xca, 255}, {0x17, 0x5f, 0xa4, 255}, {0x06, 0x2c, 0x60, 255},
    };
    return between(colours, 6, share);
}

zf_colour zf_diverging(double share)
{
    static const zf_colour negative[] = {
        {255, 255, 255, 255},
        {0xfb, 0xd6, 0xa8, 255},
        {0xe0, 0x8a, 0x2e, 255},
        {0x7f, 0x3b, 0x08, 255},
    };
    return share < 0 ? between(negative, 4, -share) : zf_sequential(share);
}

zf_plot_type zf_plot_type_of(double size, zf_colour colour, zf_anchor anchor)
{
    return (zf_plot_type){.size = size, .colour = colour, .anchor = anchor};
}

double zf_crisp(double place)
{
    return floor(place) + 0.5;
}
