/* Which rows of a pooled sample count as the second of two samples: the labelling
   that was observed, and others that are as likely if both samples are of one law.

   Labelling 0 is the observed one. If there are no more ways to choose as many rows
   than the caller wants labellings, all of them are there, each once, and a test
   that ranks the observed one among them is exact without chance; else the others
   are drawn, each a function of the seed and of its number. A labelling is told row
   by row, so that no more than a small state is kept of each, whatever the rows. */
#ifndef ZF_BASE_LABELS_H
#define ZF_BASE_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "zeroflow/status.h"

typedef struct zf_labels {
    const uint8_t *observed; /* [rows]: 1 where the row is of the second sample; the caller's */
    size_t rows, of_second;
    size_t count;      /* labellings */
    bool all;          /* every way to choose */
    uint64_t *subset;  /* [count] if all: bit i is row i */
    zf_random *random; /* [count] else: where each stream is */
    uint32_t *left;    /* [count]: rows of the second sample that are still to come */
} zf_labels;

/* `wanted` labellings beside the observed one. ZF_ENOMEM. */
zf_status zf_labels_new(zf_labels *out, const uint8_t *observed, size_t rows, size_t wanted,
                        uint64_t seed) ZF_CHECK;

/* Labels of rows first .. first + n - 1 as 0 and 1. Each labelling must be asked for
   its rows in order, without gaps; different ones from any threads. */
void zf_labels_take(zf_labels *labels, size_t which, size_t first, size_t n, float *to);

void zf_labels_free(zf_labels *labels); /* leaves an empty one; {0} is fine */

#endif
