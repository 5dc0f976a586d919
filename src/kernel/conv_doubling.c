/* Which transposed convolutions double on tiles. */
#include "kernel/conv_doubling.h"

#include "kernel/dispatch.h"

#if defined(__x86_64__)

extern const zf_doubling_kernels zf_doubling_amx;

static const zf_doubling_kernels *kernels_of(void)
{
    return zf_tiles_usable() && !zf_products_exact() ? &zf_doubling_amx : NULL;
}

#else

static const zf_doubling_kernels *kernels_of(void)
{
    return NULL;
}

#endif

bool zf_doubling_of(const zf_conv *conv, zf_doubling *doubling)
{
    enum { LEAST = 8, MOST = 256, SIDE_MOST = 64 }; /* what there is room for */
    *doubling = (zf_doubling){
        .c = conv->o, .h = zf_conv_output_h(conv), .w = zf_conv_output_w(conv), .o = conv->c};
    bool doubles = conv->kh == 4 && conv->kw == 4 && conv->stride_h == 2 && conv->stride_w == 2 &&
                   conv->padding_h == 1 && conv->padding_w == 1 && conv->h == 2 * doubling->h &&
                   conv->w == 2 * doubling->w;
    return conv->quick && doubles && doubling->c >= LEAST && doubling->c <= MOST &&
           doubling->o <= MOST && doubling->h <= SIDE_MOST && doubling->w <= SIDE_MOST &&
           kernels_of();
}

size_t zf_doubling_packed_bytes(const zf_doubling *doubling)
{
    return kernels_of()->packed_bytes(doubling);
}

void zf_doubling_pack(const zf_doubling *doubling, const float *weights, void *packed)
{
    kernels_of()->pack(doubling, weights, packed);
}

size_t zf_doubling_scratch(const zf_doubling *doubling)
{
    return kernels_of()->scratch(doubling);
}

void zf_doubling_forward(const zf_doubling *doubling, const zf_doubling_values *job, void *scratch)
{
    kernels_of()->forward(doubling, job, scratch);
}

void zf_doubling_backward(const zf_doubling *doubling, const zf_doubling_gradients *job,
                          void *scratch)
{
    kernels_of()->backward(doubling, job, scratch);
}
