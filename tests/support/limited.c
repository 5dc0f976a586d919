#include "limited.h"

#include "support.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20, SECONDS = 240, NOT_LIMITED = 99 };

bool can_limit_memory(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    print_message("skipped: a sanitizer's own address space is larger than the limit\n");
    return false;
#else
    return true;
#endif
}

static long address_space(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * sysconf(_SC_PAGESIZE) / MEGABYTE;
}

int outcome_within(long megabytes, int (*run)(const void *context), const void *context)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        rlim_t bytes = (rlim_t)(address_space() + megabytes) * MEGABYTE;
        if (setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}) != 0) _exit(NOT_LIMITED);
        _exit(run(context));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
