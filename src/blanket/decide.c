/* Decided blankets: what the evidence says of a target set.

   The blanket of a target is its edges and stand-ins without what is superfluous beside them; that
   of a set is those of its targets, put together. A search for the superfluous was made once, at
   the rate of the fit. It ended with members that are enough; at a stricter rate, or where one of
   them is forbidden, they may not all be there, and then nothing is called superfluous beside
   them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "blanket/model.h"
#include "blanket/step.h"
#include "evidence/result.h"
#include "evidence/sample.h"

/* Of a pair's score: the weight of its gate where each pair was learnt by itself, where the targets
   had an order, and where one rule was learnt for all places; that of tests and gates beside lines,
   where rows are not few; a p-value so small that less tells no more; and what has a score of a
   half. Half or double of these weights ranked worse. Where rows are few, gates that were learnt
   each by itself do not add to it. */
static const double GATE_ALONE = 0.5, GATE_IN_ORDER = 1, GATE_BY_RULE = 2;
static const double BESIDE_LINES = 0.25, SMALLEST_P = 1e-300, MIDDLE = 10;

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
                            (size_t)zf_blanket_variables(model), options));
    return take_evidence(model, evidence);
}

double zf_blanket_probability(const zf_blanket *model, float gate, size_t n_targets)
{
    return model->calibration.known ? zf_calibrated(&model->calibration, gate, (int)n_targets) : -1;
}

zf_status zf_blanket_share_evidence(zf_blanket *model, const zf_blanket *from)
{
    zf_evidence *copy = NULL;
    int d = zf_blanket_variables(model);
    if (!from->evidence) return zf_fail(ZF_EINVAL, "the other model holds no evidence");
    bool same = zf_blanket_variables(from) == d;
    for (int i = 0; same && i < d; i++) same = strcmp(model->names[i], from->names[i]) == 0;
    if (!same) return zf_fail(ZF_EINVAL, "the two models do not have the same variables");
    ZF_TRY(zf_evidence_copy(&copy, from->evidence));
    return take_evidence(model, copy);
}

const zf_evidence *zf_blanket_evidence(const zf_blanket *model)
{
    return model->evidence;
}

/* The p-value of a variable in a list of changes; -1: it is not there. */
static double find_change(const zf_change *list, size_t n, int32_t variable)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].variable == variable) return list[i].p_value;
    return -1;
}

/* -1: it is no stand-in of this target. */
static double stand_in_of(const zf_evidence *evidence, int32_t target, int32_t variable)
{
    const zf_change *list;
    size_t n = zf_evidence_stand_ins(evidence, target, &list);
    return find_change(list, n, variable);
}

/* -1: it is not superfluous for this target, at this rate. */
static double superfluous_for(const zf_evidence *evidence, int32_t target, int32_t variable,
                              double fdr)
{
    const zf_change *list;
    size_t n = zf_evidence_superfluous(evidence, target, &list);
    double chance = find_change(list, n, variable);
    return chance > zf_change_level(fdr) ? chance : -1;
}

/* Whether the tests make a variable a member of a target's blanket: as an edge, a stand-in, or not.
   What is superfluous among them is still there. */
static zf_verdict verdict_of(const zf_evidence *evidence, int32_t target, int32_t variable,
                             double fdr)
{
    if (zf_evidence_pair(evidence, target, variable)->q_value <= fdr) return ZF_VERDICT_EVIDENCE;
    double stand_in = stand_in_of(evidence, target, variable);
    return stand_in >= 0 && stand_in <= zf_change_level(fdr) ? ZF_VERDICT_STAND_IN
                                                             : ZF_VERDICT_CHANCE;
}

/* The blanket of one target at a rate. */
typedef struct border {
    const zf_evidence *evidence;
    int32_t target;
    double fdr;
    bool shrinks; /* all with which the search for the superfluous ended are members */
} border;

static bool is_forbidden(const zf_blanket *model, int32_t target, int32_t variable)
{
    int d = zf_blanket_variables(model);
    return model->constraints &&
           zf_gate_rule_of(model->constraints, d, &target, 1, variable) == ZF_GATE_CLOSED;
}

static border border_of(const zf_blanket *model, int32_t target, double fdr)
{
    const zf_evidence *evidence = model->evidence;
    border b = {evidence, target, fdr, true};
    double searched = zf_evidence_fdr(evidence);
    for (int32_t j = 0; b.shrinks && j < zf_blanket_variables(model); j++) {
        if (j == target || superfluous_for(evidence, target, j, fdr) >= 0 ||
            verdict_of(evidence, target, j, searched) == ZF_VERDICT_CHANCE)
            continue;
        b.shrinks = verdict_of(evidence, target, j, fdr) != ZF_VERDICT_CHANCE &&
                    !is_forbidden(model, target, j);
    }
    return b;
}

static void keep_least(double *least, double chance)
{
    if (*least < 0 || chance < *least) *least = chance;
}

/* Adds to what is known of a variable what one target says of it. An edge with one of the targets
   says more than anything that another says; that it stands in more than that it is superfluous. */
static void judge(zf_member *member, double chances[ZF_VERDICTS], const border *b)
{
    static const int weight[ZF_VERDICTS] = {
        [ZF_VERDICT_SUPERFLUOUS] = 1, [ZF_VERDICT_STAND_IN] = 2, [ZF_VERDICT_EVIDENCE] = 3};
    const zf_pair_evidence *pair = zf_evidence_pair(b->evidence, b->target, member->variable);
    zf_verdict verdict = verdict_of(b->evidence, b->target, member->variable, b->fdr);
    double spare = superfluous_for(b->evidence, b->target, member->variable, b->fdr);
    if (pair->p_value < member->p_value) {
        member->p_value = pair->p_value;
        member->q_value = pair->q_value;
        member->stability = pair->stability;
        member->target = b->target;
    }
    if (spare >= 0 && b->shrinks)
        verdict = verdict == ZF_VERDICT_EVIDENCE ? ZF_VERDICT_SUPERFLUOUS : ZF_VERDICT_CHANCE;
    if (verdict == ZF_VERDICT_SUPERFLUOUS) keep_least(&chances[verdict], spare);
    if (verdict == ZF_VERDICT_STAND_IN)
        keep_least(&chances[verdict], stand_in_of(b->evidence, b->target, member->variable));
    if (weight[verdict] > weight[member->verdict]) member->verdict = verdict;
}

/* Members first, edges before stand-ins; then what is superfluous, then what may be chance. */
static int place_of(const zf_member *member)
{
    if (member->decided) return member->verdict == ZF_VERDICT_STAND_IN;
    return member->verdict == ZF_VERDICT_SUPERFLUOUS ? 2 : 3;
}

static int compare(const void *a, const void *b)
{
    const zf_member *x = a, *y = b;
    if (place_of(x) != place_of(y)) return place_of(x) < place_of(y) ? -1 : 1;
    if (x->without != y->without) return x->without < y->without ? -1 : 1;
    if (x->p_value != y->p_value) return x->p_value < y->p_value ? -1 : 1;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

static bool contains(const int32_t *targets, int n, int32_t variable)
{
    for (int k = 0; k < n; k++)
        if (targets[k] == variable) return true;
    return false;
}

const char *zf_verdict_name(zf_verdict verdict)
{
    static const char *const names[ZF_VERDICTS] = {"chance",   "forbidden", "superfluous",
                                                   "evidence", "required",  "stand-in"};
    return names[verdict];
}

/* What the user says of a variable comes before what the tests say of it. */
static void heed(zf_member *member, zf_gate_rule rule)
{
    if (rule == ZF_GATE_CLOSED)
        member->verdict = ZF_VERDICT_FORBIDDEN;
    else if (rule == ZF_GATE_OPEN && member->verdict != ZF_VERDICT_EVIDENCE)
        member->verdict = ZF_VERDICT_REQUIRED;
    member->decided = member->verdict >= ZF_VERDICT_EVIDENCE;
    if (rule != ZF_GATE_LEARNT) member->probability = member->decided;
}

static void decide(zf_member *member, const zf_blanket *model, const border *borders,
                   const int32_t *targets, int n)
{
    double chances[ZF_VERDICTS];
    int32_t j = member->variable;
    for (int v = 0; v < ZF_VERDICTS; v++) chances[v] = -1;
    for (int k = 0; k < n; k++) judge(member, chances, &borders[k]);
    member->p_value = fmin(1, member->p_value * n);
    heed(member, model->constraints ? zf_gate_rule_of(model->constraints,
                                                      zf_blanket_variables(model), targets, n, j)
                                    : ZF_GATE_LEARNT);
    member->without = chances[member->verdict];
}

static zf_status fill(zf_member *members, size_t *decided, const zf_blanket *model,
                      const int32_t *targets, int n, double fdr, const float *gates)
{
    size_t count = 0, bytes = (size_t)n * sizeof(border);
    border *borders = malloc(bytes);
    if (!borders) return zf_fail_memory(bytes);
    for (int k = 0; k < n; k++) borders[k] = border_of(model, targets[k], fdr);
    *decided = 0;
    for (int32_t j = 0; j < zf_blanket_variables(model); j++) {
        if (contains(targets, n, j)) continue;
        zf_member *member = &members[count++];
        *member = (zf_member){.variable = j,
                              .gate = gates[j],
                              .p_value = INFINITY,
                              .probability = zf_blanket_probability(model, gates[j], n)};
        decide(member, model, borders, targets, n);
        *decided += member->decided;
    }
    free(borders);
    qsort(members, count, sizeof *members, compare);
    return ZF_OK;
}

/* Into the caller's members, of `size` bytes each. */
static zf_status list_members(zf_member *members, size_t size, size_t *decided,
                              const zf_blanket *model, const int32_t *targets, int n_targets,
                              double fdr, const float *gates)
{
    size_t n = (size_t)(zf_blanket_variables(model) - n_targets);
    zf_member *own = malloc(n * sizeof *own);
    if (!own) return zf_fail_memory(n * sizeof *own);
    zf_status status = fill(own, decided, model, targets, n_targets, fdr, gates);
    for (size_t i = 0; status == ZF_OK && i < n; i++)
        zf_give_plain((char *)members + i * size, size, &own[i], sizeof own[i]);
    free(own);
    return status;
}

static zf_status check_fdr(double fdr)
{
    if (fdr > 0 && fdr < 1) return ZF_OK;
    return zf_fail(ZF_EINVAL, "false discovery rate %g, expected a number between 0 and 1", fdr);
}

zf_status zf_blanket_decide_sized(zf_member *members, size_t size, size_t *decided,
                                  const zf_blanket *model, const int32_t *targets, size_t n_targets,
                                  double fdr)
{
    if (!model->evidence)
        return zf_fail(ZF_EINVAL, "this model holds no evidence, so nothing is decided");
    ZF_TRY(check_fdr(fdr));
    size_t bytes = (size_t)zf_blanket_variables(model) * sizeof(float);
    float *gates = malloc(bytes);
    if (!gates) return zf_fail_memory(bytes);
    zf_status status = zf_blanket_query(model, targets, n_targets, gates);
    if (status == ZF_OK)
        status = list_members(members, size, decided, model, targets, (int)n_targets, fdr, gates);
    free(gates);
    return status;
}

/* Known edges and non-edges, whatever the evidence. */
static zf_gate_rule rule_of(const zf_blanket *model, int32_t a, int32_t b)
{
    int d = zf_blanket_variables(model);
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
    for (int32_t a = 1; model->evidence && a < zf_blanket_variables(model); a++)
        for (int32_t b = 0; b < a; b++) edges += is_edge(model, a, b, fdr);
    return edges;
}

/* What a pair is ranked by: the logarithm of 1 / p and a part of the log odds of its gate, which
   know what the tests do not (an order among the columns, what other pairs look like), but come
   from the same rows. Where there are straight lines alone, and the gates know no order, a part of
   this, and what the lines say. On a scale from 0 to 1 that tells p-values of 1e-20 and 1e-200
   apart. */
static float score_of(const zf_blanket *model, float gate, size_t at)
{
    const double *lines = model->evidence->lines;
    const zf_calibration *c = &model->calibration;
    const zf_gate_options *gate_of = &model->shape.gate;
    bool rule = zf_gate_about_of(gate_of->kind)->columns != ZF_COLUMNS_ANY;
    bool few =
        !zf_rows_see_interactions(model->evidence->rows, (size_t)zf_blanket_variables(model));
    double alone = few ? 0 : GATE_ALONE;
    double part = rule ? GATE_BY_RULE : gate_of->pairs ? alone : GATE_IN_ORDER;
    double sum = -log(fmax(model->evidence->pairs[at].p_value, SMALLEST_P));
    if (c->known) sum += part * zf_calibrated_odds(c, gate, 1);
    if (lines && gate_of->pairs) sum = (few ? 1 : BESIDE_LINES) * sum + lines[at];
    double above = sum > 30 ? sum : log1p(exp(sum));
    return (float)(above / (above + MIDDLE));
}

static zf_status add_evidence(zf_graph *graph, const zf_blanket *model, double fdr)
{
    size_t d = (size_t)zf_blanket_variables(model), n = d * (d - 1) / 2, at = 0;
    zf_edge_evidence *pairs = malloc(n * sizeof *pairs);
    float *scores = malloc(n * sizeof *scores);
    zf_status status = pairs && scores ? ZF_OK : zf_fail_memory(n * sizeof *pairs);
    for (int32_t a = 1; status == ZF_OK && a < (int32_t)d; a++)
        for (int32_t b = 0; b < a; b++, at++) {
            const zf_pair_evidence *pair = zf_evidence_pair(model->evidence, a, b);
            float gate = zf_graph_score(graph, (size_t)a, (size_t)b);
            pairs[at] = (zf_edge_evidence){pair->p_value, pair->q_value, is_edge(model, a, b, fdr),
                                           pair->stability};
            bool known = rule_of(model, a, b) != ZF_GATE_LEARNT;
            scores[at] = known ? gate : score_of(model, gate, zf_pair_at((size_t)a, (size_t)b));
        }
    if (status == ZF_OK) status = zf_graph_set_evidence(graph, pairs);
    if (status == ZF_OK) status = zf_graph_set_scores(graph, scores);
    free(pairs);
    free(scores);
    return status;
}

zf_status zf_blanket_graph(zf_graph **out, const zf_blanket *model, double fdr)
{
    size_t d = (size_t)zf_blanket_variables(model);
    zf_graph *graph = NULL;
    ZF_TRY(check_fdr(fdr));
    float *gates = malloc(d * d * sizeof *gates);
    if (!gates) return zf_fail_memory(d * d * sizeof *gates);
    zf_status status = zf_blanket_matrix(model, gates);
    if (status == ZF_OK) status = zf_graph_new(&graph, model->names, d, gates);
    free(gates);
    if (status == ZF_OK && model->evidence) status = add_evidence(graph, model, fdr);
    if (status == ZF_OK)
        *out = graph;
    else
        zf_graph_free(graph);
    return status;
}
