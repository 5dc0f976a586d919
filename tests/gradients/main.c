/* Runs every gradient case, and fails for an operation of ops.def that has none.

   The function that is differentiated is the sum of the result times fixed
   random numbers, added up in double; its derivative is taken by a difference
   of fourth order, whose error at this step (0.03) is below float's own. Both
   by element, and along random directions in all leaves at once. Values keep
   away from 0, where relu has its kink. Each case runs with several row counts
   and several shards, so partial batches and the sum over shards are covered. */
#include "gradients.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

static const gradient_case *const all_cases[] = {
    conv_cases, elementwise_cases, linear_cases, norm_cases,
    pick_cases, sequence_cases,    shape_cases,
};

enum { MOST_ROWS = 7, OTHER_ROWS = 5, DIRECTIONS = 4 };
static const double STEP = 0.03;
static const double ALLOWED = 5e-4;

/* --- building --------------------------------------------------------------- */

static zf_node *remember(gradient_bench *bench, gradient_leaf leaf)
{
    assert_true(bench->n_leaves < MOST_LEAVES);
    bench->leaves[bench->n_leaves++] = leaf;
    return leaf.node;
}

zf_node *learn(gradient_bench *bench, zf_domain *domain, zf_shape row)
{
    zf_node *node = zf_input_with_gradient(bench->program, domain, row);
    return remember(bench, (gradient_leaf){.node = node});
}

zf_node *plain(gradient_bench *bench, zf_domain *domain, zf_shape row)
{
    zf_node *node = zf_input(bench->program, domain, ZF_F32, row);
    return remember(bench, (gradient_leaf){.node = node});
}

zf_node *weigh(gradient_bench *bench, zf_shape shape)
{
    char name[16];
    snprintf(name, sizeof name, "p%d", bench->n_leaves);
    zf_node *node = zf_parameter(bench->program, name, shape, ZF_ZEROS);
    return remember(bench, (gradient_leaf){.node = node});
}

zf_node *pick(gradient_bench *bench, zf_domain *domain, zf_shape row, int bound, bool padded)
{
    zf_node *node = zf_input(bench->program, domain, ZF_I32, row);
    return remember(bench, (gradient_leaf){.node = node, .bound = bound, .padded = padded});
}

static void fill_leaves(const gradient_bench *bench)
{
    for (int i = 0; i < bench->n_leaves; i++) {
        const gradient_leaf *leaf = &bench->leaves[i];
        size_t n = zf_shape_size(zf_node_shape(leaf->node));
        zf_random random = zf_random_at(99, ZF_FOR_TEST, (uint64_t)i, 0);
        for (size_t k = 0; k < n; k++) {
            float x = zf_random_normal(&random);
            int lowest = leaf->padded ? -1 : 0;
            if (leaf->bound)
                zf_node_index(leaf->node)[k] =
                    lowest + (int)zf_random_below(&random, (uint32_t)(leaf->bound - lowest));
            else
                zf_node_value(leaf->node)[k] = x + (x < 0 ? -0.1f : 0.1f);
        }
    }
}

/* --- one check ---------------------------------------------------------------- */

typedef struct check {
    gradient_bench bench;
    zf_crew *crew;
    zf_node *result;
    float *weights; /* of the result's elements */
    const gradient_case *which;
    int rows;
} check;

static size_t used(const zf_node *node, const check *c)
{
    zf_shape shape = zf_node_shape(node);
    if (shape.rank == 0) return 1;
    if (shape.dim[0] == MOST_ROWS) return (size_t)c->rows * zf_shape_row_size(shape);
    return zf_shape_size(shape);
}

static double evaluate(check *c)
{
    zf_program_forward(c->bench.program, c->crew, c->bench.mode);
    const float *y = zf_node_value(c->result);
    double sum = 0;
    for (size_t i = 0; i < used(c->result, c); i++) sum += (double)y[i] * c->weights[i];
    return sum;
}

static double stencil(const double f[4], double step)
{
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step);
}

static const double OFFSETS[4] = {-2, -1, 1, 2};

/* The gradient of a leaf by backward; slots of parameters are added up. */
static void analytic(const check *c, const gradient_leaf *leaf, double *out)
{
    size_t n = used(leaf->node, c);
    const float *grad = zf_node_grad(leaf->node);
    zf_params *params = zf_program_params(c->bench.program);
    for (int p = 0; p < zf_params_count(params); p++) {
        if (zf_params_data(params, p) != zf_node_value(leaf->node)) continue;
        for (int s = 0; s < zf_program_param_slots(c->bench.program, p); s++) {
            const float *slot =
                zf_program_slots(c->bench.program)[s] + zf_params_at(params, p)->offset;
            for (size_t i = 0; i < n; i++) out[i] += slot[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) out[i] = grad[i];
}

static bool is_learnt(const check *c, const gradient_leaf *leaf)
{
    if (leaf->bound) return false;
    if (zf_node_grad(leaf->node)) return true;
    zf_params *params = zf_program_params(c->bench.program);
    for (int p = 0; p < zf_params_count(params); p++)
        if (zf_params_data(params, p) == zf_node_value(leaf->node)) return true;
    return false;
}

static void complain(const check *c, int leaf, const char *where, double got, double expected)
{
    fail_msg("%s (%s), %d rows, leaf %d, %s: backward says %.7g, differences say %.7g",
             c->which->op, c->which->name, c->rows, leaf, where, got, expected);
}

static double check_elements(check *c, double *const *grads)
{
    double largest = 0;
    for (int l = 0; l < c->bench.n_leaves; l++)
        for (size_t i = 0; grads[l] && i < used(c->bench.leaves[l].node, c); i++)
            largest = fmax(largest, fabs(grads[l][i]));
    double allowed = ALLOWED * fmax(largest, 1);
    for (int l = 0; l < c->bench.n_leaves; l++) {
        if (!grads[l]) continue;
        float *x = zf_node_value(c->bench.leaves[l].node);
        for (size_t i = 0; i < used(c->bench.leaves[l].node, c); i++) {
            float before = x[i];
            double f[4];
            for (int k = 0; k < 4; k++) {
                x[i] = (float)(before + STEP * OFFSETS[k]);
                f[k] = evaluate(c);
            }
            x[i] = before;
            char where[32];
            snprintf(where, sizeof where, "element %zu", i);
            double expected = stencil(f, STEP);
            if (!(fabs(grads[l][i] - expected) <= allowed))
                complain(c, l, where, grads[l][i], expected);
        }
    }
    return largest;
}

/* Moves every leaf by `distance` along the direction of that key. */
static double move(check *c, double *const *grads, uint32_t key, double distance)
{
    double along = 0;
    for (int l = 0; l < c->bench.n_leaves; l++) {
        if (!grads[l]) continue;
        float *x = zf_node_value(c->bench.leaves[l].node);
        zf_random random = zf_random_at(5, ZF_FOR_TEST, key, (uint32_t)l);
        for (size_t i = 0; i < used(c->bench.leaves[l].node, c); i++) {
            double u = zf_random_uniform(&random) - 0.5;
            x[i] = (float)(x[i] + distance * u);
            along += u * grads[l][i];
        }
    }
    return along;
}

static void check_directions(check *c, double *const *grads, double largest)
{
    for (uint32_t d = 0; d < DIRECTIONS; d++) {
        double f[4], at = 0, along = move(c, grads, d, 0);
        for (int k = 0; k < 4; k++) {
            move(c, grads, d, STEP * OFFSETS[k] - at);
            at = STEP * OFFSETS[k];
            f[k] = evaluate(c);
        }
        move(c, grads, d, -at);
        double expected = stencil(f, STEP);
        if (!(fabs(along - expected) <= 4 * ALLOWED * fmax(largest, 1)))
            complain(c, -1, "along a direction", along, expected);
    }
}

/* --- one case ----------------------------------------------------------------- */

/* Backward must overwrite whatever a leaf's gradient held before. */
static void spoil_gradients(check *c)
{
    for (int l = 0; l < c->bench.n_leaves; l++) {
        const zf_node *node = c->bench.leaves[l].node;
        if (zf_node_grad(node))
            memset(zf_node_grad(node), 0xff, zf_shape_size(zf_node_shape(node)) * sizeof(float));
    }
}

static void check_gradients(check *c)
{
    double *grads[MOST_LEAVES] = {0};
    fill_leaves(&c->bench);
    evaluate(c);
    spoil_gradients(c);
    memcpy(zf_node_grad(c->result), c->weights, used(c->result, c) * sizeof(float));
    if (zf_node_shape(c->result).dim[0] == 1) c->weights[0] = 1; /* a scalar's gradient is 1 */
    zf_program_backward(c->bench.program, c->crew);
    for (int l = 0; l < c->bench.n_leaves; l++) {
        const gradient_leaf *leaf = &c->bench.leaves[l];
        if (!is_learnt(c, leaf)) continue;
        grads[l] = calloc(zf_shape_size(zf_node_shape(leaf->node)), sizeof **grads);
        analytic(c, leaf, grads[l]);
    }
    double largest = check_elements(c, grads);
    check_directions(c, grads, largest);
    for (int l = 0; l < MOST_LEAVES; l++) free(grads[l]);
}

static void run_case(const gradient_case *which, int rows, int shards)
{
    zf_params *params = NULL;
    check c = {.which = which, .rows = rows, .bench.mode = ZF_TRAIN};
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_crew_new(&c.crew, 2));
    assert_ok(zf_program_new(&c.bench.program, params));
    c.bench.rows = zf_program_domain(c.bench.program, "rows", MOST_ROWS, shards);
    c.bench.other = zf_program_domain(c.bench.program, "other", OTHER_ROWS, 2);
    c.result = which->build(&c.bench);
    zf_status status = zf_program_plan(c.bench.program, c.result, NULL, 0, zf_crew_size(c.crew));
    if (status != ZF_OK) fail_msg("%s (%s): %s", which->op, which->name, zf_error());
    assert_ok(zf_domain_set_rows(c.bench.rows, rows));
    c.weights = calloc(zf_shape_size(zf_node_shape(c.result)) + 1, sizeof(float));
    fill_normal(c.weights, zf_shape_size(zf_node_shape(c.result)), 77);
    check_gradients(&c);
    free(c.weights);
    zf_program_free(c.bench.program);
    zf_params_free(params);
    zf_crew_free(c.crew);
}

static void gradients_match_differences(void **state)
{
    (void)state;
    for (size_t list = 0; list < sizeof all_cases / sizeof *all_cases; list++)
        for (const gradient_case *which = all_cases[list]; which->op; which++) {
            run_case(which, MOST_ROWS, 3);
            run_case(which, 4, 3);
            run_case(which, 2, 4);
        }
}

static void every_operation_has_a_case(void **state)
{
    (void)state;
    static const char *const names[] = {
#define ZF_OP(name) #name,
#include "op/ops.def"
#undef ZF_OP
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool found = false;
        for (size_t list = 0; list < sizeof all_cases / sizeof *all_cases; list++)
            for (const gradient_case *which = all_cases[list]; which->op; which++)
                found |= strcmp(which->op, names[i]) == 0;
        if (!found) fail_msg("operation %s has no gradient case", names[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_a_case),
        cmocka_unit_test(gradients_match_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
