/* Draws of the laws that need no search: Gaussian, cubed, volatility, and normal values to
   make others of. Each row has a stream of random numbers of its own. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/synthetic.h"
#include "zeroflow/generate.h"

enum { ROWS_A_PIECE = 32, PIECES_A_JOB = 1 << 16, NORMALS_A_ROW = 64 };

typedef struct job {
    const zf_synthetic_draw *draw;
    zf_synthetic_piece run;
    void *context;
    size_t start;
} job;

static void run_piece(void *context, int task, int worker)
{
    const job *j = context;
    size_t from = j->start + (size_t)task * ROWS_A_PIECE, to = from + ROWS_A_PIECE;
    j->run(j->context, from, to < j->draw->rows ? to : j->draw->rows, worker);
}

void zf_synthetic_rows(const zf_synthetic_draw *draw, zf_synthetic_piece run, void *context)
{
    job j = {draw, run, context, 0};
    for (; j.start < draw->rows; j.start += (size_t)ROWS_A_PIECE * PIECES_A_JOB) {
        size_t pieces = (draw->rows - j.start + ROWS_A_PIECE - 1) / ROWS_A_PIECE;
        zf_crew_run(draw->crew, pieces < PIECES_A_JOB ? (int)pieces : PIECES_A_JOB, run_piece, &j);
    }
}

typedef struct gaussian {
    const zf_synthetic_draw *draw;
    zf_band factor;
    double *deviations; /* of the coordinates; NULL: not cubed */
    double *scratch;    /* [workers * d] */
} gaussian;

/* Solves L' z = e: with each z found, its part is taken from the ones before. */
static void draw_row(double *z, const zf_band *factor, zf_random *random)
{
    for (int i = 0; i < factor->d; i++) z[i] = (double)zf_random_normal(random);
    for (int k = factor->d - 1; k >= 0; k--) {
        const double *row = zf_band_row(factor, k);
        double value = z[k] /= row[k];
        for (int j = k > factor->width ? k - factor->width : 0; j < k; j++) z[j] -= row[j] * value;
    }
}

static void draw_gaussian(void *context, size_t from, size_t to, int worker)
{
    const gaussian *g = context;
    size_t d = (size_t)g->factor.d;
    double *z = g->scratch + (size_t)worker * d;
    for (size_t r = from; r < to; r++) {
        zf_random random = zf_random_at(g->draw->seed, ZF_FOR_DATA, 0, (uint32_t)r);
        double *values = g->draw->values + r * d;
        draw_row(z, &g->factor, &random);
        for (size_t i = 0; i < d; i++) {
            /* The third power of a standard normal has variance 15. */
            double unit = g->deviations ? z[i] / g->deviations[i] : 0;
            values[i] = (double)(float)(g->deviations ? unit * unit * unit / sqrt(15.0) : z[i]);
        }
    }
}

static zf_status prepare(gaussian *g, const zf_band *precision, bool cubed)
{
    size_t d = (size_t)precision->d, workers = (size_t)zf_crew_size(g->draw->crew);
    ZF_TRY(zf_band_factor(&g->factor, precision));
    g->scratch = malloc(workers * d * sizeof *g->scratch);
    if (!g->scratch) return zf_fail_memory(workers * d * sizeof *g->scratch);
    if (!cubed) return ZF_OK;
    g->deviations = malloc(d * sizeof *g->deviations);
    if (!g->deviations) return zf_fail_memory(d * sizeof *g->deviations);
    ZF_TRY(zf_band_variances(g->deviations, &g->factor));
    for (size_t i = 0; i < d; i++) g->deviations[i] = sqrt(g->deviations[i]);
    return ZF_OK;
}

zf_status zf_synthetic_gaussian(const zf_synthetic_draw *draw, const zf_band *precision, bool cubed)
{
    gaussian g = {.draw = draw};
    zf_status status = prepare(&g, precision, cubed);
    if (status == ZF_OK) zf_synthetic_rows(draw, draw_gaussian, &g);
    zf_band_free(&g.factor);
    free(g.deviations);
    free(g.scratch);
    return status;
}

typedef struct volatility {
    const zf_synthetic_draw *draw;
    int d;
} volatility;

static void draw_volatility(void *context, size_t from, size_t to, int worker)
{
    const volatility *v = context;
    (void)worker;
    for (size_t r = from; r < to; r++) {
        zf_random random = zf_random_at(v->draw->seed, ZF_FOR_DATA, 0, (uint32_t)r);
        double *values = v->draw->values + r * (size_t)v->d;
        double z = 1; /* the variance of the first is 1, and so that of all */
        for (int i = 0; i < v->d; i++) {
            z = (double)zf_random_normal(&random) * sqrt(0.2 + 0.8 * z * z);
            values[i] = (double)(float)z;
        }
    }
}

void zf_synthetic_volatility(const zf_synthetic_draw *draw, int d)
{
    volatility v = {draw, d};
    zf_synthetic_rows(draw, draw_volatility, &v);
}

void zf_generate_normals(double *values, size_t n, uint64_t seed, uint32_t stream)
{
    zf_random random;
    for (size_t i = 0; i < n; i++) {
        /* Step 0 is zf_generate's. */
        if (i % NORMALS_A_ROW == 0)
            random = zf_random_at(seed, ZF_FOR_DATA, 1 + (uint64_t)stream,
                                  (uint32_t)(i / NORMALS_A_ROW));
        values[i] = (double)zf_random_normal(&random);
    }
}
