#include "study/shapes.h"

#include <stdlib.h>
#include <string.h>

/* Shapes with a form; the others are scattered. */
enum { LINE, ELBOW, BLOCK, APART, PAIR_AND_ONE, SCATTERED, FORMS = APART };

const char *const shape_names[SHAPES] = {
    [LINE] = "line of four",
    [ELBOW] = "L of four",
    [BLOCK] = "block of 2 x 2",
    [APART] = "two nodes, not neighbours",
    [PAIR_AND_ONE] = "a pair and a node apart",
    [SCATTERED] = "two to five nodes anywhere",
};

static const int forms[FORMS][4][2] = {
    [LINE] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}},
    [ELBOW] = {{0, 0}, {0, 1}, {0, 2}, {1, 2}},
    [BLOCK] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}},
};

static int below(unsigned short random[3], int n)
{
    return (int)(erand48(random) * n);
}

static int distance(int a, int b, int side)
{
    return abs(a / side - b / side) + abs(a % side - b % side);
}

static int compare(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

/* False where the form leaves the lattice. */
static bool place_form(target_set *set, int shape, int side, unsigned short random[3])
{
    int row = below(random, side), column = below(random, side);
    int down = below(random, 2) ? 1 : -1, right = below(random, 2) ? 1 : -1;
    bool turned = below(random, 2);
    set->n = 4;
    for (int k = 0; k < 4; k++) {
        int r = row + down * forms[shape][k][turned], c = column + right * forms[shape][k][!turned];
        if (r < 0 || c < 0 || r >= side || c >= side) return false;
        set->nodes[k] = r * side + c;
    }
    return true;
}

/* Nodes anywhere; false where a node comes twice, or the shape has a rule that
   they break. */
static bool scatter(target_set *set, int shape, int side, unsigned short random[3])
{
    set->n = shape == APART ? 2 : shape == PAIR_AND_ONE ? 3 : 2 + below(random, 4);
    for (int k = 0; k < set->n; k++) {
        set->nodes[k] = below(random, side * side);
        for (int l = 0; l < k; l++)
            if (set->nodes[l] == set->nodes[k]) return false;
    }
    int first = distance(set->nodes[0], set->nodes[1], side);
    if (shape == APART) return first > 1;
    if (shape == PAIR_AND_ONE)
        return first == 1 && distance(set->nodes[0], set->nodes[2], side) > 1 &&
               distance(set->nodes[1], set->nodes[2], side) > 1;
    return true;
}

target_set shape_draw(int shape, int side, unsigned short random[3])
{
    target_set set;
    for (;;) {
        bool whole = shape < FORMS ? place_form(&set, shape, side, random)
                                   : scatter(&set, shape, side, random);
        if (!whole) continue;
        qsort(set.nodes, (size_t)set.n, sizeof *set.nodes, compare);
        if (!set_is_seen(&set, side)) return set;
    }
}

bool set_is_seen(const target_set *set, int side)
{
    for (int k = 0; k < set->n; k++) {
        bool all = true;
        for (int l = 0; l < set->n; l++) all &= distance(set->nodes[k], set->nodes[l], side) <= 1;
        if (all) return true;
    }
    return false;
}

void set_truth(const target_set *set, int side, unsigned char *target, unsigned char *truth)
{
    memset(target, 0, (size_t)(side * side));
    memset(truth, 0, (size_t)(side * side));
    for (int k = 0; k < set->n; k++) target[set->nodes[k]] = 1;
    for (int node = 0; node < side * side; node++)
        for (int k = 0; k < set->n; k++)
            if (!target[node] && distance(node, set->nodes[k], side) == 1) truth[node] = 1;
}

double set_jaccard(const unsigned char *found, const unsigned char *truth, int nodes)
{
    int both = 0, either = 0;
    for (int i = 0; i < nodes; i++) {
        both += found[i] && truth[i];
        either += found[i] || truth[i];
    }
    return either ? (double)both / either : 1;
}
