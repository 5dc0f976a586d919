/* The methods of `reproduce decisions`, each with the decision that its users take: ours at a
   false discovery rate of 0.1, tests at one of 0.05, the graphical lasso by what its penalty
   leaves, PC by its level. */
#include <math.h>
#include <stdlib.h>

#include "study/decisions.h"
#include "zeroflow/baseline.h"
#include "zeroflow/independence.h"

enum { OURS, RANK, PARTIAL, GLASSO, PC, EACH };

static const double OUR_FDR = 0.1, THEIR_FDR = 0.05, PC_LEVEL = 0.05;

/* Of the test of each pair: the smallest p-value is 1 in so many and one. */
enum { DRAWS = 1999 };

const decider deciders[DECIDERS] = {
    [OURS] = {"zeroflow", "zeroflow, evidence"},
    [RANK] = {"rank", "rank partial correlation"},
    [PARTIAL] = {"partial", "partial correlation"},
    [GLASSO] = {"glasso", "graphical lasso"},
    [PC] = {"pc", "PC"},
    [EACH] = {"independent", "each pair by independent"},
};

/* The test of each pair takes a minute where the others take seconds. */
enum { EACH_SEEDS = 2 };

int decider_seeds(const zf_study *study, int method, int seeds, size_t rows, size_t columns)
{
    if (method != EACH) return seeds;
    if (study->scale < 1 || rows < zf_independence_least_rows(columns - 2)) return 0;
    return seeds < EACH_SEEDS ? seeds : EACH_SEEDS;
}

/* A graph of -log10 p, decided by q-values. p is [pairs] and becomes q. */
static zf_status decide(zf_graph **graph, const study_sample *sample, double *p, double fdr)
{
    size_t d = sample->columns, n = d * (d - 1) / 2, at = 0;
    zf_graph *made = NULL;
    zf_edge_evidence *pairs = malloc(n * sizeof *pairs);
    float *gates = calloc(d * d, sizeof *gates);
    zf_status status = pairs && gates ? ZF_OK : zf_fail(ZF_ENOMEM, "out of memory");
    if (status == ZF_OK) {
        for (size_t a = 1; a < d; a++)
            for (size_t b = 0; b < a; b++, at++) {
                gates[a * d + b] = gates[b * d + a] = (float)-log10(fmax(p[at], 1e-300));
                pairs[at] = (zf_edge_evidence){.p_value = p[at], .stability = -1};
            }
        status = zf_q_values(p, p, n);
    }
    for (size_t i = 0; status == ZF_OK && i < n; i++) {
        pairs[i].q_value = p[i];
        pairs[i].decided = p[i] <= fdr;
    }
    if (status == ZF_OK) status = zf_graph_new(&made, zf_graph_names(sample->truth), d, gates);
    if (status == ZF_OK) status = zf_graph_set_evidence(made, pairs);
    free(pairs);
    free(gates);
    if (status == ZF_OK)
        *graph = made;
    else
        zf_graph_free(made);
    return status;
}

static zf_status weigh(const zf_study *study, double *p, const study_sample *sample)
{
    zf_evidence *evidence = NULL;
    zf_evidence_options wish = zf_evidence_defaults();
    wish.threads = study->threads;
    wish.report = study_silent_report(study);
    ZF_TRY(zf_evidence_test(&evidence, sample->values, sample->rows, zf_graph_names(sample->truth),
                            sample->columns, &wish));
    for (int32_t a = 1; a < (int32_t)sample->columns; a++)
        for (int32_t b = 0; b < a; b++) *p++ = zf_evidence_pair(evidence, a, b)->p_value;
    zf_evidence_free(evidence);
    return ZF_OK;
}

/* Each pair given all other columns. */
static zf_status test_each(const zf_study *study, double *p, const study_sample *sample)
{
    size_t d = sample->columns;
    zf_status status = ZF_OK;
    zf_independence_options wish = zf_independence_defaults();
    wish.draws = DRAWS;
    wish.threads = study->threads;
    int32_t *given = malloc(d * sizeof *given);
    if (!given) return zf_fail(ZF_ENOMEM, "out of memory");
    for (int32_t a = 1; status == ZF_OK && a < (int32_t)d; a++)
        for (int32_t b = 0; status == ZF_OK && b < a; b++) {
            zf_independence result = {0};
            zf_question question = {.x = &a, .y = &b, .given = given, .n_x = 1, .n_y = 1};
            for (int32_t j = 0; j < (int32_t)d; j++)
                if (j != a && j != b) given[question.n_given++] = j;
            status = !study_goes_on(study)
                         ? ZF_EINTERRUPT
                         : zf_independence_test(&result, sample->values, sample->rows, NULL, d,
                                                &question, &wish);
            *p++ = result.p_value;
            zf_independence_free(&result);
        }
    free(given);
    return status;
}

static zf_status run_baseline(const zf_study *study, zf_graph **graph, int method,
                              const study_sample *sample)
{
    static const zf_baseline of[DECIDERS] = {[RANK] = ZF_BASELINE_RANK,
                                             [PARTIAL] = ZF_BASELINE_PARTIAL,
                                             [GLASSO] = ZF_BASELINE_GLASSO,
                                             [PC] = ZF_BASELINE_PC};
    zf_baseline_options wish = zf_baseline_defaults(of[method]);
    if (method == RANK || method == PARTIAL) wish.fdr = THEIR_FDR;
    if (method == GLASSO) wish.marginals = ZF_BASELINE_STANDARD;
    wish.alphas = &PC_LEVEL;
    wish.n_alphas = 1;
    wish.threads = study->threads;
    wish.report = study_silent_report(study);
    return zf_baseline_run(graph, NULL, sample->values, sample->rows, zf_graph_names(sample->truth),
                           sample->columns, &wish);
}

zf_status decider_run(const zf_study *study, zf_graph **graph, int method,
                      const study_sample *sample)
{
    if (method != OURS && method != EACH) return run_baseline(study, graph, method, sample);
    double *p = malloc(sample->columns * (sample->columns - 1) / 2 * sizeof *p);
    if (!p) return zf_fail(ZF_ENOMEM, "out of memory");
    zf_status status = method == OURS ? weigh(study, p, sample) : test_each(study, p, sample);
    if (status == ZF_OK) status = decide(graph, sample, p, method == OURS ? OUR_FDR : THEIR_FDR);
    free(p);
    return status;
}
