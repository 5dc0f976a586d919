/* Blankets of target sets, and certificates of blankets, for `reproduce decisions`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/decisions.h"
#include "study/trials.h"
#include "zeroflow/independence.h"

enum { ROWS = 1000, VARIABLES = 20, EDGES = 30 };
enum { NULLS = 400, ALTERNATIVES = 200, DRAWS = 999 };

/* Seeds of the certificates' tables, far from those of others. */
static const uint64_t FIRST_SEED = 1000000;
static const double LEVEL = 0.05, WIDER_LEVEL = 0.1;
static const double WORK = 20.0 * 20 * ROWS / 10;         /* of one, as decisions.c counts it */
static const double LACKING = 0.2, LACKING_WITHIN = 0.01; /* partial correlation */

static bool is_edge(const zf_graph *graph, size_t a, size_t b)
{
    const zf_edge_evidence *pair = zf_graph_evidence(graph, a, b);
    return pair ? pair->decided : zf_graph_score(graph, a, b) > 0;
}

static bool borders(const zf_graph *graph, const bool *targets, size_t node)
{
    for (size_t k = 0; k < zf_graph_count(graph); k++)
        if (targets[k] && is_edge(graph, k, node)) return true;
    return false;
}

static double compare_blankets(const zf_graph *decided, const zf_graph *truth, const bool *targets)
{
    size_t both = 0, either = 0;
    for (size_t j = 0; j < zf_graph_count(truth); j++) {
        if (targets[j]) continue;
        bool given = borders(decided, targets, j), right = borders(truth, targets, j);
        both += given && right;
        either += given || right;
    }
    return either > 0 ? (double)both / (double)either : 1;
}

/* The nodes with the largest of independent numbers are a random set. */
static void draw_targets(bool targets[VARIABLES], int size, uint64_t seed, uint32_t stream)
{
    double numbers[VARIABLES];
    zf_generate_normals(numbers, VARIABLES, seed, stream);
    memset(targets, 0, VARIABLES * sizeof *targets);
    for (int k = 0; k < size; k++) {
        size_t largest = 0;
        for (size_t j = 1; j < VARIABLES; j++)
            if (numbers[j] > numbers[largest]) largest = j;
        targets[largest] = true;
        numbers[largest] = -INFINITY;
    }
}

void decision_sets(double jaccard[SET_SIZES], const zf_graph *decided, const zf_graph *truth,
                   uint64_t seed)
{
    bool targets[VARIABLES];
    memset(jaccard, 0, SET_SIZES * sizeof *jaccard);
    for (uint32_t set = 0; set < SETS; set++) {
        int size = 1 + (int)set % SET_SIZES;
        draw_targets(targets, size, seed, set);
        jaccard[size - 1] += compare_blankets(decided, truth, targets) * SET_SIZES / SETS;
    }
}

/* A table, one of its columns, and that one's blanket, whole or without a neighbour. */
typedef struct certified {
    study_sample sample;
    int32_t target, lacking; /* lacking: -1 */
} certified;

static double partial_of(const study_sample *sample, size_t a, size_t b)
{
    const double *p = sample->precision;
    size_t d = sample->columns;
    return fabs(p[a * d + b]) / sqrt(p[a * d + a] * p[b * d + b]);
}

/* Looks for an edge with nearly the partial correlation that is to be left out. */
static bool find_lacking(certified *c)
{
    for (size_t a = 0; a < c->sample.columns; a++)
        for (size_t b = 0; b < c->sample.columns; b++) {
            if (a == b || fabs(partial_of(&c->sample, a, b) - LACKING) > LACKING_WITHIN) continue;
            c->target = (int32_t)a;
            c->lacking = (int32_t)b;
            return true;
        }
    return false;
}

/* What zf_certify tests: the target against all that its blanket leaves out. */
static zf_status certify(const zf_study *study, double *p, const certified *c)
{
    int32_t given[VARIABLES], left_out[VARIABLES];
    zf_question question = {.x = &c->target, .y = left_out, .given = given, .n_x = 1};
    zf_independence_options wish = zf_independence_defaults();
    zf_independence result = {0};
    wish.draws = DRAWS;
    wish.threads = study->threads;
    for (int32_t j = 0; j < VARIABLES; j++) {
        if (j == c->target) continue;
        bool member = zf_graph_score(c->sample.truth, (size_t)c->target, (size_t)j) > 0;
        if (member && j != c->lacking)
            given[question.n_given++] = j;
        else
            left_out[question.n_y++] = j;
    }
    ZF_TRY(zf_independence_test(&result, c->sample.values, c->sample.rows, NULL, VARIABLES,
                                &question, &wish));
    *p = result.p_value;
    zf_independence_free(&result);
    return ZF_OK;
}

/* One certificate; *seed is the next one to take. */
static zf_status run_trial(zf_study *study, double *p, bool lacking, uint64_t *seed)
{
    zf_generate_options wish = zf_generate_defaults(ZF_RANDOM);
    certified c = {.lacking = -1};
    wish.rows = ROWS;
    wish.variables = VARIABLES;
    wish.edges = EDGES;
    wish.threads = study->threads;
    do {
        sample_free(&c.sample);
        wish.seed = (*seed)++;
        ZF_TRY(sample_generate(&c.sample, &wish));
        c.target = (int32_t)(wish.seed % VARIABLES);
    } while (lacking && !find_lacking(&c));
    zf_status status = certify(study, p, &c);
    if (status == ZF_OK)
        status = study_run(study, "%s,,%llu,%d,%d,,,,,,,,%.6g",
                           lacking ? "blanket that lacks a neighbour" : "true blanket",
                           (unsigned long long)wish.seed, ROWS, VARIABLES, *p);
    sample_free(&c.sample);
    return status;
}

decision_certificates decision_plan_certificates(const zf_study *study, decision_work *work)
{
    double scale = fmin(study->scale, 1);
    decision_certificates plan = {.nulls = (int)fmax(2, NULLS * scale + 0.5),
                                  .alternatives = (int)fmax(2, ALTERNATIVES * scale + 0.5)};
    work->planned += (plan.nulls + plan.alternatives) * WORK;
    return plan;
}

zf_status decision_certify(zf_study *study, decision_certificates *out, decision_work *work)
{
    double p[NULLS], lacking;
    uint64_t seed = FIRST_SEED + study->seed * FIRST_SEED;
    for (int i = 0; i < out->nulls; i++) {
        ZF_TRY(run_trial(study, &p[i], false, &seed));
        out->refused_05 += (double)(p[i] <= LEVEL) / out->nulls;
        out->refused_10 += (double)(p[i] <= WIDER_LEVEL) / out->nulls;
        ZF_TRY(trials_go_on(study, work->done += WORK, work->planned));
    }
    for (int i = 0; i < out->alternatives; i++) {
        ZF_TRY(run_trial(study, &lacking, true, &seed));
        out->power += (double)(lacking <= LEVEL) / out->alternatives;
        ZF_TRY(trials_go_on(study, work->done += WORK, work->planned));
    }
    out->uniform = trials_uniformity(p, out->nulls);
    return ZF_OK;
}
