/* zeroflow probe: how well classes can be read off the features of a model, as a table. */
#include "job/probe.h"

#include "command.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow probe photos.model photos --epochs 5 --neighbours 1",
     "How well the features of a model predict the classes of photos/CLASS/FILE.jpg; a "
     "share of each class is held out for testing."},
    {"zeroflow probe photos.model photos --floors --epochs 5 --held-out 0.5 --plot bars.png",
     "The same beside what needs no training, and as a figure."},
    {NULL},
};

/* "0.3960 +-0.0012*" in 16 columns */
static void print_accuracy(FILE *out, zf_probe_accuracy accuracy, int probe, bool below)
{
    fprintf(out, "  %.4f", accuracy.mean);
    if (probe <= ZF_PROBE_STANDARDISED)
        fprintf(out, " %s%.4f", cli_utf8() ? "\u00b1" : "+-", accuracy.spread);
    fputs(below ? "*" : probe + 1 < ZF_PROBES ? " " : "", out);
    if (probe <= ZF_PROBE_STANDARDISED) fprintf(out, "%*s", cli_utf8() ? 3 : 2, "");
}

static void print_table(FILE *out, const zf_probe_result *found, bool floors)
{
    int kinds = floors ? ZF_PROBED_KINDS : 1, tests = found->of[ZF_OF_MODEL].n_tests;
    bool any_below = false;
    fprintf(out, "\n  %s%-16s  %-11s  %-18s  %-18s  %-7s  %s%s\n", cli_bold(), "features", "images",
            "linear", "standardised", "kNN", "ridge", cli_plain());
    for (int k = 0; k < kinds; k++)
        for (int t = 0; t < tests; t++) {
            fprintf(out, "  %-16s  %-11s", t == 0 ? zf_probe_kind_name(found, k).text : "",
                    zf_test_set_names[t]);
            for (int i = 0; i < ZF_PROBES; i++) {
                bool below = floors && k == ZF_OF_MODEL && !zf_probe_beats(found, t, i);
                print_accuracy(out, found->of[k].of[t][i], i, below);
                any_below |= below;
            }
            fputc('\n', out);
        }
    if (any_below)
        fputs("\n"
              "  * not above every floor: no better than without training\n",
              out);
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_probe_values *values = given;
    const zf_probe_result *found = result;
    const zf_image_sets *sets = &found->sets;
    fputs(cli_bold(), out);
    cli_clean(out, values->model);
    fprintf(out, "%s: %s, %s of images of %d x %d\n\n", cli_plain(),
            zf_vision_method_name(found->method), zf_plural((uint64_t)found->dim, "feature").text,
            found->size, found->size);
    fprintf(out, "  fitted on  %s of %s classes", zf_plural(sets->train.count, "image").text,
            zf_count(sets->classes).text);
    if (found->watermark != ZF_WATERMARK_NONE)
        fprintf(out, ", watermark %s", zf_watermark_names[found->watermark]);
    fprintf(out,
            "\n"
            "  tested on  %s%s; accuracy of a guess: %.4f\n",
            zf_plural(sets->test.count, "image").text,
            sets->split ? ", held out evenly from each class" : "", found->chance);
    print_table(out, found, values->floors);
    cli_tell_figure(call, values->plot);
}

const cli_command cli_command_probe = {
    .job = &zf_job_probe,
    .print = print,
    .examples = examples,
};
