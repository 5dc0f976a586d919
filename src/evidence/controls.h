/* The controls of a variable: others that predict it, found one after the other. */
#ifndef ZF_EVIDENCE_CONTROLS_H
#define ZF_EVIDENCE_CONTROLS_H

#include "evidence/sample.h"
#include "zeroflow/evidence.h"

enum { ZF_CONTROLS_MOST = 15 };

typedef struct zf_controls {
    int32_t variable[ZF_CONTROLS_MOST]; /* ascending */
    size_t n;
} zf_controls;

/* ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_controls_find(zf_controls *out, const zf_sample *sample, size_t variable) ZF_CHECK;

typedef struct zf_changes {
    zf_change list[ZF_CONTROLS_MOST];
    size_t n;
} zf_changes;

/* What the search adds to n variables that are known to tell something. ZF_ENOMEM,
   ZF_ENUMERIC. */
zf_status zf_stand_ins_find(zf_changes *out, const zf_sample *sample, size_t variable,
                            const int32_t *known, size_t n) ZF_CHECK;

bool zf_controls_have(const zf_controls *controls, size_t variable);

#endif
