/* The ROC curves behind Table 1: all methods, a panel a law. Curves of several
   seeds are averaged at equal false positive rates, closer together where the
   rate is small, since that is where the methods differ. */
#include "study/contest.h"
#include "zeroflow/plot.h"

enum { POINTS = 201 };

typedef struct roc_curves {
    double fpr[POINTS];
    double tpr[LAWS][METHODS][POINTS];
} roc_curves;

/* The true positive rate at a false positive rate; of a vertical piece the top. */
static double height_at(const zf_accuracy *result, double fpr)
{
    size_t i = result->n_roc - 1;
    while (i > 0 && result->fpr[i] > fpr) i--;
    if (i + 1 >= result->n_roc) return result->tpr[i];
    double width = result->fpr[i + 1] - result->fpr[i];
    double share = width > 0 ? (fpr - result->fpr[i]) / width : 0;
    return result->tpr[i] + share * (result->tpr[i + 1] - result->tpr[i]);
}

/* The mean over the seeds. */
static double average_height(const contest_results *contest, int law, int method, double fpr)
{
    double sum = 0;
    for (int s = 0; s < contest->size.seeds; s++)
        sum += height_at(contest_result(contest, s, law, method), fpr);
    return sum / contest->size.seeds;
}

static void average_curves(roc_curves *curves, const contest_results *contest)
{
    for (int i = 0; i < POINTS; i++) {
        double x = i / (double)(POINTS - 1);
        curves->fpr[i] = x * x;
        for (int law = 0; law < LAWS; law++)
            for (int method = 0; method < METHODS; method++)
                curves->tpr[law][method][i] = average_height(contest, law, method, curves->fpr[i]);
    }
}

static zf_status draw(const zf_study *study, const contest_results *contest)
{
    static const char *const titles[LAWS] = {"Gaussian", "Nonparanormal", "Truncated"};
    /* A colour a method; what has normal scores for marginals is dashed. */
    static const struct {
        const char *name;
        int colour;
        bool dashed;
    } looks[METHODS] = {{"MLP", 1, false},           {"MLP, n.s.", 1, true},
                        {"LSTM", 2, false},          {"LSTM, n.s.", 2, true},
                        {"GLasso", 3, false},        {"PC", 4, false},
                        {"partial corr.", 7, false}, {"partial corr., n.s.", 7, true}};
    char path[PATH_MAX], caption[320];
    zf_roc_curve all[LAWS][METHODS];
    zf_roc_panel panels[LAWS];
    roc_curves curves;
    average_curves(&curves, contest);
    snprintf(caption, sizeof caption,
             "Chain of 50 variables, order 3, 2,048 rows; pairs by the larger of their two gates; "
             "%d seed%s, %s. n.s.: on normal scores. The axis of false positives ends at 0.5.",
             contest->size.seeds, contest->size.seeds > 1 ? "s, averaged" : "",
             zf_plural(contest->size.iterations, "iteration").text);
    for (int law = 0; law < LAWS; law++) {
        for (int method = 0; method < METHODS; method++)
            all[law][method] =
                (zf_roc_curve){.name = looks[method].name,
                               .auc = contest_average(contest, CONTEST_AUC, law, method).mean,
                               .fpr = curves.fpr,
                               .tpr = curves.tpr[law][method],
                               .n = POINTS,
                               .colour = looks[method].colour,
                               .dashed = looks[method].dashed};
        panels[law] = (zf_roc_panel){titles[law], all[law], METHODS};
    }
    zf_figure figure = {.title = "Recovery of a chain's graph: ROC curves",
                        .caption = caption,
                        .width = 1200,
                        .columns = 3};
    ZF_TRY(study_path(study, path, "roc"));
    return zf_plot_roc(path, &figure, panels, LAWS, 0.5);
}

static void print_row(FILE *out, const contest_results *contest, int method)
{
    static const double rates[] = {0.01, 0.05, 0.1};
    fprintf(out, "  %-22s %-14s", contestants[method].name, contestants[method].marginals);
    for (int law = 0; law < LAWS; law++) {
        for (int k = 0; k < 3; k++)
            fprintf(out, " %.3f", average_height(contest, law, method, rates[k]));
        fprintf(out, "  %.3f%s", contest_average(contest, CONTEST_AUC, law, method).mean,
                law < LAWS - 1 ? "   " : "\n");
    }
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const contest_results *contest = found;
    FILE *out = page->out;
    fputs("True positive rate at false positive rates of 0.01, 0.05 and 0.1, and AUC\n", out);
    contest_print_setting(contest, out);
    fprintf(out, "\n\n  %s%-22s %-14s %-27s %-27s %s%s\n", page->bold, "method", "marginals",
            contest_laws[0], contest_laws[1], contest_laws[2], page->plain);
    for (int method = 0; method < METHODS; method++) print_row(out, contest, method);
    fputs("\n"
          "The paper shows the curves of the last two distributions, without numbers: "
          "it\n\"outperforms graphical lasso and the PC algorithm in both non-Gaussian "
          "settings\".\n",
          out);
    study_print_files(study, page, "roc");
}

static zf_status run(zf_study *study, void *found)
{
    ZF_TRY(contest_run(study, found));
    return draw(study, found);
}

const zf_reproduction reproduce_roc = {
    .scale = 0.05,
    .found_size = sizeof(contest_results),
    .run = run,
    .print = print,
    .json = contest_json,
    .release = contest_release,
};
