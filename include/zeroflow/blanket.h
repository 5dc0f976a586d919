/* Amortized Markov blankets: one trained network answers, for any set of target
   variables, which of the others are needed to predict them.

     zf_blanket *model = NULL;
     const int32_t targets[] = {3, 4};
     status = zf_blanket_fit(&model, NULL, values, rows, names, columns, NULL);
     if (status == ZF_OK) status = zf_blanket_query(model, targets, 2, gates); // gates[columns]
     if (status == ZF_OK) status = zf_blanket_save(model, "cells.model");
     zf_blanket_free(model);

   Functions that take a const model may be called for one model from any number of threads at
   once; a query starts no thread and waits for no other. zf_blanket_weigh and
   zf_blanket_share_evidence change the model and need exclusive access. */
#ifndef ZEROFLOW_BLANKET_H
#define ZEROFLOW_BLANKET_H

#include <stddef.h>

#include "zeroflow/evidence.h"
#include "zeroflow/graph.h"
#include "zeroflow/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_blanket zf_blanket;

/* The network that maps a mask of targets to gates. */
typedef enum zf_gate_kind {
    ZF_GATE_MLP,  /* any table */
    ZF_GATE_LSTM, /* columns in an order: time, position */
    ZF_GATE_CNN,  /* columns on a square grid, row by row */
    ZF_GATE_FREE, /* one vector of gates for one fixed target set */
} zf_gate_kind;

/* Which target sets training draws. */
typedef enum zf_target_law {
    ZF_TARGET_NODE,       /* one variable */
    ZF_TARGET_NEIGHBOURS, /* a variable, and each of its neighbours in order with probability 1/2 */
    ZF_TARGET_GRID,       /* the same with the four neighbours on a square grid */
    ZF_TARGET_WINDOW,     /* `size` variables in a row */
    ZF_TARGET_BERNOULLI,  /* each variable with a probability; at least one, not all */
    ZF_TARGET_SETS,       /* one of the given sets */
} zf_target_law;

/* Sets of variables as one list: set s is items[first[s]] .. items[first[s + 1] - 1],
   ascending. */
typedef struct zf_target_sets {
    const int32_t *items;
    const int32_t *first; /* [count + 1] */
    int count;
} zf_target_sets;

/* Reads target sets: one a line, the names of its variables as CSV cells (comma,
   or else semicolon, tab or bar between them), plain or gzipped; blank lines are
   skipped. ZF_EINPUT, with file and line: a name that is not among `names` (the message suggests
   the nearest), a name twice in a set, a set of all variables, no set at all. */
ZF_API zf_status zf_target_sets_read(zf_target_sets *out, const char *path,
                                     const char *const *names, size_t n_names) ZF_CHECK;
ZF_API void zf_target_sets_free(zf_target_sets *sets); /* of zf_target_sets_read; leaves it empty */

/* How each column is transformed before training; saved in the model. */
typedef enum zf_marginals_kind {
    ZF_MARGINALS_STANDARD,      /* mean 0, deviation 1 */
    ZF_MARGINALS_NORMAL_SCORES, /* ranks to normal quantiles: removes each column's shape */
    ZF_MARGINALS_AUTO,          /* zf_fit_resolve */
} zf_marginals_kind;

/* How the columns of a table depend on each other: through the order of their values, and through
   their sizes beyond what the order explains, as when one column sets the spread of another. Means
   over pairs of columns of (rows times squared correlation) minus 1, so about 0 without dependence;
   `chance` is what sizes reach by chance. */
typedef struct zf_dependence {
    double order, sizes, chance;
} zf_dependence;

/* Of finite values. ZF_EINPUT: fewer than two rows or columns. */
ZF_API zf_status zf_dependence_measure(zf_dependence *out, const double *values, size_t rows,
                                       size_t columns) ZF_CHECK;

/* Whether MLP gates also learn one number for each unordered pair of variables. If the variables
   have no order, these numbers find weak edges, since nothing carries over from one pair to
   another; if they have one, the network does better without. */
typedef enum zf_pairs_rule {
    ZF_PAIRS_AUTO, /* zf_fit_resolve */
    ZF_PAIRS_ON,
    ZF_PAIRS_OFF,
} zf_pairs_rule;
enum { ZF_PAIRS_VARIABLES = 512 };

/* What the zero-flow term requires of the flow v. With a sufficient f(y), v is zero at t = 0.5 and
   antisymmetric in time: v_t = -v_{1-t} everywhere. */
typedef enum zf_zero_criterion {
    ZF_CRITERION_MIDPOINT,     /* |v_t|^2, at the times of zf_zero_time */
    ZF_CRITERION_ANTISYMMETRY, /* |(v_t + v_{1-t}) / 2|^2 at x_t, t uniform on (0, 1): at t = 0.5
                                  the same number, so that weights mean the same */
} zf_zero_criterion;

enum { ZF_EXPLORED_VARIABLES = 20 };

/* Default units of the field; the second if sizes lead among many variables. */
enum { ZF_FIT_HIDDEN = 128, ZF_FIT_HIDDEN_SIZES = 256, ZF_FEW_VARIABLES = 30 };

/* Time at which the zero-flow term evaluates the flow. */
typedef enum zf_zero_time {
    ZF_ZERO_MIDPOINT, /* at t = 0.5, halfway between the two members of each pair */
    ZF_ZERO_OMEGA,    /* at a t of its own, drawn from exp(-|t - 0.5| / width) */
    ZF_ZERO_LITERAL,  /* at the other term's t, weighted by exp(-|t - 0.5| / width) */
} zf_zero_time;

/* An edge known to be absent or present: variable in the blanket of target. */
typedef struct zf_constraint {
    int32_t target, variable;
    bool required; /* else forbidden */
} zf_constraint;

/* Reads lists of edges, as zf_graph_read does, whose ends are never (forbid) or
   always (require) in each other's blanket, in both directions. Either path may
   be NULL. Free *out with zf_free. ZF_EINPUT: what zf_graph_read refuses, and an
   edge that is in both lists, with both places. */
ZF_API zf_status zf_constraints_read(zf_constraint **out, int *n, const char *forbid,
                                     const char *require, const char *const *names,
                                     size_t n_names) ZF_CHECK;

typedef struct zf_fit_options {
    size_t struct_size; /* zf_fit_defaults sets it */
    zf_gate_kind gate;
    zf_target_law targets;
    int size;           /* of a window */
    double probability; /* bernoulli */
    zf_target_sets sets;
    zf_marginals_kind marginals;
    uint64_t iterations; /* ZF_AUTO: left to the library */
    int batch;
    double rate;      /* AdamW's; decays to 1/100 along a cosine. ZF_AUTO: left to the library */
    double gate_rate; /* the gate network's rate in units of `rate`; ZF_AUTO: left to the library */
    double decay;     /* the velocity field's weight decay; ZF_AUTO: left to the library */
    double zero_weight; /* of the zero-flow term */
    zf_zero_criterion criterion;
    zf_zero_time zero_time; /* antisymmetry has times of its own: leave it as it is */
    double zero_width;      /* omega and literal */
    double sparsity;        /* times the sum of all gates in the batch, all the time. ZF_AUTO: 0
                               for CNN gates, 1e-9 for others */
    double pruning; /* cost of an open gate halfway through training, relative to a target's squared
                       error: 0 in the first and last quarter, with a peak between them. ZF_AUTO:
                       left to the library */
    double exploration; /* in the first six tenths of training, the probability with which the
                           velocity field is shown a variable whose gate may be closed, so that
                           a gate that closed too early can open again. ZF_AUTO: left to the
                           library */
    int64_t open_gates; /* first iterations with every gate open. ZF_AUTO: left to the library */
    zf_pairs_rule pairs;
    int hidden;       /* units of the velocity field's layers; ZF_AUTO: left to the library */
    double last_time; /* the rectified-flow term draws times uniformly from (0, last_time), 0.5 to
                         1; ZF_AUTO: left to the library */
    double held_out;  /* share of the rows, drawn by seed, that training does not see, so that the
                         loss can be measured on them; 0, the default: none. ZF_AUTO: left to the
                         library */
    /* Rows that belong together, as in zf_evidence_options; they are held out together. */
    const double *groups; /* [rows], or NULL */
    size_t block;
    const zf_constraint *constraints;
    int n_constraints;
    uint64_t seed;
    int threads;            /* 0: all processors */
    const char *checkpoint; /* written regularly and at the end; NULL: none */
    uint64_t every;         /* iterations between checkpoints */
    bool resume;            /* continue from the checkpoint if there is one */
    zf_report report;
} zf_fit_options;

ZF_API void zf_fit_options_init(zf_fit_options *options, size_t size);
static inline zf_fit_options zf_fit_defaults(void)
{
    zf_fit_options options;
    zf_fit_options_init(&options, sizeof options);
    return options;
}

/* A field that memorises the rows closes the gates of weak edges and leaves gates open by accident.
   Weight decay prevents it, as a prior: ZF_FIELD_DECAY / rows, at most ZF_FIELD_DECAY_MOST. */
#define ZF_FIELD_DECAY      600.0
#define ZF_FIELD_DECAY_MOST 3.0

/* The share that is held out of a table of so many rows or more, if that is left to the library.
   Smaller tables keep every row for training. */
#define ZF_HELD_OUT_SHARE 0.1
enum { ZF_HELD_OUT_ROWS = 200 };

/* Replaces each ZF_AUTO in *options by the value that zf_blanket_fit would use; values are finite.

   - marginals: normal scores, unless sizes depend on each other more than order does
     (zf_dependence), which normal scores would hide.
   - iterations: 1,000 for LSTM and CNN gates; for MLP gates 5,000 for target sets that are
     windows, drawn or read, and for more than ZF_FEW_VARIABLES variables, unless order leads and
     neighbours are targets too; else 2,500.
   - hidden: ZF_FIT_HIDDEN_SIZES for MLP gates, single variables or neighbours as targets, where
     sizes depend on each other more than order does among more than ZF_FEW_VARIABLES; else
     ZF_FIT_HIDDEN.
   - rate: 2e-3 in 5,000 iterations or more; in fewer, more by the root of the ratio, up to 4e-3.
   - last_time: 0.6 for MLP gates, unless sizes depend on each other more than order does or the
     zero-flow term has times other than the midpoint; else 1.
   - pairs: for MLP gates, up to ZF_PAIRS_VARIABLES variables, targets without an order.
   - gate_rate: 0.3 with pairs, else 1.
   - pruning: 0.12 for CNN gates, less in runs of under 1,000 iterations; for MLP gates
     12.5 / variables^2 but at most 0.03 with pairs, else 0.01, and 0 where sizes depend on each
     other more than order does, which is found too late for it; else 0.
   - exploration: 0.05 for MLP gates of at least ZF_EXPLORED_VARIABLES variables; with fewer a gate
     is met so often that it opens by itself. Else 0: gates that are shared do not close alone.
   - open_gates: a tenth of the iterations with pairs of at most ZF_FEW_VARIABLES variables, which
   the field knows by then; else 0.
   - sparsity: 0 for CNN gates, else 1e-9.
   - decay: ZF_FIELD_DECAY / rows.
   - held_out: ZF_HELD_OUT_SHARE of at least ZF_HELD_OUT_ROWS rows; of fewer, 0. */
ZF_API zf_status zf_fit_resolve(zf_fit_options *options, const double *values, size_t rows,
                                size_t columns) ZF_CHECK;

/* Summary of a fit. */
typedef struct zf_fit_summary {
    size_t struct_size; /* the library sets it */
    uint64_t iterations, resumed_from;
    uint64_t saved; /* iteration of the last checkpoint that could be written; 0: none */
    double seconds;
    double loss, rectified, zero, mean_gate; /* means over the last stretch */
    zf_dependence dependence; /* of the table: marginals, pruning and more are chosen by it */
    size_t columns;
    /* On held-out rows, if any: `rectified`, and its value for a prediction from the target's own
       position on its path, without other columns. */
    size_t held_out; /* rows; 0: none, and both are NaN */
    double held_out_loss, constant_loss;
    zf_fit_options options; /* as zf_fit_resolve left them; last, as it may grow */
} zf_fit_summary;

/* An option that was left to the library: the value chosen, and why. */
typedef struct zf_fit_choice {
    const char *option; /* its name on the command line: "marginals", "gate-rate", ... */
    char value[32];
    char reason[96];
} zf_fit_choice;
enum { ZF_FIT_CHOICES = 13 };

/* Lists the options that `asked` left to the library, given the summary; returns their number. */
ZF_API int zf_fit_explain_sized(zf_fit_choice *choices, size_t size, int room,
                                const zf_fit_options *asked, const zf_fit_summary *summary);
static inline int zf_fit_explain(zf_fit_choice choices[ZF_FIT_CHOICES], const zf_fit_options *asked,
                                 const zf_fit_summary *summary)
{
    return zf_fit_explain_sized(choices, sizeof *choices, ZF_FIT_CHOICES, asked, summary);
}

/* Trains on rows * columns values, row-major. ZF_EINVAL: options that are invalid for this table;
   ZF_EINPUT: a constant column, fewer than two rows or columns, values that are not finite.
   ZF_EINTERRUPT: *out is the model so far. ZF_ENUMERIC: the loss is no longer finite. summary may
   be NULL. */
ZF_API zf_status zf_blanket_fit_sized(zf_blanket **out, zf_fit_summary *summary, size_t size,
                                      const double *values, size_t rows, const char *const *names,
                                      size_t columns, const zf_fit_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_blanket_fit(zf_blanket **out, zf_fit_summary *summary,
                                                const double *values, size_t rows,
                                                const char *const *names, size_t columns,
                                                const zf_fit_options *options)
{
    return zf_blanket_fit_sized(out, summary, sizeof *summary, values, rows, names, columns,
                                options);
}

/* Models as files (zeroflow/model.h) and as the same bytes in memory: free *bytes with zf_free;
   name stands for the path in messages. ZF_EIO, ZF_EOUTPUT; ZF_EINPUT: not such a model. */
ZF_API zf_status zf_blanket_save(const zf_blanket *model, const char *path) ZF_CHECK;
ZF_API zf_status zf_blanket_load(zf_blanket **out, const char *path) ZF_CHECK;
ZF_API zf_status zf_blanket_save_memory(void **bytes, size_t *n, const zf_blanket *model) ZF_CHECK;
ZF_API zf_status zf_blanket_load_memory(zf_blanket **out, const char *name, const void *bytes,
                                        size_t n) ZF_CHECK;
ZF_API void zf_blanket_free(zf_blanket *model); /* NULL is allowed */

/* Properties of a model. most_targets: the size of the largest target set that can be queried.
   options: how it was trained, as text for people; it belongs to the model. */
ZF_API zf_gate_kind zf_blanket_gate(const zf_blanket *model);
ZF_API zf_marginals_kind zf_blanket_marginals(const zf_blanket *model);
ZF_API int32_t zf_blanket_most_targets(const zf_blanket *model);
ZF_API const char *zf_blanket_options(const zf_blanket *model);

/* What training measured, as a table of at most a few hundred rows, each the mean over a run of
   iterations. Columns: "iteration", the last of the row; "loss" and its terms. */
ZF_API size_t zf_blanket_history_rows(const zf_blanket *model);
ZF_API size_t zf_blanket_history_columns(const zf_blanket *model);
ZF_API const char *zf_blanket_history_column(const zf_blanket *model, size_t column);
ZF_API double zf_blanket_history_value(const zf_blanket *model, size_t row, size_t column);

ZF_API int32_t zf_blanket_variables(const zf_blanket *model);
ZF_API const char *zf_blanket_name(const zf_blanket *model, int32_t variable);
ZF_API int32_t zf_blanket_find(const zf_blanket *model, const char *name); /* -1: none */

/* Blanket of one target set: gates[j] in [0, 1] says how much variable j is
   needed to predict the targets; targets themselves get 0. Safe from several
   threads. ZF_EINVAL: no target, one twice, one outside the model, all of them,
   more than the model was trained for; gates is left as it was. ZF_ENUMERIC: the weights are so
   large that a gate is not finite; gates is then undefined. */
ZF_API zf_status zf_blanket_query(const zf_blanket *model, const int32_t *targets, size_t n_targets,
                                  float *gates) ZF_CHECK;

/* gates[i * variables + j]: the blanket of the single target i. ZF_ENUMERIC as above. */
ZF_API zf_status zf_blanket_matrix(const zf_blanket *model, float *gates) ZF_CHECK;

/* Tests every pair of the model's variables on rows * variables values and stores the evidence in
   the model, replacing any that it had; zf_blanket_save writes it. ZF_EINPUT and ZF_EINTERRUPT as
   zf_evidence_test; the model is left as it was. */
ZF_API zf_status zf_blanket_weigh(zf_blanket *model, const double *values, size_t rows,
                                  const zf_evidence_options *options) ZF_CHECK;

/* Copies the evidence of another model of the same variables: evidence depends on the table only,
   not on the model. ZF_EINVAL: other variables; a model without evidence. */
ZF_API zf_status zf_blanket_share_evidence(zf_blanket *model, const zf_blanket *from) ZF_CHECK;

/* The model's evidence; NULL if it has none. */
ZF_API const zf_evidence *zf_blanket_evidence(const zf_blanket *model);

/* The probability that a variable with this gate, for n_targets targets, belongs to their blanket:
   the share of such variables that do, estimated from the tested pairs (zf_blanket_weigh). -1: the
   model has no evidence, or comes from a file written before this was stored. */
ZF_API double zf_blanket_probability(const zf_blanket *model, float gate, size_t n_targets);

/* Why a variable is left out of a blanket or belongs to it. */
typedef enum zf_verdict {
    ZF_VERDICT_CHANCE,    /* left out: may be due to chance */
    ZF_VERDICT_FORBIDDEN, /* left out, as a constraint says, whatever the evidence */
    /* Left out, though its q-value is small enough: it adds nothing to the members. */
    ZF_VERDICT_SUPERFLUOUS,
    ZF_VERDICT_EVIDENCE, /* a member: its q-value is at most the false discovery rate */
    ZF_VERDICT_REQUIRED, /* a member, as a constraint says, which the evidence does not support */
    ZF_VERDICT_STAND_IN, /* a member without an edge, for others that tell the same */
    ZF_VERDICTS
} zf_verdict;

ZF_API const char *zf_verdict_name(zf_verdict verdict); /* "chance", "forbidden", ... */

/* A variable, relative to a target set. */
typedef struct zf_member {
    int32_t variable;
    float gate;
    double p_value; /* of the target it depends on most, times the number of targets; at most 1 */
    double q_value; /* of the same pair */
    int32_t target; /* of the same pair */
    zf_verdict verdict;
    bool decided;       /* it belongs to the blanket: the verdict is one of the last three */
    double without;     /* of a stand-in, and of what is superfluous: the p-value that the blanket
                           is enough without it (zf_change); -1 of all others */
    double stability;   /* of the same pair (zf_pair_evidence); -1: was not measured */
    double probability; /* zf_blanket_probability of the gate; of what was forbidden or required,
                           0 or 1 */
} zf_member;

/* The decided blanket of a target set, at a false discovery rate above 0 and below 1: the variables
   that belong to the blanket of one of the targets. The blanket of a single target has the
   variables with an edge to it and its stand-ins (which tests of single pairs cannot find), except
   those that are superfluous once all others are known: a blanket is the smallest sufficient set.
   An edge may be superfluous for one of its two ends, or both; zf_blanket_graph keeps it.
   Nothing is superfluous if some of the others are absent, at a rate below that of the evidence or
   because one of them is forbidden. By the global Markov property the blanket of a set is its
   border in the graph. What was forbidden is never decided, what was required always (its q-value
   is kept). members gets all variables but the targets: first the decided ones, `*decided` in
   number, edges before stand-ins; then the superfluous ones; then the rest. Each group by p-value
   (`without` where there is one), then by gate. ZF_EINVAL: as zf_blanket_query; a model without
   evidence; an fdr outside. ZF_ENOMEM. */
ZF_API zf_status zf_blanket_decide_sized(zf_member *members, size_t size, size_t *decided,
                                         const zf_blanket *model, const int32_t *targets,
                                         size_t n_targets, double fdr) ZF_CHECK;
static inline ZF_CHECK zf_status zf_blanket_decide(zf_member *members, size_t *decided,
                                                   const zf_blanket *model, const int32_t *targets,
                                                   size_t n_targets, double fdr)
{
    return zf_blanket_decide_sized(members, sizeof *members, decided, model, targets, n_targets,
                                   fdr);
}

/* The edges at a false discovery rate above 0 and below 1, with those that were required and
   without those forbidden: what zf_blanket_graph decides on. 0: the model holds no evidence. */
ZF_API size_t zf_blanket_edges(const zf_blanket *model, double fdr);

/* The model's graph: the gates of single targets and, if the model has evidence, what that says
   of every pair at this false discovery rate. ZF_EINVAL: free gates; an fdr outside. */
ZF_API zf_status zf_blanket_graph(zf_graph **out, const zf_blanket *model, double fdr) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
