#include "blanket/targets.h"

#include "base/error.h"

/* Sets that callers bring: ascending variables of which some are left over. */
static zf_status check_sets(const zf_target_sets *sets, int variables)
{
    for (int s = 0; s < sets->count; s++) {
        int n = sets->first[s + 1] - sets->first[s];
        if (n < 1 || n >= variables)
            return zf_fail(ZF_EINVAL, "target set %d: expected 1 to %d of %d variables, found %d",
                           s + 1, variables - 1, variables, n);
        for (int k = sets->first[s]; k < sets->first[s + 1]; k++) {
            int least = k > sets->first[s] ? sets->items[k - 1] + 1 : 0;
            if (sets->items[k] < least || sets->items[k] >= variables)
                return zf_fail(ZF_EINVAL,
                               "target set %d: expected ascending numbers below %d, found %d",
                               s + 1, variables, (int)sets->items[k]);
        }
    }
    return ZF_OK;
}

zf_status zf_targets_check(const zf_target_options *o)
{
    int d = o->variables;
    if (d < 2) return zf_fail(ZF_EINVAL, "targets: expected at least two variables, found %d", d);
    switch (o->law) {
    case ZF_TARGET_GRID:
        if (o->side < 2 || o->side * o->side != d)
            return zf_fail(ZF_EINVAL, "targets grid: %d variables are not a square grid", d);
        break;
    case ZF_TARGET_WINDOW:
        if (o->size < 1 || o->size >= d)
            return zf_fail(ZF_EINVAL, "targets window:%d: expected 1 to %d of %d variables",
                           o->size, d - 1, d);
        break;
    case ZF_TARGET_BERNOULLI:
        if (!(o->probability > 0 && o->probability < 1))
            return zf_fail(ZF_EINVAL, "targets bernoulli:%g: expected a number between 0 and 1",
                           o->probability);
        break;
    case ZF_TARGET_SETS:
        if (o->sets.count < 1) return zf_fail(ZF_EINVAL, "targets: the list of sets is empty");
        return check_sets(&o->sets, d);
    case ZF_TARGET_NODE:
    case ZF_TARGET_NEIGHBOURS:
        break;
    }
    return ZF_OK;
}

int zf_targets_most(const zf_target_options *o)
{
    switch (o->law) {
    case ZF_TARGET_NODE:
        return 1;
    case ZF_TARGET_NEIGHBOURS:
        return o->variables < 3 ? o->variables : 3;
    case ZF_TARGET_GRID:
        return 5;
    case ZF_TARGET_WINDOW:
        return o->size;
    case ZF_TARGET_BERNOULLI:
        return o->variables - 1;
    case ZF_TARGET_SETS:
        break;
    }
    int most = 1;
    for (int s = 0; s < o->sets.count; s++) {
        int size = o->sets.first[s + 1] - o->sets.first[s];
        if (size > most) most = size;
    }
    return most;
}

int zf_targets_window(const zf_target_options *o)
{
    return o->law == ZF_TARGET_GRID ? 3 : 0;
}

static bool coin(zf_random *random)
{
    return zf_random_word(random) >> 31;
}

static int draw_neighbours(const zf_target_options *o, zf_random *random, int32_t *targets)
{
    int node = (int)zf_random_below(random, (uint32_t)o->variables), n = 0;
    bool before = coin(random), after = coin(random);
    if (before && node > 0) targets[n++] = node - 1;
    targets[n++] = node;
    if (after && node + 1 < o->variables) targets[n++] = node + 1;
    return n;
}

static int draw_on_grid(const zf_target_options *o, zf_random *random, int32_t *targets)
{
    int side = o->side, node = (int)zf_random_below(random, (uint32_t)o->variables), n = 0;
    int row = node / side, column = node % side;
    bool up = coin(random), left = coin(random), right = coin(random), down = coin(random);
    if (up && row > 0) targets[n++] = node - side;
    if (left && column > 0) targets[n++] = node - 1;
    targets[n++] = node;
    if (right && column + 1 < side) targets[n++] = node + 1;
    if (down && row + 1 < side) targets[n++] = node + side;
    return n;
}

/* Sets that are empty or everything predict nothing: drawn again. */
static int draw_bernoulli(const zf_target_options *o, zf_random *random, int32_t *targets)
{
    for (;;) {
        int n = 0;
        for (int j = 0; j < o->variables; j++)
            if (zf_random_uniform(random) < (float)o->probability) {
                if (n == o->variables - 1) {
                    n = 0;
                    break;
                }
                targets[n++] = j;
            }
        if (n > 0) return n;
    }
}

int zf_targets_draw(const zf_target_options *o, zf_random *random, int32_t *targets)
{
    switch (o->law) {
    case ZF_TARGET_NODE:
        targets[0] = (int32_t)zf_random_below(random, (uint32_t)o->variables);
        return 1;
    case ZF_TARGET_NEIGHBOURS:
        return draw_neighbours(o, random, targets);
    case ZF_TARGET_GRID:
        return draw_on_grid(o, random, targets);
    case ZF_TARGET_WINDOW: {
        int from = (int)zf_random_below(random, (uint32_t)(o->variables - o->size + 1));
        for (int k = 0; k < o->size; k++) targets[k] = from + k;
        return o->size;
    }
    case ZF_TARGET_BERNOULLI:
        return draw_bernoulli(o, random, targets);
    case ZF_TARGET_SETS:
        break;
    }
    int set = (int)zf_random_below(random, (uint32_t)o->sets.count);
    int first = o->sets.first[set], n = o->sets.first[set + 1] - first;
    for (int k = 0; k < n; k++) targets[k] = o->sets.items[first + k];
    return n;
}
