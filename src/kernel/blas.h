/* BLAS and LAPACK: the only place that names them. What the rest of the library
   calls is in gemm.h and lapack.h.

   OpenBLAS is loaded when it is first needed rather than linked, because it
   chooses its kernels while it is being loaded, and does so by a list of
   processor models: on one that is newer than the library it falls back to
   SSE, at a fifth of the speed. Loading it ourselves, we can tell it the
   instruction set (dispatch.h) first, by OPENBLAS_CORETYPE. A user's own
   setting of that variable is left alone. Calls run between zf_blas_enter and
   zf_blas_leave, for which there is always memory. */
#ifndef ZF_KERNEL_BLAS_H
#define ZF_KERNEL_BLAS_H

#include <cblas.h>
#include <stddef.h>

#include "zeroflow/status.h"

/* Functions of LAPACK by their Fortran names (its C interface is not part of
   every build): everything by pointer, matrices column-major, a length behind
   the arguments for each text. */
typedef void zf_potrf(const char *uplo, const int *n, double *a, const int *lda, int *info,
                      size_t uplo_length);
typedef void zf_potri(const char *uplo, const int *n, double *a, const int *lda, int *info,
                      size_t uplo_length);
typedef void zf_getrf(const int *m, const int *n, double *a, const int *lda, int *pivots,
                      int *info);
typedef void zf_syevd(const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
                      double *w, double *work, const int *lwork, int *iwork, const int *liwork,
                      int *info, size_t jobz_length, size_t uplo_length);

typedef void zf_sytrd(const char *uplo, const int *n, double *a, const int *lda, double *d,
                      double *e, double *tau, double *work, const int *lwork, int *info,
                      size_t uplo_length);
typedef void zf_ormtr(const char *side, const char *uplo, const char *trans, const int *m,
                      const int *n, const double *a, const int *lda, const double *tau, double *c,
                      const int *ldc, double *work, const int *lwork, int *info, size_t side_length,
                      size_t uplo_length, size_t trans_length);

typedef struct zf_blas {
    __typeof__(cblas_sgemm) *sgemm;
    __typeof__(cblas_dsyrk) *dsyrk;
    __typeof__(cblas_dgemm) *dgemm;
    zf_potrf *dpotrf;
    zf_potri *dpotri;
    zf_getrf *dgetrf;
    zf_syevd *dsyevd;
    zf_sytrd *dsytrd;
    zf_ormtr *dormtr;
} zf_blas;

/* Loads the library and makes it run on the calling thread alone, in every later
   call. Idempotent, from any thread. ZF_EIO: there is no OpenBLAS on this
   machine, or it lacks a function. ZF_ENOMEM: no room for its buffer
   (blas_room.h); may be tried again. */
zf_status zf_blas_open(void) ZF_CHECK;

/* The functions, after zf_blas_open, for calls until zf_blas_leave by the same
   thread: not to be nested. Waits while all buffers are in use. */
const zf_blas *zf_blas_enter(void);
void zf_blas_leave(void);

/* "OpenBLAS 0.3.21 ... SkylakeX ...": for reports. */
const char *zf_blas_library(void);

#endif
