/* Columns that take few values: there is no middle between two levels, and no way but from
   one to the other. A field says of each level, or of levels of several columns together,
   whether a pair leaves it or arrives.

     scale    witness of x                                     sum of squares
     levels   1[x_k = v] / root of the level's share           chi-square of each column
     tables   products of two columns' centred witnesses       of each pair of columns
     rows     products of three columns' centred witnesses     of three columns and more
              and more, by a kernel between distinct rows       together

   The kernel of rows adds up products of k_m over all sets of at least three columns, each
   column beyond the third for 1 / M, so that the many sets of many columns do not outweigh
   those of three: k_m(x, y) = 1[x = y] - share(x) - share(y) + S with S the sum of squared
   shares, in units of 1 - S, a column's variance. What one or two columns tell is left to
   levels and tables: with it, dependence of three columns is one direction of all that differ
   between rows.

   Levels and tables with more than 512 features share them (each is added to one of 512 with
   a drawn sign), which keeps the sum of squares right on average.
   Letters: N rows, M columns of few values, V levels of all of them, U distinct rows. */
#ifndef ZF_CRITERION_LEVELS_H
#define ZF_CRITERION_LEVELS_H

#include "criterion/pool.h"

enum { ZF_LEVELS_MOST = 512 }; /* features of each scale */

typedef struct zf_levels {
    size_t rows, columns, levels;
    size_t paired;   /* columns whose pairs are looked at: the first ones */
    size_t cells;    /* of their tables */
    size_t distinct; /* rows; 0: too many */
    size_t *column;  /* [M]: of the pool */
    size_t *first;   /* [M + 1]: levels of the columns before */
    double *share;   /* [V] */
    uint8_t *code;   /* [N, M]: level of each row */
    uint16_t *row;   /* [N]: which of the distinct rows */
    double *root;    /* [U, U] of the kernel */
} zf_levels;

/* No column of few values: all counts are 0. ZF_ENOMEM. */
zf_status zf_levels_new(zf_levels *out, const zf_pool *pool) ZF_CHECK;

size_t zf_levels_features(const zf_levels *levels);
size_t zf_levels_tables(const zf_levels *levels);
size_t zf_levels_rows(const zf_levels *levels);

/* Witnesses of a row of the pool; zf_levels_whole that of `rows`. */
void zf_levels_single(const zf_levels *levels, size_t row, double *to);
void zf_levels_pairs(const zf_levels *levels, size_t row, double *to);
void zf_levels_whole(const zf_levels *levels, size_t row, double *to);

/* part[D] += what each coordinate gives to sum of weight[f] * witness f: a pair gives half to
   each of its columns, a whole row the same to all. */
void zf_levels_single_parts(const zf_levels *levels, const double *weight, size_t row,
                            double *part);
void zf_levels_pairs_parts(const zf_levels *levels, const double *weight, size_t row, double *part);
void zf_levels_whole_parts(const zf_levels *levels, const double *weight, size_t row, double *part);

void zf_levels_free(zf_levels *levels); /* leaves an empty one; {0} is fine */

#endif
