/* The classifier two-sample test in its stronger form, with logits in place of
   right and wrong (Lopez-Paz and Oquab, 2017; Cheng and Cloninger, 2019). The halves
   are drawn by the seed; labels of the test halves alone are permuted, as the
   classifier has seen those of the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/moments.h"
#include "base/p_value.h"
#include "baseline/peer.h"
#include "data/values.h"
#include "engine/program.h"
#include "net/mlp.h"
#include "op/ops.h"
#include "train/loop.h"

enum { HIDDEN = 64, BATCH = 128, STEPS = 400 };

typedef struct classifier_test {
    const zf_peer_call *call;
    float *values;  /* [N, D], standardised by the training halves */
    double *column; /* [N]: room */
    uint32_t *rows; /* [N]: the first sample's rows in a drawn order, then the second's */
    size_t trained[2], tested[2]; /* rows of each half: trained come first */
    zf_params *params;
    zf_program *train, *evaluate;
    zf_domain *evaluated;
    zf_node *input, *label, *loss, *tested_input, *tested_logits;
    zf_optimiser *optimiser;
} classifier_test;

static const uint32_t *rows_of(const classifier_test *t, int sample)
{
    return t->rows + (sample ? t->call->first_rows : 0);
}

/* Column k by the mean and the deviation of the rows that are trained on. */
static void standardise(classifier_test *t, size_t k)
{
    const zf_peer_call *call = t->call;
    size_t n = 0, columns = call->columns;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < t->trained[s]; i++)
            t->column[n++] = call->values[rows_of(t, s)[i] * columns + k];
    zf_moments moments = zf_moments_of(t->column, n, 1);
    for (size_t i = 0; i < call->rows; i++) {
        double off = call->values[i * columns + k] - moments.mean;
        t->values[i * columns + k] = moments.deviation > 0 ? (float)(off / moments.deviation) : 0;
    }
}

/* Draws the halves, and standardises by those that are trained on. */
static void split(classifier_test *t)
{
    const zf_peer_call *call = t->call;
    size_t columns = call->columns, sizes[2] = {call->first_rows, call->second_rows};
    for (int s = 0; s < 2; s++) {
        zf_random random = zf_random_at(call->options->seed, ZF_FOR_SPLIT, 0, (uint32_t)s);
        uint32_t *rows = t->rows + (s ? sizes[0] : 0);
        zf_random_permutation(&random, rows, sizes[s]);
        for (size_t i = 0; s && i < sizes[s]; i++) rows[i] += (uint32_t)sizes[0];
        t->trained[s] = sizes[s] / 2;
        t->tested[s] = sizes[s] - t->trained[s];
    }
    for (size_t k = 0; k < columns; k++) standardise(t, k);
}

/* As many rows of each sample, drawn from its training half. */
static void prepare(void *context, uint64_t step, zf_crew *crew)
{
    (void)crew;
    classifier_test *t = context;
    size_t columns = t->call->columns;
    for (int i = 0; i < BATCH; i++) {
        int sample = i % 2;
        zf_random random =
            zf_random_at(t->call->options->seed, ZF_FOR_BOOTSTRAP, step, (uint32_t)i);
        uint32_t row = rows_of(t, sample)[zf_random_below(&random, (uint32_t)t->trained[sample])];
        memcpy(zf_node_value(t->input) + (size_t)i * columns, t->values + row * columns,
               columns * sizeof *t->values);
        zf_node_index(t->label)[i] = sample;
    }
}

static zf_status build(classifier_test *t)
{
    int columns = (int)t->call->columns, sizes[] = {columns, HIDDEN, HIDDEN, 2};
    int workers = zf_crew_size(t->call->crew);
    ZF_TRY(zf_params_new(&t->params, t->call->options->seed));
    ZF_TRY(zf_program_new(&t->train, t->params));
    zf_domain *batch = zf_program_domain(t->train, "rows", BATCH, 0);
    t->input = zf_input(t->train, batch, ZF_F32, zf_shape_of(columns));
    t->label = zf_input(t->train, batch, ZF_I32, ZF_SCALAR);
    t->loss = zf_cross_entropy(zf_mlp(t->input, "classifier", sizes, 3), t->label);
    ZF_TRY(zf_program_plan(t->train, t->loss, NULL, 0, workers));
    ZF_TRY(zf_program_new(&t->evaluate, t->params));
    t->evaluated = zf_program_domain(t->evaluate, "rows", BATCH, 0);
    t->tested_input = zf_input(t->evaluate, t->evaluated, ZF_F32, zf_shape_of(columns));
    t->tested_logits = zf_mlp(t->tested_input, "classifier", sizes, 3);
    ZF_TRY(zf_program_plan(t->evaluate, NULL, &t->tested_logits, 1, workers));
    zf_optimiser_options options = zf_optimiser_defaults();
    return zf_optimiser_new(&t->optimiser, t->params, &options);
}

static zf_status train(classifier_test *t)
{
    zf_trained trained = {0};
    zf_training training = {
        .program = t->train,
        .crew = t->call->crew,
        .optimiser = t->optimiser,
        .schedule = zf_schedule_to_rest(1e-3, STEPS),
        .steps = STEPS,
        .prepare = prepare,
        .context = t,
        .rows = BATCH,
        .watches = {{"loss", t->loss}},
        .n_watches = 1,
        .report = t->call->options->report,
    };
    zf_status status = zf_train(&trained, &training);
    return status;
}

/* Logit of the second sample less that of the first, of every row that is tested. */
static zf_status find_logits(classifier_test *t, double *to)
{
    size_t columns = t->call->columns, n = t->tested[0] + t->tested[1];
    for (size_t first = 0; first < n; first += BATCH) {
        size_t count = n - first < BATCH ? n - first : BATCH;
        for (size_t i = 0; i < count; i++) {
            size_t at = first + i;
            uint32_t row = at < t->tested[0] ? rows_of(t, 0)[t->trained[0] + at]
                                             : rows_of(t, 1)[t->trained[1] + at - t->tested[0]];
            memcpy(zf_node_value(t->tested_input) + i * columns, t->values + row * columns,
                   columns * sizeof *t->values);
        }
        ZF_TRY(zf_domain_set_rows(t->evaluated, (int)count));
        zf_program_forward(t->evaluate, t->call->crew, ZF_EVALUATE);
        const float *logits = zf_node_value(t->tested_logits);
        for (size_t i = 0; i < count; i++)
            to[first + i] = (double)logits[2 * i + 1] - logits[2 * i];
    }
    return ZF_OK;
}

/* Rank of the observed difference of means among those of permuted labels. */
static zf_status rank(zf_peer_result *out, const classifier_test *t, const double *logits)
{
    size_t n = t->tested[0] + t->tested[1];
    zf_labels labels = {0};
    uint8_t *second = calloc(n, 1);
    float *label = malloc(n * sizeof *label);
    double *values = NULL;
    if (second) memset(second + t->tested[0], 1, t->tested[1]);
    zf_status status = second && label
                           ? zf_labels_new(&labels, second, n, t->call->options->permutations,
                                           t->call->options->seed)
                           : zf_fail_memory(n * sizeof *label);
    if (status == ZF_OK) {
        values = malloc(labels.count * sizeof *values);
        if (!values) status = zf_fail_memory(labels.count * sizeof *values);
    }
    for (size_t p = 0; status == ZF_OK && p < labels.count; p++) {
        double sum[2] = {0, 0};
        zf_labels_take(&labels, p, 0, n, label);
        for (size_t i = 0; i < n; i++) sum[label[i] > 0] += logits[i];
        values[p] = sum[1] / (double)t->tested[1] - sum[0] / (double)t->tested[0];
    }
    if (status == ZF_OK) {
        out->statistic = values[0];
        status = zf_p_value_rank(&out->p_value, values, labels.count);
        out->labellings = labels.count;
    }
    zf_labels_free(&labels);
    free(second);
    free(label);
    free(values);
    return status;
}

static zf_status run(zf_peer_result *out, classifier_test *t)
{
    const zf_peer_call *call = t->call;
    split(t);
    ZF_TRY(zf_values_tell_lost(call->values, t->values, call->rows, call->names, call->columns,
                               &call->options->report));
    ZF_TRY(build(t));
    ZF_TRY(train(t));
    size_t n = t->tested[0] + t->tested[1];
    double *logits = malloc(n * sizeof *logits);
    if (!logits) return zf_fail_memory(n * sizeof *logits);
    zf_status status = find_logits(t, logits);
    if (status == ZF_OK) status = rank(out, t, logits);
    free(logits);
    return status;
}

zf_status zf_classifier_test(zf_peer_result *out, const zf_peer_call *call)
{
    classifier_test test = {
        .call = call,
        .values = malloc(call->rows * call->columns * sizeof *test.values),
        .column = malloc(call->rows * sizeof *test.column),
        .rows = malloc(call->rows * sizeof *test.rows),
    };
    zf_status status = test.values && test.column && test.rows
                           ? run(out, &test)
                           : zf_fail_memory(call->rows * call->columns * sizeof *test.values);
    zf_optimiser_free(test.optimiser);
    zf_program_free(test.train);
    zf_program_free(test.evaluate);
    zf_params_free(test.params);
    free(test.values);
    free(test.column);
    free(test.rows);
    return status;
}
