/* Elementwise kernels (kernel/vector.h).

   One loop each for maps of one, two and three arrays; the map is a constant
   function that the compiler puts into the loop. The tail goes through the same
   map in a vector that is partly filled, so that it gives the same bits. */
#include "kernel/vector.h"

#include "kernel/isa/math.h"

/* Maps of one vector and a constant; of two; of three. */
typedef vfloat map1(vfloat x, vfloat constant);
typedef vfloat map2(vfloat a, vfloat b, vfloat constant);
typedef vfloat map3(vfloat a, vfloat b, vfloat c, vfloat constant);

V_INLINE void apply1(map1 *map, float *y, const float *x, float constant, size_t n)
{
    vfloat c = v_set(constant);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) v_store(y + i, map(v_load(x + i), c));
    if (i < n) v_store_part(y + i, map(v_load_part(x + i, n - i), c), n - i);
}

V_INLINE void apply2(map2 *map, float *y, const float *a, const float *b, float constant, size_t n)
{
    vfloat c = v_set(constant);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) v_store(y + i, map(v_load(a + i), v_load(b + i), c));
    if (i < n)
        v_store_part(y + i, map(v_load_part(a + i, n - i), v_load_part(b + i, n - i), c), n - i);
}

/* y = map(y, a, b) */
V_INLINE void apply3(map3 *map, float *y, const float *a, const float *b, float constant, size_t n)
{
    vfloat c = v_set(constant);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        v_store(y + i, map(v_load(y + i), v_load(a + i), v_load(b + i), c));
    if (i < n)
        v_store_part(
            y + i,
            map(v_load_part(y + i, n - i), v_load_part(a + i, n - i), v_load_part(b + i, n - i), c),
            n - i);
}

/* --- forward ---------------------------------------------------------------- */

V_INLINE vfloat map_relu(vfloat x, vfloat unused)
{
    (void)unused;
    return v_max(v_set(0.0f), x);
}

V_INLINE vfloat map_leaky_relu(vfloat x, vfloat slope)
{
    return v_select_less(v_set(0.0f), x, x, slope * x);
}

V_INLINE vfloat map_gelu(vfloat x, vfloat unused)
{
    (void)unused;
    return v_gelu(x);
}

V_INLINE vfloat map_sigmoid(vfloat x, vfloat unused)
{
    (void)unused;
    return v_sigmoid(x);
}

V_INLINE vfloat map_tanh(vfloat x, vfloat unused)
{
    (void)unused;
    return v_tanh(x);
}

V_INLINE vfloat map_exp(vfloat x, vfloat unused)
{
    (void)unused;
    return v_exp(x);
}

V_INLINE vfloat map_erf(vfloat x, vfloat unused)
{
    (void)unused;
    return v_erf(x);
}

V_INLINE vfloat map_scale(vfloat x, vfloat a)
{
    return a * x;
}

static void relu(float *y, const float *x, size_t n)
{
    apply1(map_relu, y, x, 0, n);
}

static void leaky_relu(float *y, const float *x, float slope, size_t n)
{
    apply1(map_leaky_relu, y, x, slope, n);
}

static void gelu(float *y, const float *x, size_t n)
{
    apply1(map_gelu, y, x, 0, n);
}

/* Both need the normal distribution function, which is most of the work. */
static void gelu_and_slope(float *y, float *slope, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        size_t left = n - i;
        vfloat v = v_load_rest(x + i, left), below = v_normal_cdf(v);
        v_store_rest(y + i, v * below, left);
        v_store_rest(slope + i, below + v * v_normal_density(v), left);
    }
}

static void sigmoid(float *y, const float *x, size_t n)
{
    apply1(map_sigmoid, y, x, 0, n);
}

static void tanh_of(float *y, const float *x, size_t n)
{
    apply1(map_tanh, y, x, 0, n);
}

static void exp_of(float *y, const float *x, size_t n)
{
    apply1(map_exp, y, x, 0, n);
}

static void erf_of(float *y, const float *x, size_t n)
{
    apply1(map_erf, y, x, 0, n);
}

static void scale(float *y, const float *x, float a, size_t n)
{
    apply1(map_scale, y, x, a, n);
}

/* --- backward: dy times the slope, found from what forward kept --------------- */

V_INLINE vfloat back_relu(vfloat dy, vfloat y, vfloat unused)
{
    (void)unused;
    return v_select_less(v_set(0.0f), y, dy, v_set(0.0f));
}

V_INLINE vfloat back_leaky_relu(vfloat dy, vfloat y, vfloat slope)
{
    return v_select_less(v_set(0.0f), y, dy, slope * dy);
}

V_INLINE vfloat back_sigmoid(vfloat dy, vfloat y, vfloat unused)
{
    (void)unused;
    return dy * (y * (1.0f - y));
}

V_INLINE vfloat back_tanh(vfloat dy, vfloat y, vfloat unused)
{
    (void)unused;
    return dy * (1.0f - y * y);
}

V_INLINE vfloat product(vfloat a, vfloat b, vfloat unused)
{
    (void)unused;
    return a * b;
}

/* The two forms of a backward kernel out of its map. */
#define BACKWARD(name)                                                                             \
    V_INLINE vfloat more_##name(vfloat dx, vfloat dy, vfloat kept, vfloat constant)                \
    {                                                                                              \
        return dx + back_##name(dy, kept, constant);                                               \
    }                                                                                              \
    V_INLINE void run_##name(float *dx, const float *dy, const float *kept, float constant,        \
                             size_t n, bool fresh)                                                 \
    {                                                                                              \
        if (fresh)                                                                                 \
            apply2(back_##name, dx, dy, kept, constant, n);                                        \
        else                                                                                       \
            apply3(more_##name, dx, dy, kept, constant, n);                                        \
    }

BACKWARD(relu)
BACKWARD(leaky_relu)
BACKWARD(sigmoid)
BACKWARD(tanh)

static void relu_backward(float *dx, const float *dy, const float *y, size_t n, bool fresh)
{
    run_relu(dx, dy, y, 0, n, fresh);
}

static void leaky_relu_backward(float *dx, const float *dy, const float *y, float slope, size_t n,
                                bool fresh)
{
    run_leaky_relu(dx, dy, y, slope, n, fresh);
}

static void sigmoid_backward(float *dx, const float *dy, const float *y, size_t n, bool fresh)
{
    run_sigmoid(dx, dy, y, 0, n, fresh);
}

static void tanh_backward(float *dx, const float *dy, const float *y, size_t n, bool fresh)
{
    run_tanh(dx, dy, y, 0, n, fresh);
}

/* --- sums and products -------------------------------------------------------- */

V_INLINE vfloat sum(vfloat a, vfloat b, vfloat unused)
{
    (void)unused;
    return a + b;
}

V_INLINE vfloat plus_scaled(vfloat y, vfloat x, vfloat a)
{
    return y + a * x;
}

V_INLINE vfloat plus_product(vfloat y, vfloat a, vfloat b, vfloat unused)
{
    (void)unused;
    return y + a * b;
}

static void fill(float *y, float value, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = value;
}

static void axpy(float *y, float a, const float *x, size_t n)
{
    apply2(plus_scaled, y, y, x, a, n);
}

static void add(float *y, const float *a, const float *b, size_t n)
{
    apply2(sum, y, a, b, 0, n);
}

static void mul(float *y, const float *a, const float *b, size_t n)
{
    apply2(product, y, a, b, 0, n);
}

static void mul_add(float *y, const float *a, const float *b, size_t n)
{
    apply3(plus_product, y, a, b, 0, n);
}

static void exp_backward(float *dx, const float *dy, const float *y, size_t n, bool fresh)
{
    if (fresh)
        mul(dx, dy, y, n);
    else
        mul_add(dx, dy, y, n);
}

static void pass(float *y, const float *x, size_t n, bool fresh)
{
    if (!fresh)
        add(y, y, x, n);
    else if (y != x)
        memcpy(y, x, n * sizeof *y);
}

static void pass_scaled(float *y, float a, const float *x, size_t n, bool fresh)
{
    if (fresh)
        scale(y, x, a, n);
    else
        axpy(y, a, x, n);
}

const zf_vector_kernels ZF_TABLE(zf_vector) = {
    .relu = relu,
    .leaky_relu = leaky_relu,
    .gelu = gelu,
    .gelu_and_slope = gelu_and_slope,
    .sigmoid = sigmoid,
    .tanh = tanh_of,
    .exp = exp_of,
    .erf = erf_of,
    .relu_backward = relu_backward,
    .leaky_relu_backward = leaky_relu_backward,
    .sigmoid_backward = sigmoid_backward,
    .tanh_backward = tanh_backward,
    .exp_backward = exp_backward,
    .fill = fill,
    .scale = scale,
    .axpy = axpy,
    .add = add,
    .mul = mul,
    .mul_add = mul_add,
    .pass = pass,
    .pass_scaled = pass_scaled,
};
