/* Which stacks are one thing, and which way they go. */
#include "kernel/conv_stack.h"

#include "kernel/dispatch.h"

/* Of the processor's tiles, rows of fewer than 12 pixels would leave too much empty. The gradient
   of a first layer's weights takes dy's lines without neighbours in them, so a layer that is alone
   must have outputs enough for that. */
static bool fits(const zf_stack *stack)
{
    enum { MOST = 16, NARROWEST = 12, LOWEST = 4, LARGEST = 1 << 12 };
    if (stack->layers < 1 || stack->layers > ZF_STACK_MOST) return false;
    for (int i = 0; i <= stack->layers; i++)
        if (stack->channels[i] < 1 || stack->channels[i] > MOST) return false;
    if (stack->layers == 1 && stack->channels[1] <= ZF_STACK_ABREAST) return false;
    return stack->w >= NARROWEST && stack->w <= LARGEST && stack->h >= LOWEST &&
           stack->h <= LARGEST && stack->wanted >= 0 && stack->wanted < stack->channels[0];
}

#if defined(__x86_64__)

extern const zf_stack_kernels zf_stack_amx, zf_stack_winograd_avx2, zf_stack_winograd_avx512;

const zf_stack_kernels *zf_stack_kernels_for(const zf_stack *stack)
{
    if (!fits(stack) || zf_products_exact()) return NULL;
    if (zf_tiles_usable()) return &zf_stack_amx;
    switch (zf_isa_current()) {
    case ZF_AVX512:
        return &zf_stack_winograd_avx512;
    case ZF_AVX2:
        return &zf_stack_winograd_avx2;
    default:
        return NULL;
    }
}

#else

const zf_stack_kernels *zf_stack_kernels_for(const zf_stack *stack)
{
    (void)fits(stack);
    return NULL;
}

#endif
