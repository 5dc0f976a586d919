#include "job/pretrain.h"

#include <string.h>

#include "job/answer.h"

const char *const zf_pretrain_methods[] = {"zeroflow", "simclr", "mae", NULL};

static const zf_option arguments[] = {
    {"IMAGES", .type = ZF_OPTION_IMAGES, ZF_FIELD(zf_pretrain_values, images),
     .help = ZF_IMAGES_HELP},
    {NULL},
};

static const zf_option options[] = {
    ZF_MODEL_OUTPUT_ROW(zf_pretrain_values, output),
    {"method", .type = ZF_OPTION_CHOICE, .placeholder = "METHOD",
     ZF_FIELD(zf_pretrain_values, method), .fallback = "zeroflow", .choices = zf_pretrain_methods,
     .help = "How the features are learnt: zeroflow, that those of one view tell all that it "
             "knows about the other view; simclr, that two views of a picture are nearer than "
             "those of two pictures; mae, by filling in what is masked of a picture, with a "
             "vision transformer."},
    {"watermark", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_pretrain_values, watermark), .fallback = "none", .choices = zf_watermark_names,
     .help = "Marks all views of a picture in the same way, to study shortcuts: patch (random "
             "pixels in the upper left) or colour (a random colour for each picture, which is "
             "made grey)."},
    {"dim", .type = ZF_OPTION_WHOLE, .placeholder = "L", ZF_FIELD(zf_pretrain_values, dim),
     .least = 1, .most = ZF_VISION_DIM_MOST, .otherwise = "512; of mae 192",
     .help = "Features of a picture; of mae the width of the transformer."},
    {"hidden", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_pretrain_values, hidden),
     .least = 1, .most = 16384, .otherwise = "16",
     .help = "Of zeroflow and simclr: channels of the convolutions. Up to 16 are fast."},
    {"iterations", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, iterations), .least = 1, .most = 1000000000,
     .help = "Training steps."},
    {"batch", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_pretrain_values, batch),
     .least = 2, .most = 1 << 20,
     .otherwise = "256; of mae 128; all pictures where there are fewer",
     .help = "Pictures in a training step."},
    {"rate", .type = ZF_OPTION_REAL, .placeholder = "R", ZF_FIELD(zf_pretrain_values, rate),
     .least = 1e-9, .most = 10, .help = "Learning rate."},
    {"decay", .type = ZF_OPTION_REAL, .placeholder = "W", ZF_FIELD(zf_pretrain_values, decay),
     .most = 1000, .otherwise = "0; of mae 0.05", .help = "Weight decay."},
    {"zero-weight", .type = ZF_OPTION_REAL, .placeholder = "W",
     ZF_FIELD(zf_pretrain_values, zero_weight), .most = 1e6, .otherwise = "0.1",
     .help = "Of zeroflow: weight of the zero-flow term of the loss."},
    {"temperature", .type = ZF_OPTION_REAL, .placeholder = "T",
     ZF_FIELD(zf_pretrain_values, temperature), .least = 1e-3, .most = 1000, .otherwise = "0.1",
     .help = "Of simclr: by which similarities are divided."},
    {"masked", .type = ZF_OPTION_REAL, .placeholder = "SHARE", ZF_FIELD(zf_pretrain_values, masked),
     .least = 0.01, .most = 0.99, .otherwise = "0.75",
     .help = "Of mae: share of the patches that are masked."},
    {"patch", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_pretrain_values, patch),
     .least = 1, .most = 256, .otherwise = "4", .help = "Of mae: pixels a side of a patch."},
    {"blocks", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_pretrain_values, blocks),
     .least = 1, .most = ZF_VISION_BLOCKS_MOST, .otherwise = "12",
     .help = "Of mae: blocks of the transformer."},
    {"heads", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_pretrain_values, heads),
     .least = 1, .most = 256, .otherwise = "3",
     .help = "Of mae: heads of each block, of which --dim is a multiple."},
    {"decoder-dim", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, decoder_dim), .least = 1, .most = ZF_VISION_DIM_MOST,
     .otherwise = "128", .help = "Of mae: width of the transformer that fills in."},
    {"decoder-blocks", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, decoder_blocks), .least = 1, .most = ZF_VISION_BLOCKS_MOST,
     .otherwise = "2", .help = "Of mae: blocks of it."},
    {"decoder-heads", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, decoder_heads), .least = 1, .most = 256, .otherwise = "4",
     .help = "Of mae: heads of each of them, of which --decoder-dim is a multiple."},
    {"bits", .type = ZF_OPTION_WHOLE, .placeholder = "K", ZF_FIELD(zf_pretrain_values, bits),
     .fallback = "0", .most = ZF_VISION_BITS_MOST,
     .help = "Gives each picture so many random bits, the same in all its views, as planes behind "
             "the colours: another way to study shortcuts."},
    {"watch", .type = ZF_OPTION_IMAGES, .placeholder = "HELDOUT",
     ZF_FIELD(zf_pretrain_values, watch),
     .help = "Pictures with labels that are not trained on. Now and then, some of them are "
             "classified by their nearest neighbours among those trained on; how many are right "
             "is shown, and told by the history as knn. Has no influence on what is learnt."},
    {"watch-part", .type = ZF_OPTION_CHOICE, .placeholder = "PART",
     ZF_FIELD(zf_pretrain_values, watch_part), .choices = zf_image_part_names,
     .otherwise = "test, where there are parts",
     .help = "Of a folder with IDX, CIFAR-10 or STL-10 files to watch: which of them."},
    {"watch-every", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, watch_every), .least = 1, .most = 1000000000, .otherwise = "500",
     .help = "Training steps between two such looks."},
    {"history", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE",
     ZF_FIELD(zf_pretrain_values, history),
     .help = "Writes what training measures as CSV, while it runs and at its end: iteration, loss "
             "and its terms, rate, knn."},
    ZF_SAVING_ROWS(zf_pretrain_values, saving),
    ZF_IMAGE_ROWS(zf_pretrain_values, source, ZF_SIZE_OF_SOURCE),
    {NULL},
};

static void defaults(void *given)
{
    zf_pretrain_values *values = given;
    zf_pretrain_options standard = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    values->iterations = standard.iterations;
    values->rate = standard.rate;
    values->saving.every = standard.every;
    values->dim = values->hidden = values->batch = ZF_AUTO;
    values->decay = values->zero_weight = values->temperature = values->masked = ZF_AUTO;
    values->patch = values->blocks = values->heads = ZF_AUTO;
    values->decoder_dim = values->decoder_blocks = values->decoder_heads = ZF_AUTO;
    values->watch_part = values->watch_every = ZF_AUTO;
    zf_image_values_defaults(&values->source);
}

/* --- what was asked for ------------------------------------------------------------------- */

static const struct {
    const char *name;
    zf_vision_method method;
} particular[] = {
    {"zero-weight", ZF_VISION_ZEROFLOW}, {"temperature", ZF_VISION_SIMCLR},
    {"masked", ZF_VISION_MAE},           {"patch", ZF_VISION_MAE},
    {"blocks", ZF_VISION_MAE},           {"heads", ZF_VISION_MAE},
    {"decoder-dim", ZF_VISION_MAE},      {"decoder-blocks", ZF_VISION_MAE},
    {"decoder-heads", ZF_VISION_MAE},
};

static bool is_given(const zf_pretrain_values *values, const char *name)
{
    return !zf_option_is_left(&options[zf_option_find(options, name, strlen(name), 0)], values);
}

static zf_status check_words(const zf_pretrain_values *values)
{
    for (size_t i = 0; i < sizeof particular / sizeof *particular; i++)
        if (values->method != particular[i].method && is_given(values, particular[i].name))
            return zf_fail(ZF_EINVAL, "option %s%s is for {method} %s, this is %s",
                           zf_option_prefix(), particular[i].name,
                           zf_pretrain_methods[particular[i].method],
                           zf_pretrain_methods[values->method]);
    if (values->method == ZF_VISION_MAE && values->hidden != ZF_AUTO)
        return zf_fail(ZF_EINVAL, "option {hidden} is about convolutions, this is mae");
    bool every = values->watch_every != ZF_AUTO;
    if (!values->watch && (every || values->watch_part != ZF_AUTO))
        return zf_fail(ZF_EINVAL, "option %swatch-%s is about held-out pictures: give {watch} too",
                       zf_option_prefix(), every ? "every" : "part");
    return ZF_OK;
}

static void take_whole(int *to, int given)
{
    if (given != ZF_AUTO) *to = given;
}

static void take_real(double *to, double given)
{
    if (given != ZF_AUTO) *to = given;
}

static zf_pretrain_options understand(const zf_pretrain_values *values, const zf_run *run)
{
    zf_pretrain_options wish = zf_pretrain_defaults(values->method);
    take_whole(&wish.dim, values->dim);
    take_whole(&wish.hidden, values->hidden);
    take_whole(&wish.batch, values->batch);
    take_real(&wish.decay, values->decay);
    take_real(&wish.zero_weight, values->zero_weight);
    take_real(&wish.temperature, values->temperature);
    take_real(&wish.masked, values->masked);
    take_whole(&wish.patch, values->patch);
    take_whole(&wish.blocks, values->blocks);
    take_whole(&wish.heads, values->heads);
    take_whole(&wish.decoder_dim, values->decoder_dim);
    take_whole(&wish.decoder_blocks, values->decoder_blocks);
    take_whole(&wish.decoder_heads, values->decoder_heads);
    if (values->watch_every != ZF_AUTO) wish.watch_every = (uint64_t)values->watch_every;
    wish.iterations = values->iterations;
    wish.rate = values->rate;
    wish.bits = values->bits;
    wish.views.watermark = values->watermark;
    wish.views.seed = wish.seed = run->seed;
    wish.threads = run->threads;
    wish.every = values->saving.every;
    wish.resume = values->saving.resume;
    wish.history = values->history;
    wish.report = run->report;
    return wish;
}

/* --- the run ------------------------------------------------------------------------------ */

static zf_status open_held_out(zf_pretrain_result *found, const zf_pretrain_values *values,
                               zf_images_options *source, zf_run *run)
{
    source->size = zf_images_size(found->images);
    source->labels = NULL;
    if (values->watch_part == ZF_AUTO)
        return zf_image_input_open_tests(&found->held_out, run, values->watch, source);
    source->part = (zf_images_part)values->watch_part;
    return zf_image_input_open(&found->held_out, run, values->watch, source);
}

static zf_status open_sets(zf_pretrain_result *found, const zf_pretrain_values *values,
                           zf_pretrain_options *wish, zf_run *run)
{
    zf_images_options source = zf_image_wish(&values->source, run);
    ZF_TRY(zf_image_input_open(&found->images, run, values->images, &source));
    size_t count = zf_images_count(found->images);
    if (values->batch == ZF_AUTO && count < (size_t)wish->batch && count >= 2) {
        zf_warn(run, "%s: %zu pictures are fewer than a batch of %d: all are taken in each",
                values->images, count, wish->batch);
        wish->batch = (int)count;
    }
    if (values->watch) ZF_TRY(open_held_out(found, values, &source, run));
    wish->held_out = found->held_out;
    return ZF_OK;
}

static zf_status save(void *model, const char *path)
{
    return zf_vision_save(model, path);
}

/* What the result says of the model, which may be one that is not done. */
static void describe(zf_pretrain_result *found)
{
    const zf_images_about *about = zf_images_describe(found->images);
    found->used = about->count - about->lost;
    found->size = zf_vision_size(found->model);
    found->channels = zf_vision_channels(found->model);
    found->dim = zf_vision_dim(found->model);
}

static zf_status train(zf_pretrain_result *found, const zf_pretrain_options *wish)
{
    zf_pretrain_summary *summary = &found->summary;
    zf_status status = zf_pretrain(&found->model, summary, found->images, wish);
    if (status != ZF_OK && status != ZF_EINTERRUPT) return status;
    describe(found);
    ZF_TRY(zf_saving_save(&found->saving, save, found->model));
    if (summary->history_failed)
        return zf_fail(ZF_EOUTPUT, "%s: the history could not be written; the model is in %s",
                       wish->history, found->saving.model);
    if (status == ZF_OK) return ZF_OK;
    return zf_saving_stop(&found->saving, summary->iterations, wish->iterations, summary->saved);
}

static zf_status work(zf_pretrain_result *found, const zf_pretrain_values *values, zf_run *run)
{
    ZF_TRY(zf_saving_begin(&found->saving, &values->saving, values->output, run));
    ZF_TRY(check_words(values));
    zf_pretrain_options wish = understand(values, run);
    wish.checkpoint = found->saving.checkpoint;
    ZF_TRY(open_sets(found, values, &wish, run));
    found->batch = wish.batch;
    return train(found, &wish);
}

static zf_status run(void *result, const void *values, zf_run *run)
{
    zf_pretrain_result *found = result;
    found->seed = run->seed;
    zf_status status = work(found, values, run);
    zf_image_input_warn(run, status, found->images);
    zf_image_input_warn(run, status, found->held_out);
    return status;
}

static json_t *json(const void *result, const void *given)
{
    const zf_pretrain_values *values = given;
    const zf_pretrain_result *found = result;
    const zf_pretrain_summary *s = &found->summary;
    json_t *object = json_pack(
        "{s:o s:s s:I s:o s:o s:o s:o s:o s:I s:I s:i s:i s:i s:i s:s s:I s:I s:o s:o s:I}",
        "model", zf_answer_text(values->output), "method", zf_pretrain_methods[values->method],
        "iterations", (json_int_t)s->iterations, "seconds", zf_answer_number(s->seconds), "loss",
        zf_answer_number(s->loss), "rectified", zf_answer_optional(s->rectified), "zero",
        zf_answer_optional(s->zero), "knn", zf_answer_optional(s->knn), "watched",
        (json_int_t)s->watched, "resumed_from", (json_int_t)s->resumed_from, "size", found->size,
        "channels", found->channels, "dim", found->dim, "batch", found->batch, "watermark",
        zf_watermark_names[values->watermark], "pictures", (json_int_t)found->used, "parameters",
        (json_int_t)s->parameters, "history", zf_answer_text(values->history), "checkpoint",
        zf_answer_text(found->saving.checkpoint), "seed", (json_int_t)found->seed);
    zf_image_input_answer(object, found->images, found->held_out);
    return object;
}

static void release(void *result)
{
    zf_pretrain_result *found = result;
    zf_vision_free(found->model);
    zf_images_free(found->images);
    zf_images_free(found->held_out);
}

const zf_job zf_job_pretrain = {
    .name = "pretrain",
    .summary = "learn features of pictures without labels",
    .description =
        "Trains an encoder that turns a picture into --dim numbers, from pairs of views of each "
        "picture (zeroflow images --sheet draws them), without labels. The default sizes and "
        "numbers are those of the paper. zeroflow embed computes the features.\n\n"
        "Pictures that fit into --memory are decoded once; otherwise once to see whether they can "
        "be, and again in each batch, while the one before it is trained on. What cannot be read "
        "is left out, with a warning at the end. Ctrl-C saves the checkpoint, and the model as far "
        "as it "
        "came, and stops; --resume goes on from there.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_pretrain_values),
    .defaults = defaults,
    .result_size = sizeof(zf_pretrain_result),
    .run = run,
    .json = json,
    .release = release,
};
