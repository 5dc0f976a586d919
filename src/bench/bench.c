/* Measuring: the best of many repetitions, held against sgemm in the same run.

   The best, because everything else that happens on a machine only adds time;
   the same run, because processors change their clock. A case and the sgemm
   that it is held against take turns. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/progress.h"
#include "base/random.h"
#include "bench/asking.h"
#include "bench/cases.h"
#include "kernel/dispatch.h"
#include "kernel/gemm.h"

enum { ROUNDS = 5 }; /* turns of a case and its sgemm */
static const zf_gemm_shape PEAK_SHAPE = {768, 768, 768};

struct zf_bench {
    double peak;
    int threads;
    zf_bench_case *cases;
    int count;
};

void zf_bench_options_init(zf_bench_options *options, size_t size)
{
    const zf_bench_options all = {.seconds = 1.0};
    zf_give(options, size, &all, sizeof all);
}

static void fill(float *values, size_t n)
{
    zf_random random = zf_random_at(1, ZF_FOR_TEST, n, 0);
    for (size_t i = 0; i < n; i++) values[i] = zf_random_uniform(&random) - 0.5f;
}

/* --- sgemm ------------------------------------------------------------------ */

typedef struct product {
    zf_gemm_shape shape;
    float *a, *b, *c;
} product;

static zf_status product_new(product *p, zf_gemm_shape shape)
{
    size_t m = (size_t)shape.m, n = (size_t)shape.n, k = (size_t)shape.k;
    *p = (product){.shape = shape,
                   .a = zf_slab_new(m * k * sizeof(float)),
                   .b = zf_slab_new(k * n * sizeof(float)),
                   .c = zf_slab_new(m * n * sizeof(float))};
    if (!p->a || !p->b || !p->c) return ZF_ENOMEM;
    fill(p->a, m * k);
    fill(p->b, k * n);
    return ZF_OK;
}

static void product_free(product *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
}

static double product_gflops(const product *p, double seconds)
{
    double best = 1e30, end = zf_clock_now() + seconds;
    zf_gemm_shape s = p->shape;
    do {
        double start = zf_clock_now();
        zf_gemm(false, false, s.m, s.n, s.k, 1, p->a, s.k, p->b, s.n, 0, p->c, s.n);
        double took = zf_clock_now() - start;
        if (took < best) best = took;
    } while (zf_clock_now() < end);
    return 2e-9 * s.m * s.n * s.k / best;
}

static zf_status measure_product(double *out, zf_gemm_shape shape, double seconds)
{
    product p = {0};
    zf_status status = product_new(&p, shape);
    if (status == ZF_OK) *out = product_gflops(&p, seconds);
    product_free(&p);
    return status;
}

/* --- cases -------------------------------------------------------------------- */

static void subject_free(zf_subject *s)
{
    zf_optimiser_free(s->optimiser);
    zf_program_free(s->program);
    zf_blanket_step_free(&s->step);
    zf_vision_step_free(&s->vision);
    zf_params_free(s->params);
    zf_crew_free(s->crew);
    zf_bench_asking_free(s);
    free(s->rows);
    free(s->pixels);
    free(s->images);
    free(s->which);
}

/* A program on its own, with some data. */
static zf_status build_program(zf_subject *s, const zf_bench_plan *plan)
{
    ZF_TRY(zf_program_new(&s->program, s->params));
    zf_node *loss = plan->build(s);
    ZF_TRY(zf_program_plan(s->program, loss, NULL, 0, zf_crew_size(s->crew)));
    zf_program_fill_inputs(s->program, fill);
    if (zf_node_grad(loss)) fill(zf_node_grad(loss), zf_shape_size(zf_node_shape(loss)));
    return ZF_OK;
}

static zf_status subject_new(zf_subject *s, const zf_bench_plan *plan, int threads)
{
    if (plan->ask) return plan->ask(s);
    ZF_TRY(zf_crew_new(&s->crew, threads));
    ZF_TRY(zf_params_new(&s->params, 1));
    ZF_TRY(plan->step ? plan->step(s) : build_program(s, plan));
    if (!plan->trains) return ZF_OK;
    zf_optimiser_options options = zf_optimiser_defaults();
    return zf_optimiser_new(&s->optimiser, s->params, &options);
}

/* Where the whole measurement stands; asks the user now and then whether to go on. */
typedef struct standing {
    const zf_bench_options *options;
    int done, all; /* measurements */
    zf_pace pace;
} standing;

static zf_status tell(standing *at)
{
    return zf_pace_tell(&at->pace, (uint64_t)at->done, (uint64_t)at->all);
}

static zf_status once(zf_subject *s)
{
    if (s->answers) return zf_bench_ask(s);
    zf_program *program = s->step.program     ? s->step.program
                          : s->vision.program ? s->vision.program
                                              : s->program;
    if (s->step.program) zf_step_prepare(&s->step, s->steps++, s->crew);
    if (s->vision.program) zf_vision_step_prepare(&s->vision, s->steps++, s->crew);
    zf_program_forward(program, s->crew, ZF_TRAIN);
    zf_program_backward(program, s->crew);
    return s->optimiser ? zf_optimiser_step(s->optimiser, program, s->crew, 1e-4) : ZF_OK;
}

static zf_status repeat(zf_subject *s, double *best, double seconds, standing *at)
{
    double end = zf_clock_now() + seconds;
    do {
        double start = zf_clock_now();
        ZF_TRY(once(s));
        double took = zf_clock_now() - start;
        if (took < *best) *best = took;
        ZF_TRY(tell(at));
    } while (zf_clock_now() < end);
    return ZF_OK;
}

static zf_status measure_case(zf_bench *bench, const zf_bench_plan *plan, int threads, standing *at)
{
    zf_subject s = {0};
    zf_status status = subject_new(&s, plan, threads);
    zf_gemm_shape shape = plan->shape.m ? plan->shape : PEAK_SHAPE;
    double best = 1e30, peak = 0, seconds = at->options->seconds / ROUNDS;
    for (int round = 0; status == ZF_OK && round < ROUNDS; round++) {
        double now = 0;
        status = measure_product(&now, shape, 0.2 * seconds);
        if (now > peak) peak = now;
        if (status == ZF_OK) status = repeat(&s, &best, 0.8 * seconds, at);
    }
    if (status == ZF_OK) {
        if (!plan->shape.m && peak > bench->peak) bench->peak = peak;
        bench->cases[bench->count++] = (zf_bench_case){
            .name = plan->name,
            .threads = s.answers && s.crew ? zf_crew_size(s.crew) : threads,
            .ms = 1e3 * best / (s.answers ? s.answers : 1),
            .rate = s.answers / best,
            .gflops = 1e-9 * s.flops / best,
            .bytes = s.bytes,
            .peak = plan->shape.m ? peak * threads : 0, /* the machine's, known at the end */
        };
    }
    subject_free(&s);
    return status;
}

static bool wanted(const zf_bench_plan *plan, const zf_bench_options *options)
{
    return !options->only || strstr(plan->name, options->only);
}

static int runs_of(const zf_bench *bench, const zf_bench_plan *plan)
{
    return plan->uses_crew && bench->threads > 1 ? 2 : 1;
}

static zf_status measure_all(zf_bench *bench, const zf_bench_options *options)
{
    standing at = {.options = options, .pace = zf_pace_begin(&options->report, 0)};
    at.pace.things = "measurements";
    for (int i = 0; i < zf_bench_n_plans; i++)
        if (wanted(&zf_bench_plans[i], options)) at.all += runs_of(bench, &zf_bench_plans[i]);
    if (at.all == 0)
        return zf_fail(ZF_EINVAL, "no case has \"%s\" in its name (such as %s)", options->only,
                       zf_bench_plans[0].name);
    bench->cases = calloc((size_t)at.all, sizeof *bench->cases);
    if (!bench->cases) return zf_fail_memory((size_t)at.all * sizeof *bench->cases);
    ZF_TRY(measure_product(&bench->peak, PEAK_SHAPE, 0.3));
    for (int i = 0; i < zf_bench_n_plans; i++) {
        const zf_bench_plan *plan = &zf_bench_plans[i];
        if (!wanted(plan, options)) continue;
        for (int run = 0; run < runs_of(bench, plan); run++, at.done++) {
            ZF_TRY(tell(&at));
            ZF_TRY(measure_case(bench, plan, run ? bench->threads : 1, &at));
        }
    }
    for (int i = 0; i < bench->count; i++) {
        zf_bench_case *c = &bench->cases[i];
        if (c->peak == 0) c->peak = bench->peak * c->threads;
        c->share = c->gflops / c->peak;
    }
    return tell(&at);
}

zf_status zf_bench_run(zf_bench **out, const zf_bench_options *given)
{
    zf_bench_options known = zf_bench_defaults();
    const zf_bench_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "bench"));
    if (!(options->seconds > 0))
        return zf_fail(ZF_EINVAL, "seconds: expected more than 0, found %g", options->seconds);
    zf_bench *bench = calloc(1, sizeof *bench);
    if (!bench) return zf_fail_memory(sizeof *bench);
    zf_crew *crew = NULL;
    zf_status status = zf_crew_new(&crew, options->threads);
    if (status == ZF_OK) bench->threads = zf_crew_size(crew);
    zf_crew_free(crew); /* it only told how many threads there are */
    if (status == ZF_OK) status = zf_gemm_open();
    if (status == ZF_OK) status = measure_all(bench, options);
    if (status != ZF_OK) {
        zf_bench_free(bench);
        return status;
    }
    *out = bench;
    return ZF_OK;
}

double zf_bench_peak_gflops(const zf_bench *bench)
{
    return bench->peak;
}

const char *zf_bench_isa(const zf_bench *bench)
{
    (void)bench;
    return zf_tiles_usable() ? "avx512 and amx" : zf_isa_name(zf_isa_current());
}

const char *zf_bench_blas(const zf_bench *bench)
{
    (void)bench;
    return zf_gemm_library();
}

int zf_bench_threads(const zf_bench *bench)
{
    return bench->threads;
}

int zf_bench_count(const zf_bench *bench)
{
    return bench->count;
}

const zf_bench_case *zf_bench_at(const zf_bench *bench, int i)
{
    return i >= 0 && i < bench->count ? &bench->cases[i] : NULL;
}

void zf_bench_free(zf_bench *bench)
{
    if (!bench) return;
    free(bench->cases);
    free(bench);
}
