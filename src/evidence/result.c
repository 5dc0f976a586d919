#include "evidence/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/normal.h"
#include "evidence/discovery.h"

zf_status zf_evidence_new(zf_evidence **out, size_t rows, size_t columns)
{
    zf_evidence *result = calloc(1, sizeof *result);
    if (!result) return zf_fail_memory(sizeof *result);
    result->rows = result->units = rows;
    result->columns = (int32_t)columns;
    result->controls = calloc(columns, sizeof *result->controls);
    result->pairs = calloc(columns * (columns - 1) / 2, sizeof *result->pairs);
    result->stand_ins = calloc(columns, sizeof *result->stand_ins);
    result->superfluous = calloc(columns, sizeof *result->superfluous);
    if (!result->controls || !result->pairs || !result->stand_ins || !result->superfluous) {
        zf_evidence_free(result);
        return zf_fail_memory(columns * columns / 2 * sizeof *result->pairs);
    }
    *out = result;
    return ZF_OK;
}

void zf_evidence_free(zf_evidence *evidence)
{
    if (!evidence) return;
    free(evidence->controls);
    free(evidence->stand_ins);
    free(evidence->superfluous);
    free(evidence->pairs);
    free(evidence);
}

static size_t pair_count(const zf_evidence *evidence)
{
    return (size_t)evidence->columns * (size_t)(evidence->columns - 1) / 2;
}

zf_status zf_evidence_copy(zf_evidence **out, const zf_evidence *evidence)
{
    zf_evidence *copy = NULL;
    size_t columns = (size_t)evidence->columns;
    ZF_TRY(zf_evidence_new(&copy, evidence->rows, columns));
    zf_evidence own = *copy;
    *copy = *evidence;
    copy->controls = own.controls;
    copy->pairs = own.pairs;
    copy->stand_ins = own.stand_ins;
    copy->superfluous = own.superfluous;
    memcpy(own.controls, evidence->controls, columns * sizeof *own.controls);
    memcpy(own.stand_ins, evidence->stand_ins, columns * sizeof *own.stand_ins);
    memcpy(own.superfluous, evidence->superfluous, columns * sizeof *own.superfluous);
    memcpy(own.pairs, evidence->pairs, pair_count(evidence) * sizeof *own.pairs);
    *out = copy;
    return ZF_OK;
}

zf_status zf_evidence_adjust(zf_evidence *evidence)
{
    zf_pair_evidence *pairs = evidence->pairs;
    return zf_discovery_adjust(&pairs->q_value, &pairs->p_value,
                               sizeof *pairs / sizeof pairs->p_value, pair_count(evidence));
}

zf_status zf_q_values(double *q_values, const double *p_values, size_t n)
{
    return zf_discovery_adjust(q_values, p_values, 1, n);
}

size_t zf_evidence_rows(const zf_evidence *evidence)
{
    return evidence->rows;
}

size_t zf_evidence_units(const zf_evidence *evidence)
{
    return evidence->units;
}

double zf_evidence_seconds(const zf_evidence *evidence)
{
    return evidence->seconds;
}

int32_t zf_evidence_columns(const zf_evidence *evidence)
{
    return evidence->columns;
}

const zf_pair_evidence *zf_evidence_pair(const zf_evidence *evidence, int32_t a, int32_t b)
{
    return &evidence->pairs[zf_pair_at((size_t)a, (size_t)b)];
}

size_t zf_evidence_controls(const zf_evidence *evidence, int32_t variable, const int32_t **controls)
{
    *controls = evidence->controls[variable].variable;
    return evidence->controls[variable].n;
}

double zf_change_level(double fdr)
{
    static const double SHARE = 0.1; /* most of the rate is for edges */
    return SHARE * fdr;
}

double zf_evidence_fdr(const zf_evidence *evidence)
{
    return evidence->fdr;
}

size_t zf_evidence_stand_ins(const zf_evidence *evidence, int32_t variable,
                             const zf_change **stand_ins)
{
    *stand_ins = evidence->stand_ins[variable].list;
    return evidence->stand_ins[variable].n;
}

size_t zf_evidence_superfluous(const zf_evidence *evidence, int32_t variable,
                               const zf_change **superfluous)
{
    *superfluous = evidence->superfluous[variable].list;
    return evidence->superfluous[variable].n;
}

size_t zf_evidence_edges(const zf_evidence *evidence, double fdr)
{
    size_t edges = 0;
    for (size_t i = 0; i < pair_count(evidence); i++) edges += evidence->pairs[i].q_value <= fdr;
    return edges;
}

size_t zf_evidence_rows_for(const zf_evidence *evidence, double p_value, double fdr)
{
    double edges = (double)zf_evidence_edges(evidence, fdr), n = (double)pair_count(evidence);
    /* Deviations grow with the root of the rows. */
    double seen = -zf_normal_quantile(fmin(p_value, 0.9) / 2);
    double needed = -zf_normal_quantile(fmin(fdr * (edges + 1) / n, 1) / 2);
    if (!(needed > seen)) return 0;
    return (size_t)ceil((double)evidence->rows * (needed / seen) * (needed / seen));
}

size_t zf_evidence_rows_needed(const zf_evidence *evidence, double fdr)
{
    double least = 1;
    if (zf_evidence_edges(evidence, fdr)) return 0;
    for (size_t i = 0; i < pair_count(evidence); i++)
        least = fmin(least, evidence->pairs[i].p_value);
    return zf_evidence_rows_for(evidence, least, fdr);
}
