#include "sheet.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

int sheet_setup(void **state)
{
    sheet *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_ok(zf_coverage_new(&s->coverage, SHEET_SIDE, SHEET_SIDE));
    *state = s;
    return 0;
}

int sheet_teardown(void **state)
{
    sheet *s = *state;
    zf_coverage_free(s->coverage);
    free(s);
    return 0;
}

void sheet_clear(sheet *s)
{
    memset(s->rgb, 0, sizeof s->rgb);
}

void sheet_paint(sheet *s)
{
    zf_coverage_paint(s->coverage, &s->rgb[0][0][0], (zf_colour){255, 255, 255, 255});
}

double sheet_ink(const sheet *s, int from, int to)
{
    double sum = 0;
    for (int y = 0; y < SHEET_SIDE; y++)
        for (int x = from; x < to; x++) sum += s->rgb[y][x][0] / 255.0;
    return sum;
}
