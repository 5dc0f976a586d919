/* Every number of a sample comes from one stream of normal values, so that a
   sample is a function of its seed, relation, law, dimension and trial. */
#include "study/post_nonlinear.h"

#include <math.h>
#include <stdlib.h>

#include "study/trials.h"
#include "zeroflow/generate.h"

const char *const given_laws[GIVEN_LAWS] = {"Gaussian", "heavy tails", "mixture"};
const char *const relations[RELATIONS] = {"none", "common", "direct", "square", "one-index"};

enum { SHAPES = 6, RISING = 4, GIVEN_MOST = 64, NORMALS_A_VARIABLE = 4 };

static const double NOISE = 0.5; /* its deviation; the index of Z has 1 */

static double bend(double u, int shape)
{
    switch (shape) {
    case 0:
        return u;
    case 1:
        return u * u * u;
    case 2:
        return tanh(u);
    case 3:
        return exp(fmin(u, 80)); /* what a float can hold */
    case 4:
        return u * u;
    default:
        return cos(u);
    }
}

/* A whole number below n, of a normal value. */
static int pick(double normal, int n)
{
    int which = (int)(0.5 * erfc(-(double)normal / sqrt(2)) * n);
    return which < n ? which : n - 1;
}

/* Two random directions, shapes, and signs of the mixture's centres. */
typedef struct recipe {
    double a[GIVEN_MOST], b[GIVEN_MOST], sign[GIVEN_MOST];
    int x_shape, y_shape;
} recipe;

static void normalise(double *direction, int n)
{
    double square = 0;
    for (int j = 0; j < n; j++) square += direction[j] * direction[j];
    for (int j = 0; j < n; j++) direction[j] /= sqrt(square);
}

static recipe recipe_of(const post_nonlinear *model, const double *normals)
{
    recipe r;
    bool rising = model->relation != RELATION_NONE && model->relation != RELATION_ONE_INDEX;
    r.x_shape = pick(normals[0], rising ? RISING : SHAPES);
    r.y_shape = pick(normals[1], rising ? RISING : SHAPES);
    for (int j = 0; j < model->given; j++) {
        r.a[j] = (double)normals[2 + 3 * j];
        r.b[j] = model->relation == RELATION_ONE_INDEX ? r.a[j] : (double)normals[3 + 3 * j];
        r.sign[j] = normals[4 + 3 * j] < 0 ? -1 : 1;
    }
    normalise(r.a, model->given);
    normalise(r.b, model->given);
    return r;
}

/* A variable of Z with variance 1, of four normal values; `side` is the row's centre. */
static double variable(const post_nonlinear *model, const double *normals, double side)
{
    if (model->law == GIVEN_GAUSSIAN) return (double)normals[0];
    if (model->law == GIVEN_MIXTURE) return 0.8 * side + 0.6 * (double)normals[0];
    double square = 0; /* Student's t with 3 degrees, whose variance is 3 */
    for (int k = 1; k < NORMALS_A_VARIABLE; k++) square += (double)normals[k] * (double)normals[k];
    return (double)normals[0] / sqrt(square);
}

static void make_row(double *row, const post_nonlinear *model, const recipe *r,
                     const double *normals)
{
    static const double direct = 0.1, squared = 0.1;
    double to_x = 0, to_y = 0, centre = normals[3] < 0 ? -1 : 1;
    for (int j = 0; j < model->given; j++) {
        double z = variable(model, normals + 4 + NORMALS_A_VARIABLE * j, centre * r->sign[j]);
        row[2 + j] = z;
        to_x += r->a[j] * z;
        to_y += r->b[j] * z;
    }
    double share = model->relation == RELATION_COMMON ? model->common : 0;
    double shared = sqrt(share) * (double)normals[2];
    double y = to_y + NOISE * (shared + sqrt(1 - share) * (double)normals[1]);
    double x = to_x + NOISE * (shared + sqrt(1 - share) * (double)normals[0]);
    if (model->relation == RELATION_DIRECT) x += direct * y;
    if (model->relation == RELATION_SQUARE) x += squared * y * y;
    row[0] = bend(x, r->x_shape);
    row[1] = bend(y, r->y_shape);
}

zf_status post_nonlinear_draw(double **values, const post_nonlinear *model)
{
    size_t head = 2 + 3 * (size_t)model->given, columns = 2 + (size_t)model->given;
    size_t each = 4 + NORMALS_A_VARIABLE * (size_t)model->given, n = head + model->rows * each;
    double *normals, *table;
    ZF_TRY(trials_memory(&normals, n, &table, model->rows * columns));
    uint32_t kind = (uint32_t)model->relation * GIVEN_LAWS + (uint32_t)model->law;
    zf_generate_normals(normals, n, model->seed,
                        (kind * (GIVEN_MOST + 1) + (uint32_t)model->given) * 10000 + model->trial);
    recipe r = recipe_of(model, normals);
    for (size_t i = 0; i < model->rows; i++)
        make_row(table + i * columns, model, &r, normals + head + i * each);
    free(normals);
    *values = table;
    return ZF_OK;
}
