/* Structural equation models: who the parents are, what they do, and the graph that follows. */
#include "data/synthetic_sem.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* Rows of a draw use the steps from 0 on; the model and the sample that scales it these. */
static const uint64_t MODEL_STEP = (uint64_t)1 << 48, SCALE_STEP = ((uint64_t)1 << 48) + 1;

static const double POPULAR_MOST = 15, POPULAR_POWER = 0.8;

static int parents_most(zf_mechanism mechanism)
{
    static const int most[] = {
        [ZF_SEM_LINEAR] = 4, [ZF_SEM_ADDITIVE] = 4, [ZF_SEM_PRODUCTS] = 2,
        [ZF_SEM_SPREAD] = 2, [ZF_SEM_MIXTURE] = 3,  [ZF_SEM_KINETICS] = ZF_SEM_PARENTS,
    };
    return most[mechanism];
}

/* How many could be parents of node b: those before it, or all others. */
static int candidates(zf_mechanism mechanism, int d, int b)
{
    return mechanism == ZF_SEM_KINETICS ? d - 1 : b;
}

int64_t zf_sem_arrows_most(zf_mechanism mechanism, int d)
{
    int64_t sum = 0;
    int most = parents_most(mechanism);
    if (mechanism == ZF_SEM_PRODUCTS) return 2 * (int64_t)(d / 3);
    for (int b = 0; b < d; b++) {
        int others = candidates(mechanism, d, b);
        sum += others < most ? others : most;
    }
    return sum;
}

int64_t zf_sem_arrows_usual(zf_mechanism mechanism, int d)
{
    int64_t most = zf_sem_arrows_most(mechanism, d), usual = (int64_t)d * 3 / 2;
    return mechanism == ZF_SEM_PRODUCTS || most < usual ? most : usual;
}

static double between(zf_random *random, double least, double most)
{
    return least + (most - least) * zf_random_uniform_double(random);
}

static double either_sign(zf_random *random, double size)
{
    return zf_random_word(random) & 1 ? size : -size;
}

static zf_sem_arrow draw_arrow(zf_mechanism mechanism, int from, zf_random *random)
{
    static const zf_sem_shape smooth[] = {ZF_SHAPE_STEEP, ZF_SHAPE_SQUARE, ZF_SHAPE_WAVE,
                                          ZF_SHAPE_FOLD,  ZF_SHAPE_LINE,   ZF_SHAPE_BUMP};
    static const zf_sem_shape kinks[] = {ZF_SHAPE_RAMP, ZF_SHAPE_CORNER, ZF_SHAPE_LINE,
                                         ZF_SHAPE_STEP};
    zf_sem_arrow arrow = {.from = from, .shape = ZF_SHAPE_LINE, .weight = 1};
    switch (mechanism) {
    case ZF_SEM_LINEAR:
        arrow.weight = either_sign(random, between(random, 0.4, 1));
        break;
    case ZF_SEM_ADDITIVE:
        arrow.shape = smooth[zf_random_below(random, 6)];
        arrow.weight = either_sign(random, between(random, 0.5, 1));
        break;
    case ZF_SEM_MIXTURE:
        arrow.shape = kinks[zf_random_below(random, 4)];
        arrow.weight = either_sign(random, between(random, 0.6, 1.2));
        break;
    case ZF_SEM_KINETICS:
        arrow.weight = either_sign(random, between(random, 1, 3));
        break;
    case ZF_SEM_PRODUCTS:
    case ZF_SEM_SPREAD:
        break;
    }
    return arrow;
}

static void draw_noise(zf_sem_node *node, zf_mechanism mechanism, zf_random *random)
{
    static const zf_sem_noise mixed[] = {ZF_NOISE_STUDENT, ZF_NOISE_HUMPS, ZF_NOISE_NORMAL,
                                         ZF_NOISE_NORMAL};
    node->noise = ZF_NOISE_NORMAL;
    node->noise_scale = 1;
    switch (mechanism) {
    case ZF_SEM_LINEAR:
        node->noise = zf_random_word(random) & 1 ? ZF_NOISE_LAPLACE : ZF_NOISE_UNIFORM;
        break;
    case ZF_SEM_ADDITIVE:
        node->noise_scale = 0.7;
        break;
    case ZF_SEM_MIXTURE:
        node->noise = mixed[zf_random_below(random, 4)];
        node->noise_scale = 0.8;
        break;
    case ZF_SEM_PRODUCTS:
        if (node->parents > 0 && node->rule == ZF_RULE_PRODUCT) node->noise_scale = 0.5;
        break;
    case ZF_SEM_SPREAD:
        node->rule = ZF_RULE_SPREAD;
        break;
    case ZF_SEM_KINETICS:
        break;
    }
}

static bool is_parent(const zf_sem_node *node, int candidate)
{
    for (int k = 0; k < node->parents; k++)
        if (node->arrows[k].from == candidate) return true;
    return false;
}

/* An arrow from one node to another, or where that cannot be, from and to the next that can. */
static void put_arrow(zf_sem *sem, int from, int to, zf_random *random)
{
    int d = sem->d, most = parents_most(sem->mechanism);
    bool loops = sem->mechanism == ZF_SEM_KINETICS;
    for (;; to = (to + 1) % d) {
        int room = candidates(sem->mechanism, d, to);
        if (sem->nodes[to].parents < (room < most ? room : most)) break;
    }
    zf_sem_node *node = &sem->nodes[to];
    int limit = loops ? d : to;
    from %= limit;
    while (from == to || is_parent(node, from)) from = (from + 1) % limit;
    node->arrows[node->parents++] = draw_arrow(sem->mechanism, from, random);
}

static void draw_order(zf_sem *sem, int64_t arrows, zf_random *random)
{
    for (int64_t k = 0; k < arrows; k++) {
        int a = (int)zf_random_below(random, (uint32_t)sem->d);
        int b = (int)zf_random_below(random, (uint32_t)sem->d - 1);
        if (b >= a) b++;
        put_arrow(sem, a < b ? a : b, a < b ? b : a, random);
    }
}

/* Groups of three: two parents and their child. */
static void draw_groups(zf_sem *sem, int64_t arrows, zf_random *random)
{
    for (int group = 0; group < arrows / 2; group++) {
        zf_sem_node *child = &sem->nodes[3 * group + 2];
        for (int k = 0; k < 2; k++)
            child->arrows[child->parents++] = draw_arrow(sem->mechanism, 3 * group + k, random);
        child->rule = group % 2 ? ZF_RULE_SIGN : ZF_RULE_PRODUCT;
    }
}

/* Few regulators have many targets: a node is taken as often as its popularity says, which
   exceeds k for a share k^-0.8 of the nodes. */
static zf_status draw_hubs(zf_sem *sem, int64_t arrows, zf_random *random)
{
    size_t d = (size_t)sem->d;
    double *popular = malloc(d * sizeof *popular);
    if (!popular) return zf_fail_memory(d * sizeof *popular);
    for (size_t i = 0; i < d; i++)
        popular[i] =
            fmin(POPULAR_MOST, floor(pow(zf_random_uniform_double(random), -1 / POPULAR_POWER)));
    for (int64_t k = 0; k < arrows; k++) {
        uint32_t from = zf_random_below(random, (uint32_t)d);
        while (zf_random_uniform_double(random) * POPULAR_MOST > popular[from])
            from = zf_random_below(random, (uint32_t)d);
        put_arrow(sem, (int)from, (int)zf_random_below(random, (uint32_t)d), random);
    }
    free(popular);
    return ZF_OK;
}

/* The order of the columns says nothing of that of the nodes. */
static zf_status draw_columns(zf_sem *sem, zf_random *random)
{
    size_t d = (size_t)sem->d;
    uint32_t *order = malloc(d * sizeof *order);
    if (!order) return zf_fail_memory(d * sizeof *order);
    zf_random_permutation(random, order, d);
    for (size_t i = 0; i < d; i++) sem->nodes[i].column = (int)order[i];
    free(order);
    return ZF_OK;
}

static zf_status draw_model(zf_sem *sem, int64_t arrows, uint64_t seed)
{
    zf_random random = zf_random_at(seed, ZF_FOR_DATA, MODEL_STEP, 0);
    switch (sem->mechanism) {
    case ZF_SEM_PRODUCTS:
        draw_groups(sem, arrows, &random);
        break;
    case ZF_SEM_KINETICS:
        ZF_TRY(draw_hubs(sem, arrows, &random));
        break;
    case ZF_SEM_LINEAR:
    case ZF_SEM_ADDITIVE:
    case ZF_SEM_SPREAD:
    case ZF_SEM_MIXTURE:
        draw_order(sem, arrows, &random);
        break;
    }
    for (int b = 0; b < sem->d; b++) {
        sem->nodes[b].deviation = 1;
        draw_noise(&sem->nodes[b], sem->mechanism, &random);
    }
    ZF_TRY(draw_columns(sem, &random));
    return sem->mechanism == ZF_SEM_KINETICS ? ZF_OK : zf_sem_scale(sem, seed, SCALE_STEP);
}

zf_status zf_sem_new(zf_sem *out, zf_mechanism mechanism, int d, int64_t arrows, uint64_t seed)
{
    zf_sem sem = {mechanism, d, calloc((size_t)d, sizeof *sem.nodes)};
    if (!sem.nodes) return zf_fail_memory((size_t)d * sizeof *sem.nodes);
    zf_status status = draw_model(&sem, arrows, seed);
    if (status == ZF_OK)
        *out = sem;
    else
        zf_sem_free(&sem);
    return status;
}

void zf_sem_free(zf_sem *sem)
{
    free(sem->nodes);
    *sem = (zf_sem){0};
}

static void join(zf_band *graph, int a, int b)
{
    zf_band_row(graph, a > b ? a : b)[a > b ? b : a] = 1;
}

/* Parents and children, and the parents of one child with each other: given the child, what
   the one explains the other need not. */
zf_status zf_sem_graph(zf_band *graph, const zf_sem *sem)
{
    ZF_TRY(zf_synthetic_independent(graph, sem->d, sem->d - 1));
    for (int b = 0; b < sem->d; b++) {
        const zf_sem_node *node = &sem->nodes[b];
        for (int k = 0; k < node->parents; k++) {
            int parent = sem->nodes[node->arrows[k].from].column;
            join(graph, parent, node->column);
            for (int l = 0; l < k && sem->mechanism != ZF_SEM_KINETICS; l++)
                join(graph, parent, sem->nodes[node->arrows[l].from].column);
        }
    }
    return ZF_OK;
}
