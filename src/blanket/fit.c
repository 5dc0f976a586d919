/* Training a blanket model. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "blanket/file.h"
#include "blanket/held_out.h"
#include "blanket/model.h"
#include "blanket/options.h"
#include "blanket/step.h"
#include "data/marginals.h"
#include "data/values.h"
#include "train/fit.h"

/* The optimiser's groups. */
enum { GATES, FIELD, PAIRS };

/* The rate of pairs in units of the field's. Each is on its own, so its steps do not
   disturb another, and the network beside them may go slowly. */
static const double PAIRS_RATE = 3;

/* What training holds besides the model. */
typedef struct fitting {
    zf_fit_options options; /* resolved */
    zf_blanket *model;
    float *rows;        /* after the marginals */
    size_t n, held_out; /* rows to train on; those behind them to measure on */
    zf_guess *guess;    /* for measuring there */
    zf_dependence dependence;
    zf_blanket_step step;
} fitting;

static zf_status make_constraints(zf_blanket *model, const zf_fit_options *o)
{
    int d = zf_blanket_variables(model);
    if (o->n_constraints == 0) return ZF_OK;
    model->constraints = calloc((size_t)d * (size_t)d, 1);
    if (!model->constraints) return zf_fail_memory((size_t)d * (size_t)d);
    for (int i = 0; i < o->n_constraints; i++) {
        const zf_constraint *c = &o->constraints[i];
        if (c->target < 0 || c->target >= d || c->variable < 0 || c->variable >= d ||
            c->target == c->variable)
            return zf_fail(ZF_EINVAL, "constraint %d: expected two different variables", i + 1);
        unsigned char *rule =
            &model->constraints[(size_t)c->target * (size_t)d + (size_t)c->variable];
        unsigned char wanted = c->required ? 2 : 1;
        if (*rule && *rule != wanted)
            return zf_fail(ZF_EINVAL,
                           "\"%s\" in the blanket of \"%s\" is both forbidden and required",
                           model->names[c->variable], model->names[c->target]);
        *rule = wanted;
    }
    return ZF_OK;
}

/* --- the run ------------------------------------------------------------------------ */

static zf_target_options target_options(const zf_fit_options *o, const zf_gate_options *gate)
{
    return (zf_target_options){
        .law = o->targets,
        .variables = gate->variables,
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
    ZF_TRY(zf_options_resolve(&f->options, &f->dependence, values, rows, columns));
    zf_marginals marginals = {0};
    ZF_TRY(zf_marginals_fit(&marginals, o->marginals, values, rows, columns));
    zf_blanket_shape shape = {
        .gate = {.kind = o->gate,
                 .variables = (int)columns,
                 .side = zf_grid_side(columns),
                 .pairs = o->pairs == ZF_PAIRS_ON},
        .hidden = o->hidden,
        .marginals = o->marginals,
        .knots = (int)marginals.knots,
        .constrained = o->n_constraints > 0,
    };
    zf_target_options targets = target_options(o, &shape.gate);
    zf_status status = zf_targets_check(&targets);
    if (status == ZF_OK) {
        shape.gate.most_targets = zf_targets_most(&targets);
        status = zf_blanket_new(&f->model, &shape, o->seed, names);
    }
    if (status != ZF_OK) {
        zf_marginals_free(&marginals);
        return status;
    }
    f->model->marginals = marginals;
    f->model->inputs = zf_fit_fingerprint(values, rows, columns, o);
    if (zf_gate_about_of(o->gate)->one_set)
        ZF_TRY(zf_blanket_fix_targets(f->model, o->sets.items, o->sets.first[1]));
    f->held_out = zf_held_out_rows(rows, o->held_out);
    f->rows = zf_slab_new(rows * columns * sizeof *f->rows);
    if (!f->rows) return ZF_ENOMEM;
    zf_marginals_apply(&f->model->marginals, f->rows, values, rows);
    if (o->marginals == ZF_MARGINALS_STANDARD)
        ZF_TRY(zf_values_tell_lost(values, f->rows, rows, names, columns, &o->report));
    if (f->held_out > 0)
        ZF_TRY(zf_held_out_split(f->rows, rows, columns, &f->held_out, o->seed,
                                 (zf_together){o->groups, o->block}));
    if (f->held_out > 0) ZF_TRY(zf_guess_new(&f->guess, columns));
    f->n = rows - f->held_out;
    return make_constraints(f->model, o);
}

static zf_time zero_time(const zf_fit_options *o)
{
    if (o->criterion == ZF_CRITERION_ANTISYMMETRY) return (zf_time){ZF_TIME_UNIFORM, 0};
    return (zf_time){o->zero_time == ZF_ZERO_OMEGA ? ZF_TIME_LAPLACE : ZF_TIME_MIDDLE,
                     o->zero_width};
}

static zf_step_options step_options(const fitting *f)
{
    const zf_fit_options *o = &f->options;
    return (zf_step_options){
        .seed = o->seed,
        .batch = o->batch,
        .hidden = o->hidden,
        .gate = o->gate,
        .targets = target_options(o, &f->model->shape.gate),
        .pairs = o->pairs == ZF_PAIRS_ON,
        .time = {ZF_TIME_EARLY, o->last_time},
        .middle = zero_time(o),
        .antisymmetry = o->criterion == ZF_CRITERION_ANTISYMMETRY,
        .literal_width = o->zero_time == ZF_ZERO_LITERAL ? o->zero_width : 0,
        .zero_weight = o->zero_weight,
        .sparsity = o->sparsity,
        .pruning = o->pruning,
        .exploration = o->exploration,
        .steps = o->iterations,
        .open_steps = (uint64_t)o->open_gates,
        .constraints = f->model->constraints,
    };
}

static zf_status describe_options(fitting *f)
{
    const zf_fit_options *o = &f->options;
    static const char *const targets[] = {"node",   "neighbours", "grid",
                                          "window", "bernoulli",  "sets"};
    static const char *const criteria[] = {"midpoint", "antisymmetry"};
    static const char *const zero_times[] = {"midpoint", "omega", "literal"};
    char text[768];
    snprintf(text, sizeof text,
             "gate=%s targets=%s size=%d probability=%g margins=%s iterations=%" PRIu64
             " batch=%d rate=%g gate-rate=%g decay=%g zero-weight=%g criterion=%s zero-time=%s:%g"
             " sparsity=%g pruning=%g exploration=%g open-gates=%" PRId64
             " pairs=%d hidden=%d last-time=%g constraints=%d rows=%zu held-out=%zu",
             zf_gate_about_of(o->gate)->name, targets[o->targets], o->size, o->probability,
             zf_marginals_name(o->marginals), o->iterations, o->batch, o->rate, o->gate_rate,
             o->decay, o->zero_weight, criteria[o->criterion], zero_times[o->zero_time],
             o->zero_width, o->sparsity, o->pruning, o->exploration, o->open_gates,
             o->pairs == ZF_PAIRS_ON, o->hidden, o->last_time, o->n_constraints, f->n, f->held_out);
    f->model->training = (zf_blanket_training){f->n, f->held_out, o->iterations};
    f->model->options_text = zf_arena_string(&f->model->arena, text);
    return f->model->options_text ? ZF_OK : ZF_ENOMEM;
}

static zf_status build(void *context, zf_fitting *common)
{
    fitting *f = context;
    const zf_fit_options *o = &f->options;
    zf_step_options step = step_options(f);
    zf_description description = {0};
    /* The query program first: it declares every parameter, and the set is fixed by the
       first plan. */
    ZF_TRY(zf_blanket_prepare(f->model, NULL));
    ZF_TRY(zf_blanket_step_new(&f->step, f->model->params, f->rows, (int)f->n, &step,
                               zf_crew_size(common->crew)));
    zf_blanket_store_buffers(f->model);
    ZF_TRY(describe_options(f));
    ZF_TRY(zf_blanket_describe(&description, &f->model->arena, f->model));
    common->optimiser.groups[FIELD].decay = o->decay;
    common->optimiser.groups[GATES].rate_scale = o->gate_rate;
    common->optimiser.groups[PAIRS].rate_scale = PAIRS_RATE;
    zf_params_set_group(f->model->params, "field.", FIELD);
    zf_params_set_group(f->model->params, "gate.pairs", PAIRS);
    common->training = (zf_training){
        .program = f->step.program,
        .schedule = zf_schedule_to_rest(o->rate, o->iterations),
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
    return ZF_OK;
}

/* How it went, with the loss on rows held out if training came to its end. */
static zf_fit_summary summarise(fitting *f, const zf_fitting *common, bool ended)
{
    const zf_trained *trained = &common->trained;
    zf_held_out_losses held_out = {(double)NAN, (double)NAN};
    if (f->held_out > 0 && ended)
        held_out = zf_held_out_measure(f->guess, &f->step, f->held_out, common->crew);
    return (zf_fit_summary){
        .options = f->options,
        .iterations = trained->steps,
        .resumed_from = trained->resumed_from,
        .saved = trained->saved,
        .seconds = trained->seconds,
        .loss = zf_history_latest(&trained->history, 0),
        .rectified = zf_history_latest(&trained->history, 1),
        .zero = zf_history_latest(&trained->history, 2),
        .mean_gate = zf_history_latest(&trained->history, 3),
        .dependence = f->dependence,
        .columns = (size_t)zf_blanket_variables(f->model),
        .held_out = f->held_out,
        .held_out_loss = held_out.ours,
        .constant_loss = held_out.constant,
    };
}

/* The options in it are as much of ours as the caller has room for. */
static void give_summary(zf_fit_summary *to, size_t size, zf_fit_summary summary)
{
    summary.options.struct_size = size - offsetof(zf_fit_summary, options);
    zf_give(to, size, &summary, sizeof summary);
}

zf_status zf_blanket_fit_sized(zf_blanket **out, zf_fit_summary *summary, size_t size,
                               const double *values, size_t rows, const char *const *names,
                               size_t columns, const zf_fit_options *given)
{
    zf_fit_options known = zf_fit_defaults();
    const zf_fit_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "fit"));
    fitting f = {.options = *options};
    zf_fitting common = {0};
    zf_status status = start(&f, values, rows, names, columns);
    if (status == ZF_OK) status = zf_fitting_run(&common, options->threads, build, &f);
    if (status == ZF_OK || status == ZF_EINTERRUPT) {
        f.model->history = common.trained.history;
        if (summary) give_summary(summary, size, summarise(&f, &common, status == ZF_OK));
        *out = f.model;
        f.model = NULL;
    }
    zf_blanket_step_free(&f.step);
    zf_fitting_free(&common);
    zf_blanket_free(f.model);
    zf_guess_free(f.guess);
    free(f.rows);
    return status;
}
