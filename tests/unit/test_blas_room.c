/* BLAS from many threads at once, with room for many buffers and for one: every call ends,
   and the numbers are the same. */
#include "support.h"

#include <string.h>

#include "base/crew.h"
#include "kernel/lapack.h"
#include "limited.h"

enum { THREADS = 80, TASKS = 400, N = 40 };

typedef struct job {
    double matrix[N * N];
    double traces[TASKS];
} job;

static void invert(void *context, int task, int worker)
{
    (void)worker;
    job *j = context;
    double a[N * N], product[N * N];
    memcpy(a, j->matrix, sizeof a);
    size_t failed = zf_invert_positive(a, N, 0);
    zf_multiply(product, (zf_factor){a, false}, (zf_factor){j->matrix, false}, N, N, N, 1, 0);
    j->traces[task] = failed ? -1 : 0;
    for (size_t i = 0; i < N; i++) j->traces[task] += product[i * N + i];
}

/* All tasks find the trace of one, N. */
static bool all_end_right(void)
{
    static job j;
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++) j.matrix[i * N + k] = i == k ? 2 : 1;
    zf_crew *crew;
    if (zf_crew_new(&crew, THREADS) != ZF_OK || zf_lapack_open() != ZF_OK) return false;
    zf_crew_run(crew, TASKS, invert, &j);
    zf_crew_free(crew);
    bool right = true;
    for (int i = 0; i < TASKS; i++)
        right = right && j.traces[i] > N - 1e-9 && j.traces[i] < N + 1e-9;
    return right;
}

static void more_threads_than_buffers(void **state)
{
    (void)state;
    assert_true(all_end_right());
}

/* 0: open; 2: out of memory, which is said; 1: anything else. */
static int open_only(const void *unused)
{
    (void)unused;
    zf_status status = zf_lapack_open();
    return status == ZF_OK ? 0 : status == ZF_ENOMEM && strstr(zf_error(), "out of memory") ? 2 : 1;
}

static int open_and_run(const void *unused)
{
    (void)unused;
    return all_end_right() ? 0 : 1;
}

/* Runs before the library is loaded into this process. */
static void too_little_memory_is_said(void **state)
{
    (void)state;
    if (!can_limit_memory()) skip();
    assert_int_equal(outcome_within(30, open_only, NULL), 2);
    assert_int_equal(outcome_within(150, open_only, NULL), 2);
    assert_int_equal(outcome_within(230, open_only, NULL), 0);
    /* The stacks of the threads, the library, one buffer. */
    assert_int_equal(outcome_within(THREADS * 9 + 300, open_and_run, NULL), 0);
    assert_int_equal(outcome_within(THREADS * 9 + 1000, open_and_run, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_is_said),
        cmocka_unit_test(more_threads_than_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
