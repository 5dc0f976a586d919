/* Colours of a figure, counted by hashing, then taken by frequency: what covers
   much of the figure is kept as it is, and what gives way are pixels on edges. */
#include "plot/palette.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_DISTINCT = 4096, SLOTS = 16384, MOST_OFF = 4 };

typedef struct shade {
    uint8_t rgb[3];
    int number; /* of the colour that stands for it */
    size_t pixels;
} shade;

/* slot[h] is 1 + the place of a shade, or 0. */
typedef struct census {
    int count;
    shade shades[MOST_DISTINCT];
    uint16_t slot[SLOTS];
} census;

static uint32_t find_slot(const census *c, const uint8_t *rgb)
{
    uint32_t key = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    uint32_t slot = (key * 2654435761u >> 16) % SLOTS;
    while (c->slot[slot] && memcmp(c->shades[c->slot[slot] - 1].rgb, rgb, 3) != 0)
        slot = (slot + 1) % SLOTS;
    return slot;
}

static bool take_census(census *c, const uint8_t *rgb, size_t pixels)
{
    for (size_t i = 0; i < pixels; i++, rgb += 3) {
        uint32_t slot = find_slot(c, rgb);
        if (!c->slot[slot]) {
            if (c->count == MOST_DISTINCT) return false;
            memcpy(c->shades[c->count++].rgb, rgb, 3);
            c->slot[slot] = (uint16_t)c->count;
        }
        c->shades[c->slot[slot] - 1].pixels++;
    }
    return true;
}

/* Most pixels first; the colour decides between equals, so that the order does
   not depend on how qsort works. */
static int by_frequency(const void *a, const void *b)
{
    const shade *first = *(shade *const *)a, *second = *(shade *const *)b;
    if (first->pixels != second->pixels) return first->pixels > second->pixels ? -1 : 1;
    return memcmp(first->rgb, second->rgb, 3);
}

static int distance(const uint8_t *a, const uint8_t *b)
{
    int most = 0;
    for (int i = 0; i < 3; i++) {
        int off = abs(a[i] - b[i]);
        if (off > most) most = off;
    }
    return most;
}

/* Gives each shade the nearest colour of the table, or a new one if none is
   within `off`; false if the table does not hold them. */
static bool assign(zf_colour_table *table, shade **order, int count, int off)
{
    table->count = 0;
    for (int i = 0; i < count; i++) {
        int best = -1, least = off + 1;
        for (int k = 0; k < table->count && least > 0; k++) {
            int d = distance(table->colour[k], order[i]->rgb);
            if (d < least) {
                least = d;
                best = k;
            }
        }
        if (best < 0) {
            if (table->count == ZF_MOST_COLOURS) return false;
            best = table->count++;
            memcpy(table->colour[best], order[i]->rgb, 3);
        }
        order[i]->number = best;
    }
    return true;
}

/* Allows rare shades to be off by as little as makes them fit. */
static bool choose(zf_colour_table *table, census *c, shade **order)
{
    for (int i = 0; i < c->count; i++) order[i] = &c->shades[i];
    qsort(order, (size_t)c->count, sizeof(shade *), by_frequency);
    for (int off = 0; off <= MOST_OFF; off += 2)
        if (assign(table, order, c->count, off)) return true;
    return false;
}

zf_status zf_colour_index(uint8_t **numbers, zf_colour_table *table, const uint8_t *rgb,
                          size_t pixels)
{
    census *c = calloc(1, sizeof *c);
    shade **order = malloc(MOST_DISTINCT * sizeof *order);
    uint8_t *found = malloc(pixels);
    zf_status status = c && order && found ? ZF_OK : zf_fail_memory(pixels + sizeof *c);
    if (status == ZF_OK) {
        bool fits = take_census(c, rgb, pixels) && choose(table, c, order);
        for (size_t i = 0; i < pixels && fits; i++)
            found[i] = (uint8_t)c->shades[c->slot[find_slot(c, rgb + 3 * i)] - 1].number;
        *numbers = fits ? found : NULL;
        if (fits) found = NULL;
    }
    free(c);
    free(order);
    free(found);
    return status;
}
