#include "job/pretrain.h"

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
     ZF_FIELD(zf_pretrain_values, training.method), .fallback = "zeroflow",
     .choices = zf_pretrain_methods,
     .help = "Training method: zeroflow, features of one view are sufficient to predict the other "
             "view; simclr, two views of an image are closer than views of different images; mae, "
             "masked patches are predicted by a vision transformer."},
    {"watermark", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_pretrain_values, training.views.watermark), .fallback = "none",
     .choices = zf_watermark_names,
     .help = "Marks all views of an image in the same way, to study shortcuts: patch (random "
             "pixels in the upper left) or colour (a random colour per image, which is first made "
             "grey)."},
    {"dim", .type = ZF_OPTION_WHOLE, .placeholder = "L", ZF_FIELD(zf_pretrain_values, training.dim),
     .least = 1, .most = ZF_VISION_DIM_MOST, .otherwise = "512; for mae 192",
     .help = "Number of features of an image; for mae the width of the transformer."},
    {"hidden", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.hidden), .least = 1, .most = 16384,
     .help = "Number of channels of the convolutions (zeroflow, simclr). Up to 16 are fast."},
    {"iterations", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.iterations), .least = 1, .most = 1000000000,
     .help = "Number of training steps."},
    {"batch", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.batch), .least = 2, .most = 1 << 20,
     .otherwise = "256; for mae 128; all images if there are fewer",
     .help = "Number of images in a training step."},
    {"rate", .type = ZF_OPTION_REAL, .placeholder = "R",
     ZF_FIELD(zf_pretrain_values, training.rate), .least = 1e-9, .most = 10,
     .help = "Learning rate."},
    {"decay", .type = ZF_OPTION_REAL, .placeholder = "W",
     ZF_FIELD(zf_pretrain_values, training.decay), .most = 1000, .otherwise = "0; for mae 0.05",
     .help = "Weight decay."},
    {"zero-weight", .type = ZF_OPTION_REAL, .placeholder = "W",
     ZF_FIELD(zf_pretrain_values, training.zero_weight), .most = 1e6,
     .help = "Weight of the zero-flow term of the loss (zeroflow)."},
    {"temperature", .type = ZF_OPTION_REAL, .placeholder = "T",
     ZF_FIELD(zf_pretrain_values, training.temperature), .least = 1e-3, .most = 1000,
     .help = "Temperature that divides the similarities (simclr)."},
    {"masked", .type = ZF_OPTION_REAL, .placeholder = "SHARE",
     ZF_FIELD(zf_pretrain_values, training.masked), .least = 0.01, .most = 0.99,
     .help = "Share of the patches that are masked (mae)."},
    {"patch", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.patch), .least = 1, .most = 256,
     .help = "Side of a patch in pixels (mae)."},
    {"blocks", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.blocks), .least = 1, .most = ZF_VISION_BLOCKS_MOST,
     .help = "Number of transformer blocks (mae)."},
    {"heads", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.heads), .least = 1, .most = 256,
     .help = "Number of attention heads in each block; must divide --dim (mae)."},
    {"decoder-dim", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.decoder_dim), .least = 1, .most = ZF_VISION_DIM_MOST,
     .help = "Width of the decoder (mae)."},
    {"decoder-blocks", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.decoder_blocks), .least = 1,
     .most = ZF_VISION_BLOCKS_MOST, .help = "Number of transformer blocks in the decoder (mae)."},
    {"decoder-heads", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.decoder_heads), .least = 1, .most = 256,
     .help = "Number of attention heads in each decoder block; must divide --decoder-dim (mae)."},
    {"bits", .type = ZF_OPTION_WHOLE, .placeholder = "K",
     ZF_FIELD(zf_pretrain_values, training.bits), .fallback = "0", .most = ZF_VISION_BITS_MOST,
     .help = "Number of random bits added to each image, the same in all its views, as planes "
             "after the colours: another way to study shortcuts."},
    {"watch", .type = ZF_OPTION_IMAGES, .placeholder = "HELDOUT",
     ZF_FIELD(zf_pretrain_values, watch),
     .help = "Labelled images to validate on, not used for training. From time to time some of "
             "them are classified by their nearest neighbours among the training images; the "
             "accuracy is shown, and is the column knn of the history. This does not change what "
             "is learnt."},
    {"watch-part", .type = ZF_OPTION_CHOICE, .placeholder = "PART",
     ZF_FIELD(zf_pretrain_values, watch_part), .choices = zf_image_part_names,
     .otherwise = "test, if the folder has parts",
     .help = "Part to use of a folder with IDX, CIFAR-10 or STL-10 files to watch."},
    {"watch-every", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_pretrain_values, training.watch_every), .least = 1, .most = 1000000000,
     .help = "Number of training steps between such validations."},
    {"history", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE",
     ZF_FIELD(zf_pretrain_values, training.history),
     .help = "File for the training history as CSV, written during training and at its end: "
             "iteration, loss and its terms, rate, knn."},
    ZF_SAVING_ROWS(zf_pretrain_values, saving),
    ZF_IMAGE_ROWS(zf_pretrain_values, source, ZF_SIZE_OF_SOURCE),
    {NULL},
};

static void defaults(void *given)
{
    zf_pretrain_values *values = given;
    zf_pretrain_options *training = &values->training;
    *training = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    training->dim = training->batch = values->watch_part = ZF_AUTO;
    training->decay = ZF_AUTO;
    values->saving.every = training->every;
    zf_image_values_defaults(&values->source);
}

/* --- what was asked for ------------------------------------------------------------------- */

static zf_status check_particular(const zf_pretrain_options *training, const zf_run *run)
{
    const struct {
        const char *name;
        const void *field;
        zf_vision_method method;
    } particular[] = {
        {"zero-weight", &training->zero_weight, ZF_VISION_ZEROFLOW},
        {"temperature", &training->temperature, ZF_VISION_SIMCLR},
        {"masked", &training->masked, ZF_VISION_MAE},
        {"patch", &training->patch, ZF_VISION_MAE},
        {"blocks", &training->blocks, ZF_VISION_MAE},
        {"heads", &training->heads, ZF_VISION_MAE},
        {"decoder-dim", &training->decoder_dim, ZF_VISION_MAE},
        {"decoder-blocks", &training->decoder_blocks, ZF_VISION_MAE},
        {"decoder-heads", &training->decoder_heads, ZF_VISION_MAE},
    };
    for (size_t i = 0; i < sizeof particular / sizeof *particular; i++)
        if (training->method != particular[i].method && zf_gave(run, particular[i].field))
            return zf_fail(ZF_EINVAL, "option %s%s applies to {method} %s, this is %s",
                           zf_option_prefix(), particular[i].name,
                           zf_pretrain_methods[particular[i].method],
                           zf_pretrain_methods[training->method]);
    return ZF_OK;
}

static zf_status check_words(const zf_pretrain_values *values, const zf_run *run)
{
    const zf_pretrain_options *training = &values->training;
    ZF_TRY(check_particular(training, run));
    if (training->method == ZF_VISION_MAE && zf_gave(run, &training->hidden))
        return zf_fail(ZF_EINVAL, "option {hidden} applies to convolutions, this is mae");
    bool every = zf_gave(run, &training->watch_every);
    if (!values->watch && (every || values->watch_part != ZF_AUTO))
        return zf_fail(ZF_EINVAL, "option %swatch-%s applies to held-out images: add {watch}",
                       zf_option_prefix(), every ? "every" : "part");
    return ZF_OK;
}

static zf_pretrain_options understand(const zf_pretrain_values *values, const zf_run *run)
{
    zf_pretrain_options wish = values->training, standard = zf_pretrain_defaults(wish.method);
    if (wish.dim == ZF_AUTO) wish.dim = standard.dim;
    if (wish.batch == ZF_AUTO) wish.batch = standard.batch;
    if (wish.decay == ZF_AUTO) wish.decay = standard.decay;
    wish.views.seed = wish.seed = run->seed;
    wish.threads = run->threads;
    wish.every = values->saving.every;
    wish.resume = values->saving.resume;
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
    if (values->training.batch == ZF_AUTO && count < (size_t)wish->batch && count >= 2) {
        zf_warn(run, "%s: %zu images are fewer than a batch of %d: every batch has all of them",
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
    ZF_TRY(check_words(values, run));
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
        "model", zf_answer_text(values->output), "method",
        zf_pretrain_methods[values->training.method], "iterations", (json_int_t)s->iterations,
        "seconds", zf_answer_number(s->seconds), "loss", zf_answer_number(s->loss), "rectified",
        zf_answer_optional(s->rectified), "zero", zf_answer_optional(s->zero), "knn",
        zf_answer_optional(s->knn), "watched", (json_int_t)s->watched, "resumed_from",
        (json_int_t)s->resumed_from, "size", found->size, "channels", found->channels, "dim",
        found->dim, "batch", found->batch, "watermark",
        zf_watermark_names[values->training.views.watermark], "pictures", (json_int_t)found->used,
        "parameters", (json_int_t)s->parameters, "history",
        zf_answer_text(values->training.history), "checkpoint",
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
    .summary = "learn image features without labels",
    .description =
        "Trains an encoder that turns an image into --dim numbers, from pairs of views of "
        "each image (zeroflow images --sheet draws them), without labels. The default sizes "
        "and settings are those of the paper. zeroflow embed computes the features.\n\n"
        "Images that fit into --memory are decoded once. Others are decoded once to check "
        "them, and again for each batch, while the batch before it is trained on. Images "
        "that cannot be read are left out, with a warning at the end.\n\n"
        "Ctrl-C saves the checkpoint and the model so far, and stops; --resume continues "
        "from there.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_pretrain_values),
    .defaults = defaults,
    .result_size = sizeof(zf_pretrain_result),
    .run = run,
    .json = json,
    .release = release,
};
