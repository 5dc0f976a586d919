/* Draws from structural equation models. Each row has a stream of random numbers of its own. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/moments.h"
#include "data/synthetic_sem.h"

/* Means and deviations come from so many rows of the model's own, not from the rows that are
   asked for: a row is the same in a longer table and in a shorter one. */
enum { SCALE_ROWS = 2048 };

enum { KINETICS_STEPS = 60 };
static const double KINETICS_NOISE = 0.25, KINETICS_ERROR = 0.05, KINETICS_HALF = 0.5;

static double normal(zf_random *random)
{
    return (double)zf_random_normal(random);
}

static double draw_noise(zf_sem_noise kind, zf_random *random)
{
    double z, sum = 0;
    switch (kind) {
    case ZF_NOISE_LAPLACE:
        return (double)zf_random_laplace(random, 0, 1) / sqrt(2);
    case ZF_NOISE_UNIFORM:
        return (2 * zf_random_uniform_double(random) - 1) * sqrt(3);
    case ZF_NOISE_STUDENT:
        z = normal(random);
        for (int k = 0; k < 3; k++) {
            double other = normal(random);
            sum += other * other / 3;
        }
        return z / sqrt(sum) / 1.7;
    case ZF_NOISE_HUMPS:
        z = 0.6 * normal(random);
        return zf_random_word(random) & 1 ? z + 0.8 : z - 0.8;
    case ZF_NOISE_NORMAL:
        break;
    }
    return normal(random);
}

static double shape_of(zf_sem_shape shape, double u)
{
    switch (shape) {
    case ZF_SHAPE_STEEP:
        return tanh(2 * u);
    case ZF_SHAPE_SQUARE:
        return u * u - 1;
    case ZF_SHAPE_WAVE:
        return sin(2 * u);
    case ZF_SHAPE_FOLD:
        return 1.5 * fabs(u);
    case ZF_SHAPE_BUMP:
        return 2.5 * exp(-u * u);
    case ZF_SHAPE_RAMP:
        return fmax(u, 0);
    case ZF_SHAPE_CORNER:
        return fabs(u);
    case ZF_SHAPE_STEP:
        return u > 0.3 ? 1 : -1;
    case ZF_SHAPE_LINE:
        break;
    }
    return u;
}

/* Node a's value is z[a * stride]. */
static double draw_node(const zf_sem_node *node, const double *z, size_t stride, zf_random *random)
{
    double noise = node->noise_scale * draw_noise(node->noise, random);
    double sum = 0, product = 1, squares = 0, value = noise;
    for (int k = 0; k < node->parents; k++) {
        const zf_sem_arrow *arrow = &node->arrows[k];
        double u = z[(size_t)arrow->from * stride];
        sum += arrow->weight * shape_of(arrow->shape, u);
        product *= u;
        squares += u * u / node->parents;
    }
    if (node->parents > 0) switch (node->rule) {
        case ZF_RULE_SUM:
            value = sum + noise;
            break;
        case ZF_RULE_SPREAD:
            value = noise * sqrt(0.15 + 0.85 * squares);
            break;
        case ZF_RULE_PRODUCT:
            value = product + noise;
            break;
        case ZF_RULE_SIGN:
            value = copysign(noise, product);
            break;
        }
    return (value - node->mean) / node->deviation;
}

/* Node by node, as a node's scale is part of what its children get. */
static void scale_nodes(zf_sem *sem, double *z, zf_random *random)
{
    for (int b = 0; b < sem->d; b++) {
        zf_sem_node *node = &sem->nodes[b];
        double *own = z + (size_t)b * SCALE_ROWS;
        for (size_t r = 0; r < SCALE_ROWS; r++)
            own[r] = draw_node(node, z + r, SCALE_ROWS, &random[r]);
        zf_moments moments = zf_moments_of(own, SCALE_ROWS, 1);
        node->mean = moments.mean;
        node->deviation = moments.deviation;
        for (size_t r = 0; r < SCALE_ROWS; r++)
            own[r] = (own[r] - moments.mean) / moments.deviation;
    }
}

zf_status zf_sem_scale(zf_sem *sem, uint64_t seed, uint64_t step)
{
    size_t bytes = (size_t)sem->d * SCALE_ROWS * sizeof(double);
    double *z = malloc(bytes);
    zf_random *random = malloc(SCALE_ROWS * sizeof *random);
    if (z && random) {
        for (uint32_t r = 0; r < SCALE_ROWS; r++)
            random[r] = zf_random_at(seed, ZF_FOR_DATA, step, r);
        scale_nodes(sem, z, random);
    }
    zf_status status = z && random ? ZF_OK : zf_fail_memory(bytes);
    free(z);
    free(random);
    return status;
}

/* How much one that is regulated makes: the product of what its regulators do to it. */
static double rate_of(const zf_sem_node *node, const double *x)
{
    double rate = 1;
    for (int k = 0; k < node->parents; k++) {
        double u = x[node->arrows[k].from], strength = fabs(node->arrows[k].weight);
        double bound = u * u / (u * u + KINETICS_HALF);
        rate *= node->arrows[k].weight > 0 ? (1 + strength * bound) / (1 + strength / 2)
                                           : (1 + strength) / (1 + 2 * strength * bound);
    }
    return rate;
}

/* x, made and own have d values each. */
static void draw_kinetics(double *x, double *made, double *own, const zf_sem *sem,
                          zf_random *random)
{
    for (int i = 0; i < sem->d; i++) {
        own[i] = exp(KINETICS_NOISE * normal(random));
        x[i] = 1;
    }
    for (int step = 0; step < KINETICS_STEPS; step++) {
        for (int i = 0; i < sem->d; i++) made[i] = own[i] * rate_of(&sem->nodes[i], x);
        for (int i = 0; i < sem->d; i++) x[i] = (x[i] + made[i]) / 2;
    }
    for (int i = 0; i < sem->d; i++) x[i] *= exp(KINETICS_ERROR * normal(random));
}

typedef struct sampler {
    const zf_synthetic_draw *draw;
    const zf_sem *sem;
    double *scratch; /* [workers][3][d] */
} sampler;

static void draw_rows(void *context, size_t from, size_t to, int worker)
{
    const sampler *s = context;
    const zf_sem *sem = s->sem;
    size_t d = (size_t)sem->d;
    double *z = s->scratch + (size_t)worker * 3 * d;
    for (size_t r = from; r < to; r++) {
        zf_random random = zf_random_at(s->draw->seed, ZF_FOR_DATA, 0, (uint32_t)r);
        if (sem->mechanism == ZF_SEM_KINETICS)
            draw_kinetics(z, z + d, z + 2 * d, sem, &random);
        else
            for (size_t b = 0; b < d; b++) z[b] = draw_node(&sem->nodes[b], z, 1, &random);
        for (size_t b = 0; b < d; b++)
            s->draw->values[r * d + (size_t)sem->nodes[b].column] = (double)(float)z[b];
    }
}

zf_status zf_sem_sample(const zf_synthetic_draw *draw, const zf_sem *sem)
{
    size_t count = (size_t)zf_crew_size(draw->crew) * 3 * (size_t)sem->d;
    sampler s = {draw, sem, malloc(count * sizeof(double))};
    if (!s.scratch) return zf_fail_memory(count * sizeof(double));
    zf_synthetic_rows(draw, draw_rows, &s);
    free(s.scratch);
    return ZF_OK;
}
