/* Columns of numbers that are no measurements: identifiers, which number the rows, and codes,
   which number kinds of things. Their sizes mean nothing, so neither does what depends on them.

   Only what is hard to explain otherwise is pointed out. Whole numbers that differ in every row are
   an identifier if so many draws from their range would have met (the birthday problem), or
   if their name says so; measurements and counts repeat, or are spread too widely to tell.
   Numbers that rise by one step from row to row count the rows, whole or not. A code has a
   name that says so and few values, or repeats a few long numbers that have no common step, as
   postal codes do. Rejected: calling any column of few whole numbers a code, since counts,
   grades and ages are such columns too. */
#include "data/role.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    ROWS_LEAST = 10,  /* with fewer nothing is said */
    MEETINGS = 10,    /* expected among draws that are all different by chance once in 20,000 */
    KINDS_MOST = 200, /* values of a code that is named so */
    REPEATS = 5,      /* rows a value of a code that is not */
    CODES_LEAST = 5,  /* values of such a code */
    DIGITS_LEAST = 4, /* of each */
};
static const double OCCUPIED_MOST = 0.05; /* share of the range that such a code takes */

/* --- names ---------------------------------------------------------------------------- */

static const char *const IDENTIFIERS[] = {
    "id",    "ids",     "identifier", "uid", "uuid",   "guid",    "key",      "index",     "idx",
    "rowid", "rowname", "rownames",   "row", "serial", "unnamed", "recordid", "patientid", NULL};
static const char *const CODES[] = {
    "code",    "zip",     "zipcode", "postcode",   "postal", "plz",    "fips",  "icd",
    "naics",   "sic",     "class",   "category",   "cat",    "type",   "kind",  "group",
    "species", "cluster", "region",  "country",    "state",  "county", "batch", "label",
    "site",    "ward",    "sector",  "occupation", NULL};

static bool is_one_of(const char *word, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && strncmp(word, *list, n) == 0) return true;
    return false;
}

/* Whether one of the words of a name is in the list: words end where letters do, and where
   a capital follows a small letter. */
static bool name_has(const char *name, const char *const *list)
{
    char word[16];
    size_t n = 0;
    for (const char *at = name;; at++) {
        bool letter = isalpha((unsigned char)*at) != 0;
        bool new_word =
            letter && at > name && isupper((unsigned char)*at) && islower((unsigned char)at[-1]);
        if (!letter || new_word) {
            if (n > 0 && n < sizeof word && is_one_of(word, n, list)) return true;
            n = 0;
        }
        if (letter && n < sizeof word) word[n++] = (char)tolower((unsigned char)*at);
        if (!*at) return false;
    }
}

/* --- values --------------------------------------------------------------------------- */

/* A column's values in the order of the rows, then sorted. */
typedef struct values {
    double *value;
    size_t n;
} values;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Each is one step above (or below) the one before, to rounding. */
static bool is_even(const values *v)
{
    double step = (v->value[v->n - 1] - v->value[0]) / (double)(v->n - 1);
    double room = 1e-6 * fabs(step) + 1e-12 * fmax(fabs(v->value[0]), fabs(v->value[v->n - 1]));
    if (step == 0) return false;
    for (size_t i = 1; i < v->n; i++)
        if (fabs(v->value[i] - v->value[i - 1] - step) > room) return false;
    return true;
}

static size_t count_distinct(const values *sorted)
{
    size_t distinct = 1;
    for (size_t i = 1; i < sorted->n; i++) distinct += sorted->value[i] != sorted->value[i - 1];
    return distinct;
}

/* The largest whole number that divides all distances; 0 if they are too large to tell. */
static double common_step(const values *sorted)
{
    double step = 0;
    for (size_t i = 1; i < sorted->n; i++) {
        double a = sorted->value[i] - sorted->value[i - 1], b = step;
        if (!(a < 9e15)) return 0;
        while (b > 0) {
            double rest = fmod(a, b);
            a = b;
            b = rest;
        }
        step = a;
    }
    return step;
}

/* So many different numbers in so narrow a range: drawn with repetition, some would meet. */
static bool differ_on_purpose(const values *sorted)
{
    double n = (double)sorted->n, range = sorted->value[sorted->n - 1] - sorted->value[0] + 1;
    return n * n / (2 * range) > MEETINGS;
}

static int digits(double value)
{
    return value < 1 ? 1 : (int)floor(log10(value)) + 1;
}

/* Long numbers, each of the same length, few of many that there could be, and met again and again.
 */
static bool looks_like_codes(const values *sorted, size_t distinct)
{
    double low = sorted->value[0], high = sorted->value[sorted->n - 1], step = common_step(sorted);
    if (low < 0 || step == 0 || distinct < CODES_LEAST || sorted->n < REPEATS * distinct)
        return false;
    if (digits(low) != digits(high) || digits(low) < DIGITS_LEAST) return false;
    return step == 1 && (double)distinct < OCCUPIED_MOST * (high - low + 1);
}

static zf_column_role role_of(const zf_column *column, values *v)
{
    if (is_even(v)) return ZF_ROLE_IDENTIFIER;
    if (column->type != ZF_COLUMN_INTEGER) return ZF_ROLE_MEASURE;
    qsort(v->value, v->n, sizeof *v->value, compare);
    size_t distinct = count_distinct(v);
    if (distinct == v->n)
        return differ_on_purpose(v) || name_has(column->name, IDENTIFIERS) ? ZF_ROLE_IDENTIFIER
                                                                           : ZF_ROLE_MEASURE;
    bool named = distinct <= KINDS_MOST && 2 * distinct <= v->n && name_has(column->name, CODES);
    return named || looks_like_codes(v, distinct) ? ZF_ROLE_CODE : ZF_ROLE_MEASURE;
}

const char *zf_column_role_name(zf_column_role role)
{
    static const char *const names[] = {"measure", "identifier", "code"};
    return names[role];
}

zf_status zf_table_find_roles(zf_table *table)
{
    if (table->rows < ROWS_LEAST) return ZF_OK;
    values v = {.value = malloc(table->rows * sizeof *v.value)};
    if (!v.value) return zf_fail_memory(table->rows * sizeof *v.value);
    for (size_t j = 0; j < table->columns; j++) {
        zf_column *column = &table->column[j];
        if (!column->used || column->type == ZF_COLUMN_BINARY) continue;
        v.n = 0;
        for (size_t i = 0; i < table->rows; i++) {
            double value = zf_table_row(table, i)[j];
            if (!isnan(value)) v.value[v.n++] = value;
        }
        if (v.n >= ROWS_LEAST) column->role = role_of(column, &v);
    }
    free(v.value);
    return ZF_OK;
}
