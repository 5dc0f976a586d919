/* Products with packed matrices (panel.h) on AMX, where the processor multiplies
   tiles of 16 x 32 by 32 x 16 bfloat16 and adds them up in float32.

   A float is the sum of three bfloat16, 8 bits of its 24 each. Of the nine
   products of two such sums six are formed; the other three are below half a unit
   in the last place of the product. So a result is as good as one from float32
   arithmetic, and there are six times the multiplications at sixteen times the
   rate. The quick table takes two parts and forms three products: twice as fast, and
   products of 16 to 17 bits, 64 times as fine as the TF32 that graphics processors
   train with. What is not finite gives NaN, an element below 2^-126 counts as 0.

   B is packed in panels of 32 columns, and a panel in blocks of 32 of k: all
   parts, two tiles each, in pairs of k as the instruction wants them. A is brought
   into parts of 32 rows and 256 (quick: 768) of k at a time on the stack. An element's sum goes
   over k in one order, whatever m, n and its place are.

   Tiles multiply on their own, and while they do the vector units are idle. So the parts
   of the next 32 rows are made between the products of these, and the lines of C that come
   next are asked for. It goes in small steps, a row of a tile each: a whole tile at once
   fills the processor's window, and the products after it come late. Storing the sides of C
   is not hidden. Rejected, because no faster: sums that begin with a tile of zeros, asking
   for C to write, fewer blocks of k on the stack.

   The number of parts is a constant of each function once it is inlined. */
#include "kernel/panel.h"

#include "kernel/isa/tiles.h"

#if defined(__AVX512F__)

enum {
    EXACT = 3, /* parts of a float */
    QUICK = 2,
    SIDE = 2 * TILE,        /* rows and columns of C at once, elements of k in a block */
    PART = 2 * TILE * SIDE, /* bfloat16 of one part: two tiles */
    BLOCKS_EXACT = 8,       /* of k, that are on the stack at once */
    BLOCKS_QUICK = 24,
    GROUPS_EXACT = 6, /* of products of parts, in a block */
    GROUPS_QUICK = 3,
    DEPTH_QUICK = 288, /* at which a caller best cuts k, so that what he has of it stays in cache */
};

typedef uint16_t half;

/* --- parts ---------------------------------------------------------------------- */

/* The next part of both in pairs: first the lane of a, then that of b. */
static inline __m512i next_pairs(__m512 *a, __m512 *b)
{
    static const uint16_t order[SIDE] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                         21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                         11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    __m512i pairs;
    __asm__("vcvtne2ps2bf16 %1, %2, %0" : "=v"(pairs) : "v"(*a), "v"(*b));
    pairs = _mm512_permutexvar_epi16(_mm512_loadu_si512(order), pairs);
    *a -= _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
    *b -= _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32(-65536)));
    return pairs;
}

/* The next part of 32 neighbours. */
static inline __m512i next_line(__m512 *low, __m512 *high)
{
    __m512i line;
    __asm__("vcvtne2ps2bf16 %1, %2, %0" : "=v"(line) : "v"(*low), "v"(*high));
    __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(line));
    __m512i second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(line, 1));
    *low -= _mm512_castsi512_ps(_mm512_slli_epi32(first, 16));
    *high -= _mm512_castsi512_ps(_mm512_slli_epi32(second, 16));
    return line;
}

/* Asks for a line that is needed soon. It need not be there: nothing is read. */
static inline void ask_for(const float *base, size_t offset)
{
    __builtin_prefetch((const void *)((uintptr_t)base + offset * sizeof *base), 0, 2);
}

/* Up to 16 elements; 0 for those that are not there. */
static inline __m512 load_up_to(const float *from, int n)
{
    if (n >= TILE) return _mm512_loadu_ps(from);
    return n <= 0 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), from);
}

/* The two ways in which a matrix lies in memory: the 32 of k of a line are
   neighbours, or lie `stride` apart while 16 lines are neighbours. Each makes one
   tile of each part, to[0], to[PART] and so on, with lines as its rows or as its
   columns, in steps. The next 32 lines are asked for meanwhile: what is far apart the
   processor does not guess. */
typedef struct source {
    const float *from;
    size_t stride;    /* from line to line; or from one of k to the next */
    int lines, depth; /* that are there, up to 16 and 32 */
} source;

typedef enum form { LINES_AS_ROWS, LINES_AS_COLUMNS, DEPTHS_AS_ROWS, DEPTHS_AS_COLUMNS } form;

static inline bool is_whole(const source *s)
{
    return s->lines >= TILE && s->depth >= SIDE;
}

V_INLINE void put_line(half *to, __m512 low, __m512 high, const int parts)
{
    for (int p = 0; p < parts; p++) _mm512_storeu_si512(to + p * PART, next_line(&low, &high));
}

V_INLINE void put_pairs(half *to, __m512 a, __m512 b, const int parts)
{
    for (int p = 0; p < parts; p++) _mm512_storeu_si512(to + p * PART, next_pairs(&a, &b));
}

V_INLINE void split_line(half *to, const source *s, int line, const int parts)
{
    const float *from = s->from + (size_t)line * s->stride;
    ask_for(from, SIDE * s->stride);
    ask_for(from, SIDE * s->stride + TILE);
    if (is_whole(s)) {
        put_line(to, _mm512_loadu_ps(from), _mm512_loadu_ps(from + TILE), parts);
        return;
    }
    bool there = line < s->lines;
    put_line(to, load_up_to(from, there ? s->depth : 0),
             load_up_to(from + TILE, there ? s->depth - TILE : 0), parts);
}

V_INLINE void split_depths(half *to, const source *s, int at, const int parts)
{
    const float *from = s->from + (size_t)at * s->stride;
    ask_for(from, SIDE);
    ask_for(from, s->stride + SIDE);
    if (is_whole(s)) {
        put_pairs(to, _mm512_loadu_ps(from), _mm512_loadu_ps(from + s->stride), parts);
        return;
    }
    put_pairs(to, load_up_to(from, at < s->depth ? s->lines : 0),
              load_up_to(from + s->stride, at + 1 < s->depth ? s->lines : 0), parts);
}

static void transpose_parts(half *tile)
{
    __m512i v[TILE];
    for (int i = 0; i < TILE; i++) v[i] = _mm512_loadu_si512(tile + i * SIDE);
    transpose_tile(v);
    for (int i = 0; i < TILE; i++) _mm512_storeu_si512(tile + i * SIDE, v[i]);
}

/* Steps in which a tile is made: a row of each part, and then, where rows are to be
   columns, a part. */
V_INLINE int steps_of(const form as, const int parts)
{
    return TILE + (as == LINES_AS_COLUMNS || as == DEPTHS_AS_ROWS ? parts : 0);
}

V_INLINE void split_step(half *to, const source *s, int step, const form as, const int parts)
{
    if (step >= TILE)
        transpose_parts(to + (step - TILE) * PART);
    else if (as == LINES_AS_ROWS || as == LINES_AS_COLUMNS)
        split_line(to + step * SIDE, s, step, parts);
    else
        split_depths(to + step * SIDE, s, 2 * step, parts);
}

/* --- packing -------------------------------------------------------------------- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int blocks_of(int k)
{
    return (k + SIDE - 1) / SIDE;
}

/* A tile, the first or the second, of the block of lines from the first of `from` on and
   of k from there on; line_step and depth_step are how far apart neighbours are, one of
   which is 1. */
static inline source tile_of(const float *from, int tile, size_t line_step, size_t depth_step,
                             int lines, int depth)
{
    int there = least(lines - tile * TILE, TILE);
    return (source){.from = there > 0 ? from + (size_t)(tile * TILE) * line_step : from,
                    .stride = line_step == 1 ? depth_step : line_step,
                    .lines = there,
                    .depth = least(depth, SIDE)};
}

/* A column of B is a line. */
V_INLINE void pack_as(float *packed, const float *b, size_t column_step, size_t depth_step, int k,
                      int n, const form as, const int parts)
{
    half *to = (half *)(void *)packed;
    size_t block = (size_t)(parts * PART), panel = (size_t)blocks_of(k) * block;
    for (int depth = 0; depth < k; depth += SIDE)
        for (int column = 0; column < n; column += SIDE)
            for (int tile = 0; tile < 2; tile++) {
                half *made = to + (size_t)(column / SIDE) * panel + (size_t)(depth / SIDE) * block +
                             tile * TILE * SIDE;
                source s = tile_of(b + (size_t)column * column_step + (size_t)depth * depth_step,
                                   tile, column_step, depth_step, n - column, k - depth);
                for (int step = 0; step < steps_of(as, parts); step++)
                    split_step(made, &s, step, as, parts);
            }
}

/* --- products ------------------------------------------------------------------- */

#define CLEAR(tile) __asm__ volatile("tilezero %%tmm" #tile ::)

/* Sums are tiles 0 to 3, two columns a row; A is 4 and 5, B 6 and 7. */
static inline void load_a(const half *a, int part, const bool two)
{
    TILE_LOAD(4, a + part * PART, TILE_LINE);
    if (two) TILE_LOAD(5, a + part * PART + PART / 2, TILE_LINE);
}

static inline void load_b(const half *b, int part)
{
    TILE_LOAD(6, b + part * PART, TILE_LINE);
    TILE_LOAD(7, b + part * PART + PART / 2, TILE_LINE);
}

static inline void multiply_tiles(const bool two)
{
    TILE_MULTIPLY(0, 4, 6);
    TILE_MULTIPLY(1, 4, 7);
    if (!two) return;
    TILE_MULTIPLY(2, 5, 6);
    TILE_MULTIPLY(3, 5, 7);
}

/* What a sum begins with: 0, what is in C, an element of a row, or the sum of one and of
   what is elsewhere (onto). */
typedef enum start { FROM_ZERO, FROM_C, FROM_ROW, FROM_SUM } start;

/* What does not depend on the number of parts. row_step and depth_step: how far apart
   neighbours in A are. */
typedef struct product {
    float *c;
    size_t ldc;
    const float *a;
    size_t row_step, depth_step;
    const half *b;
    int m, n, k;
    start from;
    const float *row, *onto;
} product;

/* What is done between the products of a strip of 32 rows of C: the parts of A for the
   next strip. And lines of C (and of what it begins with) are asked for that come next,
   because a store that waits for its line keeps all that follow waiting. */
typedef struct meanwhile {
    const product *q;
    half *to;              /* the next strip's parts */
    int row, first;        /* its first row, and block of k */
    int tiles, done;       /* of it: all, and those that are made */
    source tile;           /* that is being made */
    int step;              /* of it that comes next */
    int steps, groups;     /* of a strip: all of them, and of the products they go between */
    int due;               /* steps, times groups */
    const float *c, *onto; /* the next side of C, and of what it begins with, if that is apart */
    int c_rows, c_asking;  /* how many rows it has, and how many are asked for at a block */
} meanwhile;

/* Takes the next step, of which there is one left. */
V_INLINE void take_step(meanwhile *w, const form as, const int parts)
{
    const product *q = w->q;
    if (w->step == 0) {
        int block = w->first + w->done / 2;
        w->tile =
            tile_of(q->a + (size_t)w->row * q->row_step + (size_t)block * SIDE * q->depth_step,
                    w->done % 2, q->row_step, q->depth_step, q->m - w->row, q->k - block * SIDE);
    }
    split_step(w->to + (size_t)(w->done / 2) * (size_t)(parts * PART) + w->done % 2 * TILE * SIDE,
               &w->tile, w->step, as, parts);
    if (++w->step < steps_of(as, parts)) return;
    w->step = 0;
    w->done++;
}

V_INLINE void go_on(meanwhile *w, const form as, const int parts)
{
    if (w->done == w->tiles) return;
    for (w->due += w->steps; w->due >= w->groups && w->done < w->tiles; w->due -= w->groups)
        take_step(w, as, parts);
}

V_INLINE void ask_for_next(meanwhile *w, int block)
{
    int end = least((block + 1) * w->c_asking, w->c_rows);
    for (int row = block * w->c_asking; row < end; row++) {
        ask_for(w->c, (size_t)row * w->q->ldc);
        ask_for(w->c, (size_t)row * w->q->ldc + TILE);
        if (!w->onto) continue;
        ask_for(w->onto, (size_t)row * w->q->ldc);
        ask_for(w->onto, (size_t)row * w->q->ldc + TILE);
    }
}

/* The products of the parts that are loaded; and of the next strip what is due. */
V_INLINE void multiply_group(const bool two, const form as, const int parts, meanwhile *other)
{
    multiply_tiles(two);
    go_on(other, as, parts);
}

/* Adds `blocks` of k to the sums, in an order that loads little. */
V_INLINE void add_blocks(const half *a, const half *b, int blocks, const bool two, const form as,
                         const int parts, meanwhile *other)
{
    for (int i = 0; i < blocks; i++, a += parts * PART, b += parts * PART) {
        load_a(a, 0, two);
        if (parts == EXACT) {
            load_b(b, 2);
            multiply_group(two, as, parts, other);
        }
        load_b(b, 1);
        multiply_group(two, as, parts, other);
        if (parts == EXACT) {
            load_a(a, 1, two);
            multiply_group(two, as, parts, other);
        }
        load_b(b, 0);
        multiply_group(two, as, parts, other);
        load_a(a, parts - 1, two);
        multiply_group(two, as, parts, other);
        if (parts == EXACT) {
            load_a(a, 0, two);
            multiply_group(two, as, parts, other);
        }
        ask_for_next(other, i);
    }
}

/* The sums of a side of C; a row is a tile whose lines are the same. */
V_INLINE void add_to_side(float *c, size_t stride, start from, const float *row, const half *a,
                          const half *b, int blocks, const bool two, const form as, const int parts,
                          meanwhile *other)
{
    float *below = c + (size_t)TILE * (stride / sizeof *c);
    if (from != FROM_ZERO) {
        const float *first = from == FROM_ROW ? row : c, *third = from == FROM_ROW ? row : below;
        size_t step = from == FROM_ROW ? 0 : stride;
        TILE_LOAD(0, first, step);
        TILE_LOAD(1, first + TILE, step);
        if (two) TILE_LOAD(2, third, step);
        if (two) TILE_LOAD(3, third + TILE, step);
    } else {
        CLEAR(0);
        CLEAR(1);
        CLEAR(2);
        CLEAR(3);
    }
    add_blocks(a, b, blocks, two, as, parts, other);
    TILE_STORE(0, c, stride);
    TILE_STORE(1, c + TILE, stride);
    if (two) TILE_STORE(2, below, stride);
    if (two) TILE_STORE(3, below + TILE, stride);
}

static inline __m512 begin_with(const product *q, start from, size_t at, int column, int n)
{
    if (from == FROM_C) return load_up_to(q->c + at, n);
    if (from == FROM_ROW) return load_up_to(q->row + column, n);
    __m512 onto = load_up_to(q->onto + at, n);
    return q->row ? _mm512_add_ps(onto, load_up_to(q->row + column, n)) : onto;
}

/* A side of C that may be narrower or lower than 32. */
V_INLINE void add_to_some(const product *q, int row, int column, start from, const half *a,
                          const half *b, int blocks, const form as, const int parts,
                          meanwhile *other)
{
    _Alignas(64) float whole[SIDE * SIDE];
    int rows = least(q->m - row, SIDE), columns = least(q->n - column, SIDE);
    bool two = rows > TILE, fits = columns >= SIDE && (rows >= SIDE || rows == TILE);
    size_t at = (size_t)row * q->ldc + (size_t)column, ldc = fits ? q->ldc : SIDE;
    float *sums = fits ? q->c + at : whole;
    if (from == FROM_SUM || (!fits && from != FROM_ZERO)) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < SIDE; j += TILE)
                _mm512_storeu_ps(sums + (size_t)i * ldc + j,
                                 begin_with(q, from, at + (size_t)i * q->ldc + (size_t)j,
                                            column + j, columns - j));
        from = FROM_C;
    }
    const float *same = q->row ? q->row + column : NULL;
    if (two)
        add_to_side(sums, ldc * sizeof *sums, from, same, a, b, blocks, true, as, parts, other);
    else
        add_to_side(sums, ldc * sizeof *sums, from, same, a, b, blocks, false, as, parts, other);
    for (int i = 0; i < rows && !fits; i++)
        for (int j = 0; j < columns; j += TILE)
            v_store_rest(q->c + at + (size_t)i * q->ldc + j, _mm512_load_ps(whole + i * SIDE + j),
                         (size_t)(columns - j));
}

static void begin_empty(const product *q)
{
    for (int i = 0; i < q->m && q->from != FROM_C; i++)
        for (int j = 0; j < q->n; j += TILE) {
            size_t at = (size_t)i * q->ldc + (size_t)j;
            __m512 v = q->from == FROM_ZERO ? _mm512_setzero_ps()
                                            : begin_with(q, q->from, at, j, q->n - j);
            v_store_rest(q->c + at, v, (size_t)(q->n - j));
        }
}

/* A strip of C: 32 rows, `blocks` of k from `first` on, with A's parts as they are in
   `own`, while those of the next are made. */
V_INLINE void walk_strip(const product *q, int row, int first, int blocks, const half *own,
                         meanwhile *other, const form as, const int parts)
{
    const size_t block = (size_t)(parts * PART);
    start from = first > 0 ? FROM_C : q->from;
    int all = blocks_of(q->k);
    for (int column = 0; column < q->n; column += SIDE) {
        bool last = column + SIDE >= q->n;
        size_t next =
            last ? (size_t)(row + SIDE) * q->ldc : (size_t)row * q->ldc + (size_t)(column + SIDE);
        other->c = q->c + next;
        other->onto = from == FROM_SUM ? q->onto + next : NULL;
        other->c_rows = least(q->m - row - (last ? SIDE : 0), SIDE);
        add_to_some(q, row, column, from, own,
                    q->b + ((size_t)(column / SIDE) * (size_t)all + (size_t)first) * block, blocks,
                    as, parts, other);
    }
    while (other->done < other->tiles) take_step(other, as, parts);
    other->due = 0;
}

V_INLINE void walk(const product *q, const form as, const int parts)
{
    _Alignas(64) half split_a[2][BLOCKS_QUICK * QUICK * PART];
    const int most = parts == EXACT ? BLOCKS_EXACT : BLOCKS_QUICK;
    int all = blocks_of(q->k), sides = blocks_of(q->n);
    if (q->k == 0) begin_empty(q);
    tiles_begin((const uint8_t[8]){TILE, TILE, TILE, TILE, TILE, TILE, TILE, TILE});
    for (int first = 0; first < all; first += most) {
        int blocks = least(all - first, most);
        meanwhile other = {.q = q, .first = first, .to = split_a[0], .tiles = 2 * blocks};
        other.steps = other.tiles * steps_of(as, parts);
        other.groups = blocks * sides * (parts == EXACT ? GROUPS_EXACT : GROUPS_QUICK);
        other.c_asking = (SIDE + blocks - 1) / blocks;
        while (other.done < other.tiles) take_step(&other, as, parts);
        for (int row = 0, which = 0; row < q->m; row += SIDE, which = !which) {
            other.to = split_a[!which];
            other.row = row + SIDE;
            other.done = row + SIDE < q->m ? 0 : other.tiles;
            walk_strip(q, row, first, blocks, split_a[which], &other, as, parts);
        }
    }
    tiles_end();
}

/* --- the tables ------------------------------------------------------------------ */

static product product_of(const zf_panel_product *p)
{
    start apart = p->onto ? FROM_SUM : p->row ? FROM_ROW : FROM_ZERO;
    return (product){
        .c = p->c,
        .ldc = (size_t)p->ldc,
        .a = p->a,
        .row_step = (size_t)p->lda,
        .depth_step = 1,
        .b = (const half *)(const void *)p->packed,
        .m = p->m,
        .n = p->n,
        .k = p->k,
        .from = p->onto == p->c && !p->row ? FROM_C : apart,
        .row = p->row,
        .onto = p->onto,
    };
}

#define TABLE(name, PARTS)                                                                         \
    static size_t bytes_##name(int k, int n)                                                       \
    {                                                                                              \
        return (size_t)blocks_of(n) * (size_t)blocks_of(k) * (PARTS)*PART * sizeof(half);          \
    }                                                                                              \
    static void pack_##name(float *packed, const float *b, int ldb, int k, int n)                  \
    {                                                                                              \
        pack_as(packed, b, 1, (size_t)ldb, k, n, DEPTHS_AS_COLUMNS, PARTS);                        \
    }                                                                                              \
    static void pack_transposed_##name(float *packed, const float *b, int ldb, int k, int n)       \
    {                                                                                              \
        pack_as(packed, b, (size_t)ldb, 1, k, n, LINES_AS_COLUMNS, PARTS);                         \
    }                                                                                              \
    static void multiply_onto_##name(const zf_panel_product *p)                                    \
    {                                                                                              \
        product q = product_of(p);                                                                 \
        walk(&q, LINES_AS_ROWS, PARTS);                                                            \
    }                                                                                              \
    static void multiply_##name(float *c, int ldc, const float *a, int lda, const float *packed,   \
                                int m, int n, int k, bool add)                                     \
    {                                                                                              \
        zf_panel_product p = {c, a, packed, ldc, lda, m, n, k, add ? c : NULL, NULL};              \
        multiply_onto_##name(&p);                                                                  \
    }                                                                                              \
    static void multiply_transposed_##name(float *c, int ldc, const float *a, int lda,             \
                                           const float *packed, int m, int n, int k, bool add)     \
    {                                                                                              \
        zf_panel_product p = {c, a, packed, ldc, lda, m, n, k, add ? c : NULL, NULL};              \
        product q = product_of(&p);                                                                \
        q.row_step = 1;                                                                            \
        q.depth_step = (size_t)lda;                                                                \
        walk(&q, DEPTHS_AS_ROWS, PARTS);                                                           \
    }                                                                                              \
    const zf_panel_kernels zf_panel_tiles_##name = {                                               \
        .depth = (PARTS) == EXACT ? BLOCKS_EXACT * SIDE : DEPTH_QUICK,                             \
        .bytes = bytes_##name,                                                                     \
        .pack = pack_##name,                                                                       \
        .pack_transposed = pack_transposed_##name,                                                 \
        .multiply = multiply_##name,                                                               \
        .multiply_transposed = multiply_transposed_##name,                                         \
        .multiply_onto = multiply_onto_##name,                                                     \
    }

TABLE(exact, EXACT);
TABLE(quick, QUICK);

#else

typedef int zf_no_tiles; /* a file must hold something */

#endif
