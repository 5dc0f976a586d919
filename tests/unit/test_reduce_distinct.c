/* Numbers of a code that are copies of others: linear, bent, of two together. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "reduce/distinct.h"

enum { ROWS = 600, DIM = 6 };

/* Makes numbers of two independent ones, u and v, and of a third that is noise. */
static void fill(float *codes, float *mean, void (*make)(float *code, double u, double v, double e))
{
    for (size_t i = 0; i < ROWS; i++) {
        zf_random random = zf_random_at(3, ZF_FOR_TEST, i, 0);
        double u = (double)zf_random_normal(&random), v = (double)zf_random_normal(&random);
        make(codes + i * DIM, u, v, (double)zf_random_normal(&random));
    }
    for (int l = 0; l < DIM; l++) {
        double sum = 0;
        for (size_t i = 0; i < ROWS; i++) sum += (double)codes[i * DIM + (size_t)l];
        mean[l] = (float)(sum / ROWS);
    }
}

/* The number that a row of the map gives of a code. */
static double given(const float *map, const float *code, const float *mean)
{
    double sum = 0;
    for (int k = 0; k < DIM; k++) sum += (double)map[k] * ((double)code[k] - (double)mean[k]);
    return sum;
}

/* Mean 0, deviation 1, no correlation. */
static void check_given(const float *map, int kept, const float *codes, const float *mean)
{
    for (int a = 0; a < kept; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0, products = 0;
            for (size_t i = 0; i < ROWS; i++) {
                double x = given(map + a * DIM, codes + i * DIM, mean);
                sum += x / ROWS;
                products += x * given(map + b * DIM, codes + i * DIM, mean) / ROWS;
            }
            assert_close(sum, 0, 1e-4);
            assert_close(products, a == b, 1e-3);
        }
}

static void copies_of_one(float *code, double u, double v, double e)
{
    code[0] = (float)(3 + u);
    code[1] = (float)(-2 * u + 0.01 * v); /* a line */
    code[2] = (float)tanh(u);             /* a curve */
    code[3] = (float)(0.5 * v + 4 * u);   /* not a copy: v is a sixty-fifth of it */
    code[4] = (float)(u * v);             /* of the two */
    code[5] = 7;                          /* never varies */
    (void)e;
}

static void all_different(float *code, double u, double v, double e)
{
    code[0] = (float)u;
    code[1] = (float)(u + v);
    code[2] = (float)(u + v + 0.5 * e);
    code[3] = (float)(e * u + 0.3 * v * e * e);
    code[4] = code[5] = 0;
}

static void copies_go(void **state)
{
    (void)state;
    static float codes[ROWS * DIM], mean[DIM], map[DIM * DIM];
    int kept = 0;
    fill(codes, mean, copies_of_one);
    assert_ok(zf_reduce_distinct(map, &kept, codes, mean, ROWS, DIM, DIM));
    assert_int_equal(kept, 2);
    check_given(map, kept, codes, mean);
    assert_true(map[0] > 0 && map[DIM + 3] > 0);         /* made of the first and the fourth */
    assert_true(map[DIM + 1] == 0 && map[DIM + 2] == 0); /* not of copies */
    for (int k = 2 * DIM; k < DIM * DIM; k++) assert_true(map[k] == 0);
    assert_ok(zf_reduce_distinct(map, &kept, codes, mean, ROWS, 3, DIM));
    assert_int_equal(kept, 1); /* the fourth is not chosen */
}

static void others_stay(void **state)
{
    (void)state;
    static float codes[ROWS * DIM], mean[DIM], map[DIM * DIM];
    int kept = 0;
    fill(codes, mean, all_different);
    assert_ok(zf_reduce_distinct(map, &kept, codes, mean, ROWS, 4, DIM));
    assert_int_equal(kept, 4);
    check_given(map, kept, codes, mean);
    /* Nothing varies, or hardly a row is there: one number is given all the same. */
    assert_ok(zf_reduce_distinct(map, &kept, codes + 4, mean + 4, 1, 1, 1));
    assert_int_equal(kept, 1);
    assert_ok(zf_reduce_distinct(map, &kept, codes, mean, 8, 4, DIM));
    assert_true(kept >= 1 && kept <= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_go),
        cmocka_unit_test(others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
