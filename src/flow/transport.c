/* Following a flow. All rows are one differential equation, in standardised coordinates:
   the batch is what makes the network fast, and one length of step for all rows is the
   price. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "flow/model.h"
#include "flow/solver.h"

void zf_transport_options_init(zf_transport_options *options, size_t size)
{
    const zf_transport_options all = {
        .from = 0, .to = 1, .absolute = 1e-4, .relative = 1e-4, .most_steps = 10000};
    zf_give(options, size, &all, sizeof all);
}

/* Rows on their way. The state is in double, the network in float. */
typedef struct journey {
    const zf_flow *flow;
    float *f, *y, *at, *v;
    double *x;
    size_t rows;
} journey;

static zf_status velocity(void *context, double t, const double *x, double *v)
{
    journey *j = context;
    size_t n = j->rows * zf_flow_columns(j->flow);
    for (size_t i = 0; i < n; i++) j->at[i] = (float)x[i];
    zf_flow_evaluate(j->flow, (float)t, j->at, j->f, j->y, j->rows, j->v);
    for (size_t i = 0; i < n; i++) v[i] = (double)j->v[i];
    return ZF_OK;
}

static zf_status check_options(const zf_transport_options *o)
{
    if (!(o->from >= 0 && o->from <= 1 && o->to >= 0 && o->to <= 1))
        return zf_fail(ZF_EINVAL, "times: expected 0 to 1, found %g and %g", o->from, o->to);
    if (o->steps < 0) return zf_fail(ZF_EINVAL, "steps: expected 0 or more, found %d", o->steps);
    if (o->steps == 0 && o->most_steps < 1)
        return zf_fail(ZF_EINVAL, "most steps: expected at least 1, found %d", o->most_steps);
    return ZF_OK;
}

static zf_status pack(journey *j, const double *x, const double *f, const double *y)
{
    const zf_flow *flow = j->flow;
    size_t d = zf_flow_columns(flow), l = zf_flow_columns_f(flow), q = zf_flow_columns_y(flow);
    size_t n = j->rows * d;
    ZF_TRY(zf_flow_standardised(&j->at, flow, x, j->rows, d, 0));
    ZF_TRY(zf_flow_standardised(&j->f, flow, f, j->rows, l, d));
    ZF_TRY(zf_flow_standardised(&j->y, flow, y, j->rows, q, d + l));
    j->v = malloc(n * sizeof *j->v);
    j->x = malloc(n * sizeof *j->x);
    if (!j->v || !j->x) return zf_fail_memory(n * sizeof *j->x);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(j->at[i]))
            return zf_fail(ZF_EINPUT, "x, row %zu, column %zu: not a finite number", i / d + 1,
                           i % d + 1);
        j->x[i] = (double)j->at[i];
    }
    return ZF_OK;
}

static zf_status travel(journey *j, const zf_transport_options *o, zf_ode_work *work)
{
    zf_ode ode = {velocity, j, j->rows * zf_flow_columns(j->flow)};
    zf_ode_tolerance tolerance = {o->absolute, o->relative, (uint64_t)o->most_steps};
    if (o->steps > 0) return zf_ode_fixed(&ode, j->x, o->from, o->to, o->steps, work);
    return zf_ode_adaptive(&ode, j->x, o->from, o->to, &tolerance, work);
}

zf_status zf_flow_transport_sized(const zf_flow *flow, const double *x, const double *f,
                                  const double *y, size_t rows, const zf_transport_options *given,
                                  double *out, zf_transport_summary *summary, size_t size)
{
    zf_transport_options known = zf_transport_defaults();
    const zf_transport_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "transport"));
    journey j = {.flow = flow, .rows = rows};
    zf_ode_work work = {0};
    ZF_TRY(check_options(options));
    ZF_TRY(zf_flow_check_points(flow, x, f, y, rows));
    zf_status status = rows ? pack(&j, x, f, y) : ZF_OK;
    if (status == ZF_OK && rows) status = travel(&j, options, &work);
    size_t d = zf_flow_columns(flow), n = status == ZF_OK ? rows * d : 0;
    for (size_t i = 0; i < n; i++) out[i] = j.x[i] * flow->spread[i % d] + flow->centre[i % d];
    const zf_transport_summary found = {work.taken, work.rejected, work.evaluations};
    if (status == ZF_OK && summary) zf_give_plain(summary, size, &found, sizeof found);
    free(j.f);
    free(j.y);
    free(j.at);
    free(j.v);
    free(j.x);
    return status;
}
