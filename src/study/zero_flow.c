/* The zero-flow phenomenon (figure 1 and appendix A): a rectified flow from a Gaussian
   mixture to the same mixture. Pairs cross the plane, points go to the middle and come
   back, and halfway nothing moves. The paper does not say which mixture; this one has
   four parts on the corners of a square. */
#include <math.h>
#include <stdlib.h>

#include "study/study.h"
#include "zeroflow/flow.h"
#include "zeroflow/plot.h"

enum {
    ROWS = 100000, /* of each sample */
    HELD_OUT = 4000,
    ITERATIONS = 2500,
    TIMES = 21,    /* at which speeds are measured */
    SNAPSHOTS = 5, /* among them, every SPACING-th */
    SPACING = (TIMES - 1) / (SNAPSHOTS - 1),
    POINTS = 250, /* that are drawn */
    PATHS = 80,   /* of these, with their way */
    PIECES = 40,  /* of a way */
    SIDE = 13,    /* of the grid of arrows */
    ARROWS = SIDE * SIDE,
};

static const double CORNER = 1.5, DEVIATION = 0.45, EDGE = 3.4, ARROW = 0.16;

typedef struct phenomenon {
    double *from, *to;      /* [ROWS * 2] */
    double *first, *second; /* held-out pairs, [HELD_OUT * 2] */
    double *scratch;        /* [3 * HELD_OUT * 2] */
    zf_flow *flow;
    zf_flow_summary summary;
    double time[TIMES], speed[TIMES];
    double mirrored[TIMES]; /* correlation of v_t with -v_{1-t}; NaN at 0.5 */
    double ratio, antisymmetry;
} phenomenon;

/* What is drawn. */
typedef struct figures {
    double pair_x[3 * PATHS], pair_y[3 * PATHS]; /* two ends and a gap each */
    double first[2][POINTS], second[2][POINTS];
    double path_x[PATHS * (PIECES + 2)], path_y[PATHS * (PIECES + 2)];
    double snapshot[SNAPSHOTS][2][POINTS];
    double grid[2][ARROWS], arrow[SNAPSHOTS][2][ARROWS];
} figures;

/* --- the numbers ----------------------------------------------------------------------- */

/* A corner by the signs of two normal values, a place about it by two more. */
static zf_status draw_mixture(double *values, size_t n, uint64_t seed, uint32_t stream)
{
    double *normals = malloc(4 * n * sizeof *normals);
    if (!normals) return zf_fail(ZF_ENOMEM, "out of memory");
    zf_generate_normals(normals, 4 * n, seed, stream);
    for (size_t i = 0; i < 2 * n; i++)
        values[i] =
            (copysign(CORNER, (double)normals[2 * i]) + DEVIATION * (double)normals[2 * i + 1]);
    free(normals);
    return ZF_OK;
}

static zf_status draw_samples(phenomenon *p, uint64_t seed)
{
    p->from = malloc(2 * ROWS * sizeof *p->from);
    p->to = malloc(2 * ROWS * sizeof *p->to);
    p->first = malloc(2 * HELD_OUT * sizeof *p->first);
    p->second = malloc(2 * HELD_OUT * sizeof *p->second);
    p->scratch = malloc(6 * HELD_OUT * sizeof *p->scratch);
    if (!p->from || !p->to || !p->first || !p->second || !p->scratch)
        return zf_fail(ZF_ENOMEM, "out of memory");
    ZF_TRY(draw_mixture(p->from, ROWS, seed, 0));
    ZF_TRY(draw_mixture(p->to, ROWS, seed, 1));
    ZF_TRY(draw_mixture(p->first, HELD_OUT, seed, 2));
    return draw_mixture(p->second, HELD_OUT, seed, 3);
}

static zf_status learn(zf_study *study, phenomenon *p)
{
    zf_flow_options wish = zf_flow_defaults();
    wish.iterations = study_once(study, ITERATIONS);
    wish.seed = study->seed;
    wish.threads = study->threads;
    study_plan_work(study, 1, wish.iterations, 1);
    wish.report = study_begin_fit(study, 1);
    zf_flow_sample from = {p->from, ROWS, 2}, to = {p->to, ROWS, 2};
    zf_status status = zf_flow_fit(&p->flow, &p->summary, from, to, &wish);
    return study_end_fit(study, status, wish.iterations);
}

/* Sums of products of v_t and -v_{1-t}, for their correlation. */
typedef struct products {
    double n, a, b, aa, bb, ab;
} products;

static void add_products(products *sums, const double *v, const double *mirror, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double a = (double)v[i], b = -(double)mirror[i];
        sums->n++;
        sums->a += a, sums->b += b;
        sums->aa += a * a, sums->bb += b * b, sums->ab += a * b;
    }
}

static double correlation(const products *s)
{
    double a = s->aa / s->n - s->a * s->a / (s->n * s->n);
    double b = s->bb / s->n - s->b * s->b / (s->n * s->n);
    return (s->ab / s->n - s->a * s->b / (s->n * s->n)) / sqrt(a * b);
}

/* Speeds and mirrored velocities at held-out points on their way at each time. */
static zf_status measure(phenomenon *p)
{
    double *at = p->scratch, *v = at + 2 * HELD_OUT, *mirror = v + 2 * HELD_OUT;
    products all = {0};
    for (int k = 0; k < TIMES; k++) {
        double t = p->time[k] = (double)k / (TIMES - 1), sum = 0;
        products here = {0};
        for (size_t i = 0; i < 2 * HELD_OUT; i++)
            at[i] = ((1 - t) * (double)p->first[i] + t * (double)p->second[i]);
        ZF_TRY(zf_flow_velocity(p->flow, t, at, NULL, NULL, HELD_OUT, v));
        ZF_TRY(zf_flow_velocity(p->flow, 1 - t, at, NULL, NULL, HELD_OUT, mirror));
        for (size_t i = 0; i < HELD_OUT; i++) sum += hypot((double)v[2 * i], (double)v[2 * i + 1]);
        p->speed[k] = sum / HELD_OUT;
        add_products(&here, v, mirror, 2 * HELD_OUT);
        p->mirrored[k] = 2 * k == TIMES - 1 ? NAN : correlation(&here);
        if (2 * k < TIMES - 1) add_products(&all, v, mirror, 2 * HELD_OUT);
    }
    p->ratio = p->speed[TIMES / 2] / p->speed[0];
    p->antisymmetry = correlation(&all);
    return ZF_OK;
}

static zf_status write_runs(zf_study *study, const phenomenon *p)
{
    ZF_TRY(study_begin_runs(study, "time,speed,correlation_with_mirrored"));
    for (int k = 0; k < TIMES; k++) {
        if (isnan(p->mirrored[k]))
            ZF_TRY(study_run(study, "%.2f,%.6f,", p->time[k], p->speed[k]));
        else
            ZF_TRY(study_run(study, "%.2f,%.6f,%.6f", p->time[k], p->speed[k], p->mirrored[k]));
    }
    return ZF_OK;
}

/* --- the figures ------------------------------------------------------------------------ */

static void split(double to[2][POINTS], const double *points)
{
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < 2; j++) to[j][i] = (double)points[2 * i + j];
}

static void draw_pairs(figures *d, const phenomenon *p)
{
    split(d->first, p->first);
    split(d->second, p->second);
    for (int i = 0; i < PATHS; i++) {
        d->pair_x[3 * i] = d->first[0][i], d->pair_y[3 * i] = d->first[1][i];
        d->pair_x[3 * i + 1] = d->second[0][i], d->pair_y[3 * i + 1] = d->second[1][i];
        d->pair_x[3 * i + 2] = d->pair_y[3 * i + 2] = NAN;
    }
}

/* Carries the first points along, piece by piece. */
static zf_status follow(figures *d, const phenomenon *p)
{
    double at[2 * POINTS];
    for (int i = 0; i < 2 * POINTS; i++) at[i] = p->first[i];
    for (int k = 0; k <= PIECES; k++) {
        for (int i = 0; i < PATHS; i++) {
            d->path_x[i * (PIECES + 2) + k] = (double)at[2 * i];
            d->path_y[i * (PIECES + 2) + k] = (double)at[2 * i + 1];
        }
        if (k % (PIECES / (SNAPSHOTS - 1)) == 0)
            split(d->snapshot[k / (PIECES / (SNAPSHOTS - 1))], at);
        zf_transport_options way = {.struct_size = sizeof way,
                                    .from = (double)k / PIECES,
                                    .to = (double)(k + 1) / PIECES,
                                    .steps = 4};
        if (k < PIECES) ZF_TRY(zf_flow_transport(p->flow, at, NULL, NULL, POINTS, &way, at, NULL));
    }
    for (int i = 0; i < PATHS; i++)
        d->path_x[i * (PIECES + 2) + PIECES + 1] = d->path_y[i * (PIECES + 2) + PIECES + 1] = NAN;
    return ZF_OK;
}

static zf_status draw_arrows(figures *d, const phenomenon *p)
{
    double grid[2 * ARROWS], v[2 * ARROWS];
    for (int i = 0; i < ARROWS; i++) {
        d->grid[0][i] = 0.94 * EDGE * (2.0 * (i % SIDE) / (SIDE - 1) - 1);
        d->grid[1][i] = 0.94 * EDGE * (2.0 * (i / SIDE) / (SIDE - 1) - 1);
        grid[2 * i] = d->grid[0][i];
        grid[2 * i + 1] = d->grid[1][i];
    }
    for (int k = 0; k < SNAPSHOTS; k++) {
        double t = p->time[k * SPACING];
        ZF_TRY(zf_flow_velocity(p->flow, t, grid, NULL, NULL, ARROWS, v));
        for (int i = 0; i < ARROWS; i++)
            for (int j = 0; j < 2; j++) d->arrow[k][j][i] = ARROW * (double)v[2 * i + j];
    }
    return ZF_OK;
}

static zf_plane plane_of(const char *title, const zf_layer *layers, size_t n)
{
    zf_axis axis = {.low = -EDGE, .high = EDGE};
    return (zf_plane){.title = title, .x = axis, .y = axis, .layers = layers, .n_layers = n};
}

static zf_status draw_figure(const zf_study *study, const phenomenon *p, const figures *d)
{
    const zf_layer pairs[] = {
        {"pairs", ZF_LAYER_PATHS, d->pair_x, d->pair_y, NULL, NULL, 3 * PATHS, -1, false},
        {"X", ZF_LAYER_POINTS, d->first[0], d->first[1], NULL, NULL, POINTS, 1, false},
        {"X'", ZF_LAYER_POINTS, d->second[0], d->second[1], NULL, NULL, POINTS, 3, false}};
    const zf_layer ways[] = {
        {"trajectories", ZF_LAYER_PATHS, d->path_x, d->path_y, NULL, NULL, PATHS * (PIECES + 2), 2,
         false},
        {NULL, ZF_LAYER_POINTS, d->first[0], d->first[1], NULL, NULL, PATHS, 1, false}};
    const zf_layer speed = {NULL, ZF_LAYER_PATHS, p->time, p->speed, NULL, NULL, TIMES, 2, false};
    zf_layer snapshots[SNAPSHOTS], fields[SNAPSHOTS][2];
    zf_plane top[3] = {plane_of("(a) Independent coupling", pairs, 3),
                       plane_of("(b) Trajectories", ways, 2),
                       {.title = "Mean speed",
                        .x = {.label = "t", .low = 0, .high = 1},
                        .y = {.low = 0, .high = 1.1 * p->speed[0]},
                        .layers = &speed,
                        .n_layers = 1}};
    zf_plane middle[SNAPSHOTS], bottom[SNAPSHOTS];
    static const char *const titles[SNAPSHOTS] = {"t = 0", "t = 0.25", "t = 0.5", "t = 0.75",
                                                  "t = 1"};
    for (int k = 0; k < SNAPSHOTS; k++) {
        snapshots[k] = (zf_layer){.kind = ZF_LAYER_POINTS,
                                  .x = d->snapshot[k][0],
                                  .y = d->snapshot[k][1],
                                  .n = POINTS,
                                  .colour = 1};
        fields[k][0] = (zf_layer){
            .kind = ZF_LAYER_POINTS, .x = d->first[0], .y = d->first[1], .n = POINTS, .colour = 1};
        fields[k][1] = (zf_layer){.name = "velocity",
                                  .kind = ZF_LAYER_ARROWS,
                                  .x = d->grid[0],
                                  .y = d->grid[1],
                                  .dx = d->arrow[k][0],
                                  .dy = d->arrow[k][1],
                                  .n = ARROWS,
                                  .colour = 2};
        middle[k] = plane_of(titles[k], &snapshots[k], 1);
        bottom[k] = plane_of(titles[k], fields[k], 2);
    }
    const zf_plane_row rows[] = {
        {NULL, top, 3},
        {"(c) Where the points are", middle, SNAPSHOTS},
        {"(d) Velocities, over points of the distribution", bottom, SNAPSHOTS}};
    char path[PATH_MAX], caption[400];
    snprintf(caption, sizeof caption,
             "A rectified flow from a mixture of four Gaussians to itself, %s. Its mean speed at "
             "t = 0.5 is %.1f %% of that at t = 0, and velocities at t and 1 − t are opposite: "
             "their correlation is −%.4f.",
             zf_plural(p->summary.iterations, "iteration").text, 100 * p->ratio, p->antisymmetry);
    zf_figure figure = {.title = "The zero-flow phenomenon", .caption = caption, .width = 1000};
    ZF_TRY(study_path(study, path, "zero-flow"));
    return zf_plot_planes(path, &figure, rows, 3);
}

static zf_status draw(const zf_study *study, const phenomenon *p)
{
    figures *d = calloc(1, sizeof *d);
    if (!d) return zf_fail(ZF_ENOMEM, "out of memory");
    draw_pairs(d, p);
    zf_status status = follow(d, p);
    if (status == ZF_OK) status = draw_arrows(d, p);
    if (status == ZF_OK) status = draw_figure(study, p, d);
    free(d);
    return status;
}

/* --- what is printed ----------------------------------------------------------------------- */

static json_t *json(const zf_study *study, const void *found)
{
    const phenomenon *p = found;
    json_t *object = study_json(study), *times = json_array(), *norms = json_array();
    for (int k = 0; k < TIMES; k++) {
        zf_answer_add(times, zf_answer_number(p->time[k]));
        zf_answer_add(norms, zf_answer_number(p->speed[k]));
    }
    zf_answer_set(object, "iterations", json_integer((json_int_t)p->summary.iterations));
    zf_answer_set(object, "times", times);
    zf_answer_set(object, "norms", norms);
    zf_answer_set(object, "ratio", zf_answer_number(p->ratio));
    zf_answer_set(object, "antisymmetry", zf_answer_number(p->antisymmetry));
    return object;
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const phenomenon *p = found;
    FILE *out = page->out;
    fprintf(out,
            "The zero-flow phenomenon: a flow from a mixture of four Gaussians to itself,\n"
            "%s a sample, %s; %s held out\n\n",
            zf_plural(ROWS, "point").text, zf_plural(p->summary.iterations, "iteration").text,
            zf_plural(HELD_OUT, "pair").text);
    fprintf(out, "  %s   t  mean |v|  share of t = 0  correlation of v_t with -v_(1-t)%s\n",
            page->bold, page->plain);
    for (int k = 0; k < TIMES; k += 2) {
        fprintf(out, "  %4.2f  %8.4f  %14.3f  ", p->time[k], p->speed[k],
                p->speed[k] / p->speed[0]);
        if (isnan(p->mirrored[k]))
            fputs("-\n", out);
        else
            fprintf(out, "%.4f\n", p->mirrored[k]);
    }
    fprintf(
        out,
        "\nSpeed at t = 0.5: %.1f %% of that at t = 0 (0 in theory). Antisymmetry, the "
        "correlation\n"
        "over all times: %.4f (1 in theory). The paper shows the figure without numbers: \"the\n"
        "flow becomes stationary almost everywhere\".\n",
        100 * p->ratio, p->antisymmetry);
    study_print_files(study, page, "zero-flow");
}

static zf_status run(zf_study *study, void *found)
{
    phenomenon *p = found;
    ZF_TRY(draw_samples(p, study->seed));
    ZF_TRY(learn(study, p));
    ZF_TRY(measure(p));
    ZF_TRY(write_runs(study, p));
    return draw(study, p);
}

static void release(void *found)
{
    phenomenon *p = found;
    zf_flow_free(p->flow);
    free(p->from);
    free(p->to);
    free(p->first);
    free(p->second);
    free(p->scratch);
}

const zf_reproduction reproduce_zero_flow = {
    .scale = 1,
    .found_size = sizeof(phenomenon),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
