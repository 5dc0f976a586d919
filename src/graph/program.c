/* Cutting a graph into phases.

   Nodes are taken in order (forward) or in reverse (backward), their stages in
   theirs. A stage goes into the phase before it if both run over the same
   domain and it needs nothing of other shards; else it opens a new phase, and
   with it a point where all shards wait. */
#include "graph/internal.h"

zf_domain *zf_stage_domain(const zf_node *node, const zf_stage *stage)
{
    return stage->over == ZF_OVER_INPUT ? node->input[0]->domain : node->domain;
}

static zf_status reserve(zf_graph *graph, zf_program *program)
{
    size_t most = (size_t)graph->n_nodes * ZF_MAX_STAGES;
    program->steps = zf_arena_get(&graph->arena, most * sizeof *program->steps);
    program->phases = zf_arena_get(&graph->arena, most * sizeof *program->phases);
    return program->steps && program->phases ? ZF_OK : ZF_ENOMEM;
}

static void append(zf_program *program, const zf_node *node, const zf_stage *stage, bool clears)
{
    zf_domain *domain = zf_stage_domain(node, stage);
    zf_phase *phase = program->n_phases ? &program->phases[program->n_phases - 1] : NULL;
    if (!phase || phase->domain != domain || stage->meets) {
        phase = &program->phases[program->n_phases++];
        *phase = (zf_phase){.domain = domain, .first = program->n_steps};
    }
    phase->count++;
    program->steps[program->n_steps++] = (zf_step){node, stage->run, clears};
}

zf_status zf_program_build(zf_graph *graph)
{
    if (reserve(graph, &graph->forward) != ZF_OK || reserve(graph, &graph->backward) != ZF_OK)
        return ZF_ENOMEM;
    graph->prepared = zf_arena_get(&graph->arena, (size_t)graph->n_nodes * sizeof *graph->prepared);
    if (!graph->prepared) return ZF_ENOMEM;
    for (int i = 0; i < graph->n_nodes; i++) {
        zf_node *node = graph->nodes[i];
        if (node->op && node->op->prepare) graph->prepared[graph->n_prepared++] = node;
        for (int s = 0; node->op && s < ZF_MAX_STAGES && node->op->forward[s].run; s++)
            append(&graph->forward, node, &node->op->forward[s], false);
    }
    for (int i = graph->n_nodes - 1; i >= 0; i--) {
        const zf_node *node = graph->nodes[i];
        if (!node->op || !node->wants_grad) continue;
        bool clears = node->fresh && !(node->op->flags & ZF_OP_KNOWS_FRESH);
        for (int s = 0; s < ZF_MAX_STAGES && node->op->backward[s].run; s++)
            append(&graph->backward, node, &node->op->backward[s], clears && s == 0);
    }
    return ZF_OK;
}
