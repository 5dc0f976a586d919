#include "probe/axes.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "kernel/lapack.h"
#include "kernel/panel.h"

/* An eigenvalue beside the largest that is 0 to rounding. */
static const double NOTHING = 1e-12;

enum { ROWS = 512, COLUMNS = 256 }; /* of a block; of a task's share of the matrix */

void zf_centred_take(const zf_centred *rows, float *to, size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float *from = rows->values + (first + i) * rows->dim;
        for (size_t j = 0; j < rows->dim; j++) to[i * rows->dim + j] = from[j] - rows->mean[j];
    }
}

/* --- the scatter matrix -------------------------------------------------------------- */

/* A worker's memory. */
typedef struct bench {
    float *rows;    /* [ROWS, dim] */
    float *packed;  /* [ROWS, COLUMNS] */
    float *product; /* [dim, COLUMNS] */
} bench;

typedef struct scatter {
    const zf_centred *rows;
    double *to;
    const zf_panel_kernels *panel;
    bench *benches; /* by worker */
} scatter;

static zf_status get_benches(scatter *s, zf_arena *arena, int workers)
{
    size_t dim = s->rows->dim;
    s->benches = zf_arena_get(arena, (size_t)workers * sizeof *s->benches);
    if (!s->benches) return ZF_ENOMEM;
    for (int w = 0; w < workers; w++) {
        bench *b = &s->benches[w];
        b->rows = zf_arena_get(arena, ROWS * dim * sizeof(float));
        b->packed = zf_arena_get(arena, s->panel->bytes(ROWS, COLUMNS));
        b->product = zf_arena_get(arena, dim * COLUMNS * sizeof(float));
        if (!b->rows || !b->packed || !b->product) return ZF_ENOMEM;
    }
    return ZF_OK;
}

/* Some columns, from the diagonal down; they are mirrored at the end. */
static void sum_columns(void *context, int task, int worker)
{
    const scatter *s = context;
    bench *b = &s->benches[worker];
    size_t dim = s->rows->dim, begin = (size_t)task * COLUMNS, height = dim - begin;
    size_t width = height < COLUMNS ? height : COLUMNS;
    for (size_t i = begin; i < dim; i++)
        for (size_t j = begin; j < begin + width; j++) s->to[i * dim + j] = 0;
    for (size_t first = 0; first < s->rows->rows; first += ROWS) {
        size_t n = s->rows->rows - first < ROWS ? s->rows->rows - first : ROWS;
        zf_centred_take(s->rows, b->rows, first, n);
        s->panel->pack(b->packed, b->rows + begin, (int)dim, (int)n, (int)width);
        s->panel->multiply_transposed(b->product, COLUMNS, b->rows + begin, (int)dim, b->packed,
                                      (int)height, (int)width, (int)n, false);
        for (size_t i = 0; i < height; i++)
            for (size_t j = 0; j < width; j++)
                s->to[(begin + i) * dim + begin + j] += (double)b->product[i * COLUMNS + j];
    }
}

/* to[dim, dim] = X'X, both triangles: products in float within blocks of rows, which are
   added in double. */
static zf_status sum_scatter(double *to, const zf_centred *rows, zf_crew *crew)
{
    scatter s = {.rows = rows, .to = to, .panel = zf_panel_for(ROWS, COLUMNS)};
    size_t dim = rows->dim;
    zf_arena arena = {0};
    zf_status status = get_benches(&s, &arena, zf_crew_size(crew));
    if (status == ZF_OK) {
        zf_crew_run(crew, (int)((dim + COLUMNS - 1) / COLUMNS), sum_columns, &s);
        for (size_t i = 0; i < dim; i++)
            for (size_t j = i + 1; j < dim; j++) to[i * dim + j] = to[j * dim + i];
    }
    zf_arena_free(&arena);
    return status;
}

/* --- its axes --------------------------------------------------------------------------- */

/* Eigenvectors are rows, the largest eigenvalue's last. */
static zf_status by_columns(float *axes, double *squares, size_t count, const zf_centred *rows,
                            zf_crew *crew)
{
    size_t dim = rows->dim;
    double *matrix = zf_slab_new((dim * dim + dim) * sizeof *matrix);
    if (!matrix) return ZF_ENOMEM;
    double *values = matrix + dim * dim;
    zf_status status = sum_scatter(matrix, rows, crew);
    if (status == ZF_OK) status = zf_eigenvectors(matrix, values, dim);
    for (size_t k = 0; k < count && status == ZF_OK; k++) {
        squares[k] = fmax(values[dim - 1 - k], 0);
        for (size_t j = 0; j < dim; j++) axes[k * dim + j] = (float)matrix[(dim - 1 - k) * dim + j];
    }
    free(matrix);
    return status;
}

/* An eigenvector u of X X' makes the axis X'u, whose length is the root of the eigenvalue. */
static zf_status by_rows(float *axes, double *squares, size_t count, const zf_centred *rows)
{
    size_t dim = rows->dim, n = rows->rows;
    double *x = zf_slab_new((2 * n * dim + n * n + n) * sizeof *x);
    if (!x) return ZF_ENOMEM;
    double *turned = x + n * dim, *matrix = turned + n * dim, *values = matrix + n * n;
    for (size_t i = 0; i < n * dim; i++)
        x[i] = (double)rows->values[i] - (double)rows->mean[i % dim];
    zf_multiply(matrix, (zf_factor){x, false}, (zf_factor){x, true}, n, n, dim, 1, 0);
    zf_status status = zf_eigenvectors(matrix, values, n);
    if (status == ZF_OK)
        zf_multiply(turned, (zf_factor){matrix, false}, (zf_factor){x, false}, n, dim, n, 1, 0);
    for (size_t k = 0; k < count && status == ZF_OK; k++) {
        double value = values[n - 1 - k];
        bool none = !(value > NOTHING * values[n - 1]);
        squares[k] = none ? 0 : value;
        for (size_t j = 0; j < dim; j++)
            axes[k * dim + j] = none ? 0 : (float)(turned[(n - 1 - k) * dim + j] / sqrt(value));
    }
    free(x);
    return status;
}

zf_status zf_principal_axes(float *axes, double *squares, size_t count, const zf_centred *rows,
                            zf_crew *crew)
{
    assert(count <= rows->rows && count <= rows->dim && rows->dim <= ZF_AXES_DIM_MOST);
    ZF_TRY(zf_lapack_open());
    return rows->rows < rows->dim ? by_rows(axes, squares, count, rows)
                                  : by_columns(axes, squares, count, rows, crew);
}

/* --- other axes ----------------------------------------------------------------------- */

typedef struct turning {
    const zf_centred *rows;
    float *to;
    size_t count;
    const zf_panel_kernels *panel;
    float *packed; /* [dim, count] */
    float *taken;  /* [workers, ROWS, dim] */
} turning;

static void turn_block(void *context, int task, int worker)
{
    const turning *t = context;
    size_t dim = t->rows->dim, first = (size_t)task * ROWS;
    size_t n = t->rows->rows - first < ROWS ? t->rows->rows - first : ROWS;
    float *taken = t->taken + (size_t)worker * ROWS * dim;
    zf_centred_take(t->rows, taken, first, n);
    t->panel->multiply(t->to + first * t->count, (int)t->count, taken, (int)dim, t->packed, (int)n,
                       (int)t->count, (int)dim, false);
}

zf_status zf_turn(float *to, const zf_centred *rows, const float *axes, size_t count, zf_crew *crew)
{
    int dim = (int)rows->dim;
    turning t = {.rows = rows, .to = to, .count = count, .panel = zf_panel_for(dim, (int)count)};
    size_t room = (size_t)zf_crew_size(crew) * ROWS * rows->dim * sizeof(float);
    t.packed = zf_slab_new(t.panel->bytes(dim, (int)count));
    t.taken = zf_slab_new(room);
    zf_status status = t.packed && t.taken ? ZF_OK : ZF_ENOMEM;
    if (status == ZF_OK) {
        t.panel->pack_transposed(t.packed, axes, dim, dim, (int)count);
        zf_crew_run(crew, (int)((rows->rows + ROWS - 1) / ROWS), turn_block, &t);
    }
    free(t.packed);
    free(t.taken);
    return status;
}
