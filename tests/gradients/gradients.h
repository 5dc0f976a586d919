/* Gradient cases: for each operation, small networks on odd shapes whose
   gradients are checked against differences.

   A case is a function that builds a program out of `learn` (inputs that want a
   gradient), `weigh` (parameters), `pick` (indices) and `plain` (inputs that
   want none) and returns the node to check. All are filled with values that
   depend on the case alone. */
#ifndef ZF_TEST_GRADIENTS_H
#define ZF_TEST_GRADIENTS_H

#include "support.h"

#include "engine/program.h"
#include "op/ops.h"

enum { MOST_LEAVES = 16 };

typedef struct gradient_leaf {
    zf_node *node;
    int bound; /* of an index: values from 0 (or -1 if padded) to bound - 1 */
    bool padded;
} gradient_leaf;

typedef struct gradient_bench {
    zf_program *program;
    zf_domain *rows;  /* the case's own rows */
    zf_domain *other; /* a second domain, of other size and shards */
    gradient_leaf leaves[MOST_LEAVES];
    int n_leaves;
    zf_mode mode;
} gradient_bench;

typedef struct gradient_case {
    const char *op;   /* as in ops.def */
    const char *name; /* of the case */
    zf_node *(*build)(gradient_bench *bench);
} gradient_case;

/* Lists end with an all-zero case. */
extern const gradient_case conv_cases[];
extern const gradient_case elementwise_cases[];
extern const gradient_case linear_cases[];
extern const gradient_case norm_cases[];
extern const gradient_case pick_cases[];
extern const gradient_case sequence_cases[];
extern const gradient_case shape_cases[];

zf_node *learn(gradient_bench *bench, zf_domain *domain, zf_shape row);
zf_node *plain(gradient_bench *bench, zf_domain *domain, zf_shape row);
zf_node *weigh(gradient_bench *bench, zf_shape shape);
zf_node *pick(gradient_bench *bench, zf_domain *domain, zf_shape row, int bound, bool padded);

#endif
