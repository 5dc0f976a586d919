/* What an operation is, and what its functions see. Included by src/op/ and by
   the engine, by no one else.

   An operation is a constant descriptor. Its functions are called on the rows
   [begin, end) of one shard; they must touch no other row of what they write,
   allocate nothing, and not depend on which worker runs them. */
#ifndef ZF_ENGINE_OP_H
#define ZF_ENGINE_OP_H

#include "engine/program.h"

enum { ZF_MAX_INPUTS = 12, ZF_MAX_STAGES = 3, ZF_ATTRIBUTE_BYTES = 80 };

typedef struct zf_op zf_op;

struct zf_domain {
    zf_program *program;
    const char *name;
    int max_rows;
    int shards;         /* at max_rows; a run uses min(shards, rows) of them */
    int rows;           /* in use */
    int max_shard_rows; /* the most rows that a shard can get */
    zf_domain *twin;    /* the next of those with the same rows, in a ring; itself if alone */
};

/* One node. An operation's infer function fills in shape, type, domain and the
   sizes; the plan fills in the rest. */
struct zf_node {
    const zf_op *op; /* NULL for inputs and parameters */
    zf_program *program;
    int id;
    zf_type type;
    zf_shape shape;    /* rows in front: domain->max_rows; a parameter's own shape */
    zf_domain *domain; /* NULL for parameters */
    zf_node *input[ZF_MAX_INPUTS];
    int inputs;
    int parameter;                                            /* index into the params, or -1 */
    _Alignas(16) unsigned char attribute[ZF_ATTRIBUTE_BYTES]; /* the operation's own constants */

    /* Set by infer. Saved memory outlives the forward run and is read by
       backward; scratch is one worker's for the length of one call. */
    size_t saved_bytes;         /* once a node */
    size_t saved_bytes_a_row;   /* once a row of the node's largest domain, see zf_saved_row */
    size_t saved_bytes_a_shard; /* once a shard, see zf_saved_shard */
    size_t scratch_bytes;       /* for a call on zf_max_shard_rows(node) rows */
    /* So many of the first elements of a row depend on nothing that is learnt: backward of
       this node does not read their gradient, and its readers need not write it. */
    size_t without_gradient;

    /* Set by the plan. */
    bool wants_grad; /* the loss depends on it through something that is learnt */
    bool is_output;  /* the caller reads it */
    bool is_kept;    /* its value must survive: no one may work in place on it */
    int readers;     /* nodes that take it as input */
    bool in_place;   /* shares value and gradient memory with input[0] */
    unsigned fresh;  /* bit i: backward is the first to write input[i]'s gradient */
    void *value;     /* float or int32_t */
    float *grad;     /* NULL: none, or one that passes */
    /* Its gradient or, in a program that is only evaluated, its value is a worker's for the
       length of a phase, at that place (passing.c). */
    bool passing, value_passing;
    size_t passing_place;
    unsigned char *saved, *saved_rows, *saved_shards;
};

/* What a stage sees of the run. */
typedef struct zf_call {
    const zf_node *node;
    int begin, end;    /* rows of this shard, in the stage's domain */
    int shard, shards; /* this shard, and how many are in use in the stage's domain */
    int rows;          /* rows in use in the stage's domain */
    bool training;
    void *scratch;          /* node->scratch_bytes, aligned, not zeroed, this worker's */
    unsigned char *passing; /* what passes, this worker's */
} zf_call;

/* Which rows a stage runs over: those of the node's own domain, or those of
   input[0]'s (where they differ: sums, gathers). */
typedef enum zf_where { ZF_OVER_OUTPUT, ZF_OVER_INPUT } zf_where;

/* A stage that meets waits until every shard has finished what comes before;
   it may read any row of its inputs and of saved memory. The gradient of an
   input is written by backward stages that run over that input's rows. */
typedef struct zf_op_stage {
    void (*run)(const zf_call *call);
    zf_where over;
    bool meets;
} zf_op_stage;

enum {
    /* Output and input[0] may share memory: forward is elementwise and backward
       reads neither the input's value nor, after writing it, the output's
       gradient. */
    ZF_OP_IN_PLACE = 1 << 0,
    /* Backward reads the output's value: no one may work in place on it. */
    ZF_OP_READS_OUTPUT = 1 << 1,
    /* Backward looks at zf_fresh(): where it is set it overwrites the gradient,
       so the engine need not clear it first. Without the flag backward always
       adds, and the engine clears. */
    ZF_OP_KNOWS_FRESH = 1 << 2,
    /* The output is input[0] bit for bit, in another shape or in other shards: where
       node->in_place is set there is nothing to do, forward or backward. */
    ZF_OP_VIEW = 1 << 3,
    /* Saved rows are for backward: they are not there in a program that is only evaluated,
       and forward asks zf_backward_follows before it writes them. */
    ZF_OP_SAVES_FOR_BACKWARD = 1 << 4,
};

struct zf_op {
    const char *name;
    unsigned flags;
    int min_inputs, max_inputs;
    /* Checks the inputs, fills in the node's shape, type, domain and sizes.
       A message names the operation and the shapes: zf_op_mismatch helps. */
    zf_status (*infer)(zf_node *node);
    /* Brings parameters into another form (packed weights, say) in the node's
       saved memory, once for all shards: called before the forward stages of
       every run, in any order, on any worker. call has no rows. May be NULL. */
    void (*prepare)(const zf_call *call);
    zf_op_stage forward[ZF_MAX_STAGES];
    /* Adds (or, when fresh, writes) into the gradients of those inputs that
       want one: zf_in_grad is NULL for the others. */
    zf_op_stage backward[ZF_MAX_STAGES];
};

/* Makes a node: checks the count, copies the attribute, runs infer. NULL if an
   input is NULL or infer fails; the program remembers the message. */
zf_node *zf_op_apply(const zf_op *op, zf_program *program, zf_node *const *inputs, int n_inputs,
                     const void *attribute, size_t attribute_bytes);
/* The program of the first input that is not NULL, or NULL. */
zf_program *zf_op_program(zf_node *const *inputs, int n_inputs);

/* --- for infer ---------------------------------------------------------- */

/* ZF_EINVAL with the operation's name, what was expected and all input shapes. */
zf_status zf_op_mismatch(const zf_node *node, const char *expected, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether products may have 16 bits (zf_program_allow_quick_products). */
bool zf_op_quick(const zf_node *node);
/* Sets shape (rows in front) and domain from input[i]'s domain. */
void zf_op_rows_like(zf_node *node, int input, zf_shape row);
/* Makes the node a scalar of the program's one-row domain. */
void zf_op_scalar(zf_node *node);
/* The same rows in another number of shards (0: the default). Asked again, or for as many
   as there are, it is the one that is there. */
zf_domain *zf_domain_regrouped(zf_domain *domain, int shards);
/* The most rows a shard of the node's own domain can have; and of input[0]'s. */
int zf_max_shard_rows(const zf_node *node);
int zf_max_shard_rows_in(const zf_node *node);

/* --- for the stages ------------------------------------------------------ */

/* First element of row `begin` of input i, or of a parameter as a whole. */
const float *zf_in(const zf_call *call, int i);
const int32_t *zf_in_index(const zf_call *call, int i);
/* Where to add the gradient of input i: at row `begin`, or in this shard's
   slot for a parameter. NULL if no one wants it. */
float *zf_in_grad(const zf_call *call, int i);
bool zf_fresh(const zf_call *call, int i);
/* The node's own value and gradient at row `begin`. */
float *zf_out(const zf_call *call);
const float *zf_out_grad(const zf_call *call);
/* Whole tensors, for stages that meet or that run over other rows; gradients for the
   former alone. One that does not meet may look at rows of its own shard alone. */
const float *zf_in_all(const zf_call *call, int i);
const int32_t *zf_in_index_all(const zf_call *call, int i);
float *zf_in_grad_all(const zf_call *call, int i);
float *zf_out_all(const zf_call *call);
const float *zf_out_grad_all(const zf_call *call);
/* Elements of a row of input i, and of the node. */
size_t zf_in_row_size(const zf_call *call, int i);
size_t zf_out_row_size(const zf_call *call);
/* Rows of this shard. */
int zf_call_rows(const zf_call *call);
/* Whether forward runs for the sake of a backward run. */
bool zf_backward_follows(const zf_call *call);
/* Saved memory: the node's, that of row r (of input[0]'s domain if the node is
   a scalar, of its own otherwise), that of a shard. */
void *zf_saved(const zf_call *call);
void *zf_saved_row(const zf_call *call, int row);
void *zf_saved_shard(const zf_call *call, int shard);

#endif
