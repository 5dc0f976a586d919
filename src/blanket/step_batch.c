/* Filling the inputs of a step (step.h): each sample is a function of the seed,
   the step's number and its own row; then the distinct masks are found. */
#include <math.h>
#include <string.h>

#include "blanket/step.h"
#include "flow/pair.h"
#include "kernel/between.h"

typedef struct job {
    zf_blanket_step *s;
    uint64_t number;
} job;

/* --- samples -------------------------------------------------------------------- */

typedef struct times {
    float moving, middle, middle_weight;
} times;

static times draw_times(const zf_step_options *o, zf_pair_draws *draws)
{
    float t = zf_pair_time(draws, o->time);
    if (o->literal_width > 0)
        return (times){t, t, expf(-fabsf(t - 0.5f) / (float)o->literal_width)};
    return (times){t, zf_pair_time(draws, o->middle), 1.0f};
}

static void fill_targets(const zf_blanket_step *s, int row, const float *z, const float *other,
                         times t)
{
    int most = s->most_targets, n = s->counts[row];
    const int32_t *targets = zf_node_index(s->targets) + row * most;
    float *moving = zf_node_value(s->moving) + row * (most + 1);
    float *middle = zf_node_value(s->middle) + row * (most + 1);
    float *difference = zf_node_value(s->difference) + row * most;
    float *weight = zf_node_value(s->weight) + row * most;
    float *middle_weight = zf_node_value(s->middle_weight) + row * most;
    for (int k = 0; k < most; k++) {
        bool there = k < n;
        float from = there ? z[targets[k]] : 0.0f, to = there ? other[targets[k]] : 0.0f;
        moving[k] = zf_between(from, to, t.moving);
        middle[k] = zf_between(from, to, t.middle);
        difference[k] = to - from;
        weight[k] = there ? 1.0f : 0.0f;
        middle_weight[k] = there ? t.middle_weight : 0.0f;
    }
    moving[most] = t.moving;
    middle[most] = t.middle;
    if (!s->mirror) return;
    float *mirror = zf_node_value(s->mirror) + row * (most + 1);
    memcpy(mirror, middle, (size_t)most * sizeof *mirror);
    mirror[most] = 1.0f - t.middle;
}

/* Which inputs and outputs of the field each moment needs. */
static void fill_columns(const zf_blanket_step *s, int row)
{
    int most = s->most_targets;
    const int32_t *targets = zf_node_index(s->targets) + row * most;
    for (int moment = 0; moment < s->moments; moment++) {
        int place = row * s->moments + moment;
        int32_t *columns = zf_node_index(s->columns) + place * (most + 1);
        memcpy(columns, targets, (size_t)most * sizeof *columns);
        columns[most] = s->variables;
        memcpy(zf_node_index(s->all_targets) + place * most, targets,
               (size_t)most * sizeof *targets);
    }
}

/* The variables that are not targets, of both members of the pair. */
static void fill_rest(const zf_blanket_step *s, int row, const float *z, const float *other)
{
    size_t d = (size_t)s->variables;
    float *y = zf_node_value(s->y) + (size_t)row * d;
    float *other_y = zf_node_value(s->other_y) + (size_t)row * d;
    memcpy(y, z, d * sizeof *y);
    memcpy(other_y, other, d * sizeof *y);
    const int32_t *targets = zf_node_index(s->targets) + row * s->most_targets;
    for (int k = 0; k < s->counts[row]; k++) y[targets[k]] = other_y[targets[k]] = 0.0f;
}

bool zf_explores_at(uint64_t step, uint64_t steps)
{
    return (double)step < 0.6 * (double)steps;
}

/* Moves what is behind the gates that are tried open from other_y to tried. Goes from
   one to the next by their distance, of which there are few. */
static void explore(const zf_blanket_step *s, uint64_t number, int row)
{
    const zf_step_options *o = &s->options;
    size_t d = (size_t)s->variables;
    float *other_y = zf_node_value(s->other_y) + (size_t)row * d;
    float *tried = zf_node_value(s->tried) + (size_t)row * d;
    const int32_t *targets = zf_node_index(s->targets) + row * s->most_targets;
    memset(tried, 0, d * sizeof *tried);
    if (!zf_explores_at(number, o->steps)) return;
    zf_random random = zf_random_at(o->seed, ZF_FOR_EXPLORATION, number, (uint32_t)row);
    double shorter = 1 / log1p(-o->exploration); /* -inf^-1 = -0 where each is tried */
    for (double next = 0;; next++) {
        next += floor(log((double)zf_random_uniform(&random)) * shorter);
        if (!(next < (double)d)) return;
        size_t j = (size_t)next;
        if (o->constraints && zf_gate_rule_of(o->constraints, s->variables, targets, s->counts[row],
                                              (int)j) == ZF_GATE_CLOSED)
            continue;
        tried[j] = other_y[j];
        other_y[j] = 0.0f;
    }
}

double zf_pruning_at(uint64_t step, uint64_t steps)
{
    double done = (double)step / (double)steps;
    return fmax(0, 1 - fabs(4 * done - 2));
}

static void fill_sample(void *context, int row)
{
    const job *j = context;
    zf_blanket_step *s = j->s;
    uint64_t number = j->number;
    const zf_step_options *o = &s->options;
    int32_t *targets = zf_node_index(s->targets) + row * s->most_targets;
    zf_random choice = zf_random_at(o->seed, ZF_FOR_TARGET, number, (uint32_t)row);
    s->counts[row] = zf_targets_draw(&o->targets, &choice, targets);
    for (int k = s->counts[row]; k < s->most_targets; k++) targets[k] = -1;
    for (int k = 0; k < s->most_targets; k++)
        zf_node_value(s->ones)[row * s->most_targets + k] = 1.0f;
    if (s->pressure) zf_node_value(s->pressure)[row] = (float)zf_pruning_at(number, o->steps);
    zf_pair_draws draws = zf_pair_draws_at(o->seed, number, row);
    size_t n = (size_t)s->n, d = (size_t)s->variables;
    const float *z = s->rows + zf_pair_row(&draws, n) * d;
    const float *other = s->rows + zf_pair_row(&draws, n) * d;
    fill_targets(s, row, z, other, draw_times(o, &draws));
    fill_columns(s, row);
    fill_rest(s, row, z, other);
    if (s->tried) explore(s, number, row);
}

/* --- masks ---------------------------------------------------------------------- */

zf_gate_rule zf_gate_rule_of(const unsigned char *constraints, int variables,
                             const int32_t *targets, int n_targets, int j)
{
    bool forbidden = n_targets > 0;
    for (int k = 0; k < n_targets; k++) {
        unsigned char rule = constraints[(size_t)targets[k] * (size_t)variables + (size_t)j];
        if (rule == 2) return ZF_GATE_OPEN;
        forbidden &= rule == 1;
    }
    return forbidden ? ZF_GATE_CLOSED : ZF_GATE_LEARNT;
}

static void set_rules(const zf_blanket_step *s, int mask, const int32_t *targets, int n, bool open)
{
    size_t d = (size_t)s->variables;
    float *allow = zf_node_value(s->allow) + (size_t)mask * d;
    float *force = zf_node_value(s->force) + (size_t)mask * d;
    for (int j = 0; j < s->variables; j++) {
        zf_gate_rule rule = ZF_GATE_LEARNT;
        if (s->options.constraints)
            rule = zf_gate_rule_of(s->options.constraints, s->variables, targets, n, j);
        if (open && rule == ZF_GATE_LEARNT) rule = ZF_GATE_OPEN;
        allow[j] = rule == ZF_GATE_LEARNT ? 1.0f : 0.0f;
        force[j] = rule == ZF_GATE_OPEN ? 1.0f : 0.0f;
    }
}

static uint32_t hash_of(const int32_t *targets, int n)
{
    uint32_t hash = 2166136261u;
    for (int k = 0; k < n; k++) hash = (hash ^ (uint32_t)targets[k]) * 16777619u;
    return hash ^ hash >> 15;
}

/* Numbers the distinct masks in the order of their first sample. */
static int number_masks(zf_blanket_step *s, bool open)
{
    int most = s->most_targets, found = 0;
    const int32_t *targets = zf_node_index(s->targets);
    int32_t *mask_of = zf_node_index(s->mask_of);
    memset(s->buckets, 0xff, (size_t)s->n_buckets * sizeof *s->buckets);
    for (int row = 0; row < s->options.batch; row++) {
        const int32_t *mine = targets + row * most;
        size_t bytes = (size_t)most * sizeof *mine;
        uint32_t place = hash_of(mine, s->counts[row]) & (uint32_t)(s->n_buckets - 1);
        while (s->buckets[place] >= 0 && memcmp(targets + s->buckets[place] * most, mine, bytes))
            place = (place + 1) & (uint32_t)(s->n_buckets - 1);
        if (s->buckets[place] < 0) {
            s->buckets[place] = row;
            mask_of[row] = found;
            zf_gates_set_mask(&s->gates, found, mine, s->counts[row]);
            if (s->allow) set_rules(s, found, mine, s->counts[row], open);
            found++;
        } else {
            mask_of[row] = mask_of[s->buckets[place]];
        }
    }
    return found;
}

void zf_step_prepare(void *step, uint64_t number, zf_crew *crew)
{
    zf_blanket_step *s = step;
    job j = {s, number};
    zf_crew_run_rows(crew, ZF_LIGHT_ROWS, s->options.batch, fill_sample, &j);
    int masks = number_masks(s, number < s->options.open_steps);
    zf_status status = zf_domain_set_rows(s->masks, masks);
    (void)status; /* 1 .. batch by construction */
}
