/* A rectified flow in memory: a network with its scales, and a program that evaluates it.

   The network sees standardised columns: a centre and a spread each, those of x over
   both samples, so that a straight way stays one. Time enters as tau = sqrt(12) (t - 0.5),
   which is 0 in the middle and has variance 1 over a training run, and as tau times x:
   between equal Gaussian laws the velocity is nearly that product, and a network that
   wants to be still in the middle for every x has to find no product of its own. Nothing
   says that it should be still there. */
#ifndef ZF_FLOW_MODEL_H
#define ZF_FLOW_MODEL_H

#include "base/lock.h"
#include "engine/program.h"
#include "train/checkpoint.h"
#include "zeroflow/flow.h"

enum { ZF_FLOW_MEASURES = 1, ZF_FLOW_LAYERS = 6, ZF_FLOW_WIDTH = 1 << 20 };

/* Widths of what the network sees and is. */
typedef struct zf_flow_shape {
    int x, f, y;
    int hidden, layers;
} zf_flow_shape;

struct zf_flow {
    zf_flow_shape shape;
    uint64_t seed;
    char options[256]; /* how it was trained, for people */
    zf_params *params;
    double *centre, *spread; /* [x + f + y] each; centre owns the memory of both */
    zf_history history;
    /* The program that evaluates, which one caller at a time may use. */
    zf_lock lock;
    zf_crew *crew;
    zf_program *program;
    zf_domain *rows;
    zf_node *input, *velocity;
};

/* A flow with the network's initial values, centres 0 and spreads 1. `from`: a file
   that must hold all of its tensors (zf_model_check); NULL: none. */
zf_status zf_flow_new(zf_flow **out, const zf_flow_shape *shape, uint64_t seed,
                      const zf_safetensors *from) ZF_CHECK;

/* The columns of the network's input, and the network upon such an input. */
int zf_flow_input_width(const zf_flow_shape *shape);
zf_node *zf_flow_network(zf_node *input, const zf_flow_shape *shape);

/* Writes one row of the input, from standardised values. f and y may be NULL where they
   have no columns. */
void zf_flow_fill(const zf_flow_shape *shape, float *input, float t, const float *x, const float *f,
                  const float *y);

/* (value - centre) / spread of rows * columns values; the columns begin at `first` among
   those of x, f and y. */
void zf_flow_standardise(const zf_flow *flow, float *to, const double *from, size_t rows,
                         size_t columns, size_t first);

/* The velocity at rows of standardised values, in standard deviations. Takes the lock. */
void zf_flow_evaluate(const zf_flow *flow, float t, const float *x, const float *f, const float *y,
                      size_t rows, float *out);

/* x, f and y are there where they must be. */
zf_status zf_flow_check_points(const zf_flow *flow, const double *x, const double *f,
                               const double *y, size_t rows) ZF_CHECK;

/* A new slab with the rows standardised, for free(); NULL without columns too, ZF_OK. */
zf_status zf_flow_standardised(float **out, const zf_flow *flow, const double *values, size_t rows,
                               size_t columns, size_t first) ZF_CHECK;

#endif
