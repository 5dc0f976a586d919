/* Threads, tickets and a place to sleep.

   A job is published by storing a ticket, one word that holds the job's number,
   how many tasks it has and the next task to hand out. Whoever increments the
   ticket owns that task. A worker that wakes late finds a ticket of another job
   or one with no task left, and cannot run anything twice. The count of tasks
   must be in the ticket: read from elsewhere it could be the next job's, seen
   before that job's ticket. The caller waits for tasks to be done, not for
   workers to notice, so a sleeping worker costs nothing but its absence.

   Rejected: a barrier of all workers after every job (a worker that lost its
   processor would hold up the others even with nothing to do), OpenMP (its
   idle policy is the process's, not ours). */
#include "base/crew.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"

enum { MOST_THREADS = 1024, SPINS = 4000, SPINS_WHEN_CROWDED = 64 };

/* The ticket: 24 bits of job number, 20 of task count, 20 of next task. */
enum { TASK_BITS = 20, MOST_TASKS = (1 << TASK_BITS) - 1 };

typedef struct member {
    zf_crew *crew;
    int worker;
    pthread_t thread;
} member;

/* Every group of fields that one side writes while another reads has a cache
   line of its own. */
struct zf_crew {
    _Alignas(ZF_ALIGN) _Atomic(uint64_t) ticket;
    _Alignas(ZF_ALIGN) atomic_int done;
    _Alignas(ZF_ALIGN) _Atomic(zf_task) run;
    _Atomic(void *) context;
    _Alignas(ZF_ALIGN) atomic_int sleepers;
    atomic_bool quit;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int size, started, spins;
    zf_crews *home; /* where it rests when it is freed; NULL: it ends */
    zf_crew *next;  /* at rest there */
    member members[];
};

struct zf_crews {
    pthread_mutex_t lock;
    zf_crew *resting;
    int at_work;
    bool closed; /* by its owner: whoever is last frees it */
};

/* Where this thread's crews come from. */
static _Thread_local zf_crews *current;

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static uint64_t job_of(uint64_t ticket)
{
    return ticket >> (2 * TASK_BITS);
}

static int tasks_of(uint64_t ticket)
{
    return (int)(ticket >> TASK_BITS & MOST_TASKS);
}

static int next_of(uint64_t ticket)
{
    return (int)(ticket & MOST_TASKS);
}

/* Runs tasks of the current job until none is left to hand out. A field read
   before a successful exchange belongs to the ticket's own job: the next job
   is published only after all tasks of this one are done. */
static void take_tasks(zf_crew *crew, int worker)
{
    uint64_t ticket = atomic_load_explicit(&crew->ticket, memory_order_acquire);
    for (;;) {
        zf_task run = atomic_load_explicit(&crew->run, memory_order_relaxed);
        void *context = atomic_load_explicit(&crew->context, memory_order_relaxed);
        int task = next_of(ticket);
        if (task >= tasks_of(ticket)) return;
        if (!atomic_compare_exchange_weak_explicit(&crew->ticket, &ticket, ticket + 1,
                                                   memory_order_acq_rel, memory_order_acquire))
            continue;
        run(context, task, worker);
        atomic_fetch_add_explicit(&crew->done, 1, memory_order_release);
        ticket = atomic_load_explicit(&crew->ticket, memory_order_acquire);
    }
}

/* Returns when the job is another than `seen`, or the crew is to quit. */
static void wait_for_job(zf_crew *crew, uint64_t seen)
{
    for (int i = 0; i < crew->spins; i++) {
        if (job_of(atomic_load_explicit(&crew->ticket, memory_order_acquire)) != seen ||
            atomic_load_explicit(&crew->quit, memory_order_relaxed))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->sleepers, 1); /* before looking at the ticket: see zf_crew_run */
    while (job_of(atomic_load(&crew->ticket)) == seen && !atomic_load(&crew->quit))
        pthread_cond_wait(&crew->wake, &crew->lock);
    atomic_fetch_sub(&crew->sleepers, 1);
    pthread_mutex_unlock(&crew->lock);
}

static void *work(void *argument)
{
    member *self = argument;
    zf_crew *crew = self->crew;
    uint64_t seen = 0;
    while (!atomic_load(&crew->quit)) {
        wait_for_job(crew, seen);
        seen = job_of(atomic_load_explicit(&crew->ticket, memory_order_acquire));
        take_tasks(crew, self->worker);
    }
    return NULL;
}

static void rouse(zf_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
}

void zf_crew_run(zf_crew *crew, int tasks, zf_task run, void *context)
{
    assert(tasks <= MOST_TASKS);
    if (tasks == 1 || crew->size == 1) {
        for (int task = 0; task < tasks; task++) run(context, task, 0);
        return;
    }
    atomic_store_explicit(&crew->run, run, memory_order_relaxed);
    atomic_store_explicit(&crew->context, context, memory_order_relaxed);
    atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
    uint64_t job = job_of(atomic_load(&crew->ticket)) + 1;
    /* Ticket, then sleepers; a worker does it in the other order, and both are
       sequentially consistent: either it sees the ticket or we see it asleep. */
    atomic_store(&crew->ticket, job << (2 * TASK_BITS) | (uint64_t)tasks << TASK_BITS);
    if (atomic_load(&crew->sleepers) > 0) rouse(crew);
    take_tasks(crew, 0);
    for (int i = 0; atomic_load_explicit(&crew->done, memory_order_acquire) < tasks; i++) {
        if (i < crew->spins)
            pause_briefly();
        else
            sched_yield();
    }
}

static int processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : count;
}

/* Workers take no signals: those are for the thread that the caller knows. */
static zf_status start_workers(zf_crew *crew)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int code = 0;
    while (crew->started < crew->size - 1 && code == 0) {
        member *next = &crew->members[crew->started];
        *next = (member){.crew = crew, .worker = crew->started + 1};
        code = pthread_create(&next->thread, NULL, work, next);
        if (code == 0) crew->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0)
        return zf_fail(ZF_ENOMEM, "cannot start thread %d of %d (try fewer threads)",
                       crew->started + 2, crew->size);
    return ZF_OK;
}

static zf_status make(zf_crew **out, int size, int available)
{
    zf_crew *crew = zf_slab_new(sizeof *crew + (size_t)size * sizeof(member));
    if (!crew) return ZF_ENOMEM;
    crew->size = size;
    crew->spins = size <= available ? SPINS : SPINS_WHEN_CROWDED;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    zf_status status = start_workers(crew);
    if (status != ZF_OK) {
        zf_crew_free(crew);
        return status;
    }
    *out = crew;
    return ZF_OK;
}

/* Of that size; NULL: none rests there. */
static zf_crew *take_resting(zf_crews *crews, int size)
{
    pthread_mutex_lock(&crews->lock);
    zf_crew **at = &crews->resting;
    while (*at && (*at)->size != size) at = &(*at)->next;
    zf_crew *crew = *at;
    if (crew) *at = crew->next;
    crews->at_work += crew != NULL;
    pthread_mutex_unlock(&crews->lock);
    return crew;
}

zf_status zf_crew_new(zf_crew **out, int threads)
{
    if (threads < 0 || threads > MOST_THREADS)
        return zf_fail(ZF_EINVAL, "threads: expected 0 to %d, found %d", MOST_THREADS, threads);
    int available = processors(), size = threads ? threads : available;
    zf_crews *home = size > 1 ? current : NULL; /* one alone has no threads to keep */
    zf_crew *crew = home ? take_resting(home, size) : NULL;
    if (!crew) {
        ZF_TRY(make(&crew, size, available));
        crew->home = home;
        if (home) {
            pthread_mutex_lock(&home->lock);
            home->at_work++;
            pthread_mutex_unlock(&home->lock);
        }
    }
    *out = crew;
    return ZF_OK;
}

int zf_crew_size(const zf_crew *crew)
{
    return crew->size;
}

typedef struct row_work {
    zf_row_task run;
    void *context;
    int64_t rows;
    zf_row_runs runs;
} row_work;

static void run_some_rows(void *context, int task, int worker)
{
    (void)worker;
    const row_work *w = context;
    int64_t until = w->rows * (task + 1) / (int64_t)w->runs;
    for (int64_t row = w->rows * task / (int64_t)w->runs; row < until; row++)
        w->run(w->context, (int)row);
}

void zf_crew_run_rows(zf_crew *crew, zf_row_runs runs, int rows, zf_row_task run, void *context)
{
    row_work work = {run, context, rows, runs};
    zf_crew_run(crew, (int)runs, run_some_rows, &work);
}

static void end(zf_crew *crew)
{
    atomic_store(&crew->quit, true);
    rouse(crew);
    for (int i = 0; i < crew->started; i++) pthread_join(crew->members[i].thread, NULL);
    pthread_cond_destroy(&crew->wake);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

/* No one else knows of it any more. */
static void crews_end(zf_crews *crews)
{
    pthread_mutex_destroy(&crews->lock);
    free(crews);
}

void zf_crew_free(zf_crew *crew)
{
    zf_crews *home = crew ? crew->home : NULL;
    if (!crew) return;
    if (!home) {
        end(crew);
        return;
    }
    pthread_mutex_lock(&home->lock);
    bool closed = home->closed, last = --home->at_work == 0;
    if (!closed) {
        crew->next = home->resting;
        home->resting = crew;
    }
    pthread_mutex_unlock(&home->lock);
    if (closed) end(crew);
    if (closed && last) crews_end(home);
}

zf_status zf_crews_new(zf_crews **out)
{
    zf_crews *crews = calloc(1, sizeof *crews);
    if (!crews) return zf_fail_memory(sizeof *crews);
    pthread_mutex_init(&crews->lock, NULL);
    *out = crews;
    return ZF_OK;
}

zf_crews *zf_crews_use(zf_crews *crews)
{
    zf_crews *before = current;
    current = crews;
    return before;
}

void zf_crews_free(zf_crews *crews)
{
    if (!crews) return;
    pthread_mutex_lock(&crews->lock);
    zf_crew *resting = crews->resting;
    crews->resting = NULL;
    crews->closed = true;
    bool last = crews->at_work == 0;
    pthread_mutex_unlock(&crews->lock);
    while (resting) {
        zf_crew *next = resting->next;
        end(resting);
        resting = next;
    }
    if (last) crews_end(crews);
}
