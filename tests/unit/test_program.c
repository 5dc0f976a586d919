/* The engine: sharing of memory, partial batches, threads, messages. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "engine/op.h"
#include "net/mlp.h"
#include "op/ops.h"

typedef struct fixture {
    zf_params *params;
    zf_program *program;
    zf_domain *rows;
    zf_crew *crew;
} fixture;

static fixture begin_with(int rows, int shards, int threads)
{
    fixture f = {0};
    assert_ok(zf_crew_new(&f.crew, threads));
    assert_ok(zf_params_new(&f.params, 3));
    assert_ok(zf_program_new(&f.program, f.params));
    f.rows = zf_program_domain(f.program, "rows", rows, shards);
    return f;
}

static void end(fixture *f)
{
    zf_program_free(f->program);
    zf_params_free(f->params);
    zf_crew_free(f->crew);
}

static zf_node *weight(fixture *f, const char *name, int out, int in)
{
    return zf_parameter(f->program, name, zf_shape_of(out, in), zf_init_fan_in(in));
}

/* --- memory ------------------------------------------------------------------ */

static void works_in_place_where_it_may(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *x = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(4));
    zf_node *a = zf_linear(x, weight(&f, "a", 5, 4), NULL);
    zf_node *b = zf_relu(a);
    zf_node *c = zf_tanh(b); /* relu's backward reads its own result: not in place */
    zf_node *loss = zf_sum(c);
    assert_ok(zf_program_plan(f.program, loss, NULL, 0, 1));
    assert_ptr_equal(zf_node_value(a), zf_node_value(b));
    assert_ptr_equal(zf_node_grad(a), zf_node_grad(b));
    assert_ptr_not_equal(zf_node_value(b), zf_node_value(c));
    end(&f);
}

/* Of a chain within a phase no gradient is stored; one that a stage of all shards reads is,
   and so is what the caller may ask for. */
static void gradients_pass(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *x = zf_input_with_gradient(f.program, f.rows, zf_shape_of(4));
    zf_node *a = zf_linear(x, weight(&f, "a", 5, 4), NULL), *b = zf_tanh(a);
    zf_node *c = zf_linear(b, weight(&f, "b", 3, 5), NULL), *d = zf_relu(c);
    zf_node *e = zf_linear(d, weight(&f, "c", 2, 3), NULL), *loss = zf_sum(e);
    assert_ok(zf_program_plan(f.program, loss, NULL, 0, 1));
    zf_node *passing[] = {a, b, c, d};
    for (int i = 0; i < 4; i++) assert_true(passing[i]->passing && !zf_node_grad(passing[i]));
    /* While one is read the next is written. */
    assert_true(d->passing_place != b->passing_place);
    assert_non_null(zf_node_grad(x));
    assert_non_null(zf_node_grad(e)); /* the sum's backward meets */
    end(&f);
}

/* Without a loss values pass too, and are the same; but what the caller asks for, or a
   stage that looks at all shards, is stored. */
static void values_pass(void **state)
{
    (void)state;
    fixture f = begin_with(9, 3, 2);
    zf_node *out[2], *value[2][2];
    for (int kept = 0; kept < 2; kept++) {
        zf_program *program = f.program;
        if (kept) assert_ok(zf_program_new(&program, f.params));
        zf_domain *rows = zf_program_domain(program, "rows", 9, 3);
        zf_node *x = zf_input(program, rows, ZF_F32, zf_shape_of(4));
        zf_node *index = zf_input(program, rows, ZF_I32, ZF_SCALAR);
        zf_node *w = zf_parameter(program, "w", zf_shape_of(4, 4), zf_init_fan_in(4));
        zf_node *a = zf_linear(x, w, NULL), *b = zf_gelu(zf_linear(a, w, NULL));
        zf_node *c = zf_gather(b, index), *d = zf_tanh(zf_linear(c, w, NULL));
        out[kept] = zf_linear(zf_add(d, c), w, NULL);
        value[kept][0] = a;
        value[kept][1] = b;
        assert_ok(zf_program_plan(program, kept ? zf_sum(out[kept]) : NULL, &out[kept], 1, 2));
        assert_ok(zf_domain_set_rows(rows, 8));
        for (int i = 0; i < 32; i++) zf_node_value(x)[i] = (float)(i * 7 % 11) / 5 - 1;
        for (int i = 0; i < 8; i++) zf_node_index(index)[i] = (i + 3) % 8;
        zf_program_forward(program, f.crew, ZF_EVALUATE);
    }
    assert_true(value[0][0]->value_passing && !zf_node_value(value[0][0]));
    assert_non_null(zf_node_value(value[0][1])); /* a gather meets */
    assert_non_null(zf_node_value(value[1][0]));
    assert_memory_equal(zf_node_value(out[0]), zf_node_value(out[1]), 8 * 4 * sizeof(float));
    assert_true(zf_program_footprint(f.program).saved <
                zf_program_footprint(zf_node_program(out[1])).saved);
    zf_program_free(zf_node_program(out[1]));
    end(&f);
}

static void keeps_what_others_read(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *x = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(4));
    zf_node *wanted = zf_linear(x, weight(&f, "a", 5, 4), NULL);
    zf_node *twice = zf_linear(x, weight(&f, "b", 5, 4), NULL);
    zf_node *r = zf_relu(wanted), *s = zf_relu(twice);
    zf_node *on_input = zf_relu(x);
    zf_node *loss = zf_sum(zf_add(zf_add(r, s), twice));
    assert_ok(zf_program_plan(f.program, loss, &wanted, 1, 1));
    assert_ptr_not_equal(zf_node_value(wanted), zf_node_value(r));
    assert_ptr_not_equal(zf_node_value(twice), zf_node_value(s));
    assert_ptr_not_equal(zf_node_value(x), zf_node_value(on_input));
    end(&f);
}

/* relu, seen through a view, must not be overwritten by what comes after it. */
static void a_view_protects_what_it_shows(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *x = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(4));
    zf_node *r = zf_relu(zf_linear(x, weight(&f, "a", 6, 4), NULL));
    zf_node *view = zf_reshape(r, zf_shape_of(2, 3));
    zf_node *after = zf_exp(view);
    assert_ok(zf_program_plan(f.program, zf_sum(after), NULL, 0, 1));
    assert_ptr_equal(zf_node_value(r), zf_node_value(view));
    assert_ptr_not_equal(zf_node_value(view), zf_node_value(after));
    end(&f);
}

static void wants_no_gradient_of_data(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *x = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(4));
    zf_node *loss = zf_sum(zf_linear(x, weight(&f, "a", 5, 4), NULL));
    zf_node *aside = zf_linear(x, weight(&f, "unused", 5, 4), NULL);
    assert_ok(zf_program_plan(f.program, loss, NULL, 0, 1));
    assert_null(zf_node_grad(x));
    assert_null(zf_node_grad(aside));
    assert_int_equal(zf_program_param_slots(f.program, zf_params_find(f.params, "a")), 2);
    assert_int_equal(zf_program_param_slots(f.program, zf_params_find(f.params, "unused")), 0);
    end(&f);
}

/* Two losses and a sum: one phase of rows and one of scalars each way, though the
   nodes come in another order. */
static void phases_are_few(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *x = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(4));
    zf_node *a = zf_linear(x, weight(&f, "a", 5, 4), NULL);
    zf_node *first = zf_squared_error(a, NULL, NULL, ZF_MEAN);
    zf_node *b = zf_linear(zf_relu(a), weight(&f, "b", 3, 5), NULL);
    zf_node *second = zf_scale(zf_squared_error(b, NULL, NULL, ZF_MEAN), 0.5f);
    zf_node *loss = zf_add(zf_add(first, second), zf_sum(b));
    assert_ok(zf_program_plan(f.program, loss, NULL, 0, 1));
    assert_int_equal(zf_program_footprint(f.program).forward_phases, 2);
    assert_int_equal(zf_program_footprint(f.program).backward_phases, 2);
    end(&f);
}

/* --- runs ---------------------------------------------------------------------- */

enum { ROWS = 37, IN = 9, OUT = 5 };

static zf_node *small_network(fixture *f, zf_node **x, zf_node **y)
{
    *x = zf_input(f->program, f->rows, ZF_F32, zf_shape_of(IN));
    *y = zf_mlp(*x, "net", (int[]){IN, 16, 12, OUT}, 3);
    return zf_squared_error(*y, NULL, NULL, ZF_MEAN);
}

/* A batch of fewer rows gives what a program made for that many rows gives. */
static void partial_batches_are_whole_batches(void **state)
{
    (void)state;
    fixture large = begin_with(ROWS, 4, 2), small = begin_with(11, 4, 2);
    zf_node *x[2], *y[2];
    zf_node *loss[2] = {small_network(&large, &x[0], &y[0]), small_network(&small, &x[1], &y[1])};
    assert_ok(zf_program_plan(large.program, loss[0], y, 1, 2));
    assert_ok(zf_program_plan(small.program, loss[1], y + 1, 1, 2));
    fill_normal(zf_node_value(x[0]), ROWS * IN, 1);
    fill_normal(zf_node_value(x[1]), 11 * IN, 1);
    zf_program_forward(large.program, large.crew, ZF_TRAIN); /* leave something behind */
    zf_program_backward(large.program, large.crew);
    assert_ok(zf_domain_set_rows(large.rows, 11));
    const fixture *both[] = {&large, &small};
    for (int i = 0; i < 2; i++) {
        zf_program_forward(both[i]->program, both[i]->crew, ZF_TRAIN);
        zf_program_backward(both[i]->program, both[i]->crew);
    }
    assert_memory_equal(zf_node_value(y[0]), zf_node_value(y[1]), 11 * OUT * sizeof(float));
    assert_true(zf_node_scalar(loss[0]) == zf_node_scalar(loss[1]));
    for (int s = 0; s < 4; s++)
        assert_memory_equal(zf_program_slots(large.program)[s], zf_program_slots(small.program)[s],
                            zf_params_length(large.params) * sizeof(float));
    end(&large);
    end(&small);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    float *expected = NULL, loss_expected = 0;
    for (int threads = 1; threads <= 5; threads++) {
        fixture f = begin_with(ROWS, 4, threads);
        zf_node *x, *y, *loss = small_network(&f, &x, &y);
        assert_ok(zf_program_plan(f.program, loss, NULL, 0, threads));
        fill_normal(zf_node_value(x), ROWS * IN, 1);
        zf_program_forward(f.program, f.crew, ZF_TRAIN);
        zf_program_backward(f.program, f.crew);
        size_t bytes = 4 * zf_params_length(f.params) * sizeof(float);
        if (!expected) {
            expected = malloc(bytes);
            memcpy(expected, zf_program_slots(f.program)[0], bytes);
            loss_expected = zf_node_scalar(loss);
        }
        assert_memory_equal(zf_program_slots(f.program)[0], expected, bytes);
        assert_true(zf_node_scalar(loss) == loss_expected);
        end(&f);
    }
    free(expected);
}

static void programs_share_parameters(void **state)
{
    (void)state;
    fixture f = begin_with(ROWS, 4, 1);
    zf_node *x, *y, *loss = small_network(&f, &x, &y);
    assert_ok(zf_program_plan(f.program, loss, NULL, 0, 1));
    zf_program *second = NULL;
    assert_ok(zf_program_new(&second, f.params));
    zf_domain *one = zf_program_domain(second, "one", 1, 0);
    zf_node *x1 = zf_input(second, one, ZF_F32, zf_shape_of(IN));
    zf_node *y1 = zf_mlp(x1, "net", (int[]){IN, 16, 12, OUT}, 3);
    assert_ok(zf_program_plan(second, NULL, &y1, 1, 1));
    zf_params_values(f.params)[3] += 1;
    fill_normal(zf_node_value(x), ROWS * IN, 1);
    fill_normal(zf_node_value(x1), IN, 1);
    zf_program_forward(f.program, f.crew, ZF_EVALUATE);
    zf_program_forward(second, f.crew, ZF_EVALUATE);
    assert_near(zf_node_value(y1), zf_node_value(y), OUT, 1e-6, 0);
    zf_program_free(second);
    end(&f);
}

/* --- messages -------------------------------------------------------------------- */

static void remembers_the_first_mistake(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *x = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(4));
    zf_node *wrong = zf_linear(x, weight(&f, "w", 5, 3), NULL);
    assert_null(wrong);
    zf_node *loss = zf_sum(zf_relu(wrong));
    assert_null(loss);
    assert_null(zf_program_domain(f.program, "nothing", 0, 1));
    assert_fails(
        zf_program_plan(f.program, loss, NULL, 0, 1), ZF_EINVAL,
        "linear: expected x [N, ..., in], parameter [out, in] and, if any, bias [out]; found "
        "8x4, parameter 5x3");
    end(&f);
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    assert_fails(zf_domain_set_rows(f.rows, 9), ZF_EINVAL,
                 "domain \"rows\": 9 rows asked for, expected 1 to 8");
    assert_fails(zf_domain_set_rows(f.rows, 0), ZF_EINVAL, "expected 1 to 8");
    zf_node *x = zf_input(f.program, f.rows, ZF_F32, zf_shape_of(4));
    zf_node *loss = zf_sum(x);
    assert_fails(zf_program_plan(f.program, x, NULL, 0, 1), ZF_EINVAL, "result of an operation");
    assert_fails(zf_program_plan(f.program, loss, NULL, 0, 0), ZF_EINVAL, "at least one worker");
    assert_fails(zf_program_plan(f.program, loss, NULL, 0, 1), ZF_EINVAL,
                 "depends on nothing that is learnt");
    end(&f);
}

static void parameters_are_one_of_a_name(void **state)
{
    (void)state;
    fixture f = begin_with(8, 2, 1);
    zf_node *w = weight(&f, "w", 5, 4);
    assert_ptr_equal(weight(&f, "w", 5, 4), w);
    assert_null(weight(&f, "w", 4, 5));
    assert_fails(zf_program_plan(f.program, NULL, NULL, 0, 1), ZF_EINVAL,
                 "parameter \"w\" is asked for as 4x5, but was made as 5x4");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works_in_place_where_it_may),
        cmocka_unit_test(gradients_pass),
        cmocka_unit_test(values_pass),
        cmocka_unit_test(keeps_what_others_read),
        cmocka_unit_test(a_view_protects_what_it_shows),
        cmocka_unit_test(wants_no_gradient_of_data),
        cmocka_unit_test(phases_are_few),
        cmocka_unit_test(partial_batches_are_whole_batches),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(programs_share_parameters),
        cmocka_unit_test(remembers_the_first_mistake),
        cmocka_unit_test(refuses_what_makes_no_sense),
        cmocka_unit_test(parameters_are_one_of_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
