#include "job/score.h"

#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "zeroflow/table.h"

static const zf_option arguments[] = {
    {"GRAPH", .type = ZF_OPTION_FILE, ZF_FIELD(zf_score_values, graph),
     .help = "Scored edges: CSV with the header source,target,score, or JSON, as written by graph "
             "and baseline; also CSV of all gates (graph {matrix}). - reads standard input."},
    {NULL},
};

static const zf_option options[] = {
    {"truth", .type = ZF_OPTION_FILE, .placeholder = "EDGES", ZF_FIELD(zf_score_values, truth),
     .help = "True edges: CSV with the header source,target or from,to, or JSON. Directions are "
             "ignored. Required."},
    {"nodes", .type = ZF_OPTION_FILE, .placeholder = "DATA", ZF_FIELD(zf_score_values, nodes),
     .otherwise = "the nodes that either file names",
     .help = "Table whose columns are all the nodes, such as the data behind the graph. A list of "
             "edges does not name nodes without edges; with this option they count, and an "
             "unknown name is an error."},
    {NULL},
};

/* The columns of a table, as names that live as long as it. */
typedef struct nodes {
    zf_table *table;
    const char **names; /* NULL: not told */
    size_t n;
} nodes;

static zf_status read_nodes(nodes *to, const char *path)
{
    if (!path) return ZF_OK;
    ZF_TRY(zf_table_read(&to->table, path, NULL));
    to->n = zf_table_columns(to->table);
    to->names = malloc((to->n + 1) * sizeof *to->names);
    if (!to->names) return zf_fail_memory(to->n * sizeof *to->names);
    for (size_t i = 0; i < to->n; i++) to->names[i] = zf_table_column(to->table, i)->name;
    return ZF_OK;
}

static zf_status read_graph(zf_graph **graph, const char *path, const nodes *all)
{
    return zf_graph_read(graph, strcmp(path, "-") == 0 ? "/dev/stdin" : path, all->names, all->n);
}

static zf_status compare(zf_score_result *found, const zf_score_values *values, const nodes *all)
{
    zf_graph *graph = NULL, *truth = NULL;
    zf_status status = read_graph(&truth, values->truth, all);
    if (status == ZF_OK) status = read_graph(&graph, values->graph, all);
    if (status == ZF_OK) {
        status = zf_graph_compare(&found->accuracy, graph, truth);
        if (status == ZF_EINPUT) zf_fail_within(status, "%s: ", values->truth);
    }
    if (status == ZF_OK) found->directed = zf_graph_is_directed(graph);
    zf_graph_free(graph);
    zf_graph_free(truth);
    return status;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_score_values *values = given;
    (void)run;
    if (!values->truth)
        return zf_fail(ZF_EINVAL,
                       "option {truth} is missing: name the file of true edges, as {truth} EDGES");
    if (strcmp(values->truth, "-") == 0 && strcmp(values->graph, "-") == 0)
        return zf_fail(ZF_EINVAL, "GRAPH and {truth} cannot both be standard input");
    nodes all = {0};
    zf_status status = read_nodes(&all, values->nodes);
    if (status == ZF_OK) status = compare(result, values, &all);
    free(all.names);
    zf_table_free(all.table);
    return status;
}

static json_t *roc_json(const zf_accuracy *a)
{
    json_t *roc = json_array();
    for (size_t i = 0; i < a->n_roc; i++)
        zf_answer_add(roc,
                      json_pack("[o o]", zf_answer_number(a->fpr[i]), zf_answer_number(a->tpr[i])));
    return roc;
}

static json_t *json(const void *result, const void *given)
{
    const zf_score_result *found = result;
    const zf_accuracy *a = &found->accuracy;
    (void)given;
    return json_pack(
        "{s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o s:b s:o}", "auc", zf_answer_number(a->auc),
        "auc_paper", zf_answer_number(a->auc_paper), "average_precision",
        zf_answer_number(a->average_precision), "best_f1", zf_answer_number(a->best_f1),
        "best_threshold", zf_answer_number(a->best_threshold), "edges", zf_answer_count(a->edges),
        "pairs", zf_answer_count(a->pairs), "nodes", zf_answer_count(a->nodes), "only_in_graph",
        zf_answer_count(a->only_scored), "only_in_truth", zf_answer_count(a->only_truth),
        "directed", found->directed, "roc", roc_json(a));
}

static void release(void *result)
{
    zf_score_result *found = result;
    zf_accuracy_free(&found->accuracy);
}

const zf_job zf_job_score = {
    .name = "score",
    .summary = "measure how well a graph finds the true edges",
    .description =
        "Compares scored edges with the true ones: the area under the ROC curve, average "
        "precision, the best F1, and the curve itself. Nodes are matched by name. Pairs that "
        "the graph does not list score 0.\n\n"
        "AUC takes each pair of nodes once, by the larger of its two gates, and leaves the "
        "diagonal out, as the paper says. The numbers in the paper's table were computed "
        "differently: each gate by itself, with the diagonal counted as non-edges. Both are "
        "printed; compare the second with the paper. In a list of undirected edges both "
        "gates of a pair have its score, and the diagonal is 0.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_score_values),
    .result_size = sizeof(zf_score_result),
    .run = run,
    .json = json,
    .release = release,
};
