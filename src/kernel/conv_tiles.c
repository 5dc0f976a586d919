/* Which convolutions go on tiles, and how their passes look there. */
#include "kernel/conv_tiles.h"

#include "kernel/dispatch.h"

#if defined(__x86_64__)

extern const zf_tiles_values_kernels zf_tiles_values_amx;
extern const zf_tiles_weights_kernels zf_tiles_weights_amx;

size_t zf_tiles_values_scratch(const zf_tiles_values *job)
{
    return zf_tiles_values_amx.scratch(job);
}

void zf_tiles_values_run(const zf_tiles_values *job, void *scratch)
{
    zf_tiles_values_amx.run(job, scratch);
}

size_t zf_tiles_weights_scratch(const zf_tiles_weights *job)
{
    return zf_tiles_weights_amx.scratch(job);
}

void zf_tiles_weights_run(const zf_tiles_weights *job, void *scratch)
{
    zf_tiles_weights_amx.run(job, scratch);
}

#else

size_t zf_tiles_values_scratch(const zf_tiles_values *job)
{
    (void)job;
    return 0;
}

void zf_tiles_values_run(const zf_tiles_values *job, void *scratch)
{
    (void)job, (void)scratch;
}

size_t zf_tiles_weights_scratch(const zf_tiles_weights *job)
{
    (void)job;
    return 0;
}

void zf_tiles_weights_run(const zf_tiles_weights *job, void *scratch)
{
    (void)job, (void)scratch;
}

#endif

/* Rows of fewer than 12 pixels would leave too much of a tile empty, as would fewer than
   8 channels, and images of fewer than 8 units of 16 pixels are not what the rings are
   made for. Measured at 32x32, microseconds an image, forward / backward data /
   backward weights, against the ways with 24 bits: 16 -> 16 channels, 12.4 / 12.4 /
   14.2 and 21.5 / 21.4 / 30.7; 10 -> 16, 9.1 / 12.0 / 12.5 and 13.9 / 14.7 / 18.2;
   16 -> 3, 10.5 / 8.4 / 9.6 and 8.3 / 6.5 / 9.5. */
static bool fits(const zf_conv *conv)
{
    enum { LEAST = 8, MOST = 16, NARROWEST = 12, LOWEST = 8 };
    return conv->quick && !conv->kernels && conv->kh == 3 && conv->kw == 3 && conv->stride_h == 1 &&
           conv->stride_w == 1 && conv->padding_h <= 2 && conv->padding_w <= 2 &&
           conv->c >= LEAST && conv->c <= MOST && conv->o >= LEAST && conv->o <= MOST &&
           conv->w >= NARROWEST && zf_conv_output_w(conv) >= NARROWEST && conv->h >= LOWEST &&
           zf_conv_output_h(conv) >= LOWEST && zf_tiles_usable() && !zf_products_exact();
}

bool zf_tiles_of_forward(const zf_conv *conv, zf_tiles_values *job)
{
    *job = (zf_tiles_values){.c = conv->c,
                             .h = conv->h,
                             .w = conv->w,
                             .o = conv->o,
                             .oh = zf_conv_output_h(conv),
                             .ow = zf_conv_output_w(conv),
                             .padding_h = conv->padding_h,
                             .padding_w = conv->padding_w};
    return fits(conv);
}

bool zf_tiles_of_backward_data(const zf_conv *conv, zf_tiles_values *job)
{
    *job = (zf_tiles_values){.c = conv->o,
                             .h = zf_conv_output_h(conv),
                             .w = zf_conv_output_w(conv),
                             .o = conv->c,
                             .oh = conv->h,
                             .ow = conv->w,
                             .padding_h = 2 - conv->padding_h,
                             .padding_w = 2 - conv->padding_w,
                             .turned = true};
    return fits(conv);
}

bool zf_tiles_of_backward_weights(const zf_conv *conv, zf_tiles_weights *job)
{
    *job = (zf_tiles_weights){.c = conv->c,
                              .h = conv->h,
                              .w = conv->w,
                              .o = conv->o,
                              .oh = zf_conv_output_h(conv),
                              .ow = zf_conv_output_w(conv),
                              .padding_h = conv->padding_h,
                              .padding_w = conv->padding_w};
    return fits(conv);
}
