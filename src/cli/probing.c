#include "probing.h"

#include <stdlib.h>

#include "progress.h"

enum { MOST_SIDE = 32, COLOURS = 3 };

const char *const cli_probe_names[] = {"linear", "linear, standardised", "kNN", "ridge"};
const char *const cli_probe_fields[] = {"linear", "linear_standardised", "knn", "ridge"};

/* Features of the three sets of images that are asked about. */
typedef struct features {
    size_t dim;
    float *train, *test[CLI_TEST_SETS];
} features;

static void free_features(features *f)
{
    free(f->train);
    for (int t = 0; t < CLI_TEST_SETS; t++) free(f->test[t]);
    *f = (features){0};
}

static int n_tests(const cli_probing *p)
{
    return p->watermark == ZF_WATERMARK_NONE ? 1 : CLI_TEST_SETS;
}

static cli_exit new_features(features *f, const cli_probing *p, size_t dim)
{
    size_t train = p->sets->train.count, test = p->sets->test.count;
    f->dim = dim;
    f->train = malloc(train * dim * sizeof *f->train);
    for (int t = 0; t < n_tests(p); t++) f->test[t] = malloc(test * dim * sizeof *f->train);
    if (f->train && f->test[0] && f->test[n_tests(p) - 1]) return CLI_DONE;
    return cli_fail(CLI_FAILED, "out of memory for %zu x %zu features", train + test, dim);
}

/* --- features ------------------------------------------------------------------------- */

/* How features of some images are computed. */
typedef zf_status (*computer)(void *how, float *to, const cli_image_set *set,
                              const zf_view_options *views, int threads, zf_report report);

static zf_status by_model(void *how, float *to, const cli_image_set *set,
                          const zf_view_options *views, int threads, zf_report report)
{
    return zf_vision_embed(how, to, set->images, set->which, set->count, views, threads, report);
}

static zf_status by_pixels(void *how, float *to, const cli_image_set *set,
                           const zf_view_options *views, int threads, zf_report report)
{
    (void)report;
    return zf_vision_pixels(to, *(int *)how, set->images, set->which, set->count, views, threads);
}

static zf_status compute(features *f, const cli_probing *p, computer by, void *how,
                         zf_report report)
{
    int threads = p->call->threads;
    zf_view_options views = zf_view_defaults();
    views.watermark = p->watermark;
    views.seed = p->seed;
    zf_status status = by(how, f->train, &p->sets->train, &views, threads, report);
    views.seed = p->seed + 1;
    for (int t = n_tests(p) - 1; t >= 0 && status == ZF_OK; t--) {
        if (t == CLI_CLEAN) views.watermark = ZF_WATERMARK_NONE;
        status = by(how, f->test[t], &p->sets->test, &views, threads, report);
    }
    return status;
}

static cli_exit find_features(features *f, const cli_probing *p, size_t dim, computer by, void *how)
{
    CLI_TRY(new_features(f, p, dim));
    cli_progress progress;
    zf_report report = cli_progress_report(&progress);
    cli_progress_begin(&progress, p->call);
    cli_progress_stage(&progress, "features");
    zf_status status = compute(f, p, by, how, report);
    cli_progress_end(&progress);
    return p->model ? cli_check_model(status, p->model) : cli_check(status);
}

/* --- probes ---------------------------------------------------------------------------- */

static zf_status run_probes(cli_probed *out, const cli_probing *p, const zf_probe_data *data,
                            cli_progress *progress)
{
    zf_linear_options linear = p->linear;
    zf_ridge_options ridge = zf_ridge_defaults();
    zf_probe_accuracy plain[CLI_TEST_SETS] = {{0}}, standardised[CLI_TEST_SETS] = {{0}};
    double knn[CLI_TEST_SETS] = {0}, closed[CLI_TEST_SETS] = {0};
    linear.report = cli_progress_report(progress);
    ridge.threads = p->call->threads;
    cli_progress_stage(progress, "kNN");
    zf_status status = zf_probe_knn(knn, data, &p->knn);
    cli_progress_stage(progress, "ridge");
    if (status == ZF_OK) status = zf_probe_ridge(closed, &out->penalty, data, &ridge);
    cli_progress_stage(progress, "linear");
    if (status == ZF_OK) status = zf_probe_linear(plain, standardised, data, &linear);
    for (size_t t = 0; t < data->n_tests && status == ZF_OK; t++) {
        zf_probe_accuracy *of = out->of[t];
        of[CLI_LINEAR] = plain[t];
        of[CLI_LINEAR_STANDARDISED] = standardised[t];
        of[CLI_KNN] = (zf_probe_accuracy){.mean = knn[t]};
        of[CLI_RIDGE] = (zf_probe_accuracy){.mean = closed[t]};
    }
    return status;
}

static cli_exit probe(cli_probed *out, const cli_probing *p, const features *f)
{
    const cli_image_sets *sets = p->sets;
    zf_labelled tests[CLI_TEST_SETS];
    for (int t = 0; t < n_tests(p); t++)
        tests[t] = (zf_labelled){f->test[t], sets->test.labels, sets->test.count};
    zf_probe_data data = {
        .dim = f->dim,
        .classes = sets->classes,
        .train = {f->train, sets->train.labels, sets->train.count},
        .tests = tests,
        .n_tests = (size_t)n_tests(p),
    };
    *out = (cli_probed){.dim = f->dim, .n_tests = n_tests(p)};
    cli_progress progress;
    cli_progress_begin(&progress, p->call);
    zf_status status = run_probes(out, p, &data, &progress);
    cli_progress_end(&progress);
    return cli_check(status);
}

cli_exit cli_probe_model(cli_probed *out, const cli_probing *probing, const zf_vision *model)
{
    features f = {0};
    cli_exit exit =
        find_features(&f, probing, (size_t)zf_vision_dim(model), by_model, (void *)model);
    if (exit == CLI_DONE) exit = probe(out, probing, &f);
    free_features(&f);
    return exit;
}

/* --- floors ----------------------------------------------------------------------------- */

static zf_status project(features *to, const cli_probing *p, const features *from)
{
    int threads = p->call->threads;
    zf_components *components = NULL;
    zf_status status = zf_components_find(&components, from->train, p->sets->train.count, from->dim,
                                          to->dim, threads);
    if (status == ZF_OK)
        status =
            zf_components_apply(components, to->train, from->train, p->sets->train.count, threads);
    for (int t = 0; t < n_tests(p) && status == ZF_OK; t++)
        status = zf_components_apply(components, to->test[t], from->test[t], p->sets->test.count,
                                     threads);
    zf_components_free(components);
    return status;
}

cli_exit cli_probe_pixels(cli_probed *pixels, cli_probed *components, const cli_probing *probing,
                          size_t dim)
{
    int size = zf_images_size(probing->sets->train.images);
    int side = size < MOST_SIDE ? size : MOST_SIDE;
    size_t values = COLOURS * (size_t)side * (size_t)side;
    features whole = {0}, few = {0};
    cli_exit exit = find_features(&whole, probing, values, by_pixels, &side);
    if (exit == CLI_DONE) exit = probe(pixels, probing, &whole);
    if (exit == CLI_DONE) exit = new_features(&few, probing, dim < values ? dim : values);
    if (exit == CLI_DONE) exit = cli_check(project(&few, probing, &whole));
    free_features(&whole);
    if (exit == CLI_DONE) exit = probe(components, probing, &few);
    free_features(&few);
    return exit;
}

double cli_chance(const cli_image_sets *sets)
{
    size_t best = 0, most = 0, right = 0;
    for (size_t c = 0; c < sets->classes; c++) {
        size_t count = 0;
        for (size_t i = 0; i < sets->train.count; i++) count += (size_t)sets->train.labels[i] == c;
        if (count > most) most = count, best = c;
    }
    for (size_t i = 0; i < sets->test.count; i++) right += (size_t)sets->test.labels[i] == best;
    return (double)right / (double)sets->test.count;
}
