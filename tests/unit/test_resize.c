/* Resizing against Pillow, byte for byte, and what a square can be turned into. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "image/resize.h"

static void agrees_with_pillow(void **state)
{
    (void)state;
    golden *file = golden_open("resize");
    zf_resizer resizer = {0};
    char name[32];
    int cases = 0;
    for (;; cases++) {
        snprintf(name, sizeof name, "input_%d", cases);
        if (!golden_has(file, name)) break;
        zf_shape shape = golden_shape(file, name);
        const float *input = golden_array(file, name);
        int height = (int)shape.dim[0], width = (int)shape.dim[1];
        snprintf(name, sizeof name, "output_%d", cases);
        const float *output = golden_array(file, name);
        int size = (int)golden_shape(file, name).dim[1];
        uint8_t *planes = malloc((size_t)(3 * size * size)), row[3 * 100];
        assert_ok(zf_resizer_begin(&resizer, width, height, size));
        for (int y = 0; y < height; y++) {
            for (int i = 0; i < 3 * width; i++) row[i] = (uint8_t)input[y * 3 * width + i];
            zf_resizer_row(&resizer, row);
        }
        zf_resizer_finish(&resizer, planes, 1);
        for (int i = 0; i < 3 * size * size; i++)
            if (planes[i] != (uint8_t)output[i])
                fail_msg("%d x %d to %d: byte %d is %d, Pillow has %.0f", width, height, size, i,
                         planes[i], (double)output[i]);
        free(planes);
    }
    assert_true(cases >= 11);
    zf_resizer_free(&resizer);
    golden_close(file);
}

/* The four corners of a 2 x 2 image, by EXIF's table. */
static void turns_as_exif_says(void **state)
{
    (void)state;
    static const char *const expected[] = {"abcd", "badc", "dcba", "cdab",
                                           "acbd", "cadb", "dbca", "bdac"};
    static const uint8_t rows[2][6] = {{'a', 'a', 'a', 'b', 'b', 'b'},
                                       {'c', 'c', 'c', 'd', 'd', 'd'}};
    zf_resizer resizer = {0};
    for (int orientation = 1; orientation <= 8; orientation++) {
        uint8_t planes[12];
        assert_ok(zf_resizer_begin(&resizer, 2, 2, 2));
        zf_resizer_row(&resizer, rows[0]);
        zf_resizer_row(&resizer, rows[1]);
        zf_resizer_finish(&resizer, planes, orientation);
        for (int c = 0; c < 3; c++)
            assert_memory_equal(planes + 4 * c, expected[orientation - 1], 4);
    }
    zf_resizer_free(&resizer);
}

/* A constant image stays what it is at any ratio: the weights add up. */
static void keeps_a_constant(void **state)
{
    (void)state;
    zf_resizer resizer = {0};
    static uint8_t row[3 * 20000];
    uint8_t planes[3 * 37 * 37];
    memset(row, 201, sizeof row);
    for (int size = 1; size <= 37; size += 6) {
        assert_ok(zf_resizer_begin(&resizer, 20000, 11 + size, size));
        for (int y = 0; y < 11 + size; y++) zf_resizer_row(&resizer, row);
        zf_resizer_finish(&resizer, planes, 1);
        for (int i = 0; i < 3 * size * size; i++) assert_int_equal(planes[i], 201);
    }
    zf_resizer_free(&resizer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_pillow),
        cmocka_unit_test(turns_as_exif_says),
        cmocka_unit_test(keeps_a_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
