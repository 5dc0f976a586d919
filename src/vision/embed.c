/* Features, and decoded pictures, of any number of rows.

   A block has as many rows whatever is left, so that the memory of a run is bounded and
   a graph is planned once a call. A graph for the model itself, under a lock, was
   rejected: it would serialise callers that share a model. */
#include "vision/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "graph/graph.h"

enum { BLOCK_PIXELS = 256 * 32 * 32, BLOCK_LEAST = 8, BLOCK_MOST = 256, TASKS = 64 };

static int block_of(const zf_vision *model)
{
    int size = zf_vision_size(model), rows = BLOCK_PIXELS / (size * size);
    return rows < BLOCK_LEAST ? BLOCK_LEAST : rows > BLOCK_MOST ? BLOCK_MOST : rows;
}

/* Takes the rows' shape and builds the network on it. */
typedef zf_node *(*builder)(const zf_vision *model, zf_node *in);

static zf_status plan(zf_embedder *e, zf_shape row, builder build)
{
    ZF_TRY(zf_graph_new(&e->graph, e->model->params));
    e->block = block_of(e->model);
    e->rows = zf_graph_domain(e->graph, "pictures", e->block,
                              zf_picture_shards(e->block, zf_vision_size(e->model)));
    e->in = zf_input(e->graph, e->rows, ZF_F32, row);
    e->out = build(e->model, e->in);
    return zf_graph_plan(e->graph, NULL, &e->out, e->out ? 1 : 0, zf_crew_size(e->crew));
}

static zf_shape picture_shape(const zf_vision *model)
{
    const zf_picture_shape *p = &model->plan.step.picture;
    return zf_shape_of(p->channels, p->size, p->size);
}

zf_status zf_embedder_new(zf_embedder *embedder, const zf_vision *model, zf_crew *crew)
{
    size_t size = (size_t)zf_vision_size(model);
    zf_embedder e = {.model = model, .crew = crew};
    zf_status status = plan(&e, picture_shape(model), zf_vision_features);
    if (status == ZF_OK) {
        size_t bytes = (size_t)e.block * ZF_COLOURS * size * size;
        e.pixels = malloc(bytes);
        if (!e.pixels) status = zf_fail_memory(bytes);
    }
    if (status != ZF_OK) {
        zf_embedder_free(&e);
        return status;
    }
    *embedder = e;
    return ZF_OK;
}

void zf_embedder_free(zf_embedder *embedder)
{
    zf_graph_free(embedder->graph);
    free(embedder->pixels);
    *embedder = (zf_embedder){0};
}

/* --- rows that are at hand ------------------------------------------------------------- */

/* The rows of `from` through the network, to `to`. */
static zf_status run_rows(zf_embedder *e, float *to, const float *from, size_t n)
{
    size_t in = zf_shape_size(zf_node_shape(e->in)) / (size_t)e->block;
    size_t out = zf_shape_size(zf_node_shape(e->out)) / (size_t)e->block;
    for (size_t first = 0; first < n; first += (size_t)e->block) {
        size_t rows = n - first < (size_t)e->block ? n - first : (size_t)e->block;
        ZF_TRY(zf_domain_set_rows(e->rows, (int)rows));
        memcpy(zf_node_value(e->in), from + first * in, rows * in * sizeof *from);
        zf_graph_forward(e->graph, e->crew, ZF_EVALUATE);
        memcpy(to + first * out, zf_node_value(e->out), rows * out * sizeof *to);
    }
    return ZF_OK;
}

static zf_status through(const zf_vision *model, zf_shape row, builder build, float *to,
                         const float *from, size_t n, int threads)
{
    zf_embedder e = {.model = model};
    zf_crew *crew = NULL;
    ZF_TRY(zf_crew_new(&crew, threads));
    e.crew = crew;
    zf_status status = plan(&e, row, build);
    if (status == ZF_OK) status = run_rows(&e, to, from, n);
    zf_embedder_free(&e);
    zf_crew_free(crew);
    return status;
}

zf_status zf_vision_encode(const zf_vision *model, float *features, const float *pictures, size_t n,
                           int threads)
{
    return through(model, picture_shape(model), zf_vision_features, features, pictures, n, threads);
}

static zf_node *decode(const zf_vision *model, zf_node *code)
{
    return zf_picture_decoder(code, "decoder", &model->plan.step.picture);
}

zf_status zf_vision_decode(const zf_vision *model, float *pictures, const float *features, size_t n,
                           int threads)
{
    if (zf_vision_trained_by(model) != ZF_VISION_ZEROFLOW)
        return zf_fail(ZF_EINVAL, "a model of method %s has no decoder, expected one of %s",
                       zf_vision_method_name(zf_vision_trained_by(model)),
                       zf_vision_method_name(ZF_VISION_ZEROFLOW));
    return through(model, zf_shape_of(zf_vision_dim(model)), decode, pictures, features, n,
                   threads);
}

/* --- pictures of a set ------------------------------------------------------------------ */

typedef struct block {
    const zf_embedder *e;
    const zf_view_options *views;
    const uint32_t *which;
    int rows;
} block;

static void show_part(void *context, int task, int worker)
{
    (void)worker;
    const block *b = context;
    const zf_picture_shape *p = &b->e->model->plan.step.picture;
    size_t plane = (size_t)p->size * (size_t)p->size;
    for (int i = b->rows * task / TASKS; i < b->rows * (task + 1) / TASKS; i++)
        zf_vision_show(zf_node_value(b->e->in) + (size_t)i * (size_t)p->channels * plane, p,
                       b->views, b->e->pixels + (size_t)i * ZF_COLOURS * plane, b->which[i], -1, 0);
}

static zf_status run_block(zf_embedder *e, float *features, zf_images *images,
                           const zf_view_options *views, const uint32_t *which, int rows)
{
    block b = {e, views, which, rows};
    ZF_TRY(zf_images_read(images, which, (size_t)rows, e->pixels));
    ZF_TRY(zf_domain_set_rows(e->rows, rows));
    zf_crew_run(e->crew, TASKS, show_part, &b);
    zf_graph_forward(e->graph, e->crew, ZF_EVALUATE);
    memcpy(features, zf_node_value(e->out),
           (size_t)rows * (size_t)zf_vision_dim(e->model) * sizeof *features);
    return ZF_OK;
}

/* False: the user wants to stop. */
static bool tell(zf_report report, size_t done, size_t n, double seconds)
{
    if (!report.progress) return true;
    double rate = seconds > 0 ? (double)done / seconds : 0;
    zf_progress progress = {
        .step = done,
        .steps = n,
        .seconds = seconds,
        .rows_per_second = rate,
        .unit = "pictures",
        .seconds_left = rate > 0 ? (double)(n - done) / rate : -1,
    };
    return report.progress(report.context, &progress);
}

zf_status zf_embedder_run(zf_embedder *e, float *features, zf_images *images, const uint32_t *which,
                          size_t n, const zf_view_options *views, zf_report report)
{
    static const double PAUSE = 0.1;
    size_t dim = (size_t)zf_vision_dim(e->model), room = (size_t)e->block;
    double began = zf_clock_now(), told = began;
    uint32_t chosen[BLOCK_MOST];
    for (size_t first = 0; first < n; first += room) {
        size_t rows = n - first < room ? n - first : room;
        for (size_t i = 0; i < rows; i++)
            chosen[i] = which ? which[first + i] : (uint32_t)(first + i);
        ZF_TRY(run_block(e, features + first * dim, images, views, chosen, (int)rows));
        double now = zf_clock_now();
        if (now - told < PAUSE && first + rows < n) continue;
        told = now;
        if (!tell(report, first + rows, n, now - began) && first + rows < n)
            return zf_fail(ZF_EINTERRUPT, "interrupted after %zu of %zu pictures", first + rows, n);
    }
    return ZF_OK;
}

static zf_status check(const zf_vision *model, const zf_images *images, const uint32_t *which,
                       size_t n, const zf_view_options *views)
{
    if (zf_images_size(images) != zf_vision_size(model))
        return zf_fail(ZF_EINVAL, "pictures of %d x %d pixels, the model was trained on %d x %d",
                       zf_images_size(images), zf_images_size(images), zf_vision_size(model),
                       zf_vision_size(model));
    if (!which && n > zf_images_count(images))
        return zf_fail(ZF_EINVAL, "%zu pictures are asked for, the set has %zu", n,
                       zf_images_count(images));
    return zf_view_check(views);
}

zf_status zf_vision_embed(const zf_vision *model, float *features, zf_images *images,
                          const uint32_t *which, size_t n, const zf_view_options *views,
                          int threads, zf_report report)
{
    zf_embedder e = {0};
    zf_crew *crew = NULL;
    ZF_TRY(check(model, images, which, n, views));
    ZF_TRY(zf_crew_new(&crew, threads));
    zf_status status = zf_embedder_new(&e, model, crew);
    if (status == ZF_OK) status = zf_embedder_run(&e, features, images, which, n, views, report);
    zf_embedder_free(&e);
    zf_crew_free(crew);
    return status;
}
