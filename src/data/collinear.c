/* Cholesky factorisation of the correlation matrix from left to right. A column
   whose pivot vanishes is, to rounding, a linear function of the kept columns
   before it; back substitution gives the coefficients, which are then tried on
   the rows of the whole table (on 100,000 of them if there are more). Correlations come from a
   sample of rows when there are many, since the trial afterwards leaves no false finding.

   In double throughout: a residual of 1e-5 standard deviations (files hold
   rounded numbers) is a pivot of 1e-10, far above the rounding of the factor.
   A QR factorisation would resolve residuals down to 1e-15, at the price of a
   second copy of the table. */
#include "data/collinear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/table_store.h"
#include "data/text.h"

static const double pivot_limit = 1e-10;      /* share of variance that is not explained */
static const double residual_limit = 1e-4;    /* standard deviations, on each row */
static const double coefficient_limit = 1e-4; /* standardised; below it a column plays no part */

enum { SAMPLE_BASE = 1000, SAMPLE_PER_COLUMN = 2, TRIAL_ROWS = 100000, NAMED = 3 };

typedef struct finder {
    zf_table *table;
    size_t n;       /* columns looked at */
    size_t *column; /* which */
    double *factor; /* n * n: correlations below and on the diagonal, then the factor of
                       the kept columns in their rows */
    size_t *kept;   /* positions of the kept columns */
    size_t n_kept;
    double *mean, *scale;
    double *solution;
} finder;

static bool is_complete(const finder *search, const double *row)
{
    for (size_t j = 0; j < search->n; j++)
        if (isnan(row[search->column[j]])) return false;
    return true;
}

/* Standardises the chosen values of a row. */
static void standardise(const finder *search, const double *row, double *values)
{
    for (size_t j = 0; j < search->n; j++)
        values[j] = (row[search->column[j]] - search->mean[j]) / search->scale[j];
}

/* Means over complete rows: only over the same rows of all columns does a linear
   function of columns pass through the means. */
static void set_means(finder *search, size_t complete)
{
    for (size_t j = 0; j < search->n; j++) {
        search->mean[j] = 0;
        search->scale[j] = search->table->column[search->column[j]].deviation;
    }
    for (size_t i = 0; i < search->table->rows; i++) {
        const double *row = zf_table_row(search->table, i);
        if (!is_complete(search, row)) continue;
        for (size_t j = 0; j < search->n; j++)
            search->mean[j] += row[search->column[j]] / (double)complete;
    }
}

/* Adds the products of a standardised row to the lower triangle. */
static void add_products(const finder *search, const double *values)
{
    for (size_t i = 0; i < search->n; i++) {
        double *line = search->factor + i * search->n, value = values[i];
        for (size_t j = 0; j <= i; j++) line[j] += value * values[j];
    }
}

/* Correlations from about `wanted` complete rows, evenly spread. */
static void correlate(finder *search, size_t complete, size_t wanted)
{
    size_t seen = 0, every = complete > wanted ? complete / wanted : 1;
    double *values = search->solution;
    for (size_t i = 0; i < search->table->rows; i++) {
        const double *row = zf_table_row(search->table, i);
        if (!is_complete(search, row)) continue;
        if (seen++ % every != 0) continue;
        standardise(search, row, values);
        add_products(search, values);
    }
}

/* Scales the products to unit diagonal. A column that is constant on the sample
   gets a zero line and counts as independent of the others. */
static void normalise(finder *search)
{
    double *diagonal = search->solution;
    for (size_t i = 0; i < search->n; i++) diagonal[i] = sqrt(search->factor[i * search->n + i]);
    for (size_t i = 0; i < search->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double scale = diagonal[i] * diagonal[j];
            double *cell = &search->factor[i * search->n + j];
            *cell = scale > 0 ? *cell / scale : 0;
        }
    for (size_t i = 0; i < search->n; i++) search->scale[i] *= diagonal[i];
}

/* Turns line i into its row of the factor; returns the pivot: the share of the
   column's variance that the kept columns leave. */
static double eliminate(finder *search, size_t i)
{
    double *line = search->factor + i * search->n, pivot = line[i];
    for (size_t k = 0; k < search->n_kept; k++) {
        size_t earlier = search->kept[k];
        const double *other = search->factor + earlier * search->n;
        double sum = line[earlier];
        for (size_t m = 0; m < k; m++) sum -= line[search->kept[m]] * other[search->kept[m]];
        line[earlier] = sum / other[earlier];
        pivot -= line[earlier] * line[earlier];
    }
    return pivot;
}

/* Coefficients of the kept columns that give column i, by back substitution. */
static void solve(finder *search, size_t i)
{
    const double *line = search->factor + i * search->n;
    for (size_t k = search->n_kept; k-- > 0;) {
        size_t earlier = search->kept[k];
        double sum = line[earlier];
        for (size_t m = k + 1; m < search->n_kept; m++)
            sum -= search->factor[search->kept[m] * search->n + earlier] *
                   search->solution[search->kept[m]];
        search->solution[earlier] = sum / search->factor[earlier * search->n + earlier];
    }
}

/* Does the linear function hold on the rows of the whole table? */
static bool holds_everywhere(const finder *search, size_t i)
{
    const zf_table *table = search->table;
    size_t target = search->column[i], every = table->rows / TRIAL_ROWS + 1;
    double scale = search->scale[i];
    for (size_t r = 0; r < table->rows; r += every) {
        const double *row = zf_table_row(table, r);
        double off = (row[target] - search->mean[i]) / scale;
        for (size_t k = 0; k < search->n_kept; k++) {
            size_t j = search->kept[k];
            if (fabs(search->solution[j]) > 1e-12)
                off -= search->solution[j] * (row[search->column[j]] - search->mean[j]) /
                       search->scale[j];
        }
        if (fabs(off) * scale > residual_limit * table->column[target].deviation) return false;
    }
    return true; /* a row with a missing value is NaN here and says nothing */
}

static zf_status report(finder *search, size_t i)
{
    zf_table *table = search->table;
    char names[NAMED * (ZF_SHOWN_BYTES + 4) + 32] = "", shown[ZF_SHOWN_BYTES];
    size_t used = 0, members = 0;
    for (size_t k = 0; k < search->n_kept; k++)
        members += fabs(search->solution[search->kept[k]]) > coefficient_limit;
    for (size_t k = 0, named = 0; k < search->n_kept && named < NAMED; k++) {
        size_t j = search->kept[k];
        if (!(fabs(search->solution[j]) > coefficient_limit)) continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s\"%s\"",
                                 named == 0                                 ? ""
                                 : named + 1 == members && members <= NAMED ? " and "
                                                                            : ", ",
                                 zf_table_shown_name(table, search->column[j], shown));
        named++;
    }
    if (members > NAMED)
        snprintf(names + used, sizeof names - used, " and %zu more", members - NAMED);
    zf_column *column = &table->column[search->column[i]];
    column->collinear = true;
    column->note = zf_table_text(table, "a linear function of %s", names);
    return column->note ? ZF_OK : ZF_ENOMEM;
}

static zf_status run(finder *search, size_t complete)
{
    set_means(search, complete);
    correlate(search, complete, SAMPLE_BASE + SAMPLE_PER_COLUMN * search->n);
    normalise(search);
    for (size_t i = 0; i < search->n; i++) {
        double pivot = eliminate(search, i);
        if (pivot > pivot_limit) {
            search->factor[i * search->n + i] = sqrt(pivot);
            search->kept[search->n_kept++] = i;
            continue;
        }
        if (search->scale[i] == 0) continue;
        solve(search, i);
        if (holds_everywhere(search, i)) ZF_TRY(report(search, i));
    }
    return ZF_OK;
}

static zf_status skip(zf_table *table, size_t complete, size_t n)
{
    if (n > ZF_TABLE_COLLINEAR_MAX)
        table->note = zf_table_text(table, "%zu columns: collinearity is tested up to %d", n,
                                    ZF_TABLE_COLLINEAR_MAX);
    else
        table->note = zf_table_text(
            table, "%zu complete rows for %zu columns: too few to test collinearity", complete, n);
    return table->note ? ZF_OK : ZF_ENOMEM;
}

static zf_status search_within(finder *search)
{
    size_t complete = 0, n = search->n;
    for (size_t i = 0; i < search->table->rows; i++)
        complete += is_complete(search, zf_table_row(search->table, i));
    if (n < 2) return ZF_OK;
    if (n > ZF_TABLE_COLLINEAR_MAX || complete <= n + 1) return skip(search->table, complete, n);
    search->factor = calloc(n * n, sizeof *search->factor);
    search->kept = malloc(n * sizeof *search->kept);
    search->mean = malloc(3 * n * sizeof *search->mean);
    if (!search->factor || !search->kept || !search->mean)
        return zf_fail_memory(n * n * sizeof *search->factor);
    search->scale = search->mean + n;
    search->solution = search->mean + 2 * n;
    return run(search, complete);
}

zf_status zf_table_find_collinear(zf_table *table)
{
    finder search = {.table = table};
    search.column = malloc((table->columns + 1) * sizeof *search.column);
    if (!search.column) return zf_fail_memory(table->columns * sizeof *search.column);
    for (size_t i = 0; i < table->columns; i++)
        if (table->column[i].used) search.column[search.n++] = i;
    zf_status status = search_within(&search);
    free(search.column);
    free(search.factor);
    free(search.kept);
    free(search.mean);
    return status;
}
