/* Nearest neighbours by matrix products. Letters: D columns, K neighbours.

   A task takes a block of test rows, packs them once as the right-hand matrix, and
   lets all rows of the training set pass by in chunks: [chunk, D] x [D, block] gives
   the nearness of each pair, and each test row keeps its K best in order. What a
   pair's nearness is depends on these two rows alone, so ties fall the same way on
   any number of threads.

   As they are taken, rows are scaled to length 1 (cosine), or moved by the training
   mean (euclidean), which keeps the digits of a.b - |a|^2 / 2: this orders the rows
   a as their distance from b does. A copy of the whole training set would double
   its memory.

   Rejected: trees and hashing, which are useless in hundreds of dimensions, or
   approximate; a heap instead of an ordered list, as most rows are turned away by
   one comparison with the last of the K. */
#include "probe/knn.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"
#include "kernel/panel.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "probe/data.h"

enum {
    BLOCK = 256,
    CHUNK = 96,
    MOST_NEIGHBOURS = 10000
}; /* test rows of a task; training
      rows at a time */

typedef struct neighbour {
    float nearness;
    uint32_t row;
} neighbour;

/* A worker's memory. */
typedef struct bench {
    float *packed;   /* [D, BLOCK] */
    float *rows;     /* [BLOCK or CHUNK, D] */
    float *products; /* [CHUNK, BLOCK] */
    float *least;    /* [BLOCK], what a row must exceed to enter the list */
    neighbour *best; /* [BLOCK, K], the nearest first */
    double *votes;   /* [classes] */
} bench;

typedef struct knn {
    const zf_probe_data *data;
    const zf_labelled *test;
    const zf_knn_options *options;
    int32_t *given;
    size_t neighbours;        /* K */
    float *centre;            /* [D], minus the mean of the training rows */
    double *mean, *deviation; /* [D], of the training rows */
    const zf_panel_kernels *panel;
    bench *benches; /* by worker */
} knn;

void zf_knn_options_init(zf_knn_options *options, size_t size)
{
    const zf_knn_options all = {.neighbours = 20};
    zf_give(options, size, &all, sizeof all);
}

/* Row i of a set as it enters the products. */
static void take_row(const knn *k, float *to, const float *from)
{
    size_t dim = k->data->dim;
    if (k->options->measure == ZF_KNN_EUCLIDEAN) {
        zf_vector()->add(to, from, k->centre, dim);
        return;
    }
    double length = sqrt(zf_reduce()->squares(from, dim));
    zf_vector()->scale(to, from, length > (double)FLT_MIN ? (float)(1 / length) : 0, dim);
}

static void insert(bench *b, size_t neighbours, size_t j, neighbour new)
{
    neighbour *list = b->best + j * neighbours;
    size_t place = neighbours - 1;
    for (; place > 0 && new.nearness > list[place - 1].nearness; place--)
        list[place] = list[place - 1];
    list[place] = new;
    b->least[j] = list[neighbours - 1].nearness;
}

/* Lets training rows [first, first + n) pass by `columns` test rows. */
static void pass(const knn *k, bench *b, size_t first, size_t n, size_t columns)
{
    size_t dim = k->data->dim;
    const float *train = k->data->train.features + first * dim;
    for (size_t i = 0; i < n; i++) take_row(k, b->rows + i * dim, train + i * dim);
    k->panel->multiply(b->products, BLOCK, b->rows, (int)dim, b->packed, (int)n, (int)columns,
                       (int)dim, false);
    bool euclidean = k->options->measure == ZF_KNN_EUCLIDEAN;
    for (size_t i = 0; i < n; i++) {
        const float *row = b->products + i * BLOCK;
        float offset = euclidean ? (float)(zf_reduce()->squares(b->rows + i * dim, dim) / 2) : 0;
        for (size_t j = 0; j < columns; j++)
            if (row[j] - offset > b->least[j])
                insert(b, k->neighbours, j, (neighbour){row[j] - offset, (uint32_t)(first + i)});
    }
}

/* The class with the most votes; of equal ones that of the nearest row. Votes are
   counted relative to the nearest row's, so that none overflows. */
static int32_t elect(const knn *k, double *votes, const neighbour *list)
{
    const int32_t *labels = k->data->train.labels;
    double temperature = k->options->temperature;
    for (size_t i = 0; i < k->neighbours; i++) votes[labels[list[i].row]] = 0;
    for (size_t i = 0; i < k->neighbours; i++)
        votes[labels[list[i].row]] +=
            temperature > 0 ? exp((double)(list[i].nearness - list[0].nearness) / temperature) : 1;
    int32_t winner = labels[list[0].row];
    for (size_t i = 1; i < k->neighbours; i++)
        if (votes[labels[list[i].row]] > votes[winner]) winner = labels[list[i].row];
    return winner;
}

static void classify_block(void *context, int task, int worker)
{
    const knn *k = context;
    bench *b = &k->benches[worker];
    size_t dim = k->data->dim, begin = (size_t)task * BLOCK, rows = k->data->train.rows;
    size_t columns = k->test->rows - begin < BLOCK ? k->test->rows - begin : BLOCK;
    for (size_t j = 0; j < columns; j++)
        take_row(k, b->rows + j * dim, k->test->features + (begin + j) * dim);
    k->panel->pack_transposed(b->packed, b->rows, (int)dim, (int)dim, (int)columns);
    for (size_t j = 0; j < columns; j++) b->least[j] = -INFINITY;
    for (size_t i = 0; i < columns * k->neighbours; i++) b->best[i] = (neighbour){-INFINITY, 0};
    for (size_t first = 0; first < rows; first += CHUNK)
        pass(k, b, first, rows - first < CHUNK ? rows - first : CHUNK, columns);
    for (size_t j = 0; j < columns; j++)
        k->given[begin + j] = elect(k, b->votes, b->best + j * k->neighbours);
}

static zf_status get_memory(knn *k, zf_arena *arena, int workers)
{
    size_t dim = k->data->dim;
    k->centre = zf_arena_get(arena, dim * sizeof(float));
    k->benches = zf_arena_get(arena, (size_t)workers * sizeof *k->benches);
    k->mean = zf_arena_get(arena, dim * sizeof(double));
    k->deviation = zf_arena_get(arena, dim * sizeof(double));
    if (!k->centre || !k->mean || !k->deviation || !k->benches) return ZF_ENOMEM;
    for (int w = 0; w < workers; w++) {
        bench *b = &k->benches[w];
        *b = (bench){
            .packed = zf_arena_get(arena, k->panel->bytes((int)dim, BLOCK)),
            .rows = zf_arena_get(arena, BLOCK * dim * sizeof(float)),
            .products = zf_arena_get(arena, CHUNK * BLOCK * sizeof(float)),
            .least = zf_arena_get(arena, BLOCK * sizeof(float)),
            .best = zf_arena_get(arena, BLOCK * k->neighbours * sizeof(neighbour)),
            .votes = zf_arena_get(arena, k->data->classes * sizeof(double)),
        };
        if (!b->packed || !b->rows || !b->products || !b->least || !b->best || !b->votes)
            return ZF_ENOMEM;
    }
    return ZF_OK;
}

zf_status zf_knn_classify(int32_t *given, const zf_probe_data *data, const zf_labelled *test,
                          const zf_knn_options *options, zf_crew *crew)
{
    size_t most = (size_t)options->neighbours;
    knn k = {.data = data,
             .test = test,
             .options = options,
             .given = given,
             .neighbours = most < data->train.rows ? most : data->train.rows,
             .panel = zf_panel_for((int)data->dim, BLOCK)};
    zf_arena arena = {0};
    zf_status status = get_memory(&k, &arena, zf_crew_size(crew));
    if (status == ZF_OK) {
        zf_probe_moments(k.mean, k.deviation, data->train.features, data->train.rows, data->dim);
        for (size_t j = 0; j < data->dim; j++) k.centre[j] = (float)-k.mean[j];
        zf_crew_run(crew, (int)((test->rows + BLOCK - 1) / BLOCK), classify_block, &k);
    }
    zf_arena_free(&arena);
    return status;
}

static zf_status check_options(const zf_knn_options *options)
{
    if (options->neighbours < 1 || options->neighbours > MOST_NEIGHBOURS)
        return zf_fail(ZF_EINVAL, "neighbours: expected 1 to %d, found %d", MOST_NEIGHBOURS,
                       options->neighbours);
    if (!(options->temperature >= 0) || isinf(options->temperature))
        return zf_fail(ZF_EINVAL, "temperature: expected 0 or more, found %g",
                       options->temperature);
    if (options->temperature > 0 && options->measure != ZF_KNN_COSINE)
        return zf_fail(ZF_EINVAL, "temperature: votes are weighted by the cosine only");
    return ZF_OK;
}

static zf_status judge(double *accuracy, const zf_probe_data *data, const zf_knn_options *options,
                       zf_crew *crew)
{
    for (size_t i = 0; i < data->n_tests; i++) {
        const zf_labelled *test = &data->tests[i];
        int32_t *given = zf_slab_new(test->rows * sizeof *given);
        if (!given) return ZF_ENOMEM;
        zf_status status = zf_knn_classify(given, data, test, options, crew);
        if (status == ZF_OK) accuracy[i] = zf_probe_share(given, test);
        free(given);
        ZF_TRY(status);
    }
    return ZF_OK;
}

zf_status zf_probe_knn(double *accuracy, const zf_probe_data *data, const zf_knn_options *given)
{
    zf_knn_options known = zf_knn_defaults();
    const zf_knn_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "knn"));
    ZF_TRY(check_options(options));
    ZF_TRY(zf_probe_check(data));
    zf_crew *crew = NULL;
    ZF_TRY(zf_crew_new(&crew, options->threads));
    zf_status status = judge(accuracy, data, options, crew);
    zf_crew_free(crew);
    return status;
}
