/* Arrays by name out of tests/golden/NAME.safetensors. What is missing or
   malformed fails the test. */
#ifndef ZF_TEST_GOLDEN_H
#define ZF_TEST_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/shape.h"

typedef struct golden golden;

golden *golden_open(const char *name);
void golden_close(golden *file);

bool golden_has(const golden *file, const char *name);
/* The values, which live as long as the file is open. */
const float *golden_array(golden *file, const char *name);
const double *golden_doubles(golden *file, const char *name); /* widened */
size_t golden_size(const golden *file, const char *name);
zf_shape golden_shape(const golden *file, const char *name);

#endif
