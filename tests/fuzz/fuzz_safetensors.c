/* Any bytes as a safetensors file: what opens can be read to the last byte. The
   same bytes are then taken for a header, a NUL and data, and given the right
   length in front: else a change of the header would seldom get past it. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/safetensors.h"

static void read_all(const uint8_t *bytes, size_t n)
{
    zf_safetensors *file = NULL;
    if (zf_safetensors_open_memory(&file, "fuzz", bytes, n) != ZF_OK) {
        assert(!file && strncmp(zf_error(), "fuzz:", 5) == 0);
        return;
    }
    size_t total = 0;
    for (size_t i = 0; i < zf_safetensors_count(file); i++) {
        const zf_tensor *tensor = zf_safetensors_tensor(file, i);
        assert(zf_safetensors_find(file, tensor->name) == tensor);
        size_t size = zf_tensor_size(tensor);
        double *values = malloc(size * sizeof *values + 1);
        assert(values);
        zf_status status =
            zf_safetensors_read_doubles(file, values, tensor->name, tensor->rank, tensor->dim);
        assert(status == ZF_OK || strstr(zf_error(), "finite"));
        status =
            zf_safetensors_read(file, (float *)values, tensor->name, tensor->rank, tensor->dim);
        assert(status == ZF_OK || strstr(zf_error(), tensor->wide ? "float64" : "finite"));
        total += size * (tensor->wide ? sizeof(double) : sizeof(float));
        free(values);
    }
    assert(total <= n);
    (void)zf_safetensors_metadata(file, "format");
    zf_safetensors_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    read_all(bytes, n);
    const uint8_t *end = n ? memchr(bytes, 0, n) : NULL;
    size_t header = end ? (size_t)(end - bytes) : n, data = end ? n - header - 1 : 0;
    uint64_t length = header;
    uint8_t *composed = malloc(8 + header + data);
    assert(composed);
    memcpy(composed, &length, 8);
    if (header) memcpy(composed + 8, bytes, header);
    if (data) memcpy(composed + 8 + header, end + 1, data);
    read_all(composed, 8 + header + data);
    free(composed);
    return 0;
}
