/* Rows are in random order already, so that the next rows are random ones. */
#include "reduce/criterion.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { PARTNERS = 16 };

typedef struct measuring {
    zf_reduce_step *step;
    zf_crew *crew;
    const float *rows;
    int n, partners;
    double *losses; /* [dim, n]: the mean rectified loss of each row's pairs */
} measuring;

static zf_reduce_pair pair_of(const measuring *m, int row, int partner, int length)
{
    const zf_reduce_step_options *o = &m->step->options;
    size_t width = (size_t)(o->targets + o->inputs);
    zf_random random = zf_random_at(o->seed, ZF_FOR_SPLIT, (uint64_t)partner + 1, (uint32_t)row);
    float t = ((float)partner + zf_random_uniform(&random)) / (float)m->partners;
    return (zf_reduce_pair){
        .here = m->rows + (size_t)row * width,
        .other = m->rows + (size_t)((row + partner + 1) % m->n) * width,
        .t = t,
        .zero_t = o->antisymmetry ? t : 0.5f,
        .length = length,
    };
}

/* Samples from `first` on, as many as a batch has room for: adds the squares that they
   leave to the rows' losses, and returns the sum of the zero-flow term. */
static zf_status measure_block(measuring *m, int length, int64_t first, int count, double *zero)
{
    const zf_reduce_step *s = m->step;
    int targets = s->options.targets;
    ZF_TRY(zf_domain_set_rows(s->samples, count));
    for (int i = 0; i < count; i++) {
        int64_t at = first + i;
        zf_reduce_pair pair = pair_of(m, (int)(at % m->n), (int)(at / m->n), length);
        zf_reduce_fill(s, i, &pair);
    }
    zf_program_forward(s->program, m->crew, ZF_EVALUATE);
    const float *moving = zf_node_value(s->moving), *still = zf_node_value(s->zero);
    const float *difference = zf_node_value(s->difference);
    for (int i = 0; i < count; i++) {
        double *loss = &m->losses[(int64_t)(length - 1) * m->n + (first + i) % m->n];
        for (int k = i * targets; k < (i + 1) * targets; k++) {
            double wrong = (double)moving[k] - (double)difference[k];
            *loss += wrong * wrong / (targets * m->partners);
            *zero += (double)still[k] * (double)still[k] / targets;
        }
    }
    return ZF_OK;
}

static zf_status measure_length(measuring *m, zf_reduce_criterion *out, int length)
{
    int64_t pairs = (int64_t)m->n * m->partners;
    int batch = m->step->options.batch;
    double zero = 0, rectified = 0;
    for (int64_t first = 0; first < pairs; first += batch) {
        int count = pairs - first < batch ? (int)(pairs - first) : batch;
        ZF_TRY(measure_block(m, length, first, count, &zero));
    }
    for (int i = 0; i < m->n; i++) rectified += m->losses[(int64_t)(length - 1) * m->n + i];
    *out = (zf_reduce_criterion){
        .dim = length, .rectified = rectified / m->n, .zero = zero / (double)pairs};
    return ZF_OK;
}

/* The excess over the best length, row by row. */
static void compare(const measuring *m, zf_reduce_criterion *out, int dim)
{
    int best = 0;
    for (int l = 1; l < dim; l++)
        if (out[l].rectified < out[best].rectified) best = l;
    for (int l = 0; l < dim; l++) {
        const double *mine = m->losses + (int64_t)l * m->n, *its = m->losses + (int64_t)best * m->n;
        double squares = 0;
        out[l].excess = out[l].rectified - out[best].rectified;
        for (int i = 0; i < m->n; i++) {
            double apart = mine[i] - its[i] - out[l].excess;
            squares += apart * apart;
        }
        out[l].error = sqrt(squares / ((double)m->n * (m->n - 1)));
    }
}

zf_status zf_reduce_measure(zf_reduce_criterion *out, zf_reduce_step *step, zf_crew *crew,
                            const float *rows, int n)
{
    int dim = step->options.dim;
    measuring m = {.step = step, .crew = crew, .rows = rows, .n = n};
    m.partners = n - 1 < PARTNERS ? n - 1 : PARTNERS;
    m.losses = calloc((size_t)dim * (size_t)n, sizeof *m.losses);
    if (!m.losses) return zf_fail_memory((size_t)dim * (size_t)n * sizeof *m.losses);
    zf_status status = ZF_OK;
    for (int length = 1; length <= dim && status == ZF_OK; length++)
        status = measure_length(&m, &out[length - 1], length);
    if (status == ZF_OK) compare(&m, out, dim);
    free(m.losses);
    return status;
}

int zf_reduce_choose(const zf_reduce_criterion *criterion, int least, int most)
{
    int best = least;
    double zero = criterion[least - 1].zero;
    for (int l = least + 1; l <= most; l++) {
        if (criterion[l - 1].rectified < criterion[best - 1].rectified) best = l;
        zero = fmin(zero, criterion[l - 1].zero);
    }
    for (int l = least; l < best; l++) {
        const zf_reduce_criterion *c = &criterion[l - 1];
        double more = c->rectified - criterion[best - 1].rectified;
        if (more <= fmax(c->error, ZF_REDUCE_SLACK) && c->zero <= ZF_REDUCE_ZEROS * zero) return l;
    }
    return best;
}
