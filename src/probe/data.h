/* What every probe asks of the matrices that it is given. */
#ifndef ZF_PROBE_DATA_H
#define ZF_PROBE_DATA_H

#include "zeroflow/probe.h"

/* ZF_EINPUT: as the public header says. */
zf_status zf_probe_check(const zf_probe_data *data) ZF_CHECK;

/* ZF_EINPUT: no rows, too many, a value that is not finite, or none whose square float32
   can tell from 0 and infinity. */
zf_status zf_probe_check_rows(const float *features, size_t rows, size_t dim,
                              const char *name) ZF_CHECK;

/* mean[dim] and deviation[dim] of the columns. */
void zf_probe_moments(double *mean, double *deviation, const float *features, size_t rows,
                      size_t dim);

/* The share of rows that were given their class. */
double zf_probe_share(const int32_t *given, const zf_labelled *set);

#endif
