/* What conv_stack.c and flow_error.c share: which stacks are one operation. */
#ifndef ZF_OP_STACK_H
#define ZF_OP_STACK_H

#include "engine/op.h"
#include "kernel/conv_stack.h"

/* Whether layers fit together and to images of so many channels, with the sides, type and
   program of x, and go as a stack, and as which. Channels from `wanted` on get a
   gradient. */
bool zf_stack_describe(zf_stack *stack, const zf_node *x, int channels, int wanted,
                       zf_node *const *weights, zf_node *const *biases, int layers);

#endif
