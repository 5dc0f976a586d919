/* Gradients that only pass: made and used up by a shard within one phase. Each worker has
   memory for those of one shard, used over and over, so that they stay in its cache; the
   others are stored for the whole domain. In a chain of convolutions that is most of the
   memory that backward writes. In a program that is only evaluated values pass likewise,
   which with a loss are kept for backward.

   What a node has passes if all stages that touch it are in one phase, run over its rows
   and do not meet, and neither the caller nor another program's memory is involved. Nodes
   that work in place share their input's memory, so a chain of them passes as one or not
   at all. */
#include "engine/internal.h"

/* Of a node that does not work in place, with those that do so upon it. */
typedef struct passage {
    int phase;       /* -1: not touched yet */
    int first, last; /* steps */
    bool stays;
    size_t bytes, place;
} passage;

static zf_node *root_of(zf_node *node)
{
    while (node->in_place) node = node->input[0];
    return node;
}

static bool meets(const zf_step *step, bool backward)
{
    const zf_op_stage *stages = backward ? step->node->op->backward : step->node->op->forward;
    for (int i = 0; i < ZF_MAX_STAGES; i++)
        if (stages[i].run == step->run) return stages[i].meets;
    return true;
}

/* rows: over which the step runs; NULL: it meets. */
static void touch(passage *passages, const zf_node *root, int phase, int step,
                  const zf_domain *rows)
{
    passage *p = &passages[root->id];
    p->stays |= root->domain != rows || (p->phase >= 0 && p->phase != phase);
    if (p->phase < 0) p->first = step;
    p->phase = phase;
    p->last = step;
}

/* Whether the pass in question touches what the node has. */
static bool takes_part(const zf_node *node, bool backward)
{
    return node->domain && (backward ? node->wants_grad : node->type == ZF_F32);
}

static void follow(const zf_program *program, passage *passages, bool backward)
{
    const zf_pass *pass = backward ? &program->backward : &program->forward;
    for (int phase = 0; phase < pass->n_phases; phase++)
        for (int i = 0; i < pass->phases[phase].count; i++) {
            int at = pass->phases[phase].first + i;
            const zf_step *step = &pass->steps[at];
            zf_node *node = program->nodes[step->node->id];
            const zf_domain *rows = meets(step, backward) ? NULL : pass->phases[phase].domain;
            touch(passages, root_of(node), phase, at, rows);
            for (int k = 0; k < node->inputs; k++)
                if (takes_part(node->input[k], backward))
                    touch(passages, root_of(node->input[k]), phase, at, rows);
        }
}

static bool overlaps(const passage *a, const passage *b)
{
    return a->phase == b->phase && a->first <= b->last && b->first <= a->last &&
           a->place < b->place + b->bytes && b->place < a->place + a->bytes;
}

/* The lowest place that is free as long as it is needed. */
static void find_place(const zf_program *program, const passage *passages, passage *own)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (int i = 0; i < program->n_nodes; i++) {
            const passage *other = &passages[i];
            if (other == own || other->bytes == 0 || !overlaps(own, other)) continue;
            own->place = other->place + other->bytes;
            moved = true;
        }
    }
}

static void settle(zf_program *program, passage *passages)
{
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i], *root = root_of(node);
        passages[root->id].stays |= node->is_output || !root->op;
    }
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i];
        passage *own = &passages[i];
        if (node->in_place || own->phase < 0 || own->stays || node->domain == program->scalars)
            continue;
        size_t floats = (size_t)node->domain->max_shard_rows * zf_shape_row_size(node->shape);
        own->bytes = (floats * sizeof(float) + ZF_ALIGN - 1) / ZF_ALIGN * ZF_ALIGN;
        find_place(program, passages, own);
        if (own->place + own->bytes > program->passing_stride)
            program->passing_stride = own->place + own->bytes;
    }
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i];
        const passage *own = &passages[root_of(node)->id];
        *(program->loss ? &node->passing : &node->value_passing) = own->bytes > 0;
        node->passing_place = own->place;
    }
}

zf_status zf_find_passing(zf_program *program)
{
    zf_arena work = {0};
    passage *passages = zf_arena_get(&work, (size_t)program->n_nodes * sizeof *passages);
    if (!passages) return ZF_ENOMEM;
    for (int i = 0; i < program->n_nodes; i++) passages[i].phase = -1;
    follow(program, passages, program->loss != NULL);
    settle(program, passages);
    zf_arena_free(&work);
    return ZF_OK;
}
