#include "criterion/root.h"

#include <math.h>

void zf_root(double *k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = k + i * n;
        for (size_t j = 0; j <= i; j++) {
            const double *other = k + j * n;
            double sum = row[j];
            for (size_t l = 0; l < j; l++) sum -= row[l] * other[l];
            row[j] = i == j ? sqrt(sum) : sum / other[j];
        }
        for (size_t j = i + 1; j < n; j++) row[j] = 0;
    }
}

void zf_root_solve(const double *root, double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = root + i * n;
        for (size_t l = 0; l < i; l++) x[i] -= row[l] * x[l];
        x[i] /= row[i];
    }
}
