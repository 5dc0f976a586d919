/* Philox4x32-10 and the laws drawn from it. */
#include "base/random.h"

#include <math.h>

/* One round multiplies two words and mixes in the key; ten rounds pass the
   usual batteries with room to spare (Salmon et al., 2011, table 2). */
void zf_philox4x32(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        uint32_t n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

zf_random zf_random_at(uint64_t seed, zf_purpose purpose, uint64_t step, uint32_t row)
{
    return (zf_random){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, row, (uint32_t)step, (uint32_t)(step >> 32) << 8 | (uint32_t)purpose},
        .used = 4,
    };
}

uint32_t zf_random_word(zf_random *random)
{
    if (random->used == 4) {
        zf_philox4x32(random->block, random->counter, random->key);
        random->counter[0]++;
        random->used = 0;
    }
    return random->block[random->used++];
}

float zf_random_uniform(zf_random *random)
{
    /* The middle of one of 2^23 cells, so neither 0 nor 1 and exact in float. */
    return ((float)(zf_random_word(random) >> 9) + 0.5f) * 0x1p-23f;
}

double zf_random_uniform_double(zf_random *random)
{
    uint64_t high = zf_random_word(random), low = zf_random_word(random);
    return ((double)((high << 32 | low) >> 12) + 0.5) * 0x1p-52;
}

/* Box-Muller, in double; the second value is not kept, so that a draw's
   address is simply its number. */
static double normal_double(zf_random *random)
{
    double radius = sqrt(-2.0 * log(zf_random_uniform_double(random)));
    return radius * cos(6.283185307179586 * zf_random_uniform_double(random));
}

float zf_random_normal(zf_random *random)
{
    return (float)normal_double(random);
}

/* Logarithm of a Gamma(shape, 1) draw: Marsaglia and Tsang (2000). Below shape 1
   they boost a Gamma(shape + 1) draw by U^(1/shape); in logarithms that cannot
   underflow. */
static double log_gamma_draw(zf_random *random, double shape)
{
    double boost = 0.0;
    if (shape < 1.0) {
        boost = log(zf_random_uniform_double(random)) / shape;
        shape += 1.0;
    }
    double d = shape - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        double x = normal_double(random), root = 1.0 + c * x;
        if (root <= 0.0) continue;
        double v = root * root * root;
        double u = zf_random_uniform_double(random);
        if (log(u) < 0.5 * x * x + d - d * v + d * log(v)) return log(d * v) + boost;
    }
}

float zf_random_beta(zf_random *random, float a, float b)
{
    double x = log_gamma_draw(random, a), y = log_gamma_draw(random, b);
    return (float)(1.0 / (1.0 + exp(y - x)));
}

float zf_random_laplace(zf_random *random, float centre, float scale)
{
    double u = zf_random_uniform_double(random) - 0.5;
    double size = -log1p(-2.0 * fabs(u));
    return (float)((double)centre + (double)scale * (u < 0 ? -size : size));
}

/* Lemire's method: the high half of a product, drawn again in the rare case
   that would favour some numbers. */
uint32_t zf_random_below(zf_random *random, uint32_t bound)
{
    uint64_t product = (uint64_t)zf_random_word(random) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold) product = (uint64_t)zf_random_word(random) * bound;
    }
    return (uint32_t)(product >> 32);
}

void zf_random_permutation(zf_random *random, uint32_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t j = zf_random_below(random, (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
}

void zf_random_bootstrap(uint64_t seed, uint64_t step, uint32_t rows, uint32_t *chosen, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        zf_random random = zf_random_at(seed, ZF_FOR_BOOTSTRAP, step, (uint32_t)i);
        chosen[i] = zf_random_below(&random, rows);
    }
}
