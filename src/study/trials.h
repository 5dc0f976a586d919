/* Many trials of a test on generated samples: progress over them, and whether their
   p-values are uniform. */
#ifndef ZF_STUDY_TRIALS_H
#define ZF_STUDY_TRIALS_H

#include "study/study.h"

/* To be called after each trial with the work done, in any unit. ZF_EINTERRUPT: the
   user wants to stop; what was done is in runs.csv. */
zf_status trials_go_on(zf_study *study, double done, double planned);

/* Room for the n normal values that a sample is made of, and for the sample of m values, both for
   free(). ZF_ENOMEM. */
zf_status trials_memory(double **normals, size_t n, double **sample, size_t m);

/* The p-value of Kolmogorov and Smirnov's test that n values are uniform on 0 to 1, by
   the limit law with Stephens' correction. Sorts them. */
double trials_uniformity(double *values, int n);

#endif
