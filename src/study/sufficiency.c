/* Sufficient or not (figure 2): X = 0.5 Y + N(0, 1) with standard normal Y, and the
   conditional flow of X at t = 0.5 given Y and f(Y). sigmoid(-2Y) can be undone, so it is
   sufficient and the flow stands still; sin(2Y) cannot, and it does not.

   Its square is averaged over held-out rows, where pairs of equal f pass at t = 0.5: in
   the middle between the row's x and that of the row whose f is next to its own. */
#include <math.h>
#include <stdlib.h>

#include "study/study.h"
#include "zeroflow/flow.h"
#include "zeroflow/plot.h"

enum {
    ROWS = 50000,
    HELD_OUT = 4000,
    ITERATIONS = 2500,
    CASES = 2,
    POINTS = 500, /* that are drawn */
    SIDE = 19,    /* of the grid of arrows */
    ARROWS = SIDE * SIDE,
};

static const double SLOPE = 0.5, EDGE_Y = 2.6, EDGE_X = 3.2, ARROW = 0.25;

static double sigmoid(double y)
{
    return 1 / (1 + exp(2 * y));
}

static double wave(double y)
{
    return sin(2 * y);
}

typedef struct encoding {
    const char *name, *title;
    bool sufficient;
    double (*f)(double y);
} encoding;

static const encoding encodings[CASES] = {
    {"sin(2Y)", "v at t = 0.5, f(Y) = sin(2Y): not sufficient", false, wave},
    {"sigmoid(-2Y)", "v at t = 0.5, f(Y) = σ(−2Y): sufficient", true, sigmoid},
};

/* Rows that belong together. */
typedef struct rows {
    double *x, *y, *f;
    size_t n;
} rows;

typedef struct experiment {
    rows seen, held_out;
    uint64_t iterations;
    double square[CASES]; /* mean of |v_0.5|^2 */
    double ratio;
    /* What is drawn; arrows only where there are data. */
    double point[2][POINTS];
    double grid[2][ARROWS], arrow[CASES][ARROWS], still[ARROWS];
    size_t arrows;
} experiment;

/* --- the numbers ----------------------------------------------------------------------- */

static zf_status draw_rows(rows *r, size_t n, uint64_t seed, uint32_t stream)
{
    *r = (rows){malloc(n * sizeof *r->x), malloc(n * sizeof *r->y), malloc(n * sizeof *r->f), n};
    if (!r->x || !r->y || !r->f) return zf_fail(ZF_ENOMEM, "out of memory");
    zf_generate_normals(r->y, n, seed, stream);
    zf_generate_normals(r->x, n, seed, stream + 1);
    for (size_t i = 0; i < n; i++) r->x[i] += SLOPE * r->y[i];
    return ZF_OK;
}

static void free_rows(rows *r)
{
    free(r->x);
    free(r->y);
    free(r->f);
}

static void encode(rows *r, const encoding *e)
{
    for (size_t i = 0; i < r->n; i++) r->f[i] = e->f((double)r->y[i]);
}

static zf_status learn(zf_study *study, zf_flow **flow, const rows *r, uint64_t iterations)
{
    zf_flow_options wish = zf_flow_defaults();
    wish.iterations = iterations;
    wish.seed = study->seed;
    wish.threads = study->threads;
    wish.report = study_begin_fit(study, 1);
    zf_flow_sample x = {r->x, r->n, 1}, f = {r->f, r->n, 1}, y = {r->y, r->n, 1};
    zf_status status = zf_flow_fit_given(flow, NULL, x, f, y, &wish);
    return study_end_fit(study, status, iterations);
}

/* A row's place in the order of f. */
typedef struct placed {
    double f;
    size_t row;
} placed;

static int by_f(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    return p->f < q->f ? -1 : p->f > q->f ? 1 : p->row < q->row ? -1 : p->row > q->row;
}

/* Mean square of the velocity in the middle of pairs of nearly the same f. */
static zf_status measure(double *square, const zf_flow *flow, const rows *r)
{
    size_t n = r->n;
    placed *order = malloc(n * sizeof *order);
    double *middle = malloc(n * sizeof *middle), *v = malloc(n * sizeof *v);
    zf_status status = order && middle && v ? ZF_OK : zf_fail(ZF_ENOMEM, "out of memory");
    if (status == ZF_OK) {
        for (size_t i = 0; i < n; i++) order[i] = (placed){r->f[i], i};
        qsort(order, n, sizeof *order, by_f);
        for (size_t i = 0; i < n; i++) {
            size_t row = order[i].row, next = order[i + 1 < n ? i + 1 : i - 1].row;
            middle[row] = 0.5f * (r->x[row] + r->x[next]);
        }
        status = zf_flow_velocity(flow, 0.5, middle, r->f, r->y, n, v);
    }
    *square = 0;
    for (size_t i = 0; i < n && status == ZF_OK; i++)
        *square += (double)v[i] * (double)v[i] / (double)n;
    free(order);
    free(middle);
    free(v);
    return status;
}

/* --- the figure -------------------------------------------------------------------------- */

static void lay_grid(experiment *e)
{
    for (int i = 0; i < ARROWS; i++) {
        double y = 0.96 * EDGE_Y * (2.0 * (i % SIDE) / (SIDE - 1) - 1);
        double x = 0.96 * EDGE_X * (2.0 * (i / SIDE) / (SIDE - 1) - 1);
        /* Within 2.3 deviations: beyond, a network has only been left alone. */
        double off = x - SLOPE * y;
        if (y * y + off * off > 2.3 * 2.3) continue;
        e->grid[0][e->arrows] = y;
        e->grid[1][e->arrows++] = x;
    }
    for (int i = 0; i < POINTS; i++) {
        e->point[0][i] = (double)e->held_out.y[i];
        e->point[1][i] = (double)e->held_out.x[i];
    }
}

static zf_status draw_arrows(experiment *e, int which, const zf_flow *flow)
{
    double x[ARROWS], y[ARROWS], f[ARROWS], v[ARROWS];
    for (size_t i = 0; i < e->arrows; i++) {
        y[i] = e->grid[0][i];
        x[i] = e->grid[1][i];
        f[i] = encodings[which].f(e->grid[0][i]);
    }
    ZF_TRY(zf_flow_velocity(flow, 0.5, x, f, y, e->arrows, v));
    for (size_t i = 0; i < e->arrows; i++) e->arrow[which][i] = ARROW * (double)v[i];
    return ZF_OK;
}

static zf_status draw(const zf_study *study, const experiment *e)
{
    zf_axis across = {.label = "Y", .low = -EDGE_Y, .high = EDGE_Y};
    zf_axis up = {.label = "X", .low = -EDGE_X, .high = EDGE_X}, nameless = up;
    nameless.label = NULL;
    const zf_layer points = {"data", ZF_LAYER_POINTS, e->point[0], e->point[1], NULL,
                             NULL,   POINTS,          1,           false};
    zf_layer fields[CASES];
    zf_plane planes[1 + CASES] = {{"X = 0.5 Y + N(0, 1)", across, up, &points, 1}};
    for (int i = 0; i < CASES; i++) {
        fields[i] = (zf_layer){.name = "velocity at t = 0.5",
                               .kind = ZF_LAYER_ARROWS,
                               .x = e->grid[0],
                               .y = e->grid[1],
                               .dx = e->still,
                               .dy = e->arrow[i],
                               .n = e->arrows,
                               .colour = 2};
        planes[1 + i] = (zf_plane){encodings[i].title, across, nameless, &fields[i], 1};
    }
    const zf_plane_row row = {NULL, planes, 1 + CASES};
    char path[PATH_MAX], caption[400];
    snprintf(caption, sizeof caption,
             "Conditional flows of X given Y and f(Y), %s. Mean |v|² at t = 0.5 over held-out "
             "rows: %.3f with sin(2Y), %.5f with σ(−2Y), which is %.0f times less.",
             zf_plural(e->iterations, "iteration").text, e->square[0], e->square[1], e->ratio);
    zf_figure figure = {
        .title = "Sufficient or not: the flow halfway", .caption = caption, .width = 1000};
    ZF_TRY(study_path(study, path, "sufficiency"));
    return zf_plot_planes(path, &figure, &row, 1);
}

/* --- what is printed ----------------------------------------------------------------------- */

static json_t *json(const zf_study *study, const void *found)
{
    const experiment *e = found;
    json_t *object = study_json(study), *list = json_array();
    for (int i = 0; i < CASES; i++)
        zf_answer_add(list,
                      json_pack("{s:s s:b s:o}", "f", encodings[i].name, "sufficient",
                                encodings[i].sufficient, "zero", zf_answer_number(e->square[i])));
    zf_answer_set(object, "iterations", json_integer((json_int_t)e->iterations));
    zf_answer_set(object, "cases", list);
    zf_answer_set(object, "ratio", zf_answer_number(e->ratio));
    return object;
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const experiment *e = found;
    FILE *out = page->out;
    fprintf(out,
            "Sufficient or not: X = 0.5 Y + N(0, 1), conditional flows at t = 0.5,\n"
            "%s, %s; %s held out\n\n",
            zf_plural(ROWS, "row").text, zf_plural(e->iterations, "iteration").text,
            zf_plural(HELD_OUT, "row").text);
    fprintf(out, "  %s%-14s %-11s %12s%s\n", page->bold, "f(Y)", "sufficient", "mean |v|^2",
            page->plain);
    for (int i = 0; i < CASES; i++)
        fprintf(out, "  %-14s %-11s %12.6f\n", encodings[i].name,
                encodings[i].sufficient ? "yes" : "no", e->square[i]);
    fprintf(
        out,
        "\nThe first is %.0f times the second. The paper shows the figure without numbers: with\n"
        "sigmoid(-2Y) the velocity is \"0 almost everywhere\", with sin(2Y) it is not.\n",
        e->ratio);
    study_print_files(study, page, "sufficiency");
}

/* --- the runs ------------------------------------------------------------------------------ */

static zf_status try_encoding(zf_study *study, experiment *e, int which)
{
    zf_flow *flow = NULL;
    encode(&e->seen, &encodings[which]);
    encode(&e->held_out, &encodings[which]);
    zf_status status = learn(study, &flow, &e->seen, e->iterations);
    if (status == ZF_OK) status = measure(&e->square[which], flow, &e->held_out);
    if (status == ZF_OK) status = draw_arrows(e, which, flow);
    zf_flow_free(flow);
    if (status != ZF_OK) return status;
    return study_run(study, "%s,%s,%.8f", encodings[which].name,
                     encodings[which].sufficient ? "yes" : "no", e->square[which]);
}

static zf_status run(zf_study *study, void *found)
{
    experiment *e = found;
    e->iterations = study_once(study, ITERATIONS);
    study_plan_work(study, 1, e->iterations, CASES);
    ZF_TRY(draw_rows(&e->seen, ROWS, study->seed, 10));
    ZF_TRY(draw_rows(&e->held_out, HELD_OUT, study->seed, 20));
    lay_grid(e);
    ZF_TRY(study_begin_runs(study, "f,sufficient,mean_square"));
    for (int i = 0; i < CASES; i++) ZF_TRY(try_encoding(study, e, i));
    e->ratio = e->square[0] / e->square[1];
    return draw(study, e);
}

static void release(void *found)
{
    experiment *e = found;
    free_rows(&e->seen);
    free_rows(&e->held_out);
}

const zf_reproduction reproduce_sufficiency = {
    .scale = 1,
    .found_size = sizeof(experiment),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
