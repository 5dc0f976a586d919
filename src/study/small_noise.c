/* As in post_nonlinear.c, every number of a sample comes from one stream of normal values. */
#include "study/small_noise.h"

#include <math.h>
#include <stdlib.h>

#include "study/trials.h"
#include "zeroflow/generate.h"

enum { CURVES = 6, UNITS = 8, MATTER = 5, GIVEN_MOST = 64 };

/* Numbers of a function: a weight and a curve of each variable, and of each unit a direction,
   a shift and a weight. */
enum { NUMBERS = 2 * GIVEN_MOST + UNITS * (MATTER + 2) };

static const double NOISE = 0.2;      /* the function has 1 */
static const double STEEP = 2;        /* length of a unit's direction */
static const uint32_t KEY = 1u << 30; /* apart from the streams of post_nonlinear.c */

const char *const small_noise_laws[SMALL_NOISE_LAWS] = {"curves", "products", "network"};

static double uniform(double normal)
{
    return 0.5 * erfc(-normal / sqrt(2));
}

static double bend(double u, double which)
{
    switch ((int)(uniform(which) * CURVES)) {
    case 0:
        return u;
    case 1:
        return tanh(2 * u);
    case 2:
        return u * u - 1;
    case 3:
        return sin(2 * u);
    case 4:
        return 1.5 * fabs(u);
    default:
        return 2.5 * exp(-u * u);
    }
}

/* 0.5 to 1 with either sign. */
static double weight(double normal)
{
    double u = 2 * uniform(normal) - 1;
    return u < 0 ? u / 2 - 0.5 : u / 2 + 0.5;
}

static double unit(const double *numbers, const double *z, int inputs)
{
    double along = 0, length = 0;
    for (int j = 0; j < inputs; j++) {
        along += numbers[j] * z[j];
        length += numbers[j] * numbers[j];
    }
    return numbers[MATTER + 1] * tanh(STEEP * along / sqrt(length) + numbers[MATTER]);
}

static double function(const small_noise *model, const double *numbers, const double *z)
{
    int inputs = model->given < MATTER ? model->given : MATTER;
    const double *units = numbers + 2 * (size_t)GIVEN_MOST;
    double sum = 0;
    if (model->law == SMALL_NOISE_NETWORK) {
        for (int k = 0; k < UNITS; k++) sum += unit(units + k * (MATTER + 2), z, inputs);
        return sum;
    }
    if (model->law == SMALL_NOISE_CURVES) inputs = model->given;
    for (int j = 0; j < inputs; j++) sum += weight(numbers[2 * j]) * bend(z[j], numbers[2 * j + 1]);
    if (model->law == SMALL_NOISE_PRODUCTS)
        for (int j = 0; j + 1 < inputs; j += 2) sum += weight(units[j]) * z[j] * z[j + 1];
    return sum;
}

/* Mean 0 and deviation 1, then noise; column 0 or 1 of the table. */
static void add_noise(double *table, const small_noise *model, size_t column, const double *noise)
{
    size_t columns = 2 + (size_t)model->given;
    double sum = 0, squares = 0, rows = (double)model->rows;
    for (size_t i = 0; i < model->rows; i++) sum += table[i * columns + column];
    for (size_t i = 0; i < model->rows; i++) {
        double off = table[i * columns + column] - sum / rows;
        squares += off * off;
    }
    double deviation = sqrt(squares / rows);
    for (size_t i = 0; i < model->rows; i++) {
        double *value = &table[i * columns + column];
        *value = (*value - sum / rows) / deviation + NOISE * noise[2 * i + column];
    }
}

zf_status small_noise_draw(double **values, const small_noise *model)
{
    size_t given = (size_t)model->given, columns = 2 + given;
    size_t head = 2 * (size_t)NUMBERS, n = head + model->rows * columns;
    double *normals, *table;
    ZF_TRY(trials_memory(&normals, n, &table, model->rows * columns));
    zf_generate_normals(normals, n, model->seed,
                        KEY + ((uint32_t)model->law * (GIVEN_MOST + 1) + (uint32_t)given) * 10000 +
                            model->trial);
    const double *z = normals + head, *noise = z + model->rows * given;
    for (size_t i = 0; i < model->rows; i++) {
        double *row = table + i * columns;
        for (size_t j = 0; j < given; j++) row[2 + j] = z[i * given + j];
        row[0] = function(model, normals, row + 2);
        row[1] = function(model, normals + NUMBERS, row + 2);
    }
    add_noise(table, model, 0, noise);
    add_noise(table, model, 1, noise);
    free(normals);
    *values = table;
    return ZF_OK;
}
