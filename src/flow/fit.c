/* Training a rectified flow.

   Each row of a batch is a pair drawn anew, a time and the point between: independent
   coupling is nothing but that. One step serves both kinds of flow: of the first member
   x and y are used, of the second x' and f', and between two samples there are no f and
   y and the members come from different rows. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/moments.h"
#include "flow/model.h"
#include "flow/pair.h"
#include "kernel/between.h"
#include "op/ops.h"
#include "train/fit.h"
#include "train/limits.h"

void zf_flow_options_init(zf_flow_options *options, size_t size)
{
    const zf_flow_options all = {
        .hidden = 256,
        .layers = 2,
        .iterations = 2500,
        .batch = 512,
        .rate = 1e-3,
        .decay = 0.01,
    };
    zf_give(options, size, &all, sizeof all);
}

/* What training holds besides the flow. */
typedef struct fitting {
    zf_flow_options options;
    zf_flow *flow;
    zf_flow_sample first, second, f, y; /* first and second are x of the two members */
    float *first_x, *second_x, *own_f, *own_y;
    zf_program *program;
    zf_node *input, *difference;
} fitting;

/* --- checks --------------------------------------------------------------------------- */

static zf_status check_options(const zf_flow_options *o)
{
    ZF_TRY(zf_training_check(&(zf_training_numbers){
        .iterations = o->iterations, .batch = o->batch, .hidden = o->hidden, .rate = o->rate}));
    if (o->layers < 1 || o->layers > ZF_FLOW_LAYERS)
        return zf_fail(ZF_EINVAL, "layers: expected 1 to %d, found %d", ZF_FLOW_LAYERS, o->layers);
    if (!(o->decay >= 0) || !isfinite(o->decay))
        return zf_fail(ZF_EINVAL, "decay: expected 0 or more, found %g", o->decay);
    return ZF_OK;
}

static zf_status check_sample(zf_flow_sample sample, const char *name)
{
    if (sample.rows < 2)
        return zf_fail(ZF_EINPUT, "%s: %zu %s, expected at least 2", name, sample.rows,
                       sample.rows == 1 ? "row" : "rows");
    if (sample.rows > INT32_MAX || sample.columns > ZF_FLOW_WIDTH)
        return zf_fail(ZF_EINPUT, "%s: %zu rows of %zu columns are too many", name, sample.rows,
                       sample.columns);
    for (size_t i = 0; i < sample.rows * sample.columns; i++)
        if (!(fabs(sample.values[i]) <= ZF_VALUE_MOST))
            return zf_fail(ZF_EINPUT, "%s, row %zu, column %zu: expected a finite number up to %g",
                           name, i / sample.columns + 1, i % sample.columns + 1, ZF_VALUE_MOST);
    return ZF_OK;
}

/* --- scales --------------------------------------------------------------------------- */

/* Mean and deviation of a column over two samples that weigh the same. */
static zf_status measure(fitting *f, size_t place, zf_flow_sample a, zf_flow_sample b,
                         size_t column, const char *name)
{
    zf_moments first = zf_moments_of(a.values + column, a.rows, a.columns);
    zf_moments second = zf_moments_of(b.values + column, b.rows, b.columns);
    double apart = 0.5 * (first.mean - second.mean);
    double within = hypot(first.deviation, second.deviation) * sqrt(0.5);
    double spread = hypot(within, apart);
    if (!(spread > 0))
        return zf_fail(ZF_EINPUT, "%s, column %zu: is constant; leave it out", name, column + 1);
    f->flow->centre[place] = second.mean + apart;
    f->flow->spread[place] = spread;
    return ZF_OK;
}

static zf_status measure_all(fitting *f, const char *name)
{
    size_t d = f->first.columns, l = f->f.columns;
    for (size_t j = 0; j < d; j++) ZF_TRY(measure(f, j, f->first, f->second, j, name));
    for (size_t j = 0; j < l; j++) ZF_TRY(measure(f, d + j, f->f, f->f, j, "f"));
    for (size_t j = 0; j < f->y.columns; j++) ZF_TRY(measure(f, d + l + j, f->y, f->y, j, "y"));
    ZF_TRY(zf_flow_standardised(&f->first_x, f->flow, f->first.values, f->first.rows, d, 0));
    ZF_TRY(zf_flow_standardised(&f->second_x, f->flow, f->second.values, f->second.rows, d, 0));
    ZF_TRY(zf_flow_standardised(&f->own_f, f->flow, f->f.values, f->f.rows, l, d));
    return zf_flow_standardised(&f->own_y, f->flow, f->y.values, f->y.rows, f->y.columns, d + l);
}

/* --- the run -------------------------------------------------------------------------- */

typedef struct job {
    fitting *f;
    uint64_t step;
} job;

/* Row of the batch: a function of the seed, the step and the row alone. */
static void fill_pair(void *context, int row)
{
    const job *j = context;
    const fitting *f = j->f;
    const zf_flow_shape *s = &f->flow->shape;
    size_t d = (size_t)s->x;
    zf_pair_draws draws = zf_pair_draws_at(f->options.seed, j->step, row);
    size_t i = zf_pair_row(&draws, f->first.rows), k = zf_pair_row(&draws, f->second.rows);
    float t = zf_pair_time(&draws, (zf_time){ZF_TIME_UNIFORM, 0});
    const float *from = f->first_x + i * d, *to = f->second_x + k * d;
    float *difference = zf_node_value(f->difference) + (size_t)row * d;
    float *input = zf_node_value(f->input) + row * zf_flow_input_width(s);
    float *x = input; /* the input begins with x */
    zf_between_few(x, from, to, t, d);
    zf_way(difference, from, to, d);
    zf_flow_fill(s, input, t, x, s->f ? f->own_f + k * (size_t)s->f : NULL,
                 s->y ? f->own_y + i * (size_t)s->y : NULL);
}

static void prepare(void *context, uint64_t step, zf_crew *crew)
{
    job j = {context, step};
    zf_crew_run_rows(crew, ZF_LIGHT_ROWS, j.f->options.batch, fill_pair, &j);
}

static zf_status build(void *context, zf_fitting *common)
{
    fitting *f = context;
    const zf_flow_options *o = &f->options;
    const zf_flow_shape *s = &f->flow->shape;
    ZF_TRY(zf_program_new(&f->program, f->flow->params));
    zf_domain *pairs = zf_program_domain(f->program, "pairs", o->batch, 0);
    f->input = zf_input(f->program, pairs, ZF_F32, zf_shape_of(zf_flow_input_width(s)));
    f->difference = zf_input(f->program, pairs, ZF_F32, zf_shape_of(s->x));
    zf_node *loss = zf_squared_error(zf_flow_network(f->input, s), f->difference, NULL, ZF_MEAN);
    ZF_TRY(zf_program_plan(f->program, loss, NULL, 0, zf_crew_size(common->crew)));
    common->optimiser.groups[0].decay = o->decay;
    common->training = (zf_training){
        .program = f->program,
        .schedule = zf_schedule_to_rest(o->rate, o->iterations),
        .steps = o->iterations,
        .prepare = prepare,
        .context = f,
        .rows = o->batch,
        .watches = {{"loss", loss}},
        .n_watches = ZF_FLOW_MEASURES,
        .report = o->report,
    };
    snprintf(f->flow->options, sizeof f->flow->options,
             "iterations=%" PRIu64 " batch=%d rate=%g decay=%g rows=%zu,%zu", o->iterations,
             o->batch, o->rate, o->decay, f->first.rows, f->second.rows);
    return ZF_OK;
}

static zf_status run(fitting *f, zf_fitting *common, const char *name)
{
    const zf_flow_options *o = &f->options;
    zf_flow_shape shape = {(int)f->first.columns, (int)f->f.columns, (int)f->y.columns, o->hidden,
                           o->layers};
    ZF_TRY(zf_flow_new(&f->flow, &shape, o->seed, NULL));
    ZF_TRY(measure_all(f, name));
    return zf_fitting_run(common, o->threads, build, f);
}

/* Checked samples to a flow; name is what messages call the columns of x. */
static zf_status fit(zf_flow **out, zf_flow_summary *summary, size_t size, fitting *f,
                     const char *name)
{
    zf_fitting common = {0};
    zf_status status = run(f, &common, name);
    if (status == ZF_OK || status == ZF_EINTERRUPT) {
        const zf_trained *trained = &common.trained;
        f->flow->history = trained->history;
        const zf_flow_summary found = {trained->steps, trained->seconds,
                                       zf_history_latest(&trained->history, 0)};
        if (summary) zf_give_plain(summary, size, &found, sizeof found);
        *out = f->flow;
        f->flow = NULL;
    }
    zf_fitting_free(&common);
    zf_program_free(f->program);
    zf_flow_free(f->flow);
    free(f->first_x);
    free(f->second_x);
    free(f->own_f);
    free(f->own_y);
    return status;
}

zf_status zf_flow_fit_sized(zf_flow **out, zf_flow_summary *summary, size_t size,
                            zf_flow_sample from, zf_flow_sample to, const zf_flow_options *given)
{
    zf_flow_options known = zf_flow_defaults();
    const zf_flow_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "flow"));
    ZF_TRY(check_options(options));
    if (from.columns != to.columns)
        return zf_fail(ZF_EINPUT,
                       "the samples have %zu and %zu columns, expected the same number of both",
                       from.columns, to.columns);
    if (from.columns == 0) return zf_fail(ZF_EINPUT, "the samples have no columns");
    ZF_TRY(check_sample(from, "first sample"));
    ZF_TRY(check_sample(to, "second sample"));
    fitting f = {.options = *options, .first = from, .second = to};
    return fit(out, summary, size, &f, "both samples");
}

zf_status zf_flow_fit_given_sized(zf_flow **out, zf_flow_summary *summary, size_t size,
                                  zf_flow_sample x, zf_flow_sample f, zf_flow_sample y,
                                  const zf_flow_options *asked)
{
    zf_flow_options known = zf_flow_defaults();
    const zf_flow_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, asked, "flow"));
    const zf_flow_sample given[] = {f, y};
    const char *const names[] = {"f", "y"};
    ZF_TRY(check_options(options));
    if (x.columns == 0) return zf_fail(ZF_EINPUT, "x has no columns");
    ZF_TRY(check_sample(x, "x"));
    for (int i = 0; i < 2; i++) {
        if (given[i].columns == 0) continue;
        if (given[i].rows != x.rows)
            return zf_fail(ZF_EINPUT, "%s has %zu rows and x has %zu, expected the same number",
                           names[i], given[i].rows, x.rows);
        ZF_TRY(check_sample(given[i], names[i]));
    }
    fitting state = {.options = *options, .first = x, .second = x, .f = f, .y = y};
    return fit(out, summary, size, &state, "x");
}
