#include "train/loop.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

static const double REPORT_SECONDS = 0.1;

typedef struct run {
    const zf_training *t;
    zf_trained *trained;
    double began, reported;
    double latest[ZF_MOST_MEASURES];
    uint64_t first, saved; /* steps at which this run began and last saved */
} run;

static zf_status save(run *r)
{
    const zf_training *t = r->t;
    if (!t->checkpoint || (r->saved == r->trained->steps && r->saved > 0)) return ZF_OK;
    ZF_TRY(zf_checkpoint_write(t->checkpoint, zf_graph_params(t->graph), t->optimiser,
                               &r->trained->history, t->description));
    r->saved = r->trained->steps;
    return ZF_OK;
}

static zf_status start(run *r)
{
    const zf_training *t = r->t;
    *r->trained = (zf_trained){.history = zf_history_new(t->n_watches)};
    if (t->resume && t->checkpoint && access(t->checkpoint, F_OK) == 0) {
        ZF_TRY(zf_checkpoint_read(t->checkpoint, zf_graph_params(t->graph), t->optimiser,
                                  &r->trained->history, t->description));
        r->first = r->saved = zf_optimiser_steps(t->optimiser);
        r->trained->steps = r->trained->resumed_from = r->first;
    }
    r->began = r->reported = zf_clock_now();
    return ZF_OK;
}

static zf_status not_finite(const run *r, const char *what, double value)
{
    const zf_training *t = r->t;
    const char *advice = "lower the learning rate or clip the gradient";
    if (t->checkpoint && r->saved > 0)
        return zf_fail(ZF_ENUMERIC,
                       "step %" PRIu64 ": the %s is %g; %s; the last good checkpoint is %s, of "
                       "step %" PRIu64,
                       r->trained->steps + 1, what, value, advice, t->checkpoint, r->saved);
    return zf_fail(ZF_ENUMERIC, "step %" PRIu64 ": the %s is %g; %s", r->trained->steps + 1, what,
                   value, advice);
}

/* False: the user wants to stop. */
static bool report(run *r, double now)
{
    const zf_training *t = r->t;
    if (!t->report.progress) return true;
    zf_measure measures[ZF_MOST_MEASURES];
    for (int m = 0; m < t->n_watches; m++)
        measures[m] = (zf_measure){t->watches[m].name, r->latest[m]};
    double seconds = now - r->began, done = (double)(r->trained->steps - r->first);
    double rate = seconds > 0 ? done / seconds : 0;
    zf_progress progress = {
        .step = r->trained->steps,
        .steps = t->steps,
        .seconds = seconds,
        .rows_per_second = rate * t->rows,
        .seconds_left = rate > 0 ? (double)(t->steps - r->trained->steps) / rate : -1,
        .measures = measures,
        .n_measures = t->n_watches,
    };
    return t->report.progress(t->report.context, &progress);
}

static zf_status one_step(run *r)
{
    const zf_training *t = r->t;
    uint64_t step = r->trained->steps;
    if (t->fetch) ZF_TRY(t->fetch(t->context, step));
    t->prepare(t->context, step, t->crew);
    zf_graph_forward(t->graph, t->crew, ZF_TRAIN);
    for (int m = 0; m < t->n_watches; m++) {
        r->latest[m] = zf_node_scalar(t->watches[m].node);
        if (!isfinite(r->latest[m])) return not_finite(r, t->watches[m].name, r->latest[m]);
    }
    zf_graph_backward(t->graph, t->crew);
    zf_status status =
        zf_optimiser_step(t->optimiser, t->graph, t->crew, zf_schedule_rate(&t->schedule, step));
    if (status == ZF_ENUMERIC)
        return not_finite(r, "norm of the gradient", zf_optimiser_norm(t->optimiser));
    ZF_TRY(status);
    r->trained->steps++;
    zf_history_add(&r->trained->history, r->latest);
    return t->observe ? t->observe(t->context, r->trained) : ZF_OK;
}

static zf_status run_steps(run *r)
{
    const zf_training *t = r->t;
    while (r->trained->steps < t->steps) {
        ZF_TRY(one_step(r));
        if (t->every && r->trained->steps % t->every == 0) ZF_TRY(save(r));
        double now = zf_clock_now();
        if (now - r->reported < REPORT_SECONDS || r->trained->steps == t->steps) continue;
        r->reported = now;
        if (!report(r, now)) {
            ZF_TRY(save(r));
            return zf_fail(ZF_EINTERRUPT, "interrupted after step %" PRIu64 " of %" PRIu64,
                           r->trained->steps, t->steps);
        }
    }
    ZF_TRY(save(r));
    report(r, zf_clock_now());
    return ZF_OK;
}

zf_status zf_train(zf_trained *trained, const zf_training *training)
{
    run r = {.t = training, .trained = trained};
    if (training->n_watches < 1 || training->n_watches > ZF_MOST_MEASURES)
        return zf_fail(ZF_EINVAL, "training watches %d measures, expected 1 to %d",
                       training->n_watches, ZF_MOST_MEASURES);
    ZF_TRY(start(&r));
    zf_status status = run_steps(&r);
    trained->seconds = zf_clock_now() - r.began;
    return status;
}
