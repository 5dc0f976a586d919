/* All of zeroflow's public headers.

     #include <zeroflow/zeroflow.h>

     zf_blanket *model = NULL;
     zf_status status = zf_blanket_load(&model, "cells.model");
     if (status != ZF_OK) fprintf(stderr, "%s: %s\n", zf_status_name(status), zf_error());
     zf_blanket_free(model);

   Each header says what it is for and which of its calls are safe from several threads. In
   general, different threads may work with different handles at the same time, functions that
   take a const model may be called for one model from any number of threads, and zf_error() is
   each thread's own. */
#ifndef ZEROFLOW_ZEROFLOW_H
#define ZEROFLOW_ZEROFLOW_H

#include "zeroflow/audit.h"
#include "zeroflow/baseline.h"
#include "zeroflow/bench.h"
#include "zeroflow/blanket.h"
#include "zeroflow/evidence.h"
#include "zeroflow/files.h"
#include "zeroflow/flow.h"
#include "zeroflow/form.h"
#include "zeroflow/generate.h"
#include "zeroflow/graph.h"
#include "zeroflow/html.h"
#include "zeroflow/images.h"
#include "zeroflow/independence.h"
#include "zeroflow/job.h"
#include "zeroflow/memory.h"
#include "zeroflow/model.h"
#include "zeroflow/nearest.h"
#include "zeroflow/plot.h"
#include "zeroflow/portrait.h"
#include "zeroflow/predict.h"
#include "zeroflow/probe.h"
#include "zeroflow/reconstruct.h"
#include "zeroflow/reduce.h"
#include "zeroflow/report.h"
#include "zeroflow/status.h"
#include "zeroflow/table.h"
#include "zeroflow/two_sample.h"
#include "zeroflow/version.h"
#include "zeroflow/vision.h"

#endif
