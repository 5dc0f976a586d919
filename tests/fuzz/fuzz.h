/* What libFuzzer calls, and the replay driver too. */
#ifndef ZF_TEST_FUZZ_H
#define ZF_TEST_FUZZ_H

#undef NDEBUG /* the targets assert what must hold */

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#endif
