/* Evidence once it is there: kept, asked for, written and read. */
#ifndef ZF_EVIDENCE_RESULT_H
#define ZF_EVIDENCE_RESULT_H

#include "base/arena.h"
#include "evidence/controls.h"
#include "io/safetensors.h"
#include "zeroflow/evidence.h"

struct zf_evidence {
    size_t rows, units;
    int32_t columns;
    double seconds;
    double fdr;       /* of the edges to which stand-ins are added, and of what is superfluous */
    int half_samples; /* 0: no stability */
    double half_fdr;
    zf_controls *controls;               /* [columns] */
    zf_changes *stand_ins, *superfluous; /* [columns] */
    zf_pair_evidence *pairs;             /* zf_pair_at */
};

/* Where a pair stands: for a > b at a (a - 1) / 2 + b. */
static inline size_t zf_pair_at(size_t a, size_t b)
{
    return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
}

/* Without content. ZF_ENOMEM. */
zf_status zf_evidence_new(zf_evidence **out, size_t rows, size_t columns) ZF_CHECK;

/* ZF_ENOMEM. */
zf_status zf_evidence_copy(zf_evidence **out, const zf_evidence *evidence) ZF_CHECK;

/* Fills in the q-values of all pairs. ZF_ENOMEM. */
zf_status zf_evidence_adjust(zf_evidence *evidence) ZF_CHECK;

/* The tensors that hold it in a file, *n in number, made in the arena. ZF_ENOMEM. */
enum { ZF_EVIDENCE_TENSORS = 7 };
zf_status zf_evidence_tensors(zf_tensor tensors[ZF_EVIDENCE_TENSORS], int *n,
                              const zf_evidence *evidence, zf_arena *arena) ZF_CHECK;

/* Reads them for so many columns; *out is NULL if the file has none. ZF_EINPUT: numbers that no
   test could have given. */
zf_status zf_evidence_read(zf_evidence **out, const zf_safetensors *file, size_t columns) ZF_CHECK;

#endif
