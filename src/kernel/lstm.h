/* One direction of an LSTM over a sequence, float32: the whole forward run and
   the whole backward run through time.

   Letters: N rows, T steps, I inputs, H hidden. x [N, T, I]; y [N, T, outputs],
   of which this direction owns H columns (outputs = 2H when there are two
   directions). Weights w_input [4H, I], w_hidden [4H, H], bias [4H], gates in
   the order input, forget, cell, output.

   Nothing is allocated and nothing is kept: the caller brings memory of the
   size that the functions below give, aligned to 64 bytes. A row's result does
   not depend on the others; sums over rows are in the order of the rows. */
#ifndef ZF_KERNEL_LSTM_H
#define ZF_KERNEL_LSTM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct zf_lstm_kernels zf_lstm_kernels;

typedef struct zf_lstm_size {
    int steps, inputs, hidden;
    int outputs;                    /* columns of y */
    bool reverse;                   /* from the last step to the first */
    const zf_lstm_kernels *kernels; /* NULL: the best that the machine has */
} zf_lstm_size;

typedef struct zf_lstm_values {
    const float *w_input, *w_hidden, *bias;
} zf_lstm_values;

/* Each NULL if no one wants it. */
typedef struct zf_lstm_grads {
    float *x, *w_input, *w_hidden, *bias;
    bool fresh_x, fresh_w_input, fresh_w_hidden, fresh_bias; /* write, do not add */
} zf_lstm_grads;

/* saved (floats for n rows) is what backward reads; NULL when none follows. */
void zf_lstm_forward(const zf_lstm_size *size, int n, const float *x, const zf_lstm_values *w,
                     float *y, float *saved, void *scratch);
void zf_lstm_backward(const zf_lstm_size *size, int n, const float *x, const zf_lstm_values *w,
                      const float *y, const float *dy, const float *saved,
                      const zf_lstm_grads *grads, void *scratch);

size_t zf_lstm_saved_bytes(const zf_lstm_size *size, int n);
size_t zf_lstm_scratch_bytes(const zf_lstm_size *size, int n);

/* --- between lstm.c and isa/lstm.c ------------------------------------------

   Hidden units are worked on in blocks of `lanes`; P stands for H rounded up to
   whole blocks. What is saved of a row at a step is its gates [4][P], after
   their nonlinearity, and its cell [P]. */
enum { ZF_LSTM_GATES = 4 };

/* Distances are in floats. */
typedef struct zf_lstm_step {
    int n, inputs, hidden;
    const float *x; /* of this step */
    size_t x_row;
    const float *before; /* hidden state of the step before, or NULL: 0 */
    float *y;
    size_t y_row;
    const float *weights;     /* [block][I + H][4][lanes] */
    const float *bias;        /* [block][4][lanes] */
    const int32_t *bits;      /* [n] which of several such biases a row takes; NULL: the first */
    float *gates;             /* [n][4][P] */
    const float *cell_before; /* [n][P], or NULL: 0; may be cell */
    float *cell;              /* [n][P] */
    const float *readout;     /* [P]; NULL: none */
    float *out;               /* [n] its product with the state */
} zf_lstm_step;

/* From the gradient of y and of the two states to that of the gates. */
typedef struct zf_lstm_step_back {
    int n, hidden;
    const float *dy;
    size_t dy_row;
    const float *dy_scale; /* [n] times dy, which is one row for all; NULL: a row each */
    const float *d_hidden; /* through the step after, rows d_hidden_row apart; or NULL: 0 */
    size_t d_hidden_row;
    const float *gates, *cell;
    const float *cell_before; /* or NULL: 0 */
    float *d_cell;            /* [n][P], carried from step to step */
    float *d_gates;           /* [n][4][P] */
} zf_lstm_step_back;

/* c[r][0 .. columns) = or += sum over k of a[r a_row + k a_step] b[k][...],
   columns a multiple of lanes. */
typedef struct zf_lstm_product {
    int rows, columns, depth;
    const float *a;
    size_t a_row, a_step;
    const float *b;
    size_t b_row;
    float *c;
    size_t c_row;
    bool accumulate;
} zf_lstm_product;

struct zf_lstm_kernels {
    int lanes;
    void (*step)(const zf_lstm_step *job);
    void (*step_back)(const zf_lstm_step_back *job);
    void (*product)(const zf_lstm_product *job);
};

const zf_lstm_kernels *zf_lstm_kernels_of(void);

#endif
