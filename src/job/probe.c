#include "job/probe.h"

#include <stdio.h>

#include "job/answer.h"
#include "job/outputs.h"
#include "zeroflow/plot.h"

static const char *const kind_fields[ZF_PROBED_KINDS] = {"model", "pixels", "pca", "untrained"};

static const zf_option arguments[] = {
    ZF_IMAGE_SETS_ARGUMENTS(zf_probe_values),
    {NULL},
};

static const zf_option options[] = {
    {"watermark", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_probe_values, watermark), .choices = zf_watermark_names,
     .otherwise = "that of the model's training",
     .help = "Watermark of the images to fit on: none, patch or colour. With a watermark the "
             "probes are tested on clean and on marked images."},
    {"floors", ZF_FIELD(zf_probe_values, floors),
     .help = "Also probe what needs no training: the pixels (at most 32 a side), as many "
             "principal components of them as there are features, and the network before "
             "training. Results that are not above all of these are marked."},
    {"neighbours", .type = ZF_OPTION_WHOLE, .placeholder = "K",
     ZF_FIELD(zf_probe_values, neighbours), .least = 1, .most = 10000,
     .help = "Number of neighbours of the kNN probe."},
    {"epochs", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_probe_values, epochs),
     .least = 1, .most = 1000000,
     .help = "Number of passes of the linear probe over the images to fit on."},
    {"seeds", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_probe_values, seeds),
     .least = 1, .most = 1000,
     .help = "Number of times the linear probe is trained, for its mean and spread."},
    {"plot", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE", ZF_FIELD(zf_probe_values, plot),
     .help = "Draw the accuracies as bars, as .png or .svg."},
    ZF_IMAGE_SETS_ROWS(zf_probe_values, sets),
    {NULL},
};

static void defaults(void *given)
{
    zf_probe_values *values = given;
    zf_linear_options linear = zf_linear_defaults();
    values->watermark = ZF_AUTO;
    values->neighbours = zf_knn_defaults().neighbours;
    values->epochs = linear.epochs;
    values->seeds = linear.seeds;
    zf_image_sets_defaults(&values->sets);
}

/* --- what was found ----------------------------------------------------------------------- */

bool zf_probe_beats(const zf_probe_result *found, int test, int probe)
{
    double own = found->of[ZF_OF_MODEL].of[test][probe].mean;
    if (!(own > found->chance)) return false;
    for (int k = ZF_OF_MODEL + 1; k < ZF_PROBED_KINDS; k++)
        if (!(own > found->of[k].of[test][probe].mean)) return false;
    return true;
}

zf_probed_name zf_probe_kind_name(const zf_probe_result *found, int kind)
{
    zf_probed_name name;
    size_t size = sizeof name.text;
    switch (kind) {
    case ZF_OF_PIXELS:
        snprintf(name.text, size, "%zu pixels", found->of[kind].dim);
        break;
    case ZF_OF_COMPONENTS:
        snprintf(name.text, size, "%zu components", found->of[kind].dim);
        break;
    default:
        snprintf(name.text, size, "%s", kind == ZF_OF_MODEL ? "the model" : "untrained");
    }
    return name;
}

/* --- the figure ---------------------------------------------------------------------------- */

static zf_status draw(const zf_probe_result *found, const zf_probe_values *values)
{
    int kinds = values->floors ? ZF_PROBED_KINDS : 1, tests = found->of[ZF_OF_MODEL].n_tests;
    double heights[ZF_TEST_SETS][ZF_PROBED_KINDS][ZF_PROBES];
    zf_probed_name names[ZF_PROBED_KINDS];
    zf_series series[ZF_TEST_SETS][ZF_PROBED_KINDS];
    zf_chart charts[ZF_TEST_SETS];
    zf_mark chance = {NULL, ZF_MARK_Y, found->chance, 0};
    for (int k = 0; k < kinds; k++) names[k] = zf_probe_kind_name(found, k);
    for (int t = 0; t < tests; t++) {
        for (int k = 0; k < kinds; k++) {
            for (int i = 0; i < ZF_PROBES; i++) heights[t][k][i] = found->of[k].of[t][i].mean;
            series[t][k] = (zf_series){
                .name = names[k].text, .y = heights[t][k], .n = ZF_PROBES, .style = ZF_SERIES_BARS};
        }
        charts[t] = (zf_chart){
            .title = tests == 1 ? NULL : zf_test_set_names[t],
            .x = {.categories = zf_probe_names, .n_categories = ZF_PROBES},
            .y = {.label = "accuracy"},
            .series = series[t],
            .n_series = (size_t)kinds,
            .marks = &chance,
            .n_marks = 1,
        };
    }
    zf_figure figure = {.title = "Accuracy of classes predicted from the features",
                        .caption = "Dashed: accuracy of a guess.",
                        .columns = 1};
    return zf_plot_charts(values->plot, &figure, charts, (size_t)tests);
}

/* --- the run -------------------------------------------------------------------------------- */

static zf_status probe_untrained(zf_probe_result *found, const zf_probing *probing,
                                 const zf_vision *model, const char *path)
{
    zf_vision *untrained = NULL;
    ZF_TRY(zf_vision_before_training(&untrained, model));
    zf_status status = zf_probing_model(&found->of[ZF_OF_UNTRAINED], probing, untrained, path);
    zf_vision_free(untrained);
    return status;
}

static zf_status probe_all(zf_probe_result *found, const zf_probe_values *values,
                           const zf_vision *model, const zf_run *run)
{
    zf_probed *of = found->of;
    zf_probing probing = zf_probing_defaults(run, &found->sets, found->watermark);
    probing.linear.epochs = values->epochs;
    probing.linear.seeds = values->seeds;
    probing.knn.neighbours = values->neighbours;
    ZF_TRY(zf_probing_model(&of[ZF_OF_MODEL], &probing, model, values->model));
    if (!values->floors) return ZF_OK;
    ZF_TRY(probe_untrained(found, &probing, model, values->model));
    return zf_probing_pixels(&of[ZF_OF_PIXELS], &of[ZF_OF_COMPONENTS], &probing,
                             of[ZF_OF_MODEL].dim);
}

static zf_status work(zf_probe_result *found, const zf_probe_values *values, const zf_vision *model,
                      zf_run *run)
{
    zf_image_sets_wish wish = {.train = values->train,
                               .test = values->test,
                               .values = &values->sets,
                               .size = zf_vision_size(model),
                               .labelled = true};
    found->method = zf_vision_trained_by(model);
    found->dim = zf_vision_dim(model);
    found->size = zf_vision_size(model);
    found->seed = run->seed;
    found->watermark =
        values->watermark == ZF_AUTO ? zf_vision_watermark(model) : (zf_watermark)values->watermark;
    ZF_TRY(zf_image_sets_open(&found->sets, run, &wish));
    found->chance = zf_image_sets_chance(&found->sets);
    ZF_TRY(probe_all(found, values, model, run));
    return values->plot ? draw(found, values) : ZF_OK;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_probe_values *values = given;
    zf_probe_result *found = result;
    zf_vision *model = NULL;
    ZF_TRY(zf_output_check_figure(values->plot, "plot"));
    ZF_TRY(zf_vision_load(&model, values->model));
    zf_status status = work(found, values, model, run);
    zf_vision_free(model);
    zf_image_sets_warn(run, status, &found->sets);
    return status;
}

/* --- JSON -------------------------------------------------------------------------------- */

static json_t *accuracy_json(zf_probe_accuracy accuracy, int probe)
{
    if (probe > ZF_PROBE_STANDARDISED) return zf_answer_number(accuracy.mean);
    return json_pack("{s:o s:o}", "mean", zf_answer_number(accuracy.mean), "spread",
                     zf_answer_number(accuracy.spread));
}

static void set_accuracies(json_t *object, const zf_probe_accuracy *of)
{
    for (int i = 0; i < ZF_PROBES; i++)
        zf_answer_set(object, zf_probe_fields[i], accuracy_json(of[i], i));
}

/* {"clean": {...}, "watermarked": {...} or null} */
static json_t *tests_json(const zf_probed *probed)
{
    json_t *object = json_object();
    for (int t = 0; t < ZF_TEST_SETS; t++) {
        json_t *one = t < probed->n_tests ? json_object() : json_null();
        if (t < probed->n_tests) set_accuracies(one, probed->of[t]);
        zf_answer_set(object, zf_test_set_names[t], one);
    }
    return object;
}

static json_t *floors_json(const zf_probe_result *found)
{
    json_t *object = json_object();
    for (int k = ZF_OF_MODEL + 1; k < ZF_PROBED_KINDS; k++)
        zf_answer_set(object, kind_fields[k],
                      json_pack("{s:I s:o}", "dim", (json_int_t)found->of[k].dim, "test",
                                tests_json(&found->of[k])));
    return object;
}

static json_t *beats_json(const zf_probe_result *found)
{
    json_t *object = json_object();
    for (int t = 0; t < found->of[ZF_OF_MODEL].n_tests; t++) {
        json_t *one = json_object();
        for (int i = 0; i < ZF_PROBES; i++)
            zf_answer_set(one, zf_probe_fields[i], json_boolean(zf_probe_beats(found, t, i)));
        zf_answer_set(object, zf_test_set_names[t], one);
    }
    return object;
}

static json_t *json(const void *result, const void *given)
{
    const zf_probe_values *values = given;
    const zf_probe_result *found = result;
    const zf_probed *own = &found->of[ZF_OF_MODEL];
    json_t *object = json_pack(
        "{s:o s:s s:i s:i s:s s:I s:I s:I s:b s:o s:o s:o s:o s:o s:o s:i s:I}", "model",
        zf_answer_text(values->model), "method", zf_vision_method_name(found->method), "dim",
        found->dim, "size", found->size, "watermark", zf_watermark_names[found->watermark],
        "classes", (json_int_t)found->sets.classes, "train_rows",
        (json_int_t)found->sets.train.count, "test_rows", (json_int_t)found->sets.test.count,
        "split", found->sets.split, "chance", zf_answer_number(found->chance), "ridge_penalty",
        zf_answer_number(own->penalty), "test", tests_json(own), "floors",
        values->floors ? floors_json(found) : json_null(), "beats_floors",
        values->floors ? beats_json(found) : json_null(), "plot", zf_answer_text(values->plot),
        "neighbours", values->neighbours, "seed", (json_int_t)found->seed);
    if (own->n_tests > 0) set_accuracies(object, own->of[own->n_tests - 1]);
    zf_image_sets_answer(object, &found->sets);
    return object;
}

static void release(void *result)
{
    zf_image_sets_free(&((zf_probe_result *)result)->sets);
}

const zf_job zf_job_probe = {
    .name = "probe",
    .summary = "measure how well image features predict classes",
    .description =
        "Computes the features of labelled images with a model, which is not changed, fits "
        "simple classifiers to some of them and tests these on others.\n\n"
        "linear is softmax regression by Adam, on the features as they are and standardised "
        "(mean 0 and deviation 1), as mean and spread over --seeds runs. kNN is the vote of "
        "the nearest neighbours by cosine similarity. ridge is linear regression of the "
        "classes in closed form, with the penalty chosen by leave-one-out. The last two "
        "share nothing with the first but the features: where they disagree, look closer.\n\n"
        "Features are worth something if they beat what needs no training: see --floors.\n\n"
        "For a model trained on watermarked images the probes are fitted on such images and "
        "tested on both clean and watermarked ones. In JSON, linear, knn and ridge are then "
        "those of the watermarked images; test has both.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_probe_values),
    .defaults = defaults,
    .result_size = sizeof(zf_probe_result),
    .run = run,
    .json = json,
    .release = release,
};
