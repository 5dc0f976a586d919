/* A training step after the first allocates nothing, be it of blankets, reductions or images,
   nor does a question to a model: every allocation of the process is counted, those of BLAS and
   of the C library included. */
#include "support.h"

#include <sched.h>
#include <stdatomic.h>

#include "base/random.h"
#include "blanket/step.h"
#include "reduce/step.h"
#include "trainer.h"
#include "vision/step.h"
#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"
#include "zeroflow/memory.h"
#include "zeroflow/vision.h"

enum { WORKERS = 2, STEPS = 20 };

static atomic_long allocations;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

/* A sanitizer owns malloc; it tells of every allocation. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));

static void on_malloc(const volatile void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
    atomic_fetch_add(&allocations, 1);
}

static void on_free(const volatile void *memory)
{
    (void)memory;
}

static void start_counting(void)
{
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

#else

/* The program's own malloc stands before the C library's, for every library in
   the process; the C library's keeps its other names. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_memalign(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_memalign(alignment, bytes);
}

static void start_counting(void) {}

#endif

/* Something in training. */
typedef struct subject {
    zf_program *program;
    zf_crew *crew;
    zf_optimiser *optimiser;
    void (*prepare)(void *context, uint64_t step, zf_crew *crew);
    void *context;
} subject;

static void one_step(const subject *s, uint64_t step)
{
    s->prepare(s->context, step, s->crew);
    zf_program_forward(s->program, s->crew, ZF_TRAIN);
    zf_program_backward(s->program, s->crew);
    assert_ok(zf_optimiser_step(s->optimiser, s->program, s->crew, 1e-3));
}

/* Returns in no task before every worker is in one: a thread that the system
   starts late (it allocates while it does) is then not mistaken for a step. */
static void meet(void *context, int task, int worker)
{
    (void)task, (void)worker;
    atomic_int *absent = context;
    atomic_fetch_sub(absent, 1);
    while (atomic_load(absent) > 0) sched_yield();
}

static void check_steps(const subject *s, const char *name)
{
    assert_true(atomic_load(&allocations) > 0); /* the count counts */
    atomic_int absent = zf_crew_size(s->crew);
    zf_crew_run(s->crew, zf_crew_size(s->crew), meet, &absent);
    one_step(s, 0);
    long before = atomic_load(&allocations);
    for (uint64_t step = 1; step < STEPS; step++) one_step(s, step);
    long made = atomic_load(&allocations) - before;
    if (made != 0) fail_msg("%s: %ld allocations in %d steps", name, made, STEPS - 1);
}

/* The same with a crew and an optimiser of its own. */
static void check_program(zf_program *program, zf_params *params,
                          void (*prepare)(void *, uint64_t, zf_crew *), void *context,
                          const char *name)
{
    subject s = {.program = program, .prepare = prepare, .context = context};
    zf_optimiser_options options = zf_optimiser_defaults();
    assert_ok(zf_crew_new(&s.crew, WORKERS));
    assert_ok(zf_optimiser_new(&s.optimiser, params, &options));
    check_steps(&s, name);
    zf_optimiser_free(s.optimiser);
    zf_crew_free(s.crew);
}

static void a_network(void **state)
{
    (void)state;
    trainer t;
    trainer_begin(&t, WORKERS);
    check_steps(&(subject){t.program, t.crew, t.optimiser, t.training.prepare, &t}, "mlp");
    trainer_end(&t);
}

static void ask(const zf_blanket *blanket, const zf_vision *vision)
{
    enum { PIXELS = 3 * 16 * 16 };
    static const float image[PIXELS] = {0.5f};
    float gates[8], features[16], decoded[PIXELS];
    assert_ok(zf_blanket_query(blanket, &(int32_t){1}, 1, gates));
    assert_ok(zf_vision_encode(vision, features, image, 1, 0));
    assert_ok(zf_vision_decode(vision, decoded, features, 1, 1));
}

/* So none starts a thread, plans a program or packs weights. */
static void a_question_allocates_nothing(void **state)
{
    (void)state;
    zf_blanket *blanket = NULL;
    zf_vision *vision = NULL;
    zf_graph *truth = NULL;
    double *rows = NULL;
    zf_generate_options law = zf_generate_defaults(ZF_CHAIN);
    zf_fit_options fit = zf_fit_defaults();
    zf_pretrain_options untrained = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    law.variables = 8;
    law.rows = 50;
    fit.iterations = 2;
    untrained.dim = 16;
    assert_ok(zf_generate(&rows, &truth, NULL, &law));
    assert_ok(zf_blanket_fit(&blanket, NULL, rows, law.rows, zf_graph_names(truth), 8, &fit));
    assert_ok(zf_vision_untrained(&vision, 16, &untrained));
    ask(blanket, vision);
    long before = atomic_load(&allocations);
    for (int i = 0; i < 5; i++) ask(blanket, vision);
    assert_int_equal(atomic_load(&allocations) - before, 0);
    zf_blanket_free(blanket);
    zf_vision_free(vision);
    zf_graph_free(truth);
    zf_free(rows);
}

enum { VARIABLES = 9, SIDE = 3, ROWS = 60 };

/* Gates open at first, then pruned and tried open, under constraints: all that a step may do. */
static void check_blanket(zf_step_options options, const char *name)
{
    static float rows[ROWS * VARIABLES];
    unsigned char constraints[VARIABLES * VARIABLES] = {[5] = 1, [VARIABLES + 6] = 2};
    zf_params *params;
    zf_blanket_step step;
    options.seed = 3;
    options.batch = 70;
    options.hidden = 16;
    options.targets.variables = VARIABLES;
    options.time = (zf_time){ZF_TIME_UNIFORM, 0};
    options.middle = (zf_time){ZF_TIME_MIDDLE, 0};
    options.zero_weight = 0.3;
    options.sparsity = 1e-3;
    options.pruning = 0.2;
    options.exploration = 0.3;
    options.steps = STEPS;
    options.open_steps = 2;
    options.constraints = constraints;
    fill_normal(rows, ROWS * VARIABLES, 8);
    assert_ok(zf_params_new(&params, 5));
    assert_ok(zf_blanket_step_new(&step, params, rows, ROWS, &options, WORKERS));
    check_program(step.program, params, zf_step_prepare, &step, name);
    zf_blanket_step_free(&step);
    zf_params_free(params);
}

static void blankets(void **state)
{
    (void)state;
    const zf_target_options near = {.law = ZF_TARGET_NEIGHBOURS},
                            any = {.law = ZF_TARGET_BERNOULLI, .probability = 0.3};
    const zf_target_options grid = {.law = ZF_TARGET_GRID, .side = SIDE};
    const zf_target_options one = {
        .law = ZF_TARGET_SETS,
        .sets = {.items = (int32_t[]){1, 4}, .first = (int32_t[]){0, 2}, .count = 1}};
    check_blanket((zf_step_options){.gate = ZF_GATE_MLP, .targets = near}, "mlp gates");
    check_blanket((zf_step_options){.gate = ZF_GATE_MLP, .pairs = true, .targets = any},
                  "mlp gates with pairs");
    check_blanket((zf_step_options){.gate = ZF_GATE_LSTM, .targets = near}, "lstm gates");
    check_blanket((zf_step_options){.gate = ZF_GATE_CNN, .targets = grid}, "cnn gates");
    check_blanket((zf_step_options){.gate = ZF_GATE_FREE, .targets = one}, "free gates");
    check_blanket((zf_step_options){.gate = ZF_GATE_MLP, .antisymmetry = true, .targets = near},
                  "mlp gates, antisymmetry");
}

static void reductions(void **state)
{
    (void)state;
    enum { TARGETS = 2, INPUTS = 7 };
    static float rows[ROWS * VARIABLES];
    fill_normal(rows, ROWS * VARIABLES, 9);
    for (int antisymmetry = 0; antisymmetry <= 1; antisymmetry++) {
        zf_params *params;
        zf_reduce_step step;
        const zf_reduce_step_options options = {.seed = 1,
                                                .batch = 23,
                                                .hidden = 7,
                                                .inputs = INPUTS,
                                                .targets = TARGETS,
                                                .dim = 3,
                                                .antisymmetry = antisymmetry != 0,
                                                .zero_weight = 0.3};
        assert_ok(zf_params_new(&params, 5));
        assert_ok(zf_reduce_step_new(&step, params, rows, ROWS, &options, WORKERS));
        check_program(step.program, params, zf_reduce_prepare, &step, "reduction");
        zf_reduce_step_free(&step);
        zf_params_free(params);
    }
}

static void check_vision(zf_vision_method method, const char *name)
{
    enum { SIZE = 32, IMAGES = 9 };
    static uint8_t pixels[IMAGES][3 * SIZE * SIZE];
    const uint8_t *images[IMAGES];
    uint32_t which[IMAGES];
    zf_random random = zf_random_at(1, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < IMAGES; i++) {
        images[i] = pixels[i];
        which[i] = (uint32_t)i;
        for (size_t k = 0; k < sizeof pixels[i]; k++)
            pixels[i][k] = (uint8_t)zf_random_word(&random);
    }
    const zf_vision_step_options options = {
        .method = method,
        .image = {.channels = 5, .size = SIZE, .hidden = 8, .dim = 7},
        .batch = IMAGES,
        .zero_weight = 0.1,
        .temperature = 0.1,
        .vit = {.patch = 8,
                .dim = 12,
                .blocks = 2,
                .heads = 3,
                .decoder_dim = 8,
                .decoder_blocks = 2,
                .decoder_heads = 2},
        .masked = 0.7,
        .views = zf_view_defaults(),
        .seed = 1,
    };
    zf_params *params;
    zf_vision_step step;
    assert_ok(zf_params_new(&params, 1));
    assert_ok(zf_vision_step_new(&step, params, &options, WORKERS));
    step.images = images;
    step.which = which;
    check_program(step.program, params, zf_vision_step_prepare, &step, name);
    zf_vision_step_free(&step);
    zf_params_free(params);
}

static void images(void **state)
{
    (void)state;
    check_vision(ZF_VISION_ZEROFLOW, "zeroflow");
    check_vision(ZF_VISION_SIMCLR, "simclr");
    check_vision(ZF_VISION_MAE, "mae");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network),
        cmocka_unit_test(blankets),
        cmocka_unit_test(reductions),
        cmocka_unit_test(images),
        cmocka_unit_test(a_question_allocates_nothing),
    };
    start_counting();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
