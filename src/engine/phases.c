/* Cutting a program into phases.

   A stage can go into a phase if it runs over the phase's domain and, in case it
   needs rows of other shards, these were made in earlier phases. Stages are taken in
   the order of the nodes (backward: in reverse), but one that has to wait lets
   others pass: as many as possible join a phase before the next is opened,
   because every phase ends in a point where all shards wait.

   What must come before what: forward, a node's inputs before the node. Backward,
   a node's readers before the node; and those that write the same gradient keep
   their order, of which the first overwrites (plan.c) and the others add. */
#include "engine/internal.h"

#include "base/error.h"

zf_domain *zf_op_stage_domain(const zf_node *node, const zf_op_stage *stage)
{
    return stage->over == ZF_OVER_INPUT ? node->input[0]->domain : node->domain;
}

/* --- what comes before what ----------------------------------------------------- */

/* Edges out of a node, as a list: to wake when the node is done. One that reads
   what the node has made may need it of all shards; one that merely adds to the
   same gradient does so row by row. */
typedef struct edge {
    int to, next;
    bool reads;
} edge;

typedef struct order {
    const zf_program *program;
    bool backward;
    edge *edges;
    int n_edges;
    int *first;   /* [nodes] edge, -1: none */
    int *waiting; /* [nodes] for how many others */
    int *done;    /* [nodes] stages */
    int *latest;  /* [nodes] the last phase that made something it needs; -1: none */
} order;

static const zf_op_stage *stages_of(const order *o, const zf_node *node)
{
    static const zf_op_stage none[ZF_MAX_STAGES];
    if (!node->op || (o->backward && !node->wants_grad)) return none;
    return o->backward ? node->op->backward : node->op->forward;
}

static int count_stages(const zf_op_stage *stages)
{
    int n = 0;
    while (n < ZF_MAX_STAGES && stages[n].run) n++;
    return n;
}

static void after(order *o, const zf_node *node, const zf_node *other, bool reads)
{
    if (count_stages(stages_of(o, other)) == 0) return;
    o->edges[o->n_edges] = (edge){node->id, o->first[other->id], reads};
    o->first[other->id] = o->n_edges++;
    o->waiting[node->id]++;
}

/* last_writer[x]: the node before this one, in backward order, that writes x's
   gradient. */
static void order_backward(order *o, const zf_node *node, const zf_node **last_writer)
{
    for (int k = 0; k < node->inputs && node->wants_grad; k++) {
        const zf_node *input = node->input[k];
        if (!input->wants_grad) continue;
        if (input->op) after(o, input, node, true);
        const zf_node *writer = last_writer[input->id];
        if (writer && writer != node) after(o, node, writer, false);
        last_writer[input->id] = node;
    }
}

static zf_status find_order(order *o, zf_arena *arena)
{
    size_t n = (size_t)o->program->n_nodes;
    const zf_node **last_writer = zf_arena_get(arena, n * sizeof *last_writer);
    o->edges = zf_arena_get(arena, n * 2 * ZF_MAX_INPUTS * sizeof *o->edges);
    o->first = zf_arena_get(arena, n * sizeof *o->first);
    o->waiting = zf_arena_get(arena, n * sizeof *o->waiting);
    o->done = zf_arena_get(arena, n * sizeof *o->done);
    o->latest = zf_arena_get(arena, n * sizeof *o->latest);
    if (!last_writer || !o->edges || !o->first || !o->waiting || !o->done || !o->latest)
        return ZF_ENOMEM;
    for (size_t i = 0; i < n; i++) o->first[i] = o->latest[i] = -1;
    for (size_t i = 0; i < n; i++) {
        const zf_node *node = o->program->nodes[o->backward ? n - 1 - i : i];
        if (o->backward)
            order_backward(o, node, last_writer);
        else
            for (int k = 0; k < node->inputs; k++) after(o, node, node->input[k], true);
    }
    return ZF_OK;
}

/* --- phases ------------------------------------------------------------------------ */

static bool can_join(const zf_pass *pass, const order *o, const zf_node *node,
                     const zf_op_stage *stage)
{
    int last = pass->n_phases - 1;
    if (last < 0 || pass->phases[last].domain != zf_op_stage_domain(node, stage)) return false;
    return !stage->meets || o->latest[node->id] < last;
}

static void append(zf_pass *pass, order *o, const zf_node *node, const zf_op_stage *stage)
{
    if (!can_join(pass, o, node, stage))
        pass->phases[pass->n_phases++] =
            (zf_phase){.domain = zf_op_stage_domain(node, stage), .first = pass->n_steps};
    int now = pass->n_phases - 1;
    bool clears = o->backward && o->done[node->id] == 0 && node->fresh &&
                  !(node->op->flags & ZF_OP_KNOWS_FRESH);
    pass->phases[now].count++;
    pass->steps[pass->n_steps++] = (zf_step){node, stage->run, clears};
    o->latest[node->id] = now;
    if (++o->done[node->id] < count_stages(stages_of(o, node))) return;
    for (int e = o->first[node->id]; e >= 0; e = o->edges[e].next) {
        o->waiting[o->edges[e].to]--;
        if (o->edges[e].reads) o->latest[o->edges[e].to] = now;
    }
}

/* The next stage of a node, if it can run now; NULL otherwise. */
static const zf_op_stage *next_stage(const order *o, const zf_node *node)
{
    const zf_op_stage *stages = stages_of(o, node);
    int done = o->done[node->id];
    if (o->waiting[node->id] > 0 || done == count_stages(stages)) return NULL;
    return &stages[done];
}

/* Appends every stage that can join the last phase; then, if there was none, the
   first that can run at all. False when nothing is left. */
static bool extend(zf_pass *pass, order *o)
{
    const zf_node *opener = NULL;
    bool joined = false;
    int n = o->program->n_nodes;
    for (int i = 0; i < n; i++) {
        const zf_node *node = o->program->nodes[o->backward ? n - 1 - i : i];
        const zf_op_stage *stage = next_stage(o, node);
        if (!stage) continue;
        if (!opener) opener = node;
        if (!can_join(pass, o, node, stage)) continue;
        append(pass, o, node, stage);
        joined = true;
    }
    if (joined) return true;
    if (opener) append(pass, o, opener, next_stage(o, opener));
    return opener != NULL;
}

static zf_status build(zf_program *program, zf_pass *pass, bool backward)
{
    size_t most = (size_t)program->n_nodes * ZF_MAX_STAGES + 1;
    pass->steps = zf_arena_get(&program->arena, most * sizeof *pass->steps);
    pass->phases = zf_arena_get(&program->arena, most * sizeof *pass->phases);
    if (!pass->steps || !pass->phases) return ZF_ENOMEM;
    zf_arena work = {0};
    order o = {.program = program, .backward = backward};
    zf_status status = find_order(&o, &work);
    while (status == ZF_OK && extend(pass, &o)) {
    }
    zf_arena_free(&work);
    return status;
}

zf_status zf_passes_build(zf_program *program)
{
    program->prepared =
        zf_arena_get(&program->arena, (size_t)program->n_nodes * sizeof *program->prepared);
    if (!program->prepared) return ZF_ENOMEM;
    for (int i = 0; i < program->n_nodes; i++) {
        zf_node *node = program->nodes[i];
        if (node->op && node->op->prepare) program->prepared[program->n_prepared++] = node;
    }
    ZF_TRY(build(program, &program->forward, false));
    return build(program, &program->backward, true);
}
