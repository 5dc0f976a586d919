/* Columns that are linear functions of columns before them. */
#ifndef ZF_DATA_COLLINEAR_H
#define ZF_DATA_COLLINEAR_H

#include "zeroflow/table.h"

/* Marks them and writes the names that they depend on into their notes. Looks at
   used columns only, and not at all (with a note on the table) if they are more
   than ZF_TABLE_COLLINEAR_MAX or if there are not more complete rows than
   columns, when any column would be a function of the others. */
zf_status zf_table_find_collinear(zf_table *table) ZF_CHECK;

#endif
