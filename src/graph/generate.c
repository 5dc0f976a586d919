/* zf_generate: a structure, its law, and the graph behind it. */
#include "zeroflow/generate.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "data/synthetic.h"
#include "data/synthetic_sem.h"
#include "graph/graph.h"

static const double TRUNCATED_AT = -0.75;

void zf_generate_options_init(zf_generate_options *options, size_t size, zf_structure structure)
{
    const zf_generate_options all = {.structure = structure,
                                     .law = ZF_GAUSSIAN,
                                     .mechanism = ZF_SEM_LINEAR,
                                     .rows = 2048,
                                     .variables = structure == ZF_LATTICE ? 64 : 50,
                                     .side = 8,
                                     .order = 3,
                                     .edges = structure == ZF_SEM ? 0 : 120};
    zf_give(options, size, &all, sizeof all);
}

static int variables_of(const zf_generate_options *options)
{
    return options->structure == ZF_LATTICE ? options->side * options->side : options->variables;
}

static zf_status check_sem(const zf_generate_options *o)
{
    if ((unsigned)o->mechanism > ZF_SEM_KINETICS)
        return zf_fail(ZF_EINVAL, "unknown mechanism %d", (int)o->mechanism);
    int64_t most = zf_sem_arrows_most(o->mechanism, o->variables);
    bool paired = o->mechanism == ZF_SEM_PRODUCTS;
    if (most < 1)
        return zf_fail(ZF_EINVAL, "%d variables, expected at least 3 for a product", o->variables);
    if (o->edges < 0 || o->edges > most || (paired && o->edges % 2))
        return zf_fail(ZF_EINVAL, "%d arrows among %d variables, expected %s up to %lld", o->edges,
                       o->variables, paired ? "an even number" : "a number", (long long)most);
    return ZF_OK;
}

static zf_status check(const zf_generate_options *o)
{
    if ((unsigned)o->structure > ZF_SEM || (unsigned)o->law > ZF_TRUNCATED)
        return zf_fail(ZF_EINVAL, "structure %d with law %d: expected known ones",
                       (int)o->structure, (int)o->law);
    if (o->structure == ZF_LATTICE && (o->side < 2 || o->side > 173))
        return zf_fail(ZF_EINVAL, "a lattice of side %d, expected 2 to 173", o->side);
    if (o->structure != ZF_LATTICE && (o->variables < 2 || o->variables > ZF_GRAPH_NODES_MAX))
        return zf_fail(ZF_EINVAL, "%d variables, expected 2 to %d", o->variables,
                       ZF_GRAPH_NODES_MAX);
    if (o->structure == ZF_CHAIN && (o->order < 1 || o->order >= o->variables))
        return zf_fail(ZF_EINVAL,
                       "a chain of order %d over %d variables, expected an order of 1 "
                       "to %d",
                       o->order, o->variables, o->variables - 1);
    long pairs = (long)o->variables * (o->variables - 1) / 2;
    if (o->structure == ZF_RANDOM && (o->edges < 1 || o->edges > pairs))
        return zf_fail(ZF_EINVAL, "%d edges among %d variables, expected 1 to %ld", o->edges,
                       o->variables, pairs);
    if ((o->structure == ZF_VOLATILITY || o->structure == ZF_SEM) && o->law != ZF_GAUSSIAN)
        return zf_fail(ZF_EINVAL, "%s has its own distribution and takes no other",
                       o->structure == ZF_SEM ? "an equation model" : "the volatility chain");
    if (o->rows < 1 || o->rows > UINT32_MAX)
        return zf_fail(ZF_EINVAL, "%zu rows, expected 1 to %u", o->rows, UINT32_MAX);
    return o->structure == ZF_SEM ? check_sem(o) : ZF_OK;
}

/* What a sample is drawn from. */
typedef struct source {
    zf_band precision; /* of a sem and the volatility chain 1 on edges and on the diagonal */
    zf_sem sem;
} source;

static zf_status make_sem(source *from, const zf_generate_options *o)
{
    int64_t arrows = o->edges > 0 ? o->edges : zf_sem_arrows_usual(o->mechanism, o->variables);
    ZF_TRY(zf_sem_new(&from->sem, o->mechanism, o->variables, arrows, o->seed));
    return zf_sem_graph(&from->precision, &from->sem);
}

static zf_status make_source(source *from, const zf_generate_options *o)
{
    zf_band *precision = &from->precision;
    switch (o->structure) {
    case ZF_CHAIN:
        return zf_synthetic_chain(precision, o->variables, o->order);
    case ZF_LATTICE:
        return zf_synthetic_lattice(precision, o->side);
    case ZF_RANDOM:
        return zf_synthetic_random(precision, o->variables, o->edges, o->seed);
    case ZF_INDEPENDENT:
        return zf_synthetic_independent(precision, o->variables, 0);
    case ZF_SEM:
        return make_sem(from, o);
    case ZF_VOLATILITY:
        break;
    }
    ZF_TRY(zf_synthetic_chain(precision, o->variables, 1));
    for (size_t i = 0; i < (size_t)o->variables * 2; i++) precision->values[i] = 1;
    return ZF_OK;
}

static zf_status name_nodes(zf_node_names *names, const zf_generate_options *o)
{
    char name[40];
    for (int i = 0; i < variables_of(o); i++) {
        if (o->structure == ZF_LATTICE)
            snprintf(name, sizeof name, "r%dc%d", i / o->side + 1, i % o->side + 1);
        else
            snprintf(name, sizeof name, "x%d", i + 1);
        ZF_TRY(zf_node_names_add(names, name));
    }
    return ZF_OK;
}

static size_t list_truth(zf_edge *to, const zf_band *precision)
{
    size_t count = 0;
    for (int i = 0; i < precision->d; i++)
        for (int j = i > precision->width ? i - precision->width : 0; j < i; j++) {
            if (zf_band_row(precision, i)[j] == 0) continue;
            if (to) to[count] = (zf_edge){.a = (uint32_t)j, .b = (uint32_t)i, .score = 1};
            count++;
        }
    return count;
}

static zf_status make_truth(zf_graph **out, const zf_band *precision, const zf_generate_options *o)
{
    zf_node_names names = {0};
    size_t count = list_truth(NULL, precision);
    zf_edge *edges = malloc((count + 1) * sizeof *edges);
    zf_status status = edges ? name_nodes(&names, o) : zf_fail_memory((count + 1) * sizeof *edges);
    if (status != ZF_OK) {
        free(edges);
        zf_node_names_free(&names);
        return status;
    }
    list_truth(edges, precision);
    qsort(edges, count, sizeof *edges, zf_compare_pairs);
    return zf_graph_take(out, &names, NULL, edges, count);
}

static zf_status make_square(double **out, const zf_band *precision)
{
    size_t d = (size_t)precision->d;
    double *square = calloc(d * d, sizeof *square);
    if (!square) return zf_fail_memory(d * d * sizeof *square);
    for (int i = 0; i < precision->d; i++)
        for (int j = i > precision->width ? i - precision->width : 0; j <= i; j++)
            square[(size_t)i * d + (size_t)j] = square[(size_t)j * d + (size_t)i] =
                zf_band_row(precision, i)[j];
    *out = square;
    return ZF_OK;
}

static zf_status fill(const zf_synthetic_draw *draw, const source *from,
                      const zf_generate_options *o)
{
    if (o->structure == ZF_SEM) return zf_sem_sample(draw, &from->sem);
    if (o->structure == ZF_VOLATILITY) {
        zf_synthetic_volatility(draw, o->variables);
        return ZF_OK;
    }
    if (o->law == ZF_TRUNCATED) return zf_synthetic_truncated(draw, &from->precision, TRUNCATED_AT);
    return zf_synthetic_gaussian(draw, &from->precision, o->law == ZF_NONPARANORMAL);
}

static zf_status make_values(double **out, const source *from, const zf_generate_options *o)
{
    zf_crew *crew;
    size_t count;
    if (__builtin_mul_overflow(o->rows, (size_t)from->precision.d * sizeof(double), &count))
        return zf_fail_memory(SIZE_MAX);
    double *values = malloc(count);
    if (!values) return zf_fail_memory(count);
    zf_status status = zf_crew_new(&crew, o->threads);
    if (status == ZF_OK) {
        zf_synthetic_draw draw = {values, o->rows, o->seed, crew};
        status = fill(&draw, from, o);
        zf_crew_free(crew);
    }
    if (status == ZF_OK)
        *out = values;
    else
        free(values);
    return status;
}

zf_status zf_generate(double **values, zf_graph **truth, double **precision,
                      const zf_generate_options *given)
{
    zf_generate_options known = zf_generate_defaults(given ? given->structure : 0);
    const zf_generate_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "generate"));
    source from = {0};
    double *rows = NULL;
    zf_graph *graph = NULL;
    double *square = NULL;
    ZF_TRY(check(options));
    zf_status status = make_source(&from, options);
    if (status == ZF_OK) status = make_truth(&graph, &from.precision, options);
    if (status == ZF_OK && precision) status = make_square(&square, &from.precision);
    if (status == ZF_OK) status = make_values(&rows, &from, options);
    zf_band_free(&from.precision);
    zf_sem_free(&from.sem);
    if (status != ZF_OK) {
        zf_graph_free(graph);
        free(square);
        return status;
    }
    *values = rows;
    *truth = graph;
    if (precision) *precision = square;
    return ZF_OK;
}
