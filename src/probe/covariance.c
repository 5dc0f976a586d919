#include "probe/covariance.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "kernel/panel.h"
#include "kernel/vector.h"

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

zf_status zf_scatter_matrix(double *to, const zf_centred *rows, zf_crew *crew)
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
