/* Generated data: precision matrices by hand, laws by their moments, and that
   the data is a function of the seed. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "data/synthetic.h"
#include "zeroflow/generate.h"

typedef struct sample {
    double *values;
    zf_graph *truth;
    double *precision;
    size_t d;
} sample;

static sample generate(const zf_generate_options *options)
{
    sample s = {0};
    assert_ok(zf_generate(&s.values, &s.truth, &s.precision, options));
    s.d = zf_graph_count(s.truth);
    return s;
}

static void sample_free(sample *s)
{
    free(s->values);
    free(s->precision);
    zf_graph_free(s->truth);
}

static double entry(const sample *s, size_t i, size_t j)
{
    return s->precision[i * s->d + j];
}

static void near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance)) fail_msg("%.10g, not %.10g", got, expected);
}

/* The precision is symmetric, and other than 0 exactly on the truth's edges. */
static size_t check_graph(const sample *s)
{
    size_t edges = 0;
    for (size_t i = 0; i < s->d; i++) {
        assert_true(zf_graph_gate(s->truth, i, i) == 0);
        for (size_t j = 0; j < i; j++) {
            assert_true(entry(s, i, j) == entry(s, j, i));
            assert_true(zf_graph_gate(s->truth, i, j) == (entry(s, i, j) != 0));
            assert_true(zf_graph_gate(s->truth, j, i) == (entry(s, i, j) != 0));
            edges += entry(s, i, j) != 0;
        }
    }
    return edges;
}

static void test_chain_matrix(void **state)
{
    (void)state;
    zf_generate_options options = zf_generate_defaults(ZF_CHAIN);
    assert_int_equal(options.variables, 50);
    assert_int_equal(options.rows, 2048);
    options.rows = 1;
    sample s = generate(&options);
    assert_int_equal(check_graph(&s), 49 + 48 + 47);
    near(entry(&s, 10, 11), 0.8, 0);
    near(entry(&s, 10, 12), 0.4, 0);
    near(entry(&s, 10, 13), 0.2, 0);
    near(entry(&s, 0, 0), 1.4 + 0.5 + 0.125, 1e-12);
    near(entry(&s, 1, 1), 2.2 + 0.5, 1e-12);
    near(entry(&s, 25, 25), 2.8 + 0.5, 1e-12);
    near(entry(&s, 49, 49), 1.4 + 0.5 + 0.125, 1e-12);
    assert_string_equal(zf_graph_name(s.truth, 49), "x50");
    sample_free(&s);
    options.variables = 6;
    options.order = 5;
    s = generate(&options);
    assert_int_equal(check_graph(&s), 15);
    near(entry(&s, 0, 5), 0.05, 1e-15);
    sample_free(&s);
}

static void test_lattice_matrix(void **state)
{
    (void)state;
    zf_generate_options options = zf_generate_defaults(ZF_LATTICE);
    options.rows = 1;
    options.side = 4;
    sample s = generate(&options);
    assert_int_equal(s.d, 16);
    assert_int_equal(check_graph(&s), 24);
    near(entry(&s, 0, 0), 2.1, 1e-12);
    near(entry(&s, 1, 1), 3.1, 1e-12);
    near(entry(&s, 5, 5), 4.1, 1e-12);
    near(entry(&s, 3, 4), 0, 0); /* the end of a row and the start of the next */
    near(entry(&s, 5, 9), 1, 0);
    assert_string_equal(zf_graph_name(s.truth, 7), "r2c4");
    sample_free(&s);
}

static void test_random_matrix(void **state)
{
    (void)state;
    zf_generate_options options = zf_generate_defaults(ZF_RANDOM);
    options.rows = 1;
    sample s = generate(&options);
    assert_int_equal(check_graph(&s), 120);
    size_t negative = 0;
    for (size_t i = 0; i < s.d; i++) {
        double sum = 0;
        for (size_t j = 0; j < s.d; j++) {
            double size = fabs(entry(&s, i, j));
            if (i == j || size == 0) continue;
            assert_true(size >= 0.3 && size <= 0.9);
            sum += size;
            negative += j < i && entry(&s, i, j) < 0;
        }
        near(entry(&s, i, i), sum + 0.5, 1e-12);
    }
    assert_in_range(negative, 40, 80);
    sample_free(&s);
    options.variables = 7;
    for (options.edges = 1; options.edges <= 21; options.edges++) {
        s = generate(&options);
        assert_int_equal(check_graph(&s), options.edges);
        sample_free(&s);
    }
}

/* Every pair is drawn about as often as every other: chi-squared over 10 pairs. */
static void test_random_edges_are_uniform(void **state)
{
    (void)state;
    enum { DRAWS = 1000, D = 5, PAIRS = 10, EDGES = 3 };
    zf_generate_options options = zf_generate_defaults(ZF_RANDOM);
    options.rows = 1;
    options.variables = D;
    options.edges = EDGES;
    options.threads = 1;
    double counts[D][D] = {{0}}, chi = 0, expected = DRAWS * EDGES / (double)PAIRS;
    for (options.seed = 0; options.seed < DRAWS; options.seed++) {
        sample s = generate(&options);
        for (size_t i = 0; i < D; i++)
            for (size_t j = 0; j < i; j++) counts[i][j] += entry(&s, i, j) != 0;
        sample_free(&s);
    }
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < i; j++) chi += pow(counts[i][j] - expected, 2) / expected;
    assert_true(chi < 33.7 * 0.7); /* 9 degrees, p = 1e-4; fixed total shrinks it by 1 - 3/10 */
}

/* Inverse of a small matrix by Gauss and Jordan. */
static void invert(double *out, const double *matrix, size_t d)
{
    double work[16][32] = {{0}};
    assert_true(d <= 16);
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) work[i][j] = matrix[i * d + j];
        work[i][d + i] = 1;
    }
    for (size_t k = 0; k < d; k++) {
        double pivot = work[k][k];
        for (size_t j = 0; j < 2 * d; j++) work[k][j] /= pivot;
        for (size_t i = 0; i < d; i++) {
            double factor = work[i][k];
            for (size_t j = 0; i != k && j < 2 * d; j++) work[i][j] -= factor * work[k][j];
        }
    }
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++) out[i * d + j] = work[i][d + j];
}

static void test_factor_and_variances(void **state)
{
    (void)state;
    zf_band matrices[3], factor;
    assert_ok(zf_synthetic_chain(&matrices[0], 12, 3));
    assert_ok(zf_synthetic_lattice(&matrices[1], 4));
    assert_ok(zf_synthetic_random(&matrices[2], 16, 40, 5));
    for (int m = 0; m < 3; m++) {
        const zf_band *p = &matrices[m];
        size_t d = (size_t)p->d;
        double square[256], inverse[256], variances[16];
        for (size_t i = 0; i < d * d; i++) square[i] = zf_band_at(p, (int)(i / d), (int)(i % d));
        invert(inverse, square, d);
        assert_ok(zf_band_factor(&factor, p));
        for (int i = 0; i < p->d; i++)
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = 0; k <= j; k++)
                    if (i - k <= p->width && j - k <= p->width)
                        sum += zf_band_row(&factor, i)[k] * zf_band_row(&factor, j)[k];
                near(sum, zf_band_at(p, i, j), 1e-12);
            }
        assert_ok(zf_band_variances(variances, &factor));
        for (size_t i = 0; i < d; i++) near(variances[i], inverse[i * d + i], 1e-12);
        zf_band_free(&factor);
        zf_band_free(&matrices[m]);
    }
}

/* Sample covariances within 4.5 standard errors of the inverse precision. */
static void check_covariance(const sample *s, size_t rows)
{
    double sigma[256];
    invert(sigma, s->precision, s->d);
    for (size_t i = 0; i < s->d; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t r = 0; r < rows; r++)
                sum += (double)s->values[r * s->d + i] * (double)s->values[r * s->d + j];
            double error = sqrt((sigma[i * s->d + i] * sigma[j * s->d + j] +
                                 sigma[i * s->d + j] * sigma[i * s->d + j]) /
                                (double)rows);
            near(sum / (double)rows, sigma[i * s->d + j], 4.5 * error);
        }
}

static void test_gaussian_law(void **state)
{
    (void)state;
    static const zf_structure gaussian[] = {ZF_CHAIN, ZF_LATTICE, ZF_RANDOM, ZF_INDEPENDENT};
    for (size_t k = 0; k < 4; k++) {
        zf_structure structure = gaussian[k];
        zf_generate_options options = zf_generate_defaults(structure);
        options.rows = 20000;
        options.variables = 9;
        options.side = 3;
        options.edges = 12;
        sample s = generate(&options);
        check_covariance(&s, options.rows);
        sample_free(&s);
    }
}

static void test_nonparanormal_is_the_cube(void **state)
{
    (void)state;
    zf_generate_options options = zf_generate_defaults(ZF_CHAIN);
    options.rows = 200;
    options.variables = 10;
    sample plain = generate(&options);
    options.law = ZF_NONPARANORMAL;
    sample cubed = generate(&options);
    double sigma[256];
    invert(sigma, plain.precision, 10);
    for (size_t i = 0; i < 2000; i++) {
        double z = (double)plain.values[i] / sqrt(sigma[i % 10 * 11]);
        near((double)cubed.values[i], z * z * z / sqrt(15), 1e-5 * (1 + fabs(z * z * z)));
    }
    sample_free(&plain);
    sample_free(&cubed);
}

/* Moments of first and second order and a tail, for comparison. */
enum { SMALL = 5, MOMENTS = 2 * SMALL + SMALL * SMALL };

static void add_moments(double *sums, double *squares, const double *z)
{
    double m[MOMENTS];
    for (int i = 0; i < SMALL; i++) {
        m[i] = z[i];
        m[SMALL + i] = z[i] > 0.5;
        for (int j = 0; j < SMALL; j++) m[2 * SMALL + i * SMALL + j] = z[i] * z[j];
    }
    for (int k = 0; k < MOMENTS; k++) {
        sums[k] += m[k];
        squares[k] += m[k] * m[k];
    }
}

/* What is left of plain Gaussian draws when those below the bound are thrown
   away has the law by definition. */
static size_t reject(double *sums, double *squares, zf_generate_options options)
{
    size_t kept = 0;
    options.law = ZF_GAUSSIAN;
    options.rows = 150000;
    sample s = generate(&options);
    for (size_t r = 0; r < options.rows; r++) {
        double z[SMALL];
        bool inside = true;
        for (int i = 0; i < SMALL; i++) {
            z[i] = (double)s.values[r * SMALL + (size_t)i];
            inside = inside && z[i] > -0.75;
        }
        if (!inside) continue;
        add_moments(sums, squares, z);
        kept++;
    }
    sample_free(&s);
    return kept;
}

static void check_truncated(zf_generate_options options)
{
    double sums[MOMENTS] = {0}, squares[MOMENTS] = {0};
    double wanted[MOMENTS] = {0}, wanted_squares[MOMENTS] = {0};
    size_t kept = reject(wanted, wanted_squares, options);
    assert_true(kept > 10000);
    options.law = ZF_TRUNCATED;
    options.seed += options.structure == ZF_RANDOM ? 0 : 1000; /* the graph is the seed's */
    options.rows = 15000;
    sample s = generate(&options);
    for (size_t r = 0; r < options.rows; r++) {
        double z[SMALL];
        for (size_t i = 0; i < SMALL; i++) {
            z[i] = (double)s.values[r * SMALL + i];
            assert_true(s.values[r * SMALL + i] > -0.75f);
        }
        add_moments(sums, squares, z);
    }
    for (int k = 0; k < MOMENTS; k++) {
        double mean = sums[k] / (double)options.rows, other = wanted[k] / (double)kept;
        double error =
            sqrt((squares[k] / (double)options.rows - mean * mean) / (double)options.rows +
                 (wanted_squares[k] / (double)kept - other * other) / (double)kept);
        near(mean, other, 4.5 * error);
    }
    sample_free(&s);
}

static void test_truncated_law(void **state)
{
    (void)state;
    zf_generate_options options = zf_generate_defaults(ZF_CHAIN);
    options.variables = SMALL;
    check_truncated(options);
    options.structure = ZF_RANDOM; /* weights of either sign */
    options.edges = 7;
    for (options.seed = 1; options.seed <= 2; options.seed++) check_truncated(options);
}

/* Mean and variance over all coordinates of the paper's chain, by rejection in
   NumPy: 7,717 of 3,000,000 draws were kept, standard error of the mean 0.0006. */
static void test_truncated_long(void **state)
{
    (void)state;
    zf_generate_options options = zf_generate_defaults(ZF_CHAIN);
    options.law = ZF_TRUNCATED;
    sample s = generate(&options);
    double sum = 0, squares = 0;
    size_t n = options.rows * s.d;
    for (size_t i = 0; i < n; i++) {
        assert_true(s.values[i] > -0.75f && s.values[i] < 6);
        sum += (double)s.values[i];
        squares += (double)s.values[i] * (double)s.values[i];
    }
    double mean = sum / (double)n;
    near(mean, 0.0685, 0.006);
    near(squares / (double)n - mean * mean, 0.2336, 0.006);
    sample_free(&s);
    options = zf_generate_defaults(ZF_LATTICE);
    options.law = ZF_TRUNCATED;
    options.side = 20;
    options.rows = 20;
    s = generate(&options);
    for (size_t i = 0; i < options.rows * s.d; i++) assert_true(s.values[i] > -0.75f);
    sample_free(&s);
}

/* Neighbours are uncorrelated, their squares are not: 0.8 by the definition, as
   E[z_i^2 | z_{i-1}] = 0.2 + 0.8 z_{i-1}^2. */
static void test_volatility(void **state)
{
    (void)state;
    zf_generate_options options = zf_generate_defaults(ZF_VOLATILITY);
    options.rows = 40000;
    options.variables = 3;
    sample s = generate(&options);
    assert_int_equal(check_graph(&s), 2);
    double plain = 0, low = 0, high = 0, n_low = 0, n_high = 0;
    for (size_t r = 0; r < options.rows; r++) {
        double a = (double)s.values[3 * r], b = (double)s.values[3 * r + 1];
        plain += (a > 0) == (b > 0);
        if (fabs(a) < 0.2) {
            low += b * b;
            n_low++;
        } else if (fabs(a) > 1.9 && fabs(a) < 2.1) {
            high += b * b;
            n_high++;
        }
    }
    near(plain / (double)options.rows, 0.5, 0.0115);
    near(low / n_low, 0.2 + 0.8 * 0.04 / 3, 0.02);
    near(high / n_high, 0.2 + 0.8 * 4, 0.6);
    sample_free(&s);
}

/* The same seed gives the same rows, on any number of threads, and more rows
   begin with the fewer; another seed gives others. */
static void check_repeats(zf_generate_options options)
{
    options.rows = 70;
    options.threads = 1;
    options.seed = 9;
    sample few = generate(&options);
    options.threads = 3;
    options.rows = 131;
    sample more = generate(&options);
    options.seed = 10;
    sample other = generate(&options);
    assert_memory_equal(few.values, more.values, 70 * few.d * sizeof(double));
    size_t same = 0;
    for (size_t i = 0; i < 131 * few.d; i++) same += more.values[i] == other.values[i];
    assert_true(same < 5);
    sample_free(&few);
    sample_free(&more);
    sample_free(&other);
}

static void test_function_of_the_seed(void **state)
{
    (void)state;
    for (int structure = ZF_CHAIN; structure <= ZF_INDEPENDENT; structure++)
        for (int law = ZF_GAUSSIAN; law <= ZF_TRUNCATED; law++) {
            if (structure == ZF_VOLATILITY && law != ZF_GAUSSIAN) continue;
            zf_generate_options options = zf_generate_defaults((zf_structure)structure);
            options.law = (zf_law)law;
            check_repeats(options);
        }
    zf_generate_options options = zf_generate_defaults(ZF_SEM);
    for (int mechanism = ZF_SEM_LINEAR; mechanism <= ZF_SEM_KINETICS; mechanism++) {
        options.mechanism = (zf_mechanism)mechanism;
        check_repeats(options);
    }
}

static void test_refuses(void **state)
{
    (void)state;
    double *values = NULL;
    zf_graph *truth = NULL;
    zf_generate_options o = zf_generate_defaults(ZF_CHAIN);
    o.order = 50;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "order 50 over 50 variables");
    o.order = 0;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "order 0");
    o = zf_generate_defaults(ZF_RANDOM);
    o.edges = 1226;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "expected 1 to 1225");
    o = zf_generate_defaults(ZF_LATTICE);
    o.side = 1;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "a lattice of side 1");
    o = zf_generate_defaults(ZF_VOLATILITY);
    o.law = ZF_TRUNCATED;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "has its own distribution");
    o = zf_generate_defaults(ZF_CHAIN);
    o.variables = 1;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "1 variables");
    o = zf_generate_defaults(ZF_CHAIN);
    o.rows = 0;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "0 rows");
    o = zf_generate_defaults(ZF_SEM);
    o.law = ZF_TRUNCATED;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "has its own distribution");
    o.law = ZF_GAUSSIAN;
    o.edges = -1;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "-1 arrows");
    o.edges = 191; /* 0 + 1 + 2 + 3 + 46 * 4 = 190 */
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "a number up to 190");
    o.mechanism = ZF_SEM_PRODUCTS;
    o.edges = 3;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "an even number up to 32");
    o.variables = 2;
    o.edges = 0;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "at least 3");
    o.mechanism = (zf_mechanism)7;
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "mechanism 7");
    o = zf_generate_defaults((zf_structure)9);
    assert_fails(zf_generate(&values, &truth, NULL, &o), ZF_EINVAL, "structure 9");
    assert_null(values);
    assert_null(truth);
}

/* Moments of a normal law; streams and seeds that have nothing to do with each other. */
static void test_normals(void **state)
{
    (void)state;
    enum { N = 40000 };
    static double a[N], b[N], c[N], few[100];
    zf_generate_normals(a, N, 5, 0);
    zf_generate_normals(b, N, 5, 1);
    zf_generate_normals(c, N, 6, 0);
    zf_generate_normals(few, 100, 5, 0);
    assert_memory_equal(a, few, sizeof few);
    double mean = 0, square = 0, fourth = 0, streams = 0, seeds = 0, next = 0;
    for (int i = 0; i < N; i++) {
        double z = (double)a[i];
        mean += z / N;
        square += z * z / N;
        fourth += z * z * z * z / N;
        streams += z * (double)b[i] / N;
        seeds += z * (double)c[i] / N;
        next += z * (double)a[(i + 1) % N] / N;
    }
    /* Four standard errors: 1 / sqrt(N) = 0.005, times the deviation of what is averaged. */
    near(mean, 0, 0.02);
    near(square, 1, 0.03);
    near(fourth, 3, 0.2);
    near(streams, 0, 0.02);
    near(seeds, 0, 0.02);
    near(next, 0, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_matrix),
        cmocka_unit_test(test_lattice_matrix),
        cmocka_unit_test(test_random_matrix),
        cmocka_unit_test(test_random_edges_are_uniform),
        cmocka_unit_test(test_factor_and_variances),
        cmocka_unit_test(test_gaussian_law),
        cmocka_unit_test(test_nonparanormal_is_the_cube),
        cmocka_unit_test(test_truncated_law),
        cmocka_unit_test(test_truncated_long),
        cmocka_unit_test(test_volatility),
        cmocka_unit_test(test_function_of_the_seed),
        cmocka_unit_test(test_normals),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
