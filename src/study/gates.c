/* Learnt gates beside the true precision: the chain with LSTM gates, lattices of
   8 x 8 and 15 x 15 with CNN gates. The diagonal is left out of both: a target
   has no gate for itself, and a precision's diagonal hides the rest. */
#include <math.h>
#include <stdlib.h>

#include "study/study.h"
#include "zeroflow/plot.h"

enum { CASES = 3, PAPER_ITERATIONS = 5000, ROWS = 2048 };

typedef struct gates_case {
    const char *name;   /* of its files */
    const char *figure; /* over its panel */
    zf_structure structure;
    int side;
    zf_gate_kind gate;
    zf_target_law targets;
    size_t columns;
} gates_case;

static const gates_case cases[CASES] = {
    {"chain", "Gates: chain of 50, LSTM", ZF_CHAIN, 0, ZF_GATE_LSTM, ZF_TARGET_NEIGHBOURS, 50},
    {"lattice-8", "Gates: lattice 8 × 8, CNN", ZF_LATTICE, 8, ZF_GATE_CNN, ZF_TARGET_GRID, 64},
    {"lattice-15", "Gates: lattice 15 × 15, CNN", ZF_LATTICE, 15, ZF_GATE_CNN, ZF_TARGET_GRID, 225},
};

typedef struct gates_result {
    double *gates, *precision; /* [columns * columns] */
    zf_accuracy accuracy;
    double inside, outside; /* mean gate of true edges and of other pairs */
    double seconds;
} gates_result;

static zf_status keep(gates_result *result, const zf_graph *graph, const study_sample *sample)
{
    size_t d = sample->columns, edges = 0;
    result->gates = malloc(d * d * sizeof *result->gates);
    result->precision = malloc(d * d * sizeof *result->precision);
    if (!result->gates || !result->precision) return zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++) {
            double gate = zf_graph_gate(graph, i, j);
            bool edge = i != j && zf_graph_gate(sample->truth, i, j) > 0;
            result->gates[i * d + j] = i == j ? 0 : gate;
            result->precision[i * d + j] = i == j ? 0 : fabs(sample->precision[i * d + j]);
            if (i == j) continue;
            *(edge ? &result->inside : &result->outside) += gate;
            edges += edge;
        }
    result->inside /= (double)edges;
    result->outside /= (double)(d * (d - 1) - edges);
    return ZF_OK;
}

/* DIR/NAME-gates.npy */
static zf_status write_gates(const zf_study *study, const zf_graph *graph, const char *name)
{
    char path[PATH_MAX], file[64];
    zf_graph_options wish = zf_graph_defaults();
    wish.format = ZF_GRAPH_NPY;
    wish.matrix = true;
    snprintf(file, sizeof file, "%s-gates.npy", name);
    ZF_TRY(study_path(study, path, file));
    return zf_graph_write(graph, path, &wish);
}

static zf_status fit_case(zf_study *study, gates_result *result, const gates_case *what,
                          const study_sample *sample)
{
    zf_graph *graph = NULL;
    zf_fit_summary summary;
    zf_fit_options wish = study_fit_options();
    wish.gate = what->gate;
    wish.targets = what->targets;
    wish.iterations = study_once(study, PAPER_ITERATIONS);
    wish.seed = study->seed;
    ZF_TRY(study_fit_graph(study, &graph, NULL, &summary, sample, &wish));
    zf_status status = zf_graph_compare(&result->accuracy, graph, sample->truth);
    if (status == ZF_OK) status = keep(result, graph, sample);
    if (status == ZF_OK) status = write_gates(study, graph, what->name);
    zf_graph_free(graph);
    if (status != ZF_OK) return status;
    result->seconds = summary.seconds;
    return study_run(study, "%s,%zu,%llu,%.6f,%.6f,%.6f,%.6f,%.6f,%.3f", what->name, what->columns,
                     (unsigned long long)wish.iterations, result->accuracy.auc,
                     result->accuracy.auc_paper, result->accuracy.average_precision, result->inside,
                     result->outside, summary.seconds);
}

static zf_status run_case(zf_study *study, gates_result *result, const gates_case *what)
{
    study_sample sample = {0};
    zf_generate_options wish = zf_generate_defaults(what->structure);
    wish.rows = ROWS;
    wish.seed = study->seed;
    wish.threads = study->threads;
    if (what->side)
        wish.side = what->side;
    else
        wish.variables = (int)what->columns;
    zf_status status = sample_generate(&sample, &wish);
    if (status == ZF_OK) status = fit_case(study, result, what, &sample);
    sample_free(&sample);
    return status;
}

static zf_status draw(const zf_study *study, const gates_result *results)
{
    char path[PATH_MAX], caption[256];
    zf_matrix_panel panels[2 * CASES];
    for (int i = 0; i < CASES; i++) {
        size_t d = cases[i].columns;
        panels[2 * i] = (zf_matrix_panel){.title = cases[i].figure,
                                          .values = results[i].gates,
                                          .rows = d,
                                          .columns = d,
                                          .low = 0,
                                          .high = 1,
                                          .x_label = "Variable",
                                          .y_label = "Target"};
        panels[2 * i + 1] = (zf_matrix_panel){.title = "True precision, absolute values",
                                              .values = results[i].precision,
                                              .rows = d,
                                              .columns = d,
                                              .x_label = "Variable"};
    }
    snprintf(caption, sizeof caption,
             "Gaussian data, 2,048 rows, %s. The diagonal is left out. A row of gates is the "
             "blanket of one variable.",
             zf_plural(study_once(study, PAPER_ITERATIONS), "iteration").text);
    zf_figure figure = {
        .title = "Learnt gates and the true precision", .caption = caption, .columns = 2};
    ZF_TRY(study_path(study, path, "gates"));
    return zf_plot_matrices(path, &figure, panels, 2 * CASES);
}

static json_t *json(const zf_study *study, const void *found)
{
    const gates_result *results = found;
    json_t *object = study_json(study), *list = json_array();
    for (int i = 0; i < CASES; i++) {
        const gates_result *r = &results[i];
        zf_answer_add(list, json_pack("{s:s s:o s:o s:o s:o s:o s:o}", "name", cases[i].name, "auc",
                                      zf_answer_number(r->accuracy.auc), "auc_paper",
                                      zf_answer_number(r->accuracy.auc_paper), "average_precision",
                                      zf_answer_number(r->accuracy.average_precision),
                                      "gate_of_edges", zf_answer_number(r->inside),
                                      "gate_of_others", zf_answer_number(r->outside), "seconds",
                                      zf_answer_number(r->seconds)));
    }
    zf_answer_set(object, "iterations",
                  json_integer((json_int_t)study_once(study, PAPER_ITERATIONS)));
    zf_answer_set(object, "cases", list);
    return object;
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const gates_result *results = found;
    FILE *out = page->out;
    fprintf(out, "Learnt gates and the true precision: Gaussian data, 2,048 rows, %s\n\n",
            zf_plural(study_once(study, PAPER_ITERATIONS), "iteration").text);
    fprintf(out, "  %s%-12s %8s  %9s  %9s  %13s  %14s%s\n", page->bold, "graph", "AUC", "AUC paper",
            "precision", "gate of edges", "gate of others", page->plain);
    for (int i = 0; i < CASES; i++)
        fprintf(out, "  %-12s %8.4f  %9.4f  %9.4f  %13.4f  %14.4f\n", cases[i].name,
                results[i].accuracy.auc, results[i].accuracy.auc_paper,
                results[i].accuracy.average_precision, results[i].inside, results[i].outside);
    fputs("\nThe paper shows the matrices without numbers: \"the non-zero gates align well with\n"
          "the non-zero entries of the true precision matrices\".\n",
          out);
    study_print_files(study, page, "gates");
}

static zf_status run(zf_study *study, void *found)
{
    gates_result *results = found;
    for (int i = 0; i < CASES; i++)
        study_plan(study, cases[i].gate, cases[i].columns, study_once(study, PAPER_ITERATIONS), 1);
    ZF_TRY(study_begin_runs(study, "graph,variables,iterations,auc,auc_paper,average_precision,"
                                   "gate_of_edges,gate_of_others,seconds"));
    for (int i = 0; i < CASES; i++) ZF_TRY(run_case(study, &results[i], &cases[i]));
    return draw(study, results);
}

static void release(void *found)
{
    gates_result *results = found;
    for (int i = 0; i < CASES; i++) {
        free(results[i].gates);
        free(results[i].precision);
        zf_accuracy_free(&results[i].accuracy);
    }
}

const zf_reproduction reproduce_gates = {
    .scale = 0.3,
    .found_size = sizeof(gates_result[CASES]),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
