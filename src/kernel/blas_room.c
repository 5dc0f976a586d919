/* A counter of calls under way and one of buffers. A thread that finds all
   buffers taken says so in `wanted`; then no more calls are let in until the
   last one has left, and the next to enter makes the buffers while it is alone.
   It has to be alone: OpenBLAS picks a buffer some time after the gate, so only
   then is it known that taking n + 1 of them at once makes the last one anew.
   This happens as often as there are buffers, not in every call. */
#include "kernel/blas_room.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "base/error.h"

enum {
    MEGABYTE = 1 << 20,
    BUFFER = 128,   /* MB; BUFFER_SIZE of OpenBLAS on x86-64 and arm64 */
    LIBRARY = 48,   /* MB; OpenBLAS with all its kernels, libgfortran, libquadmath */
    SPARE = 16,     /* MB; what other threads may ask for meanwhile */
    MOST_CALLS = 64 /* OpenBLAS is built for at least twice as many buffers */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t left; /* a call has left */
    int inside, waiting, buffers, wanted, most;
    zf_blas_buffers made_by;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER};

/* Asked for as OpenBLAS asks, so that every limit that would refuse it refuses
   this. Nothing is touched, so this costs no memory. */
static bool is_there_room(int megabytes)
{
    size_t bytes = (size_t)megabytes * MEGABYTE;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return false;
    munmap(at, bytes);
    return true;
}

static zf_status no_room(int megabytes)
{
    return zf_fail(ZF_ENOMEM,
                   "out of memory: OpenBLAS needs %d MB of address space (see ulimit -v)",
                   megabytes);
}

zf_status zf_blas_room_probe(void)
{
    int megabytes = LIBRARY + BUFFER + SPARE;
    return is_there_room(megabytes) ? ZF_OK : no_room(megabytes);
}

zf_status zf_blas_room_open(const zf_blas_buffers *buffers)
{
    if (!is_there_room(BUFFER + SPARE)) return no_room(BUFFER + SPARE);
    gate.made_by = *buffers;
    gate.most = buffers->take && buffers->give ? MOST_CALLS : 1;
    buffers->warm();
    gate.buffers = gate.wanted = 1;
    return ZF_OK;
}

/* While no call is under way: one more buffer after another, while that leaves room
   for three more. Below that, buffers stay as many as they are for good. */
static void make_buffers(void)
{
    void *taken[MOST_CALLS];
    int n = 0;
    while (n < gate.buffers) taken[n++] = gate.made_by.take(0);
    while (n < gate.wanted && is_there_room(4 * BUFFER)) taken[n++] = gate.made_by.take(0);
    if (n < gate.wanted) gate.most = n;
    gate.buffers = gate.wanted = n;
    while (n-- > 0) gate.made_by.give(taken[n]);
}

void zf_blas_room_enter(void)
{
    pthread_mutex_lock(&gate.lock);
    assert(gate.buffers > 0); /* zf_blas_open comes first */
    gate.waiting++;
    while (gate.inside == gate.buffers || (gate.wanted > gate.buffers && gate.inside > 0)) {
        int calls = gate.inside + gate.waiting;
        if (calls > gate.most) calls = gate.most;
        if (calls > gate.wanted) gate.wanted = calls;
        pthread_cond_wait(&gate.left, &gate.lock);
    }
    gate.waiting--;
    if (gate.wanted > gate.buffers) make_buffers();
    gate.inside++;
    pthread_mutex_unlock(&gate.lock);
}

void zf_blas_room_leave(void)
{
    pthread_mutex_lock(&gate.lock);
    gate.inside--;
    if (gate.waiting > 0) pthread_cond_broadcast(&gate.left);
    pthread_mutex_unlock(&gate.lock);
}
