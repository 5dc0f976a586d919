/* Pieces are zero, and memory of a cleared arena is used again. */
#include "support.h"

#include <string.h>

#include "base/arena.h"

static void assert_zero(const unsigned char *piece, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) assert_int_equal(piece[i], 0);
}

static void pieces_are_zero_and_apart(void **state)
{
    (void)state;
    zf_arena arena = {0};
    const size_t sizes[] = {1, 100, 70000, 64, 200000};
    unsigned char *pieces[5];
    for (size_t i = 0; i < 5; i++) {
        pieces[i] = zf_arena_get(&arena, sizes[i]);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % ZF_ALIGN, 0);
        assert_zero(pieces[i], sizes[i]);
        memset(pieces[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(pieces[i][k], i + 1);
    zf_arena_free(&arena);
    assert_null(arena.last);
}

/* Three rounds of the same pieces: of the second on, all fit one block. */
static void a_cleared_arena_keeps_its_memory(void **state)
{
    (void)state;
    zf_arena arena = {0};
    unsigned char *first[3] = {0};
    zf_arena_clear(&arena); /* of an empty one nothing comes */
    assert_null(arena.last);
    for (int round = 0; round < 3; round++) {
        unsigned char *small = zf_arena_get(&arena, 1000), *large = zf_arena_get(&arena, 300000);
        unsigned char *last = zf_arena_get(&arena, 50000);
        assert_true(small && large && last);
        assert_zero(small, 1000);
        assert_zero(large, 300000);
        assert_zero(last, 50000);
        memset(small, 1, 1000);
        memset(large, 2, 300000);
        memset(last, 3, 50000);
        first[round] = small;
        zf_arena_clear(&arena);
    }
    assert_ptr_equal(first[1], first[2]);
    unsigned char *longer = zf_arena_get(&arena, 300000);
    assert_ptr_equal(longer, first[2]);
    assert_zero(longer, 300000);
    zf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zero_and_apart),
        cmocka_unit_test(a_cleared_arena_keeps_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
