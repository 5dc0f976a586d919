#include "vision/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Images a look. The features of a transformer take as long as a step of its training,
   which sees a quarter of the patches: it is shown fewer. */
enum { KNOWN_MOST = 4000, ASKED_MOST = 1000, FEWER = 4 };

/* Every so many of the labelled ones, at most `most`. */
static void choose(zf_watched *w, const int32_t *classes, size_t labelled)
{
    size_t count = zf_images_count(w->images), seen = 0, taken = 0;
    for (size_t i = 0; i < count && taken < w->n; i++) {
        int label = zf_images_label(w->images, i);
        if (label < 0) continue;
        if (seen++ < taken * labelled / w->n) continue;
        w->which[taken] = (uint32_t)i;
        w->labels[taken++] = classes[label];
    }
}

static zf_status watched_new(zf_watched *w, const zf_vision *model, const zf_images *trained_on,
                             size_t most)
{
    size_t labelled = zf_images_describe(w->images)->labelled, dim = (size_t)zf_vision_dim(model);
    int32_t *classes = malloc((zf_images_describe(w->images)->classes + 1) * sizeof *classes);
    w->n = labelled < most ? labelled : most;
    w->which = malloc(w->n * sizeof *w->which);
    w->labels = malloc(w->n * sizeof *w->labels);
    w->features = malloc(w->n * dim * sizeof *w->features);
    w->missing = malloc(w->n * sizeof *w->missing);
    zf_status status = classes && w->which && w->labels && w->features && w->missing
                           ? zf_images_match(w->images, trained_on, classes)
                           : zf_fail_memory(w->n * dim * sizeof *w->features);
    if (status == ZF_OK) choose(w, classes, labelled);
    free(classes);
    return status;
}

static void watched_free(zf_watched *w)
{
    free(w->which);
    free(w->labels);
    free(w->features);
    free(w->missing);
}

static zf_status check(const zf_images *trained_on, const zf_images *held_out)
{
    const zf_images_about *known = zf_images_describe(trained_on);
    const zf_images_about *asked = zf_images_describe(held_out);
    if (known->size != asked->size)
        return zf_fail(ZF_EINVAL, "%s: held-out images of %d pixels a side, expected %d",
                       zf_images_path(held_out), asked->size, known->size);
    if (known->labelled == 0)
        return zf_fail(ZF_EINPUT, "%s: no labels to classify held-out images by",
                       zf_images_path(trained_on));
    if (asked->labelled == 0)
        return zf_fail(ZF_EINPUT, "%s: the held-out images have no labels",
                       zf_images_path(held_out));
    if (known->classes < 2)
        return zf_fail(ZF_EINPUT, "%s: one class; held-out images need at least two",
                       zf_images_path(trained_on));
    return ZF_OK;
}

zf_status zf_vision_watching_new(zf_vision_watching *out, const zf_vision *model,
                                 zf_images *trained_on, zf_images *held_out, zf_crew *crew)
{
    ZF_TRY(check(trained_on, held_out));
    zf_view_options views = model->plan.step.views;
    zf_vision_watching w = {
        .classes = zf_images_describe(trained_on)->classes,
        .known = {.images = trained_on, .views = views},
        .asked = {.images = held_out, .views = views},
    };
    w.asked.views.seed++;
    size_t share = zf_vision_trained_by(model) == ZF_VISION_MAE ? FEWER : 1;
    zf_status status = zf_embedder_new(&w.embedder, model, crew, KNOWN_MOST);
    if (status == ZF_OK) status = watched_new(&w.known, model, trained_on, KNOWN_MOST / share);
    if (status == ZF_OK) status = watched_new(&w.asked, model, trained_on, ASKED_MOST / share);
    if (status != ZF_OK) {
        zf_vision_watching_free(&w);
        return status;
    }
    *out = w;
    return ZF_OK;
}

void zf_vision_watching_free(zf_vision_watching *watching)
{
    zf_embedder_free(&watching->embedder);
    watched_free(&watching->known);
    watched_free(&watching->asked);
    *watching = (zf_vision_watching){0};
}

/* Closes the gaps that lost images leave. */
static zf_status drop_missing(zf_watched *w, size_t dim)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->missing[i]) continue;
        w->which[kept] = w->which[i];
        w->labels[kept] = w->labels[i];
        memmove(w->features + kept * dim, w->features + i * dim, dim * sizeof *w->features);
        kept++;
    }
    w->n = kept;
    if (kept > 0) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: the images with a label can no longer be read",
                   zf_images_path(w->images));
}

static zf_status embed(zf_vision_watching *watching, zf_watched *w)
{
    ZF_TRY(zf_embedder_run(&watching->embedder, w->features, w->missing, w->images, w->which, w->n,
                           &w->views, (zf_report){0}));
    return drop_missing(w, (size_t)zf_vision_dim(watching->embedder.model));
}

zf_status zf_vision_look(zf_vision_watching *watching, double *accuracy)
{
    const zf_watched *known = &watching->known, *asked = &watching->asked;
    ZF_TRY(embed(watching, &watching->known));
    ZF_TRY(embed(watching, &watching->asked));
    zf_labelled test = {asked->features, asked->labels, asked->n};
    zf_probe_data data = {
        .dim = (size_t)zf_vision_dim(watching->embedder.model),
        .classes = watching->classes,
        .train = {known->features, known->labels, known->n},
        .tests = &test,
        .n_tests = 1,
    };
    zf_knn_options options = zf_knn_defaults();
    options.threads = zf_crew_size(watching->embedder.crew);
    return zf_probe_knn(accuracy, &data, &options);
}
