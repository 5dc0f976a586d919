/* The fast step against a plain dense one: every sample with its own mask, the
   whole first layer on [x_t, f, y, m, t], every output. Loss, both terms and
   every gradient agree. Also: what a batch holds, and what constraints do. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blanket/step.h"
#include "op/ops.h"

enum { D = 9, N = 60, BATCH = 70, HIDDEN = 16, GATE = 128, PARTS = 4 * D + 1 };

typedef struct fixture {
    zf_params *params;
    zf_crew *crew;
    float rows[N * D];
    zf_blanket_step step;
} fixture;

static zf_step_options options_of(zf_gate_kind gate)
{
    return (zf_step_options){
        .seed = 3,
        .batch = BATCH,
        .hidden = HIDDEN,
        .gate = gate,
        .targets = {.law = ZF_TARGET_NEIGHBOURS, .variables = D, .side = 3},
        .time = {ZF_TIME_UNIFORM, 0},
        .middle = {ZF_TIME_MIDDLE, 0},
        .zero_weight = 0.3,
        .sparsity = 1e-3,
        .pruning = 0.2,
        .exploration = 0.3,
        .steps = 14,
    };
}

static void begin(fixture *f, const zf_step_options *options)
{
    memset(f, 0, sizeof *f);
    fill_normal(f->rows, N * D, 8);
    assert_ok(zf_params_new(&f->params, 5));
    assert_ok(zf_crew_new(&f->crew, 2));
    assert_ok(zf_blanket_step_new(&f->step, f->params, f->rows, N, options, 2));
}

static void end(fixture *f)
{
    zf_blanket_step_free(&f->step);
    zf_params_free(f->params);
    zf_crew_free(f->crew);
}

static void run(zf_program *program, zf_crew *crew)
{
    zf_program_forward(program, crew, ZF_TRAIN);
    zf_program_backward(program, crew);
}

/* --- the dense step ------------------------------------------------------------ */

typedef struct dense {
    zf_params *params;
    zf_program *program;
    zf_node *mask, *y, *other_y, *tried, *xt, *x_middle, *t, *t_middle, *t_mirror, *difference;
    zf_node *bits; /* the mask again, for the LSTM */
    zf_node *rectified, *zero, *loss;
} dense;

static zf_node *field(dense *p, zf_node *x, zf_node *f, zf_node *t)
{
    zf_program *g = p->program;
    zf_node *parts[] = {x, f, p->y, p->mask, t};
    zf_node *h = zf_linear(zf_concat(parts, 5, 1),
                           zf_parameter(g, "first", zf_shape_of(HIDDEN, PARTS), ZF_ZEROS),
                           zf_parameter(g, "field.0.bias", zf_shape_of(HIDDEN), ZF_ZEROS));
    h = zf_linear(zf_relu(h),
                  zf_parameter(g, "field.1.weight", zf_shape_of(HIDDEN, HIDDEN), ZF_ZEROS),
                  zf_parameter(g, "field.1.bias", zf_shape_of(HIDDEN), ZF_ZEROS));
    return zf_linear(zf_relu(h),
                     zf_parameter(g, "field.2.weight", zf_shape_of(D, HIDDEN), ZF_ZEROS),
                     zf_parameter(g, "field.2.bias", zf_shape_of(D), ZF_ZEROS));
}

static zf_node *lstm_gates(dense *p)
{
    enum { E = 16, H = 32 };
    zf_program *g = p->program;
    zf_shape input = zf_shape_of(4 * H, E), hidden = zf_shape_of(4 * H, H),
             bias = zf_shape_of(4 * H);
    zf_lstm_weights forward = {zf_parameter(g, "gate.lstm.input", input, ZF_ZEROS),
                               zf_parameter(g, "gate.lstm.hidden", hidden, ZF_ZEROS),
                               zf_parameter(g, "gate.lstm.bias", bias, ZF_ZEROS)};
    zf_lstm_weights backward = {zf_parameter(g, "gate.lstm.input_reverse", input, ZF_ZEROS),
                                zf_parameter(g, "gate.lstm.hidden_reverse", hidden, ZF_ZEROS),
                                zf_parameter(g, "gate.lstm.bias_reverse", bias, ZF_ZEROS)};
    zf_node *x =
        zf_embedding(p->bits, zf_parameter(g, "gate.embedding", zf_shape_of(2, E), ZF_ZEROS));
    x = zf_linear(zf_lstm(x, forward, backward),
                  zf_parameter(g, "gate.out.weight", zf_shape_of(1, 2 * H), ZF_ZEROS),
                  zf_parameter(g, "gate.out.bias", zf_shape_of(1), ZF_ZEROS));
    return zf_sigmoid(zf_reshape(x, zf_shape_of(D)));
}

static zf_node *mlp_gates(dense *p, bool pairs)
{
    zf_program *g = p->program;
    zf_node *h = zf_linear(
        p->mask, zf_parameter(g, "gate.0.weight_in_out_t", zf_shape_of(GATE, D), ZF_ZEROS),
        zf_parameter(g, "gate.0.bias", zf_shape_of(GATE), ZF_ZEROS));
    h = zf_linear(zf_relu(h), zf_parameter(g, "gate.1.weight", zf_shape_of(GATE, GATE), ZF_ZEROS),
                  zf_parameter(g, "gate.1.bias", zf_shape_of(GATE), ZF_ZEROS));
    h = zf_linear(zf_relu(h), zf_parameter(g, "gate.2.weight", zf_shape_of(D, GATE), ZF_ZEROS),
                  zf_parameter(g, "gate.2.bias", zf_shape_of(D), ZF_ZEROS));
    if (!pairs) return zf_sigmoid(h);
    zf_node *w = zf_parameter(g, "gate.pairs", zf_shape_of(D, D), ZF_ZEROS);
    zf_node *both = zf_add(zf_linear(p->mask, w, NULL), zf_linear_in_out(p->mask, w, NULL));
    return zf_sigmoid(zf_add(h, both));
}

static void build_dense(dense *p, const zf_step_options *o)
{
    memset(p, 0, sizeof *p);
    assert_ok(zf_params_new(&p->params, 1));
    assert_ok(zf_program_new(&p->program, p->params));
    zf_domain *rows = zf_program_domain(p->program, "rows", BATCH, 0);
    zf_node **wide[] = {&p->mask, &p->y,        &p->other_y,   &p->tried,
                        &p->xt,   &p->x_middle, &p->difference};
    for (int i = 0; i < 7; i++) *wide[i] = zf_input(p->program, rows, ZF_F32, zf_shape_of(D));
    p->t = zf_input(p->program, rows, ZF_F32, zf_shape_of(1));
    p->t_middle = zf_input(p->program, rows, ZF_F32, zf_shape_of(1));
    p->t_mirror = zf_input(p->program, rows, ZF_F32, zf_shape_of(1));
    p->bits = zf_input(p->program, rows, ZF_I32, zf_shape_of(D));
    zf_node *g = o->gate == ZF_GATE_LSTM ? lstm_gates(p) : mlp_gates(p, o->pairs);
    zf_node *moving = field(p, p->xt, zf_add(zf_mul(p->other_y, g), p->tried), p->t);
    zf_node *middle = field(p, p->x_middle, zf_mul(p->y, g), p->t_middle);
    if (o->antisymmetry)
        middle =
            zf_scale(zf_add(middle, field(p, p->x_middle, zf_mul(p->y, g), p->t_mirror)), 0.5f);
    p->rectified = zf_squared_error(moving, p->difference, p->mask, ZF_MEAN);
    p->zero = zf_squared_error(middle, NULL, p->mask, ZF_MEAN);
    p->loss = zf_add(zf_add(p->rectified, zf_scale(p->zero, (float)o->zero_weight)),
                     zf_scale(zf_sum(g), (float)(o->sparsity + o->pruning / (D * BATCH))));
    zf_node *watched[] = {p->rectified, p->zero};
    assert_ok(zf_program_plan(p->program, p->loss, watched, 2, 2));
}

/* Column `column` of the dense first layer is row `row` of a part stored [in, out]
   or column `row` of one stored [out, in]. */
static size_t part_index(int row, int unit, bool in_out)
{
    return in_out ? (size_t)row * HIDDEN + (size_t)unit : (size_t)unit * D + (size_t)row;
}

static const struct {
    const char *name;
    int rows, column;
    bool in_out;
} FIRST_PARTS[] = {
    {"field.0.weight_xt_in_out", D, 0, true},
    {"field.0.weight_f", D, D, false},
    {"field.0.weight_y", D, 2 * D, false},
    {"field.0.weight_m_in_out", D, 3 * D, true},
};

/* Copies weights (fast to dense); or gradients, with the vectors laid out like
   the parameters. */
static void to_dense(zf_params *from, const float *fast, zf_params *to, float *out)
{
    for (int i = 0; i < zf_params_count(to); i++) {
        const zf_param *param = zf_params_at(to, i);
        int same = zf_params_find(from, param->name);
        if (same >= 0)
            memcpy(out + param->offset, fast + zf_params_at(from, same)->offset,
                   param->size * sizeof *out);
    }
    float *first = out + zf_params_at(to, zf_params_find(to, "first"))->offset;
    for (int part = 0; part < 4; part++) {
        int index = zf_params_find(from, FIRST_PARTS[part].name);
        const float *w = fast + zf_params_at(from, index)->offset;
        for (int unit = 0; unit < HIDDEN; unit++) {
            for (int row = 0; row < D; row++)
                first[unit * PARTS + FIRST_PARTS[part].column + row] =
                    w[part_index(row, unit, FIRST_PARTS[part].in_out)];
            if (part == 0) first[unit * PARTS + 4 * D] = w[part_index(D, unit, true)];
        }
    }
    if (zf_params_find(from, "gate.0.weight_in_out") < 0) return;
    const float *gate =
        fast + zf_params_at(from, zf_params_find(from, "gate.0.weight_in_out"))->offset;
    float *gate_out = out + zf_params_at(to, zf_params_find(to, "gate.0.weight_in_out_t"))->offset;
    for (int unit = 0; unit < GATE; unit++)
        for (int row = 0; row < D; row++) gate_out[unit * D + row] = gate[row * GATE + unit];
}

static void fill_dense(dense *p, const zf_blanket_step *s)
{
    int most = s->most_targets;
    memcpy(zf_node_value(p->y), zf_node_value(s->y), BATCH * D * sizeof(float));
    memcpy(zf_node_value(p->other_y), zf_node_value(s->other_y), BATCH * D * sizeof(float));
    memcpy(zf_node_value(p->tried), zf_node_value(s->tried), BATCH * D * sizeof(float));
    zf_node *wide[] = {p->mask, p->xt, p->x_middle, p->difference};
    for (int i = 0; i < 4; i++) memset(zf_node_value(wide[i]), 0, BATCH * D * sizeof(float));
    memset(zf_node_index(p->bits), 0, BATCH * D * sizeof(int32_t));
    for (int row = 0; row < BATCH; row++) {
        for (int k = 0; k < s->counts[row]; k++) {
            int at = row * D + zf_node_index(s->targets)[row * most + k];
            zf_node_value(p->mask)[at] = 1;
            zf_node_index(p->bits)[at] = 1;
            zf_node_value(p->xt)[at] = zf_node_value(s->moving)[row * (most + 1) + k];
            zf_node_value(p->x_middle)[at] = zf_node_value(s->middle)[row * (most + 1) + k];
            zf_node_value(p->difference)[at] = zf_node_value(s->difference)[row * most + k];
        }
        zf_node_value(p->t)[row] = zf_node_value(s->moving)[row * (most + 1) + most];
        zf_node_value(p->t_middle)[row] = zf_node_value(s->middle)[row * (most + 1) + most];
        zf_node_value(p->t_mirror)[row] = 1 - zf_node_value(p->t_middle)[row];
    }
}

/* The gradient of all parameters, shards added up. */
static float *gradient(zf_program *program)
{
    zf_params *params = zf_program_params(program);
    float *sum = calloc(zf_params_length(params), sizeof *sum);
    for (int i = 0; i < zf_params_count(params); i++) {
        const zf_param *param = zf_params_at(params, i);
        for (int s = 0; s < zf_program_param_slots(program, i); s++)
            for (size_t k = 0; k < param->size; k++)
                sum[param->offset + k] += zf_program_slots(program)[s][param->offset + k];
    }
    return sum;
}

static void compare_with_dense(zf_gate_kind gate, bool pairs, bool antisymmetry)
{
    fixture f;
    dense p;
    zf_step_options options = options_of(gate);
    options.pairs = pairs;
    options.antisymmetry = antisymmetry;
    if (antisymmetry) options.middle.law = ZF_TIME_UNIFORM;
    begin(&f, &options);
    if (pairs)
        fill_normal(zf_params_data(f.params, zf_params_find(f.params, "gate.pairs")), D * D, 9);
    build_dense(&p, &options);
    to_dense(f.params, zf_params_values(f.params), p.params, zf_params_values(p.params));
    zf_step_prepare(&f.step, 7, f.crew);               /* halfway: pruning is at its peak */
    assert_true(zf_domain_rows(f.step.masks) < BATCH); /* masks do repeat */
    assert_int_equal(zf_program_footprint(f.step.program).forward_phases,
                     3); /* masks, samples, scalars */
    assert_int_equal(zf_program_footprint(f.step.program).backward_phases, 3);
    fill_dense(&p, &f.step);
    run(f.step.program, f.crew);
    run(p.program, f.crew);
    float fast[] = {zf_node_scalar(f.step.loss), zf_node_scalar(f.step.objective.rectified),
                    zf_node_scalar(f.step.objective.zero)};
    float slow[] = {zf_node_scalar(p.loss), zf_node_scalar(p.rectified), zf_node_scalar(p.zero)};
    for (int i = 0; i < 3; i++) assert_near(&fast[i], &slow[i], 1, 1e-5, 0);
    float *fast_gradient = gradient(f.step.program), *slow_gradient = gradient(p.program);
    float *arranged = calloc(zf_params_length(p.params), sizeof *arranged);
    to_dense(f.params, fast_gradient, p.params, arranged);
    for (int i = 0; i < zf_params_count(p.params); i++) {
        const zf_param *param = zf_params_at(p.params, i);
        assert_near(arranged + param->offset, slow_gradient + param->offset, param->size, 1e-5,
                    1e-9);
    }
    free(fast_gradient);
    free(slow_gradient);
    free(arranged);
    zf_program_free(p.program);
    zf_params_free(p.params);
    end(&f);
}

static void equals_the_dense_step(void **state)
{
    (void)state;
    compare_with_dense(ZF_GATE_MLP, false, false);
    compare_with_dense(ZF_GATE_MLP, true, false);
}

static void equals_the_dense_step_with_lstm(void **state)
{
    (void)state;
    compare_with_dense(ZF_GATE_LSTM, false, false);
}

static void equals_the_dense_step_with_antisymmetry(void **state)
{
    (void)state;
    compare_with_dense(ZF_GATE_MLP, false, true);
    compare_with_dense(ZF_GATE_LSTM, false, true);
}

/* At t = 0.5 a moment is its own mirror: the two criteria are one number. */
static void antisymmetry_halfway_is_the_midpoint(void **state)
{
    (void)state;
    float zero[2];
    for (int antisymmetry = 0; antisymmetry < 2; antisymmetry++) {
        fixture f;
        zf_step_options options = options_of(ZF_GATE_MLP);
        options.antisymmetry = antisymmetry;
        begin(&f, &options);
        zf_step_prepare(&f.step, 2, f.crew);
        run(f.step.program, f.crew);
        zero[antisymmetry] = zf_node_scalar(f.step.objective.zero);
        end(&f);
    }
    assert_true(zero[0] > 0);
    assert_near(&zero[1], &zero[0], 1, 1e-6, 0);
}

/* --- batches -------------------------------------------------------------------- */

static void batches_are_what_they_say(void **state)
{
    (void)state;
    fixture f;
    zf_step_options options = options_of(ZF_GATE_LSTM);
    begin(&f, &options);
    const zf_blanket_step *s = &f.step;
    zf_step_prepare(&f.step, 3, f.crew);
    int most = s->most_targets;
    for (int row = 0; row < BATCH; row++) {
        const int32_t *targets = zf_node_index(s->targets) + row * most;
        const float *moving = zf_node_value(s->moving) + row * (most + 1);
        const float *middle = zf_node_value(s->middle) + row * (most + 1);
        const float *difference = zf_node_value(s->difference) + row * most;
        const int32_t *bits = zf_node_index(s->gates.bits) + zf_node_index(s->mask_of)[row] * D;
        int ones = 0;
        for (int j = 0; j < D; j++) ones += bits[j];
        assert_int_equal(ones, s->counts[row]);
        assert_true(moving[most] > 0 && moving[most] < 1 && middle[most] == 0.5f);
        for (int k = 0; k < s->counts[row]; k++) {
            assert_int_equal(bits[targets[k]], 1);
            assert_true(zf_node_value(s->y)[row * D + targets[k]] == 0);
            /* x_t - x_0.5 = (t - 0.5) (x' - x) */
            float expected = (moving[most] - 0.5f) * difference[k];
            assert_true(fabsf(moving[k] - middle[k] - expected) < 1e-5f);
        }
    }
    end(&f);
}

static void every_gate_network_trains(void **state)
{
    (void)state;
    static const zf_gate_kind kinds[] = {ZF_GATE_MLP, ZF_GATE_LSTM, ZF_GATE_CNN, ZF_GATE_FREE};
    for (int k = 0; k < 4; k++) {
        fixture f;
        zf_step_options options = options_of(kinds[k]);
        begin(&f, &options);
        zf_step_prepare(&f.step, 0, f.crew);
        run(f.step.program, f.crew);
        assert_true(isfinite(zf_node_scalar(f.step.loss)));
        float *g = gradient(f.step.program);
        double gate_part = 0;
        for (int i = 0; i < zf_params_count(f.params); i++) {
            const zf_param *param = zf_params_at(f.params, i);
            for (size_t j = 0; j < param->size && strncmp(param->name, "gate.", 5) == 0; j++)
                gate_part += fabs((double)g[param->offset + j]);
        }
        assert_true(gate_part > 0);
        free(g);
        end(&f);
    }
}

static void constraints_hold(void **state)
{
    (void)state;
    unsigned char constraints[D * D] = {0};
    constraints[0 * D + 5] = 1; /* 5 never for 0 */
    constraints[1 * D + 5] = 1;
    constraints[1 * D + 6] = 2; /* 6 always for 1 */
    static const struct {
        int32_t targets[2];
        int n, j;
        zf_gate_rule rule;
    } cases[] = {
        {{0, 0}, 1, 5, ZF_GATE_CLOSED}, {{0, 1}, 2, 5, ZF_GATE_CLOSED},
        {{0, 2}, 2, 5, ZF_GATE_LEARNT}, {{1, 0}, 1, 6, ZF_GATE_OPEN},
        {{0, 1}, 2, 6, ZF_GATE_OPEN},   {{3, 0}, 1, 6, ZF_GATE_LEARNT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(zf_gate_rule_of(constraints, D, cases[i].targets, cases[i].n, cases[i].j),
                         cases[i].rule);
}

/* Of 70 x 9 places, those that a step tries open; what is tried has left other_y. */
static int count_tried(zf_blanket_step *step, uint64_t number, zf_crew *crew, int forbidden)
{
    int tried = 0;
    zf_step_prepare(step, number, crew);
    for (int i = 0; i < BATCH * D; i++) {
        if (zf_node_value(step->tried)[i] == 0) continue;
        assert_true(zf_node_value(step->other_y)[i] == 0);
        assert_int_not_equal(i % D, forbidden);
        tried++;
    }
    return tried;
}

static void tries_closed_gates(void **state)
{
    (void)state;
    static const double shares[] = {0.3, 1};
    unsigned char constraints[D * D] = {0};
    for (int target = 0; target < D; target++) constraints[target * D + 5] = 1;
    for (int with = 0; with < 2; with++)
        for (int i = 0; i < 2; i++) {
            fixture f;
            zf_step_options options = options_of(ZF_GATE_MLP);
            options.targets.law = ZF_TARGET_NODE;
            options.exploration = shares[i];
            options.steps = 100;
            options.constraints = with ? constraints : NULL;
            begin(&f, &options);
            int tried = 0, places = BATCH * (with ? D - 2 : D - 1);
            for (uint64_t step = 50; step < 60; step++)
                tried += count_tried(&f.step, step, f.crew, with ? 5 : -1);
            assert_close(tried / 10.0 / places, shares[i], 0.05);
            assert_int_equal(count_tried(&f.step, 60, f.crew, -1), 0);
            end(&f);
        }
}

static void prunes_in_the_middle(void **state)
{
    (void)state;
    assert_close(zf_pruning_at(0, 1000), 0, 0);
    assert_close(zf_pruning_at(250, 1000), 0, 1e-12);
    assert_close(zf_pruning_at(300, 1000), 0.2, 1e-12);
    assert_close(zf_pruning_at(500, 1000), 1, 1e-12);
    assert_close(zf_pruning_at(700, 1000), 0.2, 1e-12);
    assert_close(zf_pruning_at(750, 1000), 0, 1e-12);
    assert_close(zf_pruning_at(999, 1000), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_dense_step),
        cmocka_unit_test(prunes_in_the_middle),
        cmocka_unit_test(tries_closed_gates),
        cmocka_unit_test(equals_the_dense_step_with_lstm),
        cmocka_unit_test(equals_the_dense_step_with_antisymmetry),
        cmocka_unit_test(antisymmetry_halfway_is_the_midpoint),
        cmocka_unit_test(batches_are_what_they_say),
        cmocka_unit_test(every_gate_network_trains),
        cmocka_unit_test(constraints_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
