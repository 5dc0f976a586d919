/* Evidence: for every pair of variables of a table, does each still tell something about the other,
   given all other variables that matter?

     zf_evidence *evidence = NULL;
     zf_evidence_options options = zf_evidence_defaults();
     zf_status status = zf_evidence_test(&evidence, values, rows, names, columns, &options);
     if (status == ZF_OK && zf_evidence_pair(evidence, 0, 1)->q_value <= 0.1) puts("an edge");
     zf_evidence_free(evidence);

   A pair's p-value is the probability that chance alone makes the two look as dependent as they do.
   Its q-value is the expected share of false edges among this pair and all stronger ones (Benjamini
   and Hochberg, 1995). The pairs with a q-value of at most 0.1 form a graph in which about one edge
   in ten is false.

   Assumptions: rows (or groups of rows) are independent of each other, and the controls of one of
   the two variables (zf_evidence_controls) contain what the other acts through. Only half samples
   are random, and no blanket model is involved: the same table gives the same answer, whatever the
   seed of a fit. See docs/evidence.md.

   A zf_evidence is constant once made: any number of threads may read it. */
#ifndef ZEROFLOW_EVIDENCE_H
#define ZEROFLOW_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/form.h"
#include "zeroflow/portrait.h"
#include "zeroflow/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_evidence zf_evidence;

enum {
    ZF_EVIDENCE_ROWS_LEAST = 30,      /* with fewer rows evidence is refused */
    ZF_EVIDENCE_COLUMNS_MOST = 10000, /* with more columns too */
    ZF_HALF_SAMPLES = 50,             /* enough of them for stability */
    ZF_HALF_SAMPLES_MOST = 10000,
};

typedef struct zf_pair_evidence {
    double p_value;
    double q_value;   /* the p-value, adjusted for the number of pairs */
    double effect;    /* correlation behind the strongest sign of dependence, -1 to 1: above 0 if
                         it rises, is U-shaped, or spreads go together */
    zf_form form;     /* what that sign looks like */
    int32_t curved;   /* valley and hill: the variable that is high or low; otherwise -1 */
    int32_t third;    /* interaction: the variable with which the slope changes; otherwise -1 */
    double stability; /* share of half samples in which it is an edge; -1: was not measured */
} zf_pair_evidence;

typedef struct zf_evidence_options {
    size_t struct_size; /* zf_evidence_defaults sets it */
    int threads;        /* 0: all processors; does not affect the result */
    /* Stability: so many half samples, an even number, are tested as the table is, and an edge
       in one is a pair with a q-value of at most fdr. 0: none. A half sample takes about half of
       the time of the table. */
    int half_samples;
    double fdr;    /* of the edges of half samples, and of those that blankets are made of */
    uint64_t seed; /* of the half samples; nothing else is random */
    /* Rows that depend on each other: those with equal numbers in groups[rows] (the visits of a
       patient), or stretches of `block` rows, where rows are in the order of time. Such units
       have to be independent of each other; they are kept in one half, and at least
       ZF_EVIDENCE_ROWS_LEAST of them are needed. NULL and 0: all rows are independent. */
    const double *groups;
    size_t block;
    zf_report report;
} zf_evidence_options;

/* Defaults: no half samples, an fdr of 0.1 */
ZF_API void zf_evidence_options_init(zf_evidence_options *options, size_t size);
static inline zf_evidence_options zf_evidence_defaults(void)
{
    zf_evidence_options options;
    zf_evidence_options_init(&options, sizeof options);
    return options;
}

/* How many rows, groups or blocks the options make of so many rows. ZF_EINVAL: groups as well as
   a block, a group that is not finite. ZF_ENOMEM. */
ZF_API zf_status zf_evidence_count(size_t *units, size_t rows,
                                   const zf_evidence_options *options) ZF_CHECK;

/* On rows * columns finite values, row-major; names are for messages, NULL: numbers.
   ZF_EINPUT: too few rows, too many columns, fewer than two of them, a value that is not
   finite, a constant column. ZF_EINVAL: half samples that are odd or too many, an fdr outside 0
   to 1, groups as well as a block, a group that is not finite. ZF_EINTERRUPT. */
ZF_API zf_status zf_evidence_test(zf_evidence **out, const double *values, size_t rows,
                                  const char *const *names, size_t columns,
                                  const zf_evidence_options *options) ZF_CHECK;

/* One variable against another, given the rest. */
typedef struct zf_target_test {
    int32_t target, column;
    zf_pair_evidence found; /* the q-value is adjusted for the tests of this target alone */
    double alone;           /* correlation of the two's normal scores, with nothing given: where it
                               is large and the p-value too, other columns tell the same */
} zf_target_test;

/* Targets, none of them twice, against every other variable: out gets columns - 1 tests for
   each, one target after the other, the smallest p-values first. These are the p-values
   that zf_evidence_test gives the same pairs, in less time, as only regressions of the targets
   are made. options->half_samples is ignored. As zf_evidence_test; ZF_EINVAL also: no
   target, one outside the table or named twice. */
ZF_API zf_status zf_evidence_test_targets(zf_target_test *out, const double *values, size_t rows,
                                          const char *const *names, size_t columns,
                                          const int32_t *targets, size_t n_targets,
                                          const zf_evidence_options *options) ZF_CHECK;

/* Portraits of what n of these tests found, each in out[n]: the target against the column or,
   where the column is the curved one or what a curve says more of, the column against the target.
   Values are what the controls of the two leave of them, as the test has it. The options are those
   of the tests. As zf_evidence_test; on failure out is left alone. */
ZF_API zf_status zf_target_portraits_sized(zf_portrait *out, size_t size, const double *values,
                                           size_t rows, const char *const *names, size_t columns,
                                           const zf_target_test *tests, size_t n,
                                           const zf_evidence_options *options) ZF_CHECK;
static inline ZF_CHECK zf_status zf_target_portraits(zf_portrait *out, const double *values,
                                                     size_t rows, const char *const *names,
                                                     size_t columns, const zf_target_test *tests,
                                                     size_t n, const zf_evidence_options *options)
{
    return zf_target_portraits_sized(out, sizeof *out, values, rows, names, columns, tests, n,
                                     options);
}

/* Writes tests as CSV, "-" to standard output: target,column,p_value,q_value,effect,form,
   decided,alone; decided by whether the q-value is at most fdr. guard: names that a spreadsheet
   would run as formulas get an apostrophe before them. ZF_EIO, ZF_ENOMEM. */
ZF_API zf_status zf_target_tests_write(const char *path, const zf_target_test *tests, size_t n,
                                       const char *const *names, double fdr, bool guard) ZF_CHECK;

/* The same in memory: n bytes and a NUL; free *bytes with zf_free. */
ZF_API zf_status zf_target_tests_encode(char **bytes, size_t *length, const zf_target_test *tests,
                                        size_t n, const char *const *names, double fdr,
                                        bool guard) ZF_CHECK;

/* Signs in a table that its rows are not independent of each other. */
typedef struct zf_row_doubts {
    size_t struct_size; /* the library sets it */
    size_t copies;      /* rows that equal an earlier one in every column, if these are more than
                           chance makes of columns with few values; otherwise 0 */
    /* Columns in which rows that follow each other are alike, as in the order of time (or in a
       sorted table), if these are at least half of all; otherwise 0. */
    size_t ordered;
    double likeness; /* the median of their correlations between neighbouring rows */
    size_t block;    /* a length of blocks that would have little in common, or the longest of
                        which there are enough; 0: there are too few rows for any */
} zf_row_doubts;

/* Of finite values, row-major. ZF_ENOMEM. */
ZF_API zf_status zf_rows_doubt_sized(zf_row_doubts *out, size_t size, const double *values,
                                     size_t rows, size_t columns) ZF_CHECK;
static inline ZF_CHECK zf_status zf_rows_doubt(zf_row_doubts *out, const double *values,
                                               size_t rows, size_t columns)
{
    return zf_rows_doubt_sized(out, sizeof *out, values, rows, columns);
}

ZF_API size_t zf_evidence_rows(const zf_evidence *evidence);
ZF_API size_t zf_evidence_units(const zf_evidence *evidence);   /* groups, blocks or else rows */
ZF_API double zf_evidence_seconds(const zf_evidence *evidence); /* that it took; 0 from a file */
ZF_API int32_t zf_evidence_columns(const zf_evidence *evidence);

/* The evidence for two different variables, in either order. */
ZF_API const zf_pair_evidence *zf_evidence_pair(const zf_evidence *evidence, int32_t a, int32_t b);

/* The controls of a variable, ascending, and their number: the other variables that a search found
   helpful in predicting it. They are candidates, not a blanket. */
ZF_API size_t zf_evidence_controls(const zf_evidence *evidence, int32_t variable,
                                   const int32_t **controls);

/* A change to the edges of a variable that makes a blanket of them. */
typedef struct zf_change {
    int32_t variable;
    double p_value; /* of the blanket being sufficient without it */
} zf_change;

/* The p-value up to which a stand-in joins a blanket at this false discovery rate, and a member
   stays: a tenth of the rate. */
ZF_API double zf_change_level(double fdr);

/* The stand-ins of a variable, and their number: variables without an edge to it that tell
   something about it which its edges do not. Columns that carry the same information are each
   superfluous given the others, so that no test of a pair finds them, and one has to stand in for
   them all. In the order in which a search added them to the edges at zf_evidence_fdr; p-values
   never fall, and are at most 0.1. */
ZF_API size_t zf_evidence_stand_ins(const zf_evidence *evidence, int32_t variable,
                                    const zf_change **stand_ins);

/* The superfluous ones of a variable, and their number: edges at zf_evidence_fdr, or stand-ins,
   that tell nothing about it once the other members of its blanket are known. In the order in which
   they left, each tested given those that were still there; p-values never rise, and are above the
   level. Of a variable with more than 15 edges none is looked for, nor a stand-in. */
ZF_API size_t zf_evidence_superfluous(const zf_evidence *evidence, int32_t variable,
                                      const zf_change **superfluous);

/* The false discovery rate of the edges that were changed: that of the options. 0: of a file from
   before there were superfluous ones. */
ZF_API double zf_evidence_fdr(const zf_evidence *evidence);

/* How many pairs have a q-value of at most fdr: the edges at that false discovery rate. */
ZF_API size_t zf_evidence_edges(const zf_evidence *evidence, double fdr);

/* About how many rows it would take for the pair with the smallest p-value to be an edge at
   this false discovery rate, if it is as strong as it looks; 0 if it is an edge already.
   fdr is above 0 and below 1. */
ZF_API size_t zf_evidence_rows_needed(const zf_evidence *evidence, double fdr);

/* The same for a pair of this p-value, beside the edges that there are; 0 if its p-value is small
   enough already. */
ZF_API size_t zf_evidence_rows_for(const zf_evidence *evidence, double p_value, double fdr);

/* Stability of all pairs over half samples (complementary pairs stability selection; Shah and
   Samworth, 2013). */
typedef struct zf_stability {
    size_t struct_size; /* the library sets it */
    int half_samples;
    double fdr;    /* of the edges of half samples */
    double chosen; /* edges of a half sample, on average */
    size_t edges;  /* pairs with at least the given share */
    /* Of these, how many to expect at most that are in fewer than chosen / pairs of all half
       samples that could be drawn: those that stand out no more than a pair drawn at random. */
    double false_worst;   /* for any distribution */
    double false_concave; /* if the distribution of such a pair's share is r-concave, that is, falls
                             off evenly, as in all that was tried; r = -1/2 for complementary pairs,
                             -1/4 for half samples. At most false_worst */
} zf_stability;

/* Of the pairs with a stability of at least `share`, 0 to 1. The bounds say something from
   above 0.5 on. false: the evidence has no stability; *out is left alone. */
ZF_API bool zf_evidence_stability_sized(zf_stability *out, size_t size, const zf_evidence *evidence,
                                        double share);
static inline bool zf_evidence_stability(zf_stability *out, const zf_evidence *evidence,
                                         double share)
{
    return zf_evidence_stability_sized(out, sizeof *out, evidence, share);
}

/* The q-values of n p-values of any tests, by the same rule; both may be the same array.
   ZF_ENOMEM. */
ZF_API zf_status zf_q_values(double *q_values, const double *p_values, size_t n) ZF_CHECK;

ZF_API void zf_evidence_free(zf_evidence *evidence); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
