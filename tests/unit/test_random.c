/* Published vectors for the generator; moments and quantiles for the laws. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/random_fill.h"

/* Random123's kat_vectors, philox4x32 10. */
static void matches_published_vectors(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], expected[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t out[4];
        zf_philox4x32(out, cases[i].counter, cases[i].key);
        assert_memory_equal(out, cases[i].expected, sizeof out);
    }
}

static void is_a_function_of_the_address(void **state)
{
    (void)state;
    zf_random a = zf_random_at(7, ZF_FOR_TIME, 3, 11), b = zf_random_at(7, ZF_FOR_TIME, 3, 11);
    for (int i = 0; i < 10; i++) assert_int_equal(zf_random_word(&a), zf_random_word(&b));
    zf_random others[] = {
        zf_random_at(8, ZF_FOR_TIME, 3, 11),
        zf_random_at(7 | 1ull << 40, ZF_FOR_TIME, 3, 11),
        zf_random_at(7, ZF_FOR_TARGET, 3, 11),
        zf_random_at(7, ZF_FOR_TIME, 4, 11),
        zf_random_at(7, ZF_FOR_TIME, 3 | 1ull << 40, 11),
        zf_random_at(7, ZF_FOR_TIME, 3, 12),
    };
    a = zf_random_at(7, ZF_FOR_TIME, 3, 11);
    uint32_t first = zf_random_word(&a);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_not_equal(zf_random_word(&others[i]), first);
}

enum { DRAWS = 200000 };

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The Kolmogorov-Smirnov distance to a law; DRAWS draws of the right law stay
   under 1.95 / sqrt(DRAWS) with probability 0.999, and the seed is fixed. */
static void assert_follows(float *draws, double (*law)(double))
{
    qsort(draws, DRAWS, sizeof *draws, by_value);
    double worst = 0;
    for (int i = 0; i < DRAWS; i++) {
        double p = law(draws[i]);
        worst = fmax(worst, fmax(fabs(p - (double)i / DRAWS), fabs(p - (i + 1.0) / DRAWS)));
    }
    if (worst > 1.95 / sqrt(DRAWS)) fail_msg("distance %g", worst);
}

static double uniform_law(double x)
{
    return x;
}
static double normal_law(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}
static double laplace_law(double x) /* centre 0.5, scale 0.1 */
{
    double z = (x - 0.5) / 0.1;
    return z < 0 ? 0.5 * exp(z) : 1 - 0.5 * exp(-z);
}
static double beta_4_4_law(double x) /* sum of binomial(7, k) x^k (1-x)^(7-k), k = 4..7 */
{
    double y = 1 - x;
    return pow(x, 4) * (35 * pow(y, 3) + 21 * x * y * y + 7 * x * x * y + pow(x, 3));
}
static double arcsine_law(double x) /* Beta(1/2, 1/2) */
{
    return 2 / 3.14159265358979323846 * asin(sqrt(x));
}

static void follows_its_laws(void **state)
{
    (void)state;
    float *draws = malloc(DRAWS * sizeof *draws);
    zf_random random = zf_random_at(1, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        draws[i] = zf_random_uniform(&random);
        assert_true(draws[i] > 0 && draws[i] < 1);
    }
    assert_follows(draws, uniform_law);
    for (int i = 0; i < DRAWS; i++) draws[i] = (float)zf_random_uniform_double(&random);
    assert_follows(draws, uniform_law);
    for (int i = 0; i < DRAWS; i++) draws[i] = zf_random_normal(&random);
    assert_follows(draws, normal_law);
    for (int i = 0; i < DRAWS; i++) draws[i] = zf_random_laplace(&random, 0.5f, 0.1f);
    assert_follows(draws, laplace_law);
    for (int i = 0; i < DRAWS; i++) draws[i] = zf_random_beta(&random, 4, 4);
    assert_follows(draws, beta_4_4_law);
    for (int i = 0; i < DRAWS; i++) draws[i] = zf_random_beta(&random, 0.5f, 0.5f);
    assert_follows(draws, arcsine_law);
    free(draws);
}

/* Streams of neighbouring rows must look independent too. */
static void rows_are_independent(void **state)
{
    (void)state;
    double sum_xy = 0;
    for (uint32_t row = 0; row < DRAWS; row++) {
        zf_random a = zf_random_at(1, ZF_FOR_TEST, 5, row);
        zf_random b = zf_random_at(1, ZF_FOR_TEST, 5, row + 1);
        sum_xy += (double)zf_random_normal(&a) * zf_random_normal(&b);
    }
    assert_true(fabs(sum_xy / DRAWS) < 4 / sqrt(DRAWS));
}

static void below_is_uniform(void **state)
{
    (void)state;
    enum { BOUND = 7 };
    int seen[BOUND] = {0};
    zf_random random = zf_random_at(2, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < DRAWS; i++) seen[zf_random_below(&random, BOUND)]++;
    double chi2 = 0, expected = (double)DRAWS / BOUND;
    for (int i = 0; i < BOUND; i++) chi2 += pow(seen[i] - expected, 2) / expected;
    assert_true(chi2 < 22.5); /* 0.999 quantile, 6 degrees of freedom */
    for (int i = 0; i < 100; i++) assert_int_equal(zf_random_below(&random, 1), 0);
    for (int i = 0; i < 100; i++) assert_true(zf_random_below(&random, 0x80000001u) < 0x80000001u);
}

static void permutes_uniformly(void **state)
{
    (void)state;
    int seen[24] = {0};
    for (uint32_t i = 0; i < 24000; i++) {
        uint32_t order[4];
        zf_random random = zf_random_at(3, ZF_FOR_TEST, 0, i);
        zf_random_permutation(&random, order, 4);
        unsigned all = 0;
        for (int k = 0; k < 4; k++) all |= 1u << order[k];
        assert_int_equal(all, 15);
        int rank = 0; /* of the permutation, in the factorial number system */
        for (int k = 0; k < 4; k++) {
            int smaller = 0;
            for (int l = k + 1; l < 4; l++) smaller += order[l] < order[k];
            rank = rank * (4 - k) + smaller;
        }
        seen[rank]++;
    }
    double chi2 = 0;
    for (int i = 0; i < 24; i++) chi2 += pow(seen[i] - 1000.0, 2) / 1000.0;
    assert_true(chi2 < 49.8); /* 0.999 quantile, 23 degrees of freedom */
}

static void bootstrap_rows_are_addressed(void **state)
{
    (void)state;
    uint32_t whole[40], part[10];
    zf_random_bootstrap(9, 4, 100, whole, 40);
    zf_random_bootstrap(9, 4, 100, part, 10);
    assert_memory_equal(whole, part, sizeof part);
    for (int i = 0; i < 40; i++) assert_true(whole[i] < 100);
}

/* Sixteen blocks of the generator make 64 values; from each block two pairs, by
   the method of Box and Muller with an angle that three bits mirror. */
static void fills_with_normal_values(void **state)
{
    (void)state;
    enum { N = 64 * 5 + 3 };
    float values[N], fewer[70], short_vectors[N];
    zf_random random = zf_random_at(6, ZF_FOR_TEST, 8, 2);
    zf_random_fill_normal(&random, values, N);
    zf_random_fill_normal(&random, fewer, 70);
    assert_memory_equal(values, fewer, sizeof fewer);
    fill_normals(&random, short_vectors, N);
    assert_memory_equal(values, short_vectors, sizeof values);
    for (uint32_t i = 0; i < 64 * 5; i++) {
        uint32_t words[4], counter[4], block = i / 64 * 16 + i % 16, pair = i % 64 / 32;
        memcpy(counter, random.counter, sizeof counter);
        counter[0] = block;
        zf_philox4x32(words, counter, random.key);
        double u = ((words[2 * pair] >> 9) + 0.5) / (1 << 23);
        uint32_t word = words[2 * pair + 1];
        double angle = ((word >> 9) + 0.5) / (1 << 23) * 0.78539816339744831;
        double across = word & 1 ? sin(angle) : cos(angle), up = word & 1 ? cos(angle) : sin(angle);
        double expected = i % 32 < 16 ? (word & 2 ? -across : across) : (word & 4 ? -up : up);
        assert_true(fabs(values[i] - sqrt(-2 * log(u)) * expected) < 4e-6);
    }
    float *draws = malloc(DRAWS * sizeof *draws);
    zf_random_fill_normal(&random, draws, DRAWS);
    assert_follows(draws, normal_law);
    free(draws);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_published_vectors),
        cmocka_unit_test(is_a_function_of_the_address),
        cmocka_unit_test(follows_its_laws),
        cmocka_unit_test(rows_are_independent),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(permutes_uniformly),
        cmocka_unit_test(bootstrap_rows_are_addressed),
        cmocka_unit_test(fills_with_normal_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
