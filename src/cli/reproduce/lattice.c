/* Blankets on a lattice: CNN gates trained on a node and each of its neighbours
   with probability 1/2, then asked for sets that training draws and for sets that
   it never does.

   The unseen sets are of six shapes, equally often: three forms of four nodes,
   two nodes that are not neighbours, a pair and a node apart, and two to five
   nodes anywhere; turned, mirrored and placed at random. Three in a line or round
   a corner are a node with two of its neighbours, which training does draw, so
   they stand among the seen ones. */
#include <math.h>
#include <stdlib.h>

#include "reproduce/shapes.h"
#include "reproduce/study.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/plot.h"

enum {
    SIDE = 8,
    NODES = SIDE * SIDE,
    ROWS = 2048,
    SETS = 200,
    PANELS = 5,
    PAPER_ITERATIONS = 5000
};
static const double THRESHOLD = 0.1, ALIKE = 0.9;

typedef struct lattice_tally {
    int sets, alike; /* of them with a Jaccard index of at least ALIKE */
    double jaccard;  /* the sum */
} lattice_tally;

typedef struct lattice_result {
    zf_accuracy accuracy; /* of the graph, from single nodes */
    lattice_tally seen, unseen, shapes[SHAPES];
    zf_fit_summary summary;
} lattice_result;

/* One panel of the figure with what it points to. */
typedef struct lattice_picture {
    unsigned char target[NODES], found[NODES], truth[NODES];
    double jaccard;
    char title[64];
} lattice_picture;

static void count(lattice_tally *tally, double jaccard)
{
    tally->sets++;
    tally->jaccard += jaccard;
    tally->alike += jaccard >= ALIKE;
}

/* The blanket of a set, and how far it is right. */
static cli_exit ask(const zf_blanket *model, const target_set *set, lattice_picture *picture)
{
    float gates[NODES];
    CLI_TRY(cli_check(zf_blanket_query(model, set->nodes, set->n, gates)));
    set_truth(set, SIDE, picture->target, picture->truth);
    for (int i = 0; i < NODES; i++) picture->found[i] = gates[i] > THRESHOLD;
    picture->jaccard = set_jaccard(picture->found, picture->truth, NODES);
    return CLI_DONE;
}

/* A node, and each of its neighbours with probability 1/2: what training draws. */
static target_set draw_seen(unsigned short random[3])
{
    static const int steps[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    int row = (int)(erand48(random) * SIDE), column = (int)(erand48(random) * SIDE);
    target_set set = {.nodes = {row * SIDE + column}, .n = 1};
    for (int k = 0; k < 4; k++) {
        int r = row + steps[k][0], c = column + steps[k][1];
        if (erand48(random) < 0.5 || r < 0 || c < 0 || r >= SIDE || c >= SIDE) continue;
        set.nodes[set.n++] = r * SIDE + c;
    }
    return set;
}

static cli_exit judge_set(const cli_study *study, const zf_blanket *model, const target_set *set,
                          const char *kind, double *jaccard)
{
    lattice_picture picture;
    CLI_TRY(ask(model, set, &picture));
    *jaccard = picture.jaccard;
    fprintf(study->runs, "%s,", kind);
    for (int k = 0; k < set->n; k++)
        fprintf(study->runs, "%sr%dc%d", k ? " " : "", set->nodes[k] / SIDE + 1,
                set->nodes[k] % SIDE + 1);
    if (fprintf(study->runs, ",%.4f\n", *jaccard) < 0)
        return cli_fail(CLI_FAILED, "runs.csv: cannot write");
    return CLI_DONE;
}

static cli_exit judge(const cli_study *study, const zf_blanket *model, lattice_result *result)
{
    uint64_t seed = study->call->seed;
    unsigned short random[3] = {(unsigned short)seed, (unsigned short)(seed >> 16), 0x330e};
    for (int i = 0; i < SETS; i++) {
        double jaccard;
        target_set seen = draw_seen(random);
        CLI_TRY(judge_set(study, model, &seen, "seen", &jaccard));
        count(&result->seen, jaccard);
    }
    for (int i = 0; i < SETS; i++) {
        double jaccard;
        int shape = i % SHAPES;
        target_set unseen = shape_draw(shape, SIDE, random);
        CLI_TRY(judge_set(study, model, &unseen, shape_names[shape], &jaccard));
        count(&result->unseen, jaccard);
        count(&result->shapes[shape], jaccard);
    }
    return CLI_DONE;
}

/* --- the figure -------------------------------------------------------------------- */

static cli_exit fill(lattice_picture *pictures, zf_lattice_panel *panels, const zf_blanket *model,
                     const target_set *sets)
{
    for (int i = 0; i < PANELS; i++) {
        CLI_TRY(ask(model, &sets[i], &pictures[i]));
        snprintf(pictures[i].title, sizeof pictures[i].title, "Jaccard %.2f", pictures[i].jaccard);
        panels[i] = (zf_lattice_panel){.title = pictures[i].title,
                                       .rows = SIDE,
                                       .columns = SIDE,
                                       .target = pictures[i].target,
                                       .found = pictures[i].found,
                                       .truth = pictures[i].truth};
    }
    return CLI_DONE;
}

static cli_exit draw(const cli_study *study, const zf_blanket *model)
{
    static const target_set seen[PANELS] = {
        {{27}, 1}, {{42, 43}, 2}, {{34, 35, 36}, 3}, {{0, 1, 8}, 3}, {{20, 27, 28, 29, 36}, 5}};
    static const target_set unseen[PANELS] = {{{10, 53}, 2},
                                              {{25, 26, 27, 28}, 4},
                                              {{18, 26, 34, 35}, 4},
                                              {{27, 28, 35, 36}, 4},
                                              {{1, 22, 31, 41, 60}, 5}};
    lattice_picture pictures[2][PANELS];
    zf_lattice_panel panels[2][PANELS];
    char path[PATH_MAX];
    zf_figure figure = {
        .title = "Blankets on a lattice of 8 x 8, CNN gates",
        .caption = "Found are gates above 0.1; the true blanket is all neighbours of the targets "
                   "outside of them.",
        .width = 1100};
    CLI_TRY(fill(pictures[0], panels[0], model, seen));
    CLI_TRY(fill(pictures[1], panels[1], model, unseen));
    zf_lattice_row rows[] = {{"Target sets that training draws", panels[0], PANELS},
                             {"Target sets that training never draws", panels[1], PANELS}};
    CLI_TRY(study_path(study, path, "lattice"));
    return cli_check(zf_plot_lattices(path, &figure, rows, 2));
}

/* --- the numbers ------------------------------------------------------------------- */

static json_t *json_tally(const char *name, const lattice_tally *tally)
{
    return json_pack("{s:s s:i s:o s:o}", "name", name, "sets", tally->sets, "jaccard",
                     cli_json_number(tally->jaccard / tally->sets), "share_right",
                     cli_json_number((double)tally->alike / tally->sets));
}

static cli_exit print_json(const cli_study *study, const lattice_result *result)
{
    json_t *object = study_json(study), *shapes = json_array();
    for (int i = 0; i < SHAPES; i++)
        json_array_append_new(shapes, json_tally(shape_names[i], &result->shapes[i]));
    json_object_set_new(object, "iterations", json_integer((json_int_t)result->summary.iterations));
    json_object_set_new(object, "auc", cli_json_number(result->accuracy.auc));
    json_object_set_new(object, "auc_paper", cli_json_number(result->accuracy.auc_paper));
    json_object_set_new(object, "threshold", cli_json_number(THRESHOLD));
    json_object_set_new(object, "seen", json_tally("seen", &result->seen));
    json_object_set_new(object, "unseen", json_tally("unseen", &result->unseen));
    json_object_set_new(object, "shapes", shapes);
    return cli_print_json(study->call, object);
}

static void print_tally(FILE *out, const char *name, const lattice_tally *tally)
{
    fprintf(out, "  %-30s %5d  %8.3f  %8.1f %%\n", name, tally->sets, tally->jaccard / tally->sets,
            100.0 * tally->alike / tally->sets);
}

static void print_text(const cli_study *study, const lattice_result *result)
{
    FILE *out = study->call->out;
    fprintf(out, "Blankets on a lattice of %d x %d: CNN gates, Gaussian data, 2,048 rows, %s\n\n",
            SIDE, SIDE, cli_plural(result->summary.iterations, "iteration").text);
    fprintf(out, "AUC of the graph: %.4f (as the paper scored: %.4f)\n\n", result->accuracy.auc,
            result->accuracy.auc_paper);
    fprintf(out, "Gates above %g against all neighbours of the set outside it\n\n", THRESHOLD);
    fprintf(out, "  %s%-30s %5s  %8s  %s%s\n", cli_bold(), "target sets", "sets", "Jaccard",
            "right (Jaccard at least 0.9)", cli_plain());
    print_tally(out, "drawn in training", &result->seen);
    print_tally(out, "never drawn in training", &result->unseen);
    for (int i = 0; i < SHAPES; i++) {
        char name[64];
        snprintf(name, sizeof name, "  %s", shape_names[i]);
        print_tally(out, name, &result->shapes[i]);
    }
    fputs(
        "\nThe paper shows pictures without numbers: \"correctly recovers the Markov blankets in\n"
        "both cases\". Training draws a node and each of its neighbours with probability 1/2;\n"
        "the six shapes of unseen sets come equally often, turned, mirrored and placed at\n"
        "random.\n",
        out);
    study_print_files(study, "lattice");
}

static cli_exit finish(cli_study *study, const zf_blanket *model, lattice_result *result)
{
    CLI_TRY(judge(study, model, result));
    CLI_TRY(draw(study, model));
    if (study->call->json) return print_json(study, result);
    print_text(study, result);
    return CLI_DONE;
}

static cli_exit work(cli_study *study, lattice_result *result, const cli_sample *sample)
{
    zf_network *network = NULL;
    zf_blanket *model = NULL;
    zf_fit_options wish = zf_fit_defaults();
    wish.gate = ZF_GATE_CNN;
    wish.targets = ZF_TARGET_GRID;
    wish.iterations = study_once(study, PAPER_ITERATIONS);
    wish.seed = study->call->seed;
    study_plan(study, wish.gate, NODES, wish.iterations, 1);
    CLI_TRY(study_begin_runs(study, "kind,targets,jaccard"));
    CLI_TRY(study_fit_network(study, &network, &model, &result->summary, sample, &wish));
    cli_exit exit = cli_check(zf_network_compare(&result->accuracy, network, sample->truth));
    zf_network_free(network);
    if (exit == CLI_DONE) exit = finish(study, model, result);
    zf_blanket_free(model);
    return exit;
}

static cli_exit run(cli_study *study)
{
    cli_sample sample = {0};
    lattice_result result = {0};
    zf_generate_options wish = zf_generate_defaults(ZF_LATTICE);
    wish.side = SIDE;
    wish.rows = ROWS;
    wish.seed = study->call->seed;
    wish.threads = study->call->threads;
    cli_exit exit = sample_generate(&sample, &wish);
    if (exit == CLI_DONE) exit = work(study, &result, &sample);
    sample_free(&sample);
    zf_accuracy_free(&result.accuracy);
    return exit;
}

const cli_reproduction reproduce_lattice = {.scale = 1, .run = run};
