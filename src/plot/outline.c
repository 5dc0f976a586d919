/* Lines and discs as contours.

   A line is the union of a rectangle for each segment and a disc or a wedge for
   each joint, all running the same way round, which the coverage counts once.
   Following the two sides of the line instead would save edges but has to treat
   sharp turns of noisy curves one by one. */
#include "plot/outline.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

void zf_outline_polygon(zf_coverage *coverage, const zf_point *points, size_t n)
{
    double area = 0;
    for (size_t i = 0; i < n; i++) {
        const zf_point *a = &points[i], *b = &points[(i + 1) % n];
        area += a->x * b->y - b->x * a->y;
    }
    for (size_t i = 0; i < n; i++) {
        const zf_point *a = &points[i], *b = &points[(i + 1) % n];
        if (area >= 0)
            zf_coverage_edge(coverage, *a, *b);
        else
            zf_coverage_edge(coverage, *b, *a);
    }
}

void zf_outline_disc(zf_coverage *coverage, zf_point centre, double radius, bool hole)
{
    /* Sides that stay within a twentieth of a pixel of the circle. */
    double sides = ceil(PI / acos(1 - 0.05 / fmax(radius, 0.1)));
    int n = (int)fmin(fmax(sides, 8), 720);
    zf_point last = {centre.x + radius, centre.y};
    for (int i = 1; i <= n; i++) {
        double angle = 2 * PI * (i % n) / n;
        zf_point next = {centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
        if (hole)
            zf_coverage_edge(coverage, next, last);
        else
            zf_coverage_edge(coverage, last, next);
        last = next;
    }
}

/* The vector of length half at a right angle to a segment; false if it has no length. */
static bool normal_of(zf_point *out, zf_point a, zf_point b, double half)
{
    double x = b.x - a.x, y = b.y - a.y, length = hypot(x, y);
    if (!(length > 1e-9)) return false;
    *out = (zf_point){-y / length * half, x / length * half};
    return true;
}

/* What is open between two segments that meet at a point. */
static void join(zf_coverage *coverage, zf_point at, zf_point before, zf_point after, double half)
{
    double cosine = (before.x * after.x + before.y * after.y) / (half * half);
    if (cosine < 0.95) {
        zf_outline_disc(coverage, at, half, false);
        return;
    }
    double side = before.x * after.y - before.y * after.x > 0 ? -1 : 1;
    zf_point wedge[] = {at,
                        {at.x + side * before.x, at.y + side * before.y},
                        {at.x + side * after.x, at.y + side * after.y}};
    zf_outline_polygon(coverage, wedge, 3);
}

static void segment(zf_coverage *coverage, zf_point a, zf_point b, zf_point normal)
{
    zf_point corners[] = {{a.x + normal.x, a.y + normal.y},
                          {b.x + normal.x, b.y + normal.y},
                          {b.x - normal.x, b.y - normal.y},
                          {a.x - normal.x, a.y - normal.y}};
    zf_outline_polygon(coverage, corners, 4);
}

static zf_point between(zf_point a, zf_point b, double share)
{
    return (zf_point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

/* The visible pieces of one segment of a dashed line. *walked is the length from
   the last start of a dash, and goes on from segment to segment. */
static void dashes(zf_coverage *coverage, zf_point a, zf_point b, zf_point normal, double dash,
                   double *walked)
{
    double length = hypot(b.x - a.x, b.y - a.y), at = 0;
    while (at < length) {
        bool visible = *walked < dash;
        double step = fmin((visible ? dash : 2 * dash) - *walked, length - at);
        if (visible)
            segment(coverage, between(a, b, at / length), between(a, b, (at + step) / length),
                    normal);
        at += step;
        *walked += step;
        if (*walked >= 2 * dash - 1e-9) *walked = 0;
        if (step <= 1e-9) at += 1e-6; /* never stand still on a rounding error */
    }
}

void zf_outline_line(zf_coverage *coverage, const zf_point *points, size_t n, double width,
                     double dash)
{
    double half = width / 2, walked = 0;
    zf_point before = {0, 0};
    bool joined = false;
    for (size_t i = 0; i + 1 < n; i++) {
        zf_point normal;
        if (!normal_of(&normal, points[i], points[i + 1], half)) continue;
        if (joined && dash <= 0) join(coverage, points[i], before, normal, half);
        if (dash > 0)
            dashes(coverage, points[i], points[i + 1], normal, dash, &walked);
        else
            segment(coverage, points[i], points[i + 1], normal);
        before = normal;
        joined = true;
    }
}
