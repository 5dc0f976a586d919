/* Structural equation models: their graphs by definition, their laws by moments. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "data/synthetic_sem.h"

enum { MECHANISMS = ZF_SEM_KINETICS + 1, ROWS = 20000, D = 12 };

typedef struct sample {
    double *values;
    zf_graph *truth;
    size_t rows, d;
} sample;

static sample generate(zf_mechanism mechanism, int d, int edges, size_t rows, uint64_t seed)
{
    sample s = {.rows = rows, .d = (size_t)d};
    zf_generate_options options = zf_generate_defaults(ZF_SEM);
    options.mechanism = mechanism;
    options.variables = d;
    options.edges = edges;
    options.rows = rows;
    options.seed = seed;
    options.threads = 1;
    assert_ok(zf_generate(&s.values, &s.truth, NULL, &options));
    return s;
}

static void sample_free(sample *s)
{
    free(s->values);
    zf_graph_free(s->truth);
}

static bool is_edge(const sample *s, size_t i, size_t j)
{
    return zf_graph_score(s->truth, i, j) > 0;
}

static size_t count_edges(const sample *s)
{
    size_t edges = 0;
    for (size_t i = 0; i < s->d; i++)
        for (size_t j = 0; j < i; j++) edges += is_edge(s, i, j);
    return edges;
}

/* Correlation of two functions of columns. */
typedef double (*function)(double);

static double plain(double u)
{
    return u;
}

/* Bounded, so that tails do not drown it. */
static double size_of(double u)
{
    return fmin(fabs(u), 2);
}

static double correlation(const sample *s, size_t i, size_t j, function f)
{
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0, n = (double)s->rows;
    for (size_t r = 0; r < s->rows; r++) {
        double u = f(s->values[r * s->d + i]), v = f(s->values[r * s->d + j]);
        a += u / n;
        b += v / n;
        aa += u * u / n;
        bb += v * v / n;
        ab += u * v / n;
    }
    return (ab - a * b) / sqrt((aa - a * a) * (bb - b * b));
}

/* Every possible number of arrows: parents come first, no arrow twice, and the graph joins
   two columns exactly where one is a parent of the other or both are of a third. */
static void check_model(const zf_sem *sem, int64_t arrows)
{
    bool joined[D][D] = {{false}}, columns[D] = {false}, loops = sem->mechanism == ZF_SEM_KINETICS;
    int64_t count = 0;
    zf_band graph;
    for (int b = 0; b < sem->d; b++) {
        const zf_sem_node *node = &sem->nodes[b];
        assert_false(columns[node->column]);
        columns[node->column] = true;
        count += node->parents;
        for (int k = 0; k < node->parents; k++) {
            int from = node->arrows[k].from, parent = sem->nodes[from].column;
            assert_true(loops ? from != b : from < b);
            joined[parent][node->column] = joined[node->column][parent] = true;
            for (int l = 0; l < node->parents; l++) {
                int other = sem->nodes[node->arrows[l].from].column;
                assert_true(k == l || other != parent);
                if (k != l && !loops) joined[parent][other] = true;
            }
        }
    }
    assert_int_equal(count, arrows);
    assert_ok(zf_sem_graph(&graph, sem));
    for (int i = 0; i < sem->d; i++)
        for (int j = 0; j < sem->d; j++)
            assert_true((zf_band_at(&graph, i, j) != 0) == (i == j || joined[i][j]));
    zf_band_free(&graph);
}

static void test_models(void **state)
{
    (void)state;
    for (int m = 0; m < MECHANISMS; m++) {
        zf_mechanism mechanism = (zf_mechanism)m;
        int step = mechanism == ZF_SEM_PRODUCTS ? 2 : 1;
        for (int d = step + 1; d <= D; d += 5)
            for (int64_t arrows = step; arrows <= zf_sem_arrows_most(mechanism, d);
                 arrows += step) {
                zf_sem sem;
                assert_ok(zf_sem_new(&sem, mechanism, d, arrows, 3));
                check_model(&sem, arrows);
                zf_sem_free(&sem);
            }
    }
    assert_int_equal(zf_sem_arrows_most(ZF_SEM_ADDITIVE, 6), 0 + 1 + 2 + 3 + 4 + 4);
    assert_int_equal(zf_sem_arrows_most(ZF_SEM_PRODUCTS, 11), 6);
    assert_int_equal(zf_sem_arrows_most(ZF_SEM_KINETICS, 8), 40);
    assert_int_equal(zf_sem_arrows_usual(ZF_SEM_LINEAR, 30), 45);
    assert_int_equal(zf_sem_arrows_usual(ZF_SEM_LINEAR, 2), 1);
}

/* The pair that is joined by a single arrow is any pair about as often as another. */
static void test_any_pair(void **state)
{
    (void)state;
    enum { DRAWS = 400, SMALL = 4, PAIRS = 6 };
    double counts[SMALL][SMALL] = {{0}}, chi = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        sample s = generate(ZF_SEM_LINEAR, SMALL, 1, 1, seed);
        for (size_t i = 0; i < SMALL; i++)
            for (size_t j = 0; j < i; j++) counts[i][j] += is_edge(&s, i, j);
        sample_free(&s);
    }
    for (int i = 0; i < SMALL; i++)
        for (int j = 0; j < i; j++)
            chi += pow(counts[i][j] - DRAWS / (double)PAIRS, 2) / (DRAWS / (double)PAIRS);
    assert_true(chi < 25.7); /* 5 degrees of freedom, p = 1e-4 */
}

static void test_scale(void **state)
{
    (void)state;
    for (int m = 0; m < ZF_SEM_KINETICS; m++) {
        sample s = generate((zf_mechanism)m, D, 0, ROWS, 1);
        for (size_t j = 0; j < D; j++) {
            double mean = 0, square = 0;
            for (size_t r = 0; r < ROWS; r++) {
                double z = s.values[r * D + j];
                mean += z / ROWS;
                square += z * z / ROWS;
            }
            /* The scale is that of 2,048 other rows; fourth moments are large. */
            assert_true(fabs(mean) < 0.12);
            assert_true(fabs(square - 1) < 0.4);
        }
        sample_free(&s);
    }
}

/* Partial correlations by Gauss and Jordan on the sample covariance. */
static void invert(double *m, size_t d)
{
    for (size_t k = 0; k < d; k++) {
        double pivot = m[k * d + k];
        m[k * d + k] = 1;
        for (size_t j = 0; j < d; j++) m[k * d + j] /= pivot;
        for (size_t i = 0; i < d; i++) {
            double factor = m[i * d + k];
            if (i == k) continue;
            m[i * d + k] = 0;
            for (size_t j = 0; j < d; j++) m[i * d + j] -= factor * m[k * d + j];
        }
    }
}

/* Whatever the noises are, the inverse covariance of a linear model is 0 off its moral
   graph; on it, here, it is mostly not. */
static void test_linear_law(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        sample s = generate(ZF_SEM_LINEAR, D, 18, ROWS, seed);
        double m[D * D];
        size_t seen = 0, edges = count_edges(&s);
        for (size_t i = 0; i < D; i++)
            for (size_t j = 0; j < D; j++) m[i * D + j] = correlation(&s, i, j, plain);
        invert(m, D);
        for (size_t i = 0; i < D; i++)
            for (size_t j = 0; j < i; j++) {
                double partial = m[i * D + j] / sqrt(m[i * D + i] * m[j * D + j]);
                if (is_edge(&s, i, j))
                    seen += fabs(partial) > 0.05;
                else
                    assert_true(fabs(partial) < 4.5 / sqrt(ROWS));
            }
        assert_true(edges >= 18 && edges < 50);
        assert_true((double)seen > 0.9 * (double)edges);
        sample_free(&s);
    }
}

/* Column j is correlated with i where that is an edge of an additive model without moral
   edges, such as one with a single arrow; others are independent. */
static void test_single_arrows(void **state)
{
    (void)state;
    static const zf_mechanism mechanisms[] = {ZF_SEM_ADDITIVE, ZF_SEM_MIXTURE, ZF_SEM_KINETICS};
    for (size_t m = 0; m < 3; m++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            sample s = generate(mechanisms[m], 3, 1, 4000, seed);
            assert_int_equal(count_edges(&s), 1);
            for (size_t i = 0; i < 3; i++)
                for (size_t j = 0; j < i; j++) {
                    double r = fmax(fabs(correlation(&s, i, j, plain)),
                                    fmax(fabs(correlation(&s, i, j, size_of)),
                                         fabs(correlation(&s, i, j, sin))));
                    if (!is_edge(&s, i, j)) assert_true(r < 4.5 / sqrt(4000));
                }
            sample_free(&s);
        }
}

/* Of a triangle no two are correlated, the three together are. */
static void test_products(void **state)
{
    (void)state;
    sample s = generate(ZF_SEM_PRODUCTS, 14, 0, ROWS, 4);
    size_t triangles = 0;
    assert_int_equal(count_edges(&s), 12);
    for (size_t i = 0; i < s.d; i++)
        for (size_t j = 0; j < i; j++) {
            /* A product of two normals has heavier tails than a normal. */
            assert_true(fabs(correlation(&s, i, j, plain)) < 9 / sqrt(ROWS));
            for (size_t k = 0; k < j; k++) {
                double sign = 0;
                for (size_t r = 0; r < ROWS; r++) {
                    const double *row = s.values + r * s.d;
                    sign += row[i] * row[j] * row[k] > 0 ? 1.0 / ROWS : -1.0 / ROWS;
                }
                bool triangle = is_edge(&s, i, j) && is_edge(&s, i, k) && is_edge(&s, j, k);
                triangles += triangle;
                assert_true(triangle ? fabs(sign) > 0.5 : fabs(sign) < 4.5 / sqrt(ROWS));
            }
        }
    assert_int_equal(triangles, 4);
    sample_free(&s);
}

/* Uncorrelated throughout; sizes of a single parent and its child go together. */
static void test_spread(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        sample s = generate(ZF_SEM_SPREAD, 4, 1, ROWS, seed);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < i; j++) {
                assert_true(fabs(correlation(&s, i, j, plain)) < 9 / sqrt(ROWS));
                double sizes = correlation(&s, i, j, size_of);
                assert_true(is_edge(&s, i, j) ? sizes > 0.2 : fabs(sizes) < 4.5 / sqrt(ROWS));
            }
        sample_free(&s);
    }
}

/* Positive and finite, with many loops too; those who regulate each other are more alike
   than those who do not. */
static void test_kinetics(void **state)
{
    (void)state;
    sample s = generate(ZF_SEM_KINETICS, 40, 80, 2000, 5);
    double on = 0, off = 0, edges = (double)count_edges(&s);
    for (size_t i = 0; i < s.rows * s.d; i++) assert_true(s.values[i] > 1e-6 && s.values[i] < 1e6);
    for (size_t i = 0; i < s.d; i++)
        for (size_t j = 0; j < i; j++)
            *(is_edge(&s, i, j) ? &on : &off) += fabs(correlation(&s, i, j, plain));
    assert_true(edges > 60 && edges <= 80);
    assert_true(on / edges > 3 * off / (780 - edges));
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),        cmocka_unit_test(test_any_pair),
        cmocka_unit_test(test_scale),         cmocka_unit_test(test_linear_law),
        cmocka_unit_test(test_single_arrows), cmocka_unit_test(test_products),
        cmocka_unit_test(test_spread),        cmocka_unit_test(test_kinetics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
