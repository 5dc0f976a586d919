/* Entries by hand, and the null against every sign pattern and every order there is. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "criterion/association.h"
#include "kernel/lapack.h"

enum { ROWS = 8, DRAWS = 20000 };

typedef struct sample {
    zf_arena arena;
    zf_crew *crew;
    zf_pairing pairing;
    double inflation[ZF_SHAPES * ZF_SHAPES];
} sample;

static void fill(zf_columns *out, zf_arena *arena, size_t count, uint32_t key)
{
    float values[ZF_SHAPES * ROWS];
    fill_normal(values, count * ROWS, key);
    assert_ok(zf_columns_new(out, arena, count, ROWS));
    for (size_t i = 0; i < count * ROWS; i++) out->values[i] = (double)values[i];
    for (size_t c = 0; c < count; c++) zf_column_standardise(zf_column_at(out, c), ROWS);
}

static void begin(sample *s, bool flips, uint32_t key)
{
    memset(s, 0, sizeof *s);
    assert_ok(zf_crew_new(&s->crew, 1));
    fill(&s->pairing.x, &s->arena, ZF_SHAPES, key);
    fill(&s->pairing.y, &s->arena, ZF_SHAPES, key + 1);
    if (flips) fill(&s->pairing.modulators, &s->arena, 1, key + 2);
    for (int i = 0; i < ZF_SHAPES * ZF_SHAPES; i++) s->inflation[i] = 1.25;
    s->pairing.inflation = flips ? s->inflation : NULL;
    s->pairing.draws = DRAWS;
    s->pairing.seed = 3;
    s->pairing.crew = s->crew;
}

static void end(sample *s)
{
    zf_crew_free(s->crew);
    zf_arena_free(&s->arena);
}

/* Share of draws whose sum of squares of the others reaches `limit`. */
static double reached(const double *values, double limit)
{
    int count = 0;
    for (int i = 1; i <= DRAWS; i++) count += values[i] >= limit;
    return (double)count / DRAWS;
}

/* Product of row i in entry e of 25 and, last, the modulated one. */
static double product(const sample *s, int e, int i)
{
    const zf_pairing *p = &s->pairing;
    if (e == ZF_SHAPES * ZF_SHAPES)
        return p->x.values[i] * p->y.values[i] * p->modulators.values[i];
    return p->x.values[e / ZF_SHAPES * ROWS + i] * p->y.values[e % ZF_SHAPES * ROWS + i];
}

static void flips_are_all_sign_patterns(void **state)
{
    (void)state;
    sample s;
    zf_association a;
    enum { ENTRIES = ZF_SHAPES * ZF_SHAPES + 1 };
    begin(&s, true, 11);
    assert_ok(zf_associate(&a, &s.arena, &s.pairing));
    assert_int_equal(a.entries, ENTRIES);
    double length[ENTRIES], rest = 0, linear = 0, limit = 22;
    int above = 0;
    for (int e = 0; e < ENTRIES; e++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < ROWS; i++) {
            sum += product(&s, e, i);
            squares += product(&s, e, i) * product(&s, e, i);
        }
        length[e] = sqrt(squares);
        double entry = sum / length[e] / 1.25;
        *(e ? &rest : &linear) += entry * entry;
    }
    assert_close(a.summary.linear[0], linear, 1e-5);
    assert_close(a.summary.rest[0], rest, 1e-4);
    for (unsigned pattern = 0; pattern < 1u << ROWS; pattern++) {
        double total = 0;
        for (int e = 1; e < ENTRIES; e++) {
            double sum = 0;
            for (int i = 0; i < ROWS; i++)
                sum += (pattern >> i & 1 ? 1 : -1) * product(&s, e, i) / length[e];
            total += sum * sum;
        }
        above += total >= limit;
    }
    double exact = above / 256.0;
    assert_true(exact > 0.1 && exact < 0.9);
    assert_close(reached(a.summary.rest, limit), exact, 4 * sqrt(0.25 / DRAWS));
    end(&s);
}

static void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

/* Counts the orders of rows from `from` on in which the first shapes reach the limit. */
static int count_orders(const sample *s, int *order, int from, double limit)
{
    int count = 0;
    if (from == ROWS) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++)
            sum += s->pairing.x.values[i] * s->pairing.y.values[order[i]];
        return sum * sum * (ROWS - 1) / (ROWS * ROWS) >= limit;
    }
    for (int i = from; i < ROWS; i++) {
        swap(&order[from], &order[i]);
        count += count_orders(s, order, from + 1, limit);
        swap(&order[from], &order[i]);
    }
    return count;
}

static void permutations_are_all_orders(void **state)
{
    (void)state;
    sample s;
    zf_association a;
    int order[ROWS] = {0, 1, 2, 3, 4, 5, 6, 7};
    begin(&s, false, 21);
    assert_ok(zf_associate(&a, &s.arena, &s.pairing));
    double dot = zf_column_dot(s.pairing.x.values, s.pairing.y.values, ROWS);
    assert_close(a.summary.linear[0], dot * dot * (ROWS - 1) / (ROWS * ROWS), 1e-5);
    double exact = count_orders(&s, order, 0, 1.5) / 40320.0;
    assert_true(exact > 0.1 && exact < 0.5);
    assert_close(reached(a.summary.linear, 1.5), exact, 4 * sqrt(0.25 / DRAWS));
    /* Var of a correlation under permutation is 1 / (n - 1): an entry has mean square 1. */
    double mean = 0;
    for (int i = 1; i <= DRAWS; i++) mean += a.summary.linear[i] / DRAWS;
    assert_close(mean, 1, 0.03);
    end(&s);
}

static void p_value_by_hand(void **state)
{
    (void)state;
    /* Four draws and the data, which has the largest score and middling sums: share 1/5 over 0.7
       against draws with 1/5 over 0.15 at best; no draw is as good. */
    double linear[] = {3, 5, 4, 2, 1}, rest[] = {3, 1, 2, 4, 5}, largest[] = {9, 1, 2, 3, 4};
    zf_strongest strongest = {.score = 3};
    zf_association a = {.summary = {linear, rest, largest}, .strongest = &strongest};
    double p;
    assert_ok(zf_association_p_value(&p, &a, 4));
    assert_close(p, 0.2, 1e-15);
    /* Two draws reach 3, and the data is one of five. */
    assert_close(zf_association_y_p_value(&a, 4, 0), 0.6, 1e-15);
    largest[0] = 0;
    assert_ok(zf_association_p_value(&p, &a, 4));
    assert_close(p, 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flips_are_all_sign_patterns),
        cmocka_unit_test(permutations_are_all_orders),
        cmocka_unit_test(p_value_by_hand),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
