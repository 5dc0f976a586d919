/* Holds one layer against its golden file: the test says how the layer is built
   out of the file's arrays, and layer_check runs it and compares the result y
   and the gradients d_NAME of everything that has one.

       layer *l = layer_open("softmax", 3);
       layer_check(l, zf_softmax(layer_input(l, "input")), 1e-5);
       layer_close(l);

   The rows are those of the array "input". The batch is a partial one (the
   domain is made a little larger), in as many shards as asked for, run by two
   threads when there is more than one. */
#ifndef ZF_TEST_LAYER_H
#define ZF_TEST_LAYER_H

#include "engine/program.h"
#include "golden.h"

typedef struct layer layer;

layer *layer_open(const char *name, int shards);

/* Nodes out of the array of that name: rows whose gradient is compared; rows
   without gradient; rows of indices; a parameter, compared; a buffer. */
zf_node *layer_input(layer *l, const char *name);
zf_node *layer_fixed(layer *l, const char *name);
zf_node *layer_index(layer *l, const char *name);
zf_node *layer_parameter(layer *l, const char *name);
zf_node *layer_buffer(layer *l, const char *name);

/* Plans, fills, runs forward in training and backward, compares to a relative
   error of the largest element. */
void layer_check(layer *l, zf_node *y, double relative);

/* Afterwards: the forward run in evaluation, with the buffers as they are in
   the file; and the parts, for what else a test wants to look at. */
void layer_evaluate(layer *l);
golden *layer_golden(layer *l);
/* The parameter or buffer of that name. */
const float *layer_values(layer *l, const char *name);

void layer_close(layer *l);

#endif
