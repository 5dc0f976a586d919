/* Guessing what is not said: the delimiter of a CSV file, and whether its first
   record holds names. */
#ifndef ZF_DATA_SNIFF_H
#define ZF_DATA_SNIFF_H

#include "zeroflow/table.h"

typedef struct zf_sniffed {
    char delimiter;
    bool header;
} zf_sniffed;

/* From the first bytes of the file; whole says that there are no more. What the
   options settle is taken from them. ZF_ENOMEM only. */
zf_status zf_sniff(zf_sniffed *out, const char *bytes, size_t n, bool whole,
                   const zf_table_options *options) ZF_CHECK;

#endif
