/* Target sets on a square lattice, and the blankets that they truly have. */
#ifndef ZF_STUDY_SHAPES_H
#define ZF_STUDY_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

enum { SET_MOST = 5, SHAPES = 6 };

/* Nodes of a side x side lattice, row by row, ascending. */
typedef struct target_set {
    int32_t nodes[SET_MOST];
    int n;
} target_set;

/* The shapes of unseen sets; each has sets that training never draws, and only
   those are drawn. */
extern const char *const shape_names[SHAPES];

/* A set of that shape, turned, mirrored and placed at random, which is no
   subset of a node with its neighbours (all that training draws). side >= 4. */
target_set shape_draw(int shape, int side, unsigned short random[3]);

/* Could training draw it: a node of it with only neighbours of that node? */
bool set_is_seen(const target_set *set, int side);

/* truth[node] is 1 for the neighbours of the set outside it. target, of the set
   itself. */
void set_truth(const target_set *set, int side, unsigned char *target, unsigned char *truth);

/* |found and truth| / |found or truth|; 1 if both are empty. */
double set_jaccard(const unsigned char *found, const unsigned char *truth, int nodes);

#endif
