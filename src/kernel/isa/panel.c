/* The micro-kernel holds MR rows of C by two vectors of columns in registers,
   walks down k and adds, for each row, one element of A times the panel's two
   vectors. MR is what the registers allow: 12 with AVX-512's 32, 6 with 16. A
   kernel exists for every number of rows up to MR, and rows are dealt out
   evenly, so that 50 rows are 10 + 10 + 10 + 10 + 10 and not 12 * 4 + 2.

   Long k is cut into blocks, so that a panel's block stays in the first cache
   while the rows of A pass by. */
#include "kernel/panel.h"

#include "kernel/isa/isa.h"

enum {
    VECTORS = 2,
    WIDTH = VECTORS * LANES,
    MOST_ROWS = LANES == 16 ? 12 : 6,
    DEPTH = 256, /* of a block of k: 32 KiB of a panel with AVX-512 */
};

/* Where C goes: its first element, distance of rows, columns there are. */
typedef struct tile {
    float *c;
    size_t ldc;
    size_t columns;
    bool add;
} tile;

static inline void store_vector(float *c, vfloat value, size_t columns, bool add)
{
    if (columns >= LANES) {
        v_store(c, add ? v_load(c) + value : value);
    } else if (columns > 0) {
        if (add) value += v_load_part(c, columns);
        v_store_part(c, value, columns);
    }
}

static inline __attribute__((always_inline)) void
store_tile(const tile *t, vfloat sum[MOST_ROWS][VECTORS], int rows)
{
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++) {
            size_t from = (size_t)v * LANES;
            size_t columns = t->columns > from ? t->columns - from : 0;
            store_vector(t->c + (size_t)i * t->ldc + from, sum[i][v], columns, t->add);
        }
}

/* A [m, k]: a row's elements are neighbours. rows is a constant after inlining. */
static inline __attribute__((always_inline)) void
rows_kernel(const tile *t, const float *a, size_t lda, const float *b, size_t k, int rows)
{
    vfloat sum[MOST_ROWS][VECTORS];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++) sum[i][v] = (vfloat){0};
    for (size_t p = 0; p < k; p++, b += WIDTH) {
        vfloat b0 = v_load(b), b1 = v_load(b + LANES);
        for (int i = 0; i < rows; i++) {
            vfloat x = v_set(a[(size_t)i * lda + p]);
            sum[i][0] += x * b0;
            sum[i][1] += x * b1;
        }
    }
    store_tile(t, sum, rows);
}

/* A [k, m]: a column's elements are neighbours. */
static inline __attribute__((always_inline)) void
columns_kernel(const tile *t, const float *a, size_t lda, const float *b, size_t k, int rows)
{
    vfloat sum[MOST_ROWS][VECTORS];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++) sum[i][v] = (vfloat){0};
    for (size_t p = 0; p < k; p++, b += WIDTH, a += lda) {
        vfloat b0 = v_load(b), b1 = v_load(b + LANES);
        for (int i = 0; i < rows; i++) {
            vfloat x = v_set(a[i]);
            sum[i][0] += x * b0;
            sum[i][1] += x * b1;
        }
    }
    store_tile(t, sum, rows);
}

typedef void micro_kernel(const tile *t, const float *a, size_t lda, const float *b, size_t k);

#define KERNELS_OF(rows)                                                                           \
    static void rows_##rows(const tile *t, const float *a, size_t lda, const float *b, size_t k)   \
    {                                                                                              \
        rows_kernel(t, a, lda, b, k, rows);                                                        \
    }                                                                                              \
    static void columns_##rows(const tile *t, const float *a, size_t lda, const float *b,          \
                               size_t k)                                                           \
    {                                                                                              \
        columns_kernel(t, a, lda, b, k, rows);                                                     \
    }

KERNELS_OF(1)
KERNELS_OF(2)
KERNELS_OF(3)
KERNELS_OF(4)
KERNELS_OF(5)
KERNELS_OF(6)
#if defined(__AVX512F__)
KERNELS_OF(7)
KERNELS_OF(8)
KERNELS_OF(9)
KERNELS_OF(10)
KERNELS_OF(11)
KERNELS_OF(12)
#endif

static micro_kernel *const ROWS_KERNELS[MOST_ROWS + 1] = {
    NULL,   rows_1, rows_2, rows_3,  rows_4,  rows_5, rows_6,
#if defined(__AVX512F__)
    rows_7, rows_8, rows_9, rows_10, rows_11, rows_12
#endif
};

static micro_kernel *const COLUMNS_KERNELS[MOST_ROWS + 1] = {
    NULL,      columns_1, columns_2, columns_3,  columns_4,  columns_5, columns_6,
#if defined(__AVX512F__)
    columns_7, columns_8, columns_9, columns_10, columns_11, columns_12
#endif
};

/* a_row and a_depth: how far apart neighbouring rows and neighbours in k are. */
static void walk(float *c, int ldc, const float *a, size_t lda, size_t a_row, size_t a_depth,
                 const float *packed, int m, int n, int k, bool add, micro_kernel *const *kernels)
{
    int blocks = (m + MOST_ROWS - 1) / MOST_ROWS;
    if (k == 0 && !add)
        for (int i = 0; i < m; i++) memset(c + (size_t)i * (size_t)ldc, 0, (size_t)n * sizeof *c);
    for (int depth = 0; depth < k; depth += DEPTH) {
        size_t count = (size_t)(k - depth < DEPTH ? k - depth : DEPTH);
        for (int column = 0; column < n; column += WIDTH) {
            const float *b = packed + (size_t)column * (size_t)k + (size_t)depth * WIDTH;
            for (int block = 0; block < blocks; block++) {
                int row = (int)((long)m * block / blocks);
                int rows = (int)((long)m * (block + 1) / blocks) - row;
                tile t = {.c = c + (size_t)row * (size_t)ldc + column,
                          .ldc = (size_t)ldc,
                          .columns = (size_t)(n - column),
                          .add = add || depth > 0};
                kernels[rows](&t, a + (size_t)row * a_row + (size_t)depth * a_depth, lda, b, count);
            }
        }
    }
}

static void multiply(float *c, int ldc, const float *a, int lda, const float *packed, int m, int n,
                     int k, bool add)
{
    walk(c, ldc, a, (size_t)lda, (size_t)lda, 1, packed, m, n, k, add, ROWS_KERNELS);
}

static void multiply_transposed(float *c, int ldc, const float *a, int lda, const float *packed,
                                int m, int n, int k, bool add)
{
    walk(c, ldc, a, (size_t)lda, 1, (size_t)lda, packed, m, n, k, add, COLUMNS_KERNELS);
}

/* onto + row, of some rows; at least one of them is there. */
static void begin_rows(const zf_panel_product *p, int first, int rows)
{
    for (size_t i = (size_t)first; i < (size_t)(first + rows); i++)
        for (size_t j = 0, n = (size_t)p->n; j < n; j += LANES) {
            size_t at = i * (size_t)p->ldc + j;
            vfloat v = v_load_rest(p->onto ? p->onto + at : p->row + j, n - j);
            if (p->onto && p->row) v += v_load_rest(p->row + j, n - j);
            v_store_rest(p->c + at, v, n - j);
        }
}

static void multiply_onto(const zf_panel_product *p)
{
    enum { STRIP = 64 }; /* rows that stay in the cache between the two */
    bool apart = p->row || (p->onto && p->onto != p->c);
    int step = apart ? STRIP : p->m;
    for (int first = 0; first < p->m; first += step) {
        int rows = p->m - first < step ? p->m - first : step;
        if (apart) begin_rows(p, first, rows);
        multiply(p->c + (size_t)first * (size_t)p->ldc, p->ldc,
                 p->a + (size_t)first * (size_t)p->lda, p->lda, p->packed, rows, p->n, p->k,
                 p->onto || p->row);
    }
}

/* --- packing ----------------------------------------------------------------- */

static size_t bytes(int k, int n)
{
    return ((size_t)n + WIDTH - 1) / WIDTH * WIDTH * (size_t)k * sizeof(float);
}

/* One panel out of rows; columns that are not there are 0. */
static void pack_rows(float *packed, const float *b, size_t ldb, size_t k, size_t columns)
{
    size_t first = columns < LANES ? columns : LANES, second = columns - first;
    for (size_t p = 0; p < k; p++, packed += WIDTH, b += ldb) {
        v_store(packed, first == LANES ? v_load(b) : v_load_part(b, first));
        v_store(packed + LANES,
                second == LANES ? v_load(b + LANES) : v_load_part(b + LANES, second));
    }
}

static void pack(float *packed, const float *b, int ldb, int k, int n)
{
    for (int column = 0; column < n; column += WIDTH) {
        size_t columns = (size_t)(n - column < WIDTH ? n - column : WIDTH);
        pack_rows(packed, b + column, (size_t)ldb, (size_t)k, columns);
        packed += (size_t)WIDTH * (size_t)k;
    }
}

typedef float quad __attribute__((vector_size(16)));

/* Elements of a and b, numbered 0 to 7, by number. */
#if defined(__clang__)
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef int32_t quad_order __attribute__((vector_size(16)));
#define PICK(a, b, ...) __builtin_shuffle(a, b, (quad_order){__VA_ARGS__})
#endif

static inline quad load_quad(const float *from)
{
    quad q;
    memcpy(&q, from, sizeof q);
    return q;
}

/* A 4 x 4 block: rows of B become columns of the panel. */
static inline void transpose_quads(float *to, const float *from, size_t ldb)
{
    quad r0 = load_quad(from), r1 = load_quad(from + ldb);
    quad r2 = load_quad(from + 2 * ldb), r3 = load_quad(from + 3 * ldb);
    quad a = PICK(r0, r1, 0, 4, 1, 5), b = PICK(r2, r3, 0, 4, 1, 5);
    quad c = PICK(r0, r1, 2, 6, 3, 7), d = PICK(r2, r3, 2, 6, 3, 7);
    quad out[4] = {PICK(a, b, 0, 1, 4, 5), PICK(a, b, 2, 3, 6, 7), PICK(c, d, 0, 1, 4, 5),
                   PICK(c, d, 2, 3, 6, 7)};
    for (int i = 0; i < 4; i++) memcpy(to + i * WIDTH, &out[i], sizeof out[i]);
}

/* One panel, whose column j is row j of b; columns that are not there are 0. */
static void pack_columns(float *packed, const float *b, size_t ldb, size_t k, size_t columns)
{
    size_t quads = columns / 4 * 4, depths = k / 4 * 4;
    if (columns < WIDTH) memset(packed, 0, k * WIDTH * sizeof *packed);
    for (size_t p = 0; p < depths; p += 4)
        for (size_t j = 0; j < quads; j += 4)
            transpose_quads(packed + p * WIDTH + j, b + j * ldb + p, ldb);
    for (size_t p = 0; p < k; p++)
        for (size_t j = p < depths ? quads : 0; j < columns; j++)
            packed[p * WIDTH + j] = b[j * ldb + p];
}

static void pack_transposed(float *packed, const float *b, int ldb, int k, int n)
{
    for (int column = 0; column < n; column += WIDTH) {
        size_t columns = (size_t)(n - column < WIDTH ? n - column : WIDTH);
        pack_columns(packed, b + (size_t)column * (size_t)ldb, (size_t)ldb, (size_t)k, columns);
        packed += (size_t)WIDTH * (size_t)k;
    }
}

const zf_panel_kernels ZF_TABLE(zf_panel) = {
    .depth = DEPTH,
    .bytes = bytes,
    .pack = pack,
    .pack_transposed = pack_transposed,
    .multiply = multiply,
    .multiply_onto = multiply_onto,
    .multiply_transposed = multiply_transposed,
};
