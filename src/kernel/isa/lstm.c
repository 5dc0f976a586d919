/* The inner kernels of an LSTM (lstm.h says what they compute).

   step forms the four gates of `lanes` hidden units of several rows at once, in
   registers, over inputs and hidden state in one go, and applies the
   nonlinearities before anything is written: no matrix of gates before their
   nonlinearity exists. product is a small matrix product for the backward run,
   whose factors are already padded to whole vectors. */
#include "kernel/lstm.h"
#include "kernel/isa/isa.h"
#include "kernel/isa/math.h"
#include "kernel/isa/tile.h"

/* Rows of a tile of 4 gates; rows of a tile of 1 to 3 vectors. */
#if defined(__AVX512F__)
enum { STEP_ROWS = 6, PRODUCT_ROWS = 8 };
#define EACH_STEP(X)    X(1) X(2) X(3) X(4) X(5) X(6)
#define EACH_PRODUCT(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#else
enum { STEP_ROWS = 3, PRODUCT_ROWS = 4 };
#define EACH_STEP(X)    X(1) X(2) X(3)
#define EACH_PRODUCT(X) X(1) X(2) X(3) X(4)
#endif
enum { GATES = ZF_LSTM_GATES, PRODUCT_VECTORS = 3 };

/* The size of the next of as few, as even blocks as possible. */
static int next_block(int left, int most)
{
    int blocks = (left + most - 1) / most;
    return (left + blocks - 1) / blocks;
}

static int padded(int hidden)
{
    return (hidden + LANES - 1) / LANES * LANES;
}

/* n >= LANES elements are a whole vector. */
static vfloat load_some(const float *from, int n)
{
    return n >= LANES ? v_load(from) : v_load_part(from, (size_t)n);
}

static void store_some(float *to, vfloat v, int n)
{
    if (n >= LANES)
        v_store(to, v);
    else
        v_store_part(to, v, (size_t)n);
}

/* --- forward ------------------------------------------------------------------ */

/* sum[r][gate] += a[r][k] weights[k][gate], k < depth. */
V_INLINE void add_gates(const int rows, vfloat sum[STEP_ROWS][GATES], const float *a, size_t a_row,
                        int depth, const float *weights)
{
    for (int k = 0; k < depth; k++, weights += GATES * LANES) {
        vfloat x[STEP_ROWS];
        UNROLL for (int r = 0; r < rows; r++)
        {
            x[r] = v_set(a[(size_t)r * a_row + (size_t)k]);
            IN_REGISTER(x[r]);
        }
        UNROLL for (int g = 0; g < GATES; g++)
        {
            vfloat w = v_load(weights + g * LANES);
            IN_REGISTER(w);
            UNROLL for (int r = 0; r < rows; r++) sum[r][g] += x[r] * w;
        }
    }
}

/* Units [unit, unit + LANES) of `rows` rows from the first-th. */
V_INLINE void gates_of(const int rows, const zf_lstm_step *job, int first, int unit,
                       vfloat out[STEP_ROWS][GATES])
{
    int depth = job->inputs + job->hidden;
    const float *weights = job->weights + (size_t)unit * GATES * (size_t)depth;
    const float *bias = job->bias + (size_t)unit * GATES;
    size_t bias_size = GATES * (size_t)padded(job->hidden);
    vfloat sum[STEP_ROWS][GATES];
    UNROLL for (int r = 0; r < rows; r++)
    {
        const float *own = bias + (job->bits ? (size_t)job->bits[first + r] * bias_size : 0);
        UNROLL for (int g = 0; g < GATES; g++) sum[r][g] = v_load(own + g * LANES);
    }
    add_gates(rows, sum, job->x + (size_t)first * job->x_row, job->x_row, job->inputs, weights);
    if (job->before)
        add_gates(rows, sum, job->before + (size_t)first * job->y_row, job->y_row, job->hidden,
                  weights + (size_t)job->inputs * GATES * LANES);
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int g = 0; g < GATES; g++) out[r][g] =
        sum[r][g];
}

#define DEFINE_STEP(rows)                                                                          \
    static void gates_of_##rows(const zf_lstm_step *job, int first, int unit,                      \
                                vfloat out[STEP_ROWS][GATES])                                      \
    {                                                                                              \
        gates_of(rows, job, first, unit, out);                                                     \
    }
EACH_STEP(DEFINE_STEP)

typedef void gates_function(const zf_lstm_step *job, int first, int unit,
                            vfloat out[STEP_ROWS][GATES]);
#define STEP_ENTRY(rows) [rows] = gates_of_##rows,
static gates_function *const gates_functions[STEP_ROWS + 1] = {EACH_STEP(STEP_ENTRY)};

static void finish_row(const zf_lstm_step *job, int row, int unit, const vfloat gate[GATES])
{
    size_t width = (size_t)padded(job->hidden), at = (size_t)row * width + (size_t)unit;
    float *gates = job->gates + (size_t)row * GATES * width + unit;
    vfloat input = v_sigmoid(gate[0]), forget = v_sigmoid(gate[1]);
    vfloat candidate = v_tanh(gate[2]), output = v_sigmoid(gate[3]);
    vfloat cell = input * candidate;
    if (job->cell_before) cell += forget * v_load(job->cell_before + at);
    v_store(gates, input);
    v_store(gates + width, forget);
    v_store(gates + 2 * width, candidate);
    v_store(gates + 3 * width, output);
    v_store(job->cell + at, cell);
    vfloat state = output * v_tanh(cell);
    store_some(job->y + (size_t)row * job->y_row + unit, state, job->hidden - unit);
    if (!job->readout) return;
    float part = v_sum(state * v_load(job->readout + unit));
    job->out[row] = unit ? job->out[row] + part : part;
}

static void step(const zf_lstm_step *job)
{
    vfloat gates[STEP_ROWS][GATES];
    for (int unit = 0; unit < job->hidden; unit += LANES)
        for (int first = 0, rows; first < job->n; first += rows) {
            rows = next_block(job->n - first, STEP_ROWS);
            gates_functions[rows](job, first, unit, gates);
            for (int r = 0; r < rows; r++) finish_row(job, first + r, unit, gates[r]);
        }
}

/* --- backward ------------------------------------------------------------------- */

static void step_back_row(const zf_lstm_step_back *job, int row, int unit)
{
    size_t width = (size_t)padded(job->hidden), at = (size_t)row * width + (size_t)unit;
    const float *gates = job->gates + (size_t)row * GATES * width + unit;
    vfloat input = v_load(gates), forget = v_load(gates + width);
    vfloat candidate = v_load(gates + 2 * width), output = v_load(gates + 3 * width);
    vfloat shown = v_tanh(v_load(job->cell + at));
    vfloat before = job->cell_before ? v_load(job->cell_before + at) : v_set(0.0f);

    vfloat d_hidden = load_some(job->dy + (size_t)row * job->dy_row + unit, job->hidden - unit);
    if (job->dy_scale) d_hidden *= job->dy_scale[row];
    if (job->d_hidden) d_hidden += v_load(job->d_hidden + (size_t)row * job->d_hidden_row + unit);
    vfloat d_cell = v_load(job->d_cell + at) + d_hidden * output * (1.0f - shown * shown);

    float *d_gates = job->d_gates + (size_t)row * GATES * width + unit;
    v_store(d_gates, d_cell * candidate * (input * (1.0f - input)));
    v_store(d_gates + width, d_cell * before * (forget * (1.0f - forget)));
    v_store(d_gates + 2 * width, d_cell * input * (1.0f - candidate * candidate));
    v_store(d_gates + 3 * width, d_hidden * shown * (output * (1.0f - output)));
    v_store(job->d_cell + at, d_cell * forget);
}

static void step_back(const zf_lstm_step_back *job)
{
    for (int row = 0; row < job->n; row++)
        for (int unit = 0; unit < job->hidden; unit += LANES) step_back_row(job, row, unit);
}

/* --- product ----------------------------------------------------------------------- */

V_INLINE void product_tile(const int rows, const int vectors, const zf_lstm_product *job,
                           const float *a, const float *b, float *c)
{
    vfloat sum[PRODUCT_ROWS][PRODUCT_VECTORS];
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int v = 0; v < vectors; v++) sum[r][v] =
        job->accumulate ? v_load(c + (size_t)r * job->c_row + v * LANES) : v_set(0.0f);
    for (int k = 0; k < job->depth; k++, a += job->a_step, b += job->b_row) {
        vfloat y[PRODUCT_VECTORS];
        UNROLL for (int v = 0; v < vectors; v++)
        {
            y[v] = v_load(b + v * LANES);
            IN_REGISTER(y[v]);
        }
        UNROLL for (int r = 0; r < rows; r++)
        {
            vfloat x = v_set(a[(size_t)r * job->a_row]);
            IN_REGISTER(x);
            UNROLL for (int v = 0; v < vectors; v++) sum[r][v] += x * y[v];
        }
    }
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int v = 0; v < vectors; v++)
        v_store(c + (size_t)r * job->c_row + v * LANES, sum[r][v]);
}

#define DEFINE_PRODUCT(rows)                                                                       \
    static void product_##rows(int vectors, const zf_lstm_product *job, const float *a,            \
                               const float *b, float *c)                                           \
    {                                                                                              \
        if (vectors == 1)                                                                          \
            product_tile(rows, 1, job, a, b, c);                                                   \
        else if (vectors == 2)                                                                     \
            product_tile(rows, 2, job, a, b, c);                                                   \
        else                                                                                       \
            product_tile(rows, 3, job, a, b, c);                                                   \
    }
EACH_PRODUCT(DEFINE_PRODUCT)

typedef void product_function(int vectors, const zf_lstm_product *job, const float *a,
                              const float *b, float *c);
#define PRODUCT_ENTRY(rows) [rows] = product_##rows,
static product_function *const product_functions[PRODUCT_ROWS + 1] = {EACH_PRODUCT(PRODUCT_ENTRY)};

static void product(const zf_lstm_product *job)
{
    int all = job->columns / LANES;
    for (int v = 0, vectors; v < all; v += vectors) {
        vectors = next_block(all - v, PRODUCT_VECTORS);
        for (int r = 0, rows; r < job->rows; r += rows) {
            rows = next_block(job->rows - r, PRODUCT_ROWS);
            product_functions[rows](vectors, job, job->a + (size_t)r * job->a_row,
                                    job->b + v * LANES,
                                    job->c + (size_t)r * job->c_row + v * LANES);
        }
    }
}

const zf_lstm_kernels ZF_TABLE(zf_lstm_kernels_of) = {
    .lanes = LANES,
    .step = step,
    .step_back = step_back,
    .product = product,
};
