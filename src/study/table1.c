/* Table 1: AUC of the recovered graph, by method and law, in both ways of
   scoring. The paper's numbers keep the diagonal as negatives and do not
   symmetrise, so they stand beside ours of that kind only. */
#include <math.h>

#include "study/contest.h"
#include "zeroflow/plot.h"

enum { CELL = 24 };

static const char *plus_minus(const study_page *page)
{
    return page->utf8 ? "±" : "+-";
}

/* The last cell of a row is not filled up. */
static void print_cell(const study_page *page, contest_figure cell, bool spread, double paper,
                       bool last)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%.3f", cell.mean);
    int width = CELL;
    if (spread) {
        n += snprintf(text + n, sizeof text - (size_t)n, " %s %.3f", plus_minus(page), cell.spread);
        width += page->utf8; /* the sign has two bytes and fills a column */
    }
    if (isfinite(paper)) snprintf(text + n, sizeof text - (size_t)n, "  (%.2f)", paper);
    fprintf(page->out, "%-*s%s", last ? 0 : width, text, last ? "\n" : "");
}

static void print_rows(const study_page *page, const contest_results *contest,
                       contest_measure measure)
{
    FILE *out = page->out;
    fprintf(out, "  %s%-22s %-14s %-*s%-*s%s%s\n", page->bold, "method", "marginals", CELL,
            contest_laws[0], CELL, contest_laws[1], contest_laws[2], page->plain);
    for (int method = 0; method < METHODS; method++) {
        const contestant *who = &contestants[method];
        fprintf(out, "  %-22s %-14s ", who->name, who->marginals);
        for (int law = 0; law < LAWS; law++)
            print_cell(page, contest_average(contest, measure, law, method),
                       contest->size.seeds > 1,
                       measure == CONTEST_AUC_PAPER ? who->paper[law] : NAN, law == LAWS - 1);
    }
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const contest_results *contest = found;
    FILE *out = page->out;
    fputs("Area under the ROC curve of the recovered graph\n", out);
    contest_print_setting(contest, out);
    if (contest->size.seeds > 1) fprintf(out, " (mean %s standard deviation)", plus_minus(page));
    fputs("\n\nAs the paper's text says: pairs i < j, by the larger of their two gates\n\n", out);
    print_rows(page, contest, CONTEST_AUC);
    fputs("\nAs the paper's table was scored: every gate, the diagonal as negatives; in brackets\n"
          "the paper's numbers\n\n",
          out);
    print_rows(page, contest, CONTEST_AUC_PAPER);
    study_print_files(study, page, "table1");
}

/* Points: methods side by side, a colour a law, the laws of a method a little apart
   and the paper's number just right of ours. */
typedef struct table_points {
    double ours[LAWS][METHODS], paper[LAWS][METHODS];
    double ours_x[LAWS][METHODS], paper_x[LAWS][METHODS];
    zf_series series[2 * LAWS];
} table_points;

static zf_chart chart_of(table_points *points, const contest_results *contest,
                         contest_measure measure)
{
    static const char *const names[METHODS] = {"MLP",    "MLP, n.s.", "LSTM",    "LSTM, n.s.",
                                               "GLasso", "PC",        "partial", "partial, n.s."};
    static const char *const laws[LAWS] = {"Gaussian", "nonparanormal", "truncated"};
    bool compared = measure == CONTEST_AUC_PAPER;
    for (int law = 0; law < LAWS; law++) {
        for (int method = 0; method < METHODS; method++) {
            points->ours[law][method] = contest_average(contest, measure, law, method).mean;
            points->paper[law][method] = contestants[method].paper[law];
            points->ours_x[law][method] = method + 0.24 * (law - 1);
            points->paper_x[law][method] = points->ours_x[law][method] + 0.09;
        }
        points->series[law] = (zf_series){.name = laws[law],
                                          .x = points->ours_x[law],
                                          .y = points->ours[law],
                                          .n = METHODS,
                                          .style = ZF_SERIES_POINTS};
        points->series[LAWS + law] = (zf_series){.name = law ? NULL : "the paper's",
                                                 .x = points->paper_x[law],
                                                 .y = points->paper[law],
                                                 .n = METHODS,
                                                 .style = ZF_SERIES_POINTS,
                                                 .colour = -1};
    }
    return (zf_chart){
        .title = compared ? "Every gate scored, the diagonal as negatives: as in the paper's table"
                          : "Pairs scored by the larger of their two gates: as in the paper's text",
        .x = {.categories = names, .n_categories = METHODS},
        .y = {.label = "AUC"},
        .series = points->series,
        .n_series = compared ? 2 * LAWS : LAWS};
}

static zf_status draw(const zf_study *study, const contest_results *contest)
{
    char path[PATH_MAX];
    table_points stated, scored;
    zf_chart charts[] = {chart_of(&stated, contest, CONTEST_AUC),
                         chart_of(&scored, contest, CONTEST_AUC_PAPER)};
    zf_figure figure = {
        .title = "Recovery of a chain's graph",
        .caption =
            "MLP and LSTM are our gates; partial is the partial correlation. n.s.: on normal "
            "scores, for which the Gaussian and the nonparanormal distribution are the same.",
        .columns = 1};
    ZF_TRY(study_path(study, path, "table1"));
    return zf_plot_charts(path, &figure, charts, 2);
}

static zf_status run(zf_study *study, void *found)
{
    ZF_TRY(contest_run(study, found));
    return draw(study, found);
}

const zf_reproduction reproduce_table1 = {
    .scale = 0.05,
    .found_size = sizeof(contest_results),
    .run = run,
    .print = print,
    .json = contest_json,
    .release = contest_release,
};
