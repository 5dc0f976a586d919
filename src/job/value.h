/* From texts to the fields of a job's values. */
#ifndef ZF_JOB_VALUE_H
#define ZF_JOB_VALUE_H

#include "job/option.h"
#include "zeroflow/status.h"

/* Texts that values point to; they live as long as it. */
typedef struct zf_texts {
    void **items;
    int n;
} zf_texts;

/* Sets the field. label is what the option is called in a message: "option seed", "DATA". A text
   is copied. A list grows. A flag takes "", true and false. ZF_EINVAL: not such a value; the
   field is left as it was. ZF_ENOMEM. */
zf_status zf_value_set(void *values, zf_texts *texts, const zf_option *option, const char *label,
                       const char *text) ZF_CHECK;

/* Sets the fallbacks of all options. */
zf_status zf_value_fall_back(void *values, zf_texts *texts, const zf_option *options) ZF_CHECK;

void zf_texts_free(zf_texts *texts);

#endif
