/* The autodiff engine: build once, plan once, run thousands of times.

   A program is a list of nodes in the order in which they were made, which is
   an order in which they can be computed. Each node is an input, a parameter
   or the result of an operation. A failed constructor returns NULL and the
   program remembers the first message; constructors take NULL and return NULL,
   so a network is written without checks, and zf_program_plan reports what went
   wrong.

   Row domains. The first dimension of every tensor that is not a parameter is
   its rows, and the rows belong to a domain: the samples of a batch, the
   distinct masks of a batch. A domain has a largest number of rows, fixed when
   it is made, and a number of rows in use, set before each run. Its rows are
   cut into shards, a number that depends on neither threads nor machines: one
   task runs all operations of a phase on the rows of one shard. Values and
   gradients of rows are stored for the whole domain; gradients of parameters
   are stored once a shard and summed in the order of the shards (train/).
   Hence the same bits on any number of threads.

   Phases. Where an operation needs rows of other shards (a sum over the batch,
   batch norm, gathering from another domain) the work is cut: all shards
   finish a phase before any begins the next. */
#ifndef ZF_ENGINE_PROGRAM_H
#define ZF_ENGINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/crew.h"
#include "engine/params.h"
#include "engine/shape.h"
#include "zeroflow/status.h"

typedef struct zf_program zf_program;
typedef struct zf_node zf_node;
typedef struct zf_domain zf_domain;

typedef enum zf_type { ZF_F32, ZF_I32 } zf_type;

/* The program refers to params, which must outlive it; several programs may share
   one set (training, evaluation, queries). */
zf_status zf_program_new(zf_program **out, zf_params *params) ZF_CHECK;
void zf_program_free(zf_program *program);

/* Products of layers that are built from here on may have 16 bits in place of 24, where
   that is faster (kernel/panel.h): more than most networks are trained with elsewhere,
   but less than float32. */
void zf_program_allow_quick_products(zf_program *program);

/* Rows that go together. shards = 0 takes the default for that many rows,
   zf_default_shards(max_rows). NULL on failure, remembered by the program. */
zf_domain *zf_program_domain(zf_program *program, const char *name, int max_rows, int shards);
int zf_default_shards(int max_rows);

/* How many rows the next runs use, here and in what is regrouped: 1 .. max_rows. */
zf_status zf_domain_set_rows(zf_domain *domain, int rows) ZF_CHECK;
int zf_domain_rows(const zf_domain *domain);

/* Data that the caller writes before each run. row is the shape of one row,
   rank 0 for a scalar a row. Float inputs can be asked for their gradient. */
zf_node *zf_input(zf_program *program, zf_domain *domain, zf_type type, zf_shape row);
zf_node *zf_input_with_gradient(zf_program *program, zf_domain *domain, zf_shape row);

/* The parameter of that name, made on first use (params.h). */
zf_node *zf_parameter(zf_program *program, const char *name, zf_shape shape, zf_init init);
/* State that is kept with the parameters but not trained (running means). */
zf_node *zf_buffer(zf_program *program, const char *name, zf_shape shape, zf_init init);

/* The first failure of a constructor, with its message, if there was one: for a program that
   is built but not planned, to declare its parameters. */
zf_status zf_program_built(const zf_program *program) ZF_CHECK;

/* Ends the building: infers what has a gradient when loss is minimised, lays
   out memory, cuts phases. loss is a scalar; or any other node, whose gradient
   the caller then writes (zf_node_grad) before each backward run; or NULL for a
   program that is only evaluated. outputs are nodes whose values the caller reads after a run: they
   are never overwritten by an operation that works in place.
   workers is the size of the largest crew that will run the program. */
zf_status zf_program_plan(zf_program *program, zf_node *loss, zf_node *const *outputs,
                          int n_outputs, int workers) ZF_CHECK;

typedef enum zf_mode {
    ZF_EVALUATE, /* forward only; batch norm uses its running statistics */
    ZF_TRAIN,    /* forward as in training; zf_program_backward may follow */
} zf_mode;

/* Allocate nothing and cannot fail. Backward leaves the gradients of the loss
   in the shards' slots (zf_program_slots) and in inputs that asked for them. */
void zf_program_forward(zf_program *program, zf_crew *crew, zf_mode mode);
void zf_program_backward(zf_program *program, zf_crew *crew);

/* Parameters do not change any more, and the program is only evaluated: what operations make of
   parameters alone, such as packed matrices, is made in the next run and kept. */
void zf_program_keep_prepared(zf_program *program);

zf_program *zf_node_program(const zf_node *node);
zf_domain *zf_node_domain(const zf_node *node); /* NULL: a parameter */

/* Memory of a node, all rows, row-major; NULL before the plan. */
float *zf_node_value(const zf_node *node);
int32_t *zf_node_index(const zf_node *node); /* of an index (ZF_I32) input */
float *zf_node_grad(const zf_node *node);    /* NULL where there is none */
zf_shape zf_node_shape(const zf_node *node); /* with the largest row count in front */
/* The value of a scalar node (a loss) after a forward run. */
float zf_node_scalar(const zf_node *node);

/* Gradients of the trainable parameters after zf_program_backward: a slot is a
   vector laid out like zf_params_values, and the gradient of a parameter is the
   sum over the first zf_program_param_slots of them (0: the loss does not reach
   it). The rest of the slots holds nothing of meaning. */
float *const *zf_program_slots(const zf_program *program);
int zf_program_param_slots(const zf_program *program, int parameter);

/* Hands the memory of every float input to a function: for measurements and
   tests that need some data and do not care which. */
void zf_program_fill_inputs(zf_program *program, void (*fill)(float *values, size_t n));

zf_params *zf_program_params(const zf_program *program);

/* Sizes of the plan, for reports. */
typedef struct zf_footprint {
    size_t values, gradients, saved, scratch, slots; /* bytes */
    int nodes, forward_phases, backward_phases;
} zf_footprint;
zf_footprint zf_program_footprint(const zf_program *program);

#endif
