/* Regression on members: the same by eigenvectors of the functions, laws whose mean must be found,
   noise that must be left. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "criterion/functions.h"
#include "criterion/members.h"
#include "criterion/pursuit.h"
#include "kernel/lapack.h"

enum { ROWS = 400, Q = 3, PENALTIES = 11 };

typedef struct problem {
    zf_arena arena;
    zf_criterion_members members;
    zf_columns responses; /* shapes of one variable */
} problem;

/* y = h(members) + noise times a normal value. */
static void pose(problem *p, size_t rows, double (*h)(const double *z), double noise, uint32_t key)
{
    static double values[1000 * (Q + 1)];
    zf_columns scores;
    const int32_t which[] = {0, 1, 2}, response[] = {3};
    *p = (problem){.responses = {NULL, 0, 0}};
    draw_normals(values, rows * (Q + 1), key);
    for (size_t i = 0; i < rows; i++) {
        double *row = values + i * (Q + 1);
        row[Q] = (h ? h(row) : 0) + noise * row[Q];
    }
    zf_chosen members = {values, rows, Q + 1, which, Q}, one = {values, rows, Q + 1, response, 1};
    assert_ok(zf_columns_scores(&p->members.scores, &p->arena, &members));
    assert_ok(zf_columns_ranks(&p->members.ranks, &p->arena, &p->members.scores));
    assert_ok(zf_columns_raw(&p->members.raw, &p->arena, &members));
    assert_ok(zf_columns_scores(&scores, &p->arena, &one));
    assert_ok(zf_columns_bounded_shapes(&p->responses, &p->arena, &scores));
}

static double rough(const double *z)
{
    return sin(3 * z[0]) + z[1] * z[2] + 0.5 * z[1];
}

/* The columns of least squares, as members.c describes them. */
static void collect_plain(zf_columns *plain, problem *p)
{
    zf_columns inputs, white;
    zf_directions found;
    zf_collection all;
    assert_ok(
        zf_whiten(&inputs, &white, NULL, &p->arena, &p->members.scores, &p->members.raw, 0.001));
    assert_ok(zf_pursue(&found, &p->arena, &inputs, &white, &p->responses, ZF_PURSUE_BEST));
    assert_ok(zf_collection_new(&all, &p->arena, inputs.count + ZF_DIRECTIONS * ZF_PROFILE,
                                p->responses.rows));
    zf_collection_add(&all, &inputs);
    for (int t = 0; t < found.count; t++)
        for (size_t k = 0; k < ZF_PROFILE; k++) {
            memcpy(zf_collection_next(&all), zf_column_at(&found.profile[t], k),
                   p->responses.rows * sizeof(double));
            zf_collection_take(&all, 1);
        }
    zf_columns first = {all.columns.values, inputs.count, all.columns.rows};
    zf_columns rest = {zf_column_at(&all.columns, inputs.count), all.columns.count - inputs.count,
                       all.columns.rows};
    assert_ok(zf_columns_orthonormalise(&first, NULL, 1e-8));
    assert_ok(zf_columns_project_out(&rest, &first));
    assert_ok(zf_columns_orthonormalise(&rest, NULL, 1e-8));
    *plain = (zf_columns){all.columns.values, inputs.count + rest.count, all.columns.rows};
}

/* Ridge regression of a response along orthonormal columns with weights: the penalty with the
   least generalised cross-validation error, times 0.3. Returns what was taken. */
static double shrink(double *response, const zf_columns *basis, const double *weights, size_t plain)
{
    double best = INFINITY, chosen = INFINITY, taken = 0, rows = (double)basis->rows;
    double left = zf_column_dot(response, response, basis->rows);
    for (int k = 0; k <= PENALTIES; k++) {
        double penalty = k == PENALTIES ? INFINITY : 1e-4 * pow(10, 0.5 * k);
        double error = left, degrees = 1 + (double)plain;
        for (size_t j = 0; j < basis->count; j++) {
            double share = weights[j] / (weights[j] + penalty);
            double reach = zf_column_dot(zf_column_at(basis, j), response, basis->rows);
            error -= share * (2 - share) * reach * reach;
            degrees += share;
        }
        error /= (1 - degrees / rows) * (1 - degrees / rows);
        if (error < best) {
            best = error;
            chosen = penalty;
        }
    }
    for (size_t j = 0; j < basis->count; j++) {
        const double *column = zf_column_at(basis, j);
        double share = weights[j] / (weights[j] + 0.3 * chosen);
        double along = share * zf_column_dot(column, response, basis->rows);
        for (size_t i = 0; i < basis->rows; i++) response[i] -= along * column[i];
        taken += share * (2 - share);
    }
    return taken;
}

static void agrees_with_eigenvectors(void **state)
{
    (void)state;
    problem p;
    zf_columns plain, other;
    zf_collection ridge;
    pose(&p, ROWS, rough, 0.5, 1);
    assert_ok(zf_columns_copy(&other, &p.arena, &p.responses));
    collect_plain(&plain, &p);
    assert_ok(zf_collection_new(&ridge, &p.arena, ROWS / 2, ROWS));
    zf_add_single_functions(&ridge, &p.members.scores, NULL);
    zf_add_cosines(&ridge, &p.members.ranks, NULL, 3, 8);
    zf_add_products(&ridge, &p.members.scores, NULL);
    zf_add_waves(&ridge, &p.members.scores, NULL, 50, 0);
    static double weights[ROWS];
    assert_ok(zf_columns_project_out(&ridge.columns, &plain));
    assert_ok(zf_columns_orthonormalise(&ridge.columns, weights, 1e-12));
    assert_ok(zf_columns_project_out(&other, &plain));
    double expected = (double)plain.count, taken;
    for (size_t k = 0; k < ZF_SHAPES; k++)
        expected +=
            shrink(zf_column_at(&other, k), &ridge.columns, weights, plain.count) / ZF_SHAPES;
    assert_ok(zf_criterion_members_explain(&p.responses, &taken, &p.members, &p.arena));
    assert_close(taken, expected, 1e-6);
    assert_true(taken > (double)plain.count + 1); /* the ridge regression has its part */
    for (size_t i = 0; i < ZF_SHAPES * ROWS; i++)
        assert_close(p.responses.values[i], other.values[i], 1e-7);
    zf_arena_free(&p.arena);
}

static double index_square(const double *z)
{
    double index = z[0] - z[1] + z[2];
    return index * index / 3;
}

static double product(const double *z)
{
    return z[0] * z[1];
}

/* The share of the score's variance that is left. */
static double left_of(double (*h)(const double *z), size_t rows, double noise, double *taken)
{
    problem p;
    pose(&p, rows, h, noise, 2);
    assert_ok(zf_criterion_members_explain(&p.responses, taken, &p.members, &p.arena));
    double left = zf_column_dot(p.responses.values, p.responses.values, rows) / (double)rows;
    zf_arena_free(&p.arena);
    return left;
}

static void finds_means(void **state)
{
    (void)state;
    double taken;
    assert_true(left_of(index_square, 1000, 0, &taken) < 0.03);
    assert_true(left_of(product, 1000, 0, &taken) < 0.02);
    assert_true(left_of(rough, 1000, 0, &taken) < 0.02);
}

/* Of noise, what is left is about what freedom is left; with few rows little is taken. */
static void leaves_noise(void **state)
{
    (void)state;
    double taken, left = left_of(NULL, 1000, 1, &taken);
    assert_close(left, 1 - taken / 1000, 0.03);
    assert_true(taken < 100);
    left = left_of(NULL, 100, 1, &taken);
    assert_true(taken >= Q && taken <= 2 * Q);
    assert_close(left, 1 - taken / 100, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_eigenvectors),
        cmocka_unit_test(finds_means),
        cmocka_unit_test(leaves_noise),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
