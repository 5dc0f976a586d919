/* Running a pass: one job of the crew a phase, one task a shard. */
#include <string.h>

#include "engine/internal.h"

typedef struct job {
    const zf_program *program;
    const zf_pass *pass;
    const zf_phase *phase;
    bool training;
} job;

/* Zeroes what a stage will add to, where it is the first to add. An input that the
   node shares its memory with has its gradient there already. */
static void clear_gradients(const zf_call *call)
{
    for (int i = call->node->in_place; i < call->node->inputs; i++) {
        float *grad = zf_fresh(call, i) ? zf_in_grad(call, i) : NULL;
        if (!grad) continue;
        const zf_node *input = call->node->input[i];
        size_t count = input->domain ? (size_t)zf_call_rows(call) * zf_shape_row_size(input->shape)
                                     : zf_shape_size(input->shape);
        memset(grad, 0, count * sizeof *grad);
    }
}

static void run_shard(void *context, int task, int worker)
{
    const job *j = context;
    const zf_domain *domain = j->phase->domain;
    int shards = zf_active_shards(domain);
    zf_call call = {
        .begin = zf_shard_begin(domain, task),
        .end = zf_shard_begin(domain, task + 1),
        .shard = task,
        .shards = shards,
        .rows = domain->rows,
        .training = j->training,
        .scratch = j->program->scratch + (size_t)worker * j->program->scratch_stride,
        .passing = j->program->passing + (size_t)worker * j->program->passing_stride,
    };
    const zf_step *step = j->pass->steps + j->phase->first;
    for (int i = 0; i < j->phase->count; i++, step++) {
        call.node = step->node;
        if (step->clears) clear_gradients(&call);
        step->run(&call);
    }
}

static void run_pass(const zf_program *program, const zf_pass *pass, zf_crew *crew, bool training)
{
    for (int p = 0; p < pass->n_phases; p++) {
        job j = {program, pass, &pass->phases[p], training};
        zf_crew_run(crew, zf_active_shards(j.phase->domain), run_shard, &j);
    }
}

static void prepare_node(void *context, int task, int worker)
{
    const job *j = context;
    const zf_call call = {
        .node = j->program->prepared[task],
        .training = j->training,
        .scratch = j->program->scratch + (size_t)worker * j->program->scratch_stride,
    };
    call.node->op->prepare(&call);
}

void zf_program_forward(zf_program *program, zf_crew *crew, zf_mode mode)
{
    job j = {.program = program, .training = mode == ZF_TRAIN};
    if (program->n_prepared > 0 && !program->is_prepared)
        zf_crew_run(crew, program->n_prepared, prepare_node, &j);
    program->is_prepared = program->keeps_prepared;
    run_pass(program, &program->forward, crew, mode == ZF_TRAIN);
}

void zf_program_keep_prepared(zf_program *program)
{
    program->keeps_prepared = true;
}

static void clear_shared(void *context, int task, int worker)
{
    (void)worker;
    const zf_program *program = context;
    for (int p = 0; p < zf_params_count(program->params); p++) {
        const zf_param *param = zf_params_at(program->params, p);
        if (program->param_shared[p])
            memset(program->slots[task] + param->offset, 0, param->size * sizeof(float));
    }
}

void zf_program_backward(zf_program *program, zf_crew *crew)
{
    if (program->loss->domain == program->scalars) *program->loss->grad = 1.0f;
    if (program->n_shared > 0) zf_crew_run(crew, program->n_slots, clear_shared, program);
    run_pass(program, &program->backward, crew, true);
}
