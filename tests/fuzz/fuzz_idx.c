/* Any bytes as an IDX file. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/idx.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    zf_io_input *input;
    zf_idx array;
    float *values = NULL;
    if (zf_io_input_open_memory(&input, "fuzz", bytes, n) != ZF_OK) return 0;
    if (zf_idx_read_input(&values, &array, input) == ZF_OK) {
        assert(array.rank >= 1 && array.rank <= ZF_IDX_RANK);
        free(values);
    } else {
        assert(!values && strncmp(zf_error(), "fuzz:", 5) == 0);
    }
    zf_io_input_close(input);
    return 0;
}
