/* A table from a NPY array. */
#ifndef ZF_DATA_TABLE_NPY_H
#define ZF_DATA_TABLE_NPY_H

#include "io/input.h"
#include "zeroflow/table.h"

/* An array of one dimension is one column, of two is rows by columns. */
zf_status zf_table_read_npy(zf_table **out, zf_io_input *input,
                            const zf_table_options *options) ZF_CHECK;

#endif
