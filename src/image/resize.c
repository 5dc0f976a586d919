#include "image/resize.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* 32 bits hold a byte, a weight and a sum of weights that is a little above 1. */
enum { PRECISION = 22, HALF = 1 << (PRECISION - 1) };

/* The square of the side `side` in the middle of `length` pixels. */
typedef struct axis {
    int length, side, size;
    double scale, support; /* in pixels of the source */
} axis;

static axis axis_of(int length, int side, int size)
{
    axis a = {.length = length, .side = side, .size = size, .scale = (double)side / size};
    a.support = a.scale > 1 ? a.scale : 1;
    return a;
}

static size_t most_taps(const axis *a)
{
    return (size_t)ceil(a->support) * 2 + 1;
}

/* Takes n things of that many bytes from the memory at *place. */
static void *take(char **place, size_t n, size_t bytes)
{
    void *piece = *place;
    *place += (n * bytes + 15) / 16 * 16;
    return piece;
}

static void compute_taps(zf_taps *taps, const axis *a)
{
    double start = (a->length - a->side) / 2.0;
    for (int i = 0; i < a->size; i++) {
        double centre = start + (i + 0.5) * a->scale, sum = 0;
        int first = (int)(centre - a->support + 0.5), last = (int)(centre + a->support + 0.5);
        if (first < 0) first = 0;
        if (last > a->length) last = a->length;
        for (int x = first; x < last; x++)
            sum += fmax(1 - fabs((x - centre + 0.5) / a->support), 0);
        int32_t *weight = taps->weight + (size_t)i * taps->most;
        for (int x = first; x < last; x++) {
            double share = fmax(1 - fabs((x - centre + 0.5) / a->support), 0) / sum;
            weight[x - first] = (int32_t)(0.5 + share * (1 << PRECISION));
        }
        taps->first[i] = first;
        taps->count[i] = last - first;
    }
}

static zf_status reserve(zf_resizer *resizer, size_t bytes)
{
    if (bytes <= resizer->room) return ZF_OK;
    free(resizer->memory);
    resizer->memory = malloc(bytes);
    resizer->room = resizer->memory ? bytes : 0;
    return resizer->memory ? ZF_OK : zf_fail_memory(bytes);
}

zf_status zf_resizer_begin(zf_resizer *resizer, int width, int height, int size)
{
    resizer->next = 0;
    if (resizer->memory && width == resizer->width && height == resizer->height &&
        size == resizer->size)
        return ZF_OK; /* images of one size come in rows */
    resizer->size = 0;
    int side = width < height ? width : height;
    axis across = axis_of(width, side, size), down = axis_of(height, side, size);
    size_t n = (size_t)size, most = most_taps(&across); /* both axes have the same scale */
    size_t rows = (size_t)side + 2 * (size_t)ceil(down.support) + 2;
    ZF_TRY(reserve(resizer, 4 * (n * sizeof(int) + 16) + 2 * (n * most * sizeof(int32_t) + 16) +
                                (rows + n) * n * 3 + 32));
    char *place = resizer->memory;
    zf_taps *both[] = {&resizer->across, &resizer->down};
    for (int i = 0; i < 2; i++) {
        both[i]->most = most;
        both[i]->first = take(&place, n, sizeof(int));
        both[i]->count = take(&place, n, sizeof(int));
        both[i]->weight = take(&place, n * most, sizeof(int32_t));
    }
    resizer->folded = take(&place, rows * n * 3, 1);
    resizer->square = take(&place, n * n * 3, 1);
    compute_taps(&resizer->across, &across);
    compute_taps(&resizer->down, &down);
    resizer->width = width;
    resizer->height = height;
    resizer->size = size;
    resizer->from = resizer->down.first[0];
    resizer->until = resizer->down.first[n - 1] + resizer->down.count[n - 1];
    assert((size_t)(resizer->until - resizer->from) <= rows);
    return ZF_OK;
}

static uint8_t to_byte(int32_t sum)
{
    sum >>= PRECISION;
    return sum > 255 ? 255 : (uint8_t)sum;
}

void zf_resizer_row(zf_resizer *resizer, const uint8_t *rgb)
{
    int row = resizer->next++, size = resizer->size;
    assert(row < resizer->height);
    if (row < resizer->from || row >= resizer->until) return;
    uint8_t *out = resizer->folded + (size_t)(row - resizer->from) * (size_t)size * 3;
    if (resizer->width == size && resizer->height >= size) { /* weights of 1 */
        memcpy(out, rgb, (size_t)size * 3);
        return;
    }
    const zf_taps *taps = &resizer->across;
    for (int x = 0; x < size; x++, out += 3) {
        const int32_t *weight = taps->weight + (size_t)x * taps->most;
        const uint8_t *pixel = rgb + (size_t)taps->first[x] * 3;
        int32_t red = HALF, green = HALF, blue = HALF;
        for (int i = 0; i < taps->count[x]; i++, pixel += 3) {
            red += weight[i] * pixel[0];
            green += weight[i] * pixel[1];
            blue += weight[i] * pixel[2];
        }
        out[0] = to_byte(red);
        out[1] = to_byte(green);
        out[2] = to_byte(blue);
    }
}

/* One row of the square from the folded rows above and below it. */
static void fold_down(const zf_resizer *resizer, int y, uint8_t *out)
{
    enum { PIECE = 96 };
    const zf_taps *taps = &resizer->down;
    const int32_t *weight = taps->weight + (size_t)y * taps->most;
    size_t row = (size_t)resizer->size * 3;
    const uint8_t *top = resizer->folded + (size_t)(taps->first[y] - resizer->from) * row;
    for (size_t start = 0; start < row; start += PIECE) {
        size_t n = row - start < PIECE ? row - start : PIECE;
        int32_t sum[PIECE];
        for (size_t i = 0; i < n; i++) sum[i] = HALF;
        for (int k = 0; k < taps->count[y]; k++) {
            const uint8_t *from = top + (size_t)k * row + start;
            for (size_t i = 0; i < n; i++) sum[i] += weight[k] * from[i];
        }
        for (size_t i = 0; i < n; i++) out[start + i] = to_byte(sum[i]);
    }
}

/* Where the pixel at (y, x) of an upright image is in one that is stored with
   that orientation: EXIF names the sides at which row 0 and column 0 are. */
static size_t turned(int y, int x, int size, int orientation)
{
    int last = size - 1, row = y, column = x;
    if (orientation >= 5) { /* rows are columns */
        row = x;
        column = y;
    }
    if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7)
        row = last - row;
    if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8)
        column = last - column;
    return (size_t)row * (size_t)size + (size_t)column;
}

void zf_resizer_finish(zf_resizer *resizer, uint8_t *planes, int orientation)
{
    int size = resizer->size;
    size_t plane = (size_t)size * (size_t)size, at = 0;
    assert(resizer->next == resizer->height && orientation >= 1 && orientation <= 8);
    for (int y = 0; y < size; y++)
        fold_down(resizer, y, resizer->square + (size_t)y * (size_t)size * 3);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++, at++) {
            const uint8_t *pixel = resizer->square + 3 * turned(y, x, size, orientation);
            planes[at] = pixel[0];
            planes[at + plane] = pixel[1];
            planes[at + 2 * plane] = pixel[2];
        }
}

void zf_resizer_free(zf_resizer *resizer)
{
    free(resizer->memory);
    *resizer = (zf_resizer){0};
}
