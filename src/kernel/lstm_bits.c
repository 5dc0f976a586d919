/* The walk over the steps, around the inner kernels of isa/lstm.c.

   The rows of a call are sorted by the step of their first one. Row 0 is the chain
   of zeros, and at a step the rows 1 .. active are those that have begun: always
   the first ones, so that a step is one kernel call on neighbours in memory. The
   chain is run as long as a row has not begun.

   Rejected: sharing between rows that have the same bits up to a step. It is exact
   as well, but neighbouring targets tell rows apart within a step or two. */
#include "kernel/lstm_bits.h"

#include <string.h>

#include "kernel/reduce.h"
#include "kernel/vector.h"

/* --- memory ----------------------------------------------------------------------- */

static size_t whole(size_t floats)
{
    return (floats + 15) / 16 * 16;
}

static size_t width_of(const zf_lstm_bits_size *size)
{
    size_t lanes = (size_t)zf_lstm_kernels_of()->lanes;
    return ((size_t)size->hidden + lanes - 1) / lanes * lanes;
}

/* Of the packed weights: [block][P][4][lanes] for forward, [4P][P] for backward, the
   gates' two beginnings [2][block][4][lanes], the readout [P]. */
typedef struct packed_weights {
    float *forward, *backward, *starts, *readout;
} packed_weights;

static packed_weights packed_at(const zf_lstm_bits_size *size, const float *packed)
{
    size_t p = width_of(size), matrix = whole(ZF_LSTM_GATES * p * p);
    float *from = (float *)packed;
    return (packed_weights){from, from + matrix, from + 2 * matrix,
                            from + 2 * matrix + 2 * whole(ZF_LSTM_GATES * p)};
}

size_t zf_lstm_bits_packed_bytes(const zf_lstm_bits_size *size)
{
    size_t p = width_of(size);
    return (2 * whole(ZF_LSTM_GATES * p * p) + 2 * whole(ZF_LSTM_GATES * p) + whole(p)) *
           sizeof(float);
}

/* What a run leaves, all by step: with n + 1 rows, gates [4P], cells [P], states [P],
   which bit each reads; and how many rows have begun. order is which row of the
   caller's comes as the i-th; out is what was read out of the latest step. */
typedef struct run {
    const zf_lstm_bits_size *size;
    const zf_lstm_kernels *kernels;
    size_t n, p;
    float *gates, *cells, *states, *out;
    int32_t *bits, *active, *order;
} run;

static run run_of(const zf_lstm_bits_size *size, int n, const void *saved)
{
    run r = {.size = size, .kernels = zf_lstm_kernels_of(), .n = (size_t)n, .p = width_of(size)};
    size_t rows = (size_t)size->steps * (r.n + 1);
    r.gates = (float *)saved;
    r.cells = r.gates + rows * ZF_LSTM_GATES * r.p;
    r.states = r.cells + rows * r.p;
    r.out = r.states + rows * r.p;
    r.bits = (int32_t *)(void *)(r.out + r.n + 1);
    r.active = r.bits + rows;
    r.order = r.active + size->steps;
    return r;
}

size_t zf_lstm_bits_saved_bytes(const zf_lstm_bits_size *size, int n)
{
    size_t p = width_of(size), steps = (size_t)size->steps, rows = steps * ((size_t)n + 1);
    return (rows * ((ZF_LSTM_GATES + 2) * p + 1) + steps + 2 * (size_t)n + 1) * sizeof(float);
}

static size_t position(const zf_lstm_bits_size *size, int step)
{
    return (size_t)(size->reverse ? size->steps - 1 - step : step);
}

/* The chain is run at this step: some row has not begun. */
static size_t first_row(const run *r, int step)
{
    return (size_t)r->active[step] < r->n ? 0 : 1;
}

static size_t row_at(const run *r, int step, size_t row)
{
    return (size_t)step * (r->n + 1) + row;
}

/* --- weights ---------------------------------------------------------------------- */

/* Where unit h of gate g is in [block][4][lanes]. */
static size_t gate_at(int lanes, int g, int h)
{
    return ((size_t)(h / lanes) * ZF_LSTM_GATES + (size_t)g) * (size_t)lanes + (size_t)(h % lanes);
}

static void pack_starts(const zf_lstm_bits_size *size, const zf_lstm_bits_values *v, float *starts)
{
    int lanes = zf_lstm_kernels_of()->lanes;
    size_t e_size = (size_t)size->embedding;
    for (int bit = 0; bit < 2; bit++, starts += ZF_LSTM_GATES * width_of(size))
        for (int g = 0; g < ZF_LSTM_GATES; g++)
            for (int h = 0; h < size->hidden; h++) {
                size_t row = (size_t)(g * size->hidden + h);
                float sum = v->bias[row];
                for (size_t e = 0; e < e_size; e++)
                    sum += v->w_input[row * e_size + e] * v->embedding[(size_t)bit * e_size + e];
                starts[gate_at(lanes, g, h)] = sum;
            }
}

void zf_lstm_bits_pack(const zf_lstm_bits_size *size, const zf_lstm_bits_values *values,
                       float *packed)
{
    packed_weights to = packed_at(size, packed);
    size_t p = width_of(size);
    int lanes = zf_lstm_kernels_of()->lanes, hidden = size->hidden;
    memset(packed, 0, zf_lstm_bits_packed_bytes(size));
    pack_starts(size, values, to.starts);
    memcpy(to.readout, values->readout, (size_t)hidden * sizeof(float));
    for (int g = 0; g < ZF_LSTM_GATES; g++)
        for (int h = 0; h < hidden; h++) {
            const float *from = values->w_hidden + (size_t)(g * hidden + h) * (size_t)hidden;
            float *unit = to.forward + (size_t)(h / lanes * lanes) * ZF_LSTM_GATES * p +
                          (size_t)(g * lanes + h % lanes);
            memcpy(to.backward + ((size_t)g * p + (size_t)h) * p, from,
                   (size_t)hidden * sizeof *from);
            for (int k = 0; k < hidden; k++) unit[k * ZF_LSTM_GATES * lanes] = from[k];
        }
}

/* --- forward ---------------------------------------------------------------------- */

static int first_one(const zf_lstm_bits_size *size, const int32_t *bits)
{
    for (int step = 0; step < size->steps; step++)
        if (bits[position(size, step)] == 1) return step;
    return size->steps;
}

/* Sorts the rows by their first one, those that begin together in their own order. */
static void arrange(const run *r, const int32_t *bits)
{
    int steps = r->size->steps, last = 0;
    size_t length = (size_t)steps;
    memset(r->active, 0, length * sizeof *r->active);
    for (size_t row = 0; row < r->n; row++) {
        int first = first_one(r->size, bits + row * length);
        if (first < steps) r->active[first]++;
    }
    for (int step = 0, before = 0; step < steps; step++) {
        int count = r->active[step];
        r->active[step] = before; /* for now: where the next that begins here goes */
        last = before += count;
    }
    for (size_t row = 0; row < r->n; row++) {
        int first = first_one(r->size, bits + row * length);
        r->order[first < steps ? r->active[first]++ : last++] = (int32_t)row;
    }
    for (int step = 0; step < steps; step++) {
        int32_t *here = r->bits + row_at(r, step, 0);
        here[0] = 0;
        for (int i = 0; i < r->active[step]; i++)
            here[i + 1] = bits[(size_t)r->order[i] * length + position(r->size, step)] == 1;
    }
}

/* Rows that begin at this step take over the chain's state. */
static void begin_rows(const run *r, int step)
{
    size_t chain = row_at(r, step - 1, 0), bytes = r->p * sizeof(float);
    for (size_t i = (size_t)r->active[step - 1] + 1; i <= (size_t)r->active[step]; i++) {
        memcpy(r->states + (chain + i) * r->p, r->states + chain * r->p, bytes);
        memcpy(r->cells + (chain + i) * r->p, r->cells + chain * r->p, bytes);
    }
}

/* Adds what was read out of a step to y: the chain's to all that have not begun. */
static void give_out(const run *r, int step, float *y)
{
    size_t at = position(r->size, step), length = (size_t)r->size->steps;
    size_t active = (size_t)r->active[step];
    for (size_t i = 0; i < r->n; i++)
        y[(size_t)r->order[i] * length + at] += r->out[i < active ? i + 1 : 0];
}

void zf_lstm_bits_forward(const zf_lstm_bits_size *size, int n, const int32_t *bits,
                          const float *packed, float *y, void *saved)
{
    run r = run_of(size, n, saved);
    packed_weights weights = packed_at(size, packed);
    arrange(&r, bits);
    for (int step = 0; step < size->steps; step++) {
        if (step > 0) begin_rows(&r, step);
        size_t first = first_row(&r, step), now = row_at(&r, step, first);
        size_t before = step > 0 ? row_at(&r, step - 1, first) : 0;
        r.kernels->step(&(zf_lstm_step){
            .n = r.active[step] + 1 - (int)first,
            .hidden = (int)r.p,
            .before = step > 0 ? r.states + before * r.p : NULL,
            .y = r.states + now * r.p,
            .y_row = r.p,
            .weights = weights.forward,
            .bias = weights.starts,
            .bits = r.bits + now,
            .gates = r.gates + now * ZF_LSTM_GATES * r.p,
            .cell_before = step > 0 ? r.cells + before * r.p : NULL,
            .cell = r.cells + now * r.p,
            .readout = weights.readout,
            .out = r.out + first,
        });
        give_out(&r, step, y);
    }
}

/* --- backward --------------------------------------------------------------------- */

/* With n + 1 rows: gradients of a step's gates [4P], of the state before it [P], of
   the cell [P], of what is read out; sums for the weights [4P][P], for the gates over
   all rows and over those that read a one [4P], for the readout [P]. */
typedef struct memory {
    float *d_gates, *d_state, *d_cell, *d_out;
    float *sums, *all, *ones, *readout;
} memory;

static memory memory_at(const run *r, void *scratch)
{
    size_t rows = r->n + 1, gates = ZF_LSTM_GATES * r->p;
    memory m = {.d_gates = scratch};
    m.d_state = m.d_gates + rows * gates;
    m.d_cell = m.d_state + rows * r->p;
    m.sums = m.d_cell + rows * r->p;
    m.all = m.sums + gates * r->p;
    m.ones = m.all + gates;
    m.readout = m.ones + gates;
    m.d_out = m.readout + r->p;
    return m;
}

size_t zf_lstm_bits_scratch_bytes(const zf_lstm_bits_size *size, int n)
{
    size_t p = width_of(size), rows = (size_t)n + 1, gates = ZF_LSTM_GATES * p;
    return (rows * (gates + 2 * p + 1) + gates * (p + 2) + p) * sizeof(float);
}

/* The gradient of each row's readout at a step; the chain's is the sum of those that
   have not begun. */
static void take_in(const run *r, int step, const float *dy, float *d_out)
{
    size_t at = position(r->size, step), length = (size_t)r->size->steps;
    size_t active = (size_t)r->active[step];
    d_out[0] = 0.0f;
    for (size_t i = 0; i < r->n; i++) {
        float d = dy[(size_t)r->order[i] * length + at];
        if (i < active)
            d_out[i + 1] = d;
        else
            d_out[0] += d;
    }
}

static void gates_back(const run *r, const packed_weights *weights, const memory *m, int step,
                       size_t first, int rows)
{
    size_t now = row_at(r, step, first);
    r->kernels->step_back(&(zf_lstm_step_back){
        .n = rows,
        .hidden = (int)r->p,
        .dy = weights->readout,
        .dy_scale = m->d_out + first,
        .d_hidden = m->d_state + first * r->p,
        .d_hidden_row = r->p,
        .gates = r->gates + now * ZF_LSTM_GATES * r->p,
        .cell = r->cells + now * r->p,
        .cell_before = step > 0 ? r->cells + row_at(r, step - 1, first) * r->p : NULL,
        .d_cell = m->d_cell + first * r->p,
        .d_gates = m->d_gates,
    });
}

/* Adds a step's share to the sums. */
static void add_up(const run *r, const memory *m, int step, size_t first, int rows)
{
    size_t gates = ZF_LSTM_GATES * r->p;
    const int32_t *bits = r->bits + row_at(r, step, first);
    zf_lstm_product readout = {.rows = 1,
                               .columns = (int)r->p,
                               .depth = rows,
                               .a = m->d_out + first,
                               .a_step = 1,
                               .b = r->states + row_at(r, step, first) * r->p,
                               .b_row = r->p,
                               .c = m->readout,
                               .accumulate = true};
    r->kernels->product(&readout);
    zf_reduce()->column_sums(m->all, m->d_gates, (size_t)rows, gates, false);
    for (int i = 0; i < rows; i++)
        if (bits[i]) zf_vector()->axpy(m->ones, 1.0f, m->d_gates + (size_t)i * gates, gates);
    if (step == 0) return; /* the state before is 0 */
    zf_lstm_product weights = {.rows = (int)gates,
                               .columns = (int)r->p,
                               .depth = rows,
                               .a = m->d_gates,
                               .a_row = 1,
                               .a_step = gates,
                               .b = r->states + row_at(r, step - 1, first) * r->p,
                               .b_row = r->p,
                               .c = m->sums,
                               .c_row = r->p,
                               .accumulate = true};
    r->kernels->product(&weights);
}

/* The gradient of the state before a step; rows that began there give theirs to the
   chain, whose state they took over. */
static void send_back(const run *r, const packed_weights *weights, const memory *m, int step,
                      size_t first, int rows)
{
    r->kernels->product(&(zf_lstm_product){.rows = rows,
                                           .columns = (int)r->p,
                                           .depth = (int)(ZF_LSTM_GATES * r->p),
                                           .a = m->d_gates,
                                           .a_row = ZF_LSTM_GATES * r->p,
                                           .a_step = 1,
                                           .b = weights->backward,
                                           .b_row = r->p,
                                           .c = m->d_state + first * r->p,
                                           .c_row = r->p});
    for (size_t i = (size_t)r->active[step - 1] + 1; i <= (size_t)r->active[step]; i++) {
        zf_vector()->axpy(m->d_state, 1.0f, m->d_state + i * r->p, r->p);
        zf_vector()->axpy(m->d_cell, 1.0f, m->d_cell + i * r->p, r->p);
    }
}

/* From the sums to the parameters' gradients. */
static void hand_over(const run *r, const zf_lstm_bits_values *v, const memory *m,
                      const zf_lstm_bits_grads *grads)
{
    size_t hidden = (size_t)r->size->hidden, e_size = (size_t)r->size->embedding;
    const float *zero = v->embedding, *one = v->embedding + e_size;
    for (size_t k = 0; grads->readout && k < hidden; k++) grads->readout[k] += m->readout[k];
    for (size_t row = 0; row < ZF_LSTM_GATES * hidden; row++) {
        size_t from = row / hidden * r->p + row % hidden;
        float of_one = m->ones[from], of_zero = m->all[from] - of_one;
        const float *w = v->w_input + row * e_size;
        float *d_hidden = grads->w_hidden ? grads->w_hidden + row * hidden : NULL;
        float *d_input = grads->w_input ? grads->w_input + row * e_size : NULL;
        if (grads->bias) grads->bias[row] += m->all[from];
        for (size_t k = 0; d_hidden && k < hidden; k++) d_hidden[k] += m->sums[from * r->p + k];
        for (size_t e = 0; d_input && e < e_size; e++)
            d_input[e] += of_zero * zero[e] + of_one * one[e];
        for (size_t e = 0; grads->embedding && e < e_size; e++) {
            grads->embedding[e] += of_zero * w[e];
            grads->embedding[e_size + e] += of_one * w[e];
        }
    }
}

void zf_lstm_bits_backward(const zf_lstm_bits_size *size, int n, const zf_lstm_bits_values *values,
                           const float *packed, const float *dy, const void *saved,
                           const zf_lstm_bits_grads *grads, void *scratch)
{
    run r = run_of(size, n, saved);
    packed_weights weights = packed_at(size, packed);
    memory m = memory_at(&r, scratch);
    memset(scratch, 0, zf_lstm_bits_scratch_bytes(size, n));
    for (int step = size->steps - 1; step >= 0; step--) {
        size_t first = first_row(&r, step);
        int rows = r.active[step] + 1 - (int)first;
        take_in(&r, step, dy, m.d_out);
        gates_back(&r, &weights, &m, step, first, rows);
        add_up(&r, &m, step, first, rows);
        if (step > 0) send_back(&r, &weights, &m, step, first, rows);
    }
    hand_over(&r, values, &m, grads);
}
