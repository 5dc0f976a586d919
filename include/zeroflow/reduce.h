/* Sufficient reduction: a few numbers f(y), learnt from a table, that tell all that the other
   columns y tell about the targets x.

     zf_reduction *model = NULL;
     zf_reduce_options options = zf_reduce_defaults();
     options.targets = &(int32_t){0};
     options.n_targets = 1;
     status = zf_reduce_fit(&model, NULL, values, rows, names, columns, &options);
     zf_reduction_free(model);

   f is a network. It is trained with the velocity of the flow between x of one row and
   x' of another, u_t(x_t, f(y'), y): the rectified-flow loss makes f(y') tell what y' tells about
   x', and the zero-flow term requires that y adds nothing to f(y) (theorem 3.4 of the paper). The
   numbers are nested: training cuts the code of each sample after a random number of them, so that
   the first l are as good as l numbers can be, for every l, in one run. On rows that were not
   trained on, the loss for each l says how many are needed.

   Any invertible map of f(y) is as good as f(y). Here every number has mean 0 and
   deviation 1 on the rows trained on and is uncorrelated with the others; one that is, but for
   a hundredth of its variance, a function of those before it is left out. Their signs and shapes
   mean nothing.

   Functions that take a const model may be called for one model from any number of threads at
   once; zf_reduction_transform starts no thread and waits for no other. */
#ifndef ZEROFLOW_REDUCE_H
#define ZEROFLOW_REDUCE_H

#include <stddef.h>

#include "zeroflow/blanket.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_reduction zf_reduction;

enum { ZF_REDUCE_MOST = 64 }; /* numbers of a code */

/* Weight decay that keeps the networks from memorising the rows, as a prior: divided by the number
   of rows, at most the last. */
#define ZF_REDUCE_FIELD_DECAY 4800.0
#define ZF_REDUCE_CODE_DECAY  19200.0
#define ZF_REDUCE_DECAY_MOST  30.0

typedef struct zf_reduce_options {
    size_t struct_size;     /* zf_reduce_defaults sets it */
    const int32_t *targets; /* columns of x; at least one */
    int n_targets;
    const int32_t *inputs; /* columns of y; NULL: all that are not targets */
    int n_inputs;
    int dim;         /* numbers that are trained: 1 .. the number of inputs */
    int least;       /* of these the model keeps the smallest sufficient number, at least
                        this; 0: all */
    double held_out; /* share of the rows that the criterion is measured on, 0.05 to 0.5 */
    zf_marginals_kind marginals; /* standard or normal scores */
    zf_zero_criterion criterion;
    double zero_weight; /* of the zero-flow term */
    uint64_t iterations;
    int batch;
    double rate;       /* AdamW's; decays to 1/100 along a cosine */
    double decay;      /* weight decay of the velocity field, and */
    double code_decay; /* of f; both ZF_AUTO: ZF_REDUCE_..._DECAY / rows trained on */
    int hidden;        /* units of the layers of both networks */
    uint64_t seed;
    int threads;            /* 0: all processors */
    const char *checkpoint; /* written regularly and at the end; NULL: none */
    uint64_t every;         /* iterations between checkpoints */
    bool resume;            /* continue from the checkpoint if there is one */
    zf_report report;
} zf_reduce_options;

ZF_API void zf_reduce_options_init(zf_reduce_options *options, size_t size);
static inline zf_reduce_options zf_reduce_defaults(void)
{
    zf_reduce_options options;
    zf_reduce_options_init(&options, sizeof options);
    return options;
}

/* The criterion of the first `dim` numbers of a code on the held-out rows, with the same
   pairs of rows and the same times for each dim, so that they compare. */
typedef struct zf_reduce_criterion {
    int dim;
    double rectified; /* mean squared error of the velocity, in units of a target's variance:
                         about 1.6 without any knowledge, and less the more f tells */
    double excess;    /* of that over the best dim of this model, and its */
    double error;     /* standard error, pair by pair */
    double zero;      /* the zero-flow term, which vanishes if these numbers are sufficient:
                         what the field still takes from y beyond f(y) */
} zf_reduce_criterion;

/* Summary of a reduction. */
typedef struct zf_reduce_summary {
    size_t struct_size; /* the library sets it */
    uint64_t iterations, resumed_from;
    uint64_t saved; /* iteration of the last checkpoint that could be written; 0: none */
    double seconds;
    double loss, rectified, zero; /* means over the last stretch of training */
    size_t rows_trained, rows_held;
    int chosen;                /* numbers asked for, or found to be enough; the model gives fewer
                                  where some are copies of others (zf_reduction_dim) */
    zf_reduce_options options; /* as used; last, as it may grow */
} zf_reduce_summary;

/* Trains on rows * columns values, row-major. ZF_EINVAL: options that are invalid for this table:
   no target, a column named twice or as both target and input, none left for the inputs, more
   numbers than inputs. ZF_EINPUT: fewer than 10 rows, a constant column among those used, values
   that are not finite. ZF_EINTERRUPT: *out is the model so far. ZF_ENUMERIC: the
   loss is no longer finite. summary may be NULL. */
ZF_API zf_status zf_reduce_fit_sized(zf_reduction **out, zf_reduce_summary *summary, size_t size,
                                     const double *values, size_t rows, const char *const *names,
                                     size_t columns, const zf_reduce_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_reduce_fit(zf_reduction **out, zf_reduce_summary *summary,
                                               const double *values, size_t rows,
                                               const char *const *names, size_t columns,
                                               const zf_reduce_options *options)
{
    return zf_reduce_fit_sized(out, summary, sizeof *summary, values, rows, names, columns,
                               options);
}

/* Models as files (zeroflow/model.h) and as the same bytes in memory: free *bytes with zf_free;
   name stands for the path in messages. ZF_EIO, ZF_EOUTPUT; ZF_EINPUT: not such a model. */
ZF_API zf_status zf_reduction_save(const zf_reduction *model, const char *path) ZF_CHECK;
ZF_API zf_status zf_reduction_load(zf_reduction **out, const char *path) ZF_CHECK;
ZF_API zf_status zf_reduction_save_memory(void **bytes, size_t *n,
                                          const zf_reduction *model) ZF_CHECK;
ZF_API zf_status zf_reduction_load_memory(zf_reduction **out, const char *name, const void *bytes,
                                          size_t n) ZF_CHECK;
ZF_API void zf_reduction_free(zf_reduction *model); /* NULL is allowed */

/* How its inputs are transformed, and how it was trained, as text for people, which belongs to the
   model. */
ZF_API zf_marginals_kind zf_reduction_marginals(const zf_reduction *model);
ZF_API const char *zf_reduction_options(const zf_reduction *model);

/* What training measured, as a table of at most a few hundred rows, each the mean over a run of
   iterations. Columns: "iteration", the last of the row; "loss" and its terms. */
ZF_API size_t zf_reduction_history_rows(const zf_reduction *model);
ZF_API size_t zf_reduction_history_columns(const zf_reduction *model);
ZF_API const char *zf_reduction_history_column(const zf_reduction *model, size_t column);
ZF_API double zf_reduction_history_value(const zf_reduction *model, size_t row, size_t column);

ZF_API int32_t zf_reduction_inputs(const zf_reduction *model);
ZF_API const char *zf_reduction_input(const zf_reduction *model, int32_t input); /* its name */
ZF_API int32_t zf_reduction_targets(const zf_reduction *model);
ZF_API const char *zf_reduction_target(const zf_reduction *model, int32_t target);
ZF_API int zf_reduction_dim(const zf_reduction *model); /* numbers that it gives a row */

/* The criterion of 1, 2, ... numbers, zf_reduction_trained of them: at least as many as
   the model gives. */
ZF_API int zf_reduction_trained(const zf_reduction *model);
ZF_API zf_reduce_criterion zf_reduction_criterion(const zf_reduction *model, int dim);

/* codes[rows * dim]: f of each row of the inputs, rows * inputs values in the model's
   order. Safe from several threads. ZF_EINPUT: a value that is not finite, or
   not once it is scaled. ZF_ENUMERIC: values or weights so large that a result is not. */
ZF_API zf_status zf_reduction_transform(const zf_reduction *model, float *codes,
                                        const double *values, size_t rows) ZF_CHECK;

/* Distance correlation (Szekely, Rizzo and Bakirov, 2007) of two samples of points, row by
   row: 0 only if they are independent, 1 if one is the other, moved, turned and scaled.
   Takes time for the square of the rows. ZF_EINPUT: fewer than two rows, or a sample whose
   points are all the same. */
ZF_API zf_status zf_distance_correlation(double *out, const double *a, size_t a_columns,
                                         const double *b, size_t b_columns, size_t rows) ZF_CHECK;

/* Sliced inverse regression (Li, 1991): the `dim` directions b in which the means of the
   inputs, slice by slice of x, differ most; scores[rows * dim] are b'y. The standard method to
   compare with; it does not detect symmetric dependence. ZF_EINVAL: dim above inputs, fewer than
   two slices or more than rows. ZF_EINPUT: inputs that are linear functions of each other. */
ZF_API zf_status zf_sliced_inverse(double *scores, const double *x, const double *inputs,
                                   size_t rows, size_t columns, size_t dim, size_t slices) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
