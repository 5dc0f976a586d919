/* A program of a few rows, for tests that write its values by hand. */
#ifndef ZF_TEST_SMALL_H
#define ZF_TEST_SMALL_H

#include "support.h"

#include "engine/program.h"

typedef struct small {
    zf_params *params;
    zf_program *program;
    zf_domain *rows;
    zf_crew *crew;
} small;

small small_new(int rows, int shards);
/* Plans with result as loss and output. */
void small_plan(small s, zf_node *result);
void small_forward(small s, zf_mode mode);
/* Gives the result a gradient of ones and runs backward. */
void small_backward(small s, zf_node *result);
void small_free(small s);

/* Fails unless node is NULL and the program says why in these words. Frees s. */
void assert_refused(small s, const zf_node *node, const char *text);

#endif
