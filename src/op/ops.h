/* Constructors of all operations. Each returns NULL on failure, or when an
   input is NULL (program.h). Letters: N rows of the domain, everything else as
   said. Weights of linear layers are [out, in], as PyTorch has them, unless a
   constructor says otherwise; images are [N, C, H, W], sequences [N, T, C]. */
#ifndef ZF_OP_OPS_H
#define ZF_OP_OPS_H

#include "engine/program.h"

/* --- linear.c, linear_sparse.c, linear_selected.c, pairs.c ---------------- */

/* y = x W^T + b: x [N, ..., in], W [out, in], b [out] or NULL. */
zf_node *zf_linear(zf_node *x, zf_node *w, zf_node *b);
/* The same with W stored as [in, out]: the layout that zf_linear_sparse shares. */
zf_node *zf_linear_in_out(zf_node *x, zf_node *w, zf_node *b);
/* The same for an x whose rows have at most K non-zero columns: columns [N, ..., K]
   (index, -1 for none) and values of that shape; W [in, out], b [out] or NULL. */
zf_node *zf_linear_sparse(zf_node *columns, zf_node *values, zf_node *w, zf_node *b);
/* The same two added to `onto` [N, ..., out], without a bias; to the sparse one
   `onto` may also be [N, out], one row for all places. */
zf_node *zf_linear_onto(zf_node *onto, zf_node *x, zf_node *w);
zf_node *zf_linear_sparse_onto(zf_node *onto, zf_node *columns, zf_node *values, zf_node *w);
/* The same with a bias, added to `onto` [N, ..., out] that others read as well. */
zf_node *zf_linear_residual(zf_node *onto, zf_node *x, zf_node *w, zf_node *b);
/* Only the outputs named by columns [N, ..., K] (index, -1 gives 0): y of that
   shape; x [N, ..., in], W [out, in], b [out] or NULL. */
zf_node *zf_linear_selected(zf_node *x, zf_node *columns, zf_node *w, zf_node *b);

/* Sum over the columns named in a row, [N, K] (index, -1 for none), of what is
   known of their pairs with each feature: y[n, j] = sum_k w[c, j] + w[j, c],
   c = columns[n, k]; w [D, D]. */
zf_node *zf_pairs(zf_node *columns, zf_node *w);

/* --- gather.c, scatter_add.c, embedding.c --------------------------------- */

/* Row index[n] of source becomes row n: index [N] belongs to the result's
   domain, source to any other (or the same). With index [N, K], element
   index[n, k] of the whole source becomes element k of row n. */
zf_node *zf_gather(zf_node *source, zf_node *index);
/* Row n of source is added to row index[n] of a result in domain `into`. */
zf_node *zf_scatter_add(zf_node *source, zf_node *index, zf_domain *into);
/* Row index[n, t] of the parameter table [V, C]: index [N] or [N, T]. */
zf_node *zf_embedding(zf_node *index, zf_node *table);

/* --- flow_input.c, flow_error.c --------------------------------------------- */

/* Points of ways between the rows of x: (1 - t) x[n] + t x[other[n]], beside y[n]. All are
   inputs without a gradient: x and y [N, C, H, W], index other [N], t [N] or NULL for 1/2. */
typedef struct zf_flow_point {
    zf_node *x, *y, *other, *t;
} zf_flow_point;

/* [N, 3C + 1, H, W]: the point, y, a plane of t, and what is told [N, C, H, W], of the own
   row or of the other. */
zf_node *zf_flow_input(zf_flow_point point, zf_node *told);
zf_node *zf_flow_input_other(zf_flow_point point, zf_node *told);
/* The sum of squares of what a stack of convolutions (zf_conv_stack) makes of the same two, less
   the target, an input like what is told; NULL: less 0. */
zf_node *zf_flow_error(zf_flow_point point, zf_node *told, zf_node *target, zf_node *const *weights,
                       zf_node *const *biases, int layers);
zf_node *zf_flow_error_other(zf_flow_point point, zf_node *told, zf_node *target,
                             zf_node *const *weights, zf_node *const *biases, int layers);

/* --- elementwise.c -------------------------------------------------------- */

zf_node *zf_relu(zf_node *x);
zf_node *zf_leaky_relu(zf_node *x, float slope); /* slope > 0 */
zf_node *zf_gelu(zf_node *x);                    /* the exact one, with erf */
zf_node *zf_sigmoid(zf_node *x);
zf_node *zf_tanh(zf_node *x);
zf_node *zf_exp(zf_node *x);
zf_node *zf_scale(zf_node *x, float factor);
/* Same shape and domain; or b a parameter of the shape of one row, used for
   every row. */
zf_node *zf_add(zf_node *a, zf_node *b);
zf_node *zf_mul(zf_node *a, zf_node *b);

/* --- regroup.c; shape.c: concat, slice, reshape -------------------------------------- */

/* Joins along a dimension >= 1; all other dimensions are equal. */
zf_node *zf_concat(zf_node *const *parts, int n_parts, int axis);
/* Elements [begin, begin + length) of a dimension >= 1. */
zf_node *zf_slice(zf_node *x, int axis, int begin, int length);
/* The same rows in another number of shards, 0 for the default: layers with many weights
   want few, because each shard has a gradient of them, and large rows want many, because
   a shard should stay in cache. Nodes with equally many shards go together. */
zf_node *zf_regroup(zf_node *x, int shards);
/* Another shape of the same row size. */
zf_node *zf_reshape(zf_node *x, zf_shape row);

/* --- conv2d.c, conv_stack.c ------------------------------------------------ */

typedef struct zf_conv_options {
    int stride_h, stride_w;   /* >= 1 */
    int padding_h, padding_w; /* >= 0 */
    int extra_h, extra_w;     /* transposed only: rows and columns added below and right */
} zf_conv_options;

/* x [N, C, H, W], W [O, C, KH, KW], b [O] or NULL. */
zf_node *zf_conv2d(zf_node *x, zf_node *w, zf_node *b, zf_conv_options options);
/* x [N, C, H, W], W [C, O, KH, KW], b [O] or NULL:
   output H = (H - 1) stride_h - 2 padding_h + KH + extra_h. */
zf_node *zf_conv2d_transposed(zf_node *x, zf_node *w, zf_node *b, zf_conv_options options);
/* Layers of conv2d with a padding of 1, relu between them: x [N, C, H, W], weights
   [O, C, 3, 3], biases [O], the C of a layer the O of the one before. */
zf_node *zf_conv_stack(zf_node *x, zf_node *const *weights, zf_node *const *biases, int layers);

/* --- batch_norm.c, layer_norm.c, normalise.c ------------------------------- */

/* x [N, C] or [N, C, H, W]; scale, shift [C] parameters; running_mean and
   running_variance [C] buffers, moved by momentum in training (the variance
   unbiased, as PyTorch does) and used in evaluation. */
zf_node *zf_batch_norm(zf_node *x, zf_node *scale, zf_node *shift, zf_node *running_mean,
                       zf_node *running_variance, float momentum, float epsilon);
/* Over the last dimension of x; scale and shift are parameters of its length, or
   both NULL for 1 and 0. */
zf_node *zf_layer_norm(zf_node *x, zf_node *scale, zf_node *shift, float epsilon);
/* Each row (all its elements) divided by max(its L2 norm, epsilon). */
zf_node *zf_normalise_rows(zf_node *x, float epsilon);

/* --- softmax.c, attention.c ------------------------------------------------ */

/* Over the last dimension. */
zf_node *zf_softmax(zf_node *x);
/* softmax(q k^T / sqrt(C / heads)) v by head, within each row: q [N, T, C],
   k and v [N, S, C]; C is a multiple of heads. */
zf_node *zf_attention(zf_node *q, zf_node *k, zf_node *v, int heads);
/* The same of columns: q, k and v side by side, [N, T, 3C]; or k and v, [N, S, 2C]. */
zf_node *zf_attention_qkv(zf_node *qkv, int heads);
zf_node *zf_attention_kv(zf_node *q, zf_node *kv, int heads);

/* --- lstm.c ---------------------------------------------------------------- */

/* One direction's weights: w_input [4H, I], w_hidden [4H, H], bias [4H], gates
   in PyTorch's order (input, forget, cell, output), one bias where PyTorch
   adds two. */
typedef struct zf_lstm_weights {
    zf_node *w_input, *w_hidden, *bias;
} zf_lstm_weights;

/* x [N, T, I] gives [N, T, 2H]: forward states, then backward states. */
zf_node *zf_lstm(zf_node *x, zf_lstm_weights forward, zf_lstm_weights backward);

/* lstm_bits.c: the same over bits [N, T] of which few are 1, with a linear layer of
   one output: embedding [2, I], readout [1, 2H] and its bias [1] give [N, T]. */
zf_node *zf_lstm_bits(zf_node *bits, zf_node *embedding, zf_lstm_weights forward,
                      zf_lstm_weights backward, zf_node *readout, zf_node *readout_bias);

/* --- reduce.c: sums and means; losses: squared_error.c, cross_entropy.c,
   contrastive.c ---------------------------------------------------------------- */

zf_node *zf_sum(zf_node *x);                /* of all elements: a scalar */
zf_node *zf_mean(zf_node *x);               /* over the rows in use */
zf_node *zf_sum_axis(zf_node *x, int axis); /* over a dimension >= 1, which goes away */
zf_node *zf_mean_axis(zf_node *x, int axis);

typedef enum zf_total { ZF_SUM, ZF_MEAN } zf_total;

/* weight (a - b)^2 summed or averaged over all elements (zero weights count):
   b NULL stands for 0; weight NULL for 1, else the shape of a, or one a row [N].
   The weight gets no gradient. */
zf_node *zf_squared_error(zf_node *a, zf_node *b, zf_node *weight, zf_total total);
/* Mean over rows of -log softmax(logits)[label]: logits [N, C], label index [N]. */
zf_node *zf_cross_entropy(zf_node *logits, zf_node *label);
/* Codes [2N, L] of two views each of N images, rows i and N + i those of the same one:
   the mean over all rows of -log softmax over the other rows of their products with this
   one / temperature, at the row of the same image. Rows are taken as they are, so
   usually normalised. An odd last row is only what others are told from. */
zf_node *zf_contrastive(zf_node *codes, float temperature);

#endif
