/* Running a baseline on rows whose columns are called x1, x2, ... */
#ifndef ZF_TEST_BASELINE_H
#define ZF_TEST_BASELINE_H

#include "support.h"

#include "zeroflow/baseline.h"

enum { BASELINE_COLUMNS = 200 };

typedef struct baseline_found {
    zf_graph *graph;
    zf_baseline_details details;
} baseline_found;

/* NULL stands for "no such thing" on failure. */
zf_status baseline_try(baseline_found *found, const double *values, size_t rows, size_t columns,
                       const zf_baseline_options *options);
/* The same where it must succeed. */
baseline_found baseline_find(const double *values, size_t rows, size_t columns,
                             const zf_baseline_options *options);
void baseline_free(baseline_found *found);

/* Rows of a chain: each column is 0.6 times the one before it plus noise. */
void baseline_chain(double *values, size_t rows, size_t columns, uint32_t key);

/* A report that collects its lines in a text, which is empty at first. */
enum { BASELINE_LINES = 1000 };
zf_report baseline_listen(char lines[BASELINE_LINES]);

/* Fails unless one thread and three give the same bits. */
void baseline_assert_threads(const double *values, size_t rows, size_t columns,
                             zf_baseline_options options);

#endif
