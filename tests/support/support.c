#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

void assert_ok_at(zf_status status, const char *call, const char *file, int line)
{
    if (status == ZF_OK) return;
    print_error("%s: %s: %s\n", call, zf_status_name(status), zf_error());
    _fail(file, line);
}

void assert_fails_at(zf_status got, zf_status expected, const char *text, const char *file,
                     int line)
{
    if (got == expected && strstr(zf_error(), text)) return;
    print_error("expected %s with \"%s\", got %s: %s\n", zf_status_name(expected), text,
                zf_status_name(got), zf_error());
    _fail(file, line);
}

void assert_near_at(const float *got, const float *expected, size_t n, double relative,
                    double absolute, const char *file, int line)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs((double)expected[i]));
    double allowed = absolute + relative * largest, worst = -1;
    size_t where = 0;
    for (size_t i = 0; i < n; i++) {
        double off = fabs((double)got[i] - (double)expected[i]);
        if (!(off <= worst)) { /* also catches NaN */
            worst = off;
            where = i;
        }
        if (isnan(off)) break;
    }
    if (n == 0 || worst <= allowed) return;
    print_error("element %zu of %zu: got %.9g, expected %.9g, off by %.3g, allowed %.3g\n", where,
                n, (double)got[where], (double)expected[where], worst, allowed);
    _fail(file, line);
}

void assert_close_at(double got, double expected, double tolerance, const char *what,
                     const char *file, int line)
{
    if (fabs(got - expected) <= tolerance) return;
    print_error("%s: got %.17g, expected %.17g, off by %.3g, allowed %.3g\n", what, got, expected,
                fabs(got - expected), tolerance);
    _fail(file, line);
}

void fill_normal(float *values, size_t n, uint32_t key)
{
    zf_random random = zf_random_at(12345, ZF_FOR_TEST, key, 0);
    for (size_t i = 0; i < n; i++) values[i] = zf_random_normal(&random);
}

void draw_normals(double *values, size_t n, uint32_t key)
{
    zf_random random = zf_random_at(12345, ZF_FOR_TEST, key, 0);
    for (size_t i = 0; i < n; i++) values[i] = (double)zf_random_normal(&random);
}
