#include "job/generate.h"

#include <stdlib.h>
#include <string.h>

#include "job/answer.h"

/* In the order of zf_structure, zf_law and zf_mechanism. */
static const char *const structures[] = {"chain",       "lattice", "random", "volatility",
                                         "independent", "sem",     NULL};
static const char *const laws[] = {"gaussian", "nonparanormal", "truncated", NULL};
static const char *const mechanisms[] = {"linear",  "additive", "products", "spread",
                                         "mixture", "kinetics", NULL};

static const zf_option arguments[] = {
    {"STRUCTURE", .type = ZF_OPTION_CHOICE, ZF_FIELD(zf_generate_values, structure),
     .choices = structures,
     .help = "Graph structure. chain: each variable is joined to its next few. lattice: a square "
             "grid with four neighbours. random: a number of edges at random places. volatility: "
             "a chain in which each variable sets only the spread of the next, which no "
             "correlation detects. independent: no edges. sem: a structural equation model, in "
             "which each variable is a function of a few others and noise; see {mechanism}."},
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_OUTPUT, "DATA", ZF_FIELD(zf_generate_values, output),
     .otherwise = "CSV on standard output",
     .help = "File for the sample: .npy, .tsv, or CSV with any other extension."},
    {"truth", .type = ZF_OPTION_OUTPUT, .placeholder = "EDGES", ZF_FIELD(zf_generate_values, truth),
     .help = "File for the true edges: CSV with the header source,target, or by extension .json, "
             ".graphml, .gml, .dot or .npy."},
    {"precision", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE",
     ZF_FIELD(zf_generate_values, precision),
     .help = "File for the precision matrix: .npy, .tsv or CSV."},
    {"rows", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_generate_values, rows),
     .least = 1, .most = 1e9, .help = "Number of rows."},
    {"law", .type = ZF_OPTION_CHOICE, .placeholder = "LAW", ZF_FIELD(zf_generate_values, law),
     .choices = laws, .otherwise = "gaussian",
     .help = "Distribution: gaussian; nonparanormal, each variable cubed and scaled to variance "
             "1; truncated, conditional on every variable being above -0.75."},
    {"mechanism", .type = ZF_OPTION_CHOICE, .placeholder = "NAME",
     ZF_FIELD(zf_generate_values, mechanism), .choices = mechanisms, .otherwise = "linear",
     .help = "How parents determine a variable of a sem. linear: a sum, with Laplace or uniform "
             "noise. additive: a sum of curves, with normal noise. products: the product of two, "
             "or its sign. spread: they set only its variance. mixture: a sum of kinks and steps, "
             "with heavy-tailed or bimodal noise. kinetics: activation and repression with loops, "
             "as in gene expression."},
    {"dim", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_generate_values, dim),
     .least = 2, .most = ZF_GRAPH_NODES_MAX, .otherwise = "50",
     .help = "Number of variables, except for a lattice."},
    {"side", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_generate_values, side),
     .least = 2, .most = 173, .otherwise = "8",
     .help = "Side of a lattice, which has N x N variables."},
    {"order", .type = ZF_OPTION_WHOLE, .placeholder = "K", ZF_FIELD(zf_generate_values, order),
     .least = 1, .most = ZF_GRAPH_NODES_MAX, .otherwise = "3",
     .help = "Number of next variables that each variable of a chain is joined to."},
    {"edges", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_generate_values, edges),
     .least = 1, .most = 450000000,
     .otherwise = "120; for a sem 1.5 per variable, for products 2 per three variables",
     .help = "Number of edges of a random structure, or of arrows from parents to children of a "
             "sem."},
    {NULL},
};

static void defaults(void *values)
{
    *(zf_generate_values *)values =
        (zf_generate_values){.rows = zf_generate_defaults(ZF_CHAIN).rows,
                             .law = ZF_AUTO,
                             .mechanism = ZF_AUTO,
                             .dim = ZF_AUTO,
                             .side = ZF_AUTO,
                             .order = ZF_AUTO,
                             .edges = ZF_AUTO};
}

static zf_status need_file(const char *path, const char *option)
{
    if (!path || !zf_document_stays(path)) return ZF_OK;
    return zf_fail(ZF_EINVAL, "%s%s needs a file; only the data can go to standard output",
                   zf_option_prefix(), option);
}

/* An option that means nothing here is a misunderstanding, not a detail. */
static zf_status check_options(const zf_generate_values *values)
{
    enum { CHAIN = 1 << ZF_CHAIN, LATTICE = 1 << ZF_LATTICE, RANDOM = 1 << ZF_RANDOM };
    enum { VOLATILITY = 1 << ZF_VOLATILITY, INDEPENDENT = 1 << ZF_INDEPENDENT, SEM = 1 << ZF_SEM };
    const struct {
        bool given;
        const char *option;
        int of;
    } uses[] = {
        {values->dim != ZF_AUTO, "dim", CHAIN | RANDOM | VOLATILITY | INDEPENDENT | SEM},
        {values->side != ZF_AUTO, "side", LATTICE},
        {values->order != ZF_AUTO, "order", CHAIN},
        {values->edges != ZF_AUTO, "edges", RANDOM | SEM},
        {values->law != ZF_AUTO, "law", CHAIN | LATTICE | RANDOM | INDEPENDENT},
        {values->mechanism != ZF_AUTO, "mechanism", SEM},
        {values->precision, "precision", CHAIN | LATTICE | RANDOM | INDEPENDENT},
    };
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].given && !(uses[i].of >> values->structure & 1))
            return zf_fail(ZF_EINVAL, "structure %s has no %s%s", structures[values->structure],
                           zf_option_prefix(), uses[i].option);
    ZF_TRY(need_file(values->truth, "truth"));
    return need_file(values->precision, "precision");
}

static zf_generate_options wish_of(const zf_generate_values *values, const zf_run *run)
{
    zf_generate_options wish = zf_generate_defaults(values->structure);
    wish.seed = run->seed;
    wish.threads = run->threads;
    wish.rows = values->rows;
    if (values->law != ZF_AUTO) wish.law = (zf_law)values->law;
    if (values->mechanism != ZF_AUTO) wish.mechanism = (zf_mechanism)values->mechanism;
    if (values->dim != ZF_AUTO) wish.variables = values->dim;
    if (values->side != ZF_AUTO) wish.side = values->side;
    if (values->order != ZF_AUTO) wish.order = values->order;
    if (values->edges != ZF_AUTO) wish.edges = values->edges;
    return wish;
}

static size_t count_edges(const zf_graph *truth)
{
    size_t edges = 0;
    for (size_t i = 0; i < zf_graph_count(truth); i++)
        for (size_t j = 0; j < i; j++) edges += zf_graph_score(truth, i, j) > 0;
    return edges;
}

static zf_status write_truth(const char *path, const zf_graph *truth)
{
    if (!path) return ZF_OK;
    int format = zf_graph_format_find(path);
    zf_graph_options wish = zf_graph_defaults();
    wish.format = format < 0 ? ZF_GRAPH_CSV : (zf_graph_format)format;
    wish.threshold = 0.5; /* edges have 1, other pairs 0 */
    wish.unscored = true;
    return zf_graph_write(truth, path, &wish);
}

/* The values have the digits of float32: files of them need no more. */
static zf_status write_data(zf_document *kept, const char *path, const double *values, size_t rows,
                            const zf_graph *truth)
{
    size_t columns = zf_graph_count(truth), n = rows * columns;
    float *narrow = malloc((n + 1) * sizeof *narrow);
    if (!narrow) return zf_fail_memory(n * sizeof *narrow);
    for (size_t i = 0; i < n; i++) narrow[i] = (float)values[i];
    zf_numbers data = {
        .floats = narrow, .rows = rows, .columns = columns, .names = zf_graph_names(truth)};
    zf_status status = zf_document_table(kept, path, &data);
    free(narrow);
    return status;
}

static zf_status write_files(zf_generate_result *found, const zf_generate_values *given,
                             const double *values, const zf_graph *truth, const double *precision)
{
    size_t columns = zf_graph_count(truth);
    zf_numbers square = {
        .doubles = precision, .rows = columns, .columns = columns, .names = zf_graph_names(truth)};
    ZF_TRY(write_truth(given->truth, truth));
    if (precision) ZF_TRY(zf_table_write(given->precision, &square));
    return write_data(&found->kept, given->output, values, given->rows, truth);
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_generate_values *values = given;
    zf_generate_result *found = result;
    ZF_TRY(check_options(values));
    zf_generate_options wish = wish_of(values, run);
    double *sample, *precision = NULL;
    zf_graph *truth;
    ZF_TRY(zf_generate(&sample, &truth, values->precision ? &precision : NULL, &wish));
    bool sem = wish.structure == ZF_SEM, volatility = wish.structure == ZF_VOLATILITY;
    found->structure = structures[wish.structure];
    found->law = sem || volatility ? NULL : laws[wish.law];
    found->mechanism = sem ? mechanisms[wish.mechanism] : NULL;
    found->rows = wish.rows;
    found->columns = zf_graph_count(truth);
    found->edges = count_edges(truth);
    found->seed = wish.seed;
    zf_status status = write_files(found, values, sample, truth, precision);
    zf_graph_free(truth);
    free(sample);
    free(precision);
    return status;
}

static json_t *json(const void *result, const void *given)
{
    const zf_generate_values *values = given;
    const zf_generate_result *found = result;
    return json_pack("{s:o s:o s:o s:s s:o s:o s:o s:o s:o s:I}", "data",
                     zf_answer_text(values->output), "truth", zf_answer_text(values->truth),
                     "precision", zf_answer_text(values->precision), "structure", found->structure,
                     "law", zf_answer_text(found->law), "mechanism",
                     zf_answer_text(found->mechanism), "rows", zf_answer_count(found->rows),
                     "columns", zf_answer_count(found->columns), "edges",
                     zf_answer_count(found->edges), "seed", (json_int_t)found->seed);
}

static const char *document(const void *result, size_t *n)
{
    const zf_generate_result *found = result;
    *n = found->kept.n;
    return found->kept.bytes;
}

static void release(void *result)
{
    free(((zf_generate_result *)result)->kept.bytes);
}

const zf_job zf_job_generate = {
    .name = "generate",
    .summary = "draw synthetic data whose graph is known",
    .description =
        "Draws a sample from a graphical model and writes it, with the true edges if "
        "requested. All structures but volatility and sem are given by a precision matrix, "
        "whose non-zero entries are the edges:\n\n"
        "A chain of order 3 has 0.8, 0.4 and 0.2 between a variable and its next three (then "
        "half of the last for each further one), a lattice 1 between neighbours, a random "
        "structure 0.3 to 0.9 with random sign at random places. The diagonal exceeds the "
        "sum of the others in its row by 0.5 (chain: 0.125 more at the ends; lattice: "
        "0.1).\n\n"
        "In the volatility chain each variable is normal with mean 0 and variance 0.2 + 0.8 "
        "times the square of the one before it.\n\n"
        "In a sem the parents of each variable are drawn at random. The edges written are "
        "those of the undirected (moral) graph: a variable with each of its parents, and the "
        "parents of one variable with each other; with kinetics only the first. The order of "
        "the columns has no meaning. zeroflow/generate.h defines the mechanisms.\n\n"
        "The same seed gives the same data, and a larger sample begins with the smaller one.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_generate_values),
    .defaults = defaults,
    .result_size = sizeof(zf_generate_result),
    .run = run,
    .json = json,
    .document = document,
    .release = release,
};
