/* What the numbers of a column are likely to be. */
#ifndef ZF_DATA_ROLE_H
#define ZF_DATA_ROLE_H

#include "data/table_store.h"

/* Sets the role of every used column. ZF_ENOMEM. */
zf_status zf_table_find_roles(zf_table *table) ZF_CHECK;

#endif
