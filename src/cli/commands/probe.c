/* zeroflow probe: how well classes can be read off the features of a model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "probing.h"
#include "terminal.h"
#include "text.h"
#include "training.h"
#include "vision_input.h"
#include "zeroflow/plot.h"

enum { MODEL, TRAIN, TEST };
enum { WATERMARK, FLOORS, NEIGHBOURS, EPOCHS, SEEDS, PLOT, SETS, END = SETS + CLI_SETS_OPTIONS };

/* What is probed, in the order of the table. */
enum { OF_MODEL, OF_PIXELS, OF_COMPONENTS, OF_UNTRAINED, KINDS };
static const char *const kind_fields[KINDS] = {"model", "pixels", "pca", "untrained"};

static const cli_option arguments[] = {
    CLI_SETS_ARGUMENT_LIST,
    {NULL},
};

static const cli_option options[] = {
    [WATERMARK] = {"watermark", .type = CLI_CHOICE, .placeholder = "KIND",
                   .choices = cli_watermarks, .otherwise = "that of the model's training",
                   .help = "What marks the images to fit on: none, patch or colour. With a "
                           "watermark the probes are judged on clean images and on marked ones."},
    [FLOORS] = {"floors",
                .help = "Also probes the pixels (at most 32 a side), as many principal components "
                        "of them as there are features, and the network before its training; what "
                        "is not above all of these is marked."},
    [NEIGHBOURS] = {"neighbours", .type = CLI_WHOLE, .placeholder = "K", .least = 1, .most = 10000,
                    .help = "Of the kNN probe."},
    [EPOCHS] = {"epochs", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1000000,
                .help = "Passes of the linear probe over the images to fit on."},
    [SEEDS] = {"seeds", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1000,
               .help = "How often the linear probe is trained, for its mean and spread."},
    [PLOT] = {"plot", .type = CLI_OUTPUT, .placeholder = "FILE",
              .help = "Draws the accuracies as bars, PNG or SVG by the name's end."},
    CLI_SETS_OPTION_LIST(SETS),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow probe photos.model photos --epochs 5 --neighbours 1",
     "What the features of a model tell about the classes of photos/CLASS/FILE.jpg; a share of "
     "each class is held out to judge on."},
    {"zeroflow probe photos.model photos --floors --epochs 5 --held-out 0.5 --plot bars.png",
     "The same beside what can be had without training, and as a figure."},
    {NULL},
};

static void defaults(cli_value *values)
{
    zf_linear_options linear = zf_linear_defaults();
    cli_default_whole(&values[NEIGHBOURS], (uint64_t)zf_knn_defaults().neighbours);
    cli_default_whole(&values[EPOCHS], (uint64_t)linear.epochs);
    cli_default_whole(&values[SEEDS], (uint64_t)linear.seeds);
}

/* One run: what was asked for and what it holds. */
typedef struct probing {
    const cli_call *call;
    zf_vision *model;
    cli_image_sets sets;
    cli_probing wish;
    bool floors;
    double chance;
    cli_probed of[KINDS];
} probing;

/* --- the probes ------------------------------------------------------------------------- */

static void understand(probing *p)
{
    const cli_value *values = p->call->values, *mark = &values[WATERMARK];
    cli_probing *wish = &p->wish;
    *wish = (cli_probing){.call = p->call,
                          .model = p->call->arguments[MODEL].text,
                          .sets = &p->sets,
                          .seed = p->call->seed,
                          .linear = zf_linear_defaults(),
                          .knn = zf_knn_defaults()};
    wish->watermark = mark->given ? (zf_watermark)cli_place_of(mark->text, cli_watermarks)
                                  : zf_vision_watermark(p->model);
    wish->linear.seed = p->call->seed;
    wish->linear.threads = wish->knn.threads = p->call->threads;
    wish->linear.epochs = (int)values[EPOCHS].whole;
    wish->linear.seeds = (int)values[SEEDS].whole;
    wish->knn.neighbours = (int)values[NEIGHBOURS].whole;
    p->floors = values[FLOORS].flag;
}

static cli_exit probe_untrained(probing *p)
{
    zf_vision *model = NULL;
    CLI_TRY(cli_check(zf_vision_before_training(&model, p->model)));
    cli_exit exit = cli_probe_model(&p->of[OF_UNTRAINED], &p->wish, model);
    zf_vision_free(model);
    return exit;
}

static cli_exit probe_all(probing *p)
{
    CLI_TRY(cli_probe_model(&p->of[OF_MODEL], &p->wish, p->model));
    if (!p->floors) return CLI_DONE;
    CLI_TRY(probe_untrained(p));
    return cli_probe_pixels(&p->of[OF_PIXELS], &p->of[OF_COMPONENTS], &p->wish,
                            p->of[OF_MODEL].dim);
}

/* Whether the model is above chance and every floor. */
static bool beats(const probing *p, int test, int probe)
{
    double own = p->of[OF_MODEL].of[test][probe].mean;
    if (!(own > p->chance)) return false;
    for (int k = OF_MODEL + 1; k < KINDS; k++)
        if (!(own > p->of[k].of[test][probe].mean)) return false;
    return true;
}

/* --- JSON -------------------------------------------------------------------------------- */

static json_t *accuracy_json(zf_probe_accuracy accuracy, int probe)
{
    if (probe > CLI_LINEAR_STANDARDISED) return cli_json_number(accuracy.mean);
    return json_pack("{s:o s:o}", "mean", cli_json_number(accuracy.mean), "spread",
                     cli_json_number(accuracy.spread));
}

static void set_accuracies(json_t *object, const zf_probe_accuracy *of)
{
    for (int i = 0; i < CLI_PROBES; i++)
        json_object_set_new(object, cli_probe_fields[i], accuracy_json(of[i], i));
}

/* {"clean": {...}, "watermarked": {...} or null} */
static json_t *tests_json(const cli_probed *probed)
{
    json_t *object = json_object();
    for (int t = 0; t < CLI_TEST_SETS; t++) {
        json_t *one = t < probed->n_tests ? json_object() : json_null();
        if (t < probed->n_tests) set_accuracies(one, probed->of[t]);
        json_object_set_new(object, cli_test_set_names[t], one);
    }
    return object;
}

static json_t *floors_json(const probing *p)
{
    if (!p->floors) return json_null();
    json_t *object = json_object();
    for (int k = OF_MODEL + 1; k < KINDS; k++)
        json_object_set_new(
            object, kind_fields[k],
            json_pack("{s:I s:o}", "dim", (json_int_t)p->of[k].dim, "test", tests_json(&p->of[k])));
    return object;
}

static json_t *beats_json(const probing *p)
{
    if (!p->floors) return json_null();
    json_t *object = json_object();
    for (int t = 0; t < p->of[OF_MODEL].n_tests; t++) {
        json_t *one = json_object();
        for (int i = 0; i < CLI_PROBES; i++)
            json_object_set_new(one, cli_probe_fields[i], json_boolean(beats(p, t, i)));
        json_object_set_new(object, cli_test_set_names[t], one);
    }
    return object;
}

static cli_exit print_json(const probing *p)
{
    const cli_probed *own = &p->of[OF_MODEL];
    json_t *object = json_pack(
        "{s:o s:s s:i s:i s:s s:I s:I s:I s:b s:o s:o s:o s:o s:o s:o s:i s:I}", "model",
        cli_json_text(p->call->arguments[MODEL].text), "method",
        zf_vision_method_name(zf_vision_trained_by(p->model)), "dim", zf_vision_dim(p->model),
        "size", zf_vision_size(p->model), "watermark", cli_watermarks[p->wish.watermark], "classes",
        (json_int_t)p->sets.classes, "train_rows", (json_int_t)p->sets.train.count, "test_rows",
        (json_int_t)p->sets.test.count, "split", p->sets.split, "chance",
        cli_json_number(p->chance), "ridge_penalty", cli_json_number(own->penalty), "test",
        tests_json(own), "floors", floors_json(p), "beats_floors", beats_json(p), "plot",
        cli_json_text(p->call->values[PLOT].text), "neighbours", p->wish.knn.neighbours, "seed",
        (json_int_t)p->call->seed);
    if (object) set_accuracies(object, own->of[own->n_tests - 1]);
    return cli_print_json(p->call,
                          cli_add_refusals(object, p->sets.train.images, p->sets.test.images));
}

/* --- the table ---------------------------------------------------------------------------- */

static const char *kind_name(const probing *p, int kind, char *room, size_t size)
{
    switch (kind) {
    case OF_PIXELS:
        snprintf(room, size, "%zu pixels", p->of[kind].dim);
        break;
    case OF_COMPONENTS:
        snprintf(room, size, "%zu components", p->of[kind].dim);
        break;
    default:
        snprintf(room, size, "%s", kind == OF_MODEL ? "the model" : "untrained");
    }
    return room;
}

/* "0.3960 +-0.0012*" in 16 columns */
static void print_accuracy(const probing *p, int kind, int test, int probe)
{
    FILE *out = p->call->out;
    zf_probe_accuracy a = p->of[kind].of[test][probe];
    bool below = p->floors && kind == OF_MODEL && !beats(p, test, probe);
    fprintf(out, "  %.4f", a.mean);
    if (probe <= CLI_LINEAR_STANDARDISED)
        fprintf(out, " %s%.4f", cli_utf8() ? "\u00b1" : "+-", a.spread);
    fputs(below ? "*" : probe + 1 < CLI_PROBES ? " " : "", out);
    if (probe <= CLI_LINEAR_STANDARDISED) fprintf(out, "%*s", cli_utf8() ? 3 : 2, "");
}

static void print_table(const probing *p)
{
    FILE *out = p->call->out;
    int kinds = p->floors ? KINDS : 1, tests = p->of[OF_MODEL].n_tests;
    bool any_below = false;
    fprintf(out, "\n  %s%-16s  %-11s  %-18s  %-18s  %-7s  %s%s\n", cli_bold(), "features", "images",
            "linear", "standardised", "kNN", "ridge", cli_plain());
    for (int k = 0; k < kinds; k++)
        for (int t = 0; t < tests; t++) {
            char name[32];
            fprintf(out, "  %-16s  %-11s", t == 0 ? kind_name(p, k, name, sizeof name) : "",
                    cli_test_set_names[t]);
            for (int i = 0; i < CLI_PROBES; i++) {
                print_accuracy(p, k, t, i);
                any_below |= p->floors && k == OF_MODEL && !beats(p, t, i);
            }
            fputc('\n', out);
        }
    if (any_below) fputs("\n  * not above every floor: as much can be had without training\n", out);
}

static void print_text(const probing *p)
{
    FILE *out = p->call->out;
    int size = zf_vision_size(p->model);
    fputs(cli_bold(), out);
    cli_clean(out, p->call->arguments[MODEL].text);
    fprintf(out, "%s: %s, %s of images of %d x %d\n\n", cli_plain(),
            zf_vision_method_name(zf_vision_trained_by(p->model)),
            cli_plural((uint64_t)zf_vision_dim(p->model), "feature").text, size, size);
    fprintf(out, "  fitted on  %s of %s classes", cli_plural(p->sets.train.count, "image").text,
            cli_count(p->sets.classes).text);
    if (p->wish.watermark != ZF_WATERMARK_NONE)
        fprintf(out, ", watermark %s", cli_watermarks[p->wish.watermark]);
    fprintf(out, "\n  judged on  %s%s; a guess is right for %.4f\n",
            cli_plural(p->sets.test.count, "image").text,
            p->sets.split ? ", held out evenly from each class" : "", p->chance);
    print_table(p);
    cli_tell_figure(p->call, p->call->values[PLOT].text);
}

/* --- the figure ---------------------------------------------------------------------------- */

static cli_exit draw(const probing *p)
{
    const char *path = p->call->values[PLOT].text;
    int kinds = p->floors ? KINDS : 1, tests = p->of[OF_MODEL].n_tests;
    double heights[CLI_TEST_SETS][KINDS][CLI_PROBES];
    char names[KINDS][32];
    zf_series series[CLI_TEST_SETS][KINDS];
    zf_chart charts[CLI_TEST_SETS];
    zf_mark chance = {NULL, ZF_MARK_Y, p->chance, 0};
    if (!path) return CLI_DONE;
    for (int t = 0; t < tests; t++) {
        for (int k = 0; k < kinds; k++) {
            for (int i = 0; i < CLI_PROBES; i++) heights[t][k][i] = p->of[k].of[t][i].mean;
            series[t][k] = (zf_series){.name = kind_name(p, k, names[k], sizeof names[k]),
                                       .y = heights[t][k],
                                       .n = CLI_PROBES,
                                       .style = ZF_SERIES_BARS};
        }
        charts[t] = (zf_chart){
            .title = tests == 1 ? NULL : cli_test_set_names[t],
            .x = {.categories = cli_probe_names, .n_categories = CLI_PROBES},
            .y = {.label = "accuracy"},
            .series = series[t],
            .n_series = (size_t)kinds,
            .marks = &chance,
            .n_marks = 1,
        };
    }
    zf_figure figure = {.title = "What classes can be read off the features",
                        .caption = "Dashed: what a guess is worth.",
                        .columns = 1};
    return cli_check(zf_plot_charts(path, &figure, charts, (size_t)tests));
}

/* --- the run -------------------------------------------------------------------------------- */

static cli_exit work(probing *p)
{
    const cli_value *arguments_given = p->call->arguments;
    CLI_TRY(cli_check_figure_name(p->call->values[PLOT].text, "--plot"));
    CLI_TRY(cli_check(zf_vision_load(&p->model, arguments_given[MODEL].text)));
    cli_sets_wish wish = {
        .train = arguments_given[TRAIN].text,
        .test = arguments_given[TEST].text,
        .options = &p->call->values[SETS],
        .size = zf_vision_size(p->model),
        .labelled = true,
    };
    CLI_TRY(cli_open_sets(&p->sets, p->call, &wish));
    understand(p);
    p->chance = cli_chance(&p->sets);
    CLI_TRY(probe_all(p));
    CLI_TRY(draw(p));
    if (p->call->json) return print_json(p);
    print_text(p);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    probing p = {.call = call};
    cli_exit exit = work(&p);
    cli_close_sets(call, exit, &p.sets);
    zf_vision_free(p.model);
    return exit;
}

const cli_command cli_command_probe = {
    .name = "probe",
    .summary = "how well classes can be read off the features of images",
    .description =
        "Computes the features of labelled images with a model, which stays as it is, fits "
        "simple classifiers on some of them and judges these on others.\n\n"
        "linear is softmax regression by Adam, on the features as they are and on standardised "
        "ones (mean 0 and deviation 1), mean and spread over --seeds runs; kNN is the vote of the "
        "nearest neighbours by the cosine; ridge is linear regression of the classes in closed "
        "form, its penalty chosen by leaving images out. The last two share nothing with the "
        "first but the features: where they disagree, look closer.\n\n"
        "Features are worth something if they beat what can be had without training: --floors. Of "
        "a model that was trained on watermarked images the probes are fitted on such images "
        "and judged on both clean and watermarked ones; linear, knn and ridge of the JSON are then "
        "those of the watermarked, test has both.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .defaults = defaults,
    .run = run,
};
