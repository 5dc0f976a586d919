/* zeroflow audit: which pixels the codes of a model depend on, as numbers for each ninth of
   the image and as a sheet of sample images with heat maps over them. */
#include "zeroflow/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "training.h"
#include "vision_input.h"
#include "zeroflow/plot.h"

enum { MODEL, IMAGES };
enum {
    OUTPUT,
    SAMPLES,
    WINDOW,
    STRIDE,
    OTHERS,
    WATERMARK,
    SOURCE,
    END = SOURCE + CLI_IMAGE_OPTIONS
};
enum { SAMPLES_MOST = 100, A_ROW = 8, THIRDS = 3, NINTHS = THIRDS * THIRDS };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_VISION_ARGUMENT_HELP},
    [IMAGES] = {"IMAGES", .type = CLI_IMAGES, .help = CLI_IMAGES_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "FILE",
                .help = "Writes the sample images with their maps, as PNG or SVG by the name's "
                        "end."},
    [SAMPLES] = {"samples", .type = CLI_WHOLE, .placeholder = "N", .fallback = "16", .least = 1,
                 .most = SAMPLES_MOST, .help = "Images, taken evenly from the whole set."},
    [WINDOW] = {"window", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                .most = ZF_IMAGES_SIDE_MAX, .otherwise = "an eighth of the image's side",
                .help = "Pixels a side of what is covered."},
    [STRIDE] = {"stride", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                .most = ZF_IMAGES_SIDE_MAX, .otherwise = "half a window",
                .help = "Pixels from one window to the next."},
    [OTHERS] = {"others", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1000,
                .help = "Images whose pixels cover each window, one after the other."},
    [WATERMARK] = {"watermark", .type = CLI_CHOICE, .placeholder = "KIND",
                   .choices = cli_watermarks, .otherwise = "that of the model's training",
                   .help = "How the images are marked: none, patch or colour."},
    CLI_IMAGE_OPTION_LIST(SOURCE, CLI_SIZE_OF_MODEL),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow audit photos.model photos -o audit.png --samples 4",
     "Where the codes of four images come from."},
    {NULL},
};

static void defaults(cli_value *values)
{
    cli_default_whole(&values[OTHERS], (uint64_t)zf_audit_defaults().others);
}

typedef struct auditing {
    const cli_call *call;
    zf_vision *model;
    zf_images *images;
    zf_audit_options wish;
    int size;
    size_t n, plane; /* images, pixels of one */
    uint32_t which[SAMPLES_MOST];
    uint8_t *bytes;
    float *maps;             /* [n, size, size] */
    double share[NINTHS];    /* of the dependence, by ninths of the image */
    float *pixels, *overlay; /* [n, 3, size, size] */
} auditing;

/* --- numbers ------------------------------------------------------------------------- */

static const char *const ninths[NINTHS] = {
    "upper left",   "upper middle", "upper right",  "middle left", "middle",
    "middle right", "lower left",   "lower middle", "lower right",
};

static void divide(auditing *a)
{
    double total = 0;
    for (size_t i = 0; i < a->n * a->plane; i++) {
        size_t pixel = i % a->plane, size = (size_t)a->size;
        size_t row = pixel / size * THIRDS / size, column = pixel % size * THIRDS / size;
        a->share[row * THIRDS + column] += (double)a->maps[i];
        total += (double)a->maps[i];
    }
    for (int k = 0; k < NINTHS && total > 0; k++) a->share[k] /= total;
}

static int largest(const double *share)
{
    int best = 0;
    for (int k = 1; k < NINTHS; k++)
        if (share[k] > share[best]) best = k;
    return best;
}

/* --- the sheet ------------------------------------------------------------------------- */

/* Black, red, yellow, white. */
static void heat_colour(float value, float colour[3])
{
    float heat = fminf(fmaxf(value, 0), 1) * 3;
    for (int c = 0; c < 3; c++) colour[c] = fminf(fmaxf(heat - (float)c, 0), 1);
}

/* The image in grey shines through where the map is dark. Maps of one sheet have one
   scale, that of its 99th percentile, so that they compare. */
static void overlay(const auditing *a, size_t i, float scale)
{
    const float *image = a->pixels + i * 3 * a->plane, *map = a->maps + i * a->plane;
    float *out = a->overlay + i * 3 * a->plane;
    for (size_t p = 0; p < a->plane; p++) {
        float colour[3], heat = scale > 0 ? map[p] / scale : 0;
        float grey = (image[p] + image[a->plane + p] + image[2 * a->plane + p]) / 3;
        float weight = 0.35f + 0.6f * fminf(heat, 1);
        heat_colour(heat, colour);
        for (size_t c = 0; c < 3; c++)
            out[c * a->plane + p] = (1 - weight) * grey + weight * colour[c];
    }
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static cli_exit scale_of(const auditing *a, float *scale)
{
    size_t n = a->n * a->plane;
    float *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return cli_fail(CLI_FAILED, "out of memory");
    memcpy(sorted, a->maps, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    *scale = sorted[(n - 1) * 99 / 100];
    free(sorted);
    return CLI_DONE;
}

static cli_exit draw(auditing *a)
{
    const float *places[2 * SAMPLES_MOST];
    zf_image_row rows[2 * (SAMPLES_MOST / A_ROW + 1)];
    size_t n_rows = 0;
    float scale = 0;
    CLI_TRY(scale_of(a, &scale));
    for (size_t i = 0; i < a->n; i++) {
        zf_view_plain(a->pixels + i * 3 * a->plane, a->bytes + i * 3 * a->plane, a->size,
                      &a->wish.views, a->which[i]);
        overlay(a, i, scale);
        places[i] = a->pixels + i * 3 * a->plane;
        places[a->n + i] = a->overlay + i * 3 * a->plane;
    }
    for (size_t from = 0; from < a->n; from += A_ROW) {
        size_t n = a->n - from < A_ROW ? a->n - from : A_ROW;
        rows[n_rows++] = (zf_image_row){.title = from ? NULL
                                                      : "Images, and below each what "
                                                        "its code depends on",
                                        .images = places + from,
                                        .n = n};
        rows[n_rows++] = (zf_image_row){.images = places + a->n + from, .n = n};
    }
    char title[512];
    snprintf(title, sizeof title, "%s: the %s ninth has %.0f %% of the dependence",
             a->call->arguments[MODEL].text, ninths[largest(a->share)],
             100 * a->share[largest(a->share)]);
    zf_figure figure = {.title = title};
    return cli_check(zf_plot_images(a->call->values[OUTPUT].text, &figure, a->size, rows, n_rows));
}

/* --- what is said ------------------------------------------------------------------------ */

static cli_exit print_json(const auditing *a)
{
    json_t *shares = json_array();
    for (int k = 0; k < NINTHS; k++) {
        json_t *one =
            json_pack("{s:s s:o}", "name", ninths[k], "share", cli_json_number(a->share[k]));
        if (json_array_append_new(shares, one) == 0) continue;
        json_decref(shares);
        shares = NULL;
        break;
    }
    return cli_print_json(
        a->call,
        cli_add_refusals(json_pack("{s:o s:o s:s s:i s:i s:i s:o s:o}", "model",
                                   cli_json_text(a->call->arguments[MODEL].text), "images",
                                   cli_json_text(a->call->arguments[IMAGES].text), "watermark",
                                   cli_watermarks[a->wish.views.watermark], "samples", (int)a->n,
                                   "window", a->wish.window, "others", a->wish.others, "where",
                                   shares, "sheet", cli_json_text(a->call->values[OUTPUT].text)),
                         a->images, NULL));
}

static void print_text(const auditing *a)
{
    FILE *out = a->call->out;
    int most = largest(a->share);
    fprintf(out, "What the codes of %s depend on, by ninths of the image:\n\n",
            cli_plural(a->n, "image").text);
    for (int row = 0; row < THIRDS; row++) {
        for (int column = 0; column < THIRDS; column++)
            fprintf(out, "  %5.1f %%", 100 * a->share[row * THIRDS + column]);
        fputc('\n', out);
    }
    fprintf(out,
            "\nThe %s has the most, %.0f %%; if all counted alike, each would have 11 %%.\n"
            "A part with far more than its share, where the images' subject is not, is a "
            "shortcut.\n",
            ninths[most], 100 * a->share[most]);
    if (!a->call->values[OUTPUT].text) return;
    fputs("\nWrote ", out);
    cli_clean(out, a->call->values[OUTPUT].text);
    fputc('\n', out);
}

/* --- the run ------------------------------------------------------------------------------ */

static cli_exit open(auditing *a)
{
    const cli_value *values = a->call->values;
    CLI_TRY(cli_check_figure_name(values[OUTPUT].text, "--output"));
    CLI_TRY(cli_open_model_images(&a->model, &a->images, a->call, a->call->arguments[MODEL].text,
                                  a->call->arguments[IMAGES].text, &values[SOURCE]));
    a->wish.views.seed = a->call->seed;
    a->wish.views.watermark =
        values[WATERMARK].given ? (zf_watermark)cli_place_of(values[WATERMARK].text, cli_watermarks)
                                : zf_vision_watermark(a->model);
    if (values[WINDOW].given) a->wish.window = (int)values[WINDOW].whole;
    if (values[STRIDE].given) a->wish.stride = (int)values[STRIDE].whole;
    a->wish.others = (int)values[OTHERS].whole;
    a->wish.seed = a->call->seed;
    a->wish.threads = a->call->threads;
    return CLI_DONE;
}

static cli_exit measure(auditing *a)
{
    cli_progress progress;
    size_t total = zf_images_count(a->images);
    a->size = zf_images_size(a->images);
    a->plane = (size_t)a->size * (size_t)a->size;
    a->n = (size_t)a->call->values[SAMPLES].whole;
    if (a->n > total) a->n = total;
    for (size_t k = 0; k < a->n; k++) a->which[k] = (uint32_t)((2 * k + 1) * total / (2 * a->n));
    a->bytes = malloc(a->n * 3 * a->plane);
    a->maps = malloc(a->n * a->plane * sizeof *a->maps);
    a->pixels = malloc(a->n * 3 * a->plane * sizeof *a->pixels);
    a->overlay = malloc(a->n * 3 * a->plane * sizeof *a->overlay);
    if (!a->bytes || !a->maps || !a->pixels || !a->overlay)
        return cli_fail(CLI_FAILED, "out of memory");
    CLI_TRY(cli_check(zf_images_read(a->images, a->which, a->n, a->bytes)));
    a->wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, a->call);
    zf_status status = zf_vision_audit(a->model, a->maps, a->images, a->which, a->n, &a->wish);
    cli_progress_end(&progress);
    return cli_check_model(status, a->call->arguments[MODEL].text);
}

static cli_exit work(auditing *a)
{
    CLI_TRY(open(a));
    CLI_TRY(measure(a));
    divide(a);
    if (a->call->values[OUTPUT].text) CLI_TRY(draw(a));
    if (a->call->json) return print_json(a);
    print_text(a);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    auditing a = {.call = call, .wish = zf_audit_defaults()};
    cli_exit exit = work(&a);
    zf_vision_free(a.model);
    cli_close_images(call, exit, a.images);
    free(a.bytes);
    free(a.maps);
    free(a.pixels);
    free(a.overlay);
    return exit;
}

const cli_command cli_command_audit = {
    .name = "audit",
    .summary = "see which pixels the codes of a model depend on",
    .description =
        "Covers a window of an image with the same window of other images, and looks how far "
        "the code moves, as a share of how far it would move if the whole image were another "
        "one. Done for every window, this is a map of what the code depends on. A model that "
        "learnt a shortcut, such as a watermark in a corner, shows it as one bright spot; one "
        "that learnt what the images are of, looks at all of it.\n\n"
        "Works for every method of zeroflow pretrain. The images are watermarked as those "
        "that the model was trained on, unless --watermark says otherwise.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .defaults = defaults,
    .run = run,
};
