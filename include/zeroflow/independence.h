/* Tests whether variables x are independent of variables y given variables z and, with a fitted
   blanket model, whether a blanket is sufficient.

     zf_independence found;
     int32_t x = 0, y = 1, given[] = {2, 3};
     zf_question question = {&x, &y, given, 1, 1, 2};
     status = zf_independence_test(&found, values, rows, names, columns, &question, NULL);
     if (status == ZF_OK) printf("p = %g\n", found.p_value), zf_independence_free(&found);

   Given z, the zero-flow criterion tests whether the flow from p(x | y, z) to p(x | z) is zero at t
   = 0.5. With a velocity that is linear in features, that is: are features of x, less their mean
   given z, uncorrelated with features of y? What z explains is removed from both sides, and the
   null is drawn by flipping the signs of the rows' products; without z it is drawn by permuting
   rows, which is exact. See docs/criterion.md, also for when not to trust it.

   All functions are safe from several threads. */
#ifndef ZEROFLOW_INDEPENDENCE_H
#define ZEROFLOW_INDEPENDENCE_H

#include <stddef.h>

#include "zeroflow/blanket.h"
#include "zeroflow/form.h"
#include "zeroflow/portrait.h"
#include "zeroflow/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets of columns of one table; given may be empty. */
typedef struct zf_question {
    const int32_t *x, *y, *given;
    size_t n_x, n_y, n_given;
} zf_question;

typedef struct zf_independence_options {
    size_t struct_size; /* zf_independence_defaults sets it */
    uint64_t draws;     /* flips or permutations, at least 99 */
    uint64_t seed;
    int threads; /* 0: all processors; does not affect the result */
    zf_report report;
} zf_independence_options;

ZF_API void zf_independence_options_init(zf_independence_options *options, size_t size);
static inline zf_independence_options zf_independence_defaults(void)
{
    zf_independence_options options;
    zf_independence_options_init(&options, sizeof options);
    return options;
}

/* The strongest sign of dependence, which may be due to chance: see the p-value. Variables are
   columns of the table. */
typedef struct zf_finding {
    int32_t x, y;  /* between which two */
    zf_form form;  /* what it looks like */
    double effect; /* correlation behind it, -1 to 1: above 0 if it rises, is U-shaped, or spreads
                      go together; of rising and falling ones the partial correlation */
    int32_t bent;  /* U-shaped and hill: the one of the two that is high or low where the other is
                      far from its middle; otherwise -1 */
    int32_t third; /* interaction: the given variable that the slope changes most with; -1: it is
                      no single one, or there is no interaction */
} zf_finding;

/* How one variable of y depends on x, given z. */
typedef struct zf_independence_part {
    double share;   /* of the statistic's excess over chance; 0 if there is none */
    double p_value; /* corrected for the number of y (Westfall and Young's largest statistic) */
    double gain;    /* share that it explains of the variance which z leaves to the one shape of
                       a variable of x that it explains best, adjusted for its freedom: near 0
                       where there is nothing to gain */
    zf_finding found;
} zf_independence_part;

typedef struct zf_independence {
    size_t struct_size; /* the library sets it */
    double statistic;   /* mean square of the entries, in deviations: about 1 if independent */
    double p_value;
    double effect;    /* size of found.effect, 0 to 1 */
    zf_finding found; /* the strongest of all */
    size_t rows;
    bool cannot_tell; /* p_value is small (at most 0.1), but not necessarily because of dependence:
                         what the regressions left of both sides still depends on the given
                         variables, so both fits are incomplete. Do not call such a p-value
                         significant. More rows may settle it. */
    double *x_share;  /* [n_x]: as share of a part */
    zf_independence_part *y; /* [n_y] */
} zf_independence;

/* The least number of rows to test independence given that many variables. */
ZF_API size_t zf_independence_least_rows(size_t n_given);

/* On rows * columns finite values, row-major. names are used in messages; NULL: numbers.
   ZF_EINVAL: an empty x or y, a column outside the table, one that is named twice.
   ZF_EINPUT: too few rows, a value that is not finite, a constant column. */
ZF_API zf_status zf_independence_test_sized(zf_independence *out, size_t size, const double *values,
                                            size_t rows, const char *const *names, size_t columns,
                                            const zf_question *question,
                                            const zf_independence_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_independence_test(zf_independence *out, const double *values,
                                                      size_t rows, const char *const *names,
                                                      size_t columns, const zf_question *question,
                                                      const zf_independence_options *options)
{
    return zf_independence_test_sized(out, sizeof *out, values, rows, names, columns, question,
                                      options);
}

ZF_API void zf_independence_free(zf_independence *result); /* leaves it empty */

/* What a finding of that question looks like: its y against its x or, where x is the bent one or
   what a curve says more of, x against y. Swap x and y of the finding to turn it. ZF_EINVAL: they
   are not in question. As zf_independence_test. */
ZF_API zf_status zf_independence_portrait_sized(zf_portrait *out, size_t size, const double *values,
                                                size_t rows, const char *const *names,
                                                size_t columns, const zf_question *question,
                                                const zf_finding *found,
                                                const zf_independence_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_independence_portrait(
    zf_portrait *out, const double *values, size_t rows, const char *const *names, size_t columns,
    const zf_question *question, const zf_finding *found, const zf_independence_options *options)
{
    return zf_independence_portrait_sized(out, sizeof *out, values, rows, names, columns, question,
                                          found, options);
}

/* A member of a blanket, tested against the targets given the other members. Of two with the same
   information, neither shows a sign. */
typedef struct zf_member_test {
    int32_t variable;
    double p_value; /* not corrected for the number of members */
    zf_finding found;
} zf_member_test;

/* Is a blanket sufficient: are the targets independent of all that it leaves out? */
typedef struct zf_certificate {
    size_t struct_size; /* the library sets it */
    int32_t *left_out;  /* variables, ascending */
    size_t n_left_out;
    int32_t *missing;        /* places in left_out, largest gain first */
    zf_member_test *members; /* of the blanket, the least needed (largest p-value) first */
    size_t n_members;
    bool trained; /* these are the rows that the model was trained on, so the certificate is too
                     favourable */
    /* x: the targets; y: left_out; given: the blanket. Last, as it may grow. */
    zf_independence test;
} zf_certificate;

/* rows * variables values, the columns as the model has them. ZF_EINVAL: no target, a variable
   outside the model, a target in the blanket, nothing left out; ZF_EINPUT: as
   zf_independence_test. */
ZF_API zf_status zf_certify_sized(zf_certificate *out, size_t size, const zf_blanket *model,
                                  const double *values, size_t rows, const int32_t *targets,
                                  size_t n_targets, const int32_t *blanket, size_t n_blanket,
                                  const zf_independence_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_certify(zf_certificate *out, const zf_blanket *model,
                                            const double *values, size_t rows,
                                            const int32_t *targets, size_t n_targets,
                                            const int32_t *blanket, size_t n_blanket,
                                            const zf_independence_options *options)
{
    return zf_certify_sized(out, sizeof *out, model, values, rows, targets, n_targets, blanket,
                            n_blanket, options);
}

/* Are these rows * variables values those that the model was trained on? ZF_ENOMEM. */
ZF_API zf_status zf_blanket_trained_on(bool *out, const zf_blanket *model, const double *values,
                                       size_t rows) ZF_CHECK;

ZF_API void zf_certificate_free(zf_certificate *certificate); /* leaves it empty */

#ifdef __cplusplus
}
#endif
#endif
