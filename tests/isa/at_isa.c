/* Runs a test at an instruction set below the best that the machine has:

       at_isa baseline|avx2|avx512 PROGRAM [ARGUMENT...]

   Exit status 77, which ctest calls skipped, where the machine lacks the set, or where it is what
   the program uses by itself, so that its plain run was at it already. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/dispatch.h"

enum { FAILED = 1, USAGE = 2, SKIPPED = 77 };

static int skip(const char *why, const char *name)
{
    printf("skipped: %s %s\n", why, name);
    return SKIPPED;
}

int main(int argc, char **argv)
{
    int wanted = ZF_BASELINE;
    while (argc > 2 && wanted <= ZF_AVX512 && strcmp(argv[1], zf_isa_name((zf_isa)wanted)) != 0)
        wanted++;
    if (argc < 3 || wanted > ZF_AVX512) {
        fputs("usage: at_isa baseline|avx2|avx512 PROGRAM [ARGUMENT...]\n", stderr);
        return USAGE;
    }
    unsetenv("ZEROFLOW_ISA");
    int best = (int)zf_isa_current();
    if (wanted > best) return skip("this machine has no", argv[1]);
    if (wanted == best && !zf_tiles_usable()) return skip("the plain test is at", argv[1]);
    setenv("ZEROFLOW_ISA", argv[1], 1);
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return FAILED;
}
