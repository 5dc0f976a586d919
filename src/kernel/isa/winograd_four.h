/* Winograd's F(4x4, 3x3) of one tile, LANES channels side by side: 4x4 outputs from 6x6
   inputs by 36 products a pair of channels, where the definition has 144.

       y = A' [(G w G') . (B' x B)] A        dw = G' [(B' x B) . (A dy A')] G

   The polynomials are evaluated at 0, +-3/4, +-3/2 and infinity: numbers that float32
   holds, as it does all numbers of A and B. With normal x and w, 16 -> 16 channels, values
   are off by 4.8e-7 of their scale (root mean square; 3.5e-6 at worst), weight gradients
   by 8e-7 (5e-6). At the usual points, 0, +-1, +-2 and infinity, it is twice as much, and
   1e-5 at worst. */
#ifndef ZF_KERNEL_ISA_WINOGRAD_FOUR_H
#define ZF_KERNEL_ISA_WINOGRAD_FOUR_H

#include "kernel/isa/isa.h"
#include "kernel/isa/tile.h"

enum { SIDE = 4, REACH = 6, PLACES = REACH * REACH };

/* The points +-P and +-Q; powers and products of them. */
#define P    0.75f
#define PP   (P * P)
#define PPP  (P * P * P)
#define Q    1.5f
#define QQ   (Q * Q)
#define QQQ  (Q * Q * Q)
#define PPQQ (PP * QQ)

/* Two of B' x: those at the points 0 and infinity, at +-P, or at +-Q. Sums and differences are
   additions, for which many processors have room beside their multiplications. */
enum { OUTER, AT_P, AT_Q, PAIRS };

V_INLINE void two_of_six(const int pair, const vfloat x[REACH], vfloat to[2])
{
    if (pair == OUTER) {
        to[0] = PPQQ * x[0] + (x[4] - (PP + QQ) * x[2]);
        to[1] = PPQQ * x[1] + (x[5] - (PP + QQ) * x[3]);
        return;
    }
    vfloat even = x[4] - (pair == AT_P ? QQ : PP) * x[2];
    vfloat odd = pair == AT_P ? P * x[3] - (P * QQ) * x[1] : Q * x[3] - (Q * PP) * x[1];
    to[0] = even + odd;
    to[1] = even - odd;
}

/* Where these two are. */
V_INLINE int place_of(const int pair, int which)
{
    return pair == OUTER ? which * (REACH - 1) : 2 * pair - 1 + which;
}

/* B' x of six. */
V_INLINE void six_of_six(const vfloat x[REACH], vfloat to[REACH])
{
    UNROLL for (int pair = 0; pair < PAIRS; pair++)
    {
        vfloat two[2];
        two_of_six(pair, x, two);
        UNROLL for (int i = 0; i < 2; i++) to[place_of(pair, i)] = two[i];
    }
}

/* A' m of six. */
V_INLINE void four_of_six(const vfloat m[REACH], vfloat to[SIDE])
{
    vfloat even_p = m[1] + m[2], odd_p = m[1] - m[2];
    vfloat even_q = m[3] + m[4], odd_q = m[3] - m[4];
    to[0] = m[0] + even_p + even_q;
    to[1] = P * odd_p + Q * odd_q;
    to[2] = PP * even_p + QQ * even_q;
    to[3] = PPP * odd_p + (QQQ * odd_q + m[5]);
}

/* A y of four. */
V_INLINE void six_of_four(const vfloat y[SIDE], vfloat to[REACH])
{
    vfloat even = y[0] + PP * y[2], odd = P * y[1] + PPP * y[3];
    to[0] = y[0];
    to[1] = even + odd;
    to[2] = even - odd;
    even = y[0] + QQ * y[2], odd = Q * y[1] + QQQ * y[3];
    to[3] = even + odd;
    to[4] = even - odd;
    to[5] = y[3];
}

/* A tile in memory: [place][TILE_LINE]. Its places are at constant distances, so that none
   of the addresses below takes a register of its own. */
enum { TILE_LINE = 16, TILE_FLOATS = PLACES * TILE_LINE };

V_INLINE void store_column(const vfloat from[REACH], int s, float *tile)
{
    UNROLL for (int r = 0; r < REACH; r++) v_store(tile + (REACH * r + s) * TILE_LINE, from[r]);
}

/* A pair of rows of B' x, in the column at x. */
V_INLINE void gather_column(const int pair, const float *x, size_t row, int s,
                            vfloat half[2][REACH])
{
    vfloat from[REACH], to[2];
    UNROLL for (int r = 0; r < REACH; r++) from[r] = v_load(x + (size_t)r * row);
    two_of_six(pair, from, to);
    UNROLL for (int i = 0; i < 2; i++) half[i][s] = to[i];
}

/* A pair of rows of B' x B, of one of B' x. */
V_INLINE void store_pair(const int pair, vfloat half[2][REACH], float *tile)
{
    UNROLL for (int i = 0; i < 2; i++)
    {
        vfloat to[REACH];
        six_of_six(half[i], to);
        UNROLL for (int s = 0; s < REACH; s++)
            v_store(tile + (REACH * place_of(pair, i) + s) * TILE_LINE, to[s]);
    }
}

/* The same of so many tiles; pixels and rows of x at distances in floats. A pair
   at a time is what registers hold, and tiles share the columns in which they overlap. */
V_INLINE void gather_pair(const int pair, int tiles, const float *x, const size_t pixel, size_t row,
                          float *tile)
{
    vfloat half[2][REACH];
    UNROLL for (int s = SIDE; s < REACH; s++, x += pixel) gather_column(pair, x, row, s, half);
    for (int t = 0; t < tiles; t++, tile += TILE_FLOATS) {
        UNROLL for (int i = 0; i < 2; i++)
        {
            UNROLL for (int s = SIDE; s < REACH; s++) half[i][s - SIDE] = half[i][s];
        }
        UNROLL for (int s = REACH - SIDE; s < REACH; s++, x += pixel)
            gather_column(pair, x, row, s, half);
        store_pair(pair, half, tile);
    }
}

/* A dy A'. */
V_INLINE void disperse_tile(const float *dy, const size_t pixel, size_t row, float *tile)
{
    vfloat half[SIDE][REACH];
    UNROLL for (int r = 0; r < SIDE; r++, dy += row)
    {
        vfloat from[SIDE];
        UNROLL for (int i = 0; i < SIDE; i++) from[i] = v_load(dy + (size_t)i * pixel);
        six_of_four(from, half[r]);
    }
    UNROLL for (int s = 0; s < REACH; s++)
    {
        vfloat from[SIDE], to[REACH];
        UNROLL for (int r = 0; r < SIDE; r++) from[r] = half[r][s];
        six_of_four(from, to);
        store_column(to, s, tile);
    }
}

/* A' tile, of whose rows four_of_six makes rows of pixels. */
V_INLINE void settle_columns(const float *tile, vfloat half[SIDE][REACH])
{
    UNROLL for (int s = 0; s < REACH; s++)
    {
        vfloat from[REACH], to[SIDE];
        UNROLL for (int r = 0; r < REACH; r++) from[r] = v_load(tile + (REACH * r + s) * TILE_LINE);
        four_of_six(from, to);
        UNROLL for (int r = 0; r < SIDE; r++) half[r][s] = to[r];
    }
}

/* --- weights -------------------------------------------------------------------------- */

/* Row i of G. */
static inline void evaluate_row(int i, double row[3])
{
    const double p = (double)P, q = (double)Q, pp = p * p, qq = q * q;
    const double at[REACH] = {0, p, -p, q, -q, 0};
    const double scale[REACH] = {1 / (pp * qq),
                                 1 / (2 * pp * (pp - qq)),
                                 1 / (2 * pp * (pp - qq)),
                                 1 / (2 * qq * (qq - pp)),
                                 1 / (2 * qq * (qq - pp)),
                                 0};
    for (int k = 0; k < 3; k++) row[k] = scale[i] * (k == 0 ? 1 : k == 1 ? at[i] : at[i] * at[i]);
    if (i == REACH - 1) row[2] = 1;
}

static inline void evaluation(double g[REACH][3])
{
    for (int i = 0; i < REACH; i++) evaluate_row(i, g[i]);
}

/* G w G' of one kernel, to places at a distance. */
static inline void transform_kernel(double g[REACH][3], const float w[9], float *to, size_t place)
{
    double half[REACH][3];
    for (int i = 0; i < REACH; i++)
        for (int x = 0; x < 3; x++)
            half[i][x] =
                g[i][0] * (double)w[x] + g[i][1] * (double)w[3 + x] + g[i][2] * (double)w[6 + x];
    for (int i = 0; i < REACH; i++)
        for (int j = 0; j < REACH; j++)
            to[(size_t)(REACH * i + j) * place] =
                (float)(half[i][0] * g[j][0] + half[i][1] * g[j][1] + half[i][2] * g[j][2]);
}

/* G' sum G of one kernel. */
static inline void restore_kernel(double g[REACH][3], const float *sum, size_t place, double w[9])
{
    double half[3][REACH] = {{0}};
    for (int i = 0; i < REACH; i++)
        for (int j = 0; j < REACH; j++)
            for (int y = 0; y < 3; y++)
                half[y][j] += g[i][y] * (double)sum[(size_t)(REACH * i + j) * place];
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) {
            w[3 * y + x] = 0;
            for (int j = 0; j < REACH; j++) w[3 * y + x] += half[y][j] * g[j][x];
        }
}

#endif
