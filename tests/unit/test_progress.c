/* Work tells where it stands at its pace, and stops when it is asked to. */
#include "support.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/progress.h"

typedef struct listener {
    pthread_t thread; /* the only one that may call */
    int calls, stop_at;
    zf_progress last;
} listener;

static bool listen(void *context, const zf_progress *progress)
{
    listener *l = context;
    assert_true(pthread_equal(l->thread, pthread_self()));
    assert_true(progress->step <= progress->steps && progress->step >= l->last.step);
    l->last = *progress;
    return ++l->calls != l->stop_at;
}

static zf_report to(listener *l)
{
    l->thread = pthread_self();
    return (zf_report){.progress = listen, .context = l};
}

static void rest(double seconds)
{
    double until = zf_clock_now() + seconds;
    while (zf_clock_now() < until) {
    }
}

static void tells_ten_times_a_second(void **state)
{
    (void)state;
    listener l = {0};
    zf_report report = to(&l);
    zf_pace pace = zf_pace_begin(&report, 0);
    pace.rows = 5, pace.unit = "images";
    assert_ok(zf_pace_tell(&pace, 1, 10));
    assert_int_equal(l.calls, 1);
    assert_ok(zf_pace_tell(&pace, 2, 10));
    assert_int_equal(l.calls, 1);
    rest(0.11);
    assert_ok(zf_pace_tell(&pace, 5, 10));
    assert_int_equal(l.calls, 2);
    assert_true(l.last.seconds >= 0.11);
    assert_close(l.last.seconds_left, l.last.seconds, 1e-9);
    assert_close(l.last.rows_per_second * l.last.seconds, 25, 1e-6);
    assert_string_equal(l.last.unit, "images");
    zf_pace_end(&pace, 10);
    assert_int_equal(l.calls, 3);
    assert_int_equal(l.last.step, 10);
}

static void short_work_is_silent(void **state)
{
    (void)state;
    listener l = {0};
    zf_report report = to(&l);
    zf_pace pace = zf_pace_begin(&report, 0.2);
    rest(0.11);
    assert_ok(zf_pace_tell(&pace, 1, 10));
    zf_pace_end(&pace, 10);
    assert_int_equal(l.calls, 0);
    rest(0.1);
    assert_ok(zf_pace_tell(&pace, 1, 10));
    assert_int_equal(l.calls, 1);
}

static void steps_of_an_earlier_run_took_no_time(void **state)
{
    (void)state;
    listener l = {0};
    zf_report report = to(&l);
    zf_pace pace = zf_pace_begin(&report, 0);
    pace.resumed = 60;
    rest(0.01);
    assert_ok(zf_pace_tell(&pace, 80, 100));
    assert_close(l.last.seconds_left, l.last.seconds, 1e-9);
}

static void a_part_is_told_as_one(void **state)
{
    (void)state;
    listener l = {0};
    zf_report report = to(&l);
    zf_pace pace = zf_pace_begin(&report, 0);
    pace.share = 0.5;
    assert_ok(zf_pace_tell(&pace, 2, 2));
    assert_int_equal(l.last.step, 500);
    assert_int_equal(l.last.steps, 1000);
    pace.from = 0.4;
    assert_ok(zf_pace_tell(&pace, 0, 2)); /* too soon */
    assert_int_equal(l.calls, 1);
    pace.from = 0.5;
    zf_pace_end(&pace, 2);
    assert_int_equal(l.last.step, 1000);
}

static void stops(void **state)
{
    (void)state;
    listener l = {.stop_at = 1};
    zf_report report = to(&l);
    zf_pace pace = zf_pace_begin(&report, 0);
    assert_fails(zf_pace_tell(&pace, 3, 10), ZF_EINTERRUPT, "interrupted");
    l.calls = 0;
    pace = zf_pace_begin(&report, 0);
    pace.things = "images";
    assert_fails(zf_pace_tell(&pace, 3, 10), ZF_EINTERRUPT, "interrupted after 3 of 10 images");
    pace = zf_pace_begin(NULL, 0);
    assert_ok(zf_pace_tell(&pace, 1, 2));
    assert_ok(zf_pace_tell(NULL, 1, 2));
}

enum { TASKS = 40 };

static void work(void *context, int task, int worker)
{
    (void)worker;
    rest(0.01);
    ((char *)context)[task] = 1;
}

static void a_crew_is_asked_by_the_caller(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        zf_crew *crew = NULL;
        assert_ok(zf_crew_new(&crew, threads));
        char done[TASKS] = {0};
        listener l = {0};
        zf_report report = to(&l);
        zf_pace pace = zf_pace_begin(&report, 0);
        assert_ok(zf_pace_run(&pace, (zf_span){0, 10, 20}, crew, TASKS, work, done));
        assert_true(l.calls >= 1 && l.last.step <= 10);
        for (int i = 0; i < TASKS; i++) assert_int_equal(done[i], 1);
        memset(done, 0, sizeof done);
        l = (listener){.stop_at = 1};
        report = to(&l);
        pace = zf_pace_begin(&report, 0);
        assert_fails(zf_pace_run(&pace, (zf_span){0, 10, 20}, crew, TASKS, work, done),
                     ZF_EINTERRUPT, "interrupted");
        assert_int_equal(l.calls, 1);
        int count = 0;
        for (int i = 0; i < TASKS; i++) count += done[i];
        assert_true(count < TASKS);
        zf_crew_free(crew);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_ten_times_a_second),
        cmocka_unit_test(short_work_is_silent),
        cmocka_unit_test(steps_of_an_earlier_run_took_no_time),
        cmocka_unit_test(a_part_is_told_as_one),
        cmocka_unit_test(stops),
        cmocka_unit_test(a_crew_is_asked_by_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
