/* Index inputs of operations: which entries name a column or row at all. */
#ifndef ZF_OP_COLUMNS_H
#define ZF_OP_COLUMNS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* False for the padding entry -1. Anything else must be below count: indices
   are made by the program, not read from files, so this is an assertion. */
static inline bool zf_column_ok(int32_t index, int count)
{
    assert(index < count && index >= -1);
    (void)count;
    return index >= 0;
}

#endif
