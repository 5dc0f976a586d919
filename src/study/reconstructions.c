#include "study/reconstructions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "zeroflow/reconstruct.h"

enum { CHUNK = 256, LEAST_STEPS = 2 };

static uint64_t iterations(const zf_study *study)
{
    double whole = (double)zf_reconstruct_defaults().iterations;
    return (uint64_t)fmax(LEAST_STEPS, ceil(whole * sqrt(fmin(study->scale, 1))));
}

/* A step beside one of SimCLR on images of 32 x 32. */
static double weight_of(const image_set *set)
{
    return 0.7 * set->size * set->size / (32.0 * 32.0);
}

void reconstruct_plan(zf_study *study, const image_set *set, int fits)
{
    study_plan_work(study, weight_of(set), iterations(study), fits);
}

static zf_coded_images coded(const reconstruction_task *task, const image_part *part,
                             const float *features)
{
    zf_coded_images images = {.images = part->images,
                              .which = part->which,
                              .count = part->n,
                              .views = zf_view_defaults(),
                              .features = features,
                              .dim = task->features->dim};
    images.views.watermark = task->watermark;
    images.views.seed = part->seed;
    return images;
}

static zf_status fit(zf_study *study, zf_reconstructor **decoder, const reconstruction_task *task)
{
    zf_coded_images train = coded(task, &task->set->train, task->features->train);
    zf_reconstruct_options wish = zf_reconstruct_defaults();
    wish.iterations = iterations(study);
    wish.seed = study->seed;
    wish.threads = study->threads;
    wish.report = study_begin_fit(study, weight_of(task->set));
    zf_status status =
        !study_goes_on(study) ? ZF_EINTERRUPT : zf_reconstruct_fit(decoder, &train, &wish);
    return study_end_fit(study, status, wish.iterations);
}

/* --- the watermark and the rest ------------------------------------------------------------ */

/* The sum of squared differences of two images, in the upper left third of each side and
   elsewhere. */
static void add_errors(double *patch, double *rest, const float *a, const float *b, int size)
{
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++, a++, b++) {
                double off = (double)*a - (double)*b;
                *(x < size / 3 && y < size / 3 ? patch : rest) += off * off;
            }
}

/* A decoder that is judged. */
typedef struct trial {
    const reconstruction_task *task;
    zf_reconstructor *decoder;
    int threads;
} trial;

/* The errors of the test images from place `from` on, at most CHUNK; drawn has room for
   them. */
static zf_status add_chunk(double *patch, double *rest, const trial *t, size_t from, float *drawn)
{
    const image_set *set = t->task->set;
    size_t pixels = 3 * (size_t)set->size * (size_t)set->size;
    size_t n = set->test.n - from < CHUNK ? set->test.n - from : CHUNK;
    uint32_t places[CHUNK];
    float *images = NULL;
    for (size_t k = 0; k < n; k++) places[k] = (uint32_t)(from + k);
    const float *features = t->task->features->test + from * t->task->features->dim;
    ZF_TRY(zf_reconstruct_decode(t->decoder, drawn, features, n, t->threads));
    ZF_TRY(image_part_read(&images, &set->test, t->task->watermark, places, n));
    for (size_t k = 0; k < n; k++)
        add_errors(patch, rest, drawn + k * pixels, images + k * pixels, set->size);
    free(images);
    return ZF_OK;
}

static zf_status split_error(reconstruction_error *error, const trial *t)
{
    size_t size = (size_t)t->task->set->size, all = t->task->set->test.n;
    double patch = 0, rest = 0, marked = 3.0 * (double)(size / 3) * (double)(size / 3);
    float *drawn = malloc(CHUNK * 3 * size * size * sizeof *drawn);
    zf_status status = drawn ? ZF_OK : zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t from = 0; from < all && status == ZF_OK; from += CHUNK)
        status = add_chunk(&patch, &rest, t, from, drawn);
    free(drawn);
    error->patch = patch / ((double)all * marked);
    error->rest = rest / ((double)all * (3.0 * (double)size * (double)size - marked));
    return status;
}

/* --- a decoder ----------------------------------------------------------------------------- */

static zf_status judge(reconstruction_error *error, const trial *t)
{
    const reconstruction_task *task = t->task;
    size_t size = (size_t)task->set->size, dim = task->features->dim;
    zf_reconstruct_error whole;
    zf_coded_images test = coded(task, &task->set->test, task->features->test);
    ZF_TRY(zf_reconstruct_measure(t->decoder, &whole, &test, t->threads));
    error->all = whole.mse;
    error->mean = whole.mean;
    for (size_t k = 0; k < task->n; k++)
        ZF_TRY(zf_reconstruct_decode(t->decoder, task->drawn + k * 3 * size * size,
                                     task->features->test + task->places[k] * dim, 1, t->threads));
    return split_error(error, t);
}

zf_status reconstruct(zf_study *study, reconstruction_error *error, const reconstruction_task *task)
{
    trial t = {.task = task, .threads = study->threads};
    zf_status status = fit(study, &t.decoder, task);
    if (status == ZF_OK) status = judge(error, &t);
    zf_reconstructor_free(t.decoder);
    return status;
}
