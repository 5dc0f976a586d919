/* zeroflow images: what a source of images holds, as text. */
#include "job/images.h"

#include "command.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

enum { MANY_CLASSES = 24, FIRST_REFUSALS = 5 };

static const cli_example examples[] = {
    {"zeroflow images photos", "What the folder photos/CLASS/FILE.jpg holds."},
    {"zeroflow images photos --size 32 --sheet sheet.png --watermark patch",
     "The same, and a sheet of images with two views of each, watermarked."},
    {"zeroflow images train-images-idx3-ubyte.gz --json", "The same as JSON."},
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
                about->common_height, zf_count(about->same_size).text);
    fprintf(out, "; as %d x %d they take %.3g MB, %s\n", about->size, about->size,
            (double)about->bytes / (1 << 20),
            about->in_memory ? "kept in memory" : "more than --memory: decoded when needed");
}

static void print_refusals(FILE *out, const zf_images_about *about)
{
    if (about->refused == 0) return;
    fprintf(out, "  left out  %s:\n", zf_count(about->refused).text);
    size_t shown = about->n_refusals < FIRST_REFUSALS ? about->n_refusals : FIRST_REFUSALS;
    for (size_t i = 0; i < shown; i++) {
        fputs("            ", out);
        cli_clean(out, about->refusals[i].name);
        fputs(": ", out);
        cli_clean(out, about->refusals[i].reason);
        fputc('\n', out);
    }
    if (shown < about->refused)
        fprintf(out, "            and %s more\n", zf_count(about->refused - shown).text);
}

static void print_labels(FILE *out, const zf_images_about *about)
{
    fputs("  labels    ", out);
    if (about->labelled == 0)
        fputs("none", out);
    else if (about->labelled == about->count)
        fprintf(out, "%s %s", zf_count(about->classes).text,
                about->classes == 1 ? "class" : "classes");
    else
        fprintf(out, "%s of %s in %s classes", zf_count(about->labelled).text,
                zf_plural(about->count, "image").text, zf_count(about->classes).text);
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
        if (least < most) fprintf(out, "%s to ", zf_count(least).text);
        fprintf(out, "%s each, such as ", zf_plural(most, "image").text);
        cli_clean(out, zf_images_class_name(images, 0));
        fputs("; --all lists them\n", out);
        return;
    }
    fprintf(out, "\n  %s%-*s  images%s\n", cli_bold(), width, "class", cli_plain());
    for (size_t c = 0; c < n; c++) {
        fputs("  ", out);
        cli_fit(out, zf_images_class_name(images, c), width, false);
        fprintf(out, "  %8s\n", zf_count(zf_images_class_count(images, c)).text);
    }
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_images_values *values = given;
    const zf_images *images = ((const zf_images_result *)result)->images;
    const zf_images_about *about = zf_images_describe(images);
    fputs(cli_bold(), out);
    cli_clean(out, values->source);
    fprintf(out, "%s: %s%s, %s\n\n", cli_plain(), about->gzip ? "gzipped " : "", about->kind_name,
            zf_plural(about->count, "image").text);
    print_sizes(out, about);
    if (about->grey == about->count)
        fputs("  colours   all grey, converted to three equal channels\n", out);
    else if (about->grey > 0)
        fprintf(out, "  colours   %s are grey\n", zf_count(about->grey).text);
    print_refusals(out, about);
    if (about->other_files > 0)
        fprintf(out, "  others    %s without the name of an image\n",
                zf_plural(about->other_files, "file").text);
    print_labels(out, about);
    print_classes(out, images, values->all);
    cli_tell_figure(call, values->sheet);
}

const cli_command cli_command_images = {
    .job = &zf_job_images,
    .print = print,
    .examples = examples,
};
