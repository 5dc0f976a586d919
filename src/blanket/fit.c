/* Training a blanket model. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "blanket/file.h"
#include "blanket/model.h"
#include "blanket/step.h"
#include "data/margins.h"
#include "data/values.h"
#include "train/limits.h"
#include "train/loop.h"

zf_fit_options zf_fit_defaults(void)
{
    return (zf_fit_options){
        .gate = ZF_GATE_MLP,
        .targets = ZF_TARGET_NODE,
        .size = 5,
        .probability = 0.1,
        .margins = ZF_MARGINS_AUTO,
        .iterations = 5000,
        .batch = 400,
        .rate = 2e-3,
        .decay = -1,
        .zero_weight = 0.1,
        .zero_width = 5e-4,
        .sparsity = -1,
        .pruning = -1,
        .exploration = -1,
        .hidden = 256,
        .every = 500,
    };
}

/* The optimiser's groups. */
enum { GATES, FIELD, PAIRS };

/* The rate of pairs in units of the field's. Each is on its own, so its steps do not
   disturb another, and the network beside them may go slowly. */
static const double PAIRS_RATE = 3;

/* What training holds besides the model. */
typedef struct fitting {
    zf_fit_options options; /* resolved */
    zf_blanket *model;
    float *rows; /* after the margins */
    size_t n;
    zf_crew *crew;
    zf_step_graph step;
    zf_optimiser *optimiser;
} fitting;

/* --- checks ------------------------------------------------------------------------ */

static int side_of(size_t features)
{
    int side = (int)lround(sqrt((double)features));
    return (size_t)side * (size_t)side == features ? side : 0;
}

static zf_status check_options(const zf_fit_options *o, size_t columns)
{
    ZF_TRY(zf_training_check(&(zf_training_numbers){.iterations = o->iterations,
                                                    .batch = o->batch,
                                                    .hidden = o->hidden,
                                                    .rate = o->rate,
                                                    .zero_weight = o->zero_weight}));
    if (!isfinite(o->sparsity) || !isfinite(o->pruning))
        return zf_fail(ZF_EINVAL, "sparsity and pruning: expected numbers, found %g and %g",
                       o->sparsity, o->pruning);
    if (!(o->exploration <= 1))
        return zf_fail(ZF_EINVAL, "exploration: expected a probability, found %g", o->exploration);
    if (!(o->gate_rate >= 0) || !isfinite(o->gate_rate) || !isfinite(o->decay))
        return zf_fail(ZF_EINVAL,
                       "rate of the gates and decay: expected finite numbers, the rate 0 or more, "
                       "found %g and %g",
                       o->gate_rate, o->decay);
    if (o->criterion == ZF_CRITERION_ANTISYMMETRY && o->zero_time != ZF_ZERO_MIDPOINT)
        return zf_fail(ZF_EINVAL, "criterion antisymmetry: looks at all times; times of the "
                                  "zero-flow term belong to criterion midpoint");
    if (o->zero_time != ZF_ZERO_MIDPOINT && !(o->zero_width > 0 && o->zero_width <= 1))
        return zf_fail(ZF_EINVAL, "width of omega: expected above 0 and at most 1, found %g",
                       o->zero_width);
    if (o->pairs == ZF_PAIRS_ON && o->gate != ZF_GATE_MLP)
        return zf_fail(ZF_EINVAL, "pairs: belong to gate mlp, found gate %s",
                       zf_gate_kind_name(o->gate));
    if (o->gate == ZF_GATE_CNN && !side_of(columns))
        return zf_fail(ZF_EINVAL, "gate cnn: %zu features are not a square grid; use mlp or lstm",
                       columns);
    if (o->gate == ZF_GATE_FREE && (o->targets != ZF_TARGET_SETS || o->sets.count != 1))
        return zf_fail(ZF_EINVAL, "gate free: has one vector of gates, expected one target set");
    return ZF_OK;
}

static zf_status make_constraints(zf_blanket *model, const zf_fit_options *o)
{
    int d = zf_blanket_features(model);
    if (o->n_constraints == 0) return ZF_OK;
    model->constraints = calloc((size_t)d * (size_t)d, 1);
    if (!model->constraints) return zf_fail_memory((size_t)d * (size_t)d);
    for (int i = 0; i < o->n_constraints; i++) {
        const zf_constraint *c = &o->constraints[i];
        if (c->target < 0 || c->target >= d || c->feature < 0 || c->feature >= d ||
            c->target == c->feature)
            return zf_fail(ZF_EINVAL, "constraint %d: expected two different features", i + 1);
        unsigned char *rule =
            &model->constraints[(size_t)c->target * (size_t)d + (size_t)c->feature];
        unsigned char wanted = c->required ? 2 : 1;
        if (*rule && *rule != wanted)
            return zf_fail(ZF_EINVAL,
                           "\"%s\" in the blanket of \"%s\" is both forbidden and required",
                           model->names[c->feature], model->names[c->target]);
        *rule = wanted;
    }
    return ZF_OK;
}

/* --- what is left to the library ----------------------------------------------------- */

static bool ordered(zf_target_law law)
{
    return law == ZF_TARGET_NEIGHBOURS || law == ZF_TARGET_GRID || law == ZF_TARGET_WINDOW;
}

/* Where sizes tell, the field finds late what the pressure would have closed. A pair
   is met the more often the fewer features there are, and bears the more. A grid
   shares its gates, which bear most; in a short run they have no time to recover. */
static double pruning_for(const zf_fit_options *o, size_t columns, bool sizes_tell)
{
    double d = (double)columns;
    if (o->gate == ZF_GATE_CNN) return 0.12 * fmin(1, (double)o->iterations / 1000);
    if (o->gate != ZF_GATE_MLP || sizes_tell) return 0;
    return o->pairs == ZF_PAIRS_ON ? fmin(0.03, 12.5 / (d * d)) : 0.01;
}

zf_status zf_fit_resolve(zf_fit_options *o, const double *values, size_t rows, size_t columns)
{
    zf_dependence found;
    ZF_TRY(check_options(o, columns));
    ZF_TRY(zf_dependence_measure(&found, values, rows, columns));
    bool sizes_tell = found.sizes > found.chance;
    if (o->margins == ZF_MARGINS_AUTO)
        o->margins = sizes_tell && found.sizes > found.order ? ZF_MARGINS_STANDARD
                                                             : ZF_MARGINS_NORMAL_SCORES;
    if (o->pairs == ZF_PAIRS_AUTO) {
        bool alone = o->gate == ZF_GATE_MLP && !ordered(o->targets) && columns <= ZF_PAIRS_FEATURES;
        o->pairs = alone && !sizes_tell ? ZF_PAIRS_ON : ZF_PAIRS_OFF;
    }
    if (o->gate_rate == 0) o->gate_rate = o->pairs == ZF_PAIRS_ON ? 0.3 : 1;
    if (o->pruning < 0) o->pruning = pruning_for(o, columns, sizes_tell);
    if (o->exploration < 0) {
        bool explored = o->gate == ZF_GATE_MLP && columns >= ZF_EXPLORED_FEATURES && !sizes_tell;
        o->exploration = explored ? 0.05 : 0;
    }
    /* The optimiser makes much of the slightest pressure while the field knows nothing:
       a CNN's gates that close then are all alike, and leave pruning no choice. */
    if (o->sparsity < 0) o->sparsity = o->gate == ZF_GATE_CNN ? 0 : 1e-9;
    if (o->decay < 0) o->decay = fmin(ZF_FIELD_DECAY / (double)rows, ZF_FIELD_DECAY_MOST);
    return ZF_OK;
}

/* --- the run ------------------------------------------------------------------------ */

static zf_target_options target_options(const zf_fit_options *o, const zf_gate_options *gate)
{
    return (zf_target_options){
        .law = o->targets,
        .features = gate->features,
        .size = o->size,
        .side = gate->side,
        .probability = o->probability,
        .sets = o->sets,
    };
}

static zf_status start(fitting *f, const double *values, size_t rows, const char *const *names,
                       size_t columns)
{
    const zf_fit_options *o = &f->options;
    ZF_TRY(zf_values_check(values, rows, names, columns));
    ZF_TRY(zf_fit_resolve(&f->options, values, rows, columns));
    zf_margins margins = {0};
    ZF_TRY(zf_margins_fit(&margins, o->margins, values, rows, columns));
    zf_blanket_shape shape = {
        .gate = {.kind = o->gate,
                 .features = (int)columns,
                 .side = side_of(columns),
                 .pairs = o->pairs == ZF_PAIRS_ON},
        .hidden = o->hidden,
        .margins = o->margins,
        .knots = (int)margins.knots,
        .constrained = o->n_constraints > 0,
    };
    zf_target_options targets = target_options(o, &shape.gate);
    zf_status status = zf_targets_check(&targets);
    if (status == ZF_OK) {
        shape.gate.most_targets = zf_targets_most(&targets);
        status = zf_blanket_new(&f->model, &shape, o->seed, names);
    }
    if (status != ZF_OK) {
        zf_margins_free(&margins);
        return status;
    }
    f->model->margins = margins;
    f->model->inputs = zf_fit_fingerprint(values, rows, columns, o);
    if (o->gate == ZF_GATE_FREE)
        ZF_TRY(zf_blanket_fix_targets(f->model, o->sets.items, o->sets.first[1]));
    f->n = rows;
    f->rows = zf_slab_new(rows * columns * sizeof *f->rows);
    if (!f->rows) return ZF_ENOMEM;
    zf_margins_apply(&f->model->margins, f->rows, values, rows);
    if (o->margins == ZF_MARGINS_STANDARD)
        ZF_TRY(zf_values_tell_lost(values, f->rows, rows, names, columns, &o->report));
    return make_constraints(f->model, o);
}

static zf_time zero_time(const zf_fit_options *o)
{
    if (o->criterion == ZF_CRITERION_ANTISYMMETRY) return (zf_time){ZF_TIME_UNIFORM, 0};
    return (zf_time){o->zero_time == ZF_ZERO_OMEGA ? ZF_TIME_LAPLACE : ZF_TIME_MIDDLE,
                     o->zero_width};
}

static zf_status build(fitting *f)
{
    const zf_fit_options *o = &f->options;
    ZF_TRY(zf_crew_new(&f->crew, o->threads));
    zf_step_options step = {
        .seed = o->seed,
        .batch = o->batch,
        .hidden = o->hidden,
        .gate = o->gate,
        .targets = target_options(o, &f->model->shape.gate),
        .pairs = o->pairs == ZF_PAIRS_ON,
        .time = {ZF_TIME_UNIFORM, 0},
        .middle = zero_time(o),
        .antisymmetry = o->criterion == ZF_CRITERION_ANTISYMMETRY,
        .literal_width = o->zero_time == ZF_ZERO_LITERAL ? o->zero_width : 0,
        .zero_weight = o->zero_weight,
        .sparsity = o->sparsity,
        .pruning = o->pruning,
        .exploration = o->exploration,
        .steps = o->iterations,
        .open_steps = o->open_gates,
        .constraints = f->model->constraints,
    };
    /* The query graph first: it declares every parameter, and the set is fixed by the
       first plan. */
    ZF_TRY(zf_blanket_prepare(f->model, NULL));
    ZF_TRY(zf_step_graph_new(&f->step, f->model->params, f->rows, (int)f->n, &step,
                             zf_crew_size(f->crew)));
    zf_blanket_store_buffers(f->model);
    zf_optimiser_options optimiser = zf_optimiser_defaults();
    optimiser.groups[FIELD].decay = o->decay;
    optimiser.groups[GATES].rate_scale = o->gate_rate;
    optimiser.groups[PAIRS].rate_scale = PAIRS_RATE;
    zf_params_set_group(f->model->params, "field.", FIELD);
    zf_params_set_group(f->model->params, "gate.pairs", PAIRS);
    return zf_optimiser_new(&f->optimiser, f->model->params, &optimiser);
}

static zf_status describe_options(fitting *f)
{
    const zf_fit_options *o = &f->options;
    static const char *const criteria[] = {"midpoint", "antisymmetry"};
    static const char *const zero_times[] = {"midpoint", "omega", "literal"};
    char text[768];
    snprintf(text, sizeof text,
             "gate=%s targets=%d size=%d probability=%g margins=%s iterations=%" PRIu64
             " batch=%d rate=%g gate-rate=%g decay=%g zero-weight=%g criterion=%s zero-time=%s:%g"
             " sparsity=%g pruning=%g exploration=%g open-gates=%" PRIu64
             " pairs=%d hidden=%d constraints=%d rows=%zu",
             zf_gate_kind_name(o->gate), (int)o->targets, o->size, o->probability,
             zf_margins_name(o->margins), o->iterations, o->batch, o->rate, o->gate_rate, o->decay,
             o->zero_weight, criteria[o->criterion], zero_times[o->zero_time], o->zero_width,
             o->sparsity, o->pruning, o->exploration, o->open_gates, o->pairs == ZF_PAIRS_ON,
             o->hidden, o->n_constraints, f->n);
    f->model->options_text = zf_arena_string(&f->model->arena, text);
    return f->model->options_text ? ZF_OK : ZF_ENOMEM;
}

static zf_status train(fitting *f, zf_trained *trained)
{
    const zf_fit_options *o = &f->options;
    zf_description description = {0};
    ZF_TRY(describe_options(f));
    ZF_TRY(zf_blanket_describe(&description, f->model));
    zf_training training = {
        .graph = f->step.graph,
        .crew = f->crew,
        .optimiser = f->optimiser,
        .schedule = {.rate = o->rate, .decline = ZF_COSINE, .steps = o->iterations, .floor = 0.01},
        .steps = o->iterations,
        .prepare = zf_step_prepare,
        .context = &f->step,
        .rows = o->batch,
        .watches = {{"loss", f->step.loss},
                    {"rectified", f->step.objective.rectified},
                    {"zero", f->step.objective.zero},
                    {"mean_gate", f->step.mean_gate}},
        .n_watches = ZF_BLANKET_MEASURES,
        .checkpoint = o->checkpoint,
        .every = o->every,
        .resume = o->resume,
        .description = description,
        .report = o->report,
    };
    return zf_train(trained, &training);
}

static zf_fit_summary summarise(const zf_trained *trained, const zf_fit_options *resolved)
{
    return (zf_fit_summary){
        .options = *resolved,
        .iterations = trained->steps,
        .resumed_from = trained->resumed_from,
        .saved = trained->saved,
        .seconds = trained->seconds,
        .loss = zf_history_latest(&trained->history, 0),
        .rectified = zf_history_latest(&trained->history, 1),
        .zero = zf_history_latest(&trained->history, 2),
        .mean_gate = zf_history_latest(&trained->history, 3),
    };
}

zf_status zf_blanket_fit(zf_blanket **out, zf_fit_summary *summary, const double *values,
                         size_t rows, const char *const *names, size_t columns,
                         const zf_fit_options *options)
{
    fitting f = {.options = *options};
    zf_trained trained = {0};
    zf_status status = start(&f, values, rows, names, columns);
    if (status == ZF_OK) status = build(&f);
    if (status == ZF_OK) status = train(&f, &trained);
    if (status == ZF_OK || status == ZF_EINTERRUPT) {
        f.model->history = trained.history;
        if (summary) *summary = summarise(&trained, &f.options);
        *out = f.model;
        f.model = NULL;
    }
    zf_optimiser_free(f.optimiser);
    zf_step_graph_free(&f.step);
    zf_crew_free(f.crew);
    zf_blanket_free(f.model);
    free(f.rows);
    return status;
}
