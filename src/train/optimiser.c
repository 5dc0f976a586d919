#include "train/optimiser.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "kernel/adamw.h"

/* Floats in a range: long enough to be worth a task, short enough that small
   networks keep a few processors busy and that a range stays in cache. */
enum { RANGE = 8192 };

typedef struct range {
    int parameter;
    size_t begin, count; /* in the slab */
    double squares;      /* of its gradient */
} range;

struct zf_optimiser {
    zf_params *params;
    zf_optimiser_options options;
    float *gradient, *first, *second;
    range *ranges;
    int n_ranges;
    uint64_t steps;
    double norm;
    /* of the step under way */
    const zf_program *program;
    zf_adamw_step constants[ZF_MOST_GROUPS];
};

zf_optimiser_options zf_optimiser_defaults(void)
{
    zf_optimiser_options options = {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8};
    for (int g = 0; g < ZF_MOST_GROUPS; g++) options.groups[g] = (zf_group){1.0, 0.01};
    return options;
}

static zf_status cut_ranges(zf_optimiser *optimiser)
{
    zf_params *params = optimiser->params;
    size_t most = zf_params_length(params) / RANGE + (size_t)zf_params_count(params) + 1;
    optimiser->ranges = calloc(most, sizeof *optimiser->ranges);
    if (!optimiser->ranges) return zf_fail_memory(most * sizeof *optimiser->ranges);
    for (int p = 0; p < zf_params_count(params); p++) {
        const zf_param *param = zf_params_at(params, p);
        if (!param->trainable) continue;
        if (param->group < 0 || param->group >= ZF_MOST_GROUPS)
            return zf_fail(ZF_EINVAL, "parameter \"%s\" is in group %d, expected 0 to %d",
                           param->name, param->group, ZF_MOST_GROUPS - 1);
        for (size_t done = 0; done < param->size; done += RANGE) {
            size_t left = param->size - done;
            optimiser->ranges[optimiser->n_ranges++] = (range){
                .parameter = p,
                .begin = param->offset + done,
                .count = left < RANGE ? left : RANGE,
            };
        }
    }
    return ZF_OK;
}

zf_status zf_optimiser_new(zf_optimiser **out, zf_params *params,
                           const zf_optimiser_options *options)
{
    zf_optimiser *optimiser = calloc(1, sizeof *optimiser);
    if (!optimiser) return zf_fail_memory(sizeof *optimiser);
    optimiser->params = params;
    optimiser->options = *options;
    size_t bytes = zf_params_length(params) * sizeof(float);
    optimiser->gradient = zf_slab_new(bytes);
    optimiser->first = zf_slab_new(bytes);
    optimiser->second = zf_slab_new(bytes);
    zf_status status = ZF_ENOMEM;
    if (optimiser->gradient && optimiser->first && optimiser->second)
        status = cut_ranges(optimiser);
    if (status != ZF_OK) {
        zf_optimiser_free(optimiser);
        return status;
    }
    *out = optimiser;
    return ZF_OK;
}

void zf_optimiser_free(zf_optimiser *optimiser)
{
    if (!optimiser) return;
    free(optimiser->gradient);
    free(optimiser->first);
    free(optimiser->second);
    free(optimiser->ranges);
    free(optimiser);
}

static void add_up_shards(void *context, int task, int worker)
{
    (void)worker;
    zf_optimiser *optimiser = context;
    range *r = &optimiser->ranges[task];
    int slots = zf_program_param_slots(optimiser->program, r->parameter);
    r->squares =
        slots ? zf_adamw()->sum_slots(optimiser->gradient, zf_program_slots(optimiser->program),
                                      slots, r->begin, r->count)
              : 0.0;
}

static void update(void *context, int task, int worker)
{
    (void)worker;
    zf_optimiser *optimiser = context;
    const range *r = &optimiser->ranges[task];
    if (zf_program_param_slots(optimiser->program, r->parameter) == 0) return;
    int group = zf_params_at(optimiser->params, r->parameter)->group;
    zf_adamw()->update(zf_params_values(optimiser->params) + r->begin, optimiser->first + r->begin,
                       optimiser->second + r->begin, optimiser->gradient + r->begin, r->count,
                       &optimiser->constants[group]);
}

zf_status zf_optimiser_step(zf_optimiser *optimiser, const zf_program *program, zf_crew *crew,
                            double rate)
{
    const zf_optimiser_options *options = &optimiser->options;
    optimiser->program = program;
    zf_crew_run(crew, optimiser->n_ranges, add_up_shards, optimiser);
    double squares = 0;
    for (int i = 0; i < optimiser->n_ranges; i++) squares += optimiser->ranges[i].squares;
    optimiser->norm = sqrt(squares);
    if (!isfinite(optimiser->norm)) return zf_fail(ZF_ENUMERIC, "the gradient is not finite");

    bool too_long = options->clip > 0 && optimiser->norm > options->clip;
    double scale = too_long ? options->clip / optimiser->norm : 1.0;
    optimiser->steps++;
    for (int g = 0; g < ZF_MOST_GROUPS; g++) {
        zf_adamw_options a = {
            .rate = rate * options->groups[g].rate_scale,
            .decay = options->groups[g].decay,
            .beta1 = options->beta1,
            .beta2 = options->beta2,
            .epsilon = options->epsilon,
        };
        optimiser->constants[g] = zf_adamw_step_at(&a, optimiser->steps, scale);
    }
    zf_crew_run(crew, optimiser->n_ranges, update, optimiser);
    return ZF_OK;
}

double zf_optimiser_norm(const zf_optimiser *optimiser)
{
    return optimiser->norm;
}

float *zf_optimiser_first_moment(zf_optimiser *optimiser)
{
    return optimiser->first;
}

float *zf_optimiser_second_moment(zf_optimiser *optimiser)
{
    return optimiser->second;
}

uint64_t zf_optimiser_steps(const zf_optimiser *optimiser)
{
    return optimiser->steps;
}

void zf_optimiser_set_steps(zf_optimiser *optimiser, uint64_t steps)
{
    optimiser->steps = steps;
}
