#include "base/progress.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/error.h"

static const double PAUSE = 0.1; /* seconds from one report to the next */

zf_pace zf_pace_begin(const zf_report *report, double wait)
{
    double now = zf_clock_now();
    return (zf_pace){.report = report ? *report : (zf_report){0},
                     .began = now,
                     .wait = wait,
                     .told = now + wait - PAUSE};
}

double zf_pace_seconds(const zf_pace *pace)
{
    return zf_clock_now() - pace->began;
}

/* What the user is told of a step. */
static zf_progress describe(zf_pace *pace, double seconds, uint64_t step, uint64_t steps)
{
    enum { WHOLE = 1000 };
    uint64_t first = pace->resumed;
    if (pace->share > 0) {
        double done = pace->from + pace->share * (double)step / (double)steps;
        step = (uint64_t)(done * WHOLE + 0.5), steps = WHOLE;
        if (step < pace->furthest) step = pace->furthest;
        pace->furthest = step;
    }
    double rate = seconds > 0 ? (double)(step - first) / seconds : 0;
    return (zf_progress){
        .step = step,
        .steps = steps,
        .seconds = seconds,
        .rows_per_second = rate * pace->rows,
        .unit = pace->unit,
        .seconds_left = rate > 0 ? (double)(steps - step) / rate : -1,
        .measures = pace->measures,
        .n_measures = pace->n_measures,
    };
}

/* Whether to go on. */
static bool ask(zf_pace *pace, uint64_t step, uint64_t steps)
{
    if (!pace || !pace->report.progress) return true;
    double now = zf_clock_now(), seconds = now - pace->began;
    bool due = step < steps ? now - pace->told >= PAUSE : seconds >= pace->wait;
    if (!due) return true;
    pace->told = now;
    zf_progress progress = describe(pace, seconds, step, steps);
    return pace->report.progress(pace->report.context, &progress);
}

static zf_status interrupted(const zf_pace *pace, uint64_t step, uint64_t steps)
{
    if (!pace->things) return zf_fail(ZF_EINTERRUPT, "interrupted");
    return zf_fail(ZF_EINTERRUPT, "interrupted after %" PRIu64 " of %" PRIu64 " %s", step, steps,
                   pace->things);
}

zf_status zf_pace_tell(zf_pace *pace, uint64_t step, uint64_t steps)
{
    return ask(pace, step, steps) ? ZF_OK : interrupted(pace, step, steps);
}

void zf_pace_end(zf_pace *pace, uint64_t steps)
{
    (void)ask(pace, steps, steps);
}

/* --- jobs of a crew --------------------------------------------------------------------- */

typedef struct paced {
    zf_pace *pace;
    zf_span span;
    zf_task run;
    void *context;
    int tasks;
    atomic_int done;
    atomic_bool stopped;
} paced;

static uint64_t step_of(const paced *p, int done)
{
    return p->span.from + (p->span.to - p->span.from) * (uint64_t)done / (uint64_t)p->tasks;
}

/* Worker 0 is the thread that called. */
static void run_one(void *context, int task, int worker)
{
    paced *p = context;
    uint64_t step = step_of(p, atomic_load(&p->done));
    if (worker == 0 && step < p->span.steps && !ask(p->pace, step, p->span.steps))
        atomic_store(&p->stopped, true);
    if (atomic_load(&p->stopped)) return;
    p->run(p->context, task, worker);
    atomic_fetch_add(&p->done, 1);
}

zf_status zf_pace_run(zf_pace *pace, zf_span span, zf_crew *crew, int tasks, zf_task run,
                      void *context)
{
    paced p = {
        .pace = pace, .span = span, .run = run, .context = context, .tasks = tasks > 0 ? tasks : 1};
    zf_crew_run(crew, tasks, run_one, &p);
    if (!atomic_load(&p.stopped)) return ZF_OK;
    return interrupted(pace, step_of(&p, atomic_load(&p.done)), span.steps);
}
