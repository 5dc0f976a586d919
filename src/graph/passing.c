/* Gradients that only pass: made and used up by a shard within one phase. Each worker has
   memory for those of one shard, used over and over, so that they stay in its cache; the
   others are stored for the whole domain. In a chain of convolutions that is most of the
   memory that backward writes.

   A gradient passes if all backward stages that touch it are in one phase and none meets,
   and neither the caller nor another graph's memory is involved. Nodes that work in place
   share their input's gradient, so a chain of them passes as one or not at all. */
#include "graph/internal.h"

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

static bool meets(const zf_step *step)
{
    for (int i = 0; i < ZF_MAX_STAGES; i++)
        if (step->node->op->backward[i].run == step->run) return step->node->op->backward[i].meets;
    return true;
}

static void touch(passage *p, int phase, int step, bool meets)
{
    p->stays |= meets || (p->phase >= 0 && p->phase != phase);
    if (p->phase < 0) p->first = step;
    p->phase = phase;
    p->last = step;
}

static void follow(const zf_graph *graph, passage *passages)
{
    const zf_program *program = &graph->backward;
    for (int phase = 0; phase < program->n_phases; phase++)
        for (int i = 0; i < program->phases[phase].count; i++) {
            int at = program->phases[phase].first + i;
            const zf_step *step = &program->steps[at];
            zf_node *node = graph->nodes[step->node->id];
            touch(&passages[root_of(node)->id], phase, at, meets(step));
            for (int k = 0; k < node->inputs; k++)
                if (node->input[k]->domain && node->input[k]->wants_grad)
                    touch(&passages[root_of(node->input[k])->id], phase, at, meets(step));
        }
}

static bool overlaps(const passage *a, const passage *b)
{
    return a->phase == b->phase && a->first <= b->last && b->first <= a->last &&
           a->place < b->place + b->bytes && b->place < a->place + a->bytes;
}

/* The lowest place that is free as long as it is needed. */
static void find_place(const zf_graph *graph, const passage *passages, passage *own)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (int i = 0; i < graph->n_nodes; i++) {
            const passage *other = &passages[i];
            if (other == own || !graph->nodes[i]->passing || !overlaps(own, other)) continue;
            own->place = other->place + other->bytes;
            moved = true;
        }
    }
}

static void settle(zf_graph *graph, passage *passages)
{
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i], *root = root_of(node);
        passages[root->id].stays |= node->is_output || !root->op;
    }
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i];
        passage *own = &passages[i];
        if (node->in_place || own->phase < 0 || own->stays || node->domain == graph->scalars)
            continue;
        size_t floats = (size_t)node->domain->max_shard_rows * zf_shape_row_size(node->shape);
        own->bytes = (floats * sizeof(float) + ZF_ALIGN - 1) / ZF_ALIGN * ZF_ALIGN;
        find_place(graph, passages, own);
        node->passing = true;
        node->passing_place = own->place;
        if (own->place + own->bytes > graph->passing_stride)
            graph->passing_stride = own->place + own->bytes;
    }
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i];
        node->passing = root_of(node)->passing;
        node->passing_place = root_of(node)->passing_place;
    }
}

zf_status zf_find_passing(zf_graph *graph)
{
    zf_arena work = {0};
    passage *passages = zf_arena_get(&work, (size_t)graph->n_nodes * sizeof *passages);
    if (!passages) return ZF_ENOMEM;
    for (int i = 0; i < graph->n_nodes; i++) passages[i].phase = -1;
    follow(graph, passages);
    settle(graph, passages);
    zf_arena_free(&work);
    return ZF_OK;
}
