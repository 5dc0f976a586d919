/* AdamW and the sum of gradients (kernel/adamw.h).

   Both go over memory once. An element's result does not depend on where a
   range begins, so ranges may be cut in any way; the sum of squares does depend
   on the cut, which must therefore not follow the number of threads. */
#include "kernel/adamw.h"

#include "kernel/isa/isa.h"

typedef struct state {
    vfloat w, m, v;
} state;

V_INLINE state advance(state s, vfloat g, const zf_adamw_step *step)
{
    g *= step->gradient_scale;
    s.w *= step->keep;
    s.m = step->beta1 * s.m + step->rest1 * g;
    s.v = step->beta2 * s.v + step->rest2 * (g * g);
    s.w -= step->rate * s.m / (v_sqrt(s.v) + step->epsilon);
    return s;
}

static void update(float *w, float *m, float *v, const float *g, size_t n,
                   const zf_adamw_step *given)
{
    const zf_adamw_step step = *given; /* so that stores cannot be thought to change it */
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        state s = {v_load(w + i), v_load(m + i), v_load(v + i)};
        s = advance(s, v_load(g + i), &step);
        v_store(w + i, s.w);
        v_store(m + i, s.m);
        v_store(v + i, s.v);
    }
    size_t rest = n - i;
    if (rest == 0) return;
    state s = {v_load_part(w + i, rest), v_load_part(m + i, rest), v_load_part(v + i, rest)};
    s = advance(s, v_load_part(g + i, rest), &step);
    v_store_part(w + i, s.w, rest);
    v_store_part(m + i, s.m, rest);
    v_store_part(v + i, s.v, rest);
}

enum { BLOCK = 64 * LANES };

/* One block: the sum of squares of what it wrote. */
static double sum_block(float *out, float *const *slots, int n_slots, size_t begin, size_t end)
{
    vfloat squares = {0};
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) {
        vfloat sum = v_load(slots[0] + i);
        for (int s = 1; s < n_slots; s++) sum += v_load(slots[s] + i);
        v_store(out + i, sum);
        squares += sum * sum;
    }
    size_t rest = end - i;
    if (rest > 0) {
        vfloat sum = v_load_part(slots[0] + i, rest);
        for (int s = 1; s < n_slots; s++) sum += v_load_part(slots[s] + i, rest);
        v_store_part(out + i, sum, rest);
        squares += sum * sum;
    }
    return v_sum_double(squares);
}

static double sum_slots(float *out, float *const *slots, int n_slots, size_t begin, size_t n)
{
    if (n_slots == 0) {
        memset(out + begin, 0, n * sizeof *out);
        return 0;
    }
    double total = 0;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t end = n - i < BLOCK ? n : i + BLOCK;
        total += sum_block(out, slots, n_slots, begin + i, begin + end);
    }
    return total;
}

const zf_adamw_kernels ZF_TABLE(zf_adamw) = {
    .update = update,
    .sum_slots = sum_slots,
};
