/* Room for OpenBLAS's buffers, so that it never asks for memory in vain.

   OpenBLAS maps a buffer of 128 MB for every call that is under way (most
   levels and LAPACK; freed buffers are kept and used again), and asks the
   system again for ever if that fails; beyond 128 calls at once it ends the
   program. So calls pass a gate that lets in as many as there are buffers.
   The first buffer is made when the library is opened, after a probe of the
   address space; more are made when threads meet at the gate, while there is
   room for several. Where there is not, calls wait for each other: slower, and
   the same numbers.

   The gate does not know of other users of the same OpenBLAS in one process
   (NumPy, say), nor of builds with USE_TLS=1, which keep buffers by thread. */
#ifndef ZF_KERNEL_BLAS_ROOM_H
#define ZF_KERNEL_BLAS_ROOM_H

#include "zeroflow/status.h"

/* OpenBLAS's own functions to take a buffer and give it back. NULL in builds that
   hide them: then there is one buffer, made by `warm`. */
typedef struct zf_blas_buffers {
    void *(*take)(int unused);
    void (*give)(void *buffer);
    void (*warm)(void); /* a call that takes and gives back one buffer */
} zf_blas_buffers;

/* Is there address space for the library, still to be loaded, and a buffer?
   ZF_ENOMEM: no. */
zf_status zf_blas_room_probe(void) ZF_CHECK;

/* Makes the first buffer. Not again after it succeeded; ZF_ENOMEM: no room. */
zf_status zf_blas_room_open(const zf_blas_buffers *buffers) ZF_CHECK;

/* Around every call of OpenBLAS; the first waits until there is a buffer. */
void zf_blas_room_enter(void);
void zf_blas_room_leave(void);

#endif
