/* An LSTM through time, around the inner kernels of isa/lstm.c: packing of
   weights, the walk over the steps, sums of weight gradients.

   Forward needs one kernel call a step. Backward goes back step by step: the
   gradient of the gates by element, from which a product with the weights
   [4P][Q + P] (inputs, hidden; Q and P are I and H rounded up to whole vectors)
   gives the gradients of x and of the hidden state before. Weight gradients are
   gathered over a span of steps while the gates' gradients are still in the
   cache: one product a span into sums [4P][Q + P] that are added to the
   parameters' at the end.

   Rejected: BLAS for the recurrent products. At 50 rows of 32 by 128 its
   overhead for one call is as long as the product, and the gates before their
   nonlinearity make a round trip through memory. Asking for the rows of the
   next step in advance (prefetch) gained nothing: what is left beside the
   arithmetic is the bandwidth of reading what forward has saved. */
#include "kernel/lstm.h"

#include <string.h>

#include "kernel/dispatch.h"
#include "kernel/reduce.h"

ZF_DISPATCH(zf_lstm_kernels, zf_lstm_kernels_of)

/* Rows times steps that a weight gradient takes at once, at least. */
enum { SPAN_ROWS = 128 };

typedef struct widths {
    const zf_lstm_kernels *kernels;
    size_t inputs, hidden; /* Q and P */
    size_t both;           /* Q + P */
    size_t gates;          /* 4P */
    int span;              /* steps */
} widths;

static widths widths_of(const zf_lstm_size *size, int n)
{
    const zf_lstm_kernels *kernels = size->kernels ? size->kernels : zf_lstm_kernels_of();
    size_t lanes = (size_t)kernels->lanes;
    widths w = {.kernels = kernels,
                .inputs = ((size_t)size->inputs + lanes - 1) / lanes * lanes,
                .hidden = ((size_t)size->hidden + lanes - 1) / lanes * lanes,
                .span = (SPAN_ROWS + n - 1) / n};
    w.both = w.inputs + w.hidden;
    w.gates = ZF_LSTM_GATES * w.hidden;
    if (w.span > size->steps) w.span = size->steps;
    return w;
}

size_t zf_lstm_saved_bytes(const zf_lstm_size *size, int n)
{
    widths w = widths_of(size, n);
    return (size_t)size->steps * (size_t)n * (w.gates + w.hidden) * sizeof(float);
}

/* Of what is saved, the gates of all steps [T][n][4P] come first, then the cells
   [T][n][P]: backward reads both as streams. */
static size_t all_gates(const zf_lstm_size *size, const widths *w, int n)
{
    return (size_t)size->steps * (size_t)n * w->gates;
}

/* Forward and backward share the memory. */
typedef struct forward_memory {
    float *weights, *bias, *gates, *cell;
} forward_memory;

typedef struct backward_memory {
    float *weights; /* [4P][Q + P] */
    float *sums;    /* the same, gradients */
    float *d_bias;  /* [4P] */
    float *d_gates; /* [span][n][4P], the steps of a span backwards */
    float *states;  /* [span][n][Q + P]: x and the hidden state before */
    float *back;    /* [n][Q + P]: gradients of the same */
    float *d_cell;  /* [n][P] */
} backward_memory;

static float *take(float **next, size_t floats)
{
    float *piece = *next;
    *next += (floats + 15) / 16 * 16;
    return piece;
}

static forward_memory take_forward(float **next, const zf_lstm_size *size, const widths *w, int n)
{
    size_t depth = (size_t)size->inputs + (size_t)size->hidden;
    return (forward_memory){.weights = take(next, depth * w->gates),
                            .bias = take(next, w->gates),
                            .gates = take(next, (size_t)n * w->gates),
                            .cell = take(next, (size_t)n * w->hidden)};
}

static backward_memory take_backward(float **next, const widths *w, int n)
{
    size_t span_rows = (size_t)w->span * (size_t)n;
    return (backward_memory){.weights = take(next, w->gates * w->both),
                             .sums = take(next, w->gates * w->both),
                             .d_bias = take(next, w->gates),
                             .d_gates = take(next, span_rows * w->gates),
                             .states = take(next, span_rows * w->both),
                             .back = take(next, (size_t)n * w->both),
                             .d_cell = take(next, (size_t)n * w->hidden)};
}

size_t zf_lstm_scratch_bytes(const zf_lstm_size *size, int n)
{
    /* Fewer rows have longer spans: at most this many rows in one. */
    widths w = widths_of(size, n);
    size_t depth = (size_t)size->inputs + (size_t)size->hidden, rows = (size_t)n + SPAN_ROWS;
    size_t forward = (depth + 1) * w.gates + rows * (w.gates + w.hidden);
    size_t backward = 2 * w.gates * w.both + w.gates + rows * (w.gates + 2 * w.both + w.hidden);
    enum { PIECES = 8, SLACK = 16 };
    return ((forward > backward ? forward : backward) + PIECES * SLACK) * sizeof(float);
}

static int step_at(const zf_lstm_size *size, int i)
{
    return size->reverse ? size->steps - 1 - i : i;
}

/* --- forward ---------------------------------------------------------------------- */

/* Rows [4H, columns] of w to [block][column][gate][lane], at `first` of the
   depth columns in all. */
static void pack_forward(const zf_lstm_size *size, const widths *w, const float *from, int columns,
                         int first, int depth, float *packed)
{
    int lanes = w->kernels->lanes;
    for (int h = 0; h < (int)w->hidden; h++)
        for (int k = 0; k < columns; k++)
            for (int g = 0; g < ZF_LSTM_GATES; g++) {
                size_t at =
                    ((size_t)(h / lanes) * (size_t)depth + (size_t)(first + k)) * ZF_LSTM_GATES +
                    (size_t)g;
                packed[at * (size_t)lanes + (size_t)(h % lanes)] =
                    h < size->hidden
                        ? from[(size_t)(g * size->hidden + h) * (size_t)columns + (size_t)k]
                        : 0.0f;
            }
}

void zf_lstm_forward(const zf_lstm_size *size, int n, const float *x, const zf_lstm_values *values,
                     float *y, float *saved, void *scratch)
{
    widths w = widths_of(size, n);
    float *next = scratch;
    forward_memory memory = take_forward(&next, size, &w, n);
    int depth = size->inputs + size->hidden;
    pack_forward(size, &w, values->w_input, size->inputs, 0, depth, memory.weights);
    pack_forward(size, &w, values->w_hidden, size->hidden, size->inputs, depth, memory.weights);
    pack_forward(size, &w, values->bias, 1, 0, 1, memory.bias);

    zf_lstm_step step = {.n = n,
                         .inputs = size->inputs,
                         .hidden = size->hidden,
                         .x_row = (size_t)size->steps * (size_t)size->inputs,
                         .y_row = (size_t)size->steps * (size_t)size->outputs,
                         .weights = memory.weights,
                         .bias = memory.bias,
                         .gates = memory.gates,
                         .cell = memory.cell};
    if (saved) step.gates = saved, step.cell = saved + all_gates(size, &w, n);
    for (int i = 0; i < size->steps; i++) {
        size_t t = (size_t)step_at(size, i);
        step.x = x + t * (size_t)size->inputs;
        step.y = y + t * (size_t)size->outputs;
        w.kernels->step(&step);
        step.before = step.y;
        step.cell_before = step.cell;
        if (!saved) continue;
        step.gates += (size_t)n * w.gates;
        step.cell += (size_t)n * w.hidden;
    }
}

/* --- backward ----------------------------------------------------------------------- */

/* Rows [4H, columns] of w to columns [first, first + columns) of [4P][Q + P]. */
static void pack_backward(const zf_lstm_size *size, const widths *w, const float *from, int columns,
                          size_t first, float *packed)
{
    for (int g = 0; g < ZF_LSTM_GATES; g++)
        for (int h = 0; h < size->hidden; h++)
            memcpy(packed + ((size_t)g * w->hidden + (size_t)h) * w->both + first,
                   from + (size_t)(g * size->hidden + h) * (size_t)columns,
                   (size_t)columns * sizeof *from);
}

/* And the way back for a gradient. */
static void unpack_gradient(const zf_lstm_size *size, const widths *w, const float *sums,
                            size_t row, int columns, size_t first, bool fresh, float *to)
{
    if (!to) return;
    for (int g = 0; g < ZF_LSTM_GATES; g++)
        for (int h = 0; h < size->hidden; h++) {
            const float *from = sums + ((size_t)g * w->hidden + (size_t)h) * row + first;
            float *out = to + (size_t)(g * size->hidden + h) * (size_t)columns;
            for (int k = 0; k < columns; k++) out[k] = fresh ? from[k] : out[k] + from[k];
        }
}

typedef struct backward_run {
    const zf_lstm_size *size;
    widths w;
    int n;
    const float *x, *y;
    const zf_lstm_grads *grads;
    backward_memory memory;
} backward_run;

/* x of step i and the hidden state before it, padded. The padding was cleared. */
static void copy_states(const backward_run *run, int i, float *states)
{
    const zf_lstm_size *size = run->size;
    size_t t = (size_t)step_at(size, i), steps = (size_t)size->steps;
    for (size_t row = 0; row < (size_t)run->n; row++, states += run->w.both) {
        memcpy(states, run->x + (row * steps + t) * (size_t)size->inputs,
               (size_t)size->inputs * sizeof(float));
        float *hidden = states + run->w.inputs;
        size_t bytes = (size_t)size->hidden * sizeof(float);
        if (i == 0)
            memset(hidden, 0, bytes);
        else
            memcpy(hidden,
                   run->y + (row * steps + (size_t)step_at(size, i - 1)) * (size_t)size->outputs,
                   bytes);
    }
}

/* The gradients of x at step i and of the state before it. */
static void send_back(const backward_run *run, int i, const float *d_gates)
{
    const zf_lstm_size *size = run->size;
    const widths *w = &run->w;
    /* Without x only the right columns are wanted. */
    size_t skip = run->grads->x ? 0 : w->inputs;
    if (i == 0 && skip) return;
    w->kernels->product(&(zf_lstm_product){.rows = run->n,
                                           .columns = (int)(w->both - skip),
                                           .depth = (int)w->gates,
                                           .a = d_gates,
                                           .a_row = w->gates,
                                           .a_step = 1,
                                           .b = run->memory.weights + skip,
                                           .b_row = w->both,
                                           .c = run->memory.back + skip,
                                           .c_row = w->both});
    if (skip) return;
    size_t t = (size_t)step_at(size, i);
    for (size_t row = 0; row < (size_t)run->n; row++) {
        const float *from = run->memory.back + row * w->both;
        float *dx = run->grads->x + (row * (size_t)size->steps + t) * (size_t)size->inputs;
        if (run->grads->fresh_x)
            memcpy(dx, from, (size_t)size->inputs * sizeof *dx);
        else
            for (int k = 0; k < size->inputs; k++) dx[k] += from[k];
    }
}

/* Adds what a span of steps gives to the sums of weights and bias. */
static void add_span(const backward_run *run, int steps)
{
    const widths *w = &run->w;
    int rows = steps * run->n;
    w->kernels->product(&(zf_lstm_product){.rows = (int)w->gates,
                                           .columns = (int)w->both,
                                           .depth = rows,
                                           .a = run->memory.d_gates,
                                           .a_row = 1,
                                           .a_step = w->gates,
                                           .b = run->memory.states,
                                           .b_row = w->both,
                                           .c = run->memory.sums,
                                           .c_row = w->both,
                                           .accumulate = true});
    zf_reduce()->column_sums(run->memory.d_bias, run->memory.d_gates, (size_t)rows, w->gates,
                             false);
}

static void clear(float *values, size_t n)
{
    memset(values, 0, n * sizeof *values);
}

static void prepare(const backward_run *run, const zf_lstm_values *values)
{
    const widths *w = &run->w;
    const backward_memory *m = &run->memory;
    clear(m->weights, w->gates * w->both);
    clear(m->sums, w->gates * w->both);
    clear(m->d_bias, w->gates);
    clear(m->states, (size_t)w->span * (size_t)run->n * w->both);
    clear(m->d_cell, (size_t)run->n * w->hidden);
    pack_backward(run->size, w, values->w_input, run->size->inputs, 0, m->weights);
    pack_backward(run->size, w, values->w_hidden, run->size->hidden, w->inputs, m->weights);
}

static void walk_back(const backward_run *run, const float *dy, const float *saved)
{
    const widths *w = &run->w;
    const backward_memory *m = &run->memory;
    size_t n = (size_t)run->n;
    const float *cells = saved + all_gates(run->size, w, run->n);
    zf_lstm_step_back step = {.n = run->n,
                              .hidden = run->size->hidden,
                              .dy_row = (size_t)run->size->steps * (size_t)run->size->outputs,
                              .d_hidden_row = w->both,
                              .d_cell = m->d_cell};
    int in_span = 0;
    for (int i = run->size->steps - 1; i >= 0; i--) {
        step.dy = dy + (size_t)step_at(run->size, i) * (size_t)run->size->outputs;
        step.gates = saved + (size_t)i * n * w->gates;
        step.cell = cells + (size_t)i * n * w->hidden;
        step.cell_before = i > 0 ? step.cell - n * w->hidden : NULL;
        step.d_gates = m->d_gates + (size_t)in_span * n * w->gates;
        w->kernels->step_back(&step);
        step.d_hidden = m->back + w->inputs;
        copy_states(run, i, m->states + (size_t)in_span * n * w->both);
        send_back(run, i, step.d_gates);
        if (++in_span == w->span || i == 0) {
            add_span(run, in_span);
            in_span = 0;
        }
    }
}

void zf_lstm_backward(const zf_lstm_size *size, int n, const float *x, const zf_lstm_values *values,
                      const float *y, const float *dy, const float *saved,
                      const zf_lstm_grads *grads, void *scratch)
{
    float *next = scratch;
    backward_run run = {
        .size = size, .w = widths_of(size, n), .n = n, .x = x, .y = y, .grads = grads};
    run.memory = take_backward(&next, &run.w, n);
    prepare(&run, values);
    walk_back(&run, dy, saved);
    unpack_gradient(size, &run.w, run.memory.sums, run.w.both, size->inputs, 0,
                    grads->fresh_w_input, grads->w_input);
    unpack_gradient(size, &run.w, run.memory.sums, run.w.both, size->hidden, run.w.inputs,
                    grads->fresh_w_hidden, grads->w_hidden);
    unpack_gradient(size, &run.w, run.memory.d_bias, 1, 1, 0, grads->fresh_bias, grads->bias);
}
