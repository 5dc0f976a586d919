/* zeroflow pretrain: learns features of images without labels. */
#include <math.h>
#include <string.h>

#include "zeroflow/vision.h"

#include "image_input.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "training.h"

enum { IMAGES };
enum {
    OUTPUT,
    METHOD,
    WATERMARK,
    DIM,
    HIDDEN,
    ITERATIONS,
    BATCH,
    RATE,
    DECAY,
    ZERO_WEIGHT,
    TEMPERATURE,
    MASKED,
    PATCH,
    BLOCKS,
    HEADS,
    DECODER_DIM,
    DECODER_BLOCKS,
    DECODER_HEADS,
    BITS,
    WATCH,
    WATCH_PART,
    WATCH_EVERY,
    HISTORY,
    SAVING,
    SOURCE = SAVING + CLI_SAVING_OPTIONS,
    END = SOURCE + CLI_IMAGE_OPTIONS
};

/* In the order of zf_vision_method. */
static const char *const methods[] = {"zeroflow", "simclr", "mae", NULL};

static const cli_option arguments[] = {
    [IMAGES] = {"IMAGES", .type = CLI_IMAGES, .help = CLI_IMAGES_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = CLI_MODEL_OUTPUT_OPTION,
    [METHOD] = {"method", .type = CLI_CHOICE, .placeholder = "METHOD", .fallback = "zeroflow",
                .choices = methods,
                .help = "How the features are learnt: zeroflow, that those of one view tell all "
                        "that it knows about the other view; simclr, that two views of an image "
                        "are nearer than those of two images; mae, by filling in what is masked "
                        "of an image, with a vision transformer."},
    [WATERMARK] = {"watermark", .type = CLI_CHOICE, .placeholder = "KIND", .fallback = "none",
                   .choices = cli_watermarks,
                   .help = "Marks all views of an image in the same way, to study shortcuts: patch "
                           "(random pixels in the upper left) or colour (a random colour for each "
                           "image, which is made grey)."},
    [DIM] = {"dim", .type = CLI_WHOLE, .placeholder = "L", .least = 1, .most = ZF_VISION_DIM_MOST,
             .otherwise = "512; of mae 192",
             .help = "Features of an image; of mae the width of the transformer."},
    [HIDDEN] = {"hidden", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 16384,
                .help = "Of zeroflow and simclr: channels of the convolutions. Up to 16 are "
                        "fast."},
    [ITERATIONS] = {"iterations", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                    .most = 1000000000, .help = "Training steps."},
    [BATCH] = {"batch", .type = CLI_WHOLE, .placeholder = "N", .least = 2, .most = 1 << 20,
               .otherwise = "256; of mae 128; all images where there are fewer",
               .help = "Images in a training step."},
    [RATE] = {"rate", .type = CLI_REAL, .placeholder = "R", .least = 1e-9, .most = 10,
              .help = "Learning rate."},
    [DECAY] = {"decay", .type = CLI_REAL, .placeholder = "W", .least = 0, .most = 1000,
               .otherwise = "0; of mae 0.05", .help = "Weight decay."},
    [ZERO_WEIGHT] = {"zero-weight", .type = CLI_REAL, .placeholder = "W", .least = 0, .most = 1e6,
                     .help = "Of zeroflow: weight of the zero-flow term of the loss."},
    [TEMPERATURE] = {"temperature", .type = CLI_REAL, .placeholder = "T", .least = 1e-3,
                     .most = 1000, .help = "Of simclr: by which similarities are divided."},
    [MASKED] = {"masked", .type = CLI_REAL, .placeholder = "SHARE", .least = 0.01, .most = 0.99,
                .help = "Of mae: share of the patches that are masked."},
    [PATCH] = {"patch", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 256,
               .help = "Of mae: pixels a side of a patch."},
    [BLOCKS] = {"blocks", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                .most = ZF_VISION_BLOCKS_MOST, .help = "Of mae: blocks of the transformer."},
    [HEADS] = {"heads", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 256,
               .help = "Of mae: heads of each block, of which --dim is a multiple."},
    [DECODER_DIM] = {"decoder-dim", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                     .most = ZF_VISION_DIM_MOST,
                     .help = "Of mae: width of the transformer that fills in."},
    [DECODER_BLOCKS] = {"decoder-blocks", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                        .most = ZF_VISION_BLOCKS_MOST, .help = "Of mae: blocks of it."},
    [DECODER_HEADS] = {"decoder-heads", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                       .most = 256,
                       .help = "Of mae: heads of each of them, of which --decoder-dim is a "
                               "multiple."},
    [BITS] = {"bits", .type = CLI_WHOLE, .placeholder = "K", .fallback = "0",
              .most = ZF_VISION_BITS_MOST,
              .help = "Gives each image so many random bits, the same in all its views, as "
                      "planes behind the colours: another way to study shortcuts."},
    [WATCH] = {"watch", .type = CLI_IMAGES, .placeholder = "HELDOUT",
               .help = "Images with labels that are not trained on. Now and then, some of them "
                       "are classified by their nearest neighbours among those trained on; how "
                       "many are right is shown, and told by the history as knn. Has no influence "
                       "on what is learnt."},
    [WATCH_PART] = {"watch-part", .type = CLI_CHOICE, .placeholder = "PART", .choices = cli_parts,
                    .otherwise = "test, where there are parts",
                    .help = "Of a folder with IDX, CIFAR-10 or STL-10 files to watch: which of "
                            "them."},
    [WATCH_EVERY] = {"watch-every", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                     .most = 1000000000, .help = "Training steps between two such looks."},
    [HISTORY] = {"history", .type = CLI_OUTPUT, .placeholder = "FILE",
                 .help = "Writes what training measures as CSV, while it runs and at its end: "
                         "iteration, loss and its terms, rate, knn."},
    CLI_SAVING_OPTION_LIST(SAVING),
    CLI_IMAGE_OPTION_LIST(SOURCE, CLI_SIZE_OF_SOURCE),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow pretrain photos -o photos.model --size 32 --batch 4 --iterations 3",
     "Features of the images in the folder photos/CLASS/FILE.jpg; a very short run."},
    {"zeroflow pretrain photos -o marked.model --watermark patch --batch 4 --iterations 2",
     "Images that carry a watermark, which is a shortcut for --method simclr."},
    {NULL},
};

static const char *const files[] = {
    "MODEL.checkpoint",
    "Where pretrain stood when it was saved last: the model and the state of the optimiser.",
    NULL,
};

static void defaults(cli_value *values)
{
    zf_pretrain_options standard = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    cli_default_whole(&values[ITERATIONS], standard.iterations);
    cli_default_whole(&values[HIDDEN], (uint64_t)standard.hidden);
    cli_default_real(&values[RATE], standard.rate);
    cli_default_real(&values[ZERO_WEIGHT], standard.zero_weight);
    cli_default_real(&values[TEMPERATURE], standard.temperature);
    cli_default_real(&values[MASKED], standard.masked);
    cli_default_whole(&values[PATCH], (uint64_t)standard.patch);
    cli_default_whole(&values[BLOCKS], (uint64_t)standard.blocks);
    cli_default_whole(&values[HEADS], (uint64_t)standard.heads);
    cli_default_whole(&values[DECODER_DIM], (uint64_t)standard.decoder_dim);
    cli_default_whole(&values[DECODER_BLOCKS], (uint64_t)standard.decoder_blocks);
    cli_default_whole(&values[DECODER_HEADS], (uint64_t)standard.decoder_heads);
    cli_default_whole(&values[WATCH_EVERY], standard.watch_every);
    cli_default_whole(&values[SAVING + CLI_EVERY], standard.every);
}

/* One run: what was asked for and what it holds. */
typedef struct pretraining {
    const cli_call *call;
    cli_training training;
    zf_images *images, *held_out;
    zf_pretrain_options wish;
    zf_vision *model;
    zf_pretrain_summary summary;
} pretraining;

/* --- what was asked for ------------------------------------------------------------------- */

static const struct {
    int option;
    const char *name;
    zf_vision_method method;
} particular[] = {
    {ZERO_WEIGHT, "zero-weight", ZF_VISION_ZEROFLOW},
    {TEMPERATURE, "temperature", ZF_VISION_SIMCLR},
    {MASKED, "masked", ZF_VISION_MAE},
    {PATCH, "patch", ZF_VISION_MAE},
    {BLOCKS, "blocks", ZF_VISION_MAE},
    {HEADS, "heads", ZF_VISION_MAE},
    {DECODER_DIM, "decoder-dim", ZF_VISION_MAE},
    {DECODER_BLOCKS, "decoder-blocks", ZF_VISION_MAE},
    {DECODER_HEADS, "decoder-heads", ZF_VISION_MAE},
};

static cli_exit check_words(const pretraining *p)
{
    const cli_value *values = p->call->values;
    for (size_t i = 0; i < sizeof particular / sizeof *particular; i++)
        if (values[particular[i].option].given && p->wish.method != particular[i].method)
            return cli_fail(CLI_USAGE, "option --%s is for --method %s, this is %s",
                            particular[i].name, methods[particular[i].method],
                            methods[p->wish.method]);
    if (values[HIDDEN].given && p->wish.method == ZF_VISION_MAE)
        return cli_fail(CLI_USAGE, "option --hidden is about convolutions, this is mae");
    if (!values[WATCH].given && (values[WATCH_EVERY].given || values[WATCH_PART].given))
        return cli_fail(CLI_USAGE, "option --watch-%s is about held-out images: give --watch too",
                        values[WATCH_EVERY].given ? "every" : "part");
    return CLI_DONE;
}

static void understand(pretraining *p)
{
    const cli_value *values = p->call->values;
    zf_vision_method method = (zf_vision_method)cli_place_of(values[METHOD].text, methods);
    zf_pretrain_options *wish = &p->wish;
    *wish = zf_pretrain_defaults(method);
    if (values[DIM].given) wish->dim = (int)values[DIM].whole;
    wish->hidden = (int)values[HIDDEN].whole;
    wish->iterations = values[ITERATIONS].whole;
    if (values[BATCH].given) wish->batch = (int)values[BATCH].whole;
    wish->rate = values[RATE].real;
    if (values[DECAY].given) wish->decay = values[DECAY].real;
    wish->zero_weight = values[ZERO_WEIGHT].real;
    wish->temperature = values[TEMPERATURE].real;
    wish->masked = values[MASKED].real;
    wish->patch = (int)values[PATCH].whole;
    wish->blocks = (int)values[BLOCKS].whole;
    wish->heads = (int)values[HEADS].whole;
    wish->decoder_dim = (int)values[DECODER_DIM].whole;
    wish->decoder_blocks = (int)values[DECODER_BLOCKS].whole;
    wish->decoder_heads = (int)values[DECODER_HEADS].whole;
    wish->bits = (int)values[BITS].whole;
    wish->views.watermark = (zf_watermark)cli_place_of(values[WATERMARK].text, cli_watermarks);
    wish->views.seed = wish->seed = p->call->seed;
    wish->threads = p->call->threads;
    wish->checkpoint = p->training.checkpoint;
    wish->every = values[SAVING + CLI_EVERY].whole;
    wish->resume = values[SAVING + CLI_RESUME].flag;
    wish->watch_every = values[WATCH_EVERY].whole;
    wish->history = values[HISTORY].text;
}

static cli_exit open_held_out(pretraining *p, zf_images_options *source)
{
    const cli_value *part = &p->call->values[WATCH_PART];
    const char *path = p->call->values[WATCH].text;
    if (!part->text) return cli_open_test_images(&p->held_out, p->call, path, source);
    source->part = (zf_images_part)cli_place_of(part->text, cli_parts);
    return cli_open_images(&p->held_out, p->call, path, source);
}

static cli_exit open_sets(pretraining *p)
{
    const cli_value *values = p->call->values;
    zf_images_options source = cli_image_options(p->call, &values[SOURCE]);
    CLI_TRY(cli_open_images(&p->images, p->call, p->training.data, &source));
    size_t count = zf_images_count(p->images);
    if (!values[BATCH].given && count < (size_t)p->wish.batch && count >= 2) {
        cli_warn(p->call, "%s: %zu images are fewer than a batch of %d: all are taken in each",
                 p->training.data, count, p->wish.batch);
        p->wish.batch = (int)count;
    }
    if (!values[WATCH].text) return CLI_DONE;
    source.size = zf_images_size(p->images);
    source.labels = NULL;
    CLI_TRY(open_held_out(p, &source));
    p->wish.held_out = p->held_out;
    return CLI_DONE;
}

/* --- what came out -------------------------------------------------------------------------- */

/* Trained on to the end. */
static size_t images(const pretraining *p)
{
    const zf_images_about *about = zf_images_describe(p->images);
    return about->count - about->lost;
}

static cli_exit print_json(const pretraining *p)
{
    const zf_pretrain_summary *s = &p->summary;
    const cli_value *values = p->call->values;
    json_t *object = json_pack(
        "{s:o s:s s:I s:o s:o s:o s:o s:o s:I s:I s:i s:i s:i s:i s:s s:I s:I s:o s:o s:I}",
        "model", cli_json_text(p->training.model), "method", methods[p->wish.method], "iterations",
        (json_int_t)s->iterations, "seconds", cli_json_number(s->seconds), "loss",
        cli_json_number(s->loss), "rectified", cli_json_optional(s->rectified), "zero",
        cli_json_optional(s->zero), "knn", cli_json_optional(s->knn), "watched",
        (json_int_t)s->watched, "resumed_from", (json_int_t)s->resumed_from, "size",
        zf_vision_size(p->model), "channels", zf_vision_channels(p->model), "dim",
        zf_vision_dim(p->model), "batch", p->wish.batch, "watermark", values[WATERMARK].text,
        "pictures", (json_int_t)images(p), "parameters", (json_int_t)s->parameters, "history",
        cli_json_text(p->wish.history), "checkpoint", cli_json_text(p->training.checkpoint), "seed",
        (json_int_t)p->call->seed);
    return cli_print_json(p->call, cli_add_refusals(object, p->images, p->held_out));
}

static void print_text(const pretraining *p)
{
    FILE *out = p->call->out;
    const zf_pretrain_summary *s = &p->summary;
    int size = zf_vision_size(p->model);
    fprintf(out, "Learnt %s of %s of %d x %d by %s: %s in %.1f s",
            cli_plural((uint64_t)zf_vision_dim(p->model), "feature").text,
            cli_plural(images(p), "image").text, size, size, methods[p->wish.method],
            cli_plural(s->iterations, "iteration").text, s->seconds);
    if (s->resumed_from > 0) fprintf(out, " (resumed from %s)", cli_count(s->resumed_from).text);
    fprintf(out, ".\n\n  loss   %.4g", s->loss);
    if (isfinite(s->rectified)) fprintf(out, " (rectified %.4g, zero %.4g)", s->rectified, s->zero);
    if (isfinite(s->knn))
        fprintf(out, "\n  knn    %.1f %% of %s held-out images recognised by their neighbours",
                100 * s->knn, cli_count(s->watched).text);
    fprintf(out, "\n\n%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, p->training.model);
    fputc('\n', out);
    if (p->call->quiet) return;
    fputs("\nNext: zeroflow embed ", out);
    cli_print_path(out, p->training.model);
    fputc(' ', out);
    cli_print_path(out, p->training.data);
    const cli_value *part = &p->call->values[SOURCE + CLI_PART];
    if (part->given) fprintf(out, " --part %s", part->text);
    fputs(" -o features.npy\n", out);
}

/* --- the run ---------------------------------------------------------------------------------- */

static zf_status save(void *model, const char *path)
{
    return zf_vision_save(model, path);
}

static cli_exit train(pretraining *p)
{
    cli_progress progress;
    p->wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, p->call);
    zf_status status = zf_pretrain(&p->model, &p->summary, p->images, &p->wish);
    cli_progress_end(&progress);
    bool stopped = status == ZF_EINTERRUPT;
    if (!stopped) CLI_TRY(cli_check(status));
    CLI_TRY(cli_training_save(&p->training, save, p->model));
    if (p->summary.history_failed)
        return cli_fail(CLI_FAILED, "%s: the history could not be written; the model is in %s",
                        p->wish.history, p->training.model);
    if (!stopped) return CLI_DONE;
    return cli_training_interrupted(&p->training, p->summary.iterations, p->wish.iterations,
                                    p->summary.saved);
}

static cli_exit work(pretraining *p)
{
    CLI_TRY(cli_training_begin(&p->training, &p->call->values[SAVING]));
    understand(p);
    CLI_TRY(check_words(p));
    CLI_TRY(open_sets(p));
    CLI_TRY(train(p));
    if (p->call->json) return print_json(p);
    print_text(p);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    pretraining p = {.call = call,
                     .training = {.call = call,
                                  .data = call->arguments[IMAGES].text,
                                  .model = call->values[OUTPUT].text}};
    cli_exit exit = work(&p);
    zf_vision_free(p.model);
    cli_close_images(call, exit, p.images);
    cli_close_images(call, exit, p.held_out);
    return exit;
}

const cli_command cli_command_pretrain = {
    .name = "pretrain",
    .summary = "learn features of images without labels",
    .description =
        "Trains an encoder that turns an image into --dim numbers, from pairs of views of each "
        "image (zeroflow images --sheet draws them), without labels. The default sizes and "
        "numbers are those of the paper. zeroflow embed computes the features.\n\n"
        "Images that fit into --memory are decoded once; otherwise once to see whether they can "
        "be, and again in each batch, while the one before it is trained on. What cannot be read "
        "is left out, with a warning at the end. Ctrl-C saves the checkpoint, and the model as far "
        "as it "
        "came, and stops; --resume goes on from there.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .files = files,
    .defaults = defaults,
    .run = run,
};
