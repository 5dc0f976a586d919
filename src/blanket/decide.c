/* Decided blankets: what the evidence says of a target set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "blanket/model.h"
#include "blanket/step.h"
#include "evidence/result.h"
#include "evidence/sample.h"

/* Of the false discovery rate: most of it is for edges. */
static const double STAND_IN_SHARE = 0.1;

/* Of a pair's score: the weight of its gate where each pair was learnt by itself, where the targets
   had an order, and where one rule was learnt for all places; a p-value so small that less tells no
   more; and what has a score of a half. Half or double of these weights ranked worse. Where
   rows are few, gates that were learnt each by itself do not add to it. */
static const double GATE_ALONE = 0.5, GATE_IN_ORDER = 1, GATE_BY_RULE = 2;
static const double SMALLEST_P = 1e-300, MIDDLE = 10;

/* Evidence in place of any that the model had, and what its gates mean by it. */
static zf_status take_evidence(zf_blanket *model, zf_evidence *evidence)
{
    zf_evidence *before = model->evidence;
    zf_calibration calibration;
    model->evidence = evidence;
    zf_status status = zf_calibrate(&calibration, model);
    if (status == ZF_OK)
        model->calibration = calibration;
    else
        model->evidence = before;
    zf_evidence_free(status == ZF_OK ? before : evidence);
    return status;
}

zf_status zf_blanket_weigh(zf_blanket *model, const double *values, size_t rows,
                           const zf_evidence_options *options)
{
    zf_evidence *evidence = NULL;
    ZF_TRY(zf_evidence_test(&evidence, values, rows, model->names,
                            (size_t)zf_blanket_features(model), options));
    return take_evidence(model, evidence);
}

double zf_blanket_probability(const zf_blanket *model, float gate, int n_targets)
{
    return model->calibration.known ? zf_calibrated(&model->calibration, gate, n_targets) : -1;
}

zf_status zf_blanket_share_evidence(zf_blanket *model, const zf_blanket *from)
{
    zf_evidence *copy = NULL;
    int d = zf_blanket_features(model);
    if (!from->evidence) return zf_fail(ZF_EINVAL, "the other model holds no evidence");
    bool same = zf_blanket_features(from) == d;
    for (int i = 0; same && i < d; i++) same = strcmp(model->names[i], from->names[i]) == 0;
    if (!same) return zf_fail(ZF_EINVAL, "the two models do not have the same features");
    ZF_TRY(zf_evidence_copy(&copy, from->evidence));
    return take_evidence(model, copy);
}

const zf_evidence *zf_blanket_evidence(const zf_blanket *model)
{
    return model->evidence;
}

/* The pair of a feature and the target that it has most to do with. */
static zf_member judge(const zf_blanket *model, const int32_t *targets, int n, int32_t feature)
{
    zf_member member = {.feature = feature, .p_value = INFINITY};
    for (int k = 0; k < n; k++) {
        const zf_pair_evidence *pair = zf_evidence_pair(model->evidence, targets[k], feature);
        if (!(pair->p_value < member.p_value)) continue;
        member.p_value = pair->p_value;
        member.q_value = pair->q_value;
        member.stability = pair->stability;
        member.target = targets[k];
    }
    member.p_value = fmin(1, member.p_value * n);
    return member;
}

/* The least p-value of the feature as a stand-in, times the number of targets; above 1: it is
   none. */
static double judge_stand_in(const zf_blanket *model, const int32_t *targets, int n,
                             int32_t feature)
{
    double least = INFINITY;
    for (int k = 0; k < n; k++) {
        const zf_stand_in *list;
        size_t count = zf_evidence_stand_ins(model->evidence, targets[k], &list);
        for (size_t i = 0; i < count; i++)
            if (list[i].variable == feature) least = fmin(least, list[i].p_value * n);
    }
    return least;
}

static int compare(const void *a, const void *b)
{
    const zf_member *x = a, *y = b;
    if (x->decided != y->decided) return x->decided ? -1 : 1;
    if (x->stand_in != y->stand_in) return x->stand_in < y->stand_in ? -1 : 1;
    if (x->p_value != y->p_value) return x->p_value < y->p_value ? -1 : 1;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static bool contains(const int32_t *targets, int n, int32_t feature)
{
    for (int k = 0; k < n; k++)
        if (targets[k] == feature) return true;
    return false;
}

const char *zf_verdict_name(zf_verdict verdict)
{
    static const char *const names[] = {"chance", "forbidden", "evidence", "required", "stand-in"};
    return names[verdict];
}

/* Whether a feature that was judged is a member. */
static void decide(zf_member *member, zf_gate_rule rule, double stand_in, double fdr)
{
    bool stands_in = stand_in <= fdr * STAND_IN_SHARE;
    member->verdict = rule == ZF_GATE_CLOSED   ? ZF_VERDICT_FORBIDDEN
                      : member->q_value <= fdr ? ZF_VERDICT_EVIDENCE
                      : rule == ZF_GATE_OPEN   ? ZF_VERDICT_REQUIRED
                      : stands_in              ? ZF_VERDICT_STAND_IN
                                               : ZF_VERDICT_CHANCE;
    member->decided = member->verdict >= ZF_VERDICT_EVIDENCE;
    member->stand_in = member->verdict == ZF_VERDICT_STAND_IN ? stand_in : -1;
    if (rule != ZF_GATE_LEARNT) member->probability = member->decided;
}

static void fill(zf_member *members, size_t *decided, const zf_blanket *model,
                 const int32_t *targets, int n, double fdr, const float *gates)
{
    int d = zf_blanket_features(model);
    size_t count = 0;
    *decided = 0;
    for (int32_t j = 0; j < d; j++) {
        if (contains(targets, n, j)) continue;
        zf_member *member = &members[count++];
        *member = judge(model, targets, n, j);
        member->gate = gates[j];
        member->probability = zf_blanket_probability(model, gates[j], n);
        zf_gate_rule rule = model->constraints
                                ? zf_gate_rule_of(model->constraints, d, targets, n, j)
                                : ZF_GATE_LEARNT;
        decide(member, rule, judge_stand_in(model, targets, n, j), fdr);
        *decided += member->decided;
    }
    qsort(members, count, sizeof *members, compare);
}

static zf_status check_fdr(double fdr)
{
    if (fdr > 0 && fdr < 1) return ZF_OK;
    return zf_fail(ZF_EINVAL, "false discovery rate %g, expected a number between 0 and 1", fdr);
}

zf_status zf_blanket_decide(zf_member *members, size_t *decided, const zf_blanket *model,
                            const int32_t *targets, int n_targets, double fdr)
{
    if (!model->evidence)
        return zf_fail(ZF_EINVAL, "this model holds no evidence, so that nothing is decided");
    ZF_TRY(check_fdr(fdr));
    size_t bytes = (size_t)zf_blanket_features(model) * sizeof(float);
    float *gates = malloc(bytes);
    if (!gates) return zf_fail_memory(bytes);
    zf_status status = zf_blanket_query(model, targets, n_targets, gates);
    if (status == ZF_OK) fill(members, decided, model, targets, n_targets, fdr, gates);
    free(gates);
    return status;
}

/* Known edges and non-edges, whatever the evidence. */
static zf_gate_rule rule_of(const zf_blanket *model, int32_t a, int32_t b)
{
    int d = zf_blanket_features(model);
    if (!model->constraints) return ZF_GATE_LEARNT;
    zf_gate_rule rule = zf_gate_rule_of(model->constraints, d, &a, 1, b);
    return rule != ZF_GATE_LEARNT ? rule : zf_gate_rule_of(model->constraints, d, &b, 1, a);
}

static bool is_edge(const zf_blanket *model, int32_t a, int32_t b, double fdr)
{
    zf_gate_rule rule = rule_of(model, a, b);
    if (rule != ZF_GATE_LEARNT) return rule == ZF_GATE_OPEN;
    return zf_evidence_pair(model->evidence, a, b)->q_value <= fdr;
}

size_t zf_blanket_edges(const zf_blanket *model, double fdr)
{
    size_t edges = 0;
    for (int32_t a = 1; model->evidence && a < zf_blanket_features(model); a++)
        for (int32_t b = 0; b < a; b++) edges += is_edge(model, a, b, fdr);
    return edges;
}

/* What a pair is ranked by: the logarithm of 1 / p and a part of the log odds of its gate, which
   know what the tests do not (an order among the columns, what other pairs look like), but come
   from the same rows. On a scale from 0 to 1 that tells p-values of 1e-20 and 1e-200 apart. */
static float score_of(const zf_blanket *model, float gate, double p)
{
    const zf_calibration *c = &model->calibration;
    const zf_gate_options *gate_of = &model->shape.gate;
    bool rule = gate_of->kind == ZF_GATE_LSTM || gate_of->kind == ZF_GATE_CNN;
    bool few = !zf_rows_see_interactions(model->evidence->rows, (size_t)zf_blanket_features(model));
    double alone = few ? 0 : GATE_ALONE;
    double part = rule ? GATE_BY_RULE : gate_of->pairs ? alone : GATE_IN_ORDER;
    double sum = -log(fmax(p, SMALLEST_P));
    if (c->known) sum += part * zf_calibrated_odds(c, gate, 1);
    double above = sum > 30 ? sum : log1p(exp(sum));
    return (float)(above / (above + MIDDLE));
}

static zf_status add_evidence(zf_network *network, const zf_blanket *model, double fdr)
{
    size_t d = (size_t)zf_blanket_features(model), n = d * (d - 1) / 2, at = 0;
    zf_edge_evidence *pairs = malloc(n * sizeof *pairs);
    float *scores = malloc(n * sizeof *scores);
    zf_status status = pairs && scores ? ZF_OK : zf_fail_memory(n * sizeof *pairs);
    for (int32_t a = 1; status == ZF_OK && a < (int32_t)d; a++)
        for (int32_t b = 0; b < a; b++, at++) {
            const zf_pair_evidence *pair = zf_evidence_pair(model->evidence, a, b);
            float gate = zf_network_score(network, (size_t)a, (size_t)b);
            pairs[at] = (zf_edge_evidence){pair->p_value, pair->q_value, is_edge(model, a, b, fdr),
                                           pair->stability};
            bool known = rule_of(model, a, b) != ZF_GATE_LEARNT;
            scores[at] = known ? gate : score_of(model, gate, pair->p_value);
        }
    if (status == ZF_OK) status = zf_network_set_evidence(network, pairs);
    if (status == ZF_OK) status = zf_network_set_scores(network, scores);
    free(pairs);
    free(scores);
    return status;
}

zf_status zf_blanket_network(zf_network **out, const zf_blanket *model, double fdr)
{
    size_t d = (size_t)zf_blanket_features(model);
    zf_network *network = NULL;
    ZF_TRY(check_fdr(fdr));
    float *gates = malloc(d * d * sizeof *gates);
    if (!gates) return zf_fail_memory(d * d * sizeof *gates);
    zf_status status = zf_blanket_matrix(model, gates);
    if (status == ZF_OK) status = zf_network_new(&network, model->names, d, gates);
    free(gates);
    if (status == ZF_OK && model->evidence) status = add_evidence(network, model, fdr);
    if (status == ZF_OK)
        *out = network;
    else
        zf_network_free(network);
    return status;
}
