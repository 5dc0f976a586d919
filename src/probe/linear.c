/* The linear probe: softmax regressions that differ in their seed, on the features as
   they are and standardised, each trained by one task of the crew.

   A regression's order of rows is a permutation for each epoch, a function of seed,
   epoch and its number; the last batch of an epoch is a short one. All regressions
   finish an epoch before any begins the next, so that progress can be told. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/progress.h"
#include "base/random.h"
#include "probe/data.h"
#include "probe/softmax.h"

enum { SCALINGS = 2, MOST_SEEDS = 1000, MOST_EPOCHS = 1000000, MOST_BATCH = 1 << 20 };

typedef struct regression {
    zf_probe_softmax softmax;
    uint32_t number;    /* among those of its scaling */
    uint32_t *order;    /* [train.rows] */
    int32_t *given;     /* [rows of the largest test set] */
    double *accuracies; /* [n_tests] */
} regression;

typedef struct linear {
    const zf_probe_data *data;
    const zf_linear_options *options;
    zf_scaling scaling;
    regression *regressions;
    int n_regressions;
    uint64_t epoch;
} linear;

void zf_linear_options_init(zf_linear_options *options, size_t size)
{
    const zf_linear_options all = {.rate = 1e-3, .batch = 512, .epochs = 100, .seeds = 5};
    zf_give(options, size, &all, sizeof all);
}

static zf_status check_options(const zf_linear_options *o)
{
    if (o->batch < 1 || o->batch > MOST_BATCH)
        return zf_fail(ZF_EINVAL, "batch: expected 1 to %d, found %d", MOST_BATCH, o->batch);
    if (o->epochs < 1 || o->epochs > MOST_EPOCHS)
        return zf_fail(ZF_EINVAL, "epochs: expected 1 to %d, found %d", MOST_EPOCHS, o->epochs);
    if (o->seeds < 1 || o->seeds > MOST_SEEDS)
        return zf_fail(ZF_EINVAL, "seeds: expected 1 to %d, found %d", MOST_SEEDS, o->seeds);
    if (!(o->rate > 0) || isinf(o->rate))
        return zf_fail(ZF_EINVAL, "rate: expected more than 0, found %g", o->rate);
    return ZF_OK;
}

/* --- getting ready ------------------------------------------------------------------ */

static zf_status make_regression(regression *r, const linear *l, const zf_scaling *scaling,
                                 zf_arena *arena)
{
    const zf_probe_data *data = l->data;
    size_t most = 0, rows = data->train.rows, batch = (size_t)l->options->batch;
    for (size_t i = 0; i < data->n_tests; i++)
        if (data->tests[i].rows > most) most = data->tests[i].rows;
    r->softmax = (zf_probe_softmax){.dim = data->dim,
                                    .classes = data->classes,
                                    .batch = batch < rows ? batch : rows,
                                    .scaling = scaling};
    r->order = zf_arena_get(arena, rows * sizeof *r->order);
    r->given = zf_arena_get(arena, most * sizeof *r->given);
    r->accuracies = zf_arena_get(arena, data->n_tests * sizeof *r->accuracies);
    if (!r->order || !r->given || !r->accuracies) return ZF_ENOMEM;
    ZF_TRY(zf_probe_softmax_new(&r->softmax, arena));
    zf_probe_softmax_draw(&r->softmax, l->options->seed, r->number);
    return ZF_OK;
}

/* Regressions on the features as they are first, if they are wanted, then those on
   standardised ones. */
static zf_status make_regressions(linear *l, const bool wanted[SCALINGS], zf_arena *arena)
{
    const zf_scaling *scalings[SCALINGS] = {NULL, &l->scaling};
    int seeds = l->options->seeds;
    l->regressions = zf_arena_get(arena, (size_t)(SCALINGS * seeds) * sizeof *l->regressions);
    if (!l->regressions) return ZF_ENOMEM;
    for (int k = 0; k < SCALINGS; k++)
        for (int i = 0; wanted[k] && i < seeds; i++) {
            regression *r = &l->regressions[l->n_regressions++];
            r->number = (uint32_t)i;
            ZF_TRY(make_regression(r, l, scalings[k], arena));
        }
    return ZF_OK;
}

/* --- training ------------------------------------------------------------------------ */

static void run_epoch(void *context, int task, int worker)
{
    (void)worker;
    const linear *l = context;
    regression *r = &l->regressions[task];
    size_t rows = l->data->train.rows, batch = r->softmax.batch;
    zf_random random = zf_random_at(l->options->seed, ZF_FOR_ORDER, l->epoch, r->number);
    zf_random_permutation(&random, r->order, rows);
    for (size_t first = 0; first < rows; first += batch)
        zf_probe_softmax_step(&r->softmax, &l->data->train, r->order + first,
                              rows - first < batch ? rows - first : batch, l->options->rate);
}

static void judge(void *context, int task, int worker)
{
    (void)worker;
    const linear *l = context;
    regression *r = &l->regressions[task];
    for (size_t i = 0; i < l->data->n_tests; i++) {
        zf_probe_softmax_classify(&r->softmax, r->given, &l->data->tests[i]);
        r->accuracies[i] = zf_probe_share(r->given, &l->data->tests[i]);
    }
}

static zf_status train(linear *l, zf_crew *crew)
{
    zf_pace pace = zf_pace_begin(&l->options->report, 0);
    uint64_t epochs = (uint64_t)l->options->epochs;
    pace.things = "epochs of the linear probe";
    for (l->epoch = 0; l->epoch < epochs; l->epoch++) {
        zf_crew_run(crew, l->n_regressions, run_epoch, l);
        ZF_TRY(zf_pace_tell(&pace, l->epoch + 1, epochs));
    }
    for (int i = 0; i < l->n_regressions; i++) {
        const zf_probe_softmax *s = &l->regressions[i].softmax;
        for (size_t j = 0; j < s->n_weights; j++)
            if (!isfinite(s->weights[j]))
                return zf_fail(ZF_ENUMERIC, "linear probe: its weights are not finite");
    }
    zf_crew_run(crew, l->n_regressions, judge, l);
    return ZF_OK;
}

/* --- results -------------------------------------------------------------------------- */

/* Over the seeds of one scaling, whose first regression is given. */
static void summarise(zf_probe_accuracy *accuracy, const linear *l, const regression *first)
{
    int seeds = l->options->seeds;
    for (size_t t = 0; t < l->data->n_tests; t++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < seeds; i++) sum += first[i].accuracies[t];
        double mean = sum / seeds;
        for (int i = 0; i < seeds; i++) {
            double gap = first[i].accuracies[t] - mean;
            squares += gap * gap;
        }
        accuracy[t] = (zf_probe_accuracy){mean, seeds > 1 ? sqrt(squares / (seeds - 1)) : 0};
    }
}

static zf_status run(linear *l, const bool wanted[SCALINGS], zf_arena *arena)
{
    zf_crew *crew = NULL;
    const zf_labelled *train_set = &l->data->train;
    ZF_TRY(zf_scaling_find(&l->scaling, train_set->features, train_set->rows, l->data->dim, arena));
    ZF_TRY(make_regressions(l, wanted, arena));
    ZF_TRY(zf_crew_new(&crew, l->options->threads));
    zf_status status = train(l, crew);
    zf_crew_free(crew);
    return status;
}

zf_status zf_probe_linear(zf_probe_accuracy *plain, zf_probe_accuracy *standardised,
                          const zf_probe_data *data, const zf_linear_options *given)
{
    zf_linear_options known = zf_linear_defaults();
    const zf_linear_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "linear"));
    linear l = {.data = data, .options = options};
    ZF_TRY(check_options(l.options));
    ZF_TRY(zf_probe_check(data));
    zf_arena arena = {0};
    zf_status status = run(&l, (const bool[SCALINGS]){plain, standardised}, &arena);
    if (status == ZF_OK && plain) summarise(plain, &l, l.regressions);
    if (status == ZF_OK && standardised)
        summarise(standardised, &l, l.regressions + (plain ? l.options->seeds : 0));
    zf_arena_free(&arena);
    return status;
}
