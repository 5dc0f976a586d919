/* Vision models: trained to the same bits however it is done, saved, read, asked; what is
   measured on the way; and what is refused. On small images of two classes, stripes that
   run one way or the other. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "vision/model.h"
#include "zeroflow/vision.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE, COUNT = 40, DIM = 6, FEATURES = COUNT * DIM };

/* --- images ----------------------------------------------------------------------------- */

/* An IDX file of n images and its labels; `labelled` 0: without them. */
static void write_stripes(const char *start, int n, int key, bool labelled)
{
    char name[64];
    size_t bytes = 16 + (size_t)n * PIXELS;
    unsigned char *file = calloc(1, bytes);
    memcpy(file, "\0\0\10\3\0\0\0\0\0\0\0\20\0\0\0\20", 16);
    file[7] = (unsigned char)n;
    for (int i = 0; i < n * PIXELS; i++) {
        int image = i / PIXELS, x = i % SIZE, y = i % PIXELS / SIZE;
        int along = image % 2 ? x : y, width = 2 + (image / 2 + key) % 5;
        file[16 + i] = along / width % 2 ? (unsigned char)(180 + image) : (unsigned char)(3 * key);
    }
    snprintf(name, sizeof name, "%s-images-idx3-ubyte", start);
    scratch_write(name, file, bytes);
    memcpy(file, "\0\0\10\1\0\0\0", 7);
    for (int i = 0; i < n; i++) file[8 + i] = (unsigned char)(i % 2);
    snprintf(name, sizeof name, "%s-labels-idx1-ubyte", start);
    if (labelled) scratch_write(name, file, 8 + (size_t)n);
    free(file);
}

static zf_images *open_set(const char *name, int size)
{
    zf_images *images = NULL;
    zf_images_options options = zf_images_defaults();
    options.size = size;
    assert_ok(zf_images_open(&images, scratch_path(name), &options));
    return images;
}

static zf_images *set, *held;

static int setup(void **state)
{
    if (scratch_setup(state) != 0) return -1;
    write_stripes("train", COUNT, 1, true);
    write_stripes("held", 12, 9, true);
    write_stripes("bare", 12, 9, false);
    set = open_set("train-images-idx3-ubyte", SIZE);
    held = open_set("held-images-idx3-ubyte", SIZE);
    return 0;
}

static int teardown(void **state)
{
    zf_images_free(set);
    zf_images_free(held);
    return scratch_teardown(state);
}

/* --- models -------------------------------------------------------------------------------- */

static zf_pretrain_options quick(zf_vision_method method)
{
    zf_pretrain_options options = zf_pretrain_defaults(method);
    options.dim = DIM;
    options.hidden = 4;
    options.blocks = 2;
    options.decoder_dim = 8;
    options.decoder_blocks = 1;
    options.batch = 8;
    options.iterations = 6;
    options.threads = 1;
    return options;
}

static zf_vision *trained(const zf_pretrain_options *options, zf_pretrain_summary *summary)
{
    zf_vision *model = NULL;
    assert_ok(zf_pretrain(&model, summary, set, options));
    return model;
}

static void embed(const zf_vision *model, float *features, int threads)
{
    zf_view_options views = zf_view_defaults();
    assert_ok(zf_vision_embed(model, features, set, NULL, COUNT, &views, threads, (zf_report){0}));
}

static void assert_same_features(const zf_vision *a, const zf_vision *b)
{
    float first[FEATURES], second[FEATURES];
    embed(a, first, 1);
    embed(b, second, 3);
    assert_memory_equal(first, second, sizeof first);
}

static const zf_vision_method METHODS[] = {ZF_VISION_ZEROFLOW, ZF_VISION_SIMCLR, ZF_VISION_MAE};
enum { N_METHODS = sizeof METHODS / sizeof *METHODS };

/* --- training ------------------------------------------------------------------------------- */

static void threads_do_not_matter(void **state)
{
    (void)state;
    for (int m = 0; m < N_METHODS; m++) {
        zf_pretrain_options options = quick(METHODS[m]);
        char *bytes[3];
        size_t n[3];
        for (int t = 0; t < 3; t++) {
            options.threads = t + 1;
            zf_vision *model = trained(&options, NULL);
            assert_ok(zf_vision_save(model, scratch_path("m")));
            bytes[t] = scratch_read(scratch_path("m"), &n[t]);
            zf_vision_free(model);
        }
        for (int t = 1; t < 3; t++) {
            assert_int_equal(n[0], n[t]);
            assert_memory_equal(bytes[0], bytes[t], n[0]);
        }
        for (int t = 0; t < 3; t++) free(bytes[t]);
    }
}

static bool stop(void *context, const zf_progress *progress)
{
    (void)context;
    assert_string_equal(progress->unit, "images");
    assert_string_equal(progress->measures[0].name, "loss");
    return false;
}

/* Interrupted as often as it happens, and in the end as if never. */
static void resumes_to_the_same_bits(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_ZEROFLOW);
    options.iterations = 150;
    options.held_out = held;
    options.watch_every = 40;
    options.history = scratch_path("whole.csv");
    zf_vision *whole = trained(&options, NULL), *parts = NULL;
    options.checkpoint = scratch_path("cut");
    options.resume = true;
    options.history = scratch_path("cut.csv");
    options.report = (zf_report){.progress = stop};
    for (zf_status status = ZF_EINTERRUPT; status != ZF_OK;) {
        zf_vision_free(parts);
        status = zf_pretrain(&parts, NULL, set, &options);
        assert_true(status == ZF_OK || status == ZF_EINTERRUPT);
        options.threads = options.threads % 3 + 1;
    }
    assert_same_features(whole, parts);
    size_t n, m;
    char *first = scratch_read(scratch_path("whole.csv"), &n);
    char *second = scratch_read(scratch_path("cut.csv"), &m);
    assert_string_equal(first, second);
    free(first), free(second);
    zf_vision_free(whole), zf_vision_free(parts);
}

static void an_interrupt_keeps_the_model(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_SIMCLR);
    zf_pretrain_summary summary;
    zf_vision *model = NULL, *read = NULL;
    options.iterations = 1000000000;
    options.report = (zf_report){.progress = stop};
    assert_fails(zf_pretrain(&model, &summary, set, &options), ZF_EINTERRUPT, "interrupted after");
    assert_non_null(model);
    assert_true(summary.iterations > 0 && isfinite(summary.loss));
    assert_ok(zf_vision_save(model, scratch_path("m")));
    assert_ok(zf_vision_load(&read, scratch_path("m")));
    assert_same_features(model, read);
    zf_vision_free(model), zf_vision_free(read);
}

/* Stripes are no hard task: the loss falls, and the neighbours agree. */
static void learns_and_is_watched(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_ZEROFLOW);
    zf_pretrain_summary summary, unseen;
    options.iterations = 130;
    options.rate = 3e-3;
    zf_vision *alone = trained(&options, &unseen);
    options.held_out = held;
    options.watch_every = 50;
    zf_vision *model = trained(&options, &summary);
    assert_same_features(alone, model);
    assert_true(isnan(unseen.knn));
    assert_int_equal(summary.watched, 12);
    assert_true(summary.knn > 0.7);
    double first = zf_vision_history_value(model, 0, 1);
    if (!(summary.loss < 0.7 * first)) fail_msg("the loss went from %g to %g", first, summary.loss);
    assert_float_equal(summary.loss, summary.rectified + 0.1 * summary.zero, 1e-6);
    static const char *const names[] = {"iteration", "loss", "rectified", "zero", "rate", "knn"};
    assert_int_equal(zf_vision_history_columns(model), 6);
    assert_int_equal(zf_vision_history_rows(model), 130);
    for (size_t c = 0; c < 6; c++)
        assert_string_equal(zf_vision_history_column(model, c), names[c]);
    for (size_t row = 0; row < 130; row++) {
        assert_true(zf_vision_history_value(model, row, 0) == (double)(row + 1));
        assert_true(isfinite(zf_vision_history_value(model, row, 5)) ==
                    (row == 49 || row == 99 || row == 129));
    }
    assert_true(zf_vision_history_value(model, 129, 5) == summary.knn);
    zf_vision_free(alone), zf_vision_free(model);
}

/* A long history is thinned: 600 iterations as rows of 4, and looks fall into theirs. */
static void a_long_history_is_thinned(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_SIMCLR);
    options.iterations = 602;
    options.batch = 2;
    options.held_out = held;
    options.watch_every = 201;
    zf_vision *model = trained(&options, NULL);
    size_t rows = zf_vision_history_rows(model);
    assert_int_equal(rows, 151);
    assert_true(zf_vision_history_value(model, 0, 0) == 4);
    assert_true(zf_vision_history_value(model, 149, 0) == 600);
    assert_true(zf_vision_history_value(model, 150, 0) == 602);
    for (size_t row = 0; row < rows; row++)
        assert_true(isfinite(zf_vision_history_value(model, row, 3)) ==
                    (row == 50 || row == 100 || row == 150));
    zf_vision_free(model);
}

/* --- what a model can be asked ------------------------------------------------------------------
 */

static void saves_and_reads_itself(void **state)
{
    (void)state;
    for (int m = 0; m < N_METHODS; m++) {
        zf_pretrain_options options = quick(METHODS[m]);
        options.views.watermark = ZF_WATERMARK_COLOUR;
        options.held_out = held;
        options.watch_every = 2;
        zf_vision *model = trained(&options, NULL), *read = NULL;
        assert_ok(zf_vision_save(model, scratch_path("m")));
        assert_ok(zf_vision_load(&read, scratch_path("m")));
        assert_ok(zf_vision_save(read, scratch_path("again")));
        size_t n, k;
        char *first = scratch_read(scratch_path("m"), &n);
        char *again = scratch_read(scratch_path("again"), &k);
        assert_int_equal(n, k);
        assert_memory_equal(first, again, n);
        free(first), free(again);
        assert_int_equal(zf_vision_trained_by(read), METHODS[m]);
        assert_int_equal(zf_vision_size(read), SIZE);
        assert_int_equal(zf_vision_channels(read), 3);
        assert_int_equal(zf_vision_dim(read), zf_vision_dim(model));
        assert_int_equal(zf_vision_watermark(read), ZF_WATERMARK_COLOUR);
        assert_int_equal(zf_vision_history_rows(read), 6);
        assert_same_features(model, read);
        zf_vision_free(model), zf_vision_free(read);
    }
}

/* Features of given images are those of the set's, in whatever order and number. */
static void assert_encodes(const zf_vision *model, const float *images)
{
    float features[FEATURES], other[FEATURES], few[3 * DIM];
    const uint32_t picked[] = {39, 5, 5};
    zf_view_options views = zf_view_defaults();
    embed(model, features, 2);
    assert_ok(zf_vision_encode(model, other, images, COUNT, 1));
    for (int i = 0; i < FEATURES; i++)
        assert_float_equal((double)features[i], (double)other[i], 1e-5);
    assert_ok(zf_vision_embed(model, few, set, picked, 3, &views, 1, (zf_report){0}));
    for (int i = 0; i < 3 * DIM; i++)
        assert_float_equal((double)few[i], (double)features[(int)picked[i / DIM] * DIM + i % DIM],
                           1e-6);
}

static void encodes_what_it_is_shown(void **state)
{
    (void)state;
    static float images[COUNT * 3 * PIXELS];
    static uint8_t bytes[COUNT * 3 * PIXELS];
    uint32_t which[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) which[i] = i;
    assert_ok(zf_images_read(set, which, COUNT, bytes));
    for (size_t i = 0; i < sizeof bytes; i++) images[i] = (float)bytes[i] / 255;
    for (int m = 0; m < N_METHODS; m++) {
        zf_pretrain_options options = quick(METHODS[m]);
        zf_vision *model = trained(&options, NULL);
        assert_encodes(model, images);
        zf_vision_free(model);
    }
}

/* Of a masked autoencoder: each row has mean 0 and deviation 1 (layer norm), and a patch
   counts wherever it is. */
static void features_of_a_transformer_are_normed(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_MAE);
    zf_vision *model = trained(&options, NULL);
    float features[FEATURES], before[DIM], after[DIM];
    embed(model, features, 1);
    for (int i = 0; i < COUNT; i++) {
        double sum = 0, squares = 0;
        for (int j = 0; j < DIM; j++) {
            double value = (double)features[i * DIM + j];
            sum += value;
            squares += value * value;
        }
        assert_float_equal(sum / DIM, 0, 1e-5);
        assert_float_equal(squares / DIM, 1, 1e-2);
    }
    static float image[3 * PIXELS];
    assert_ok(zf_vision_encode(model, before, image, 1, 1));
    for (int i = 0; i < PIXELS; i += 5) {
        image[i] = 1;
        assert_ok(zf_vision_encode(model, after, image, 1, 1));
        assert_memory_not_equal(before, after, sizeof after);
        image[i] = 0;
    }
    zf_vision_free(model);
}

/* More images than a block has. */
static void embeds_many(void **state)
{
    (void)state;
    enum { MANY = 600 };
    zf_pretrain_options options = quick(ZF_VISION_SIMCLR);
    zf_vision *model = NULL;
    assert_ok(zf_vision_untrained(&model, SIZE, &options));
    uint32_t which[MANY];
    static float features[MANY * DIM];
    float whole[FEATURES];
    for (uint32_t i = 0; i < MANY; i++) which[i] = i % COUNT;
    zf_view_options views = zf_view_defaults();
    assert_ok(zf_vision_embed(model, features, set, which, MANY, &views, 2, (zf_report){0}));
    embed(model, whole, 1);
    for (int i = 0; i < MANY * DIM; i++)
        assert_float_equal((double)features[i], (double)whole[i % FEATURES], 1e-6);
    zf_vision_free(model);
}

static void marks_are_seen(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_ZEROFLOW);
    options.bits = 2;
    zf_vision *model = trained(&options, NULL);
    assert_int_equal(zf_vision_channels(model), 5);
    float plain[FEATURES], again[FEATURES], marked[FEATURES], other[FEATURES];
    embed(model, plain, 1);
    embed(model, again, 1);
    assert_memory_equal(plain, again, sizeof plain);
    zf_view_options views = zf_view_defaults();
    views.seed = 1; /* other bits */
    assert_ok(zf_vision_embed(model, other, set, NULL, COUNT, &views, 1, (zf_report){0}));
    assert_memory_not_equal(plain, other, sizeof plain);
    views.watermark = ZF_WATERMARK_PATCH;
    assert_ok(zf_vision_embed(model, marked, set, NULL, COUNT, &views, 1, (zf_report){0}));
    assert_memory_not_equal(other, marked, sizeof plain);
    zf_vision_free(model);
}

static void decodes(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_ZEROFLOW);
    zf_vision *model = trained(&options, NULL);
    float features[FEATURES];
    static float images[COUNT * 3 * PIXELS], first[3 * PIXELS];
    embed(model, features, 1);
    assert_ok(zf_vision_decode(model, images, features, COUNT, 2));
    for (int i = 0; i < COUNT * 3 * PIXELS; i++) assert_true(images[i] > 0 && images[i] < 1);
    assert_ok(zf_vision_decode(model, first, features, 1, 1));
    for (int i = 0; i < 3 * PIXELS; i++)
        assert_float_equal((double)first[i], (double)images[i], 1e-6);
    assert_memory_not_equal(images, images + 3 * PIXELS, sizeof first);
    zf_vision_free(model);
    model = NULL;
    options.method = ZF_VISION_SIMCLR;
    assert_ok(zf_vision_untrained(&model, SIZE, &options));
    assert_fails(zf_vision_decode(model, first, features, 1, 1), ZF_EINVAL,
                 "method simclr has no decoder");
    zf_vision_free(model);
}

static void untrained_models_depend_on_the_seed_alone(void **state)
{
    (void)state;
    zf_pretrain_options options = quick(ZF_VISION_ZEROFLOW);
    zf_vision *first = NULL, *same = NULL, *other = NULL;
    float a[FEATURES], b[FEATURES];
    assert_ok(zf_vision_untrained(&first, SIZE, &options));
    options.rate = 1;
    assert_ok(zf_vision_untrained(&same, SIZE, &options));
    options.seed = 1;
    assert_ok(zf_vision_untrained(&other, SIZE, &options));
    assert_same_features(first, same);
    embed(first, a, 1);
    embed(other, b, 1);
    assert_memory_not_equal(a, b, sizeof a);
    assert_int_equal(zf_vision_history_rows(first), 0);
    zf_vision_free(first), zf_vision_free(same), zf_vision_free(other);
}

/* --- what is refused ----------------------------------------------------------------------------
 */

typedef struct lie {
    const char *from, *to, *message;
} lie;

static void assert_lies_are_refused(zf_vision_method method, const lie *lies, size_t n)
{
    zf_pretrain_options options = quick(method);
    options.held_out = held;
    options.watch_every = 2;
    zf_vision *model = trained(&options, NULL), *read = NULL;
    assert_ok(zf_vision_save(model, scratch_path("m")));
    for (size_t i = 0; i < n; i++) {
        const char *path = scratch_forge("m", lies[i].from, lies[i].to);
        assert_fails(zf_vision_load(&read, path), ZF_EINPUT, lies[i].message);
        assert_null(read);
    }
    zf_vision_free(model);
}

static void refuses_files_that_lie(void **state)
{
    (void)state;
    static const lie lies[] = {
        {"\"task\":\"vision\"", "\"task\":\"vosion\"",
         "kind \"vosion\", expected a model of images"},
        {"\"method\":\"zeroflow\"", "\"method\":\"zeroblow\"", "expected zeroflow, simclr or mae"},
        {"\"watermark\":\"none\"", "\"watermark\":\"blue\"", "expected none, patch or colour"},
        {"\"hidden\":\"4\"", "\"hidden\":\"9\"",
         "\"encoder.0.weight\": expected a tensor of 9x3x3x3"},
        {"\"channels\":\"3\"", "\"channels\":\"2\"",
         "\"channels\" is \"2\", expected a number from 3"},
        {"\"channels\":\"3\"", "\"channels\":\"5\"", "expected a tensor of 4x5x3x3"},
        {"\"size\":\"16\"", "\"size\":\"32\"", "\"encoder.3.weight\": expected a tensor of 6x1024"},
        {"\"size\":\"16\"", "\"size\":\" 9\"", "expected a side of 16 pixels"},
        {"\"dim\":\"6\"", "\"dim\":\"0\"", "\"dim\" is \"0\", expected a number from 1"},
        {"\"batch\":\"8\"", "\"batch\":\"1\"", "\"batch\" is \"1\", expected a number from 2"},
        {"\"rate\":\"0.001\"", "\"rate\":\"-.001\"",
         "\"rate\" is \"-.001\", expected a number from 0"},
        {"\"rate\":\"0.001\"", "\"rate\":\"  nan\"", "\"rate\" is \"  nan\""},
        {"\"watch_every\":\"2\"", "\"watch_every\":\"1\"", "\"watched\": expected a tensor of 6"},
        {"\"watch_every\":\"2\"", "\"watch_efery\":\"2\"", "\"watch_every\" is \"(absent)\""},
        {"\"view.noise\":\"0.01\"", "\"view.noise\":\"loud\"", "\"view.noise\" is \"loud\""},
        {"\"encoder.2.bias\"", "\"encoder.2.bius\"", "encoder.2.bias"},
    };
    static const lie patched[] = {
        {"\"patch\":\"4\"", "\"patch\":\"3\"", "patch: expected two or more in an image of 16"},
        {"\"patch\":\"4\"", "\"patch\":\"2\"", "\"encoder.positions\": expected a tensor of 64x6"},
        {"\"blocks\":\"2\"", "\"blocks\":\"9\"",
         "\"encoder.block.1.qkv.weight\": expected a tensor of 18x6"},
        {"\"heads\":\"3\"", "\"heads\":\"4\"", "a width that is a multiple of its heads"},
        {"\"decoder.dim\":\"8\"", "\"decoder.dim\":\"4\"", "\"decoder.positions\": expected"},
        {"\"pixels\":\"from -2", "\"pixels\":\"from -1", "train it again"},
        {"\"pixels\":", "\"pixals\":", "a masked autoencoder of another version of zeroflow"},
        {"\"masked\":\"0.75\"", "\"masked\":\"1.75\"", "\"masked\" is \"1.75\", expected a number"},
    };
    assert_lies_are_refused(ZF_VISION_ZEROFLOW, lies, sizeof lies / sizeof *lies);
    assert_lies_are_refused(ZF_VISION_MAE, patched, sizeof patched / sizeof *patched);
}

static void assert_refused(const zf_pretrain_options *options, zf_status expected,
                           const char *message)
{
    zf_vision *model = NULL;
    assert_fails(zf_pretrain(&model, NULL, set, options), expected, message);
    assert_null(model);
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    zf_pretrain_options sane = quick(ZF_VISION_ZEROFLOW), o;
    o = sane, o.batch = COUNT + 1;
    assert_refused(&o, ZF_EINPUT, "40 images are fewer than the 41 of a batch");
    o = sane, o.batch = 1;
    assert_refused(&o, ZF_EINVAL, "batch: expected at least 2");
    o = sane, o.iterations = 0;
    assert_refused(&o, ZF_EINVAL, "iterations");
    o = sane, o.dim = 0;
    assert_refused(&o, ZF_EINVAL, "dim: expected 1 to");
    o = sane, o.hidden = 0;
    assert_refused(&o, ZF_EINVAL, "hidden: expected 1 to");
    o = sane, o.bits = ZF_VISION_BITS_MOST + 1;
    assert_refused(&o, ZF_EINVAL, "bits: expected 0 to");
    o = sane, o.rate = 0;
    assert_refused(&o, ZF_EINVAL, "rate: expected");
    o = sane, o.decay = (double)NAN;
    assert_refused(&o, ZF_EINVAL, "decay: expected");
    o = sane, o.temperature = 0;
    assert_refused(&o, ZF_EINVAL, "temperature: expected");
    o = quick(ZF_VISION_MAE), o.masked = 1;
    assert_refused(&o, ZF_EINVAL, "masked: expected a share between 0 and 1");
    o = quick(ZF_VISION_MAE), o.blocks = ZF_VISION_BLOCKS_MOST + 1;
    assert_refused(&o, ZF_EINVAL, "blocks: expected 1 to 256");
    o = quick(ZF_VISION_MAE), o.heads = 4;
    assert_refused(&o, ZF_EINVAL, "multiple of its heads");
    o = sane, o.views.least_area = 2;
    assert_refused(&o, ZF_EINVAL, "area");
    o = sane, o.method = (zf_vision_method)7;
    assert_refused(&o, ZF_EINVAL, "method");
    o = sane, o.held_out = held, o.watch_every = 0;
    assert_refused(&o, ZF_EINVAL, "expected at least 1, found 0");
    o = sane, o.held_out = held, o.watch_every = 1, o.iterations = 100000;
    assert_refused(&o, ZF_EINVAL, "expected at most 10000 looks");
    o = sane, o.held_out = open_set("bare-images-idx3-ubyte", SIZE);
    assert_refused(&o, ZF_EINPUT, "the held-out images have no labels");
    zf_images_free(o.held_out);
    o = sane, o.held_out = open_set("held-images-idx3-ubyte", 20);
    assert_refused(&o, ZF_EINVAL, "held-out images of 20 pixels a side, expected 16");
    zf_vision *model = NULL;
    float features[12 * DIM];
    zf_view_options views = zf_view_defaults();
    assert_fails(zf_vision_untrained(&model, 18, &sane), ZF_EINVAL, "multiple of 4, found 18");
    assert_ok(zf_vision_untrained(&model, SIZE, &sane));
    assert_fails(zf_vision_embed(model, features, o.held_out, NULL, 12, &views, 1, (zf_report){0}),
                 ZF_EINVAL, "images of 20 x 20 pixels, the model was trained on 16 x 16");
    assert_fails(zf_vision_embed(model, features, held, NULL, 13, &views, 1, (zf_report){0}),
                 ZF_EINVAL, "13 images requested, the set has 12");
    zf_images_free(o.held_out);
    zf_vision_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(resumes_to_the_same_bits),
        cmocka_unit_test(an_interrupt_keeps_the_model),
        cmocka_unit_test(learns_and_is_watched),
        cmocka_unit_test(a_long_history_is_thinned),
        cmocka_unit_test(saves_and_reads_itself),
        cmocka_unit_test(encodes_what_it_is_shown),
        cmocka_unit_test(features_of_a_transformer_are_normed),
        cmocka_unit_test(embeds_many),
        cmocka_unit_test(marks_are_seen),
        cmocka_unit_test(decodes),
        cmocka_unit_test(untrained_models_depend_on_the_seed_alone),
        cmocka_unit_test(refuses_files_that_lie),
        cmocka_unit_test(refuses_what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
