/* Rectified flows: velocity fields that carry one distribution to another, learnt from samples.

     zf_flow *flow = NULL;
     zf_flow_sample from = {first, 500, 2}, to = {second, 400, 2}; // rows, columns
     status = zf_flow_fit(&flow, NULL, from, to, NULL);
     if (status == ZF_OK)
         status = zf_flow_transport(flow, first, NULL, NULL, 500, NULL, moved, NULL);
     zf_flow_free(flow);

   A pair (X, X') is drawn independently, one member from each distribution. The field is the mean
   direction of the pairs whose straight path passes through a point z,

       v_t(z) = E[X' - X | X_t = z],   X_t = (1 - t) X + t X',

   found by least squares. Following it from X at t = 0 leads to a draw from the distribution of X'
   at t = 1. It is zero everywhere at t = 0.5 if and only if the two distributions are equal.

   The conditional flow is also given Y of the first member and f(Y') of the second,

       v_t(z; f, y) = E[X' - X | X_t = z, f(Y') = f, Y = y].

   With f = f(y) it carries the distribution of X given Y = y to that of X given f(Y) = f, and is
   zero at t = 0.5 if and only if f(Y) tells all that Y tells about X.

   Functions that take a const flow may be called for one flow from any number of threads at once.
 */
#ifndef ZEROFLOW_FLOW_H
#define ZEROFLOW_FLOW_H

#include <stddef.h>

#include "zeroflow/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_flow zf_flow;

/* Rows of numbers, row-major; they stay the caller's. {0} has no columns. */
typedef struct zf_flow_sample {
    const double *values;
    size_t rows, columns;
} zf_flow_sample;

typedef struct zf_flow_options {
    size_t struct_size; /* zf_flow_defaults sets it */
    int hidden;         /* units of a hidden layer */
    int layers;         /* hidden layers, 1 to 6 */
    uint64_t iterations;
    int batch;    /* pairs a step */
    double rate;  /* AdamW's; decays to 1/100 along a cosine */
    double decay; /* weight decay */
    uint64_t seed;
    int threads; /* 0: all processors; the result is the same on any number */
    zf_report report;
} zf_flow_options;

ZF_API void zf_flow_options_init(zf_flow_options *options, size_t size);
static inline zf_flow_options zf_flow_defaults(void)
{
    zf_flow_options options;
    zf_flow_options_init(&options, sizeof options);
    return options;
}

/* Summary of a fit. */
typedef struct zf_flow_summary {
    uint64_t iterations;
    double seconds;
    double loss; /* mean squared error a coordinate, in standard deviations; last stretch */
} zf_flow_summary;

/* Learns the flow from one sample to another. Samples of any size each; what is kept of
   them is the network and each column's mean and deviation over both. summary may be
   NULL. ZF_EINVAL: invalid options. ZF_EINPUT: different numbers of columns,
   none, fewer than two rows, a number that is not finite, a column that is constant over
   both. ZF_EINTERRUPT: *out is the flow so far. ZF_ENUMERIC: the loss is no longer finite. */
ZF_API zf_status zf_flow_fit_sized(zf_flow **out, zf_flow_summary *summary, size_t size,
                                   zf_flow_sample from, zf_flow_sample to,
                                   const zf_flow_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_flow_fit(zf_flow **out, zf_flow_summary *summary,
                                             zf_flow_sample from, zf_flow_sample to,
                                             const zf_flow_options *options)
{
    return zf_flow_fit_sized(out, summary, sizeof *summary, from, to, options);
}

/* Learns the conditional flow from rows of x, f = f(y) and y that belong together. f or y
   may have no columns: f then knows nothing, and the flow carries X given Y to X.
   ZF_EINPUT: as above, for each of the three, and different numbers of rows. */
ZF_API zf_status zf_flow_fit_given_sized(zf_flow **out, zf_flow_summary *summary, size_t size,
                                         zf_flow_sample x, zf_flow_sample f, zf_flow_sample y,
                                         const zf_flow_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_flow_fit_given(zf_flow **out, zf_flow_summary *summary,
                                                   zf_flow_sample x, zf_flow_sample f,
                                                   zf_flow_sample y, const zf_flow_options *options)
{
    return zf_flow_fit_given_sized(out, summary, sizeof *summary, x, f, y, options);
}

ZF_API void zf_flow_free(zf_flow *flow);

/* Columns of x, f and y. The last two are 0 for a flow between two samples. */
ZF_API size_t zf_flow_columns(const zf_flow *flow);
ZF_API size_t zf_flow_columns_f(const zf_flow *flow);
ZF_API size_t zf_flow_columns_y(const zf_flow *flow);

/* One safetensors file, and the same bytes in memory: free *bytes with zf_free; name stands for
   the path in messages. */
ZF_API zf_status zf_flow_save(const zf_flow *flow, const char *path) ZF_CHECK;
ZF_API zf_status zf_flow_load(zf_flow **out, const char *path) ZF_CHECK;
ZF_API zf_status zf_flow_save_memory(void **bytes, size_t *n, const zf_flow *flow) ZF_CHECK;
ZF_API zf_status zf_flow_load_memory(zf_flow **out, const char *name, const void *bytes,
                                     size_t n) ZF_CHECK;

/* The velocity at time t, 0 to 1, at any points: x [rows, columns], f and y likewise
   (NULL where they have no columns), out as x. Safe from several threads. ZF_EINVAL: t
   outside, or NULL where something is needed; out is left as it was. */
ZF_API zf_status zf_flow_velocity(const zf_flow *flow, double t, const double *x, const double *f,
                                  const double *y, size_t rows, double *out) ZF_CHECK;

typedef struct zf_transport_options {
    size_t struct_size; /* zf_transport_defaults sets it */
    double from, to;    /* times within 0 to 1; from > to goes backwards */
    int steps;          /* of equal length, by the classical Runge-Kutta method of order 4;
                           0: of the length that the error below allows, by Dormand and
                           Prince's method of order 5 */
    /* Tolerated error of a step, in every coordinate of every row: absolute, in standard
       deviations of the column, plus relative times its distance from the column's mean. */
    double absolute, relative;
    int most_steps; /* of a fitting length, those that were rejected included */
} zf_transport_options;

/* From 0 to 1, steps of a fitting length, errors of 1e-4, at most 10,000 steps. */
ZF_API void zf_transport_options_init(zf_transport_options *options, size_t size);
static inline zf_transport_options zf_transport_defaults(void)
{
    zf_transport_options options;
    zf_transport_options_init(&options, sizeof options);
    return options;
}

typedef struct zf_transport_summary {
    uint64_t taken, rejected; /* steps */
    uint64_t evaluations;     /* of the velocity of all rows */
} zf_transport_summary;

/* Carries rows along the flow: out [rows, columns] gets where they are at time `to`; it
   may be x itself. f and y stay as they are. All rows take the same steps. summary may be
   NULL. ZF_EINVAL: invalid times or tolerances. ZF_ENUMERIC: most_steps were not enough, or a
   number is not finite; out is left as it was. */
ZF_API zf_status zf_flow_transport_sized(const zf_flow *flow, const double *x, const double *f,
                                         const double *y, size_t rows,
                                         const zf_transport_options *options, double *out,
                                         zf_transport_summary *summary, size_t size) ZF_CHECK;
static inline ZF_CHECK zf_status zf_flow_transport(const zf_flow *flow, const double *x,
                                                   const double *f, const double *y, size_t rows,
                                                   const zf_transport_options *options, double *out,
                                                   zf_transport_summary *summary)
{
    return zf_flow_transport_sized(flow, x, f, y, rows, options, out, summary, sizeof *summary);
}

#ifdef __cplusplus
}
#endif
#endif
