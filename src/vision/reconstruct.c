/* A decoder on frozen features (zeroflow/reconstruct.h).

   A step takes images with replacement, reads and marks them, and compares them with
   what the decoder makes of their standardised features. In the end batch norm uses its
   running statistics, so that an image does not depend on those decoded with it. */
#include "zeroflow/reconstruct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/finite.h"
#include "base/grow.h"
#include "base/progress.h"
#include "base/random.h"
#include "kernel/reduce.h"
#include "net/image.h"
#include "op/ops.h"
#include "probe/data.h"
#include "probe/scaling.h"
#include "train/fit.h"
#include "train/limits.h"

enum { COLOURS = 3, BLOCK_PIXELS = 256 * 32 * 32, BLOCK_LEAST = 8, BLOCK_MOST = 256 };

struct zf_reconstructor {
    zf_image_shape shape;
    zf_scaling scaling;
    zf_params *params;
    float *mean; /* [3, S, S], of the images trained on */
    zf_arena arena;
};

static size_t image_floats(const zf_reconstructor *r)
{
    return COLOURS * (size_t)r->shape.size * (size_t)r->shape.size;
}

/* --- the network with its inputs -------------------------------------------------------- */

typedef struct work {
    const zf_reconstructor *r;
    zf_crew *crew;
    zf_program *program;
    zf_domain *rows;
    zf_node *code, *target, *decoded, *loss;
    int block;        /* rows at most */
    uint8_t *pixels;  /* [block, 3, S, S] */
    uint32_t *which;  /* [block], of the set */
    uint32_t *chosen; /* [block], rows of the features */
} work;

static zf_status new_work(work *w, const zf_reconstructor *r, zf_crew *crew, int block, bool train)
{
    const zf_image_shape *p = &r->shape;
    *w = (work){.r = r, .crew = crew, .block = block};
    ZF_TRY(zf_program_new(&w->program, r->params));
    zf_program_allow_quick_products(w->program);
    w->rows = zf_program_domain(w->program, "images", block, zf_image_shards(block, p->size));
    w->code = zf_input(w->program, w->rows, ZF_F32, zf_shape_of(p->dim));
    w->decoded = zf_image_decoder(w->code, "decoder", p);
    if (train) {
        w->target = zf_input(w->program, w->rows, ZF_F32, zf_shape_of(COLOURS, p->size, p->size));
        w->loss = zf_squared_error(w->decoded, w->target, NULL, ZF_MEAN);
    }
    zf_node *output = train ? w->loss : w->decoded;
    ZF_TRY(zf_program_plan(w->program, w->loss, &output, output ? 1 : 0, zf_crew_size(crew)));
    w->pixels = malloc((size_t)block * image_floats(r));
    w->which = malloc((size_t)block * sizeof *w->which);
    w->chosen = malloc((size_t)block * sizeof *w->chosen);
    if (!w->pixels || !w->which || !w->chosen)
        return zf_fail_memory((size_t)block * image_floats(r));
    return ZF_OK;
}

static void free_work(work *w)
{
    zf_program_free(w->program);
    free(w->pixels);
    free(w->which);
    free(w->chosen);
}

/* What is made of w->chosen rows of a set: their images as floats, and their codes. */
typedef struct showing {
    const work *w;
    const zf_coded_images *set;
    float *images; /* [rows, 3, S, S] */
    float *codes;  /* [rows, dim]; NULL: not wanted */
} showing;

static void show_one(void *context, int row)
{
    const showing *s = context;
    const zf_reconstructor *r = s->w->r;
    size_t size = image_floats(r), dim = s->set->dim, i = (size_t)row;
    zf_view_plain(s->images + i * size, s->w->pixels + i * size, r->shape.size, &s->set->views,
                  s->w->which[i]);
    if (s->codes)
        zf_scaling_apply(&r->scaling, s->codes + i * dim, s->set->features + s->w->chosen[i] * dim,
                         1);
}

static zf_status show(work *w, const zf_coded_images *set, float *images, float *codes, int rows)
{
    showing s = {w, set, images, codes};
    for (int i = 0; i < rows; i++) w->which[i] = set->which[w->chosen[i]];
    ZF_TRY(zf_images_read(set->images, w->which, (size_t)rows, w->pixels));
    zf_crew_run_rows(w->crew, ZF_HEAVY_ROWS, rows, show_one, &s);
    return ZF_OK;
}

/* --- checks ----------------------------------------------------------------------------- */

void zf_reconstruct_options_init(zf_reconstruct_options *options, size_t size)
{
    const zf_reconstruct_options all = {.iterations = 3000, .batch = 256, .rate = 1e-3};
    zf_give(options, size, &all, sizeof all);
}

static zf_status check_set(const zf_coded_images *set)
{
    ZF_TRY(zf_probe_check_rows(set->features, set->count, set->dim, "features"));
    for (size_t i = 0; i < set->count; i++)
        if (set->which[i] >= zf_images_count(set->images))
            return zf_fail(ZF_EINVAL, "image %u is beyond the set of %zu", (unsigned)set->which[i],
                           zf_images_count(set->images));
    return zf_view_check(&set->views);
}

static zf_status check_test(const zf_reconstructor *r, const zf_coded_images *test)
{
    ZF_TRY(check_set(test));
    if (zf_images_size(test->images) != r->shape.size || test->dim != (size_t)r->shape.dim)
        return zf_fail(ZF_EINVAL,
                       "expected images of %d pixels with %d features, as the decoder was "
                       "trained on, found %d and %zu",
                       r->shape.size, r->shape.dim, zf_images_size(test->images), test->dim);
    return ZF_OK;
}

/* --- training --------------------------------------------------------------------------- */

typedef struct fitting {
    zf_reconstructor *r;
    const zf_coded_images *train;
    zf_reconstruct_options options;
    work work;
    zf_status reading; /* of the images of a step */
} fitting;

static zf_status make(fitting *f)
{
    const zf_coded_images *train = f->train;
    zf_reconstructor *r = f->r;
    r->shape = (zf_image_shape){.channels = COLOURS,
                                .size = zf_images_size(train->images),
                                .hidden = 1,
                                .dim = (int)train->dim};
    ZF_TRY(zf_image_shape_check(&r->shape));
    ZF_TRY(zf_scaling_find(&r->scaling, train->features, train->count, train->dim, &r->arena));
    r->mean = zf_arena_get(&r->arena, image_floats(r) * sizeof(float));
    if (!r->mean) return ZF_ENOMEM;
    return zf_params_new(&r->params, f->options.seed);
}

/* Over all of them, block by block in the buffers of a step. */
static zf_status find_mean(fitting *f)
{
    size_t size = image_floats(f->r), count = f->train->count, block = (size_t)f->work.block;
    float *images = zf_node_value(f->work.target);
    double *sums = calloc(size, sizeof *sums);
    if (!sums) return zf_fail_memory(size * sizeof *sums);
    zf_status status = ZF_OK;
    zf_pace pace = zf_pace_begin(&f->options.report, 1);
    pace.rows = 1, pace.unit = pace.things = "images";
    for (size_t first = 0; first < count && status == ZF_OK; first += block) {
        size_t rows = count - first < block ? count - first : block;
        for (size_t i = 0; i < rows; i++) f->work.chosen[i] = (uint32_t)(first + i);
        status = show(&f->work, f->train, images, NULL, (int)rows);
        for (size_t i = 0; i < rows && status == ZF_OK; i++)
            for (size_t k = 0; k < size; k++) sums[k] += (double)images[i * size + k];
        if (status == ZF_OK) status = zf_pace_tell(&pace, first + rows, count);
    }
    for (size_t k = 0; k < size; k++) f->r->mean[k] = (float)(sums[k] / (double)count);
    free(sums);
    return status;
}

static void prepare(void *context, uint64_t step, zf_crew *crew)
{
    (void)crew;
    fitting *f = context;
    work *w = &f->work;
    zf_random_bootstrap(f->options.seed, step, (uint32_t)f->train->count, w->chosen,
                        (size_t)w->block);
    if (f->reading == ZF_OK)
        f->reading = show(w, f->train, zf_node_value(w->target), zf_node_value(w->code), w->block);
}

static zf_status build(void *context, zf_fitting *common)
{
    fitting *f = context;
    const zf_reconstruct_options *o = &f->options;
    ZF_TRY(new_work(&f->work, f->r, common->crew, o->batch, true));
    ZF_TRY(find_mean(f));
    common->optimiser.groups[0].decay = 0;
    common->training = (zf_training){
        .program = f->work.program,
        .schedule = zf_schedule_to_rest(o->rate, o->iterations),
        .steps = o->iterations,
        .prepare = prepare,
        .context = f,
        .rows = o->batch,
        .watches = {{"mse", f->work.loss}},
        .n_watches = 1,
        .report = o->report,
    };
    return ZF_OK;
}

static zf_status start(fitting *f)
{
    zf_reconstruct_options *o = &f->options;
    ZF_TRY(check_set(f->train));
    if (o->batch > 0 && (size_t)o->batch > f->train->count) o->batch = (int)f->train->count;
    ZF_TRY(zf_training_check(&(zf_training_numbers){
        .iterations = o->iterations, .batch = o->batch, .hidden = 1, .rate = o->rate}));
    f->r = calloc(1, sizeof *f->r);
    if (!f->r) return zf_fail_memory(sizeof *f->r);
    return make(f);
}

zf_status zf_reconstruct_fit(zf_reconstructor **out, const zf_coded_images *images,
                             const zf_reconstruct_options *given)
{
    zf_reconstruct_options known = zf_reconstruct_defaults();
    const zf_reconstruct_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "reconstruct"));
    fitting f = {.train = images, .options = *options};
    zf_fitting common = {0};
    zf_status status = start(&f);
    if (status == ZF_OK) status = zf_fitting_run(&common, f.options.threads, build, &f);
    if (f.reading != ZF_OK) status = f.reading;
    free_work(&f.work);
    zf_fitting_free(&common);
    if (status == ZF_OK)
        *out = f.r;
    else
        zf_reconstructor_free(f.r);
    return status;
}

void zf_reconstructor_free(zf_reconstructor *decoder)
{
    if (!decoder) return;
    zf_params_free(decoder->params);
    zf_arena_free(&decoder->arena);
    free(decoder);
}

/* --- asking it ---------------------------------------------------------------------------- */

/* Rows at a time: by the memory that they take. */
static int block_of(const zf_reconstructor *r)
{
    int rows = BLOCK_PIXELS / (r->shape.size * r->shape.size);
    return rows < BLOCK_LEAST ? BLOCK_LEAST : rows > BLOCK_MOST ? BLOCK_MOST : rows;
}

typedef struct asking {
    work work;
    zf_crew *crew;
    float *images; /* [block, 3, S, S] */
} asking;

static zf_status begin(asking *a, const zf_reconstructor *r, int threads)
{
    int block = block_of(r);
    ZF_TRY(zf_crew_new(&a->crew, threads));
    ZF_TRY(new_work(&a->work, r, a->crew, block, false));
    a->images = zf_slab_new((size_t)block * image_floats(r) * sizeof(float));
    return a->images ? ZF_OK : ZF_ENOMEM;
}

static void end(asking *a)
{
    free_work(&a->work);
    free(a->images);
    zf_crew_free(a->crew);
}

static zf_status measure(asking *a, zf_reconstruct_error *out, const zf_coded_images *test)
{
    work *w = &a->work;
    size_t size = image_floats(w->r), block = (size_t)w->block;
    double squares = 0, floor = 0, values = (double)test->count * (double)size;
    for (size_t first = 0; first < test->count; first += block) {
        size_t rows = test->count - first < block ? test->count - first : block;
        for (size_t i = 0; i < rows; i++) w->chosen[i] = (uint32_t)(first + i);
        ZF_TRY(zf_domain_set_rows(w->rows, (int)rows));
        ZF_TRY(show(w, test, a->images, zf_node_value(w->code), (int)rows));
        zf_program_forward(w->program, a->crew, ZF_EVALUATE);
        squares +=
            zf_reduce()->squared_difference(zf_node_value(w->decoded), a->images, rows * size);
        for (size_t i = 0; i < rows; i++)
            floor += zf_reduce()->squared_difference(w->r->mean, a->images + i * size, size);
    }
    if (!isfinite(squares))
        return zf_fail(ZF_ENUMERIC,
                       "the error of the decoded images is %g, expected a finite "
                       "number",
                       squares);
    *out = (zf_reconstruct_error){.mse = squares / values, .mean = floor / values};
    return ZF_OK;
}

zf_status zf_reconstruct_measure(const zf_reconstructor *decoder, zf_reconstruct_error *out,
                                 const zf_coded_images *test, int threads)
{
    asking a = {0};
    ZF_TRY(check_test(decoder, test));
    zf_status status = begin(&a, decoder, threads);
    if (status == ZF_OK) status = measure(&a, out, test);
    end(&a);
    return status;
}

static zf_status decode(asking *a, float *images, const float *features, size_t n)
{
    work *w = &a->work;
    const zf_reconstructor *r = w->r;
    size_t size = image_floats(r), dim = (size_t)r->shape.dim, block = (size_t)w->block;
    for (size_t first = 0; first < n; first += block) {
        size_t rows = n - first < block ? n - first : block;
        ZF_TRY(zf_domain_set_rows(w->rows, (int)rows));
        zf_scaling_apply(&r->scaling, zf_node_value(w->code), features + first * dim, rows);
        zf_program_forward(w->program, a->crew, ZF_EVALUATE);
        memcpy(images + first * size, zf_node_value(w->decoded), rows * size * sizeof *images);
        ZF_TRY(zf_finite_check(NULL, &(zf_grid){.floats = images + first * size,
                                                .rows = rows,
                                                .columns = size,
                                                .row = "image",
                                                .column = "value",
                                                .before = first}));
    }
    return ZF_OK;
}

zf_status zf_reconstruct_decode(const zf_reconstructor *decoder, float *images,
                                const float *features, size_t n, int threads)
{
    asking a = {0};
    zf_status status = begin(&a, decoder, threads);
    if (status == ZF_OK) status = decode(&a, images, features, n);
    end(&a);
    return status;
}
