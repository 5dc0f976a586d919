/* Frees memory that the library allocated.

     char *bytes = NULL;
     size_t n = 0;
     if (zf_graph_encode(&bytes, &n, graph, NULL) == ZF_OK) fwrite(bytes, 1, n, stdout);
     zf_free(bytes);

   Use zf_free for whatever comes through an out-pointer and has no free function of its own; free()
   works only if program and library share a C library. Safe from any thread. */
#ifndef ZEROFLOW_MEMORY_H
#define ZEROFLOW_MEMORY_H

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL is allowed. */
ZF_API void zf_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
