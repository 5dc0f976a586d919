/* What flow_input.c and flow_error.c share: the planes that a velocity is asked with. */
#ifndef ZF_OP_FLOW_POINT_H
#define ZF_OP_FLOW_POINT_H

#include "engine/op.h"

/* The first inputs of both. */
enum { ZF_FLOW_TOLD, ZF_FLOW_X, ZF_FLOW_Y, ZF_FLOW_OTHER, ZF_FLOW_INPUTS };

/* Checks these, and t if it is not NULL; for infer. */
zf_status zf_point_check(const zf_node *node, const zf_node *t);

/* Elements of an image of x, and of all planes [3C + 1, H, W] of one; and in front of those
   that were told. */
size_t zf_point_image(const zf_call *call);
size_t zf_point_planes(const zf_call *call);
size_t zf_point_before_told(const zf_call *call);

/* The planes of row n: at t, or at 1/2 if t is -1, which is an input's number; with what is told
   of the other row, or of the own. */
void zf_point_fill(const zf_call *call, float *planes, int n, int t, bool of_other);

/* Adds to the gradient of what is told, in the rows of this shard, `factor` times what the rows
   whose other they are have for it: `dy` is the first row's, and rows are `stride` apart. Each
   shard looks for its own rows among all, as gather does. */
void zf_point_send_back(const zf_call *call, float factor, const float *dy, size_t stride);

#endif
