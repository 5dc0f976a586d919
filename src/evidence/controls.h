/* The controls of a variable: others that predict it, found one after the other. */
#ifndef ZF_EVIDENCE_CONTROLS_H
#define ZF_EVIDENCE_CONTROLS_H

#include "evidence/sample.h"

enum { ZF_CONTROLS_MOST = 15 };

typedef struct zf_controls {
    int32_t variable[ZF_CONTROLS_MOST]; /* ascending */
    size_t n;
} zf_controls;

/* ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_controls_find(zf_controls *out, const zf_sample *sample, size_t variable) ZF_CHECK;

bool zf_controls_have(const zf_controls *controls, size_t variable);

#endif
