/* What the tests share. Include this first: it brings cmocka and what cmocka needs. */
#ifndef ZF_TEST_SUPPORT_H
#define ZF_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "zeroflow/status.h"

/* Fails the test with zf_error() unless the call gives ZF_OK. */
#define assert_ok(call) assert_ok_at((call), #call, __FILE__, __LINE__)
void assert_ok_at(zf_status status, const char *call, const char *file, int line);

/* Fails unless the call fails with that status and a message that has text in it. */
#define assert_fails(call, status, text)                                                           \
    assert_fails_at((call), (status), (text), __FILE__, __LINE__)
void assert_fails_at(zf_status got, zf_status expected, const char *text, const char *file,
                     int line);

/* Fails unless |got - expected| <= absolute + relative * max |expected|, naming
   the worst element. */
#define assert_near(got, expected, n, relative, absolute)                                          \
    assert_near_at((got), (expected), (n), (relative), (absolute), __FILE__, __LINE__)
void assert_near_at(const float *got, const float *expected, size_t n, double relative,
                    double absolute, const char *file, int line);

/* Fails unless |got - expected| <= tolerance. */
#define assert_close(got, expected, tolerance)                                                     \
    assert_close_at((got), (expected), (tolerance), #got, __FILE__, __LINE__)
void assert_close_at(double got, double expected, double tolerance, const char *what,
                     const char *file, int line);

/* Standard normal values, a function of the key. */
void fill_normal(float *values, size_t n, uint32_t key);
void draw_normals(double *values, size_t n, uint32_t key); /* the same numbers */

#endif
