#include "job/probing.h"

#include <stdlib.h>

enum { MOST_SIDE = 32, COLOURS = 3 };

const char *const zf_probe_names[] = {"linear", "linear, standardised", "kNN", "ridge"};
const char *const zf_probe_fields[] = {"linear", "linear_standardised", "knn", "ridge"};

/* Features of the sets of images that are asked about. */
typedef struct features {
    size_t dim;
    float *train, *test[ZF_TEST_SETS];
} features;

static void free_features(features *f)
{
    free(f->train);
    for (int t = 0; t < ZF_TEST_SETS; t++) free(f->test[t]);
    *f = (features){0};
}

static zf_status new_features(features *f, const zf_probing *p, size_t dim)
{
    size_t train = p->sets->train.count, test = p->sets->test.count;
    int n_tests = p->views.n_tests;
    f->dim = dim;
    f->train = malloc(train * dim * sizeof *f->train);
    for (int t = 0; t < n_tests; t++) f->test[t] = malloc(test * dim * sizeof *f->train);
    if (f->train && f->test[0] && f->test[n_tests - 1]) return ZF_OK;
    return zf_fail(ZF_ENOMEM, "out of memory for %zu x %zu features", train + test, dim);
}

zf_probing zf_probing_defaults(const zf_run *run, const zf_image_sets *sets, zf_watermark watermark)
{
    zf_probing p = {
        .run = run,
        .sets = sets,
        .views = zf_image_sets_views(watermark, run->seed),
        .linear = zf_linear_defaults(),
        .knn = zf_knn_defaults(),
    };
    p.linear.seed = run->seed;
    p.linear.report = run->report;
    p.linear.threads = p.knn.threads = run->threads;
    return p;
}

/* --- features ------------------------------------------------------------------------- */

/* How features of some images are computed. */
typedef zf_status (*computer)(const void *how, float *to, const zf_image_set *set,
                              const zf_view_options *views, const zf_run *run);

static zf_status by_model(const void *how, float *to, const zf_image_set *set,
                          const zf_view_options *views, const zf_run *run)
{
    return zf_vision_embed(how, to, set->images, set->which, set->count, views, run->threads,
                           run->report);
}

static zf_status by_pixels(const void *how, float *to, const zf_image_set *set,
                           const zf_view_options *views, const zf_run *run)
{
    return zf_vision_pixels(to, *(const int *)how, set->images, set->which, set->count, views,
                            run->threads);
}

static zf_status find_features(features *f, const zf_probing *p, size_t dim, computer by,
                               const void *how)
{
    ZF_TRY(new_features(f, p, dim));
    zf_stage(p->run, "features");
    ZF_TRY(by(how, f->train, &p->sets->train, &p->views.train, p->run));
    for (int t = 0; t < p->views.n_tests; t++)
        ZF_TRY(by(how, f->test[t], &p->sets->test, &p->views.test[t], p->run));
    return ZF_OK;
}

/* --- probes ---------------------------------------------------------------------------- */

static zf_status run_probes(zf_probed *out, const zf_probing *p, const zf_probe_data *data)
{
    zf_ridge_options ridge = zf_ridge_defaults();
    zf_probe_accuracy plain[ZF_TEST_SETS] = {{0}}, standardised[ZF_TEST_SETS] = {{0}};
    double knn[ZF_TEST_SETS] = {0}, closed[ZF_TEST_SETS] = {0};
    ridge.threads = p->run->threads;
    zf_stage(p->run, "kNN");
    ZF_TRY(zf_probe_knn(knn, data, &p->knn));
    zf_stage(p->run, "ridge");
    ZF_TRY(zf_probe_ridge(closed, &out->penalty, data, &ridge));
    zf_stage(p->run, "linear");
    ZF_TRY(zf_probe_linear(plain, standardised, data, &p->linear));
    for (size_t t = 0; t < data->n_tests; t++) {
        zf_probe_accuracy *of = out->of[t];
        of[ZF_PROBE_LINEAR] = plain[t];
        of[ZF_PROBE_STANDARDISED] = standardised[t];
        of[ZF_PROBE_KNN] = (zf_probe_accuracy){.mean = knn[t]};
        of[ZF_PROBE_RIDGE] = (zf_probe_accuracy){.mean = closed[t]};
    }
    return ZF_OK;
}

static zf_status probe(zf_probed *out, const zf_probing *p, const features *f)
{
    const zf_image_sets *sets = p->sets;
    zf_labelled tests[ZF_TEST_SETS];
    for (int t = 0; t < p->views.n_tests; t++)
        tests[t] = (zf_labelled){f->test[t], sets->test.labels, sets->test.count};
    zf_probe_data data = {
        .dim = f->dim,
        .classes = sets->classes,
        .train = {f->train, sets->train.labels, sets->train.count},
        .tests = tests,
        .n_tests = (size_t)p->views.n_tests,
    };
    zf_probed probed = {.dim = f->dim, .n_tests = p->views.n_tests};
    ZF_TRY(run_probes(&probed, p, &data));
    *out = probed;
    return ZF_OK;
}

zf_status zf_probing_model(zf_probed *out, const zf_probing *probing, const zf_vision *model,
                           const char *path)
{
    features f = {0};
    zf_status status = find_features(&f, probing, (size_t)zf_vision_dim(model), by_model, model);
    status = status == ZF_OK ? probe(out, probing, &f) : zf_vision_status(status, path);
    free_features(&f);
    return status;
}

/* --- floors ----------------------------------------------------------------------------- */

static zf_status project_all(features *to, const zf_probing *p, const features *from,
                             const zf_components *components)
{
    int threads = p->run->threads;
    ZF_TRY(zf_components_apply(components, to->train, from->train, p->sets->train.count, threads));
    for (int t = 0; t < p->views.n_tests; t++)
        ZF_TRY(zf_components_apply(components, to->test[t], from->test[t], p->sets->test.count,
                                   threads));
    return ZF_OK;
}

static zf_status project(features *to, const zf_probing *p, const features *from)
{
    zf_components *components = NULL;
    zf_status status = zf_components_find(&components, from->train, p->sets->train.count, from->dim,
                                          to->dim, p->run->threads);
    if (status == ZF_OK) status = project_all(to, p, from, components);
    zf_components_free(components);
    return status;
}

zf_status zf_probing_pixels(zf_probed *pixels, zf_probed *components, const zf_probing *probing,
                            size_t dim)
{
    int size = zf_images_size(probing->sets->train.images);
    int side = size < MOST_SIDE ? size : MOST_SIDE;
    size_t values = COLOURS * (size_t)side * (size_t)side;
    features whole = {0}, few = {0};
    zf_status status = find_features(&whole, probing, values, by_pixels, &side);
    if (status == ZF_OK) status = probe(pixels, probing, &whole);
    if (status == ZF_OK) status = new_features(&few, probing, dim < values ? dim : values);
    if (status == ZF_OK) status = project(&few, probing, &whole);
    free_features(&whole);
    if (status == ZF_OK) status = probe(components, probing, &few);
    free_features(&few);
    return status;
}
