/* Features, and decoded images, of any number of rows.

   A block has as many rows whatever is left, so that the memory of a run is bounded and
   a program is planned once a call. For a few images even that takes longer than the network:
   planned programs of FEW rows are kept by the model, of which each caller takes one for itself
   (base/spares.h). They keep its weights packed, and run on the caller's thread. */
#include "vision/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/finite.h"
#include "base/progress.h"
#include "engine/program.h"
#include "image/stream.h"

enum { BLOCK_PIXELS = 256 * 32 * 32, SHARD_TOKENS = 512 };
enum { BLOCK_LEAST = 8, BLOCK_MOST = 256, FEW = 8 };

/* --- the programs --------------------------------------------------------------------------- */

static bool takes_patches(const zf_vision *model)
{
    return zf_vision_trained_by(model) == ZF_VISION_MAE;
}

static int block_of(const zf_vision *model, size_t n)
{
    int size = zf_vision_size(model), rows = BLOCK_PIXELS / (size * size);
    rows = rows < BLOCK_LEAST ? BLOCK_LEAST : rows > BLOCK_MOST ? BLOCK_MOST : rows;
    return n < (size_t)rows ? (n < 1 ? 1 : (int)n) : rows;
}

/* A transformer's shards have so many tokens that the values of a layer stay in the cache. */
static int shards_of(const zf_vision *model, int rows)
{
    const zf_vision_step_options *o = &model->plan.step;
    if (!takes_patches(model)) return zf_image_shards(rows, zf_vision_size(model));
    int64_t tokens = (int64_t)rows * zf_vit_places(&o->vit, &o->image);
    int shards = (int)((tokens + SHARD_TOKENS - 1) / SHARD_TOKENS);
    return shards < rows ? shards : rows;
}

static zf_status begin(zf_embedder *e, const zf_vision *model, zf_crew *crew, size_t n)
{
    *e = (zf_embedder){.model = model, .crew = crew, .block = block_of(model, n)};
    ZF_TRY(zf_program_new(&e->program, model->params));
    zf_program_allow_quick_products(e->program); /* as in training */
    e->rows = zf_program_domain(e->program, "images", e->block, shards_of(model, e->block));
    return ZF_OK;
}

static zf_status end(zf_embedder *e)
{
    return zf_program_plan(e->program, NULL, &e->out, e->out ? 1 : 0, zf_crew_size(e->crew));
}

static size_t image_floats(const zf_vision *model)
{
    size_t size = (size_t)zf_vision_size(model);
    return (size_t)zf_vision_channels(model) * size * size;
}

/* All patches, in the order of their places. */
static zf_status plan_patches(zf_embedder *e)
{
    const zf_vision_step_options *o = &e->model->plan.step;
    int places = zf_vit_places(&o->vit, &o->image);
    zf_node *where = zf_input(e->program, e->rows, ZF_I32, zf_shape_of(places));
    e->in = zf_input(e->program, e->rows, ZF_F32,
                     zf_shape_of(places, zf_vit_values(&o->vit, &o->image)));
    e->out = zf_vit_features(zf_vit_encoder(e->in, where, &o->vit, &o->image));
    ZF_TRY(end(e));
    for (int i = 0; i < e->block * places; i++) zf_node_index(where)[i] = i % places;
    size_t bytes = (size_t)e->block * image_floats(e->model) * sizeof *e->images;
    e->images = zf_slab_new(bytes);
    return e->images ? ZF_OK : ZF_ENOMEM;
}

static zf_status plan_images(zf_embedder *e)
{
    const zf_image_shape *p = &e->model->plan.step.image;
    e->in = zf_input(e->program, e->rows, ZF_F32, zf_shape_of(p->channels, p->size, p->size));
    e->out = zf_image_encoder(e->in, p);
    return end(e);
}

static zf_status plan_encoding(zf_embedder *e)
{
    return takes_patches(e->model) ? plan_patches(e) : plan_images(e);
}

static zf_status plan_decoding(zf_embedder *e)
{
    const zf_image_shape *p = &e->model->plan.step.image;
    e->in = zf_input(e->program, e->rows, ZF_F32, zf_shape_of(p->dim));
    e->out = zf_image_decoder(e->in, "decoder", p);
    return end(e);
}

zf_status zf_embedder_new(zf_embedder *embedder, const zf_vision *model, zf_crew *crew, size_t n)
{
    zf_embedder e;
    zf_status status = begin(&e, model, crew, n);
    if (status == ZF_OK) status = plan_encoding(&e);
    if (status != ZF_OK) {
        zf_embedder_free(&e);
        return status;
    }
    *embedder = e;
    return ZF_OK;
}

void zf_embedder_free(zf_embedder *embedder)
{
    zf_program_free(embedder->program);
    free(embedder->images);
    free(embedder->pixels);
    *embedder = (zf_embedder){0};
}

void zf_embedder_drop(void *embedder)
{
    zf_embedder_free(embedder);
    free(embedder);
}

/* --- blocks of rows -------------------------------------------------------------------------- */

/* Where image i of a block is written; once it is, it has to be cut. */
static float *image_of(const zf_embedder *e, size_t i)
{
    return (e->images ? e->images : zf_node_value(e->in)) + i * image_floats(e->model);
}

static void cut(const zf_embedder *e, size_t i)
{
    const zf_vision_step_options *o = &e->model->plan.step;
    if (!e->images) return;
    int places = zf_vit_places(&o->vit, &o->image);
    size_t values = (size_t)zf_vit_values(&o->vit, &o->image);
    float *to = zf_node_value(e->in) + i * (size_t)places * values;
    for (int place = 0; place < places; place++, to += values)
        zf_vit_show(to, image_of(e, i), place, &o->vit, &o->image);
}

/* Runs so many rows of a block, which are filled, and gives the results; first: rows in
   blocks before. Weights may be finite and yet so large that the results are not. */
static zf_status run_block(zf_embedder *e, float *to, size_t first, size_t rows)
{
    size_t out = zf_shape_size(zf_node_shape(e->out)) / (size_t)e->block;
    ZF_TRY(zf_domain_set_rows(e->rows, (int)rows));
    zf_program_forward(e->program, e->crew, ZF_EVALUATE);
    memcpy(to, zf_node_value(e->out), rows * out * sizeof *to);
    return zf_finite_check(NULL, &(zf_grid){.floats = to,
                                            .rows = rows,
                                            .columns = out,
                                            .row = "image",
                                            .column = "value",
                                            .before = first});
}

static size_t block_from(const zf_embedder *e, size_t first, size_t n)
{
    return n - first < (size_t)e->block ? n - first : (size_t)e->block;
}

zf_status zf_embedder_encode(zf_embedder *e, float *features, const float *images, size_t n)
{
    size_t in = image_floats(e->model), dim = (size_t)zf_vision_dim(e->model);
    for (size_t first = 0; first < n; first += (size_t)e->block) {
        size_t rows = block_from(e, first, n);
        memcpy(image_of(e, 0), images + first * in, rows * in * sizeof *images);
        for (size_t i = 0; i < rows; i++) cut(e, i);
        ZF_TRY(run_block(e, features + first * dim, first, rows));
    }
    return ZF_OK;
}

/* One network and its results. */
typedef struct direction {
    zf_status (*plan)(zf_embedder *e);
    zf_status (*run)(zf_embedder *e, float *to, const float *from, size_t n);
} direction;

/* Is it done on the caller's thread, by what the model keeps? One image has work for one. */
static bool is_few(size_t n, int threads)
{
    return threads == 1 ? n <= FEW : threads >= 0 && n == 1;
}

static zf_status run_few(zf_spares *spares, const zf_vision *model, const direction *d, float *to,
                         const float *from, size_t n)
{
    zf_embedder *e = zf_spares_take(spares);
    zf_status status = ZF_OK;
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e) return zf_fail_memory(sizeof *e);
        status = begin(e, model, model->crew, FEW);
        if (status == ZF_OK) status = d->plan(e);
        if (status != ZF_OK) {
            zf_embedder_drop(e);
            return status;
        }
        zf_program_keep_prepared(e->program);
    }
    status = d->run(e, to, from, n);
    zf_spares_give(spares, e);
    return status;
}

static zf_status run_many(const zf_vision *model, const direction *d, float *to, const float *from,
                          size_t n, int threads)
{
    zf_embedder e = {0};
    zf_crew *crew = NULL;
    ZF_TRY(zf_crew_new(&crew, threads));
    zf_status status = begin(&e, model, crew, n);
    if (status == ZF_OK) status = d->plan(&e);
    if (status == ZF_OK) status = d->run(&e, to, from, n);
    zf_embedder_free(&e);
    zf_crew_free(crew);
    return status;
}

zf_status zf_vision_encode(const zf_vision *model, float *features, const float *images, size_t n,
                           int threads)
{
    static const direction encoding = {plan_encoding, zf_embedder_encode};
    zf_vision *m = (zf_vision *)model; /* the lock of the spares guards what changes */
    return is_few(n, threads) ? run_few(&m->encoders, model, &encoding, features, images, n)
                              : run_many(model, &encoding, features, images, n, threads);
}

static zf_status decode(zf_embedder *e, float *images, const float *features, size_t n)
{
    size_t out = image_floats(e->model), dim = (size_t)zf_vision_dim(e->model);
    for (size_t first = 0; first < n; first += (size_t)e->block) {
        size_t rows = block_from(e, first, n);
        memcpy(zf_node_value(e->in), features + first * dim, rows * dim * sizeof *features);
        ZF_TRY(run_block(e, images + first * out, first, rows));
    }
    return ZF_OK;
}

zf_status zf_vision_decode(const zf_vision *model, float *images, const float *features, size_t n,
                           int threads)
{
    static const direction decoding = {plan_decoding, decode};
    zf_vision *m = (zf_vision *)model;
    if (zf_vision_trained_by(model) != ZF_VISION_ZEROFLOW)
        return zf_fail(ZF_EINVAL, "a model of method %s has no decoder, expected one of %s",
                       zf_vision_method_name(zf_vision_trained_by(model)),
                       zf_vision_method_name(ZF_VISION_ZEROFLOW));
    return is_few(n, threads) ? run_few(&m->decoders, model, &decoding, images, features, n)
                              : run_many(model, &decoding, images, features, n, threads);
}

/* --- images of a set ------------------------------------------------------------------ */

typedef struct block {
    const zf_embedder *e;
    const zf_view_options *views;
    const uint32_t *which;
} block;

static void show_one(void *context, int row)
{
    const block *b = context;
    const zf_image_shape *p = &b->e->model->plan.step.image;
    size_t bytes = ZF_COLOURS * (size_t)p->size * (size_t)p->size, i = (size_t)row;
    zf_vision_show(image_of(b->e, i), p, b->views, b->e->pixels + i * bytes, b->which[i], -1, 0);
    cut(b->e, i);
}

static zf_status show_block(zf_embedder *e, bool *missing, zf_images *images,
                            const zf_view_options *views, const uint32_t *which, size_t rows)
{
    size_t size = (size_t)zf_vision_size(e->model);
    size_t bytes = (size_t)e->block * ZF_COLOURS * size * size;
    if (!e->pixels) e->pixels = malloc(bytes);
    if (!e->pixels) return zf_fail_memory(bytes);
    block b = {e, views, which};
    ZF_TRY(zf_images_read_left(images, which, rows, e->pixels, missing));
    zf_crew_run_rows(e->crew, ZF_HEAVY_ROWS, (int)rows, show_one, &b);
    return ZF_OK;
}

zf_status zf_embedder_run(zf_embedder *e, float *features, bool *missing, zf_images *images,
                          const uint32_t *which, size_t n, const zf_view_options *views,
                          zf_report report)
{
    size_t dim = (size_t)zf_vision_dim(e->model);
    zf_pace pace = zf_pace_begin(&report, 0);
    pace.rows = 1, pace.unit = pace.things = "images";
    uint32_t chosen[BLOCK_MOST];
    for (size_t first = 0; first < n; first += (size_t)e->block) {
        size_t rows = block_from(e, first, n);
        for (size_t i = 0; i < rows; i++)
            chosen[i] = which ? which[first + i] : (uint32_t)(first + i);
        ZF_TRY(show_block(e, missing ? missing + first : NULL, images, views, chosen, rows));
        ZF_TRY(run_block(e, features + first * dim, first, rows));
        if (first + rows < n) ZF_TRY(zf_pace_tell(&pace, first + rows, n));
    }
    zf_pace_end(&pace, n);
    return ZF_OK;
}

static zf_status check(const zf_vision *model, const zf_images *images, const uint32_t *which,
                       size_t n, const zf_view_options *views)
{
    if (zf_images_size(images) != zf_vision_size(model))
        return zf_fail(ZF_EINVAL, "images of %d x %d pixels, the model was trained on %d x %d",
                       zf_images_size(images), zf_images_size(images), zf_vision_size(model),
                       zf_vision_size(model));
    if (!which && n > zf_images_count(images))
        return zf_fail(ZF_EINVAL, "%zu images requested, the set has %zu", n,
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
    zf_status status = zf_embedder_new(&e, model, crew, n);
    if (status == ZF_OK)
        status = zf_embedder_run(&e, features, NULL, images, which, n, views, report);
    zf_embedder_free(&e);
    zf_crew_free(crew);
    return status;
}
