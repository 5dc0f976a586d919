#include "bench/asking.h"

#include <stdlib.h>

#include "base/error.h"
#include "bench/steps.h"

enum { VARIABLES = 50, SIZE = 32, HIDDEN = 16, DIM = 512 };
/* Threads that share a model; questions of each in a repetition, many beside the time that it
   takes to wake a thread. */
enum { ASKERS = 4, QUESTIONS = 200 };

static zf_status reserve(zf_subject *s, size_t of_answer)
{
    s->answers = 1;
    s->of_answer = of_answer;
    s->answer = malloc(ASKERS * of_answer * sizeof *s->answer);
    return s->answer ? ZF_OK : zf_fail_memory(ASKERS * of_answer * sizeof *s->answer);
}

static zf_status query(zf_subject *s, zf_gate_kind kind)
{
    const char *names[VARIABLES];
    zf_blanket_shape shape = {.gate = {.kind = kind, .variables = VARIABLES, .most_targets = 1},
                              .hidden = 1,
                              .marginals = ZF_MARGINALS_STANDARD,
                              .knots = 1};
    for (int i = 0; i < VARIABLES; i++) names[i] = "x";
    ZF_TRY(zf_blanket_new(&s->model, &shape, 1, names));
    ZF_TRY(zf_blanket_prepare(s->model, NULL));
    s->flops = zf_gate_flops(s->model->params, kind == ZF_GATE_LSTM ? VARIABLES : 1);
    return reserve(s, VARIABLES);
}

zf_status zf_bench_query_mlp(zf_subject *s)
{
    return query(s, ZF_GATE_MLP);
}

zf_status zf_bench_query_lstm(zf_subject *s)
{
    return query(s, ZF_GATE_LSTM);
}

zf_status zf_bench_encode(zf_subject *s)
{
    zf_pretrain_options options = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    size_t values = 3 * SIZE * SIZE;
    options.hidden = HIDDEN;
    options.dim = DIM;
    ZF_TRY(zf_vision_untrained(&s->encoder, SIZE, &options));
    s->image = calloc(values, sizeof *s->image);
    if (!s->image) return zf_fail_memory(values * sizeof *s->image);
    for (size_t i = 0; i < values; i++) s->image[i] = (float)(i % 7) / 7;
    double pixels = SIZE * SIZE;
    s->flops = 2 * pixels * 9 * (3 * HIDDEN + HIDDEN * HIDDEN + HIDDEN) + 2 * pixels * DIM;
    return reserve(s, DIM);
}

static zf_status share(zf_subject *s)
{
    s->answers = ASKERS * QUESTIONS;
    s->flops *= s->answers;
    return zf_crew_new(&s->crew, ASKERS);
}

zf_status zf_bench_query_shared(zf_subject *s)
{
    ZF_TRY(zf_bench_query_mlp(s));
    return share(s);
}

zf_status zf_bench_encode_shared(zf_subject *s)
{
    ZF_TRY(zf_bench_encode(s));
    return share(s);
}

static zf_status ask(const zf_subject *s, float *answer)
{
    const int32_t target = 0;
    return s->model ? zf_blanket_query(s->model, &target, 1, answer)
                    : zf_vision_encode(s->encoder, answer, s->image, 1, 1);
}

typedef struct asking {
    const zf_subject *subject;
    zf_status status[ASKERS];
} asking;

static void ask_many(void *context, int task, int worker)
{
    (void)worker;
    asking *a = context;
    float *answer = a->subject->answer + (size_t)task * a->subject->of_answer;
    for (int i = 0; i < QUESTIONS && a->status[task] == ZF_OK; i++)
        a->status[task] = ask(a->subject, answer);
}

zf_status zf_bench_ask(zf_subject *s)
{
    if (s->answers == 1) return ask(s, s->answer);
    asking a = {.subject = s};
    zf_crew_run(s->crew, ASKERS, ask_many, &a);
    for (int i = 0; i < ASKERS; i++)
        if (a.status[i] != ZF_OK) return zf_fail(a.status[i], "a question failed");
    return ZF_OK;
}

void zf_bench_asking_free(zf_subject *s)
{
    zf_blanket_free(s->model);
    zf_vision_free(s->encoder);
    free(s->image);
    free(s->answer);
}
