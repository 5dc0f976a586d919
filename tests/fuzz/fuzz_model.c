/* Any header as a model of each kind: a loader takes it or says why not. The first three bytes say
   how many zeros stand for the numbers: a model is long, and what its numbers are does not matter
   to what may break. */
#include "fuzz.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "zeroflow/blanket.h"
#include "zeroflow/flow.h"
#include "zeroflow/reduce.h"
#include "zeroflow/vision.h"

static void expect_message(zf_status status, const char *path)
{
    assert(status != ZF_EINVAL && strncmp(zf_error(), path, strlen(path)) == 0);
}

#define LOADER(kind)                                                                               \
    static void load_##kind(const char *path)                                                      \
    {                                                                                              \
        zf_##kind *model = NULL;                                                                   \
        zf_status status = zf_##kind##_load(&model, path);                                         \
        if (status != ZF_OK) expect_message(status, path);                                         \
        assert((status == ZF_OK) == (model != NULL));                                              \
        zf_##kind##_free(model);                                                                   \
    }

LOADER(blanket)
LOADER(flow)
LOADER(reduction)
LOADER(vision)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n < 3) return 0;
    size_t zeros = bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16;
    uint64_t header = n - 3;
    char path[64];
    int file = memfd_create("model", MFD_CLOEXEC);
    assert(file >= 0 && write(file, &header, sizeof header) == (ssize_t)sizeof header);
    assert(write(file, bytes + 3, n - 3) == (ssize_t)(n - 3));
    assert(ftruncate(file, (off_t)(sizeof header + n - 3 + zeros)) == 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    load_blanket(path);
    load_flow(path);
    load_reduction(path);
    load_vision(path);
    close(file);
    return 0;
}
