/* Every number comes from one stream of normal values, so that a sample is a function
   of its kind, size, seed and trial. */
#include "reproduce/two_laws.h"

#include <math.h>
#include <stdlib.h>

#include "zeroflow/generate.h"

enum { EXTRA = 3, BLOBS = 3 }; /* normal values a row beside those of its columns */
static const double APART = 5;

const char *const two_laws_names[TWO_LAWS] = {"mean",     "variance",    "blobs",  "dependence",
                                              "Gaussian", "heavy tails", "mixture"};

static size_t columns_of(difference kind)
{
    return kind == DIFFERENCE_BLOBS ? 2 : kind < DIFFERENCES ? 10 : 5;
}

/* A whole number below n, of a normal value. */
static int pick(double normal, int n)
{
    int which = (int)(0.5 * erfc(-(double)normal / sqrt(2)) * n);
    return which < n ? which : n - 1;
}

/* Turns normal values z[columns] into a row; extra has three more. */
static void shape_row(double *z, const double *extra, difference kind, double effect)
{
    size_t columns = columns_of(kind);
    double rest = sqrt(1 - effect * effect);
    double squares =
        (double)extra[0] * extra[0] + (double)extra[1] * extra[1] + (double)extra[2] * extra[2];
    for (size_t k = 0; k < columns; k++) {
        switch (kind) {
        case DIFFERENCE_MEAN:
            z[k] += effect;
            break;
        case DIFFERENCE_VARIANCE:
            z[k] *= (1 + effect);
            break;
        case DIFFERENCE_BLOBS:
        case DIFFERENCE_DEPENDENCE:
            if (k > 0) z[k] = (effect * z[k - 1] + rest * z[k]);
            break;
        case NULL_GAUSSIAN:
            z[k] = (sqrt(0.5) * ((double)extra[0] + z[k]));
            break;
        case NULL_HEAVY:
            z[k] *= sqrt(3 / squares);
            break;
        default:
            z[k] += extra[0] > 0 ? 2 : -2;
        }
    }
    for (size_t k = 0; kind == DIFFERENCE_BLOBS && k < columns; k++)
        z[k] += (APART * pick(extra[k], BLOBS));
}

cli_exit two_laws_draw(double **values, zf_two_samples *samples, difference kind, double effect,
                       size_t rows, uint64_t seed, uint32_t trial)
{
    size_t columns = columns_of(kind), normals = columns + EXTRA;
    double *drawn = malloc(2 * rows * (normals + columns) * sizeof *drawn);
    if (!drawn) return cli_fail(CLI_FAILED, "out of memory");
    double *to = drawn + 2 * rows * normals;
    zf_generate_normals(drawn, 2 * rows * normals, seed, (uint32_t)TWO_LAWS * trial + kind);
    for (size_t i = 0; i < 2 * rows; i++) {
        double *row = drawn + i * normals;
        shape_row(row, row + columns, kind, i < rows ? 0 : effect);
        for (size_t k = 0; k < columns; k++) to[i * columns + k] = row[k];
    }
    *values = drawn;
    *samples = (zf_two_samples){
        .first = to,
        .second = to + rows * columns,
        .first_rows = rows,
        .second_rows = rows,
        .columns = columns,
    };
    return CLI_DONE;
}
