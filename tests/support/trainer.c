#include "trainer.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "net/mlp.h"
#include "op/ops.h"
#include "support.h"

enum { ROWS = 64, IN = 6 };

static void prepare(void *context, uint64_t step, zf_crew *crew)
{
    (void)crew;
    trainer *t = context;
    int rows = step % 7 == 6 ? ROWS / 3 : ROWS; /* partial batches too */
    assert_ok(zf_domain_set_rows(t->rows, rows));
    for (int row = 0; row < rows; row++) {
        zf_random random = zf_random_at(4, ZF_FOR_DATA, step, (uint32_t)row);
        float *x = zf_node_value(t->x) + row * IN;
        for (int i = 0; i < IN; i++) x[i] = zf_random_normal(&random);
        zf_node_value(t->target)[row] = sinf(x[0]) + x[1] * x[2];
        if (t->poison && step + 1 >= t->poison) zf_node_value(t->target)[row] = NAN;
    }
}

void trainer_begin(trainer *t, int threads)
{
    static const zf_metadata about[] = {{"task", "test"}};
    memset(t, 0, sizeof *t);
    assert_ok(zf_crew_new(&t->crew, threads));
    assert_ok(zf_params_new(&t->params, 11));
    assert_ok(zf_program_new(&t->program, t->params));
    t->rows = zf_program_domain(t->program, "rows", ROWS, 4);
    t->x = zf_input(t->program, t->rows, ZF_F32, zf_shape_of(IN));
    t->target = zf_input(t->program, t->rows, ZF_F32, zf_shape_of(1));
    zf_node *y = zf_mlp(t->x, "net", (int[]){IN, 32, 32, 1}, 3);
    t->loss = zf_squared_error(y, t->target, NULL, ZF_MEAN);
    assert_ok(zf_program_plan(t->program, t->loss, NULL, 0, threads));
    zf_optimiser_options options = zf_optimiser_defaults();
    assert_ok(zf_optimiser_new(&t->optimiser, t->params, &options));
    t->training = (zf_training){
        .program = t->program,
        .crew = t->crew,
        .optimiser = t->optimiser,
        .schedule = {.rate = 1e-2},
        .steps = 60,
        .prepare = prepare,
        .context = t,
        .rows = ROWS,
        .watches = {{"loss", t->loss}},
        .n_watches = 1,
        .description = {about, 1},
    };
}

void trainer_end(trainer *t)
{
    zf_optimiser_free(t->optimiser);
    zf_program_free(t->program);
    zf_params_free(t->params);
    zf_crew_free(t->crew);
}
