/* The characters of the font: that their strokes are well formed, that their ink
   is where it belongs, and that no two look the same. */
#include "support.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/font.h"
#include "plot/outline.h"
#include "sheet.h"

enum { SIZE = 50, LEFT = 40, BASE = 80 }; /* of the text on a sheet */

static void draw(sheet *s, const char *text, zf_plot_type type)
{
    sheet_clear(s);
    zf_outline_text(s->coverage, (zf_point){LEFT, BASE}, text, type);
    sheet_paint(s);
}

static size_t points_of(char command)
{
    return command == 'C' ? 3 : command && strchr("MLHV", command) ? 1 : 0;
}

static void assert_well_formed(const char *text)
{
    assert_true(*text == '\0' || *text == 'M');
    while (*text) {
        size_t numbers = 2 * points_of(*text++);
        assert_true(numbers > 0);
        for (size_t i = 0; i < numbers; i++) {
            char *end;
            long number = strtol(text, &end, 10);
            assert_true(end > text && number >= -300 && number <= 1100);
            text = end;
        }
        assert_true(*text == '\0' || isalpha((unsigned char)*text));
    }
}

static void strokes_are_well_formed(void **state)
{
    (void)state;
    int known = 0;
    for (unsigned code = 0; code <= 0x2FFF; code++) {
        zf_letter letter = zf_font_find(code);
        assert_non_null(letter.glyph);
        assert_true(letter.glyph->advance > 0 && letter.glyph->advance < 1100);
        assert_well_formed(letter.glyph->strokes);
        assert_well_formed(letter.mark);
        known += letter.known;
    }
    assert_true(known > 300);
    for (unsigned code = ' '; code <= '~'; code++) assert_true(zf_font_find(code).known);
}

static void missing_characters_are_seen(void **state)
{
    sheet *s = *state;
    static const unsigned codes[] = {0, 7, 0x65E5, 0x10FFFF, ZF_NO_CHARACTER};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_false(zf_font_find(codes[i]).known);
    draw(s, "日", (zf_plot_type){.size = SIZE});
    assert_true(sheet_ink(s, 0, SHEET_SIDE) > 100);
}

/* The ink stays near its place in the line, so that neighbours do not run into
   each other, and within the height that lines of text leave for it. */
static void ink_is_within_its_place(void **state)
{
    sheet *s = *state;
    for (char c = '!'; c <= '~'; c++) {
        char text[] = {c, '\0'};
        draw(s, text, (zf_plot_type){.size = SIZE});
        double width = zf_text_width(text, SIZE), all = sheet_ink(s, 0, SHEET_SIDE);
        assert_true(all > 5);
        int first = LEFT - 1 - (c == 'j' ? 2 : 0), end = LEFT + (int)ceil(width) + 1;
        assert_true(sheet_ink(s, first, end) == all);
        for (int y = 0; y < SHEET_SIDE; y++)
            if (y < BASE - SIZE || y > BASE + SIZE / 4)
                for (int x = 0; x < SHEET_SIDE; x++) assert_int_equal(s->rgb[y][x][0], 0);
    }
}

static void no_two_look_the_same(void **state)
{
    sheet *s = *state;
    enum { N = '~' - ' ', PIXELS = SHEET_SIDE * SHEET_SIDE };
    uint8_t(*seen)[PIXELS] = calloc(N, sizeof *seen);
    assert_non_null(seen);
    for (int i = 0; i < N; i++) {
        draw(s, (char[]){(char)('!' + i), '\0'}, (zf_plot_type){.size = SIZE});
        for (int k = 0; k < PIXELS; k++) seen[i][k] = s->rgb[k / SHEET_SIDE][k % SHEET_SIDE][0];
        for (int j = 0; j < i; j++) {
            int apart = 0;
            for (int k = 0; k < PIXELS; k++) apart += abs(seen[i][k] - seen[j][k]);
            assert_true(apart > 15 * 255); /* pixels, of letters 36 high */
        }
    }
    free(seen);
}

/* Both kinds of line and all anchors, by the letter that is a bar of
   ZF_FONT_STEM x 730 units. */
static void letters_stand_where_told(void **state)
{
    sheet *s = *state;
    double unit = (double)SIZE / ZF_FONT_EM, area = ZF_FONT_STEM * 730 * unit * unit;
    int width = (int)lround(zf_text_width("l", SIZE));
    draw(s, "l", (zf_plot_type){.size = SIZE, .anchor = ZF_START});
    assert_true(fabs(sheet_ink(s, LEFT, LEFT + width) - area) < 2);
    assert_int_equal(s->rgb[BASE][LEFT + width / 2][0], 0); /* nothing below the baseline */
    assert_int_equal(s->rgb[BASE - 1][LEFT + width / 2][0], 255);
    draw(s, "l", (zf_plot_type){.size = SIZE, .anchor = ZF_END});
    assert_true(fabs(sheet_ink(s, LEFT - width, LEFT) - area) < 2);
    draw(s, "l", (zf_plot_type){.size = SIZE, .anchor = ZF_MIDDLE});
    assert_true(fabs(sheet_ink(s, LEFT - width / 2, LEFT + width / 2) - area) < 2);
    draw(s, "l", (zf_plot_type){.size = SIZE, .turn = 90}); /* reads upwards, left of the point */
    assert_true(fabs(sheet_ink(s, LEFT - 37, LEFT) - area) < 2);
    assert_int_equal(s->rgb[BASE - width / 2][LEFT - 20][0], 255);
}

/* An oval has a hole, and its sides are as thick as the pen. */
static void bows_have_the_pens_width(void **state)
{
    sheet *s = *state;
    draw(s, "O", (zf_plot_type){.size = SIZE, .anchor = ZF_MIDDLE});
    double unit = (double)SIZE / ZF_FONT_EM, across = 0, down = 0;
    int middle = BASE - (int)lround(358 * unit);
    assert_int_equal(s->rgb[middle][LEFT][0], 0);
    for (int x = 0; x < LEFT; x++) across += s->rgb[middle][x][0] / 255.0;
    for (int y = 0; y < middle; y++) down += s->rgb[y][LEFT][0] / 255.0;
    assert_true(fabs(across - ZF_FONT_STEM * unit) < 0.2);
    assert_true(fabs(down - ZF_FONT_BAR * unit) < 0.2);
}

/* The accent stands above its letter, higher above a capital. */
static void accents_are_above(void **state)
{
    sheet *s = *state;
    static const struct {
        const char *letter, *base;
        int from, to; /* rows of the accent, in units of the font */
    } cases[] = {{"é", "e", 580, 760}, {"É", "E", 760, 940}, {"č", "c", 580, 760}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        draw(s, cases[i].base, (zf_plot_type){.size = SIZE});
        double base = sheet_ink(s, 0, SHEET_SIDE), accent = 0;
        draw(s, cases[i].letter, (zf_plot_type){.size = SIZE});
        for (int y = BASE - cases[i].to * SIZE / ZF_FONT_EM;
             y < BASE - cases[i].from * SIZE / ZF_FONT_EM; y++)
            for (int x = 0; x < SHEET_SIDE; x++) accent += s->rgb[y][x][0] / 255.0;
        assert_true(accent > 10);
        assert_true(fabs(sheet_ink(s, 0, SHEET_SIDE) - base - accent) < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strokes_are_well_formed),
        cmocka_unit_test_setup_teardown(missing_characters_are_seen, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(ink_is_within_its_place, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(no_two_look_the_same, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(letters_stand_where_told, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(bows_have_the_pens_width, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(accents_are_above, sheet_setup, sheet_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
