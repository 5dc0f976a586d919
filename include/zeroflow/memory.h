/* Memory that the library has handed over.

     char *bytes = NULL;
     size_t n = 0;
     if (zf_graph_encode(&bytes, &n, graph, NULL) == ZF_OK) fwrite(bytes, 1, n, stdout);
     zf_free(bytes);

   What comes through an out-pointer and has no free function of its own is for zf_free. free()
   would do only in a program whose C library is the same as the library's. Safe from any thread. */
#ifndef ZEROFLOW_MEMORY_H
#define ZEROFLOW_MEMORY_H

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL is fine. */
ZF_API void zf_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
