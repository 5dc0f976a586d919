/* Memory that runs out, for a whole process: preloaded (LD_PRELOAD), it stands before the C
   library's allocator and refuses one allocation, or all from one on. tests/starve/run uses it.

     STARVE_AT      which allocation is refused, counted from 1 at the beginning of main;
                    0: none, they are only counted
     STARVE_ON      if set, all after it are refused as well
     STARVE_REPORT  a file for what happened: "count N" at the end; for a refused allocation
                    "refused" and the stack that asked for it; "spared LIBRARY" where the
                    allocation was let through

   An allocation is spared if a library of SPARED is on the stack: those cannot live without
   memory, whoever calls them. Each says why. What they ask of the kernel (mmap) does not come
   this way at all. Not for use under the sanitizers, which have an allocator of their own. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const SPARED[] = {
    /* Its constructor, which runs when OpenBLAS is loaded, makes its units without a look. */
    "libgfortran",
    /* Asks for tables and threads when it is loaded, and tries for ever. */
    "libopenblas",
    /* Ends the process (exit 1), or crashes while it opens an archive. It is called only when
       there is more memory than it asks for (src/image/tar.c), and that is starved. */
    "libarchive",
    NULL,
};

enum { DEPTH = 48 };

/* The C library's own names for what is replaced here. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

static atomic_bool armed;
static atomic_long counted;
static long at;
static bool on;
static int report = -1;
static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

static const char *spared_by(void *const *stack, int depth)
{
    for (int i = 0; i < depth; i++) {
        Dl_info place;
        if (!dladdr(stack[i], &place) || !place.dli_fname) continue;
        for (int k = 0; SPARED[k]; k++)
            if (strstr(place.dli_fname, SPARED[k])) return SPARED[k];
    }
    return NULL;
}

static bool refuses(void)
{
    if (inside || !atomic_load(&armed)) return false;
    long number = atomic_fetch_add(&counted, 1) + 1;
    if (at == 0 || number < at || (number > at && !on)) return false;
    void *stack[DEPTH];
    inside = true;
    int depth = backtrace(stack, DEPTH);
    const char *library = spared_by(stack, depth);
    if (library) {
        dprintf(report, "spared %s\n", library);
    } else if (number == at) {
        dprintf(report, "refused\n");
        backtrace_symbols_fd(stack, depth, report);
    }
    inside = false;
    if (!library) errno = ENOMEM;
    return !library;
}

void *malloc(size_t bytes)
{
    return refuses() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return refuses() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return refuses() ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return refuses() ? NULL : __libc_memalign(align, bytes);
}

void *memalign(size_t align, size_t bytes)
{
    return refuses() ? NULL : __libc_memalign(align, bytes);
}

int posix_memalign(void **memory, size_t align, size_t bytes)
{
    if (refuses()) return ENOMEM;
    void *got = __libc_memalign(align, bytes);
    if (got) *memory = got;
    return got ? 0 : ENOMEM;
}

static int (*real_main)(int, char **, char **);

static int starved_main(int argc, char **argv, char **environment)
{
    atomic_store(&armed, true);
    int result = real_main(argc, argv, environment);
    atomic_store(&armed, false);
    if (report >= 0) dprintf(report, "count %ld\n", atomic_load(&counted));
    return result;
}

/* What a program's first instructions call: so counting begins with main. */
int __libc_start_main(int (*main_function)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*loader_fini)(void),
                      void *stack_end)
{
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                 void (*)(void), void *);
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    const char *words = getenv("STARVE_AT"), *path = getenv("STARVE_REPORT");
    void *stack[2];
    backtrace(stack, 2); /* the first call loads what it needs */
    at = words ? atol(words) : 0;
    on = getenv("STARVE_ON") != NULL;
    if (path) report = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    unsetenv("LD_PRELOAD");
    real_main = main_function;
    return start(starved_main, argc, argv, init, fini, loader_fini, stack_end);
}
