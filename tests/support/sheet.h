/* A black sheet on which a test draws in white, so that the sum of its pixels is
   the area drawn. */
#ifndef ZF_TEST_SHEET_H
#define ZF_TEST_SHEET_H

#include "plot/coverage.h"

enum { SHEET_SIDE = 120 };

typedef struct sheet {
    zf_coverage *coverage;
    uint8_t rgb[SHEET_SIDE][SHEET_SIDE][3];
} sheet;

/* For cmocka_unit_test_setup_teardown; the sheet is the state. */
int sheet_setup(void **state);
int sheet_teardown(void **state);

/* Makes the sheet black again. */
void sheet_clear(sheet *s);

/* Paints what has been outlined. */
void sheet_paint(sheet *s);

/* The area drawn in columns from .. to - 1. */
double sheet_ink(const sheet *s, int from, int to);

#endif
