/* Projection pursuit: finds an index whose square is all there is, where linear
   regression sees nothing; finds none in noise. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "criterion/pursuit.h"
#include "kernel/lapack.h"

enum { ROWS = 600, INPUTS = 12 };

typedef struct problem {
    zf_arena arena;
    zf_columns inputs, responses;
} problem;

/* Two responses: h(index) + noise * epsilon, and noise alone. */
static void pose(problem *p, double (*h)(double), double noise, uint32_t key)
{
    static float values[(INPUTS + 2) * ROWS];
    *p = (problem){{0}, {0}, {0}};
    fill_normal(values, (INPUTS + 2) * ROWS, key);
    assert_ok(zf_columns_new(&p->inputs, &p->arena, INPUTS, ROWS));
    assert_ok(zf_columns_new(&p->responses, &p->arena, 2, ROWS));
    for (size_t i = 0; i < INPUTS * ROWS; i++) p->inputs.values[i] = (double)values[i];
    for (size_t i = 0; i < ROWS; i++) {
        double index = 0;
        for (size_t j = 0; j < INPUTS; j++)
            index += (j % 2 ? 1 : -1) * (double)values[j * ROWS + i] / sqrt(INPUTS);
        double epsilon = (double)values[INPUTS * ROWS + i];
        p->responses.values[i] = (h ? h(index) : 0) + noise * epsilon;
        p->responses.values[ROWS + i] = (double)values[(INPUTS + 1) * ROWS + i];
    }
    for (size_t c = 0; c < 2; c++) zf_column_standardise(zf_column_at(&p->responses, c), ROWS);
    assert_ok(zf_columns_orthonormalise(&p->inputs, NULL, 0));
    for (size_t i = 0; i < INPUTS * ROWS; i++) p->inputs.values[i] *= sqrt(ROWS);
}

static double square(double u)
{
    return u * u;
}

static double wave(double u)
{
    return cos(2 * u);
}

/* The share of the first response that the functions of the first index explain. */
static double explained(const zf_directions *found, const zf_columns *responses)
{
    zf_columns basis = found->profile[0];
    assert_ok(zf_columns_orthonormalise(&basis, NULL, 1e-12));
    double sum = 0;
    for (size_t b = 0; b < basis.count; b++) {
        double reach = zf_column_dot(zf_column_at(&basis, b), responses->values, ROWS);
        sum += reach * reach / ROWS;
    }
    return sum;
}

static void finds(double (*h)(double), double noise, uint32_t key, zf_pursuit how, double least)
{
    problem p;
    zf_directions found;
    pose(&p, h, noise, key);
    assert_ok(zf_pursue(&found, &p.arena, &p.inputs, &p.inputs, &p.responses, how));
    assert_true(found.count >= 1);
    assert_true(explained(&found, &p.responses) > least);
    zf_arena_free(&p.arena);
}

static void finds_even_functions(void **state)
{
    (void)state;
    /* Noise has 2/18 of the square's variance, so that 0.947 can be explained. */
    finds(square, sqrt(2.0 / 18), 1, ZF_PURSUE_ALL, 0.93);
    finds(square, sqrt(2.0 / 18), 1, ZF_PURSUE_BEST, 0.93);
    finds(wave, 0.15, 2, ZF_PURSUE_ALL, 0.9);
    finds(wave, 0.15, 2, ZF_PURSUE_BEST, 0.9);
}

static void finds_one_input_alone(void **state)
{
    (void)state;
    problem p;
    zf_directions found;
    pose(&p, square, 0.3, 3);
    p.inputs.count = 1;
    for (size_t i = 0; i < ROWS; i++) p.responses.values[i] = fabs(p.inputs.values[i]);
    zf_column_standardise(p.responses.values, ROWS);
    assert_ok(zf_pursue(&found, &p.arena, &p.inputs, &p.inputs, &p.responses, ZF_PURSUE_ALL));
    assert_true(found.count >= 1);
    assert_true(explained(&found, &p.responses) > 0.98);
    zf_arena_free(&p.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_even_functions),
        cmocka_unit_test(finds_one_input_alone),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
