/* A table from CSV text, plain or gzipped, a file or a pipe.

   Memory follows the cells that have come: 8 bytes each, about 450 for a column, up to
   16 KB for a column whose cells are text of 1,000 distinct kinds. Until the header is
   told from the data, the first records are kept as well. A cell is at most
   ZF_TABLE_CELL_MAX bytes. */
#ifndef ZF_DATA_TABLE_CSV_H
#define ZF_DATA_TABLE_CSV_H

#include "io/input.h"
#include "zeroflow/table.h"

zf_status zf_table_read_csv(zf_table **out, zf_io_input *input,
                            const zf_table_options *options) ZF_CHECK;

#endif
