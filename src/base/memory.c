#include "zeroflow/memory.h"

#include <stdlib.h>

void zf_free(void *memory)
{
    free(memory);
}
