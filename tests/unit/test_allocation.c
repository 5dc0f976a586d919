/* A training step after the first allocates nothing, nor does a question to a model: every
   allocation of the process is counted, those of BLAS and of the C library included. */
#include "support.h"

#include <sched.h>
#include <stdatomic.h>

#include "trainer.h"
#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"
#include "zeroflow/memory.h"
#include "zeroflow/vision.h"

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

static void one_step(trainer *t, uint64_t step)
{
    t->training.prepare(t->training.context, step, t->crew);
    zf_program_forward(t->program, t->crew, ZF_TRAIN);
    zf_program_backward(t->program, t->crew);
    assert_ok(zf_optimiser_step(t->optimiser, t->program, t->crew, 1e-3));
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

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    trainer t;
    start_counting();
    long before = atomic_load(&allocations);
    trainer_begin(&t, 2);
    assert_true(atomic_load(&allocations) > before); /* the count counts */
    atomic_int absent = zf_crew_size(t.crew);
    zf_crew_run(t.crew, zf_crew_size(t.crew), meet, &absent);
    one_step(&t, 0);
    before = atomic_load(&allocations);
    for (uint64_t step = 1; step < 20; step++) one_step(&t, step);
    assert_int_equal(atomic_load(&allocations) - before, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(a_question_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
