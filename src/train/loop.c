#include "train/loop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/progress.h"
#include "io/place.h"

typedef struct run {
    const zf_training *t;
    zf_trained *trained;
    zf_pace pace;
    double latest[ZF_MOST_MEASURES];
    zf_measure measures[ZF_MOST_MEASURES]; /* the same, for the user */
} run;

/* A checkpoint that cannot be written is no reason to lose what was learnt. */
static void save(run *r)
{
    const zf_training *t = r->t;
    zf_trained *trained = r->trained;
    if (!t->checkpoint || (trained->saved == trained->steps && trained->saved > 0)) return;
    if (zf_checkpoint_write(t->checkpoint, zf_program_params(t->program), t->optimiser,
                            &trained->history, t->description) == ZF_OK) {
        trained->saved = trained->steps;
        return;
    }
    char line[1536];
    snprintf(line, sizeof line, "step %" PRIu64 ": no checkpoint was written: %s", trained->steps,
             zf_error());
    if (t->report.log) t->report.log(t->report.context, ZF_WARNING, line);
}

static zf_status start(run *r)
{
    const zf_training *t = r->t;
    *r->trained = (zf_trained){.history = zf_history_new(t->n_watches)};
    if (t->checkpoint) ZF_TRY(zf_io_place_check(t->checkpoint));
    if (t->resume && t->checkpoint && access(t->checkpoint, F_OK) == 0) {
        ZF_TRY(zf_checkpoint_read(t->checkpoint, zf_program_params(t->program), t->optimiser,
                                  &r->trained->history, t->description));
        uint64_t first = zf_optimiser_steps(t->optimiser);
        if (first > t->steps)
            return zf_fail(ZF_EINPUT,
                           "%s: was saved after step %" PRIu64 ", this run ends at %" PRIu64,
                           t->checkpoint, first, t->steps);
        r->trained->steps = r->trained->resumed_from = r->trained->saved = first;
    }
    r->pace = zf_pace_begin(&t->report, 0);
    r->pace.resumed = r->trained->resumed_from;
    r->pace.rows = t->rows;
    r->pace.measures = r->measures;
    r->pace.n_measures = t->n_watches;
    return ZF_OK;
}

static zf_status not_finite(const run *r, const char *what, double value)
{
    const zf_training *t = r->t;
    const char *advice = "lower the learning rate or clip the gradient";
    if (t->checkpoint && r->trained->saved > 0)
        return zf_fail(ZF_ENUMERIC,
                       "step %" PRIu64 ": the %s is %g; %s; the last good checkpoint is %s, of "
                       "step %" PRIu64,
                       r->trained->steps + 1, what, value, advice, t->checkpoint,
                       r->trained->saved);
    return zf_fail(ZF_ENUMERIC, "step %" PRIu64 ": the %s is %g; %s", r->trained->steps + 1, what,
                   value, advice);
}

static zf_status one_step(run *r)
{
    const zf_training *t = r->t;
    uint64_t step = r->trained->steps;
    if (t->fetch) ZF_TRY(t->fetch(t->context, step));
    t->prepare(t->context, step, t->crew);
    zf_program_forward(t->program, t->crew, ZF_TRAIN);
    for (int m = 0; m < t->n_watches; m++) {
        r->latest[m] = zf_node_scalar(t->watches[m].node);
        r->measures[m] = (zf_measure){t->watches[m].name, r->latest[m]};
        if (!isfinite(r->latest[m])) return not_finite(r, t->watches[m].name, r->latest[m]);
    }
    zf_program_backward(t->program, t->crew);
    zf_status status =
        zf_optimiser_step(t->optimiser, t->program, t->crew, zf_schedule_rate(&t->schedule, step));
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
        bool last = r->trained->steps == t->steps; /* which is saved below */
        if (t->every && r->trained->steps % t->every == 0 && !last) save(r);
        if (!last && zf_pace_tell(&r->pace, r->trained->steps, t->steps) != ZF_OK) {
            save(r);
            return zf_fail(ZF_EINTERRUPT, "interrupted after step %" PRIu64 " of %" PRIu64,
                           r->trained->steps, t->steps);
        }
    }
    save(r);
    zf_pace_end(&r->pace, t->steps);
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
    trained->seconds = zf_pace_seconds(&r.pace);
    return status;
}
