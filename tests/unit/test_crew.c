/* Every task runs exactly once, on any crew, however often and however short. */
#include "support.h"

#include <stdatomic.h>
#include <string.h>

#include "base/crew.h"

enum { TASKS = 100, ROUNDS = 3000 };

typedef struct job {
    atomic_int runs[TASKS];
    long sum[TASKS]; /* plain memory: a missing barrier shows under the thread sanitizer */
    int workers;
    atomic_int bad_worker;
} job;

static void tick(void *context, int task, int worker)
{
    (void)worker;
    atomic_fetch_add((atomic_int *)context + task, 1);
}

static void count(void *context, int task, int worker)
{
    job *j = context;
    atomic_fetch_add(&j->runs[task], 1);
    j->sum[task] += task;
    if (worker < 0 || worker >= j->workers) atomic_store(&j->bad_worker, 1);
}

static void runs_every_task_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        zf_crew *crew = NULL;
        assert_ok(zf_crew_new(&crew, threads));
        assert_int_equal(zf_crew_size(crew), threads);
        static job j;
        memset(&j, 0, sizeof j);
        j.workers = threads;
        long expected[TASKS] = {0};
        for (int round = 0; round < ROUNDS; round++) {
            int tasks = round % TASKS + 1;
            zf_crew_run(crew, tasks, count, &j);
            for (int i = 0; i < tasks; i++) expected[i]++;
        }
        for (int i = 0; i < TASKS; i++) {
            assert_int_equal(atomic_load(&j.runs[i]), expected[i]);
            assert_int_equal(j.sum[i], expected[i] * i);
        }
        assert_int_equal(atomic_load(&j.bad_worker), 0);
        zf_crew_free(crew);
    }
}

static void count_row(void *context, int row)
{
    count(context, row, 0);
}

static void runs_every_row_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        zf_crew *crew = NULL;
        assert_ok(zf_crew_new(&crew, threads));
        for (int rows = 0; rows <= TASKS; rows++) {
            static job j;
            memset(&j, 0, sizeof j);
            j.workers = threads;
            zf_crew_run_rows(crew, ZF_LIGHT_ROWS, rows, count_row, &j);
            for (int i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&j.runs[i]), i < rows);
        }
        zf_crew_free(crew);
    }
}

static void takes_all_processors_by_default(void **state)
{
    (void)state;
    zf_crew *crew = NULL;
    assert_ok(zf_crew_new(&crew, 0));
    assert_true(zf_crew_size(crew) >= 1);
    zf_crew_free(crew);
    zf_crew_free(NULL);
}

static void refuses_nonsense(void **state)
{
    (void)state;
    zf_crew *crew = NULL;
    assert_fails(zf_crew_new(&crew, -1), ZF_EINVAL, "threads: expected 0 to 1024, found -1");
    assert_fails(zf_crew_new(&crew, 100000), ZF_EINVAL, "found 100000");
    assert_null(crew);
}

/* Threads are started once for jobs that follow each other, and a crew that is still at work
   outlives where it came from. */
static void crews_rest_and_come_back(void **state)
{
    (void)state;
    zf_crews *crews;
    zf_crew *first, *second, *other;
    atomic_int runs[TASKS] = {0};
    assert_ok(zf_crews_new(&crews));
    assert_null(zf_crews_use(crews));
    assert_ok(zf_crew_new(&first, 3));
    assert_ok(zf_crew_new(&other, 3));
    assert_ptr_not_equal(first, other);
    zf_crew_free(first);
    assert_ok(zf_crew_new(&second, 3));
    assert_ptr_equal(first, second);
    zf_crew_free(second);
    assert_ok(zf_crew_new(&second, 2));
    assert_int_equal(zf_crew_size(second), 2);
    zf_crew_free(second);
    assert_ptr_equal(zf_crews_use(NULL), crews);
    zf_crews_free(crews);
    zf_crew_run(other, TASKS, tick, runs);
    for (int i = 0; i < TASKS; i++) assert_int_equal(runs[i], 1);
    zf_crew_free(other);
    zf_crews_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_every_task_once),
        cmocka_unit_test(runs_every_row_once),
        cmocka_unit_test(takes_all_processors_by_default),
        cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(crews_rest_and_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
