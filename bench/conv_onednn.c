/* Our convolution kernels beside oneDNN's (version 2), in one run, one thread.

       conv_onednn [--json]

   For each shape and each of the three passes: ours; oneDNN with plain NCHW
   tensors in and out, by the faster of its plain kernel and of its blocked one
   with the reorders around it; oneDNN in its own blocked layout throughout,
   which a network made of nothing but oneDNN layers would see. Times are the
   best of many. ZEROFLOW_ISA=avx2 holds both to AVX2. */
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/random.h"
#include "kernel/conv.h"
#include "kernel/dispatch.h"

enum { PASSES = 3, BATCH = 32, ROLES = 3 };
enum { FORWARD, BACKWARD_DATA, BACKWARD_WEIGHTS };
enum { X, W, Y }; /* roles: tensors of a convolution, or their gradients */

static const char *const pass_names[PASSES] = {"forward", "backward data", "backward weights"};
static const int results[PASSES] = {Y, X, W}; /* the role that a pass computes */
static const double SECONDS = 0.15;           /* spent on each measurement */

static const zf_conv shapes[] = {
    {.c = 16, .h = 32, .w = 32, .o = 16, .kh = 3, .kw = 3, 1, 1, 1, 1, NULL},
    {.c = 10, .h = 32, .w = 32, .o = 16, .kh = 3, .kw = 3, 1, 1, 1, 1, NULL},
    {.c = 16, .h = 32, .w = 32, .o = 3, .kh = 3, .kw = 3, 1, 1, 1, 1, NULL},
    {.c = 3, .h = 32, .w = 32, .o = 32, .kh = 3, .kw = 3, 1, 1, 1, 1, NULL},
    {.c = 32, .h = 16, .w = 16, .o = 32, .kh = 3, .kw = 3, 1, 1, 1, 1, NULL},
    {.c = 64, .h = 8, .w = 8, .o = 64, .kh = 3, .kw = 3, 1, 1, 1, 1, NULL},
    {.c = 32, .h = 96, .w = 96, .o = 32, .kh = 3, .kw = 3, 1, 1, 1, 1, NULL},
    {.c = 16, .h = 32, .w = 32, .o = 32, .kh = 3, .kw = 3, 2, 2, 1, 1, NULL},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void need(bool good, const char *what)
{
    if (good) return;
    fprintf(stderr, "conv_onednn: %s failed\n", what);
    exit(1);
}
#define TRY(call) need((call) == dnnl_success, #call)

static float *random_floats(size_t n, uint32_t key)
{
    float *values = zf_slab_new(n * sizeof *values);
    need(values != NULL, "memory");
    zf_random random = zf_random_at(1, ZF_FOR_TEST, key, 0);
    for (size_t i = 0; i < n; i++) values[i] = zf_random_normal(&random);
    return values;
}

/* Tensors of one shape, shared by all contenders: value of each role. */
typedef struct tensors {
    zf_conv conv;
    dnnl_dims_t dims[ROLES];
    size_t size[ROLES];
    float *data[ROLES];
    double flops; /* of one pass */
} tensors;

static tensors tensors_of(const zf_conv *conv)
{
    int oh = zf_conv_output_h(conv), ow = zf_conv_output_w(conv);
    tensors t = {.conv = *conv,
                 .dims = {{BATCH, conv->c, conv->h, conv->w},
                          {conv->o, conv->c, conv->kh, conv->kw},
                          {BATCH, conv->o, oh, ow}}};
    for (int role = 0; role < ROLES; role++) {
        t.size[role] = 1;
        for (int i = 0; i < 4; i++) t.size[role] *= (size_t)t.dims[role][i];
        t.data[role] = random_floats(t.size[role], (uint32_t)role);
    }
    t.flops = 2.0 * (double)t.size[Y] * conv->c * conv->kh * conv->kw;
    return t;
}

/* --- ours -------------------------------------------------------------------- */

static void run_ours(const tensors *t, int pass, void *scratch)
{
    const zf_conv *g = &t->conv;
    if (pass == FORWARD)
        zf_conv_forward(g, BATCH, t->data[X], t->data[W], NULL, false, t->data[Y], scratch);
    else if (pass == BACKWARD_DATA)
        zf_conv_backward_data(g, BATCH, t->data[Y], t->data[W], NULL, false, t->data[X], scratch);
    else
        zf_conv_backward_weights(g, BATCH, t->data[X], t->data[Y], false, t->data[W], scratch);
}

static double time_ours(const tensors *t, int pass)
{
    const size_t sizes[PASSES] = {zf_conv_forward_scratch(&t->conv),
                                  zf_conv_backward_data_scratch(&t->conv),
                                  zf_conv_backward_weights_scratch(&t->conv)};
    void *scratch = zf_slab_new(sizes[pass]);
    need(scratch != NULL, "memory");
    double best = 1e9;
    for (double end = zf_clock_now() + SECONDS; zf_clock_now() < end;) {
        double begin = zf_clock_now();
        run_ours(t, pass, scratch);
        double took = zf_clock_now() - begin;
        if (took < best) best = took;
    }
    free(scratch);
    return best;
}

/* --- oneDNN ------------------------------------------------------------------- */

typedef struct peer {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_desc_t description, hint;
    dnnl_primitive_t primitive;
    dnnl_memory_t plain[ROLES], own[ROLES]; /* the caller's and the primitive's layout */
    dnnl_primitive_t reorder[ROLES];        /* NULL where both are the same */
    void *own_data[ROLES];
    int pass;
} peer;

static dnnl_memory_desc_t plain_layout(const tensors *t, int role)
{
    dnnl_memory_desc_t layout;
    TRY(dnnl_memory_desc_init_by_tag(&layout, 4, t->dims[role], dnnl_f32, dnnl_abcd));
    return layout;
}

static dnnl_primitive_desc_t describe(const tensors *t, dnnl_engine_t engine, int pass,
                                      bool blocked, dnnl_primitive_desc_t hint)
{
    dnnl_memory_desc_t md[ROLES];
    for (int role = 0; role < ROLES; role++)
        TRY(dnnl_memory_desc_init_by_tag(&md[role], 4, t->dims[role], dnnl_f32,
                                         blocked ? dnnl_format_tag_any : dnnl_abcd));
    const zf_conv *g = &t->conv;
    dnnl_dims_t stride = {g->stride_h, g->stride_w}, before = {g->padding_h, g->padding_w}, after;
    for (int i = 0; i < 2; i++)
        after[i] =
            (t->dims[Y][i + 2] - 1) * stride[i] + t->dims[W][i + 2] - t->dims[X][i + 2] - before[i];
    dnnl_convolution_desc_t conv;
    dnnl_alg_kind_t direct = dnnl_convolution_direct;
    if (pass == FORWARD)
        TRY(dnnl_convolution_forward_desc_init(&conv, dnnl_forward_training, direct, &md[X], &md[W],
                                               NULL, &md[Y], stride, before, after));
    else if (pass == BACKWARD_DATA)
        TRY(dnnl_convolution_backward_data_desc_init(&conv, direct, &md[X], &md[W], &md[Y], stride,
                                                     before, after));
    else
        TRY(dnnl_convolution_backward_weights_desc_init(&conv, direct, &md[X], &md[W], NULL, &md[Y],
                                                        stride, before, after));
    dnnl_primitive_desc_t made;
    TRY(dnnl_primitive_desc_create(&made, &conv, NULL, engine, hint));
    return made;
}

/* Where the primitive wants a role's tensor, and how it calls it. */
static const dnnl_query_t queries[PASSES][ROLES] = {
    {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md},
    {dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md},
    {dnnl_query_src_md, dnnl_query_diff_weights_md, dnnl_query_diff_dst_md}};
static const int arguments[PASSES][ROLES] = {
    {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
    {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
    {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST}};

static void prepare_role(peer *p, const tensors *t, int role)
{
    dnnl_memory_desc_t plain = plain_layout(t, role);
    const dnnl_memory_desc_t *own =
        dnnl_primitive_desc_query_md(p->description, queries[p->pass][role], 0);
    TRY(dnnl_memory_create(&p->plain[role], &plain, p->engine, t->data[role]));
    if (dnnl_memory_desc_equal(&plain, own)) {
        TRY(dnnl_memory_create(&p->own[role], own, p->engine, t->data[role]));
        return;
    }
    p->own_data[role] = zf_slab_new(dnnl_memory_desc_get_size(own));
    need(p->own_data[role] != NULL, "memory");
    TRY(dnnl_memory_create(&p->own[role], own, p->engine, p->own_data[role]));
    bool out = role == results[p->pass];
    dnnl_primitive_desc_t reorder;
    TRY(dnnl_reorder_primitive_desc_create(&reorder, out ? own : &plain, p->engine,
                                           out ? &plain : own, p->engine, NULL));
    TRY(dnnl_primitive_create(&p->reorder[role], reorder));
    TRY(dnnl_primitive_desc_destroy(reorder));
}

static peer peer_of(const tensors *t, dnnl_engine_t engine, int pass, bool blocked)
{
    peer p = {.engine = engine, .pass = pass};
    TRY(dnnl_stream_create(&p.stream, engine, dnnl_stream_default_flags));
    if (pass != FORWARD) p.hint = describe(t, engine, FORWARD, blocked, NULL);
    p.description = describe(t, engine, pass, blocked, p.hint);
    TRY(dnnl_primitive_create(&p.primitive, p.description));
    for (int role = 0; role < ROLES; role++) prepare_role(&p, t, role);
    return p;
}

static void run_reorder(const peer *p, int role)
{
    if (!p->reorder[role]) return;
    bool out = role == results[p->pass];
    dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, out ? p->own[role] : p->plain[role]},
                              {DNNL_ARG_TO, out ? p->plain[role] : p->own[role]}};
    TRY(dnnl_primitive_execute(p->reorder[role], p->stream, 2, args));
}

static void run_peer(const peer *p, bool with_reorders)
{
    for (int role = 0; role < ROLES; role++)
        if (with_reorders && role != results[p->pass]) run_reorder(p, role);
    dnnl_exec_arg_t args[ROLES];
    for (int role = 0; role < ROLES; role++)
        args[role] = (dnnl_exec_arg_t){arguments[p->pass][role], p->own[role]};
    TRY(dnnl_primitive_execute(p->primitive, p->stream, ROLES, args));
    if (with_reorders) run_reorder(p, results[p->pass]);
    TRY(dnnl_stream_wait(p->stream));
}

static void free_peer(peer *p)
{
    for (int role = 0; role < ROLES; role++) {
        TRY(dnnl_memory_destroy(p->plain[role]));
        TRY(dnnl_memory_destroy(p->own[role]));
        if (p->reorder[role]) TRY(dnnl_primitive_destroy(p->reorder[role]));
        free(p->own_data[role]);
    }
    TRY(dnnl_primitive_destroy(p->primitive));
    TRY(dnnl_primitive_desc_destroy(p->description));
    if (p->hint) TRY(dnnl_primitive_desc_destroy(p->hint));
    TRY(dnnl_stream_destroy(p->stream));
}

static double time_peer(const tensors *t, dnnl_engine_t engine, int pass, bool blocked,
                        bool with_reorders)
{
    peer p = peer_of(t, engine, pass, blocked);
    run_peer(&p, true);
    double best = 1e9;
    for (double end = zf_clock_now() + SECONDS; zf_clock_now() < end;) {
        double begin = zf_clock_now();
        run_peer(&p, with_reorders);
        double took = zf_clock_now() - begin;
        if (took < best) best = took;
    }
    free_peer(&p);
    return best;
}

/* --- agreement ------------------------------------------------------------------ */

/* Both must compute the same thing, or the comparison is void. */
static void check_agreement(const tensors *t, dnnl_engine_t engine, int pass)
{
    int role = results[pass];
    size_t n = t->size[role];
    float *ours = zf_slab_new(n * sizeof *ours), *before = zf_slab_new(n * sizeof *before);
    need(ours && before, "memory");
    memcpy(before, t->data[role], n * sizeof *before);
    void *scratch =
        zf_slab_new(zf_conv_forward_scratch(&t->conv) + zf_conv_backward_data_scratch(&t->conv));
    run_ours(t, pass, scratch);
    memcpy(ours, t->data[role], n * sizeof *ours);
    peer p = peer_of(t, engine, pass, true);
    run_peer(&p, true);
    free_peer(&p);
    double worst = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        double size = ours[i] < 0 ? -ours[i] : ours[i], off = (double)ours[i] - t->data[role][i];
        if (size > largest) largest = size;
        if (off > worst || -off > worst) worst = off < 0 ? -off : off;
    }
    need(worst <= 1e-4 * largest, "agreement with oneDNN");
    memcpy(t->data[role], before, n * sizeof *before);
    free(ours), free(before), free(scratch);
}

/* --- report ----------------------------------------------------------------------- */

typedef struct times {
    double ours, plain, blocked;
} times;

static times measure(const tensors *t, dnnl_engine_t engine, int pass)
{
    check_agreement(t, engine, pass);
    double reordered = time_peer(t, engine, pass, true, true);
    double plain = time_peer(t, engine, pass, false, true);
    return (times){.ours = time_ours(t, pass),
                   .plain = plain < reordered ? plain : reordered,
                   .blocked = time_peer(t, engine, pass, true, false)};
}

static void report(const tensors *t, const char *pass, double flops, times s, bool json, bool last)
{
    const zf_conv *g = &t->conv;
    double ours = flops / s.ours * 1e-9, plain = flops / s.plain * 1e-9,
           blocked = flops / s.blocked * 1e-9;
    if (json)
        printf("  {\"in\": %d, \"out\": %d, \"height\": %d, \"width\": %d, \"stride\": %d, "
               "\"pass\": \"%s\", \"gflops\": %.1f, \"onednn_plain\": %.1f, "
               "\"onednn_blocked\": %.1f}%s\n",
               g->c, g->o, g->h, g->w, g->stride_h, pass, ours, plain, blocked, last ? "" : ",");
    else
        printf("%3d -> %2d  %3dx%-3d /%d  %-17s %8.1f %8.1f %8.1f\n", g->c, g->o, g->h, g->w,
               g->stride_h, pass, ours, plain, blocked);
}

static void compare(const zf_conv *conv, dnnl_engine_t engine, bool json, bool last)
{
    tensors t = tensors_of(conv);
    times sum = {0};
    for (int pass = 0; pass < PASSES; pass++) {
        times s = measure(&t, engine, pass);
        sum.ours += s.ours, sum.plain += s.plain, sum.blocked += s.blocked;
        report(&t, pass_names[pass], t.flops, s, json, false);
    }
    report(&t, "all", PASSES * t.flops, sum, json, last);
    for (int role = 0; role < ROLES; role++) free(t.data[role]);
}

/* oneDNN is built over OpenMP or over its own threads; only the first can be
   told how many to use. */
extern void omp_set_num_threads(int n) __attribute__((weak));

int main(int argc, char **argv)
{
    bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !json) {
        fprintf(stderr, "usage: conv_onednn [--json]\n");
        return 2;
    }
    if (omp_set_num_threads) omp_set_num_threads(1);
    if (zf_isa_current() == ZF_AVX2) TRY(dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2));
    dnnl_engine_t engine;
    TRY(dnnl_engine_create(&engine, dnnl_cpu, 0));
    if (json)
        printf("{\"isa\": \"%s\", \"batch\": %d, \"cases\": [\n", zf_isa_name(zf_isa_current()),
               BATCH);
    else
        printf("GFLOP/s, %s, one thread, %d images\n%-42s %8s %8s %8s\n",
               zf_isa_name(zf_isa_current()), BATCH, "", "ours", "plain", "blocked");
    for (int i = 0; i < SHAPES; i++) compare(&shapes[i], engine, json, i + 1 == SHAPES);
    if (json) printf("]}\n");
    TRY(dnnl_engine_destroy(engine));
    return 0;
}
