/* zeroflow reconstruct: what of images can be brought back from their features. */
#include "zeroflow/reconstruct.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "image_sets.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "training.h"
#include "zeroflow/plot.h"

enum { MODEL, TRAIN, TEST };
enum { OUTPUT, WATERMARK, ITERATIONS, BATCH, RATE, COUNT, SETS, END = SETS + CLI_SETS_OPTIONS };
enum { COLOURS = 3, A_ROW = 10, COUNT_MOST = 100 };

static const cli_option arguments[] = {
    CLI_SETS_ARGUMENT_LIST,
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_PATHS, "PLACE",
                .help = "Where the sheet of images and reconstructions goes: a name that ends in "
                        ".png or .svg, or a folder, which gets reconstruction.png. Without it none "
                        "is drawn."},
    [WATERMARK] = {"watermark", .type = CLI_CHOICE, .placeholder = "KIND",
                   .choices = cli_watermarks, .otherwise = "that of the model's training",
                   .help = "What marks the images to fit on: none, patch or colour. With a "
                           "watermark clean images and marked ones are judged on."},
    [ITERATIONS] = {"iterations", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                    .most = 1000000000, .help = "Training steps of the decoder."},
    [BATCH] = {"batch", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1 << 20,
               .help = "Images in a training step."},
    [RATE] = {"rate", .type = CLI_REAL, .placeholder = "R", .least = 1e-9, .most = 10,
              .help = "Learning rate; falls to 1/100 along a cosine."},
    [COUNT] = {"count", .type = CLI_WHOLE, .placeholder = "N", .fallback = "10", .least = 1,
               .most = COUNT_MOST, .help = "Images on the sheet, taken evenly."},
    CLI_SETS_OPTION_LIST(SETS),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow reconstruct photos.model photos -o seen.png --iterations 5",
     "How well images come back from the features of a model, and a sheet of some; a very short "
     "run."},
    {NULL},
};

static void defaults(cli_value *values)
{
    zf_reconstruct_options standard = zf_reconstruct_defaults();
    cli_default_whole(&values[ITERATIONS], standard.iterations);
    cli_default_whole(&values[BATCH], (uint64_t)standard.batch);
    cli_default_real(&values[RATE], standard.rate);
}

/* One run: what was asked for and what it holds. */
typedef struct reconstructing {
    const cli_call *call;
    char path[PATH_MAX]; /* of the sheet; "": none */
    zf_vision *model;
    cli_image_sets sets;
    zf_watermark watermark;
    zf_coded_images train, test[CLI_TEST_SETS];
    int n_tests; /* 2 if images are marked */
    float *features[1 + CLI_TEST_SETS];
    zf_reconstructor *decoder;
    zf_reconstruct_error error[CLI_TEST_SETS];
} reconstructing;

/* --- features ----------------------------------------------------------------------------- */

static cli_exit code(reconstructing *r, zf_coded_images *coded, float **features,
                     const cli_image_set *set, zf_report report)
{
    size_t dim = (size_t)zf_vision_dim(r->model);
    *features = malloc(set->count * dim * sizeof **features);
    if (!*features)
        return cli_fail(CLI_FAILED, "out of memory for %zu x %zu features", set->count, dim);
    *coded = (zf_coded_images){.images = set->images,
                               .which = set->which,
                               .count = set->count,
                               .views = coded->views,
                               .features = *features,
                               .dim = dim};
    zf_status status = zf_vision_embed(r->model, *features, set->images, set->which, set->count,
                                       &coded->views, r->call->threads, report);
    return cli_check_model(status, r->call->arguments[MODEL].text);
}

/* Images to judge on have marks of their own. */
static cli_exit code_all(reconstructing *r, zf_report report)
{
    zf_view_options views = zf_view_defaults();
    views.watermark = r->watermark;
    views.seed = r->call->seed;
    r->train.views = views;
    views.seed++;
    r->test[CLI_MARKED].views = views;
    views.watermark = ZF_WATERMARK_NONE;
    r->test[CLI_CLEAN].views = views;
    CLI_TRY(code(r, &r->train, &r->features[CLI_TEST_SETS], &r->sets.train, report));
    for (int k = 0; k < r->n_tests; k++)
        CLI_TRY(code(r, &r->test[k], &r->features[k], &r->sets.test, report));
    return CLI_DONE;
}

static cli_exit fit(reconstructing *r, cli_progress *progress)
{
    const cli_value *values = r->call->values;
    zf_reconstruct_options wish = zf_reconstruct_defaults();
    wish.iterations = values[ITERATIONS].whole;
    wish.batch = (int)values[BATCH].whole;
    wish.rate = values[RATE].real;
    wish.seed = r->call->seed;
    wish.threads = r->call->threads;
    wish.report = cli_progress_report(progress);
    cli_progress_stage(progress, "features");
    CLI_TRY(code_all(r, wish.report));
    cli_progress_stage(progress, "decoder");
    CLI_TRY(cli_check(zf_reconstruct_fit(&r->decoder, &r->train, &wish)));
    for (int k = 0; k < r->n_tests; k++)
        CLI_TRY(cli_check(
            zf_reconstruct_measure(r->decoder, &r->error[k], &r->test[k], r->call->threads)));
    return CLI_DONE;
}

/* --- the sheet ------------------------------------------------------------------------------ */

/* Some images of a set: as they are, and what the decoder makes of them. */
typedef struct sample {
    size_t count, size; /* floats of an image */
    float *images;      /* [2, count, size]: originals, then decoded */
} sample;

static cli_exit take_sample(const reconstructing *r, sample *s, const zf_coded_images *set)
{
    int side = zf_vision_size(r->model);
    float *features = malloc(s->count * set->dim * sizeof *features);
    uint8_t *pixels = malloc(s->size);
    cli_exit exit = features && pixels ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < s->count && exit == CLI_DONE; i++) {
        size_t at = (2 * i + 1) * set->count / (2 * s->count);
        memcpy(features + i * set->dim, set->features + at * set->dim, set->dim * sizeof *features);
        exit = cli_check(zf_images_read(set->images, &set->which[at], 1, pixels));
        if (exit == CLI_DONE)
            zf_view_plain(s->images + i * s->size, pixels, side, &set->views, set->which[at]);
    }
    if (exit == CLI_DONE)
        exit = cli_check(zf_reconstruct_decode(r->decoder, s->images + s->count * s->size, features,
                                               s->count, r->call->threads));
    free(features);
    free(pixels);
    return exit;
}

/* Rows of originals, each with its reconstructions below. */
static cli_exit draw_samples(const reconstructing *r, const sample *samples)
{
    enum { ROWS_MOST = CLI_TEST_SETS * 2 * (COUNT_MOST / A_ROW) };
    const float *images[CLI_TEST_SETS * 2 * COUNT_MOST];
    zf_image_row rows[ROWS_MOST];
    char titles[CLI_TEST_SETS][64];
    size_t n_rows = 0, place = 0;
    for (int k = 0; k < r->n_tests; k++) {
        const sample *s = &samples[k];
        snprintf(titles[k], sizeof titles[k], "%s images, and below them decoded: MSE %.4f",
                 k == CLI_CLEAN ? "Clean" : "Watermarked", r->error[k].mse);
        for (size_t from = 0; from < s->count; from += A_ROW)
            for (size_t decoded = 0; decoded < 2; decoded++) {
                size_t n = s->count - from < A_ROW ? s->count - from : A_ROW;
                rows[n_rows++] = (zf_image_row){
                    .title = from == 0 && decoded == 0 ? titles[k] : NULL,
                    .images = images + place,
                    .n = n,
                };
                for (size_t i = 0; i < n; i++)
                    images[place++] = s->images + (decoded * s->count + from + i) * s->size;
            }
    }
    zf_figure figure = {.title = "What can be brought back from the features"};
    return cli_check(zf_plot_images(r->path, &figure, zf_vision_size(r->model), rows, n_rows));
}

static cli_exit draw(const reconstructing *r)
{
    size_t side = (size_t)zf_vision_size(r->model), count = (size_t)r->call->values[COUNT].whole;
    if (!r->path[0]) return CLI_DONE;
    if (count > r->sets.test.count) count = r->sets.test.count;
    sample samples[CLI_TEST_SETS] = {{0}};
    cli_exit exit = CLI_DONE;
    for (int k = 0; k < r->n_tests && exit == CLI_DONE; k++) {
        samples[k] = (sample){.count = count, .size = COLOURS * side * side};
        samples[k].images = malloc(2 * count * samples[k].size * sizeof(float));
        exit = samples[k].images ? take_sample(r, &samples[k], &r->test[k])
                                 : cli_fail(CLI_FAILED, "out of memory");
    }
    if (exit == CLI_DONE) exit = draw_samples(r, samples);
    for (int k = 0; k < CLI_TEST_SETS; k++) free(samples[k].images);
    return exit;
}

/* A name of a figure, or a folder, which is made. */
static cli_exit settle_path(reconstructing *r)
{
    const char *place = r->call->values[OUTPUT].text;
    if (!place) return CLI_DONE;
    const char *dot = strrchr(place, '.');
    bool figure = dot && (strcmp(dot, ".png") == 0 || strcmp(dot, ".svg") == 0);
    if (!figure) CLI_TRY(cli_make_folder(r->call, place));
    if (snprintf(r->path, sizeof r->path, "%s%s", place, figure ? "" : "/reconstruction.png") >=
        (int)sizeof r->path)
        return cli_fail(CLI_USAGE, "option -o: expected a path of at most %d bytes", PATH_MAX - 1);
    return cli_writes(r->call, "--output", r->path);
}

/* --- what came out --------------------------------------------------------------------------- */

static json_t *error_json(const reconstructing *r, int kind)
{
    if (kind >= r->n_tests) return json_null();
    return json_pack("{s:o s:o}", "mse", cli_json_number(r->error[kind].mse), "mean_picture",
                     cli_json_number(r->error[kind].mean));
}

static cli_exit print_json(const reconstructing *r)
{
    const zf_reconstruct_error *own = &r->error[r->n_tests - 1];
    return cli_print_json(
        r->call,
        cli_add_refusals(
            json_pack("{s:o s:s s:i s:i s:s s:I s:I s:b s:o s:o s:{s:o s:o} s:I s:o s:I}", "model",
                      cli_json_text(r->call->arguments[MODEL].text), "method",
                      zf_vision_method_name(zf_vision_trained_by(r->model)), "dim",
                      zf_vision_dim(r->model), "size", zf_vision_size(r->model), "watermark",
                      cli_watermarks[r->watermark], "train_rows", (json_int_t)r->sets.train.count,
                      "test_rows", (json_int_t)r->sets.test.count, "split", r->sets.split, "mse",
                      cli_json_number(own->mse), "mean_picture", cli_json_number(own->mean), "test",
                      cli_test_set_names[CLI_CLEAN], error_json(r, CLI_CLEAN),
                      cli_test_set_names[CLI_MARKED], error_json(r, CLI_MARKED), "iterations",
                      (json_int_t)r->call->values[ITERATIONS].whole, "pictures",
                      cli_json_text(r->path[0] ? r->path : NULL), "seed",
                      (json_int_t)r->call->seed),
            r->sets.train.images, r->sets.test.images));
}

static void print_text(const reconstructing *r)
{
    FILE *out = r->call->out;
    int size = zf_vision_size(r->model);
    fputs(cli_bold(), out);
    cli_clean(out, r->call->arguments[MODEL].text);
    fprintf(out, "%s: %s, %s of images of %d x %d\n\n", cli_plain(),
            zf_vision_method_name(zf_vision_trained_by(r->model)),
            cli_plural((uint64_t)zf_vision_dim(r->model), "feature").text, size, size);
    fprintf(out, "  fitted on  %s", cli_plural(r->sets.train.count, "image").text);
    if (r->n_tests > 1) fprintf(out, ", watermark %s", cli_watermarks[r->watermark]);
    fprintf(out, "\n  judged on  %s%s\n\n", cli_plural(r->sets.test.count, "image").text,
            r->sets.split ? ", held out evenly" : "");
    fprintf(out, "  %s%-11s  MSE of decoded  of the mean image%s\n", cli_bold(), "images",
            cli_plain());
    for (int k = 0; k < r->n_tests; k++)
        fprintf(out, "  %-11s  %14.4f  %19.4f\n", cli_test_set_names[k], r->error[k].mse,
                r->error[k].mean);
    if (!r->path[0]) return;
    fputs("\nWrote ", out);
    cli_clean(out, r->path);
    fputc('\n', out);
}

/* --- the run ---------------------------------------------------------------------------------- */

static cli_exit work(reconstructing *r)
{
    const cli_value *given = r->call->arguments, *mark = &r->call->values[WATERMARK];
    CLI_TRY(settle_path(r));
    CLI_TRY(cli_check(zf_vision_load(&r->model, given[MODEL].text)));
    cli_sets_wish wish = {
        .train = given[TRAIN].text,
        .test = given[TEST].text,
        .options = &r->call->values[SETS],
        .size = zf_vision_size(r->model),
    };
    CLI_TRY(cli_open_sets(&r->sets, r->call, &wish));
    r->watermark = mark->given ? (zf_watermark)cli_place_of(mark->text, cli_watermarks)
                               : zf_vision_watermark(r->model);
    r->n_tests = r->watermark == ZF_WATERMARK_NONE ? 1 : CLI_TEST_SETS;
    cli_progress progress;
    cli_progress_begin(&progress, r->call);
    cli_exit exit = fit(r, &progress);
    cli_progress_end(&progress);
    CLI_TRY(exit);
    CLI_TRY(draw(r));
    if (r->call->json) return print_json(r);
    print_text(r);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    reconstructing r = {.call = call};
    cli_exit exit = work(&r);
    zf_reconstructor_free(r.decoder);
    for (int k = 0; k < 1 + CLI_TEST_SETS; k++) free(r.features[k]);
    cli_close_sets(call, exit, &r.sets);
    zf_vision_free(r.model);
    return exit;
}

const cli_command cli_command_reconstruct = {
    .name = "reconstruct",
    .summary = "what of images can be brought back from their features",
    .description =
        "Computes the features of images with a model, which stays as it is, and trains a "
        "decoder from scratch, the one of the paper's appendix, to make the images of them. Its "
        "mean squared error on images that it was not trained on, with pixels from 0 to 1, says "
        "how much of an image the features keep; beside it stands that of the mean image, which "
        "needs no features at all. Works for models of every method.\n\n"
        "Of a model that was trained on watermarked images the decoder is trained on such "
        "images, watermark included, and judged on clean and on watermarked ones; mse of the "
        "JSON is then that of the watermarked, test has both.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .defaults = defaults,
    .run = run,
};
