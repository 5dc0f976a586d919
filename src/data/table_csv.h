/* A table from CSV text. */
#ifndef ZF_DATA_TABLE_CSV_H
#define ZF_DATA_TABLE_CSV_H

#include "io/input.h"
#include "zeroflow/table.h"

zf_status zf_table_read_csv(zf_table **out, zf_input *input,
                            const zf_table_options *options) ZF_CHECK;

#endif
