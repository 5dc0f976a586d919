/* Exact area coverage by accumulation: an edge adds, to each pixel that it
   crosses, the change of the covered area to its right; a running sum along the
   row then gives the coverage itself. No sorting, no list of active edges, and
   no sampling, so thin lines and small text come out even. (Supersampling was
   rejected: sixteen samples a pixel still show steps on lines that are nearly
   level, at sixteen times the work.) */
#include "plot/coverage.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* Coverage is rounded to this many steps: no eye tells them apart, and a figure
   then has few enough colours for a palette. */
#define LEVELS 16.0f

struct zf_coverage {
    int width, height, stride; /* a row has two places to spare on its right */
    int top, bottom;           /* rows that were touched; top > bottom: none */
    int *left, *right;         /* of each row: places that were touched */
    float *change;
};

zf_status zf_coverage_new(zf_coverage **out, int width, int height)
{
    size_t rows = (size_t)height, stride = (size_t)width + 2;
    zf_coverage *coverage = calloc(1, sizeof *coverage);
    if (!coverage) return zf_fail_memory(sizeof *coverage);
    *coverage = (zf_coverage){width, height, (int)stride, .top = height, .bottom = -1};
    coverage->left = malloc(rows * sizeof(int));
    coverage->right = malloc(rows * sizeof(int));
    coverage->change = calloc(rows * stride, sizeof(float));
    if (!coverage->left || !coverage->right || !coverage->change) {
        zf_coverage_free(coverage);
        return zf_fail_memory(rows * stride * sizeof(float));
    }
    for (int y = 0; y < height; y++) {
        coverage->left[y] = width + 1;
        coverage->right[y] = -1;
    }
    *out = coverage;
    return ZF_OK;
}

void zf_coverage_free(zf_coverage *coverage)
{
    if (!coverage) return;
    free(coverage->left);
    free(coverage->right);
    free(coverage->change);
    free(coverage);
}

/* Within one row an edge goes from a to b (a <= b) and down by a share d of the
   row (negative: up). Fills the places from floor(a) to ceil(b). */
static void spread(float *row, double a, double b, int first, int last, double d)
{
    if (last <= first + 1) { /* within one pixel: a trapezium */
        double share = 0.5 * (a + b) - first;
        row[first] += (float)(d * (1 - share));
        row[first + 1] += (float)(d * share);
        return;
    }
    double slope = 1 / (b - a), into = a - first, rest = b - last + 1;
    double head = 0.5 * slope * (1 - into) * (1 - into), tail = 0.5 * slope * rest * rest;
    row[first] += (float)(d * head);
    if (last == first + 2) {
        row[first + 1] += (float)(d * (1 - head - tail));
    } else {
        double second = slope * (1.5 - into);
        row[first + 1] += (float)(d * (second - head));
        for (int x = first + 2; x < last - 1; x++) row[x] += (float)(d * slope);
        row[last - 1] += (float)(d * (1 - second - (last - first - 3) * slope - tail));
    }
    row[last] += (float)(d * tail);
}

void zf_coverage_edge(zf_coverage *coverage, zf_point from, zf_point to)
{
    double direction = from.y < to.y ? 1 : -1;
    if (from.y > to.y) {
        zf_point swap = from;
        from = to;
        to = swap;
    }
    double bottom = fmin(to.y, coverage->height), y = fmax(from.y, 0);
    if (!(y < bottom)) return;
    double slope = (to.x - from.x) / (to.y - from.y), x = from.x + slope * (y - from.y);
    if (coverage->top > (int)y) coverage->top = (int)y;
    for (int row = (int)y; row < bottom; row++) {
        double next = fmin(row + 1, bottom), beyond = x + slope * (next - y);
        double a = fmin(fmax(fmin(x, beyond), 0), coverage->width);
        double b = fmin(fmax(fmax(x, beyond), 0), coverage->width);
        int first = (int)a, last = (int)ceil(b);
        spread(coverage->change + (size_t)row * (size_t)coverage->stride, a, b, first, last,
               direction * (next - y));
        if (coverage->left[row] > first) coverage->left[row] = first;
        if (coverage->right[row] < last + 1) coverage->right[row] = last + 1;
        if (coverage->bottom < row) coverage->bottom = row;
        x = beyond;
        y = next;
    }
}

static void blend(uint8_t *pixel, zf_colour colour, float share)
{
    const uint8_t wanted[3] = {colour.red, colour.green, colour.blue};
    for (int i = 0; i < 3; i++) {
        float value = (float)pixel[i] + share * ((float)wanted[i] - (float)pixel[i]);
        pixel[i] = (uint8_t)(value + 0.5f);
    }
}

void zf_coverage_paint(zf_coverage *coverage, uint8_t *rgb, zf_colour colour)
{
    const float opacity = (float)colour.alpha / 255;
    for (int y = coverage->top; y <= coverage->bottom; y++) {
        float *row = coverage->change + (size_t)y * (size_t)coverage->stride, sum = 0;
        uint8_t *pixels = rgb + 3 * (size_t)y * (size_t)coverage->width;
        for (int x = coverage->left[y]; x <= coverage->right[y]; x++) {
            sum += row[x];
            row[x] = 0;
            float share = roundf(LEVELS * fminf(fabsf(sum), 1)) / LEVELS;
            if (share > 0 && x < coverage->width) blend(pixels + 3 * x, colour, share * opacity);
        }
        coverage->left[y] = coverage->width + 1;
        coverage->right[y] = -1;
    }
    coverage->top = coverage->height;
    coverage->bottom = -1;
}
