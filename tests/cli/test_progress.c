/* The progress bar at every width, and the command line that resumes. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "text.h"

static const zf_measure loss[] = {{"loss", 0.82314}};

static zf_progress halfway(void)
{
    return (zf_progress){.step = 500,
                         .steps = 1000,
                         .seconds = 42,
                         .rows_per_second = 12345,
                         .seconds_left = 42,
                         .measures = loss,
                         .n_measures = 1};
}

static char *bar(const zf_progress *progress, int columns, bool utf8, bool colour)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    cli_draw_bar(out, progress, columns, utf8, colour);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_bar(const zf_progress *progress, int columns, const char *expected)
{
    char *text = bar(progress, columns, false, false);
    assert_string_equal(text, expected);
    free(text);
}

static void shows_everything_when_wide(void **state)
{
    (void)state;
    zf_progress progress = halfway();
    assert_bar(&progress, 70,
               " 50%  #############-------------  0:42 left  loss 0.8231"
               "  12.3k rows/s");
    progress.step = 1000;
    assert_bar(&progress, 60, "100%  ##################  in 0:42  loss 0.8231  12.3k rows/s");
    progress.unit = "images";
    assert_bar(&progress, 60, "100%  ################  in 0:42  loss 0.8231  12.3k images/s");
}

static void leaves_out_the_least_needed(void **state)
{
    (void)state;
    zf_progress progress = halfway();
    assert_bar(&progress, 30, " 50%  0:42 left  loss 0.8231");
    assert_bar(&progress, 20, " 50%  0:42 left");
    assert_bar(&progress, 4, " 50%");
    assert_bar(&progress, 3, "");
    assert_bar(&progress, 0, "");
    assert_bar(&progress, -1, "");
}

static void never_is_wider(void **state)
{
    (void)state;
    zf_progress progress = halfway();
    for (int columns = 0; columns < 200; columns++) {
        for (int utf8 = 0; utf8 < 2; utf8++) {
            char *text = bar(&progress, columns, utf8, false);
            assert_true(cli_width(text) <= columns);
            free(text);
        }
    }
}

static void bears_odd_reports(void **state)
{
    (void)state;
    zf_progress progress = {.seconds_left = -1, .steps = 10};
    assert_bar(&progress, 30, "  0%  ------------------------");
    progress = (zf_progress){.step = 20, .steps = 10};
    assert_bar(&progress, 25, "100%  ##########  in 0:00");
    progress = halfway();
    progress.steps = 0;
    progress.rows_per_second = NAN;
    progress.seconds_left = INFINITY;
    free(bar(&progress, 80, true, true));
}

static void colour_only_when_wanted(void **state)
{
    (void)state;
    zf_progress progress = halfway();
    char *plain = bar(&progress, 80, true, false), *coloured = bar(&progress, 80, true, true);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strchr(coloured, '\033'));
    free(plain);
    free(coloured);
}

static void resume_is_quoted(void **state)
{
    (void)state;
    static const struct {
        char *words[4];
        const char *expected;
    } cases[] = {
        {{"zeroflow", "demo"}, "zeroflow demo --resume"},
        {{"./zf", "demo", "--resume"}, "zeroflow demo --resume"},
        {{"zeroflow", "demo", "-o", "it's a dir"}, "zeroflow demo -o 'it'\\''s a dir' --resume"},
        {{"zeroflow", "demo", ""}, "zeroflow demo '' --resume"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_call call = {.argv = (char **)cases[i].words};
        while (call.argc < 4 && cases[i].words[call.argc]) call.argc++;
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        assert_non_null(out);
        cli_print_resume(out, &call);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

int main(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    cli_text_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_everything_when_wide),
        cmocka_unit_test(leaves_out_the_least_needed),
        cmocka_unit_test(never_is_wider),
        cmocka_unit_test(bears_odd_reports),
        cmocka_unit_test(colour_only_when_wanted),
        cmocka_unit_test(resume_is_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
