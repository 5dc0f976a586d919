#include "study/trials.h"

#include <math.h>
#include <stdlib.h>

zf_status trials_go_on(zf_study *study, double done, double planned)
{
    double seconds = study_seconds(study);
    zf_report report = study->run->report;
    study->trials = done / planned;
    zf_progress progress = {
        .step = (uint64_t)(done / planned * 1000),
        .steps = 1000,
        .seconds = seconds,
        .seconds_left = done > 0 ? seconds / done * (planned - done) : -1,
    };
    return report.progress(report.context, &progress) ? ZF_OK : ZF_EINTERRUPT;
}

zf_status trials_memory(double **normals, size_t n, double **sample, size_t m)
{
    *normals = malloc(n * sizeof **normals);
    *sample = malloc(m * sizeof **sample);
    if (*normals && *sample) return ZF_OK;
    free(*normals);
    free(*sample);
    return zf_fail(ZF_ENOMEM, "out of memory");
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double trials_uniformity(double *values, int n)
{
    double gap = 0, sum = 0;
    qsort(values, (size_t)n, sizeof *values, ascending);
    for (int i = 0; i < n; i++)
        gap = fmax(gap, fmax((i + 1.0) / n - values[i], values[i] - (double)i / n));
    double t = gap * (sqrt(n) + 0.12 + 0.11 / sqrt(n));
    if (t < 0.2) return 1; /* where the series has not yet begun to converge */
    for (int k = 1; k <= 100; k++) sum += (k % 2 ? 2 : -2) * exp(-2 * t * t * k * k);
    return fmin(1, fmax(0, sum));
}
