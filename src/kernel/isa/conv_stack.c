/* Stacks of convolutions on AMX tiles (conv_stack.h): the layers of an image one after
   another, forward and back. Values are made in conv_sweep.c, gradients of weights in
   conv_weigh.c; how an image lies is in conv_lines.h.

   Which side of a gradient of weights is flat: x in the first layer, where it comes in
   planes; dy in the others, which comes in planes in the last. */
#include "kernel/isa/conv_lines.h"

#if defined(__AVX512F__)

/* Of a layer, in memory of the caller. */
typedef struct packed_layer {
    packed_pass forward, backward;
} packed_layer;

static size_t packed_bytes(const zf_stack *stack)
{
    return (size_t)stack->layers * sizeof(packed_layer);
}

static void pack(const zf_stack *stack, const float *const *weights, const float *const *biases,
                 void *packed)
{
    packed_layer *to = packed;
    for (int l = 0; l < stack->layers; l++, to++) {
        pass forward = zf_forward_pass(stack, l), backward = zf_backward_pass(stack, l);
        zf_pass_pack(&forward, weights[l], biases[l], &to->forward);
        zf_pass_pack(&backward, weights[l], NULL, &to->backward);
    }
}

/* --- memory ------------------------------------------------------------------------------ */

typedef struct scratch {
    parts *inputs[ZF_STACK_MOST]; /* lines that the layers read */
    parts *dy;                    /* lines, taking turns with those of the first input */
    float *sweep;
    parts *weigh;
    float *weight_sums; /* [layers][9] tiles */
    float *bias_sums;   /* [layers][16] */
} scratch;

enum { LAYER_SUMS = 9 * TILE * TILE };

static size_t place(const zf_stack *stack, scratch *s, unsigned char *memory)
{
    field f = field_of(stack);
    size_t lines = lines_bytes(&f), sums = zf_sweep_floats(&f) * sizeof(float);
    size_t flats = WEIGH_WORK * sizeof(parts), layers = (size_t)stack->layers;
    size_t weights = layers * LAYER_SUMS * sizeof(float), biases = layers * TILE * sizeof(float);
    if (memory) {
        for (int l = 0; l < stack->layers; l++, memory += lines)
            s->inputs[l] = (parts *)(void *)memory;
        s->dy = (parts *)(void *)memory;
        s->sweep = (float *)(void *)(memory += lines);
        s->weigh = (parts *)(void *)(memory += sums);
        s->weight_sums = (float *)(void *)(memory += flats);
        s->bias_sums = (float *)(void *)(memory + weights);
    }
    return (layers + 1) * lines + sums + flats + weights + biases;
}

static size_t scratch_bytes(const zf_stack *stack)
{
    return place(stack, NULL, NULL);
}

static const uint8_t whole_tiles[8] = {16, 16, 16, 16, 16, 16, 16, 16};

/* --- forward ----------------------------------------------------------------------------- */

/* The inputs of all layers and, if wanted, y. */
static void forward_image(const zf_stack *stack, const packed_layer *layers, const float *x,
                          float *y, const scratch *work)
{
    field f = field_of(stack);
    int last = stack->layers - 1;
    for (int l = 0; l <= (y ? last : last - 1); l++) {
        sweep s = {.pass = zf_forward_pass(stack, l),
                   .field = f,
                   .packed = &layers[l].forward,
                   .from = work->inputs[l],
                   .work = work->sweep};
        if (l == 0) zf_pass_read(&s.pass, &f, x, work->inputs[0]);
        if (l == last)
            s.planes = y;
        else
            s.to = work->inputs[l + 1];
        zf_sweep_run(&s);
    }
}

static void forward(const zf_stack *stack, int n, const void *packed, const float *x, float *y,
                    void *memory)
{
    size_t pixels = (size_t)(stack->h * stack->w);
    scratch work;
    place(stack, &work, memory);
    tiles_begin(whole_tiles);
    for (int i = 0; i < n; i++) {
        forward_image(stack, packed, x, y, &work);
        x += (size_t)stack->channels[0] * pixels;
        y += (size_t)stack->channels[stack->layers] * pixels;
    }
    tiles_end();
}

/* --- backward ---------------------------------------------------------------------------- */

/* One image. */
typedef struct view {
    int number;
    const float *x, *dy;
    float *dx;
} view;

static weigh weigh_of(const zf_stack *stack, const scratch *work, int l)
{
    return (weigh){.field = field_of(stack),
                   .c = stack->channels[l],
                   .o = stack->channels[l + 1],
                   .x_is_flat = l == 0,
                   .sums = work->weight_sums + (size_t)l * LAYER_SUMS,
                   .work = work->weigh};
}

static void weigh_layer(const zf_stack *stack, const view *v, const scratch *work, int l,
                        const parts *dy)
{
    weigh job = weigh_of(stack, work, l);
    job.turned = l == 0 ? dy : work->inputs[l];
    if (l == 0)
        job.planes = v->x;
    else if (l == stack->layers - 1)
        job.planes = v->dy;
    else
        job.flat = dy;
    zf_weigh_run(&job);
}

/* dy of layer l to the gradient of its input. */
static void send_back(const zf_stack *stack, const packed_layer *layers,
                      const zf_stack_gradients *g, const view *v, const scratch *work, int l,
                      const parts *dy, parts *dx)
{
    sweep s = {.pass = zf_backward_pass(stack, l),
               .field = field_of(stack),
               .packed = &layers[l].backward,
               .from = dy,
               .work = work->sweep};
    if (l == 0) {
        s.planes = v->dx + (size_t)(stack->wanted * stack->h) * (size_t)stack->w;
        s.add = g->add_dx;
    } else {
        s.to = dx;
        s.active = work->inputs[l];
        s.bias_sums = work->bias_sums + (size_t)(l - 1) * TILE;
    }
    tiles_begin(whole_tiles);
    zf_sweep_run(&s);
}

static void backward_image(const zf_stack *stack, const packed_layer *layers,
                           const zf_stack_gradients *g, const view *v, const scratch *work)
{
    field f = field_of(stack);
    int last = stack->layers - 1;
    pass first = zf_backward_pass(stack, last);
    parts *turns[] = {work->dy, work->inputs[0]};
    tiles_begin(whole_tiles);
    forward_image(stack, layers, v->x, g->answer ? g->y : NULL, work);
    if (g->answer) g->answer(g->context, v->number, g->y);
    zf_pass_read(&first, &f, v->dy, work->dy);
    for (int l = last; l >= 0; l--) {
        parts *dy = turns[(last - l) % 2], *dx = turns[(last - l + 1) % 2];
        if (g->dw[l]) weigh_layer(stack, v, work, l, dy);
        if (l > 0 || v->dx) send_back(stack, layers, g, v, work, l, dy, dx);
    }
}

/* The last layer's dy is in planes, and was not summed up yet. */
static void finish_biases(const zf_stack *stack, int n, const zf_stack_gradients *g,
                          const scratch *work)
{
    int last = stack->layers - 1, outputs = stack->channels[stack->layers];
    size_t pixels = (size_t)(stack->h * stack->w);
    float *sums = work->bias_sums + (size_t)last * TILE;
    const float *dy = g->dy;
    for (int i = 0; i < n && g->db[last]; i++)
        for (int o = 0; o < outputs; o++, dy += pixels) {
            __m512 sum = _mm512_setzero_ps();
            for (size_t k = 0; k < pixels; k += TILE)
                sum += _mm512_maskz_loadu_ps(lanes_between(0, (int)(pixels - k)), dy + k);
            sums[o] += _mm512_reduce_add_ps(sum);
        }
    for (int l = 0; l <= last; l++)
        for (int o = 0; o < stack->channels[l + 1] && g->db[l]; o++)
            g->db[l][o] = work->bias_sums[l * TILE + o] + (g->add_db[l] ? g->db[l][o] : 0.0f);
}

static void backward(const zf_stack *stack, int n, const void *packed, const zf_stack_gradients *g,
                     void *memory)
{
    size_t pixels = (size_t)(stack->h * stack->w), inputs = (size_t)stack->channels[0] * pixels;
    size_t outputs = (size_t)stack->channels[stack->layers] * pixels;
    size_t layers = (size_t)stack->layers;
    scratch work;
    place(stack, &work, memory);
    memset(work.weight_sums, 0, layers * (LAYER_SUMS + TILE) * sizeof(float));
    for (size_t i = 0; i < (size_t)n; i++) {
        view v = {.number = (int)i,
                  .x = g->x + i * inputs,
                  .dy = g->dy + i * outputs,
                  .dx = g->dx ? g->dx + i * inputs : NULL};
        backward_image(stack, packed, g, &v, &work);
    }
    tiles_end();
    for (int l = 0; l < stack->layers; l++)
        if (g->dw[l]) {
            weigh job = weigh_of(stack, &work, l);
            if (l == 0)
                job.planes = g->x;
            else if (l == stack->layers - 1)
                job.planes = g->dy;
            zf_weigh_finish(&job, g->add_dw[l], g->dw[l]);
        }
    finish_biases(stack, n, g, &work);
}

const zf_stack_kernels zf_stack_amx = {
    .packed_bytes = packed_bytes,
    .scratch_bytes = scratch_bytes,
    .pack = pack,
    .forward = forward,
    .backward = backward,
};

#else

typedef int zf_no_tiles; /* a file must hold something */

#endif
