/* One direction of an LSTM over sequences of bits with few ones, and the linear
   readout of its states: the gate network that reads masks.

   Two things make it cheaper than kernel/lstm.h. A bit has two embeddings, so what
   the input adds to the gates is one of two vectors. And before its first one
   (in the direction of reading) a row's state is that of a row of zeros: this
   chain is run once and a row takes its state over at its first one. Only there
   does the row begin to cost anything; its gradients flow back into the chain.
   The results are those of the plain network.

   Letters: N rows, T steps, E the embedding's size, H hidden; P is H rounded up to
   whole vectors. Memory is the caller's, aligned to 64 bytes. */
#ifndef ZF_KERNEL_LSTM_BITS_H
#define ZF_KERNEL_LSTM_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/lstm.h"

typedef struct zf_lstm_bits_size {
    int steps, embedding, hidden;
    bool reverse; /* from the last step to the first */
} zf_lstm_bits_size;

/* embedding [2, E], w_input [4H, E], w_hidden [4H, H], bias [4H], readout [H]. */
typedef struct zf_lstm_bits_values {
    const float *embedding, *w_input, *w_hidden, *bias, *readout;
} zf_lstm_bits_values;

/* All are added to; NULL where no one wants it. */
typedef struct zf_lstm_bits_grads {
    float *embedding, *w_input, *w_hidden, *bias, *readout;
} zf_lstm_bits_grads;

/* The weights in the form that the runs read, made once for all of them. */
size_t zf_lstm_bits_packed_bytes(const zf_lstm_bits_size *size);
void zf_lstm_bits_pack(const zf_lstm_bits_size *size, const zf_lstm_bits_values *values,
                       float *packed);

/* y [n, T] += the readout of each state; bits [n, T]. saved is what backward reads. */
void zf_lstm_bits_forward(const zf_lstm_bits_size *size, int n, const int32_t *bits,
                          const float *packed, float *y, void *saved);
size_t zf_lstm_bits_saved_bytes(const zf_lstm_bits_size *size, int n);

void zf_lstm_bits_backward(const zf_lstm_bits_size *size, int n, const zf_lstm_bits_values *values,
                           const float *packed, const float *dy, const void *saved,
                           const zf_lstm_bits_grads *grads, void *scratch);
size_t zf_lstm_bits_scratch_bytes(const zf_lstm_bits_size *size, int n);

#endif
