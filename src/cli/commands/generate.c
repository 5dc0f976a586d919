/* zeroflow generate: a sample whose graph is known, and that graph. */
#include "zeroflow/generate.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"
#include "zeroflow/table.h"

enum { STRUCTURE };
enum { OUTPUT, TRUTH, PRECISION, ROWS, LAW, MECHANISM, DIM, SIDE, ORDER, EDGES };

/* In the order of zf_structure, zf_law and zf_mechanism. */
static const char *const structures[] = {"chain",       "lattice", "random", "volatility",
                                         "independent", "sem",     NULL};
static const char *const laws[] = {"gaussian", "nonparanormal", "truncated", NULL};
static const char *const mechanisms[] = {"linear",  "additive", "products", "spread",
                                         "mixture", "kinetics", NULL};

static const cli_option arguments[] = {
    [STRUCTURE] =
        {"STRUCTURE", .type = CLI_CHOICE, .choices = structures,
         .help =
             "chain: each variable with its next few. lattice: a square grid, four neighbours. "
             "random: so many edges anywhere. volatility: a chain in which each variable sets "
             "the spread of the next and nothing else, which no correlation sees. independent: no "
             "edges. sem: a structural equation model, in which each variable is a function "
             "of a few others and noise; see --mechanism."},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "DATA", .otherwise = "CSV on standard output",
                .help = "Where the sample goes: .npy, .tsv, or CSV with any other name."},
    [TRUTH] = {"truth", .type = CLI_OUTPUT, .placeholder = "EDGES",
               .help = "Where the true edges go: CSV with the header source,target, or by the end "
                       "of the name .json, .graphml, .gml, .dot or .npy."},
    [PRECISION] = {"precision", .type = CLI_OUTPUT, .placeholder = "FILE",
                   .help = "Where the precision matrix goes: .npy, .tsv or CSV."},
    [ROWS] = {"rows", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1e9,
              .help = "Rows of the sample."},
    [LAW] = {"law", .type = CLI_CHOICE, .placeholder = "LAW", .choices = laws,
             .otherwise = "gaussian",
             .help = "gaussian; nonparanormal: each variable's third power, at variance 1; "
                     "truncated: given that every variable is above -0.75."},
    [MECHANISM] = {"mechanism", .type = CLI_CHOICE, .placeholder = "NAME", .choices = mechanisms,
                   .otherwise = "linear",
                   .help = "What parents do to a variable of a sem. linear: a sum, with Laplace or "
                           "uniform noise. additive: a sum of curves, with normal noise. products: "
                           "the product of two, or its sign. spread: they set its variance and "
                           "nothing else. mixture: a sum of kinks and steps, with noise of heavy "
                           "tails or two humps. kinetics: activation and repression with loops, as "
                           "in gene expression."},
    [DIM] = {"dim", .type = CLI_WHOLE, .placeholder = "N", .least = 2, .most = ZF_GRAPH_NODES_MAX,
             .otherwise = "50", .help = "Variables of any structure but a lattice."},
    [SIDE] = {"side", .type = CLI_WHOLE, .placeholder = "N", .least = 2, .most = 173,
              .otherwise = "8", .help = "Side of a lattice, which has N x N variables."},
    [ORDER] = {"order", .type = CLI_WHOLE, .placeholder = "K", .least = 1,
               .most = ZF_GRAPH_NODES_MAX, .otherwise = "3",
               .help = "Next variables that each variable of a chain is joined to."},
    [EDGES] = {"edges", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 450000000,
               .otherwise = "120; of a sem 1.5 a variable, of products 2 in three variables",
               .help = "Edges of a random structure; arrows from parents to children of a sem."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow generate chain --law nonparanormal -o chain.csv --truth chain-edges.csv",
     "The sample of the paper's first table, and its edges."},
    {"zeroflow generate lattice --side 5 --rows 500 -o lattice.npy --truth lattice.json",
     "A grid of 25 variables as NPY; the truth as JSON, with all its nodes."},
    {"zeroflow generate random --dim 20 --edges 30 --precision precision.npy > random.csv",
     "The sample to standard output, and the precision matrix behind it."},
    {"zeroflow generate sem --mechanism additive -o curves.csv --truth curves.json",
     "Variables that are sums of curves of others, and the graph that follows."},
    {NULL},
};

static void defaults(cli_value *values)
{
    values[ROWS].set = true;
    values[ROWS].whole = zf_generate_defaults(ZF_CHAIN).rows;
}

static bool to_standard_output(const cli_call *call)
{
    return cli_is_standard_output(call->values[OUTPUT].text);
}

/* An option that means nothing here is a misunderstanding, not a detail. */
static cli_exit check_options(const cli_call *call, zf_structure structure)
{
    enum { CHAIN = 1 << ZF_CHAIN, LATTICE = 1 << ZF_LATTICE, RANDOM = 1 << ZF_RANDOM };
    enum { VOLATILITY = 1 << ZF_VOLATILITY, INDEPENDENT = 1 << ZF_INDEPENDENT, SEM = 1 << ZF_SEM };
    static const struct {
        int option, of;
    } uses[] = {
        {DIM, CHAIN | RANDOM | VOLATILITY | INDEPENDENT | SEM},
        {SIDE, LATTICE},
        {ORDER, CHAIN},
        {EDGES, RANDOM | SEM},
        {LAW, CHAIN | LATTICE | RANDOM | INDEPENDENT},
        {MECHANISM, SEM},
        {PRECISION, CHAIN | LATTICE | RANDOM | INDEPENDENT},
    };
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (call->values[uses[i].option].given && !(uses[i].of >> structure & 1))
            return cli_fail(CLI_USAGE, "structure %s has no --%s", structures[structure],
                            options[uses[i].option].name);
    if (call->json && to_standard_output(call))
        return cli_fail(CLI_USAGE,
                        "--json needs --output, as the data would be on standard output");
    static const int files[] = {TRUTH, PRECISION};
    for (int i = 0; i < 2; i++)
        if (call->values[files[i]].text && strcmp(call->values[files[i]].text, "-") == 0)
            return cli_fail(CLI_USAGE, "--%s needs a file; only the data can go to standard output",
                            options[files[i]].name);
    return CLI_DONE;
}

static zf_generate_options wish_of(const cli_call *call, zf_structure structure)
{
    const cli_value *values = call->values;
    zf_generate_options wish = zf_generate_defaults(structure);
    wish.seed = call->seed;
    wish.threads = call->threads;
    wish.rows = (size_t)values[ROWS].whole;
    if (values[LAW].text) wish.law = (zf_law)cli_place_of(values[LAW].text, laws);
    if (values[MECHANISM].text)
        wish.mechanism = (zf_mechanism)cli_place_of(values[MECHANISM].text, mechanisms);
    if (values[DIM].set) wish.features = (int)values[DIM].whole;
    if (values[SIDE].set) wish.side = (int)values[SIDE].whole;
    if (values[ORDER].set) wish.order = (int)values[ORDER].whole;
    if (values[EDGES].set) wish.edges = (int)values[EDGES].whole;
    return wish;
}

static size_t count_edges(const zf_graph *truth)
{
    size_t edges = 0;
    for (size_t i = 0; i < zf_graph_count(truth); i++)
        for (size_t j = 0; j < i; j++) edges += zf_graph_score(truth, i, j) > 0;
    return edges;
}

static cli_exit write_truth(const cli_call *call, const zf_graph *truth)
{
    const char *path = call->values[TRUTH].text;
    if (!path) return CLI_DONE;
    int format = zf_graph_format_find(path);
    zf_graph_options wish = zf_graph_defaults();
    wish.format = format < 0 ? ZF_GRAPH_CSV : (zf_graph_format)format;
    wish.threshold = 0.5; /* edges have 1, other pairs 0 */
    wish.unscored = true;
    return cli_check(zf_graph_write(truth, path, &wish));
}

static cli_exit write_files(const cli_call *call, const float *values, const zf_graph *truth,
                            const double *precision)
{
    size_t columns = zf_graph_count(truth);
    zf_numbers data = {.floats = values,
                       .rows = (size_t)call->values[ROWS].whole,
                       .columns = columns,
                       .names = zf_graph_names(truth)};
    zf_numbers square = {
        .doubles = precision, .rows = columns, .columns = columns, .names = data.names};
    CLI_TRY(write_truth(call, truth));
    if (precision) CLI_TRY(cli_check(zf_table_write(call->values[PRECISION].text, &square)));
    return cli_write_table(call, call->values[OUTPUT].text, &data);
}

/* The law or the mechanism; NULL: the structure says it all. */
static const char *law_of(const zf_generate_options *wish)
{
    if (wish->structure == ZF_SEM) return mechanisms[wish->mechanism];
    return wish->structure == ZF_VOLATILITY ? NULL : laws[wish->law];
}

static cli_exit tell(const cli_call *call, const zf_graph *truth, const zf_generate_options *wish)
{
    bool sem = wish->structure == ZF_SEM;
    const char *law = law_of(wish);
    const char *output = call->values[OUTPUT].text;
    size_t columns = zf_graph_count(truth), edges = count_edges(truth);
    if (call->json)
        return cli_print_json(
            call, json_pack("{s:o s:o s:o s:s s:o s:o s:I s:I s:I s:I}", "data",
                            cli_json_text(output), "truth", cli_json_text(call->values[TRUTH].text),
                            "precision", cli_json_text(call->values[PRECISION].text), "structure",
                            structures[wish->structure], "law", cli_json_text(sem ? NULL : law),
                            "mechanism", cli_json_text(sem ? law : NULL), "rows",
                            (json_int_t)wish->rows, "columns", (json_int_t)columns, "edges",
                            (json_int_t)edges, "seed", (json_int_t)wish->seed));
    if (to_standard_output(call)) return CLI_DONE;
    cli_clean(call->out, output);
    fprintf(call->out, ": %s of %s, %s", cli_plural(wish->rows, "row").text,
            cli_plural(columns, "variable").text, structures[wish->structure]);
    if (law) fprintf(call->out, ", %s", law);
    fprintf(call->out, "; %s", cli_plural(edges, "edge").text);
    if (call->values[TRUTH].text) {
        fputs(" in ", call->out);
        cli_clean(call->out, call->values[TRUTH].text);
    }
    fputc('\n', call->out);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    zf_structure structure =
        (zf_structure)cli_place_of(call->arguments[STRUCTURE].text, structures);
    CLI_TRY(check_options(call, structure));
    zf_generate_options wish = wish_of(call, structure);
    double *values;
    zf_graph *truth;
    double *precision = NULL;
    CLI_TRY(cli_check(
        zf_generate(&values, &truth, call->values[PRECISION].text ? &precision : NULL, &wish)));
    float *narrow = cli_narrow(values, wish.rows * zf_graph_count(truth));
    cli_exit exit = narrow ? write_files(call, narrow, truth, precision)
                           : cli_fail(CLI_FAILED, "out of memory");
    free(narrow);
    if (exit == CLI_DONE) exit = tell(call, truth, &wish);
    zf_graph_free(truth);
    free(values);
    free(precision);
    return exit;
}

const cli_command cli_command_generate = {
    .name = "generate",
    .summary = "synthetic data whose graph is known",
    .description =
        "Draws a sample from a graphical model and writes it, and the model's edges if asked for. "
        "All structures but volatility and sem are given by a precision matrix, whose entries "
        "other than 0 are the edges:\n\n"
        "A chain of order 3 has 0.8, 0.4 and 0.2 between a variable and its next three (halved on "
        "for higher orders), a lattice 1 between neighbours, a random structure 0.3 to 0.9 with "
        "either sign at random places. The diagonal exceeds the sum of the others in its row by "
        "0.5 (chain: 0.125 more at the ends; lattice: 0.1).\n\n"
        "In the volatility chain each variable is normal with mean 0 and variance 0.2 + 0.8 times "
        "the square of the one before it.\n\n"
        "In a sem the parents of each variable are drawn at random. The edges written are those of "
        "the undirected (moral) graph: a variable with each of its parents, and the parents of one "
        "variable with each other; with kinetics only the first. The columns stand in an order "
        "that says nothing. What each mechanism computes is in zeroflow/generate.h.\n\n"
        "The same seed gives the same data, and more rows begin with the fewer.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .defaults = defaults,
    .run = run,
};
