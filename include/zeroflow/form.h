/* The form of a dependence: what the strongest sign of it looks like.

     const zf_pair_evidence *pair = zf_evidence_pair(evidence, 0, 1);
     printf("%s, effect %.2f\n", zf_form_name(pair->form), pair->effect);

   Safe from several threads. */
#ifndef ZEROFLOW_FORM_H
#define ZEROFLOW_FORM_H

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zf_form {
    ZF_FORM_NONE,        /* no dependence */
    ZF_FORM_RISING,      /* one rises with the other */
    ZF_FORM_FALLING,     /* one falls as the other rises */
    ZF_FORM_VALLEY,      /* U-shaped: one is high where the other is far from its middle */
    ZF_FORM_HILL,        /* one is low where the other is far from its middle */
    ZF_FORM_SPREAD,      /* the distances of both from their middles go together */
    ZF_FORM_CURVED,      /* another curve: steps, waves */
    ZF_FORM_INTERACTION, /* the slope changes with a third variable */
} zf_form;

ZF_API const char *zf_form_name(zf_form form); /* "rising", "U-shaped", ... */

#ifdef __cplusplus
}
#endif
#endif
