/* zeroflow images: what a source of images holds, and what training would be
   shown of it, as a sheet of images and views. */
#include "zeroflow/images.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "image_input.h"
#include "output.h"
#include "terminal.h"
#include "text.h"
#include "vision_input.h"
#include "zeroflow/plot.h"

enum { SOURCE };
enum { SOURCE_OPTIONS, ALL = SOURCE_OPTIONS + CLI_IMAGE_OPTIONS, SHEET, COUNT, VIEWS, WATERMARK };
enum { MANY_CLASSES = 24, FIRST_REFUSALS = 5, COLUMNS = 10, MOST_VIEWS = 30, MOST_ROWS = 100 };

static const cli_option arguments[] = {
    [SOURCE] = {"SOURCE", .type = CLI_IMAGES, .help = CLI_IMAGES_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    CLI_IMAGE_OPTION_LIST(SOURCE_OPTIONS, CLI_SIZE_OF_SOURCE),
    [ALL] = {"all", .help = "Show every class, however many there are."},
    [SHEET] = {"sheet", .type = CLI_OUTPUT, .placeholder = "FILE",
               .help = "Writes images and views of them, as PNG or SVG by the name's end."},
    [COUNT] = {"count", .type = CLI_WHOLE, .placeholder = "N", .fallback = "10", .least = 1,
               .most = 200, .help = "Images on the sheet, taken evenly from the whole set."},
    [VIEWS] = {"views", .type = CLI_WHOLE, .placeholder = "N", .fallback = "2", .most = MOST_VIEWS,
               .help = "Views of each image on the sheet."},
    [WATERMARK] = {"watermark", .type = CLI_CHOICE, .placeholder = "KIND", .fallback = "none",
                   .choices = cli_watermarks,
                   .help = "What marks the views: none, patch (random pixels in the upper left, "
                           "fixed for each image) or colour (a random colour for each image, "
                           "which is made grey)."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow images photos", "What the folder photos/CLASS/FILE.jpg holds."},
    {"zeroflow images photos --size 32 --sheet sheet.png --watermark patch",
     "The same, and a sheet of images with two views of each, watermarked."},
    {"zeroflow images train-images-idx3-ubyte.gz --json", "For a program to read."},
    {NULL},
};

/* "all 64 x 64", or the range */
static void print_sizes(FILE *out, const zf_images_about *about)
{
    fputs("  sizes     ", out);
    if (about->same_size == about->count)
        fprintf(out, "all %d x %d", about->common_width, about->common_height);
    else
        fprintf(out, "%d to %d wide, %d to %d high, most often %d x %d (%s)", about->least_width,
                about->most_width, about->least_height, about->most_height, about->common_width,
                about->common_height, cli_count(about->same_size).text);
    fprintf(out, "; as %d x %d they take %.3g MB, %s\n", about->size, about->size,
            (double)about->bytes / (1 << 20),
            about->in_memory ? "kept in memory" : "more than --memory: decoded when needed");
}

static void print_refusals(FILE *out, const zf_images_about *about)
{
    if (about->refused == 0) return;
    fprintf(out, "  left out  %s:\n", cli_count(about->refused).text);
    size_t shown = about->n_refusals < FIRST_REFUSALS ? about->n_refusals : FIRST_REFUSALS;
    for (size_t i = 0; i < shown; i++) {
        fputs("            ", out);
        cli_clean(out, about->refusals[i].name);
        fputs(": ", out);
        cli_clean(out, about->refusals[i].reason);
        fputc('\n', out);
    }
    if (shown < about->refused)
        fprintf(out, "            and %s more\n", cli_count(about->refused - shown).text);
}

static void print_labels(FILE *out, const zf_images_about *about)
{
    fputs("  labels    ", out);
    if (about->labelled == 0)
        fputs("none", out);
    else if (about->labelled == about->count)
        fprintf(out, "%s %s", cli_count(about->classes).text,
                about->classes == 1 ? "class" : "classes");
    else
        fprintf(out, "%s of %s in %s classes", cli_count(about->labelled).text,
                cli_plural(about->count, "image").text, cli_count(about->classes).text);
    if (about->labels) {
        fputs(", from ", out);
        cli_clean(out, about->labels);
    }
    fputc('\n', out);
}

static void print_classes(FILE *out, const zf_images *images, bool all)
{
    size_t n = zf_images_describe(images)->classes, least = SIZE_MAX, most = 0;
    int width = 5;
    for (size_t c = 0; c < n; c++) {
        size_t count = zf_images_class_count(images, c);
        int columns = cli_width(zf_images_class_name(images, c));
        if (columns > width) width = columns > 40 ? 40 : columns;
        if (count < least) least = count;
        if (count > most) most = count;
    }
    if (n == 0) return;
    if (n > MANY_CLASSES && !all) {
        fputs("            ", out);
        if (least < most) fprintf(out, "%s to ", cli_count(least).text);
        fprintf(out, "%s each, such as ", cli_plural(most, "image").text);
        cli_clean(out, zf_images_class_name(images, 0));
        fputs("; --all lists them\n", out);
        return;
    }
    fprintf(out, "\n  %s%-*s  images%s\n", cli_bold(), width, "class", cli_plain());
    for (size_t c = 0; c < n; c++) {
        fputs("  ", out);
        cli_fit(out, zf_images_class_name(images, c), width, false);
        fprintf(out, "  %8s\n", cli_count(zf_images_class_count(images, c)).text);
    }
}

static void print_text(const cli_call *call, const zf_images *images)
{
    FILE *out = call->out;
    const zf_images_about *about = zf_images_describe(images);
    fputs(cli_bold(), out);
    cli_clean(out, call->arguments[SOURCE].text);
    fprintf(out, "%s: %s%s, %s\n\n", cli_plain(), about->gzip ? "gzipped " : "", about->kind_name,
            cli_plural(about->count, "image").text);
    print_sizes(out, about);
    if (about->grey == about->count)
        fputs("  colours   all grey, widened to red, green and blue\n", out);
    else if (about->grey > 0)
        fprintf(out, "  colours   %s are grey\n", cli_count(about->grey).text);
    print_refusals(out, about);
    if (about->other_files > 0)
        fprintf(out, "  others    %s without the name of an image\n",
                cli_plural(about->other_files, "file").text);
    print_labels(out, about);
    print_classes(out, images, call->values[ALL].flag);
    if (!call->values[SHEET].text) return;
    fputs("\nWrote ", out);
    cli_clean(out, call->values[SHEET].text);
    fputs("\n", out);
}

static json_t *classes_json(const zf_images *images)
{
    json_t *list = json_array();
    for (size_t c = 0; c < zf_images_describe(images)->classes; c++) {
        json_t *one = json_pack("{s:o s:I}", "name", cli_json_text(zf_images_class_name(images, c)),
                                "pictures", (json_int_t)zf_images_class_count(images, c));
        if (json_array_append_new(list, one) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static cli_exit print_json(const cli_call *call, const zf_images *images, double seconds)
{
    const zf_images_about *about = zf_images_describe(images);
    json_t *common = json_pack("{s:i s:i s:I}", "width", about->common_width, "height",
                               about->common_height, "pictures", (json_int_t)about->same_size);
    return cli_print_json(
        call,
        cli_add_refusals(
            json_pack("{s:o s:s s:b s:I s:I s:I s:i s:b s:I s:[ii] s:[ii] s:o s:o s:I s:o s:o s:o}",
                      "source", cli_json_text(call->arguments[SOURCE].text), "kind",
                      about->kind_name, "gzip", about->gzip, "pictures", (json_int_t)about->count,
                      "labelled", (json_int_t)about->labelled, "grey", (json_int_t)about->grey,
                      "size", about->size, "in_memory", about->in_memory, "bytes",
                      (json_int_t)about->bytes, "widths", about->least_width, about->most_width,
                      "heights", about->least_height, about->most_height, "most_common", common,
                      "classes", classes_json(images), "other_files",
                      (json_int_t)about->other_files, "labels", cli_json_text(about->labels),
                      "sheet", cli_json_text(call->values[SHEET].text), "view_seconds",
                      cli_json_optional(seconds)),
            images, NULL));
}

/* Seconds of the clock that only goes forward. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The sheet: for each row of images as many rows of views below it. */
typedef struct sheet {
    zf_images *images;
    zf_view_options views;
    size_t count, n_views, pixels;
    double seconds; /* the least that a view took; 0: none was made */
    int size;
    uint32_t which[200];
    uint8_t *bytes;
    float *values; /* image k: itself, then its views */
    const float **shown;
    const char **captions;
    zf_image_row *rows;
    size_t n_rows;
} sheet;

static const float *image_of(const sheet *s, size_t k, size_t view)
{
    return s->values + (k * (1 + s->n_views) + view) * s->pixels;
}

static cli_exit make_views(sheet *s)
{
    CLI_TRY(cli_check(zf_images_read(s->images, s->which, s->count, s->bytes)));
    zf_view_options plain = s->views;
    plain.watermark = ZF_WATERMARK_NONE;
    for (size_t k = 0; k < s->count; k++) {
        const uint8_t *bytes = s->bytes + k * s->pixels;
        zf_view_plain((float *)image_of(s, k, 0), bytes, s->size, &plain, s->which[k]);
        for (size_t v = 0; v < s->n_views; v++) {
            double from = now();
            zf_view_make((float *)image_of(s, k, v + 1), bytes, s->size, &s->views, s->which[k], 0,
                         (int)v);
            double seconds = now() - from;
            if (s->seconds == 0 || seconds < s->seconds) s->seconds = seconds;
        }
    }
    return CLI_DONE;
}

static void arrange(sheet *s)
{
    size_t place = 0;
    for (size_t from = 0; from < s->count; from += COLUMNS) {
        size_t n = s->count - from < COLUMNS ? s->count - from : COLUMNS;
        for (size_t v = 0; v <= s->n_views; v++) {
            zf_image_row *row = &s->rows[s->n_rows++];
            *row = (zf_image_row){.images = s->shown + place, .n = n};
            for (size_t i = 0; i < n; i++) s->shown[place + i] = image_of(s, from + i, v);
            if (from == 0 && v == 0) row->title = "As read";
            if (from == 0 && v == 1) row->title = "Views";
            if (v == 0 && s->captions[from]) row->captions = s->captions + from;
            place += n;
        }
    }
}

static cli_exit draw(const cli_call *call, sheet *s)
{
    char title[512];
    const char *source = call->arguments[SOURCE].text, *slash = strrchr(source, '/');
    snprintf(title, sizeof title, "%s: %zu of %s", slash && slash[1] ? slash + 1 : source, s->count,
             cli_plural(zf_images_count(s->images), "image").text);
    zf_figure figure = {.title = title};
    for (size_t k = 0; k < s->count; k++) {
        int label = zf_images_label(s->images, s->which[k]);
        s->captions[k] = label < 0 ? NULL : zf_images_class_name(s->images, (size_t)label);
    }
    arrange(s);
    return cli_check(
        zf_plot_images(call->values[SHEET].text, &figure, s->size, s->rows, s->n_rows));
}

/* *seconds is the least that a view took, NAN without views. */
static cli_exit write_sheet(const cli_call *call, zf_images *images, double *seconds)
{
    size_t total = zf_images_count(images), side = (size_t)zf_images_size(images);
    sheet s = {.images = images, .size = (int)side, .pixels = 3 * side * side};
    s.count = (size_t)call->values[COUNT].whole;
    if (s.count > total) s.count = total;
    s.n_views = (size_t)call->values[VIEWS].whole;
    s.views = zf_view_defaults();
    s.views.seed = call->seed;
    s.views.watermark = (zf_watermark)cli_place_of(call->values[WATERMARK].text, cli_watermarks);
    for (size_t k = 0; k < s.count; k++)
        s.which[k] = (uint32_t)((2 * k + 1) * total / (2 * s.count));
    size_t all = s.count * (1 + s.n_views);
    s.bytes = malloc(s.count * s.pixels);
    s.values = malloc(all * s.pixels * sizeof *s.values);
    s.shown = malloc(all * sizeof *s.shown);
    s.captions = malloc(s.count * sizeof *s.captions);
    s.rows = malloc(all * sizeof *s.rows);
    cli_exit exit = CLI_DONE;
    if (!s.bytes || !s.values || !s.shown || !s.captions || !s.rows)
        exit = cli_fail(CLI_FAILED, "out of memory");
    if (exit == CLI_DONE) exit = make_views(&s);
    if (exit == CLI_DONE) exit = draw(call, &s);
    if (s.seconds > 0) *seconds = s.seconds;
    free(s.bytes);
    free(s.values);
    free(s.shown);
    free(s.captions);
    free(s.rows);
    return exit;
}

static cli_exit check_options(const cli_call *call)
{
    const char *path = call->values[SHEET].text;
    CLI_TRY(cli_check_figure_name(path, "--sheet"));
    static const struct {
        int option;
        const char *name;
    } needs[] = {{COUNT, "count"}, {VIEWS, "views"}, {WATERMARK, "watermark"}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (!path && call->values[needs[i].option].given)
            return cli_fail(CLI_USAGE, "option --%s is about the sheet: give --sheet FILE too",
                            needs[i].name);
    uint64_t count = call->values[COUNT].whole, views = call->values[VIEWS].whole;
    uint64_t rows = (count + COLUMNS - 1) / COLUMNS * (1 + views);
    if (rows > MOST_ROWS)
        return cli_fail(CLI_USAGE,
                        "--count %llu with --views %llu makes %llu rows of images, %d is the most",
                        (unsigned long long)count, (unsigned long long)views,
                        (unsigned long long)rows, MOST_ROWS);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    zf_images *images = NULL;
    zf_images_options wish = cli_image_options(call, &call->values[SOURCE_OPTIONS]);
    CLI_TRY(check_options(call));
    CLI_TRY(cli_open_images(&images, call, call->arguments[SOURCE].text, &wish));
    cli_exit exit = CLI_DONE;
    double seconds = (double)NAN;
    if (call->values[SHEET].text) exit = write_sheet(call, images, &seconds);
    if (exit == CLI_DONE && call->json)
        exit = print_json(call, images, seconds);
    else if (exit == CLI_DONE)
        print_text(call, images);
    zf_images_free(images);
    return exit;
}

const cli_command cli_command_images = {
    .name = "images",
    .summary = "what a source of images holds, and views of them on a sheet",
    .description =
        "Reads images and tells what they are: how many, of which sizes and classes, what was "
        "left out and why. An image that is damaged, cut short or of more than 100 million pixels "
        "is left out; so are what is neither JPEG nor PNG, and files and folders that cannot be "
        "read.\n\n"
        "Images become squares of --size pixels: the largest square in the middle, resized with "
        "a filter that keeps thin lines from breaking up. Grey ones are widened to red, green and "
        "blue. In a folder or archive the outermost folder of an image is its class.\n\n"
        "--sheet draws some of them as they are read, and below each the views that training "
        "would be shown: a random part of 80 to 100 % of the area, mirrored or not, with a little "
        "noise. With --seed others are drawn.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
