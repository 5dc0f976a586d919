/* Blankets on lattices of 8 x 8 and 15 x 15: CNN gates trained on a node and each of
   its neighbours with probability 1/2, then asked for sets that training draws and
   for sets that it never does.

   The unseen sets are of six shapes, equally often: three forms of four nodes,
   two nodes that are not neighbours, a pair and a node apart, and two to five
   nodes anywhere; turned, mirrored and placed at random. A set counts as unseen if
   training cannot draw it: no node of it has all the others as neighbours. Three in
   a line or round a corner are a node with two of its neighbours, so they stand
   among the seen ones. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/shapes.h"
#include "study/study.h"
#include "zeroflow/plot.h"

enum { CASES = 2, MOST_NODES = 225, ROWS = 2048, SETS = 200, KINDS = 2, PANELS = 5 };
static const double THRESHOLD = 0.1, ALIKE = 0.9;
static const int sides[CASES] = {8, 15};

typedef struct lattice_tally {
    int sets, alike; /* of them with a Jaccard index of at least ALIKE */
    double jaccard;  /* the sum */
} lattice_tally;

/* One panel of the figure with what it points to. */
typedef struct lattice_answer {
    unsigned char target[MOST_NODES], found[MOST_NODES], truth[MOST_NODES];
    double jaccard;
    char title[64];
} lattice_answer;

/* A lattice of one size, over the seeds so far. */
typedef struct lattice_case {
    int side, seeds;
    double auc, auc_paper; /* sums, of the graph from single nodes */
    double least;          /* share of unseen sets that are right, in the worst seed */
    lattice_tally seen, unseen, shapes[SHAPES];
    lattice_answer answers[KINDS][PANELS]; /* of the first seed */
} lattice_case;

typedef struct lattice_results {
    study_size size;
    lattice_case cases[CASES];
} lattice_results;

static void count(lattice_tally *tally, double jaccard)
{
    tally->sets++;
    tally->jaccard += jaccard;
    tally->alike += jaccard >= ALIKE;
}

static double share_right(const lattice_tally *tally)
{
    return (double)tally->alike / tally->sets;
}

/* --- asking ------------------------------------------------------------------------ */

/* The blanket of a set, and how far it is right. */
static zf_status ask(const zf_blanket *model, int side, const target_set *set,
                     lattice_answer *answer)
{
    float gates[MOST_NODES];
    ZF_TRY(zf_blanket_query(model, set->nodes, set->n, gates));
    set_truth(set, side, answer->target, answer->truth);
    for (int i = 0; i < side * side; i++) answer->found[i] = gates[i] > THRESHOLD;
    answer->jaccard = set_jaccard(answer->found, answer->truth, side * side);
    return ZF_OK;
}

/* A node, and each of its neighbours with probability 1/2: what training draws. */
static target_set draw_seen(int side, unsigned short random[3])
{
    static const int steps[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    int row = (int)(erand48(random) * side), column = (int)(erand48(random) * side);
    target_set set = {.nodes = {row * side + column}, .n = 1};
    for (int k = 0; k < 4; k++) {
        int r = row + steps[k][0], c = column + steps[k][1];
        if (erand48(random) < 0.5 || r < 0 || c < 0 || r >= side || c >= side) continue;
        set.nodes[set.n++] = r * side + c;
    }
    return set;
}

/* One fit that is asked for many sets. */
typedef struct lattice_trial {
    const zf_study *study;
    const zf_blanket *model;
    int side;
    uint64_t seed;
} lattice_trial;

static zf_status judge_set(const lattice_trial *trial, const target_set *set, const char *kind,
                           double *jaccard)
{
    lattice_answer answer;
    FILE *runs = trial->study->runs;
    ZF_TRY(ask(trial->model, trial->side, set, &answer));
    *jaccard = answer.jaccard;
    fprintf(runs, "%d,%" PRIu64 ",\"%s\",", trial->side, trial->seed, kind);
    for (int k = 0; k < set->n; k++)
        fprintf(runs, "%sr%dc%d", k ? " " : "", set->nodes[k] / trial->side + 1,
                set->nodes[k] % trial->side + 1);
    fprintf(runs, ",%.4f\n", *jaccard);
    return ZF_OK;
}

static zf_status judge(const lattice_trial *trial, lattice_case *result)
{
    unsigned short random[3] = {(unsigned short)trial->seed, (unsigned short)(trial->seed >> 16),
                                0x330e};
    int before = result->unseen.alike;
    double jaccard;
    for (int i = 0; i < SETS; i++) {
        target_set seen = draw_seen(trial->side, random);
        ZF_TRY(judge_set(trial, &seen, "seen", &jaccard));
        count(&result->seen, jaccard);
    }
    for (int i = 0; i < SETS; i++) {
        int shape = i % SHAPES;
        target_set unseen = shape_draw(shape, trial->side, random);
        ZF_TRY(judge_set(trial, &unseen, shape_names[shape], &jaccard));
        count(&result->unseen, jaccard);
        count(&result->shapes[shape], jaccard);
    }
    result->least = fmin(result->least, (double)(result->unseen.alike - before) / SETS);
    if (fflush(trial->study->runs) != 0 || ferror(trial->study->runs))
        return zf_fail(ZF_EOUTPUT, "runs.csv: cannot write: %s", strerror(errno));
    return ZF_OK;
}

/* --- the figure -------------------------------------------------------------------- */

static const target_set shown[CASES][KINDS][PANELS] = {
    {{{{27}, 1}, {{42, 43}, 2}, {{34, 35, 36}, 3}, {{0, 1, 8}, 3}, {{20, 27, 28, 29, 36}, 5}},
     {{{10, 53}, 2},
      {{25, 26, 27, 28}, 4},
      {{18, 26, 34, 35}, 4},
      {{27, 28, 35, 36}, 4},
      {{1, 22, 31, 41, 60}, 5}}},
    {{{{112}, 1},
      {{209, 224}, 2},
      {{65, 66, 80}, 3},
      {{0, 1, 15}, 3},
      {{97, 111, 112, 113, 127}, 5}},
     {{{33, 186}, 2},
      {{60, 61, 62, 63}, 4},
      {{93, 108, 123, 124}, 4},
      {{208, 209, 223, 224}, 4},
      {{3, 50, 82, 143, 196}, 5}}},
};

static zf_status fill(lattice_case *result, int which, const zf_blanket *model)
{
    for (int i = 0; i < KINDS * PANELS; i++) {
        lattice_answer *answer = &result->answers[i / PANELS][i % PANELS];
        ZF_TRY(ask(model, result->side, &shown[which][i / PANELS][i % PANELS], answer));
        snprintf(answer->title, sizeof answer->title, "Jaccard %.2f", answer->jaccard);
    }
    return ZF_OK;
}

static zf_status draw(const zf_study *study, const lattice_case *results)
{
    static const char *const kinds[KINDS] = {"that training draws", "that training never draws"};
    zf_lattice_panel panels[CASES * KINDS][PANELS];
    zf_lattice_row rows[CASES * KINDS];
    char titles[CASES * KINDS][64], path[PATH_MAX];
    zf_figure figure = {
        .title = "Blankets on lattices, CNN gates",
        .caption = "Found are gates above 0.1; the true blanket is all neighbours of the targets "
                   "outside of them.",
        .width = 1100};
    for (int i = 0; i < CASES * KINDS; i++) {
        const lattice_case *result = &results[i / KINDS];
        snprintf(titles[i], sizeof titles[i], "%d × %d: target sets %s", result->side, result->side,
                 kinds[i % KINDS]);
        for (int k = 0; k < PANELS; k++) {
            const lattice_answer *answer = &result->answers[i % KINDS][k];
            panels[i][k] = (zf_lattice_panel){.title = answer->title,
                                              .rows = result->side,
                                              .columns = result->side,
                                              .target = answer->target,
                                              .found = answer->found,
                                              .truth = answer->truth};
        }
        rows[i] = (zf_lattice_row){titles[i], panels[i], PANELS};
    }
    ZF_TRY(study_path(study, path, "lattice"));
    return zf_plot_lattices(path, &figure, rows, CASES * KINDS);
}

/* --- the numbers ------------------------------------------------------------------- */

static json_t *json_tally(const char *name, const lattice_tally *tally)
{
    return json_pack("{s:s s:i s:o s:o}", "name", name, "sets", tally->sets, "jaccard",
                     zf_answer_number(tally->jaccard / tally->sets), "share_right",
                     zf_answer_number(share_right(tally)));
}

static json_t *json_case(const lattice_case *result)
{
    json_t *shapes = json_array();
    for (int i = 0; i < SHAPES; i++)
        zf_answer_add(shapes, json_tally(shape_names[i], &result->shapes[i]));
    return json_pack("{s:i s:o s:o s:o s:o s:o s:o}", "side", result->side, "auc",
                     zf_answer_number(result->auc / result->seeds), "auc_paper",
                     zf_answer_number(result->auc_paper / result->seeds), "seen",
                     json_tally("seen", &result->seen), "unseen",
                     json_tally("unseen", &result->unseen), "least_share_right",
                     zf_answer_number(result->least), "shapes", shapes);
}

static json_t *json(const zf_study *study, const void *found)
{
    const lattice_results *results = found;
    json_t *object = study_json(study), *lattices = json_array();
    for (int i = 0; i < CASES; i++) zf_answer_add(lattices, json_case(&results->cases[i]));
    zf_answer_set(object, "seeds", json_integer(results->size.seeds));
    zf_answer_set(object, "iterations", json_integer((json_int_t)results->size.iterations));
    zf_answer_set(object, "threshold", zf_answer_number(THRESHOLD));
    zf_answer_set(object, "lattices", lattices);
    return object;
}

static void print_tally(FILE *out, const char *name, const lattice_tally *tally)
{
    fprintf(out, "  %-30s %5d  %8.3f  %6.1f %%\n", name, tally->sets, tally->jaccard / tally->sets,
            100 * share_right(tally));
}

static void print_case(const study_page *page, const lattice_case *result)
{
    FILE *out = page->out;
    fprintf(out, "%s%d x %d%s  AUC of the graph %.4f (as the paper scored: %.4f)\n", page->bold,
            result->side, result->side, page->plain, result->auc / result->seeds,
            result->auc_paper / result->seeds);
    fprintf(out, "  %-30s %5s  %8s  %8s\n", "target sets", "sets", "Jaccard", "right");
    print_tally(out, "drawn in training", &result->seen);
    print_tally(out, "never drawn in training", &result->unseen);
    for (int i = 0; i < SHAPES; i++) {
        char name[64];
        snprintf(name, sizeof name, "  %s", shape_names[i]);
        print_tally(out, name, &result->shapes[i]);
    }
    if (result->seeds > 1)
        fprintf(out, "  never drawn, worst seed                         %6.1f %%\n",
                100 * result->least);
    fputc('\n', out);
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const lattice_results *results = found;
    FILE *out = page->out;
    fprintf(out, "Blankets on lattices: CNN gates, Gaussian data, 2,048 rows; %s, %s\n\n",
            zf_plural((uint64_t)results->size.seeds, "seed").text,
            zf_plural(results->size.iterations, "iteration").text);
    fprintf(out,
            "Gates above %g against all neighbours of the set outside it; right is a Jaccard\n"
            "index of at least %g.\n\n",
            THRESHOLD, ALIKE);
    for (int i = 0; i < CASES; i++) print_case(page, &results->cases[i]);
    fputs("The paper shows figures without numbers: \"correctly recovers the Markov blankets in\n"
          "both cases\". Training draws a node and each of its neighbours with probability 1/2;\n"
          "the six shapes of unseen sets come equally often, turned, mirrored and placed at\n"
          "random.\n",
          out);
    study_print_files(study, page, "lattice");
}

/* --- the runs ---------------------------------------------------------------------- */

static zf_status try_model(const lattice_trial *trial, lattice_case *result, int which,
                           const zf_graph *graph, const zf_graph *truth)
{
    zf_accuracy accuracy = {0};
    ZF_TRY(zf_graph_compare(&accuracy, graph, truth));
    result->auc += accuracy.auc;
    result->auc_paper += accuracy.auc_paper;
    zf_accuracy_free(&accuracy);
    if (result->seeds++ == 0) ZF_TRY(fill(result, which, trial->model));
    return judge(trial, result);
}

static zf_status try_seed(zf_study *study, lattice_case *result, int which, uint64_t seed,
                          uint64_t iterations)
{
    study_sample sample = {0};
    zf_graph *graph = NULL;
    zf_blanket *model = NULL;
    zf_generate_options data = zf_generate_defaults(ZF_LATTICE);
    data.side = result->side;
    data.rows = ROWS;
    data.seed = seed;
    data.threads = study->threads;
    zf_fit_options wish = study_fit_options();
    wish.gate = ZF_GATE_CNN;
    wish.targets = ZF_TARGET_GRID;
    wish.iterations = iterations;
    wish.seed = seed;
    zf_status status = sample_generate(&sample, &data);
    if (status == ZF_OK) status = study_fit_graph(study, &graph, &model, NULL, &sample, &wish);
    if (status == ZF_OK) {
        lattice_trial trial = {study, model, result->side, seed};
        status = try_model(&trial, result, which, graph, sample.truth);
    }
    zf_graph_free(graph);
    zf_blanket_free(model);
    sample_free(&sample);
    return status;
}

static zf_status run(zf_study *study, void *found)
{
    lattice_results *results = found;
    results->size = study_repeated(study);
    ZF_TRY(study_begin_runs(study, "side,seed,kind,targets,jaccard"));
    for (int i = 0; i < CASES; i++) {
        results->cases[i].side = sides[i];
        results->cases[i].least = 1;
        study_plan(study, ZF_GATE_CNN, (size_t)(sides[i] * sides[i]), results->size.iterations,
                   results->size.seeds);
    }
    for (int s = 0; s < results->size.seeds; s++)
        for (int i = 0; i < CASES; i++)
            ZF_TRY(try_seed(study, &results->cases[i], i, study->seed + (uint64_t)s,
                            results->size.iterations));
    return draw(study, results->cases);
}

const zf_reproduction reproduce_lattice = {
    .scale = 0.3,
    .found_size = sizeof(lattice_results),
    .run = run,
    .print = print,
    .json = json,
};
