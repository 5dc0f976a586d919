/* Training on images. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/grow.h"
#include "image/stream.h"
#include "train/fit.h"
#include "train/limits.h"
#include "vision/watch.h"

void zf_pretrain_options_init(zf_pretrain_options *options, size_t size, zf_vision_method method)
{
    bool mae = method == ZF_VISION_MAE;
    zf_vit_shape vit = zf_vit_defaults();
    const zf_pretrain_options all = {
        .method = method,
        .dim = mae ? vit.dim : 512,
        .hidden = 16,
        .patch = vit.patch,
        .blocks = vit.blocks,
        .heads = vit.heads,
        .decoder_dim = vit.decoder_dim,
        .decoder_blocks = vit.decoder_blocks,
        .decoder_heads = vit.decoder_heads,
        .iterations = 5000,
        .batch = mae ? 128 : 256,
        .rate = 1e-3,
        .decay = mae ? 0.05 : 0,
        .zero_weight = 0.1,
        .temperature = 0.1,
        .masked = 0.75,
        .views = zf_view_defaults(),
        .every = 500,
        .watch_every = 500,
    };
    zf_give(options, size, &all, sizeof all);
}

/* What training holds besides the model. */
typedef struct pretraining {
    const zf_pretrain_options *options;
    zf_images *images;
    zf_vision *model;
    zf_vision_step step;
    zf_image_stream *stream; /* NULL until the first step is known */
    zf_vision_watching watching;
    double written;      /* when the history was, by the clock */
    bool history_failed; /* the last time */
} pretraining;

/* --- checks ------------------------------------------------------------------------------ */

static zf_status check_watch(const zf_pretrain_options *o)
{
    if (!o->held_out) return ZF_OK;
    if (o->watch_every < 1)
        return zf_fail(ZF_EINVAL, "iterations between looks at held-out images: expected at "
                                  "least 1, found 0");
    if (o->iterations / o->watch_every >= ZF_VISION_WATCHES_MOST)
        return zf_fail(ZF_EINVAL,
                       "a look at held-out images every %" PRIu64 " of %" PRIu64
                       " iterations: expected at most %d looks",
                       o->watch_every, o->iterations, ZF_VISION_WATCHES_MOST);
    return ZF_OK;
}

static zf_status check_options(const zf_pretrain_options *o)
{
    ZF_TRY(zf_training_check(&(zf_training_numbers){.iterations = o->iterations,
                                                    .batch = o->batch,
                                                    .hidden = o->hidden,
                                                    .rate = o->rate,
                                                    .zero_weight = o->zero_weight}));
    if (o->dim < 1 || o->dim > ZF_VISION_DIM_MOST)
        return zf_fail(ZF_EINVAL, "dim: expected 1 to %d, found %d", ZF_VISION_DIM_MOST, o->dim);
    if (o->bits < 0 || o->bits > ZF_VISION_BITS_MOST)
        return zf_fail(ZF_EINVAL, "bits: expected 0 to %d, found %d", ZF_VISION_BITS_MOST, o->bits);
    if (!(o->decay >= 0) || !isfinite(o->decay))
        return zf_fail(ZF_EINVAL, "decay: expected 0 or more, found %g", o->decay);
    if (!(o->temperature > 0) || !isfinite(o->temperature))
        return zf_fail(ZF_EINVAL, "temperature: expected a number above 0, found %g",
                       o->temperature);
    if (!(o->masked > 0 && o->masked < 1))
        return zf_fail(ZF_EINVAL, "masked: expected a share between 0 and 1, found %g", o->masked);
    if (o->blocks > ZF_VISION_BLOCKS_MOST || o->decoder_blocks > ZF_VISION_BLOCKS_MOST)
        return zf_fail(ZF_EINVAL, "blocks: expected 1 to %d, found %d and %d",
                       ZF_VISION_BLOCKS_MOST, o->blocks, o->decoder_blocks);
    return check_watch(o);
}

static zf_vision_plan plan_of(const zf_pretrain_options *o, int size)
{
    return (zf_vision_plan){
        .step =
            {
                .method = o->method,
                .image = {.channels = ZF_COLOURS + o->bits,
                          .size = size,
                          .hidden = o->hidden,
                          .dim = o->dim},
                .batch = o->batch,
                .zero_weight = o->zero_weight,
                .temperature = o->temperature,
                .vit = {.patch = o->patch,
                        .dim = o->dim,
                        .blocks = o->blocks,
                        .heads = o->heads,
                        .decoder_dim = o->decoder_dim,
                        .decoder_blocks = o->decoder_blocks,
                        .decoder_heads = o->decoder_heads},
                .masked = o->masked,
                .views = o->views,
                .seed = o->seed,
            },
        .rate = o->rate,
        .decay = o->decay,
        .iterations = o->iterations,
        .watch_every = o->held_out ? o->watch_every : 0,
    };
}

zf_status zf_vision_untrained(zf_vision **out, int size, const zf_pretrain_options *given)
{
    zf_pretrain_options known = zf_pretrain_defaults(given ? given->method : 0);
    const zf_pretrain_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "pretrain"));
    ZF_TRY(check_options(options));
    zf_vision_plan plan = plan_of(options, size);
    plan.watch_every = 0;
    return zf_vision_new(out, &plan, NULL);
}

static zf_status check_count(const zf_images *images, const zf_pretrain_options *o)
{
    size_t count = zf_images_count(images);
    if (count >= (size_t)o->batch) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: %zu images are fewer than the %d of a batch: lower the batch",
                   zf_images_path(images), count, o->batch);
}

/* --- before it ---------------------------------------------------------------------------- */

/* Of what a resumed run must be given again: how many images, and some of them. All of
   them would take as long as decoding them does. */
static zf_status fingerprint(uint64_t *out, zf_images *images)
{
    enum { SAMPLE = 64 };
    size_t count = zf_images_count(images), side = (size_t)zf_images_size(images);
    size_t bytes = ZF_COLOURS * side * side, n = count < SAMPLE ? count : SAMPLE;
    uint32_t which[SAMPLE], words[] = {(uint32_t)count, (uint32_t)side};
    uint8_t *pixels = malloc(n * bytes);
    if (!pixels) return zf_fail_memory(n * bytes);
    for (size_t i = 0; i < n; i++) which[i] = (uint32_t)(i * count / n);
    zf_status status = zf_images_read(images, which, n, pixels);
    if (status == ZF_OK) {
        uint64_t hash = zf_fingerprint(ZF_FINGERPRINT_START, words, 2);
        *out = zf_fingerprint(hash, pixels, n * bytes / sizeof(uint32_t));
    }
    free(pixels);
    return status;
}

static zf_status start(pretraining *p)
{
    const zf_pretrain_options *o = p->options;
    ZF_TRY(check_options(o));
    ZF_TRY(check_count(p->images, o));
    zf_vision_plan plan = plan_of(o, zf_images_size(p->images));
    plan.images = zf_images_count(p->images);
    ZF_TRY(zf_vision_new(&p->model, &plan, NULL));
    return fingerprint(&p->model->given, p->images);
}

/* --- while it runs ------------------------------------------------------------------------- */

static zf_status fetch(void *context, uint64_t step)
{
    pretraining *p = context;
    const zf_pretrain_options *o = p->options;
    if (!p->stream)
        ZF_TRY(zf_image_stream_new(&p->stream, p->images, o->seed, (size_t)o->batch, step));
    return zf_image_stream_next(p->stream, &p->step.images, &p->step.which);
}

static void prepare(void *context, uint64_t step, zf_crew *crew)
{
    pretraining *p = context;
    zf_vision_step_prepare(&p->step, step, crew);
}

static zf_status look_if_due(pretraining *p, uint64_t steps)
{
    const zf_vision_plan *plan = &p->model->plan;
    if (plan->watch_every == 0) return ZF_OK;
    int i = (int)((steps - 1) / plan->watch_every);
    double accuracy = 0;
    if (zf_vision_watch_at(plan, i) != steps) return ZF_OK;
    ZF_TRY(zf_vision_look(&p->watching, &accuracy));
    p->model->watched[i] = (float)accuracy;
    return ZF_OK;
}

/* A history that cannot be written is no reason to lose what was learnt. */
static void write_history(pretraining *p, const zf_trained *trained)
{
    const zf_pretrain_options *o = p->options;
    char line[1536];
    p->model->history = trained->history;
    if (!o->history) return;
    p->history_failed = zf_vision_history_write(p->model, o->history) != ZF_OK;
    if (!p->history_failed || !o->report.log) return;
    snprintf(line, sizeof line, "step %" PRIu64 ": no history was written: %s", trained->steps,
             zf_error());
    o->report.log(o->report.context, ZF_WARNING, line);
}

static zf_status observe(void *context, const zf_trained *trained)
{
    static const double PAUSE = 5;
    pretraining *p = context;
    ZF_TRY(look_if_due(p, trained->steps));
    double now = zf_clock_now();
    if (!p->options->history || now - p->written < PAUSE) return ZF_OK;
    p->written = now;
    write_history(p, trained);
    return ZF_OK;
}

/* What the last look found; NAN: none so far. */
static double last_look(const zf_vision *model)
{
    for (int i = zf_vision_watches(&model->plan) - 1; i >= 0; i--)
        if (model->watched[i] >= 0) return (double)model->watched[i];
    return (double)NAN;
}

/* Progress with what the last look found, behind the loss. */
static bool tell(void *context, const zf_progress *progress)
{
    const pretraining *p = context;
    zf_measure measures[ZF_MOST_MEASURES + 1];
    zf_progress told = *progress;
    double knn = last_look(p->model);
    int n = 0;
    for (int m = 0; m < progress->n_measures; m++) {
        measures[n++] = progress->measures[m];
        if (m == 0 && isfinite(knn)) measures[n++] = (zf_measure){"knn", knn};
    }
    told.measures = measures;
    told.n_measures = n;
    told.unit = "images";
    return p->options->report.progress(p->options->report.context, &told);
}

static void pass_on(void *context, zf_level level, const char *line)
{
    const zf_report *report = &((const pretraining *)context)->options->report;
    report->log(report->context, level, line);
}

static zf_status build(void *context, zf_fitting *common)
{
    pretraining *p = context;
    const zf_pretrain_options *o = p->options;
    zf_description description = {0};
    zf_crew *crew = common->crew;
    if (o->held_out)
        ZF_TRY(zf_vision_watching_new(&p->watching, p->model, p->images, o->held_out, crew));
    ZF_TRY(
        zf_vision_step_new(&p->step, p->model->params, &p->model->plan.step, zf_crew_size(crew)));
    common->optimiser.groups[0].decay = o->decay;
    ZF_TRY(zf_vision_describe(&description, &p->model->arena, p->model));
    zf_training training = {
        .program = p->step.program,
        .schedule = {.rate = o->rate},
        .steps = o->iterations,
        .fetch = fetch,
        .prepare = prepare,
        .observe = observe,
        .context = p,
        .rows = o->batch,
        .n_watches = p->step.n_watches,
        .checkpoint = o->checkpoint,
        .every = o->every,
        .resume = o->resume,
        .description = description,
        .report = {.context = p},
    };
    memcpy(training.watches, p->step.watches, sizeof p->step.watches);
    if (o->report.progress) training.report.progress = tell;
    if (o->report.log) training.report.log = pass_on;
    common->training = training;
    p->written = zf_clock_now();
    return ZF_OK;
}

/* --- after it ------------------------------------------------------------------------------- */

static zf_pretrain_summary summarise(const pretraining *p, const zf_trained *trained)
{
    const zf_params *params = p->model->params;
    bool terms = p->options->method == ZF_VISION_ZEROFLOW;
    zf_pretrain_summary summary = {
        .iterations = trained->steps,
        .resumed_from = trained->resumed_from,
        .saved = trained->saved,
        .history_failed = p->history_failed,
        .seconds = trained->seconds,
        .loss = zf_history_latest(&trained->history, 0),
        .rectified = terms ? zf_history_latest(&trained->history, 1) : (double)NAN,
        .zero = terms ? zf_history_latest(&trained->history, 2) : (double)NAN,
        .knn = last_look(p->model),
        .watched = p->watching.asked.n,
    };
    for (int i = 0; i < zf_params_count(params); i++)
        if (zf_params_at(params, i)->trainable) summary.parameters += zf_params_at(params, i)->size;
    return summary;
}

zf_status zf_pretrain_sized(zf_vision **out, zf_pretrain_summary *summary, size_t size,
                            zf_images *images, const zf_pretrain_options *given)
{
    zf_pretrain_options known = zf_pretrain_defaults(given ? given->method : 0);
    const zf_pretrain_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "pretrain"));
    pretraining p = {.options = options, .images = images};
    zf_fitting common = {0};
    zf_status status = start(&p);
    if (status == ZF_OK) status = zf_fitting_run(&common, options->threads, build, &p);
    if (status == ZF_OK || status == ZF_EINTERRUPT) {
        write_history(&p, &common.trained);
        const zf_pretrain_summary found = summarise(&p, &common.trained);
        if (summary) zf_give_plain(summary, size, &found, sizeof found);
        *out = p.model;
        p.model = NULL;
    }
    zf_image_stream_free(p.stream);
    zf_vision_watching_free(&p.watching);
    zf_vision_step_free(&p.step);
    zf_fitting_free(&common);
    zf_vision_free(p.model);
    return status;
}
