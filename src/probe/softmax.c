#include "probe/softmax.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "kernel/adamw.h"
#include "kernel/reduce.h"

zf_status zf_probe_softmax_new(zf_probe_softmax *s, zf_arena *arena)
{
    size_t dim = s->dim, classes = s->classes, batch = s->batch;
    s->n_weights = (dim + 1) * classes;
    s->forward = zf_panel_for((int)dim, (int)classes);
    s->backward = zf_panel_for((int)batch, (int)classes);
    struct {
        void **to;
        size_t bytes;
    } pieces[] = {
        {(void **)&s->weights, s->n_weights * sizeof(float)},
        {(void **)&s->gradient, s->n_weights * sizeof(float)},
        {(void **)&s->first, s->n_weights * sizeof(float)},
        {(void **)&s->second, s->n_weights * sizeof(float)},
        {(void **)&s->rows, batch * dim * sizeof(float)},
        {(void **)&s->logits, batch * classes * sizeof(float)},
        {(void **)&s->slope, batch * classes * sizeof(float)},
        {(void **)&s->labels, batch * sizeof(int32_t)},
        {(void **)&s->kept, batch * sizeof(zf_row_softmax)},
        {(void **)&s->packed_weights, s->forward->bytes((int)dim, (int)classes)},
        {(void **)&s->packed_slope, s->backward->bytes((int)batch, (int)classes)},
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        *pieces[i].to = zf_arena_get(arena, pieces[i].bytes);
        if (!*pieces[i].to) return ZF_ENOMEM;
    }
    return ZF_OK;
}

void zf_probe_softmax_draw(zf_probe_softmax *s, uint64_t seed, uint64_t number)
{
    zf_random random = zf_random_at(seed, ZF_FOR_INIT, number, 0);
    float bound = (float)(1 / sqrt((double)s->dim));
    for (size_t i = 0; i < s->n_weights; i++)
        s->weights[i] = bound * (2 * zf_random_uniform(&random) - 1);
}

static void take_row(const zf_probe_softmax *s, float *to, const float *from)
{
    if (s->scaling)
        zf_scaling_apply(s->scaling, to, from, 1);
    else
        memcpy(to, from, s->dim * sizeof *to);
}

/* Logits of the first n of s->rows. */
static void find_logits(zf_probe_softmax *s, size_t n)
{
    int dim = (int)s->dim, classes = (int)s->classes;
    s->forward->multiply(s->logits, classes, s->rows, dim, s->packed_weights, (int)n, classes, dim,
                         false);
    zf_reduce()->add_row(s->logits, s->logits, s->weights + s->dim * s->classes, n, s->classes);
}

void zf_probe_softmax_step(zf_probe_softmax *s, const zf_labelled *set, const uint32_t *which,
                           size_t n, double rate)
{
    int dim = (int)s->dim, classes = (int)s->classes;
    for (size_t i = 0; i < n; i++) {
        take_row(s, s->rows + i * s->dim, set->features + which[i] * s->dim);
        s->labels[i] = set->labels[which[i]];
    }
    s->forward->pack(s->packed_weights, s->weights, classes, dim, classes);
    find_logits(s, n);
    zf_rows()->cross_entropy(s->kept, s->logits, s->labels, n, s->classes);
    zf_rows()->cross_entropy_backward(s->slope, 1 / (float)n, s->logits, s->labels, s->kept, n,
                                      s->classes, true);
    s->backward->pack(s->packed_slope, s->slope, classes, (int)n, classes);
    s->backward->multiply_transposed(s->gradient, classes, s->rows, dim, s->packed_slope, dim,
                                     classes, (int)n, false);
    zf_reduce()->column_sums(s->gradient + s->dim * s->classes, s->slope, n, s->classes, true);

    zf_adamw_options adam = {.rate = rate, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8};
    zf_adamw_step step = zf_adamw_step_at(&adam, ++s->steps, 1);
    zf_adamw()->update(s->weights, s->first, s->second, s->gradient, s->n_weights, &step);
}

void zf_probe_softmax_classify(zf_probe_softmax *s, int32_t *given, const zf_labelled *set)
{
    s->forward->pack(s->packed_weights, s->weights, (int)s->classes, (int)s->dim, (int)s->classes);
    for (size_t first = 0; first < set->rows; first += s->batch) {
        size_t n = set->rows - first < s->batch ? set->rows - first : s->batch;
        for (size_t i = 0; i < n; i++)
            take_row(s, s->rows + i * s->dim, set->features + (first + i) * s->dim);
        find_logits(s, n);
        for (size_t i = 0; i < n; i++) {
            const float *logits = s->logits + i * s->classes;
            size_t best = 0;
            for (size_t c = 1; c < s->classes; c++)
                if (logits[c] > logits[best]) best = c;
            given[first + i] = (int32_t)best;
        }
    }
}
