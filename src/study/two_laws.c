/* Every number comes from one stream of normal values, so that a sample is a function
   of its kind, size, seed and trial. Streams are told apart by the numbers in `laws`, which
   stay what they are when laws are added. */
#include "study/two_laws.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "zeroflow/generate.h"

enum { EXTRA = 3, BLOBS = 3, STREAMS = 7 }; /* normal values a row beside those of its columns */
static const double APART = 5;

typedef struct law {
    const char *name;
    size_t columns;
    int levels; /* 0: numbers */
    uint32_t stream;
} law;

static const law laws[TWO_LAWS] = {
    [DIFFERENCE_MEAN] = {"mean", 10, 0, 0},
    [DIFFERENCE_VARIANCE] = {"variance", 10, 0, 1},
    [DIFFERENCE_BLOBS] = {"blobs", 2, 0, 2},
    [DIFFERENCE_DEPENDENCE] = {"dependence", 10, 0, 3},
    [DIFFERENCE_WEIGHTS_PLANE] = {"weights in a plane", 2, 0, 7},
    [DIFFERENCE_WEIGHTS] = {"weights of two", 10, 0, 8},
    [DIFFERENCE_WEIGHTS_THREE] = {"weights of three", 5, 0, 9},
    [DIFFERENCE_LEVELS] = {"levels", 5, 4, 10},
    [DIFFERENCE_COPIES] = {"levels copied", 6, 3, 11},
    [DIFFERENCE_MAPPED] = {"levels mapped", 8, 5, 12},
    [DIFFERENCE_PARITY] = {"parity", 6, 2, 13},
    [NULL_GAUSSIAN] = {"Gaussian", 5, 0, 4},
    [NULL_HEAVY] = {"heavy tails", 5, 0, 5},
    [NULL_MIXTURE] = {"mixture", 5, 0, 6},
    [NULL_LEVELS] = {"levels", 5, 6, 14},
};

const char *two_laws_name(difference kind)
{
    return laws[kind].name;
}

/* A normal value as a uniform one. */
static double uniform(double normal)
{
    return 0.5 * erfc(-normal / sqrt(2));
}

/* A whole number below n, of a normal value. */
static int pick(double normal, int n)
{
    int which = (int)(uniform(normal) * n);
    return which < n ? which : n - 1;
}

/* Moves a row to its cluster; u is uniform. */
static void shape_cluster(double *z, double u, difference kind, double effect)
{
    if (kind == DIFFERENCE_WEIGHTS_THREE) {
        double first = 1.0 / 3 + effect, second = first + 1.0 / 3;
        for (size_t k = 0; k < laws[kind].columns; k++)
            if (u >= first) z[k] += u < second ? (k % 2 ? 2 : 0) : (k % 2 ? 0 : 2);
        return;
    }
    bool plane = kind == DIFFERENCE_WEIGHTS_PLANE;
    for (size_t k = 0; u >= (plane ? 0.5 : 0.3) + effect && k < laws[kind].columns; k++)
        z[k] += plane ? 4 : 1.9;
}

/* Turns normal values z[columns] into levels, one from the one before with probability
   effect. What decides whether is a part of the same normal value: below the level's
   own digits. */
static void shape_levels(double *z, difference kind, double effect)
{
    size_t columns = laws[kind].columns;
    for (size_t k = 0; k < columns; k++) {
        int n = kind == NULL_LEVELS ? 2 + (int)k : laws[kind].levels;
        double u = uniform(z[k]), within = u * n - (int)(u * n);
        int level = pick(z[k], n);
        bool follows = k > 0 && within < effect;
        if (kind == DIFFERENCE_LEVELS) {
            double edge = 0.25 + effect / 2;
            level = u < edge ? 0 : u < 0.5 ? 1 : u < 1 - edge ? 2 : 3;
        } else if (kind == DIFFERENCE_PARITY) {
            if (k % 3 == 2 && within < effect) level = (int)(z[k - 1] + z[k - 2]) % 2;
        } else if (kind == DIFFERENCE_MAPPED) {
            if (follows) level = (int)(2 * z[k - 1] + 1) % n;
        } else if (follows) {
            level = (int)z[k - 1];
        }
        z[k] = level;
    }
}

/* Turns normal values z[columns] into a row; extra has three more. */
static void shape_row(double *z, const double *extra, difference kind, double effect)
{
    size_t columns = laws[kind].columns;
    double rest = sqrt(1 - effect * effect);
    double squares =
        (double)extra[0] * extra[0] + (double)extra[1] * extra[1] + (double)extra[2] * extra[2];
    if (laws[kind].levels > 0) {
        shape_levels(z, kind, kind == NULL_LEVELS ? 0.3 : effect);
        return;
    }
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
        case NULL_MIXTURE:
            z[k] += extra[0] > 0 ? 2 : -2;
            break;
        default:
            break;
        }
    }
    for (size_t k = 0; kind == DIFFERENCE_BLOBS && k < columns; k++)
        z[k] += (APART * pick(extra[k], BLOBS));
    if (kind >= DIFFERENCE_WEIGHTS_PLANE && kind <= DIFFERENCE_WEIGHTS_THREE)
        shape_cluster(z, uniform(extra[0]), kind, effect);
}

zf_status two_laws_draw(double **values, zf_two_samples *samples, difference kind, double effect,
                        size_t rows, uint64_t seed, uint32_t trial)
{
    size_t columns = laws[kind].columns, normals = columns + EXTRA;
    double *drawn = malloc(2 * rows * (normals + columns) * sizeof *drawn);
    if (!drawn) return zf_fail(ZF_ENOMEM, "out of memory");
    double *to = drawn + 2 * rows * normals;
    uint32_t stream = laws[kind].stream;
    zf_generate_normals(drawn, 2 * rows * normals, seed + ((uint64_t)(stream / STREAMS) << 32),
                        STREAMS * trial + stream % STREAMS);
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
    return ZF_OK;
}
