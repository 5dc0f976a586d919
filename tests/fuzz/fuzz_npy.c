/* Any bytes as a NPY file: the array by itself, and as a table. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/npy.h"
#include "zeroflow/table.h"

static void read_array(zf_io_input *input)
{
    zf_npy array;
    double values[100];
    if (zf_npy_begin(&array, input) != ZF_OK) return;
    assert(array.rank >= 0 && array.rank <= ZF_NPY_RANK);
    uint64_t done = 0;
    while (done < array.count) {
        size_t n = array.count - done < 100 ? (size_t)(array.count - done) : 100;
        if (zf_npy_next(&array, input, values, n) != ZF_OK) return;
        done += n;
    }
    (void)!zf_io_input_end(input, "the array");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    zf_io_input *input;
    if (zf_io_input_open_memory(&input, "fuzz", bytes, n) == ZF_OK) {
        read_array(input);
        zf_io_input_close(input);
    }
    zf_table *table = NULL;
    if (zf_table_read_memory(&table, "fuzz", bytes, n, NULL) == ZF_OK) {
        assert(zf_table_rows(table) > 0);
        zf_table_free(table);
    } else {
        assert(!table && strncmp(zf_error(), "fuzz:", 5) == 0);
    }
    return 0;
}
