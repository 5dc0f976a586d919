/* Classes by nearest neighbours, row by row: what zf_probe_knn counts. */
#ifndef ZF_PROBE_KNN_H
#define ZF_PROBE_KNN_H

#include "base/crew.h"
#include "zeroflow/probe.h"

/* given[test->rows]: the class of each row by its neighbours. The data were checked. */
zf_status zf_knn_classify(int32_t *given, const zf_probe_data *data, const zf_labelled *test,
                          const zf_knn_options *options, zf_crew *crew) ZF_CHECK;

#endif
