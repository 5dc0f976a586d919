/* Whole steps of blanket training, as fit takes them: drawing the batch, the gates
   of its distinct masks, the field, both terms of the loss, backward, AdamW. */
#include "bench/steps.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"

enum { ROWS = 2048, FEW_ROWS = 256, BATCH = 400, HIDDEN = 256 };

/* The step of the paper's experiments: a node and its neighbours as targets. */
static zf_step_options options_of(zf_gate_kind gate, zf_target_law law, int variables, int side)
{
    return (zf_step_options){
        .seed = 1,
        .batch = BATCH,
        .hidden = HIDDEN,
        .gate = gate,
        .targets = {.law = law, .variables = variables, .side = side},
        .time = {ZF_TIME_UNIFORM, 0},
        .middle = {ZF_TIME_MIDDLE, 0},
        .zero_weight = 0.1,
        .sparsity = 1e-9,
    };
}

double zf_gate_flops(zf_params *params, int uses)
{
    double flops = 0;
    for (int p = 0; p < zf_params_count(params); p++) {
        const zf_param *param = zf_params_at(params, p);
        bool picked = strstr(param->name, "_in_out") || strstr(param->name, "embedding");
        if (strncmp(param->name, "gate.", 5) != 0 || param->shape.rank < 2 || picked) continue;
        flops += 2.0 * uses * (double)zf_shape_size(param->shape);
    }
    return flops;
}

/* The first layer's y needs no gradient and both terms share it; the rest is there
   twice. What is read or written by column alone is not counted. */
static double step_flops(const zf_blanket_step *step, zf_params *params)
{
    int d = step->variables, sequence = step->options.gate == ZF_GATE_MLP ? 1 : d;
    double field = 2.0 * BATCH * HIDDEN * (2.0 * d + 2 * 3.0 * d + 2 * 3.0 * HIDDEN);
    return field + 3 * zf_domain_rows(step->masks) * zf_gate_flops(params, sequence);
}

/* What training holds: the program, and the parameters with AdamW's gradient and
   moments. */
static double step_bytes(const zf_blanket_step *step, zf_params *params)
{
    zf_footprint print = zf_program_footprint(step->program);
    return (double)(print.values + print.gradients + print.saved + print.scratch + print.slots) +
           4.0 * sizeof(float) * (double)zf_params_length(params);
}

static zf_status make(zf_subject *s, const zf_step_options *options, int rows)
{
    size_t values = (size_t)rows * (size_t)options->targets.variables;
    s->rows = zf_slab_new(values * sizeof *s->rows);
    if (!s->rows) return ZF_ENOMEM;
    zf_random random = zf_random_at(1, ZF_FOR_TEST, values, 0);
    for (size_t i = 0; i < values; i++) s->rows[i] = zf_random_normal(&random);
    ZF_TRY(zf_blanket_step_new(&s->step, s->params, s->rows, rows, options, zf_crew_size(s->crew)));
    zf_step_prepare(&s->step, 0, s->crew);
    s->flops = step_flops(&s->step, s->params);
    s->bytes = step_bytes(&s->step, s->params);
    return ZF_OK;
}

zf_status zf_bench_step_mlp(zf_subject *s)
{
    zf_step_options options = options_of(ZF_GATE_MLP, ZF_TARGET_NEIGHBOURS, 50, 0);
    return make(s, &options, ROWS);
}

zf_status zf_bench_step_lstm(zf_subject *s)
{
    zf_step_options options = options_of(ZF_GATE_LSTM, ZF_TARGET_NEIGHBOURS, 50, 0);
    return make(s, &options, ROWS);
}

zf_status zf_bench_step_cnn(zf_subject *s)
{
    zf_step_options options = options_of(ZF_GATE_CNN, ZF_TARGET_GRID, 64, 8);
    return make(s, &options, ROWS);
}

/* Few rows of data, because they are made for the occasion; a step's cost does not
   depend on them. */
static zf_status wide(zf_subject *s, int variables)
{
    zf_step_options options = options_of(ZF_GATE_MLP, ZF_TARGET_NODE, variables, 0);
    return make(s, &options, FEW_ROWS);
}

zf_status zf_bench_step_50(zf_subject *s)
{
    return wide(s, 50);
}

zf_status zf_bench_step_200(zf_subject *s)
{
    return wide(s, 200);
}

zf_status zf_bench_step_1000(zf_subject *s)
{
    return wide(s, 1000);
}

zf_status zf_bench_step_5000(zf_subject *s)
{
    return wide(s, 5000);
}

zf_status zf_bench_step_10000(zf_subject *s)
{
    return wide(s, 10000);
}
