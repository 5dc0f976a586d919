/* Figures of findings, by what is drawn where: bars, lines of decisions, portraits of each form,
   dots that are thinned; hostile names; what is refused. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raster.h"
#include "scratch.h"
#include "zeroflow/plot.h"

enum { BLUE = 0x0072B2, ORANGE = 0xD55E00 };

static const char *const names[] = {"one", "two & <three>", "Größe", NULL};

/* The text of the SVG of findings, for free(). */
static char *draw(const zf_figure *figure, const zf_findings *findings, size_t n)
{
    size_t bytes;
    assert_ok(zf_plot_findings(scratch_path("found"), figure, findings, n));
    char *text = scratch_read(scratch_path("found.svg"), &bytes);
    assert_non_null(text);
    assert_true(xml_well_formed(text));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(raster_read(scratch_path("found.png")).rgb);
    return text;
}

static size_t occurrences(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) count++;
    return count;
}

static void must_have(const char *text, const char *what)
{
    if (!strstr(text, what)) fail_msg("%s is not in the figure", what);
}

static void bars_have_names_lengths_and_findings(void **state)
{
    (void)state;
    const zf_bar list[] = {{"strong", 40, true, 1e-41, ZF_FORM_INTERACTION, "z & co"},
                           {"half", 5, true, 0, ZF_FORM_RISING, NULL},
                           {"weak", 2.5, false, 0.25, ZF_FORM_NONE, NULL},
                           {"nothing", NAN, false, NAN, ZF_FORM_NONE, NULL}};
    zf_bars bars = {"title", "axis", list, 4, 4, "from here on", 10};
    zf_findings findings = {.bars = &bars, .n_bars = 1};
    char *text = draw(&(zf_figure){.title = "T", .caption = "C."}, &findings, 1);
    static const char *const there[] = {">title<",
                                        ">axis<",
                                        ">strong<",
                                        ">p = 1e-41, interaction with z &amp; co<",
                                        ">p &lt; 1e-300, rising<",
                                        ">p = 0.25<",
                                        ">nothing<",
                                        ">from here on<",
                                        ">C. Bars with a slanted gap are longer."};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) must_have(text, there[i]);
    free(text);
    /* Blue is strong: 10, where it is cut, and 5, so two thirds and one third of it. */
    raster p = raster_read(scratch_path("found.png"));
    size_t upper = 0, lower = 0;
    int first = -1;
    for (int y = 0; y < p.height; y++) {
        size_t wide = raster_count(&p, BLUE, 0, y, p.width, 1);
        if (wide == 0) continue;
        if (first < 0) first = y;
        *(y < first + 40 ? &upper : &lower) += wide;
    }
    assert_close((double)lower / (double)upper, 0.5, 0.03); /* less the slanted gap */
    assert_true(raster_count(&p, ORANGE, 0, 0, p.width, p.height) > 50);
    free(p.rgb);
}

/* A portrait with `rows` dots, three bins and, if turning, three lines. */
static zf_portrait portrait_of(zf_form form, size_t rows, bool turning)
{
    zf_portrait p = {.form = form, .across = 0, .up = 1, .third = -1, .across_left = true};
    p.rows = rows;
    p.across_at = malloc(rows * sizeof *p.across_at);
    p.up_at = malloc(rows * sizeof *p.up_at);
    assert_true(p.across_at && p.up_at);
    for (size_t i = 0; i < rows; i++) {
        p.across_at[i] = sin((double)i * 1.7) * 2;
        p.up_at[i] = cos((double)i * 2.9);
    }
    p.n_bins = 3;
    for (int k = 0; k < 3; k++)
        p.bins[k] = (zf_portrait_bin){rows / 3, k - 1, 0.1 * k, k ? 0.05 : (double)NAN, 0.5, 0.1};
    if (!turning) return p;
    p.third = 2;
    p.part = malloc(rows);
    assert_non_null(p.part);
    for (size_t i = 0; i < rows; i++) p.part[i] = (unsigned char)(i % 3 == 1 ? 0 : i % 3);
    for (int k = 0; k < 3; k += 2) p.lines[k] = (zf_portrait_line){rows / 3, -1, 1, 0, k - 1, 0.1};
    return p;
}

static void one_portrait_has_it_all(void **state)
{
    (void)state;
    zf_portrait p = portrait_of(ZF_FORM_RISING, 100, false);
    zf_portrait_panel panel = {&p, 0.00123, names, "Größe"};
    zf_findings findings = {.panels = &panel, .n_panels = 1};
    char *text = draw(&(zf_figure){0}, &findings, 1);
    must_have(text, ">one and two &amp; &lt;three&gt;: rising, p = 0.0012<");
    must_have(text, ">one, given Größe<");
    must_have(text, ">two &amp; &lt;three&gt;, given Größe<");
    must_have(text, "means of neighbouring rows");
    assert_null(strstr(text, "are shown"));
    assert_int_equal(occurrences(text, "<circle"), 100);
    /* Two of the three means have an error that is known. */
    assert_int_equal(occurrences(text, "stroke=\"#d55e00\" stroke-width=\"1.3\""), 2);
    free(text);
    p.across_left = false; /* a column as it is */
    text = draw(&(zf_figure){0}, &findings, 1);
    must_have(text, ">one<");
    free(text);
    panel.given = NULL;
    text = draw(&(zf_figure){0}, &findings, 1);
    assert_null(strstr(text, "given"));
    free(text);
    zf_portrait_free(&p);
}

static void forms_have_their_own_looks(void **state)
{
    (void)state;
    zf_portrait spread = portrait_of(ZF_FORM_SPREAD, 60, false);
    zf_portrait turns = portrait_of(ZF_FORM_INTERACTION, 60, true);
    zf_portrait_panel panels[] = {{&spread, 0.5, names, "the rest"}, {&turns, 0.5, names, NULL}};
    zf_findings findings = {.panels = panels, .n_panels = 2};
    char *text = draw(&(zf_figure){0}, &findings, 1);
    must_have(text, ">spread, p = 0.5<");
    must_have(text, ">interaction with Größe, p = 0.5<");
    must_have(text, ">Größe low<");
    must_have(text, ">Größe high<");
    assert_null(strstr(text, ">Größe middle<")); /* it has no line */
    must_have(text, "standard deviation");
    must_have(text, "slopes");
    /* Six points of a spread have whiskers. */
    assert_int_equal(occurrences(text, "stroke=\"#d55e00\" stroke-width=\"1.3\""), 6);
    free(text);
    turns.third = -1;
    spread.squared = true;
    text = draw(&(zf_figure){0}, &findings, 1);
    must_have(text, ">interaction, p = 0.5<");
    must_have(text, ">given columns low<");
    must_have(text, ">square of two &amp; &lt;three&gt;, given the rest<");
    assert_int_equal(occurrences(text, "stroke=\"#d55e00\" stroke-width=\"1.3\""), 2);
    free(text);
    zf_portrait_free(&spread);
    zf_portrait_free(&turns);
}

/* Many rows are thinned, the same ones each time. */
static void many_rows_are_thinned(void **state)
{
    (void)state;
    zf_portrait p = portrait_of(ZF_FORM_HILL, 50000, false);
    zf_portrait_panel panels[] = {{&p, 0.5, names, NULL}, {&p, 0.5, names, NULL}};
    zf_findings findings = {.panels = panels, .n_panels = 1};
    char *one = draw(&(zf_figure){0}, &findings, 1), *again = draw(&(zf_figure){0}, &findings, 1);
    assert_string_equal(one, again);
    must_have(one, "of which 1,500 are shown");
    assert_in_range(occurrences(one, "<circle"), 1300, 1500); /* on one spot, one is drawn */
    findings.n_panels = 2;
    char *two = draw(&(zf_figure){0}, &findings, 1);
    must_have(two, "of which 600 are shown");
    assert_in_range(occurrences(two, "<circle"), 1000, 1200);
    free(one);
    free(again);
    free(two);
    zf_portrait_free(&p);
}

static void refuses(void **state)
{
    (void)state;
    static zf_bar list[ZF_FINDINGS_BARS + 1];
    zf_bars bars = {.bars = list, .n = ZF_FINDINGS_BARS + 1};
    zf_findings many[ZF_FINDINGS_MOST + 1] = {{.bars = &bars, .n_bars = 1}};
    const char *path = scratch_path("none.svg");
    zf_figure plain = {0};
    assert_fails(zf_plot_findings(path, &plain, many, 1), ZF_EINVAL,
                 "61 bars, expected at most 60");
    many[0] = (zf_findings){.n_panels = 13};
    assert_fails(zf_plot_findings(path, &plain, many, 1), ZF_EINVAL,
                 "13 portraits, expected at most 12");
    many[0] = (zf_findings){0};
    assert_fails(zf_plot_findings(path, &plain, many, 1), ZF_EINVAL, "no finding to draw");
    assert_fails(zf_plot_findings(path, &plain, many, 9), ZF_EINVAL, "9 lots of findings");
    assert_false(scratch_exists(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_have_names_lengths_and_findings),
        cmocka_unit_test(one_portrait_has_it_all),
        cmocka_unit_test(forms_have_their_own_looks),
        cmocka_unit_test(many_rows_are_thinned),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
