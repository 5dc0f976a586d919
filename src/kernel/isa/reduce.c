/* Sums (kernel/reduce.h).

   Column sums go down a panel of a few vectors of columns at a time, in blocks
   of rows, so that partial sums stay in registers and each is a sum of few
   terms. */
#include "kernel/reduce.h"

#include "kernel/isa/fold.h"

/* --- over arrays -------------------------------------------------------------- */

V_INLINE vfloat squared_gap(vfloat a, vfloat b, vfloat unused)
{
    (void)unused;
    return (a - b) * (a - b);
}

V_INLINE vfloat weighted_square(vfloat a, vfloat weight, vfloat unused)
{
    (void)unused;
    return weight * (a * a);
}

static double sum(const float *x, size_t n)
{
    return v_fold_double(v_term_first, x, x, 0, n);
}

static double dot(const float *a, const float *b, size_t n)
{
    return v_fold_double(v_term_product, a, b, 0, n);
}

static double squares(const float *x, size_t n)
{
    return v_fold_double(v_term_product, x, x, 0, n);
}

static double squared_difference(const float *a, const float *b, size_t n)
{
    return v_fold_double(squared_gap, a, b, 0, n);
}

static double weighted_squares(const float *x, const float *weight, size_t n)
{
    return v_fold_double(weighted_square, x, weight, 0, n);
}

/* Three arrays: the differences go through a block on the stack. */
static double weighted_squared_difference(const float *a, const float *b, const float *weight,
                                          size_t n)
{
    float gap[V_FOLD_BLOCK];
    double total = 0;
    for (size_t i = 0; i < n; i += V_FOLD_BLOCK) {
        size_t block = n - i < V_FOLD_BLOCK ? n - i : V_FOLD_BLOCK;
        for (size_t j = 0; j < block; j++) gap[j] = a[i + j] - b[i + j];
        total += weighted_squares(gap, weight + i, block);
    }
    return total;
}

typedef struct gap_of {
    const float *a, *b, *weight;
    float factor;
    bool fresh;
} gap_of;

/* Elements [i, i + part), or a whole vector if part is 0. */
V_INLINE void gap_at(float *dx, const gap_of *g, size_t i, size_t part)
{
#define LOAD(from) (part ? v_load_part((from) + i, part) : v_load((from) + i))
    vfloat v = LOAD(g->a);
    if (g->b) v -= LOAD(g->b);
    v *= g->factor;
    if (g->weight) v *= LOAD(g->weight);
    if (!g->fresh) v += LOAD(dx);
#undef LOAD
    if (part)
        v_store_part(dx + i, v, part);
    else
        v_store(dx + i, v);
}

static void gap(float *dx, float factor, const float *a, const float *b, const float *weight,
                size_t n, bool fresh)
{
    const gap_of g = {a, b, weight, factor, fresh}; /* what it lacks is decided outside the loop */
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) gap_at(dx, &g, i, 0);
    if (i < n) gap_at(dx, &g, i, n - i);
}

/* --- over columns --------------------------------------------------------------- */

enum { PANEL = 4, ROW_BLOCK = 64 };

typedef struct panel {
    vfloat v[PANEL];
} panel;

/* One row's part of a panel that is `width` columns wide; what is beyond is 0. */
V_INLINE panel load_panel(const float *from, size_t width)
{
    panel p;
    for (size_t k = 0; k < PANEL; k++) {
        size_t begin = k * LANES;
        if (begin + LANES <= width)
            p.v[k] = v_load(from + begin);
        else
            p.v[k] = begin < width ? v_load_part(from + begin, width - begin) : (vfloat){0};
    }
    return p;
}

V_INLINE void store_panel(float *to, panel p, size_t width)
{
    for (size_t k = 0; k < PANEL; k++) {
        size_t begin = k * LANES;
        if (begin + LANES <= width)
            v_store(to + begin, p.v[k]);
        else if (begin < width)
            v_store_part(to + begin, p.v[k], width - begin);
    }
}

/* Sums of a (times b, unless NULL) over rows, for one panel. */
V_INLINE panel sum_panel(const float *a, const float *b, size_t rows, size_t columns, size_t width)
{
    panel total = {{{0}}};
    for (size_t first = 0; first < rows; first += ROW_BLOCK) {
        size_t last = rows - first < ROW_BLOCK ? rows : first + ROW_BLOCK;
        panel block = {{{0}}};
        for (size_t n = first; n < last; n++) {
            panel x = load_panel(a + n * columns, width);
            if (b) {
                panel y = load_panel(b + n * columns, width);
                for (int k = 0; k < PANEL; k++) x.v[k] *= y.v[k];
            }
            for (int k = 0; k < PANEL; k++) block.v[k] += x.v[k];
        }
        for (int k = 0; k < PANEL; k++) total.v[k] += block.v[k];
    }
    return total;
}

V_INLINE void sum_columns(float *out, const float *a, const float *b, size_t rows, size_t columns,
                          bool fresh)
{
    for (size_t j = 0; j < columns; j += PANEL * LANES) {
        const float *other = b ? b + j : NULL;
        size_t width = columns - j;
        panel total;
        if (width >= PANEL * LANES) { /* a constant width makes straight code */
            width = PANEL * LANES;
            total = sum_panel(a + j, other, rows, columns, PANEL * LANES);
        } else {
            total = sum_panel(a + j, other, rows, columns, width);
        }
        if (!fresh) {
            panel before = load_panel(out + j, width);
            for (int k = 0; k < PANEL; k++) total.v[k] += before.v[k];
        }
        store_panel(out + j, total, width);
    }
}

static void column_sums(float *out, const float *x, size_t rows, size_t columns, bool fresh)
{
    sum_columns(out, x, NULL, rows, columns, fresh);
}

static void column_dots(float *out, const float *a, const float *b, size_t rows, size_t columns,
                        bool fresh)
{
    sum_columns(out, a, b, rows, columns, fresh);
}

/* --- a row for every row ---------------------------------------------------------- */

static void add_row(float *y, const float *x, const float *row, size_t rows, size_t columns)
{
    for (size_t n = 0; n < rows; n++, x += columns, y += columns) {
        size_t j = 0;
        for (; j + LANES <= columns; j += LANES) v_store(y + j, v_load(x + j) + v_load(row + j));
        size_t rest = columns - j;
        if (rest > 0)
            v_store_part(y + j, v_load_part(x + j, rest) + v_load_part(row + j, rest), rest);
    }
}

V_INLINE void mul_rows(float *y, const float *x, const float *row, size_t rows, size_t columns,
                       bool fresh)
{
    for (size_t n = 0; n < rows; n++, x += columns, y += columns) {
        size_t j = 0;
        for (; j + LANES <= columns; j += LANES) {
            vfloat before = fresh ? (vfloat){0} : v_load(y + j);
            vfloat product = v_load(x + j) * v_load(row + j);
            v_store(y + j, fresh ? product : before + product);
        }
        size_t rest = columns - j;
        if (rest == 0) continue;
        vfloat before = fresh ? (vfloat){0} : v_load_part(y + j, rest);
        vfloat product = v_load_part(x + j, rest) * v_load_part(row + j, rest);
        v_store_part(y + j, fresh ? product : before + product, rest);
    }
}

static void mul_row(float *y, const float *x, const float *row, size_t rows, size_t columns,
                    bool fresh)
{
    if (fresh)
        mul_rows(y, x, row, rows, columns, true);
    else
        mul_rows(y, x, row, rows, columns, false);
}

const zf_reduce_kernels ZF_TABLE(zf_reduce) = {
    .sum = sum,
    .dot = dot,
    .squares = squares,
    .squared_difference = squared_difference,
    .weighted_squares = weighted_squares,
    .weighted_squared_difference = weighted_squared_difference,
    .gap = gap,
    .column_sums = column_sums,
    .column_dots = column_dots,
    .add_row = add_row,
    .mul_row = mul_row,
};
