/* What the files of this room share: the program itself and its passes. */
#ifndef ZF_ENGINE_INTERNAL_H
#define ZF_ENGINE_INTERNAL_H

#include "base/arena.h"
#include "engine/op.h"

/* One stage of one node. */
typedef struct zf_step {
    const zf_node *node;
    void (*run)(const zf_call *call);
    bool clears; /* first backward stage of an operation that only adds */
} zf_step;

/* Steps that one task runs in a row on one shard of a domain. */
typedef struct zf_phase {
    zf_domain *domain;
    int first, count; /* steps */
} zf_phase;

typedef struct zf_pass {
    zf_step *steps;
    zf_phase *phases;
    int n_steps, n_phases;
} zf_pass;

struct zf_program {
    zf_params *params;
    zf_arena arena;   /* nodes, domains, names, passes */
    zf_status status; /* of the building so far, with its message */
    char *message;
    zf_node **nodes;
    int n_nodes, capacity;
    zf_domain *scalars; /* the domain of one row */
    zf_node *loss;      /* NULL: evaluation only */
    bool planned;
    bool quick; /* products of 16 bits are allowed */

    zf_node **prepared; /* nodes whose operation has a prepare function */
    int n_prepared;
    bool keeps_prepared; /* what these make is good for every run, once */
    bool is_prepared;    /* it has been made */
    zf_pass forward, backward;
    unsigned char *values, *grads, *saved, *scratch; /* slabs */
    size_t scratch_stride;                           /* bytes, one worker to the next */
    unsigned char *passing;                          /* what passes, by worker */
    size_t passing_stride;
    int workers;

    float **slots; /* [n_slots] vectors of zf_params_length */
    int n_slots;
    float *slot_slab;
    zf_domain **param_domain; /* by parameter: where its gradient is made; NULL: nowhere */
    bool *param_shared;       /* by parameter: in several domains */
    int n_shared;
    zf_footprint footprint;
};

/* Remembers the first failure; returns NULL for the constructor to return. */
void *zf_program_refuse(zf_program *program, zf_status status);

enum {
    ZF_LONG_SHARD = 64, /* rows, from which on products are efficient */
    ZF_SHARD_STEP = 16, /* rows */
};

/* How many shards of a domain the next run uses. */
static inline int zf_active_shards(const zf_domain *domain)
{
    return domain->rows < domain->shards ? domain->rows : domain->shards;
}

/* The first row of a shard, or the end of the last. Long shards begin at whole
   tiles of the products (kernel/isa/panel_tiles.c), of which a few rows more cost as
   much as another tile. */
static inline int zf_shard_begin(const zf_domain *domain, int shard)
{
    int shards = zf_active_shards(domain);
    int even = (int)((int64_t)domain->rows * shard / shards);
    if (shard == shards || domain->rows < ZF_LONG_SHARD * shards) return even;
    return (even + ZF_SHARD_STEP / 2) / ZF_SHARD_STEP * ZF_SHARD_STEP;
}

/* The domain that a node's saved rows and shards belong to. */
zf_domain *zf_saved_domain(const zf_node *node);
/* The domain that a stage runs over. */
zf_domain *zf_op_stage_domain(const zf_node *node, const zf_op_stage *stage);

zf_status zf_passes_build(zf_program *program) ZF_CHECK;
/* Marks the nodes whose gradients or values pass, and finds their places; after the passes. */
zf_status zf_find_passing(zf_program *program) ZF_CHECK;

#endif
