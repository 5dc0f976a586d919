/* zeroflow embed: the features of images, by a model of pretrain. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "zeroflow/table.h"
#include "zeroflow/vision.h"

#include "files.h"
#include "output.h"
#include "progress.h"
#include "text.h"
#include "vision_input.h"

enum { MODEL, IMAGES };
enum { OUTPUT, NAMES, GUARD, PROJECTOR, WATERMARK, SOURCE, END = SOURCE + CLI_IMAGE_OPTIONS };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_VISION_ARGUMENT_HELP},
    [IMAGES] = {"IMAGES", .type = CLI_IMAGES, .help = CLI_IMAGES_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "FEATURES",
                .help = "Where the features go, a name that ends in .npy: float32, a row for each "
                        "image. Needed."},
    [NAMES] = {"names", .type = CLI_OUTPUT, .placeholder = "FILE",
               .otherwise = "FEATURES with .csv for .npy",
               .help = "Where it is told which image each row is: CSV of row, name and class."},
    [GUARD] = CLI_GUARD_OPTION,
    [PROJECTOR] = {"projector", .type = CLI_PATHS, .placeholder = "PREFIX",
                   .help = "Writes PREFIX.vectors.tsv and PREFIX.metadata.tsv too, which the "
                           "embedding projector of TensorBoard loads; of large sets, 10,000 "
                           "images."},
    [WATERMARK] = {"watermark", .type = CLI_CHOICE, .placeholder = "KIND", .fallback = "none",
                   .choices = cli_watermarks,
                   .help = "Marks the images as pretrain does: those of its own set in the same "
                           "way with the same --seed; for another set take another seed."},
    CLI_IMAGE_OPTION_LIST(SOURCE, CLI_SIZE_OF_MODEL),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow embed photos.model photos -o features.npy",
     "A row of features for each image, and features.csv that says which is which."},
    {NULL},
};

/* One run: what was asked for and what it holds. */
typedef struct embedding {
    const cli_call *call;
    const char *output;
    char names[PATH_MAX];
    zf_vision *model;
    zf_images *images;
    float *features;
    size_t rows, dim;
} embedding;

static cli_exit check_words(embedding *e)
{
    const char *end = e->output ? strrchr(e->output, '.') : NULL,
               *given = e->call->values[NAMES].text;
    if (!e->output)
        return cli_fail(CLI_USAGE, "option -o is missing: say where the features go, as -o "
                                   "FEATURES.npy");
    if (!end || strcmp(end, ".npy") != 0)
        return cli_fail(CLI_USAGE, "option -o: expected a name that ends in .npy, found \"%s\"",
                        e->output);
    CLI_TRY(cli_need_file(given, "--names"));
    int length = given
                     ? snprintf(e->names, PATH_MAX, "%s", given)
                     : snprintf(e->names, PATH_MAX, "%.*s.csv", (int)(end - e->output), e->output);
    if (length >= PATH_MAX)
        return cli_fail(CLI_USAGE, "%.60s...: the path is longer than %d bytes", e->output,
                        PATH_MAX);
    return given ? CLI_DONE : cli_writes(e->call, "--names", e->names);
}

/* The files that zf_images_project will write. */
static cli_exit check_projector(const cli_call *call)
{
    static const char *const endings[] = {".vectors.tsv", ".metadata.tsv"};
    const char *prefix = call->values[PROJECTOR].text;
    char path[PATH_MAX];
    for (int i = 0; i < 2 && prefix; i++) {
        if (snprintf(path, PATH_MAX, "%s%s", prefix, endings[i]) >= PATH_MAX)
            return cli_fail(CLI_USAGE, "%.60s...: the path is longer than %d bytes", prefix,
                            PATH_MAX);
        CLI_TRY(cli_writes(call, "--projector", path));
    }
    return CLI_DONE;
}

static cli_exit compute(embedding *e)
{
    cli_progress progress;
    zf_view_options views = zf_view_defaults();
    views.seed = e->call->seed;
    views.watermark = (zf_watermark)cli_place_of(e->call->values[WATERMARK].text, cli_watermarks);
    e->rows = zf_images_count(e->images);
    e->dim = (size_t)zf_vision_dim(e->model);
    e->features = malloc(e->rows * e->dim * sizeof *e->features);
    if (!e->features)
        return cli_fail(CLI_FAILED, "out of memory: %zu MB for the features of %s",
                        (e->rows * e->dim * sizeof *e->features) >> 20,
                        cli_plural(e->rows, "image").text);
    cli_progress_begin(&progress, e->call);
    zf_status status = zf_vision_embed(e->model, e->features, e->images, NULL, e->rows, &views,
                                       e->call->threads, cli_progress_report(&progress));
    cli_progress_end(&progress);
    return cli_check_model(status, e->call->arguments[MODEL].text);
}

static cli_exit write_files(const embedding *e)
{
    const char *prefix = e->call->values[PROJECTOR].text;
    zf_numbers numbers = {.floats = e->features, .rows = e->rows, .columns = e->dim};
    CLI_TRY(cli_check(zf_table_write(e->output, &numbers)));
    CLI_TRY(cli_check(zf_images_list(e->images, e->names, e->call->values[GUARD].flag)));
    if (!prefix) return CLI_DONE;
    return cli_check(zf_images_project(e->images, prefix, e->features, e->dim));
}

static cli_exit tell(const embedding *e)
{
    const cli_value *values = e->call->values;
    FILE *out = e->call->out;
    const char *prefix = values[PROJECTOR].text;
    if (e->call->json)
        return cli_print_json(
            e->call,
            cli_add_refusals(json_pack("{s:o s:o s:o s:I s:I s:i s:s s:s}", "output",
                                       cli_json_text(e->output), "names", cli_json_text(e->names),
                                       "projector", cli_json_text(prefix), "pictures",
                                       (json_int_t)e->rows, "dim", (json_int_t)e->dim, "size",
                                       zf_vision_size(e->model), "method",
                                       zf_vision_method_name(zf_vision_trained_by(e->model)),
                                       "watermark", values[WATERMARK].text),
                             e->images, NULL));
    cli_clean(out, e->output);
    fprintf(out, ": %s of %s\n", cli_plural(e->dim, "feature").text,
            cli_plural(e->rows, "image").text);
    cli_clean(out, e->names);
    fputs(": which image each row is\n", out);
    if (!prefix) return CLI_DONE;
    cli_clean(out, prefix);
    fputs(".vectors.tsv, ", out);
    cli_clean(out, prefix);
    fputs(".metadata.tsv: for the embedding projector\n", out);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    embedding e = {.call = call, .output = call->values[OUTPUT].text};
    cli_exit exit = check_words(&e);
    if (exit == CLI_DONE) exit = check_projector(call);
    if (exit == CLI_DONE)
        exit = cli_open_model_images(&e.model, &e.images, call, call->arguments[MODEL].text,
                                     call->arguments[IMAGES].text, &call->values[SOURCE]);
    if (exit == CLI_DONE) exit = compute(&e);
    if (exit == CLI_DONE) exit = write_files(&e);
    if (exit == CLI_DONE) exit = tell(&e);
    free(e.features);
    cli_close_images(call, exit, e.images);
    zf_vision_free(e.model);
    return exit;
}

const cli_command cli_command_embed = {
    .name = "embed",
    .summary = "the features of images, by a model of pretrain",
    .description =
        "Computes the features that zeroflow pretrain has learnt, of every image of a source, "
        "whole and without noise: a matrix for NumPy with a row for each image, and a table that "
        "says which image each row is and of which class. An image that cannot be read has no "
        "row, with a warning at the end.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
