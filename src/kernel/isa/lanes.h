/* Moving lanes between vectors, for __builtin_shufflevector: every second lane of two
   vectors, and the lanes of two vectors by turns; and a square of vectors turned. */
#ifndef ZF_KERNEL_ISA_LANES_H
#define ZF_KERNEL_ISA_LANES_H

#include "kernel/isa/isa.h"
#include "kernel/isa/tile.h"

#if defined(__AVX512F__)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS  1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOWER 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define UPPER 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif defined(__AVX2__)
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS  1, 3, 5, 7, 9, 11, 13, 15
#define LOWER 0, 8, 1, 9, 2, 10, 3, 11
#define UPPER 4, 12, 5, 13, 6, 14, 7, 15
#else
#define EVENS 0, 2, 4, 6
#define ODDS  1, 3, 5, 7
#define LOWER 0, 4, 1, 5
#define UPPER 2, 6, 3, 7
#endif

/* Each round zips the first half of the rows with the second, which turns the
   number of row and lane together by one bit. */
V_INLINE void transpose(vfloat m[LANES])
{
    UNROLL for (int round = 1; round < LANES; round *= 2)
    {
        vfloat zipped[LANES];
        UNROLL for (int i = 0; i < LANES / 2; i++)
        {
            zipped[2 * i] = __builtin_shufflevector(m[i], m[i + LANES / 2], LOWER);
            zipped[2 * i + 1] = __builtin_shufflevector(m[i], m[i + LANES / 2], UPPER);
        }
        UNROLL for (int i = 0; i < LANES; i++) m[i] = zipped[i];
    }
}

#endif
