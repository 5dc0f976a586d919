/* Any header as a model of each kind: what a loader takes can be asked what it is and be
   given back. The first three bytes say how many zeros stand for the numbers: a model is
   long, and what its numbers are does not matter to what may break. */
#define _GNU_SOURCE
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

static void load_blanket(const char *path)
{
    zf_blanket *model = NULL;
    zf_status status = zf_blanket_load(&model, path);
    if (status != ZF_OK) expect_message(status, path);
    assert((status == ZF_OK) == (model != NULL));
    zf_blanket_free(model);
}

static void load_flow(const char *path)
{
    zf_flow *model = NULL;
    zf_status status = zf_flow_load(&model, path);
    if (status != ZF_OK) expect_message(status, path);
    assert((status == ZF_OK) == (model != NULL));
    zf_flow_free(model);
}

static void load_reduction(const char *path)
{
    zf_reduction *model = NULL;
    zf_status status = zf_reduction_load(&model, path);
    if (status != ZF_OK) expect_message(status, path);
    assert((status == ZF_OK) == (model != NULL));
    zf_reduction_free(model);
}

static void load_vision(const char *path)
{
    zf_vision *model = NULL;
    zf_status status = zf_vision_load(&model, path);
    if (status != ZF_OK) expect_message(status, path);
    assert((status == ZF_OK) == (model != NULL));
    if (model) {
        assert(zf_vision_dim(model) > 0 && zf_vision_size(model) > 0);
        assert(zf_vision_method_name(zf_vision_trained_by(model)));
    }
    zf_vision_free(model);
}

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
