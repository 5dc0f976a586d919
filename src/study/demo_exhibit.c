#include "study/demo_exhibit.h"

#include <math.h>
#include <stdlib.h>

#include "zeroflow/html.h"
#include "zeroflow/plot.h"
#include "zeroflow/table.h"

const char *const demo_models[OURS] = {"lstm.model", "mlp.model"};

static const zf_html_file files[] = {
    {"data.csv", "the generated table"},
    {"truth.csv", "its true edges"},
    {"lstm.model", "the model that this page shows, for zeroflow blanket, graph and report"},
    {"mlp.model", "the model with MLP gates"},
    {"graph.csv", "every pair with its score, its evidence, and whether it is decided on"},
    {"graph.graphml", "the decided graph that this page shows, for Cytoscape, Gephi and NetworkX"},
    {"graph-mlp.csv", "the graph of the MLP gates"},
    {"graph-rank.csv", "partial correlation of normal scores"},
    {"graph-partial.csv", "partial correlation"},
    {"graph-glasso.csv", "graphical lasso, its penalty chosen by cross-validation"},
    {"graph-pc.csv", "skeleton of the PC algorithm with Fisher’s z"},
    {"roc.svg", "ROC curves of all methods; also roc.png"},
    {"gates.svg", "both gate matrices beside the true precision; also gates.png"},
};

zf_status exhibit_page(const zf_demo_result *x, char path[PATH_MAX])
{
    return study_path(&x->study, path, "report.html");
}

zf_status exhibit_write_sample(const zf_demo_result *x)
{
    char path[PATH_MAX];
    const study_sample *s = &x->sample;
    size_t n = s->rows * s->columns;
    float *values = malloc((n + 1) * sizeof *values);
    if (!values) return zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) values[i] = (float)s->values[i];
    zf_numbers numbers = {.floats = values,
                          .rows = s->rows,
                          .columns = s->columns,
                          .names = zf_graph_names(s->truth)};
    zf_status status = study_path(&x->study, path, "data.csv");
    if (status == ZF_OK) status = zf_table_write(path, &numbers);
    free(values);
    ZF_TRY(status);
    zf_graph_options wish = zf_graph_defaults();
    wish.threshold = 0.5; /* edges have 1, other pairs 0 */
    wish.unscored = true;
    ZF_TRY(study_path(&x->study, path, "truth.csv"));
    return zf_graph_write(s->truth, path, &wish);
}

zf_status exhibit_write_models(const zf_demo_result *x)
{
    char path[PATH_MAX];
    for (int i = 0; i < OURS; i++) {
        ZF_TRY(study_path(&x->study, path, demo_models[i]));
        ZF_TRY(zf_blanket_save(x->models[i], path));
    }
    return ZF_OK;
}

static zf_status write_graphs(const zf_demo_result *x)
{
    char path[PATH_MAX];
    zf_graph_options wish = zf_graph_defaults();
    for (int i = 0; i < ENTRANTS; i++) {
        ZF_TRY(study_path(&x->study, path, x->entrants[i].file));
        ZF_TRY(zf_graph_write(x->entrants[i].graph, path, &wish));
    }
    wish.format = ZF_GRAPH_GRAPHML;
    wish.decided = x->entrants[LSTM].decides;
    if (!wish.decided) wish.threshold = x->entrants[LSTM].accuracy.best_threshold;
    ZF_TRY(study_path(&x->study, path, "graph.graphml"));
    return zf_graph_write(x->entrants[LSTM].graph, path, &wish);
}

static zf_status draw_roc(const zf_demo_result *x)
{
    char path[PATH_MAX], caption[256];
    zf_roc_curve curves[ENTRANTS];
    for (int i = 0; i < ENTRANTS; i++) {
        const zf_accuracy *a = &x->entrants[i].accuracy;
        curves[i] = (zf_roc_curve){.name = x->entrants[i].label,
                                   .auc = a->auc,
                                   .fpr = a->fpr,
                                   .tpr = a->tpr,
                                   .n = a->n_roc};
    }
    snprintf(caption, sizeof caption,
             "Nonparanormal chain of %zu variables, order 3, %s; pairs by the larger of their two "
             "gates.",
             x->sample.columns, zf_plural(x->sample.rows, "row").text);
    zf_figure figure = {
        .title = "Which method finds the chain's edges?", .caption = caption, .width = 620};
    zf_roc_panel panel = {.curves = curves, .n_curves = ENTRANTS};
    ZF_TRY(study_path(&x->study, path, "roc"));
    return zf_plot_roc(path, &figure, &panel, 1, 1);
}

static zf_status draw_gates(const zf_demo_result *x)
{
    char path[PATH_MAX], caption[256];
    size_t d = x->sample.columns;
    static const char *const titles[] = {"LSTM gates", "MLP gates", "True precision, absolute"};
    double *values = malloc(3 * d * d * sizeof *values);
    if (!values) return zf_fail(ZF_ENOMEM, "out of memory");
    zf_matrix_panel panels[OURS + 1];
    for (size_t p = 0; p <= OURS; p++) {
        double *panel = values + p * d * d;
        for (size_t i = 0; i < d * d; i++)
            panel[i] = i % (d + 1) == 0 ? 0
                       : p < OURS       ? (double)zf_graph_gate(x->entrants[p].graph, i / d, i % d)
                                        : fabs(x->sample.precision[i]);
        panels[p] = (zf_matrix_panel){.title = titles[p],
                                      .values = panel,
                                      .rows = d,
                                      .columns = d,
                                      .high = p < OURS ? 1 : 0,
                                      .x_label = "variable",
                                      .y_label = p == 0 ? "target" : NULL};
    }
    snprintf(caption, sizeof caption,
             "Nonparanormal chain, %s. The diagonal is left out. A row of gates is the blanket of "
             "one variable.",
             zf_plural(x->sample.rows, "row").text);
    zf_figure figure = {.title = "Learnt gates and the true precision",
                        .caption = caption,
                        .width = 1200,
                        .columns = 3};
    zf_status status = study_path(&x->study, path, "gates");
    if (status == ZF_OK) status = zf_plot_matrices(path, &figure, panels, OURS + 1);
    free(values);
    return status;
}

/* What was done, for somebody who knows nothing of it. */
static void tell_story(char *story, size_t size, const zf_demo_result *x)
{
    const char *test =
        x->entrants[LSTM].decides
            ? " A test of every pair then decided which edges to believe; it uses the rows only, "
              "so it is the same for both."
            : "";
    snprintf(story, size,
             "zeroflow drew %s of %zu variables, x1 to x%zu, from a distribution whose graph is "
             "known: a chain in which each variable depends directly on the three before and the "
             "three after it. Each value was then cubed, which keeps the graph but hurts methods "
             "that expect a normal distribution.\n\n"
             "From the table alone, without the truth, one network learnt which of the other "
             "variables are needed to predict a given one. It trains a flow that is zero at t = "
             "0.5 if and only if the variables with open gates are sufficient. The blanket of any "
             "variable, or of any set, is then one query to the trained network.\n\n"
             "Two gating networks were trained: an LSTM that reads the columns in their order, "
             "which suits a chain (%s), and an MLP that uses no order and works for any table "
             "(%s).%s Four classical methods got the same rows. The truth was then used to score "
             "all six.",
             zf_plural(x->sample.rows, "row").text, x->sample.columns, x->sample.columns,
             zf_plural(x->iterations[LSTM], "iteration").text,
             zf_plural(x->iterations[MLP], "iteration").text, test);
}

static zf_status write_page(const zf_demo_result *x)
{
    char path[PATH_MAX], model[PATH_MAX], story[2048];
    zf_html_method methods[ENTRANTS];
    for (int i = 0; i < ENTRANTS; i++)
        methods[i] = (zf_html_method){
            .name = x->entrants[i].name,
            .shown = i == LSTM,
            .accuracy = &x->entrants[i].accuracy,
            .decision = x->entrants[i].decides ? &x->entrants[i].decision : NULL,
            .seconds = x->entrants[i].seconds,
        };
    ZF_TRY(exhibit_page(x, path));
    ZF_TRY(study_path(&x->study, model, demo_models[LSTM]));
    tell_story(story, sizeof story, x);
    zf_html_options wish = zf_html_defaults();
    wish.title = "A chain, found from its data";
    wish.introduction = story;
    wish.model = model;
    wish.truth = x->sample.truth;
    wish.precision = x->sample.precision;
    wish.fdr = EXHIBIT_FDR;
    if (!x->entrants[LSTM].decides) {
        wish.threshold = x->entrants[LSTM].accuracy.best_threshold;
        wish.threshold_why = "which gives the best F1 here; it cannot be known without the truth";
    }
    wish.methods = methods;
    wish.n_methods = ENTRANTS;
    wish.files = files;
    wish.n_files = sizeof files / sizeof *files;
    return zf_html_write(path, x->models[LSTM], &wish);
}

zf_status exhibit_write_rest(const zf_demo_result *x)
{
    ZF_TRY(write_graphs(x));
    ZF_TRY(draw_roc(x));
    ZF_TRY(draw_gates(x));
    return write_page(x);
}
