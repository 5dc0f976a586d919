/* Training a reduction. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/grow.h"
#include "data/values.h"
#include "reduce/criterion.h"
#include "reduce/distinct.h"
#include "reduce/model.h"
#include "reduce/step.h"
#include "train/fit.h"
#include "train/limits.h"

/* The optimiser's groups. The last layer of f, which sets the size of the numbers, is left
   to itself, with the optimiser's own decay: small numbers would do worse when they are
   alone, for no want of knowledge. */
enum { REST, FIELD, CODE };
enum { ROWS_LEAST = 10 };

void zf_reduce_options_init(zf_reduce_options *options, size_t size)
{
    const zf_reduce_options all = {
        .dim = 1,
        .held_out = 0.2,
        .marginals = ZF_MARGINALS_NORMAL_SCORES,
        .zero_weight = 0.1,
        .iterations = 2000,
        .batch = 256,
        .rate = 2e-3,
        .decay = -1,
        .code_decay = -1,
        .hidden = 128,
        .every = 500,
    };
    zf_give(options, size, &all, sizeof all);
}

/* What training holds besides the model. */
typedef struct fitting {
    zf_reduce_options options; /* resolved */
    zf_reduction *model;
    int32_t *columns; /* targets, then inputs */
    const char **names;
    float *rows; /* of these columns; shuffled, those held out last; after the marginals */
    int trained, held;
    zf_reduce_step step;
    int chosen; /* numbers that are kept, copies of others among them */
} fitting;

/* --- checks ------------------------------------------------------------------------ */

static zf_status check_options(const zf_reduce_options *o)
{
    ZF_TRY(zf_training_check(&(zf_training_numbers){.iterations = o->iterations,
                                                    .batch = o->batch,
                                                    .hidden = o->hidden,
                                                    .rate = o->rate,
                                                    .zero_weight = o->zero_weight}));
    if (!isfinite(o->decay) || !isfinite(o->code_decay))
        return zf_fail(ZF_EINVAL, "decay: expected finite numbers, found %g and %g", o->decay,
                       o->code_decay);
    if (!(o->held_out >= 0.05 && o->held_out <= 0.5))
        return zf_fail(ZF_EINVAL, "share held out: expected 0.05 to 0.5, found %g", o->held_out);
    if (o->marginals == ZF_MARGINALS_AUTO)
        return zf_fail(ZF_EINVAL, "marginals: expected standard or normal scores");
    if (o->least < 0 || o->least > o->dim)
        return zf_fail(ZF_EINVAL, "least numbers: expected 0 to %d, found %d", o->dim, o->least);
    return ZF_OK;
}

/* Marks the columns of a list, which may not be marked yet. */
static zf_status mark(unsigned char *seen, const char *const *names, size_t columns,
                      const int32_t *list, int n, const char *what)
{
    for (int i = 0; i < n; i++) {
        if (list[i] < 0 || (size_t)list[i] >= columns)
            return zf_fail(ZF_EINVAL, "%s %d is outside the %zu columns", what, (int)list[i],
                           columns);
        if (seen[list[i]])
            return zf_fail(ZF_EINVAL,
                           "column \"%s\" is named twice; once, as target or as input, "
                           "is enough",
                           names[list[i]]);
        seen[list[i]] = 1;
    }
    return ZF_OK;
}

static zf_status fill_columns(fitting *f, const char *const *names, size_t columns,
                              unsigned char *seen)
{
    zf_reduce_options *o = &f->options;
    if (o->n_targets < 1) return zf_fail(ZF_EINVAL, "a reduction needs at least one target");
    ZF_TRY(mark(seen, names, columns, o->targets, o->n_targets, "target"));
    if (o->inputs) ZF_TRY(mark(seen, names, columns, o->inputs, o->n_inputs, "input"));
    int n = 0;
    for (int k = 0; k < o->n_targets; k++) f->columns[n++] = o->targets[k];
    for (int i = 0; o->inputs && i < o->n_inputs; i++) f->columns[n++] = o->inputs[i];
    for (size_t j = 0; !o->inputs && j < columns; j++)
        if (!seen[j]) f->columns[n++] = (int32_t)j;
    o->n_inputs = n - o->n_targets;
    o->targets = f->columns;
    o->inputs = f->columns + o->n_targets;
    for (int i = 0; i < n; i++) f->names[i] = names[f->columns[i]];
    if (o->n_inputs < 1)
        return zf_fail(ZF_EINVAL, "%d targets of %zu columns leave nothing to reduce", o->n_targets,
                       columns);
    int most = o->n_inputs < ZF_REDUCE_MOST ? o->n_inputs : ZF_REDUCE_MOST;
    if (o->dim < 1 || o->dim > most)
        return zf_fail(ZF_EINVAL, "dim: expected 1 to %d numbers for %d inputs, found %d", most,
                       o->n_inputs, o->dim);
    return ZF_OK;
}

static zf_status choose_columns(fitting *f, const char *const *names, size_t columns)
{
    unsigned char *seen = calloc(columns + 1, 1);
    f->columns = calloc(columns + 1, sizeof *f->columns);
    f->names = calloc(columns + 1, sizeof *f->names);
    zf_status status = seen && f->columns && f->names ? fill_columns(f, names, columns, seen)
                                                      : zf_fail_memory(columns * sizeof *f->names);
    free(seen);
    return status;
}

/* --- rows --------------------------------------------------------------------------- */

/* The chosen columns of the rows, in their own order or in a given one. */
static void gather(const fitting *f, double *to, const double *values, size_t rows, size_t columns,
                   const uint32_t *order)
{
    size_t width = (size_t)(f->options.n_targets + f->options.n_inputs);
    for (size_t i = 0; i < rows; i++) {
        const double *from = values + (order ? order[i] : i) * columns;
        for (size_t j = 0; j < width; j++) to[i * width + j] = from[f->columns[j]];
    }
}

/* Takes the rows, once they are checked, in a random order, so that the last are held out. */
static zf_status take_rows(fitting *f, double *taken, const double *values, size_t rows,
                           size_t columns)
{
    size_t width = (size_t)(f->options.n_targets + f->options.n_inputs);
    gather(f, taken, values, rows, columns, NULL);
    ZF_TRY(zf_values_check(taken, rows, f->names, width));
    uint32_t *order = malloc(rows * sizeof *order);
    if (!order) return zf_fail_memory(rows * sizeof *order);
    zf_random random = zf_random_at(f->options.seed, ZF_FOR_SPLIT, 0, 0);
    zf_random_permutation(&random, order, rows);
    gather(f, taken, values, rows, columns, order);
    free(order);
    f->held = (int)lround(f->options.held_out * (double)rows);
    f->held = f->held < 2 ? 2 : f->held;
    f->trained = (int)rows - f->held;
    return ZF_OK;
}

/* Fits the marginals on the rows trained on, of all columns at once, and brings every row
   through them; *inputs are those of the inputs alone, for the model. */
static zf_status bring_to_marginals(fitting *f, zf_marginals *inputs, const double *taken)
{
    const zf_reduce_options *o = &f->options;
    size_t rows = (size_t)(f->trained + f->held), targets = (size_t)o->n_targets;
    size_t width = targets + (size_t)o->n_inputs;
    zf_marginals all = {0};
    f->rows = zf_slab_new(rows * width * sizeof *f->rows);
    if (!f->rows) return ZF_ENOMEM;
    ZF_TRY(zf_marginals_fit(&all, o->marginals, taken, (size_t)f->trained, width));
    zf_marginals_apply(&all, f->rows, taken, rows);
    zf_status status = zf_marginals_part(inputs, &all, targets, width - targets);
    if (status == ZF_OK && o->marginals == ZF_MARGINALS_STANDARD) {
        status = zf_values_tell_lost(taken, f->rows, rows, f->names, width, &o->report);
        if (status != ZF_OK) zf_marginals_free(inputs);
    }
    zf_marginals_free(&all);
    return status;
}

/* From raw values to f->rows, the inputs' marginals and the fingerprint of what was given. */
static zf_status prepare_rows(fitting *f, zf_marginals *inputs, uint64_t *given,
                              const double *values, size_t rows, size_t columns)
{
    size_t count = rows * (size_t)(f->options.n_targets + f->options.n_inputs);
    double *taken = malloc(count * sizeof *taken);
    if (!taken) return zf_fail_memory(count * sizeof *taken);
    zf_status status = take_rows(f, taken, values, rows, columns);
    if (status == ZF_OK) {
        *given = zf_fingerprint(ZF_FINGERPRINT_START, taken, 2 * count);
        status = bring_to_marginals(f, inputs, taken);
    }
    free(taken);
    return status;
}

static zf_status start(fitting *f, const double *values, size_t rows, const char *const *names,
                       size_t columns)
{
    zf_reduce_options *o = &f->options;
    ZF_TRY(check_options(o));
    ZF_TRY(choose_columns(f, names, columns));
    if (rows < ROWS_LEAST || rows > INT32_MAX)
        return zf_fail(ZF_EINPUT, "%zu rows: expected at least %d, some of which are held out",
                       rows, ROWS_LEAST);
    uint64_t given = 0;
    zf_marginals marginals = {0};
    ZF_TRY(prepare_rows(f, &marginals, &given, values, rows, columns));
    zf_reduce_shape shape = {
        .inputs = o->n_inputs,
        .targets = o->n_targets,
        .dim = o->dim,
        .kept = o->dim,
        .hidden = o->hidden,
        .marginals = o->marginals,
        .knots = (int)marginals.knots,
    };
    zf_status status =
        zf_reduction_new(&f->model, &shape, o->seed, f->names + o->n_targets, f->names);
    if (status != ZF_OK) {
        zf_marginals_free(&marginals);
        return status;
    }
    f->model->marginals = marginals;
    f->model->given = given;
    if (o->decay < 0) o->decay = fmin(ZF_REDUCE_FIELD_DECAY / f->trained, ZF_REDUCE_DECAY_MOST);
    if (o->code_decay < 0)
        o->code_decay = fmin(ZF_REDUCE_CODE_DECAY / f->trained, ZF_REDUCE_DECAY_MOST);
    return ZF_OK;
}

/* --- training ------------------------------------------------------------------------ */

static zf_status describe_options(fitting *f)
{
    const zf_reduce_options *o = &f->options;
    char text[512];
    snprintf(text, sizeof text,
             "margins=%s held-out=%g criterion=%s zero-weight=%g iterations=%" PRIu64
             " batch=%d rate=%g decay=%g code-decay=%g rows=%d",
             zf_marginals_name(o->marginals), o->held_out,
             o->criterion == ZF_CRITERION_MIDPOINT ? "midpoint" : "antisymmetry", o->zero_weight,
             o->iterations, o->batch, o->rate, o->decay, o->code_decay, f->trained + f->held);
    f->model->options_text = zf_arena_string(&f->model->arena, text);
    return f->model->options_text ? ZF_OK : ZF_ENOMEM;
}

static zf_status build(void *context, zf_fitting *common)
{
    fitting *f = context;
    const zf_reduce_options *o = &f->options;
    zf_reduction *model = f->model;
    zf_description description = {0};
    zf_reduce_step_options step = {
        .seed = o->seed,
        .batch = o->batch,
        .hidden = o->hidden,
        .inputs = o->n_inputs,
        .targets = o->n_targets,
        .dim = o->dim,
        .antisymmetry = o->criterion == ZF_CRITERION_ANTISYMMETRY,
        .zero_weight = o->zero_weight,
    };
    /* The program of codes first: it declares every parameter, and the set is fixed by the
       first plan. */
    ZF_TRY(zf_reduction_prepare(model, NULL));
    ZF_TRY(zf_reduce_step_new(&f->step, model->params, f->rows, f->trained, &step,
                              zf_crew_size(common->crew)));
    ZF_TRY(describe_options(f));
    ZF_TRY(zf_reduction_describe(&description, &model->arena, model, false));
    common->optimiser.groups[FIELD].decay = o->decay;
    common->optimiser.groups[CODE].decay = o->code_decay;
    zf_params_set_group(model->params, "field.", FIELD);
    zf_params_set_group(model->params, "code.", CODE);
    zf_params_set_group(model->params, "code.2.", REST);
    common->training = (zf_training){
        .program = f->step.program,
        .schedule = zf_schedule_to_rest(o->rate, o->iterations),
        .steps = o->iterations,
        .prepare = zf_reduce_prepare,
        .context = &f->step,
        .rows = o->batch,
        .watches = {{"loss", f->step.objective.loss},
                    {"rectified", f->step.objective.rectified},
                    {"zero", f->step.objective.zero}},
        .n_watches = ZF_REDUCE_MEASURES,
        .checkpoint = o->checkpoint,
        .every = o->every,
        .resume = o->resume,
        .description = description,
        .report = o->report,
    };
    return ZF_OK;
}

/* --- after it ------------------------------------------------------------------------ */

/* Means and deviations of the numbers over the rows trained on, and codes [trained, dim]. */
static zf_status measure_codes(fitting *f, float *codes)
{
    size_t inputs = (size_t)f->options.n_inputs, dim = (size_t)f->options.dim;
    size_t targets = (size_t)f->options.n_targets, n = (size_t)f->trained;
    float *y = malloc(n * inputs * sizeof *y);
    if (!y) return zf_fail_memory(n * inputs * sizeof *y);
    for (size_t i = 0; i < n; i++)
        memcpy(y + i * inputs, f->rows + i * (targets + inputs) + targets, inputs * sizeof *y);
    zf_status status = zf_reduction_encode(f->model, codes, y, n);
    for (size_t l = 0; l < dim && status == ZF_OK; l++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < n; i++) sum += (double)codes[i * dim + l];
        double mean = sum / (double)n;
        for (size_t i = 0; i < n; i++)
            squares += ((double)codes[i * dim + l] - mean) * ((double)codes[i * dim + l] - mean);
        zf_reduction_buffer(f->model, "code.mean")[l] = (float)mean;
        zf_reduction_buffer(f->model, "code.deviation")[l] = (float)sqrt(squares / (double)n);
    }
    free(y);
    return status;
}

/* Of the numbers chosen, those that are distinct are kept. */
static zf_status keep_distinct(fitting *f)
{
    zf_reduction *model = f->model;
    size_t size = (size_t)f->trained * (size_t)f->options.dim * sizeof(float);
    float *codes = malloc(size);
    if (!codes) return zf_fail_memory(size);
    zf_status status = measure_codes(f, codes);
    if (status == ZF_OK)
        status = zf_reduce_distinct(zf_reduction_buffer(model, "code.map"), &model->shape.kept,
                                    codes, zf_reduction_buffer(model, "code.mean"),
                                    (size_t)f->trained, f->chosen, f->options.dim);
    free(codes);
    return status;
}

static zf_status finish(fitting *f, zf_crew *crew)
{
    const zf_reduce_options *o = &f->options;
    zf_reduce_criterion criterion[ZF_REDUCE_MOST];
    size_t width = (size_t)(o->n_targets + o->n_inputs);
    ZF_TRY(zf_reduce_measure(criterion, &f->step, crew, f->rows + (size_t)f->trained * width,
                             f->held));
    float *figures = zf_reduction_buffer(f->model, "criterion");
    for (int l = 0; l < o->dim; l++) {
        const zf_reduce_criterion *c = &criterion[l];
        const double own[] = {c->rectified, c->excess, c->error, c->zero};
        for (int k = 0; k < 4; k++) *figures++ = (float)own[k];
    }
    f->chosen = o->least > 0 ? zf_reduce_choose(criterion, o->least, o->dim) : o->dim;
    return keep_distinct(f);
}

static zf_reduce_summary summarise(const fitting *f, const zf_trained *trained,
                                   const zf_reduce_options *asked)
{
    zf_reduce_summary summary = {
        .options = f->options,
        .iterations = trained->steps,
        .resumed_from = trained->resumed_from,
        .saved = trained->saved,
        .seconds = trained->seconds,
        .loss = zf_history_latest(&trained->history, 0),
        .rectified = zf_history_latest(&trained->history, 1),
        .zero = zf_history_latest(&trained->history, 2),
        .rows_trained = (size_t)f->trained,
        .rows_held = (size_t)f->held,
        .chosen = f->chosen,
    };
    summary.options.targets = asked->targets; /* ours are about to go */
    summary.options.inputs = asked->inputs;
    return summary;
}

/* The options in it are as much of ours as the caller has room for. */
static void give_summary(zf_reduce_summary *to, size_t size, zf_reduce_summary summary)
{
    summary.options.struct_size = size - offsetof(zf_reduce_summary, options);
    zf_give(to, size, &summary, sizeof summary);
}

zf_status zf_reduce_fit_sized(zf_reduction **out, zf_reduce_summary *summary, size_t size,
                              const double *values, size_t rows, const char *const *names,
                              size_t columns, const zf_reduce_options *given)
{
    zf_reduce_options known = zf_reduce_defaults();
    const zf_reduce_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "reduce"));
    fitting f = {.options = *options};
    zf_fitting common = {0};
    zf_status status = start(&f, values, rows, names, columns);
    if (status == ZF_OK) status = zf_fitting_run(&common, options->threads, build, &f);
    if (status == ZF_OK || status == ZF_EINTERRUPT) {
        zf_status last = finish(&f, common.crew);
        status = last == ZF_OK ? status : last;
    }
    if (status == ZF_OK || status == ZF_EINTERRUPT) {
        f.model->history = common.trained.history;
        if (summary) give_summary(summary, size, summarise(&f, &common.trained, options));
        *out = f.model;
        f.model = NULL;
    }
    zf_reduce_step_free(&f.step);
    zf_fitting_free(&common);
    zf_reduction_free(f.model);
    free(f.rows);
    free(f.columns);
    free(f.names);
    return status;
}
