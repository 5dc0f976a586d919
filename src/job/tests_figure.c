/* The figure of tests: for each target its columns by their q-values, and portraits of the
   strongest. */
#include <stdlib.h>

#include "base/words.h"
#include "job/tests.h"

enum { BARS_SHOWN = 30, PANELS = 6 };

/* What is drawn of one target. */
typedef struct sheet {
    zf_bar list[BARS_SHOWN];
    zf_bars bars;
    char *title;
    zf_portrait_panel panels[PANELS];
    size_t n_panels;
} sheet;

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* "x4: 2 of 60 other columns tell something about it, given the rest (30 are shown)" */
static zf_status write_title(sheet *s, const zf_tests_result *found, int target, size_t shown)
{
    char rest[40] = "";
    if (shown < found->others) snprintf(rest, sizeof rest, " (%zu shown)", shown);
    return zf_figure_text(&s->title, "%s: %s of %s tell something about it, given the rest%s",
                          zf_tests_name(found, found->targets[target]),
                          zf_count(found->decided[target]).text,
                          zf_plural(found->others, "other column").text, rest);
}

static zf_status set_out(sheet *s, const zf_tests_result *all, int target, double fdr)
{
    static const double CUT = 15; /* zeros: smaller p-values are beyond doubt anyway */
    const zf_target_test *tests = zf_tests_of(all, target);
    size_t decided = all->decided[target], n = least_of(all->others, BARS_SHOWN);
    for (size_t i = 0; i < n; i++) {
        const zf_pair_evidence *found = &tests[i].found;
        s->list[i] = (zf_bar){.name = zf_tests_name(all, tests[i].column),
                              .length = zf_zeros(found->q_value),
                              .strong = i < decided,
                              .p_value = found->p_value,
                              .form = i < decided ? found->form : ZF_FORM_NONE,
                              .third = zf_tests_name(all, found->third)};
    }
    ZF_TRY(write_title(s, all, target, n));
    s->bars = (zf_bars){.title = s->title,
                        .label = "-log10 of the q-value (1 is 0.1, 2 is 0.01)",
                        .bars = s->list,
                        .n = n,
                        .mark = zf_zeros(fdr),
                        .mark_name = "decided from here on",
                        .most = CUT};
    return ZF_OK;
}

/* The portraits of every target's strongest columns, all at once: they share searches. */
static zf_status portray(zf_portrait *portraits, sheet *sheets, const zf_tests_result *found,
                         const zf_evidence_options *wish)
{
    const zf_matrix *matrix = &found->variables.matrix;
    const char *const *names = found->variables.names;
    zf_target_test chosen[ZF_FINDINGS_MOST * PANELS];
    size_t n = 0;
    for (int k = 0; k < found->n_targets; k++) {
        sheet *s = &sheets[k];
        s->n_panels = least_of(found->decided[k], PANELS);
        for (size_t i = 0; i < s->n_panels; i++, n++) {
            chosen[n] = zf_tests_of(found, k)[i];
            s->panels[i] =
                (zf_portrait_panel){&portraits[n], chosen[n].found.p_value, names, "the rest"};
        }
    }
    return zf_target_portraits(portraits, matrix->values, matrix->rows, names, matrix->columns,
                               chosen, n, wish);
}

static zf_status paint(sheet *sheets, zf_portrait *portraits, const zf_tests_result *found,
                       const zf_tests_values *values, const zf_evidence_options *wish)
{
    zf_findings findings[ZF_FINDINGS_MOST];
    zf_figure figure = {0};
    for (int k = 0; k < found->n_targets; k++) ZF_TRY(set_out(&sheets[k], found, k, values->fdr));
    ZF_TRY(portray(portraits, sheets, found, wish));
    for (int k = 0; k < found->n_targets; k++)
        findings[k] = (zf_findings){&sheets[k].bars, 1, sheets[k].panels, sheets[k].n_panels};
    return zf_plot_findings(values->plot, &figure, findings, (size_t)found->n_targets);
}

zf_status zf_tests_draw(const zf_tests_result *found, const zf_tests_values *values,
                        const zf_evidence_options *wish)
{
    zf_portrait portraits[ZF_FINDINGS_MOST * PANELS] = {0};
    size_t n = (size_t)found->n_targets;
    sheet *sheets = calloc(n, sizeof *sheets);
    if (!sheets) return zf_fail_memory(n * sizeof *sheets);
    zf_status status = paint(sheets, portraits, found, values, wish);
    for (size_t k = 0; k < n; k++) free(sheets[k].title);
    for (size_t i = 0; i < ZF_FINDINGS_MOST * PANELS; i++) zf_portrait_free(&portraits[i]);
    free(sheets);
    return status;
}
