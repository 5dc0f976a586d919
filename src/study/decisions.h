/* What the parts of `reproduce decisions` share: the laws, the methods with their own standard
   decisions, and what became of each. */
#ifndef ZF_STUDY_DECISIONS_H
#define ZF_STUDY_DECISIONS_H

#include "study/study.h"

enum { DECIDERS = 6, DECISION_LAWS = 11, SET_SIZES = 4, SETS = 100 };

/* Ours comes first. */
typedef struct decider {
    const char *name;  /* in runs.csv and JSON */
    const char *words; /* in the text */
} decider;
extern const decider deciders[DECIDERS];

/* On how many of the seeds a method is run, from the first on; 0: it cannot work on a table of
   that size, or takes too long for this scale. */
int decider_seeds(const zf_study *study, int method, int seeds, size_t rows, size_t columns);

/* Scores, and evidence or 0 for what is no edge, as zf_graph_judge reads them. */
zf_status decider_run(const zf_study *study, zf_graph **graph, int method,
                      const study_sample *sample);

/* Mean and standard deviation of n numbers; of a single one the deviation is 0,
   and of none the mean is NaN. */
typedef struct decision_average {
    double mean, spread;
} decision_average;
decision_average decision_average_of(const double *values, int n);

/* How alike the blankets of SETS random target sets are in a decided graph and in the truth:
   the mean Jaccard index of the sets of 1, 2, 3 and 4 targets. A blanket is what borders on
   the set, as zf_blanket_decide has it; two empty ones are alike. */
void decision_sets(double jaccard[SET_SIZES], const zf_graph *decided, const zf_graph *truth,
                   uint64_t seed);

/* Certificates of blankets: of the true ones, how often they are refused, and whether
   p-values are uniform; of those that lack a neighbour, how often that is seen. */
typedef struct decision_certificates {
    int nulls, alternatives;
    double refused_05, refused_10, uniform, power;
} decision_certificates;

/* How far everything is, in any unit. */
typedef struct decision_work {
    double done, planned;
} decision_work;

/* Plans before, and does after. */
decision_certificates decision_plan_certificates(const zf_study *study, decision_work *work);
zf_status decision_certify(zf_study *study, decision_certificates *out, decision_work *work);

#endif
