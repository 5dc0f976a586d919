/* Training: it learns; the same bits on any number of threads and across any
   stop; what is saved when it goes wrong. */
#include "support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "trainer.h"

static char folder[] = "/tmp/zeroflow-loop-XXXXXX";
static char checkpoint[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(checkpoint);
    return rmdir(folder);
}

/* What 60 steps without a break end in. */
static void uninterrupted(trainer *t, zf_trained *trained, int threads)
{
    trainer_begin(t, threads);
    assert_ok(zf_train(trained, &t->training));
}

static void assert_same_state(trainer *a, const zf_trained *ta, trainer *b, const zf_trained *tb)
{
    size_t bytes = zf_params_length(a->params) * sizeof(float);
    assert_memory_equal(zf_params_values(a->params), zf_params_values(b->params), bytes);
    assert_memory_equal(zf_optimiser_first_moment(a->optimiser),
                        zf_optimiser_first_moment(b->optimiser), bytes);
    assert_memory_equal(zf_optimiser_second_moment(a->optimiser),
                        zf_optimiser_second_moment(b->optimiser), bytes);
    assert_int_equal(ta->steps, tb->steps);
    assert_int_equal(ta->history.rows, tb->history.rows);
    assert_memory_equal(ta->history.mean, tb->history.mean,
                        (size_t)ta->history.rows * sizeof ta->history.mean[0]);
    assert_memory_equal(ta->history.sum, tb->history.sum, sizeof ta->history.sum);
}

static void learns(void **state)
{
    (void)state;
    trainer t;
    zf_trained trained;
    uninterrupted(&t, &trained, 2);
    assert_int_equal(trained.steps, 60);
    assert_int_equal(trained.history.rows, 60);
    double first = trained.history.mean[0][0], last = zf_history_latest(&trained.history, 0);
    if (!(last < 0.5 * first)) fail_msg("the loss went from %g to %g", first, last);
    trainer_end(&t);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    trainer one, many;
    zf_trained trained_one, trained_many;
    uninterrupted(&one, &trained_one, 1);
    for (int threads = 2; threads <= 3; threads++) {
        uninterrupted(&many, &trained_many, threads);
        assert_same_state(&one, &trained_one, &many, &trained_many);
        trainer_end(&many);
    }
    trainer_end(&one);
}

static bool stop_at_once(void *context, const zf_progress *progress)
{
    (void)context;
    return progress->step < 1;
}

static void interrupts_save_and_resume_to_the_same_bits(void **state)
{
    (void)state;
    trainer whole, parts;
    zf_trained trained_whole, trained;
    uninterrupted(&whole, &trained_whole, 1);
    unlink(checkpoint);
    zf_status status = ZF_EINTERRUPT;
    for (int stops = 0; status != ZF_OK; stops++) {
        trainer_begin(&parts, 1 + stops % 3);
        parts.training.checkpoint = checkpoint;
        parts.training.resume = true;
        parts.training.steps = stops < 8 ? (uint64_t)(7 * stops + 3) : 60;
        status = zf_train(&trained, &parts.training);
        if (status != ZF_OK) assert_int_equal(status, ZF_EINTERRUPT);
        if (trained.steps < 60) {
            status = ZF_EINTERRUPT;
            trainer_end(&parts);
        }
    }
    assert_same_state(&whole, &trained_whole, &parts, &trained);
    trainer_end(&whole);
    trainer_end(&parts);
}

static void slow(void *context, uint64_t step, zf_crew *crew)
{
    (void)context, (void)step, (void)crew;
    usleep(120 * 1000);
}

static void stops_when_asked(void **state)
{
    (void)state;
    trainer t;
    zf_trained trained;
    trainer_begin(&t, 1);
    unlink(checkpoint);
    t.training.checkpoint = checkpoint;
    t.training.prepare = slow;
    t.training.report.progress = stop_at_once;
    assert_fails(zf_train(&trained, &t.training), ZF_EINTERRUPT, "interrupted after step 1 of 60");
    assert_int_equal(trained.steps, 1);
    assert_int_equal(access(checkpoint, F_OK), 0);
    trainer_end(&t);
}

/* Runs until it is killed or done; resumes whatever the last one left. */
static void train_in_a_child(void)
{
    trainer t;
    zf_trained trained;
    trainer_begin(&t, 2);
    t.training.steps = 600;
    t.training.checkpoint = checkpoint;
    t.training.every = 1;
    t.training.resume = true;
    _exit(zf_train(&trained, &t.training) == ZF_OK ? 0 : 1);
}

static void survives_being_killed_at_any_instant(void **state)
{
    (void)state;
    trainer whole, parts;
    zf_trained trained_whole, trained;
    trainer_begin(&whole, 1);
    whole.training.steps = 600;
    assert_ok(zf_train(&trained_whole, &whole.training));
    unlink(checkpoint);
    int status = -1;
    for (int kills = 0; status != 0; kills++) {
        assert_true(kills < 500);
        pid_t child = fork();
        if (child == 0) train_in_a_child();
        if (kills < 12) {
            usleep((useconds_t)(15000 + 1777 * (kills * kills % 23)));
            kill(child, SIGKILL);
        }
        waitpid(child, &status, 0);
        assert_false(WIFEXITED(status) && WEXITSTATUS(status) != 0);
    }
    trainer_begin(&parts, 1);
    trained.history = zf_history_new(1);
    assert_ok(zf_checkpoint_read(checkpoint, parts.params, parts.optimiser, &trained.history,
                                 parts.training.description));
    trained.steps = zf_optimiser_steps(parts.optimiser);
    assert_same_state(&whole, &trained_whole, &parts, &trained);
    trainer_end(&whole);
    trainer_end(&parts);
}

static void stops_at_a_loss_that_is_not_finite(void **state)
{
    (void)state;
    trainer t;
    zf_trained trained;
    trainer_begin(&t, 2);
    unlink(checkpoint);
    t.training.checkpoint = checkpoint;
    t.training.every = 10;
    t.poison = 25;
    assert_fails(zf_train(&trained, &t.training), ZF_ENUMERIC, "step 25: the loss is ");
    assert_non_null(strstr(zf_error(), "of step 20"));
    assert_int_equal(trained.steps, 24);
    const float *values = zf_params_values(t.params);
    for (size_t i = 0; i < zf_params_length(t.params); i++) assert_true(isfinite(values[i]));
    zf_history history = zf_history_new(1);
    assert_ok(
        zf_checkpoint_read(checkpoint, t.params, t.optimiser, &history, t.training.description));
    assert_int_equal(zf_optimiser_steps(t.optimiser), 20);
    trainer_end(&t);
}

/* Which steps were fetched for and which were seen, one bit each. */
static uint64_t fetched, observed;

static zf_status fetch(void *context, uint64_t step)
{
    (void)context;
    if (step == 9) return zf_fail(ZF_EIO, "the disk of step %d is gone", (int)step);
    fetched |= UINT64_C(1) << step;
    return ZF_OK;
}

static zf_status observe(void *context, const zf_trained *trained)
{
    (void)context;
    if (trained->steps == 30) return zf_fail(ZF_EINPUT, "seen enough");
    observed |= UINT64_C(1) << trained->steps;
    return ZF_OK;
}

static void fetches_before_and_shows_after_each_step(void **state)
{
    (void)state;
    trainer t;
    zf_trained trained;
    trainer_begin(&t, 2);
    t.training.fetch = fetch;
    t.training.observe = observe;
    assert_fails(zf_train(&trained, &t.training), ZF_EIO, "the disk of step 9 is gone");
    assert_int_equal(trained.steps, 9);
    assert_int_equal(fetched, 0x1ff);
    assert_int_equal(observed, 0x3fe);
    t.training.fetch = NULL;
    assert_fails(zf_train(&trained, &t.training), ZF_EINPUT, "seen enough");
    assert_int_equal(trained.steps, 30);
    trainer_end(&t);
}

static void refuses_the_checkpoint_of_another_run(void **state)
{
    (void)state;
    trainer t;
    zf_trained trained;
    uninterrupted(&t, &trained, 1);
    assert_ok(zf_checkpoint_write(checkpoint, t.params, t.optimiser, &trained.history,
                                  t.training.description));
    zf_metadata other = {"task", "another"};
    t.training.description = (zf_description){.items = &other, .count = 1};
    t.training.checkpoint = checkpoint;
    t.training.resume = true;
    assert_fails(zf_train(&trained, &t.training), ZF_EINPUT,
                 "\"task\" is \"test\", this run expects \"another\"");
    trainer_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(interrupts_save_and_resume_to_the_same_bits),
        cmocka_unit_test(stops_when_asked),
        cmocka_unit_test(survives_being_killed_at_any_instant),
        cmocka_unit_test(stops_at_a_loss_that_is_not_finite),
        cmocka_unit_test(fetches_before_and_shows_after_each_step),
        cmocka_unit_test(refuses_the_checkpoint_of_another_run),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
