/* Batch norm: every channel brought to mean 0 and variance 1 over all rows in
   use (and all points of an image), then scaled and shifted.

   A meeting point. In the first stage each shard finds its own count, mean and
   spread (the sum of squared differences from the mean) of every channel; in
   the second every shard combines all of them, in the order of the shards and
   in double (Chan, Golub and LeVeque, 1979), and normalises its rows. That all
   do the same small sum is cheaper than one doing it and the others waiting.
   Backward likewise: own sums of dy and dy (x - mean), then all shards' sums.
   Shard 0 moves the running statistics. */
#include <math.h>

#include "engine/op.h"
#include "kernel/channels.h"
#include "op/ops.h"

enum { X, SCALE, SHIFT, RUNNING_MEAN, RUNNING_VARIANCE };

typedef struct batch_norm {
    float momentum, epsilon;
    size_t channels, space;
} batch_norm;

static const batch_norm *attribute(const zf_call *call)
{
    return (const void *)call->node->attribute;
}

/* What a shard saves. forward: mean and spread by channel; backward: sums of dy
   and of dy (x - mean). Behind them the statistics of the whole batch, of which
   every shard has its own copy. */
typedef struct shard {
    double count, *first, *second; /* [channels] each */
    float *mean, *inverse;         /* of the batch: mean, 1 / deviation */
} shard;

static shard shard_at(const zf_call *call, int s)
{
    size_t channels = attribute(call)->channels;
    double *base = zf_saved_shard(call, s);
    float *statistics = (float *)(base + 1 + 2 * channels);
    return (shard){base[0], base + 1, base + 1 + channels, statistics, statistics + channels};
}

static zf_channels_shape shape_of(const zf_call *call)
{
    const batch_norm *b = attribute(call);
    return (zf_channels_shape){(size_t)zf_call_rows(call), b->channels, b->space};
}

static zf_status infer(zf_node *node)
{
    batch_norm *b = (void *)node->attribute;
    const zf_node *x = node->input[X];
    bool fits = x->domain && x->type == ZF_F32 && x->shape.rank >= 2;
    for (int i = SCALE; i <= RUNNING_VARIANCE && fits; i++)
        fits = !node->input[i]->domain &&
               zf_shape_equal(node->input[i]->shape, zf_shape_of(x->shape.dim[1]));
    fits &= !node->input[RUNNING_MEAN]->wants_grad && !node->input[RUNNING_VARIANCE]->wants_grad;
    if (!fits || !(b->momentum >= 0 && b->momentum <= 1) || !(b->epsilon > 0))
        return zf_op_mismatch(node, "rows [N, C] or [N, C, H, W], scale and shift parameters [C], "
                                    "running mean and variance buffers [C], momentum in 0 .. 1 and "
                                    "epsilon above 0");
    zf_op_rows_like(node, X, zf_shape_row(x->shape));
    b->channels = (size_t)x->shape.dim[1];
    b->space = zf_shape_row_size(x->shape) / b->channels;
    node->saved_bytes_a_shard =
        (1 + 2 * b->channels) * sizeof(double) + 2 * b->channels * sizeof(float);
    node->scratch_bytes = b->channels * (2 * sizeof(double) + 3 * sizeof(float));
    return ZF_OK;
}

/* --- forward --------------------------------------------------------------------- */

static void measure(const zf_call *call)
{
    if (!call->training) return;
    shard own = shard_at(call, call->shard);
    zf_channels_shape shape = shape_of(call);
    *(double *)zf_saved_shard(call, call->shard) = (double)shape.rows * (double)shape.space;
    zf_channels()->moments(own.first, own.second, zf_in(call, X), shape);
}

typedef struct moments {
    double count, mean, spread;
} moments;

/* What all shards make together, by channel; what it writes to is scratch. */
typedef struct whole {
    double count, *first, *second; /* [channels] each: means and spreads, or sums and dots */
    float *rest;                   /* [3 channels] that are free */
} whole;

static whole whole_of(const zf_call *call)
{
    size_t channels = attribute(call)->channels;
    whole all = {.first = call->scratch};
    all.second = all.first + channels;
    all.rest = (float *)(all.second + channels);
    for (size_t c = 0; c < 2 * channels; c++) all.first[c] = 0;
    return all;
}

static whole combine(const zf_call *call)
{
    whole all = whole_of(call);
    for (int s = 0; s < call->shards; s++) {
        shard part = shard_at(call, s);
        double count = all.count + part.count, share = part.count / count;
        double both = all.count * share;
        for (size_t c = 0; c < attribute(call)->channels; c++) {
            double gap = part.first[c] - all.first[c];
            all.second[c] += part.second[c] + gap * gap * both;
            all.first[c] += gap * share;
        }
        all.count = count;
    }
    return all;
}

static whole add_up(const zf_call *call)
{
    whole all = whole_of(call);
    all.count = (double)call->rows * (double)attribute(call)->space;
    for (int s = 0; s < call->shards; s++) {
        shard part = shard_at(call, s);
        for (size_t c = 0; c < attribute(call)->channels; c++) {
            all.first[c] += part.first[c];
            all.second[c] += part.second[c];
        }
    }
    return all;
}

static void move_running(const zf_call *call, size_t channel, moments all)
{
    float *mean = (float *)call->node->input[RUNNING_MEAN]->value + channel;
    float *variance = (float *)call->node->input[RUNNING_VARIANCE]->value + channel;
    double momentum = (double)attribute(call)->momentum;
    double unbiased = all.spread / (all.count > 1 ? all.count - 1 : 1);
    *mean = (float)((1 - momentum) * (double)*mean + momentum * all.mean);
    *variance = (float)((1 - momentum) * (double)*variance + momentum * unbiased);
}

/* Returns scratch that is free. */
static float *find_statistics(const zf_call *call)
{
    shard own = shard_at(call, call->shard);
    double epsilon = (double)attribute(call)->epsilon;
    whole all = call->training ? combine(call) : whole_of(call);
    for (size_t c = 0; c < attribute(call)->channels; c++) {
        if (!call->training) {
            own.mean[c] = zf_in(call, RUNNING_MEAN)[c];
            own.inverse[c] = (float)(1 / sqrt((double)zf_in(call, RUNNING_VARIANCE)[c] + epsilon));
            continue;
        }
        own.mean[c] = (float)all.first[c];
        own.inverse[c] = (float)(1 / sqrt(all.second[c] / all.count + epsilon));
        if (call->shard == 0)
            move_running(call, c, (moments){all.count, all.first[c], all.second[c]});
    }
    return all.rest;
}

static void normalise(const zf_call *call)
{
    float *factor = find_statistics(call);
    shard own = shard_at(call, call->shard);
    for (size_t c = 0; c < attribute(call)->channels; c++)
        factor[c] = zf_in(call, SCALE)[c] * own.inverse[c];
    zf_channels()->apply(zf_out(call), zf_in(call, X), own.mean, factor, zf_in(call, SHIFT),
                         shape_of(call));
}

/* --- backward ------------------------------------------------------------------------ */

/* The sums of this shard, which are its gradients of shift and (over the
   deviation) of scale. */
static void backward_sums(const zf_call *call)
{
    shard own = shard_at(call, call->shard);
    zf_channels()->backward_sums(own.first, own.second, zf_out_grad(call), zf_in(call, X), own.mean,
                                 shape_of(call));
    float *d_scale = zf_in_grad(call, SCALE), *d_shift = zf_in_grad(call, SHIFT);
    for (size_t c = 0; c < attribute(call)->channels; c++) {
        float slope = (float)(own.second[c] * (double)own.inverse[c]), level = (float)own.first[c];
        if (d_scale) d_scale[c] = zf_fresh(call, SCALE) ? slope : d_scale[c] + slope;
        if (d_shift) d_shift[c] = zf_fresh(call, SHIFT) ? level : d_shift[c] + level;
    }
}

static void backward_apply(const zf_call *call)
{
    float *dx = zf_in_grad(call, X);
    if (!dx) return;
    size_t channels = attribute(call)->channels;
    shard own = shard_at(call, call->shard);
    whole all = add_up(call);
    float *factor = all.rest, *level = factor + channels, *slope = level + channels;
    for (size_t c = 0; c < channels; c++) {
        double inverse = (double)own.inverse[c];
        double strength = (double)zf_in(call, SCALE)[c] * inverse;
        factor[c] = (float)strength;
        level[c] = (float)(strength * all.first[c] / all.count);
        slope[c] = (float)(strength * inverse * inverse * all.second[c] / all.count);
    }
    zf_channels()->backward_apply(dx, zf_out_grad(call), zf_in(call, X), own.mean, factor, level,
                                  slope, shape_of(call), zf_fresh(call, X));
}

const zf_op zf_op_batch_norm = {
    .name = "batch_norm",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 5,
    .max_inputs = 5,
    .infer = infer,
    .forward = {{measure, ZF_OVER_OUTPUT, false}, {normalise, ZF_OVER_OUTPUT, true}},
    .backward = {{backward_sums, ZF_OVER_OUTPUT, false}, {backward_apply, ZF_OVER_OUTPUT, true}},
};

zf_node *zf_batch_norm(zf_node *x, zf_node *scale, zf_node *shift, zf_node *running_mean,
                       zf_node *running_variance, float momentum, float epsilon)
{
    zf_node *inputs[] = {x, scale, shift, running_mean, running_variance};
    batch_norm b = {.momentum = momentum, .epsilon = epsilon};
    return zf_op_apply(&zf_op_batch_norm, zf_op_program(inputs, 5), inputs, 5, &b, sizeof b);
}
