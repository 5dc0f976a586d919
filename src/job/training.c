#include "job/training.h"

const char *const zf_criteria[] = {"midpoint", "antisymmetry", NULL};
