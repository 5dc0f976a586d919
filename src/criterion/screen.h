/* Functions of single variables, and products of two, that show in responses. */
#ifndef ZF_CRITERION_SCREEN_H
#define ZF_CRITERION_SCREEN_H

#include "criterion/columns.h"

/* An orthonormal basis with room behind it. */
typedef struct zf_screen_basis {
    zf_columns columns; /* of mean 0 */
    size_t room;        /* columns that there is memory for */
} zf_screen_basis;

/* Appends to the basis, one by one, what those functions of the scores add to it that are so
   correlated with a response that it can hardly be chance. The responses have mean 0 and lose
   what the basis explains. At most `most` are added. */
zf_status zf_screen(zf_screen_basis *basis, zf_arena *arena, const zf_columns *scores,
                    zf_columns *responses, size_t most) ZF_CHECK;

#endif
