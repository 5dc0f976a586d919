#include "study/vision_runs.h"

#include <math.h>
#include <stdlib.h>

enum { ITERATIONS = 5000, EPOCHS = 100, LEAST_STEPS = 2, SEEDS = 5, CODE_SIZE = 32 };

/* Of MAE below the paper's scale: of so few images a transformer learns more in more steps. */
enum { SMALL_BATCH = 32 };

const char *const vision_titles[VISION_METHODS] = {"zero-flow", "SimCLR", "MAE"};
const char *const vision_marks[] = {"none", "patch", "colour"};

static int batch_of(const zf_study *study, zf_vision_method method)
{
    return method == ZF_VISION_MAE && study->scale < 1 ? SMALL_BATCH
                                                       : zf_pretrain_defaults(method).batch;
}

uint64_t vision_iterations(const zf_study *study, const image_set *set, zf_vision_method method)
{
    if (method != ZF_VISION_MAE)
        return (uint64_t)fmax(LEAST_STEPS, floor(ITERATIONS * study->scale + 0.5));
    double images = (double)zf_images_count(set->train.images) * sqrt(fmin(study->scale, 1));
    return (uint64_t)fmax(LEAST_STEPS,
                          ceil(EPOCHS * study->scale * images / batch_of(study, method)));
}

zf_pretrain_options vision_wish(const zf_study *study, const image_set *set,
                                zf_vision_method method, zf_watermark watermark)
{
    zf_pretrain_options wish = zf_pretrain_defaults(method);
    size_t images = zf_images_count(set->train.images);
    wish.iterations = vision_iterations(study, set, method);
    wish.batch = batch_of(study, method);
    if ((size_t)wish.batch > images) wish.batch = (int)images;
    wish.views.watermark = watermark;
    wish.views.seed = set->train.seed;
    wish.seed = study->seed;
    wish.threads = study->threads;
    return wish;
}

/* What a step costs beside one of SimCLR on images of 32 x 32, in batches of the default; only
   the estimate of the time left depends on it. */
static double weight_of(const image_set *set, const zf_pretrain_options *wish)
{
    static const double weights[VISION_METHODS] = {1.5, 1, 7.5};
    double side = (double)set->size / CODE_SIZE;
    double batch = (double)wish->batch / zf_pretrain_defaults(wish->method).batch;
    return weights[wish->method] * batch * side * side;
}

void vision_plan(zf_study *study, const image_set *set, const zf_pretrain_options *wish, int fits)
{
    study_plan_work(study, weight_of(set, wish), wish->iterations, fits);
}

zf_status vision_pretrain(zf_study *study, zf_vision **model, zf_pretrain_summary *summary,
                          image_set *set, const zf_pretrain_options *wish)
{
    zf_pretrain_options options = *wish;
    zf_vision *trained = NULL;
    options.report = study_begin_fit(study, weight_of(set, wish));
    zf_status status = !study_goes_on(study)
                           ? ZF_EINTERRUPT
                           : zf_pretrain(&trained, summary, set->train.images, &options);
    status = study_end_fit(study, status, wish->iterations);
    if (status == ZF_OK)
        *model = trained;
    else
        zf_vision_free(trained);
    return status;
}

/* --- features ------------------------------------------------------------------------------ */

static zf_status embed_part(const zf_study *study, float **out, const zf_vision *model,
                            const image_part *part, zf_watermark watermark)
{
    zf_view_options views = zf_view_defaults();
    views.watermark = watermark;
    views.seed = part->seed;
    float *rows = malloc(part->n * (size_t)zf_vision_dim(model) * sizeof *rows);
    if (!rows) return zf_fail(ZF_ENOMEM, "out of memory");
    *out = rows;
    return zf_vision_embed(model, rows, part->images, part->which, part->n, &views, study->threads,
                           study_silent_report(study));
}

zf_status vision_embed(zf_study *study, vision_features *features, const zf_vision *model,
                       image_set *set, zf_watermark watermark)
{
    *features = (vision_features){.dim = (size_t)zf_vision_dim(model)};
    study_stage(study, "features");
    zf_status status = embed_part(study, &features->train, model, &set->train, watermark);
    if (status == ZF_OK) status = embed_part(study, &features->test, model, &set->test, watermark);
    if (status == ZF_OK && watermark != ZF_WATERMARK_NONE)
        status = embed_part(study, &features->clean, model, &set->test, ZF_WATERMARK_NONE);
    if (status != ZF_OK) vision_features_free(features);
    return status;
}

void vision_features_free(vision_features *features)
{
    free(features->train);
    free(features->test);
    free(features->clean);
    *features = (vision_features){0};
}

/* --- probes -------------------------------------------------------------------------------- */

int vision_probe_seeds(const zf_study *study)
{
    return (int)ceil(SEEDS * sqrt(fmin(study->scale, 1)));
}

static zf_status probe_linear(zf_study *study, vision_score *scores, const zf_probe_data *data,
                              unsigned probes)
{
    zf_probe_accuracy plain[2] = {{0}}, standardised[2] = {{0}};
    zf_linear_options wish = zf_linear_defaults();
    wish.seeds = vision_probe_seeds(study);
    wish.seed = study->seed;
    wish.threads = study->threads;
    wish.report = study_silent_report(study);
    ZF_TRY(zf_probe_linear(probes & VISION_LINEAR ? plain : NULL,
                           probes & VISION_STANDARDISED ? standardised : NULL, data, &wish));
    for (size_t i = 0; i < data->n_tests; i++) {
        if (probes & VISION_LINEAR) scores[i].linear = plain[i];
        if (probes & VISION_STANDARDISED) scores[i].standardised = standardised[i];
    }
    return ZF_OK;
}

static zf_status probe_simply(const zf_study *study, vision_score *scores,
                              const zf_probe_data *data, unsigned probes)
{
    double knn[2] = {(double)NAN, (double)NAN}, ridge[2] = {(double)NAN, (double)NAN};
    zf_knn_options near = zf_knn_defaults();
    zf_ridge_options closed = zf_ridge_defaults();
    near.threads = closed.threads = study->threads;
    if (!study_goes_on(study)) return ZF_EINTERRUPT;
    if (probes & VISION_NEAR) near.measure = ZF_KNN_EUCLIDEAN;
    if (probes & (VISION_KNN | VISION_NEAR)) ZF_TRY(zf_probe_knn(knn, data, &near));
    if (probes & VISION_RIDGE) ZF_TRY(zf_probe_ridge(ridge, NULL, data, &closed));
    for (size_t i = 0; i < data->n_tests; i++) {
        scores[i].knn = knn[i];
        scores[i].ridge = ridge[i];
    }
    return ZF_OK;
}

zf_status vision_probe(zf_study *study, vision_score scores[2], const vision_features *features,
                       const image_set *set, unsigned probes)
{
    static const zf_probe_accuracy none = {(double)NAN, (double)NAN};
    zf_labelled tests[2] = {{features->test, set->test.labels, set->test.n},
                            {features->clean, set->test.labels, set->test.n}};
    zf_probe_data data = {.dim = features->dim,
                          .classes = set->classes,
                          .train = {features->train, set->train.labels, set->train.n},
                          .tests = tests,
                          .n_tests = features->clean ? 2 : 1};
    study_stage(study, "probes");
    for (int i = 0; i < 2; i++) scores[i] = (vision_score){(double)NAN, (double)NAN, none, none};
    if (probes & (VISION_LINEAR | VISION_STANDARDISED))
        ZF_TRY(probe_linear(study, scores, &data, probes));
    ZF_TRY(probe_simply(study, scores, &data, probes));
    if (!features->clean) scores[1] = scores[0];
    return ZF_OK;
}

/* --- what is told -------------------------------------------------------------------------- */

static json_t *accuracy_json(zf_probe_accuracy accuracy)
{
    return json_pack("{s:o s:o}", "mean", zf_answer_optional(accuracy.mean), "spread",
                     zf_answer_optional(accuracy.spread));
}

json_t *vision_score_json(const vision_score *score)
{
    return json_pack("{s:o s:o s:o s:o}", "linear", accuracy_json(score->linear), "standardised",
                     accuracy_json(score->standardised), "knn", zf_answer_optional(score->knn),
                     "ridge", zf_answer_optional(score->ridge));
}

void vision_print_set(const study_page *page, const image_set *set)
{
    page->clean(page->out, set->name);
    fprintf(page->out, ", %s training images of %d x %d",
            zf_count(zf_images_count(set->train.images)).text, set->size, set->size);
}

void vision_print_iterations(FILE *out, const zf_study *study, const image_set *set)
{
    fprintf(out, ", %s (MAE %s)",
            zf_plural(vision_iterations(study, set, ZF_VISION_ZEROFLOW), "iteration").text,
            zf_count(vision_iterations(study, set, ZF_VISION_MAE)).text);
}

void vision_print_probes(FILE *out, const zf_study *study, const image_set *set)
{
    fprintf(out,
            "\n"
            "Probes are fitted on %s training images and tested on ",
            zf_count(set->train.n).text);
    fprintf(out, "%s test images", zf_count(set->test.n).text);
    if (vision_probe_seeds(study) > 1)
        fprintf(out,
                ";\n"
                "linear probes are run %d times and averaged",
                vision_probe_seeds(study));
    fputs(".\n", out);
}
