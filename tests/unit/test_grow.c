/* Callers that were compiled for another version: their structs are shorter or longer. */
#include "base/grow.h"
#include "support.h"
#include "zeroflow/evidence.h"
#include "zeroflow/probe.h"

/* A struct as two versions have it. What is new never lies in what was padding, where the size
   does not tell of it. */
typedef struct old_options {
    size_t struct_size;
    double first;
} old_options;

typedef struct new_options {
    size_t struct_size;
    double first, second;
} new_options;

static void an_earlier_caller_gets_defaults(void **state)
{
    (void)state;
    new_options known = {sizeof known, 1, 2};
    old_options given = {sizeof given, 7};
    /* Whatever lies behind the caller's struct is not looked at. */
    assert_ok(zf_take(&known, sizeof known, &given, "new"));
    assert_true(known.first == 7);
    assert_true(known.second == 2);
    assert_int_equal(known.struct_size, sizeof known);
}

static void a_later_caller_may_ask_for_nothing_new(void **state)
{
    (void)state;
    struct {
        new_options known;
        double later;
    } given = {.known = {sizeof given, 7, 8}};
    new_options known = {sizeof known, 1, 2};
    assert_ok(zf_take(&known, sizeof known, &given, "new"));
    assert_true(known.second == 8);
    assert_int_equal(known.struct_size, sizeof known);
    given.later = 1;
    assert_fails(zf_take(&known, sizeof known, &given, "new"), ZF_EINVAL, "does not know");
}

static void a_size_is_needed(void **state)
{
    (void)state;
    new_options known = {sizeof known, 1, 2}, given = {0, 7, 8};
    assert_fails(zf_take(&known, sizeof known, &given, "new"), ZF_EINVAL, "zf_new_defaults()");
    assert_true(known.first == 1);
    assert_ok(zf_take(&known, sizeof known, NULL, "new"));
    assert_true(known.first == 1);
}

static void no_more_is_given_than_there_is_room_for(void **state)
{
    (void)state;
    const new_options result = {0, 1, 2};
    struct {
        old_options room;
        int behind;
    } caller = {.behind = 9};
    zf_give(&caller.room, sizeof caller.room, &result, sizeof result);
    assert_true(caller.room.first == 1);
    assert_int_equal(caller.room.struct_size, sizeof caller.room);
    struct {
        new_options room;
        double later;
    } longer = {.later = 9};
    zf_give(&longer, sizeof longer, &result, sizeof result);
    assert_true(longer.room.second == 2);
    assert_true(longer.later == 0);
}

/* As a program would meet it that knows half of the options. */
static void public_options_grow(void **state)
{
    (void)state;
    float features[] = {0, 1, 10, 11}, test[] = {0.5f, 10.5f};
    int32_t labels[] = {0, 0, 1, 1}, wanted[] = {0, 1};
    zf_labelled tests = {test, wanted, 2};
    zf_probe_data data = {
        .dim = 1, .classes = 2, .train = {features, labels, 4}, .tests = &tests, .n_tests = 1};
    struct {
        size_t struct_size;
        int neighbours;
        zf_knn_measure measure;
    } early;
    double accuracy = 0;
    zf_knn_options_init((zf_knn_options *)&early, sizeof early);
    assert_int_equal(early.neighbours, 20);
    early.neighbours = 1;
    early.measure = ZF_KNN_EUCLIDEAN;
    assert_ok(zf_probe_knn(&accuracy, &data, (const zf_knn_options *)&early));
    assert_true(accuracy == 1);
    zf_knn_options unset = {.neighbours = 1};
    assert_fails(zf_probe_knn(&accuracy, &data, &unset), ZF_EINVAL, "zf_knn_defaults()");
}

static void public_results_grow(void **state)
{
    (void)state;
    const double rows[] = {1, 2, 1, 2, 1, 2};
    struct {
        size_t struct_size, copies, behind;
    } early = {.behind = 9};
    size_t size = offsetof(zf_row_doubts, ordered);
    assert_ok(zf_rows_doubt_sized((zf_row_doubts *)&early, size, rows, 3, 2));
    assert_int_equal(early.struct_size, size);
    assert_int_equal(early.behind, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_earlier_caller_gets_defaults),
        cmocka_unit_test(a_later_caller_may_ask_for_nothing_new),
        cmocka_unit_test(a_size_is_needed),
        cmocka_unit_test(no_more_is_given_than_there_is_room_for),
        cmocka_unit_test(public_options_grow),
        cmocka_unit_test(public_results_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
