/* What the zero-flow code of an image keeps when every image has a random colour: images
   of clothes and what the model's own decoder makes of their codes, grey and coloured; and
   codes of two numbers as points, by class.

   The decoder is not trained to draw the image. It hands the code to the flow in the shape
   of one, and what it draws is what the flow asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "study/vision_runs.h"
#include "zeroflow/plot.h"

#define FASHION "/usr/share/datasets/fashion-mnist"

enum { MARKS = 2, CODES = 2, LARGE = 0, PLANE = 1, SHOWN = 10, POINTS = 2000, MOST_CLASSES = 10 };

static const zf_watermark marks[MARKS] = {ZF_WATERMARK_NONE, ZF_WATERMARK_COLOUR};
static const char *const clothes[MOST_CLASSES] = {"T-shirt", "trousers", "pullover", "dress",
                                                  "coat",    "sandal",   "shirt",    "sneaker",
                                                  "bag",     "boot"};

typedef struct encodings_run {
    int dim;
    double loss, knn, seconds;
} encodings_run;

typedef struct encodings {
    image_set set;
    uint64_t iterations;
    bool fashion;          /* so the classes have names */
    uint32_t shown[SHOWN]; /* places among the test images that are looked at */
    size_t n_shown;
    encodings_run runs[CODES][MARKS];
    float *images[MARKS], *decoded[MARKS]; /* of those shown */
    float *plane[MARKS];                   /* codes of two numbers of the test images */
} encodings;

static const char *class_name(const encodings *e, size_t c)
{
    return e->fashion ? clothes[c] : zf_images_class_name(e->set.train.images, c);
}

/* --- trainings ----------------------------------------------------------------------------- */

/* An image of each class, then further ones. */
static void choose_shown(encodings *e)
{
    for (size_t round = 0; e->n_shown < SHOWN && round < SHOWN; round++)
        for (size_t c = 0; c < e->set.classes && e->n_shown < SHOWN; c++) {
            size_t skip = round;
            for (size_t i = 0; i < e->set.test.n; i++) {
                if ((size_t)e->set.test.labels[i] != c || skip-- > 0) continue;
                e->shown[e->n_shown++] = (uint32_t)i;
                break;
            }
        }
}

static zf_status decode_shown(const zf_study *study, encodings *e, const zf_vision *model,
                              const vision_features *features, int mark)
{
    size_t dim = features->dim, pixels = 3 * (size_t)e->set.size * (size_t)e->set.size;
    ZF_TRY(image_part_read(&e->images[mark], &e->set.test, marks[mark], e->shown, e->n_shown));
    float *codes = malloc(e->n_shown * dim * sizeof *codes);
    e->decoded[mark] = malloc(e->n_shown * pixels * sizeof(float));
    zf_status status = codes && e->decoded[mark] ? ZF_OK : zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t k = 0; k < e->n_shown && status == ZF_OK; k++)
        memcpy(codes + k * dim, features->test + e->shown[k] * dim, dim * sizeof *codes);
    if (status == ZF_OK)
        status = zf_vision_decode(model, e->decoded[mark], codes, e->n_shown, study->threads);
    free(codes);
    return status;
}

static zf_status look_at(zf_study *study, encodings *e, const zf_vision *model, int code, int mark)
{
    vision_features features;
    vision_score scores[2];
    ZF_TRY(vision_embed(study, &features, model, &e->set, marks[mark]));
    zf_status status =
        vision_probe(study, scores, &features, &e->set, code == PLANE ? VISION_NEAR : VISION_KNN);
    if (status == ZF_OK && code == LARGE) status = decode_shown(study, e, model, &features, mark);
    if (code == PLANE) {
        e->plane[mark] = features.test;
        features.test = NULL;
    }
    vision_features_free(&features);
    e->runs[code][mark].knn = scores[0].knn;
    return status;
}

static zf_pretrain_options wish_for(const zf_study *study, const encodings *e, int code, int mark)
{
    zf_pretrain_options wish = vision_wish(study, &e->set, ZF_VISION_ZEROFLOW, marks[mark]);
    if (code == PLANE) wish.dim = 2;
    return wish;
}

static zf_status train(zf_study *study, encodings *e, int code, int mark)
{
    encodings_run *run = &e->runs[code][mark];
    zf_vision *model = NULL;
    zf_pretrain_summary summary;
    zf_pretrain_options wish = wish_for(study, e, code, mark);
    ZF_TRY(vision_pretrain(study, &model, &summary, &e->set, &wish));
    zf_status status = look_at(study, e, model, code, mark);
    zf_vision_free(model);
    if (status != ZF_OK) return status;
    run->dim = wish.dim;
    run->loss = summary.loss;
    run->seconds = summary.seconds;
    return study_run(study, "%d,%s,%llu,%llu,%.6f,%.4f,%.1f", run->dim, vision_marks[marks[mark]],
                     (unsigned long long)study->seed, (unsigned long long)wish.iterations,
                     run->loss, run->knn, run->seconds);
}

/* --- figures ------------------------------------------------------------------------------- */

static zf_status draw_images(const zf_study *study, const encodings *e)
{
    static const char *const titles[MARKS][2] = {
        {"Originals", "Encodings: what the decoder makes of their codes"},
        {"Originals, each in a random colour", "Encodings of these"}};
    const float *pointers[MARKS][2][SHOWN];
    const char *captions[SHOWN];
    zf_image_row rows[2 * MARKS];
    size_t pixels = 3 * (size_t)e->set.size * (size_t)e->set.size;
    for (size_t k = 0; k < e->n_shown; k++) {
        captions[k] = class_name(e, (size_t)e->set.test.labels[e->shown[k]]);
        for (int mark = 0; mark < MARKS; mark++) {
            pointers[mark][0][k] = e->images[mark] + k * pixels;
            pointers[mark][1][k] = e->decoded[mark] + k * pixels;
        }
    }
    for (int row = 0; row < 2 * MARKS; row++)
        rows[row] = (zf_image_row){.title = titles[row / 2][row % 2],
                                   .images = pointers[row / 2][row % 2],
                                   .n = e->n_shown};
    rows[0].captions = captions;
    char title[128], path[PATH_MAX];
    snprintf(title, sizeof title, "%s with and without random colours", e->set.name);
    zf_figure figure = {.title = title};
    ZF_TRY(study_path(study, path, "encodings"));
    return zf_plot_images(path, &figure, e->set.size, rows, 2 * MARKS);
}

/* The points of one class, of at most POINTS of all classes together. */
static size_t gather_class(double *x, double *y, const encodings *e, int mark, size_t c)
{
    size_t all = e->set.test.n < POINTS ? e->set.test.n : POINTS, n = 0;
    for (size_t k = 0; k < all; k++) {
        size_t i = zf_evenly(k, all, e->set.test.n);
        if ((size_t)e->set.test.labels[i] != c) continue;
        x[n] = (double)e->plane[mark][2 * i];
        y[n++] = (double)e->plane[mark][2 * i + 1];
    }
    return n;
}

static void fill_layers(zf_layer *layers, const encodings *e, int mark, double *x, double *y)
{
    for (size_t c = 0; c < e->set.classes && c < MOST_CLASSES; c++) {
        size_t n = gather_class(x, y, e, mark, c);
        layers[c] = (zf_layer){.name = class_name(e, c),
                               .kind = ZF_LAYER_POINTS,
                               .x = x,
                               .y = y,
                               .n = n,
                               .colour = (int)c + 1,
                               .within = true};
        x += n;
        y += n;
    }
}

static zf_status draw_plane(const zf_study *study, const encodings *e)
{
    static const char *const titles[MARKS] = {"without colours", "each image in a random colour"};
    static double x[MARKS][POINTS], y[MARKS][POINTS];
    zf_layer layers[MARKS][MOST_CLASSES];
    zf_plane planes[MARKS];
    char title[128], path[PATH_MAX];
    for (int mark = 0; mark < MARKS; mark++) {
        fill_layers(layers[mark], e, mark, x[mark], y[mark]);
        planes[mark] =
            (zf_plane){.title = titles[mark],
                       .x = {.label = "first number"},
                       .y = {.label = "second number"},
                       .layers = layers[mark],
                       .n_layers = e->set.classes < MOST_CLASSES ? e->set.classes : MOST_CLASSES};
    }
    snprintf(title, sizeof title, "Codes of two numbers of %s, by class", e->set.name);
    zf_figure figure = {.title = title};
    zf_plane_row row = {.planes = planes, .n_planes = MARKS};
    ZF_TRY(study_path(study, path, "encodings-plane"));
    return zf_plot_planes(path, &figure, &row, 1);
}

/* --- what is told -------------------------------------------------------------------------- */

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const encodings *e = found;
    FILE *out = page->out;
    fputs("What zero-flow codes keep of images, each in a random colour or none\n", out);
    vision_print_set(page, &e->set);
    fprintf(out, ", %s\n\n  %s%-14s%-12s%-10s%s%s\n", zf_plural(e->iterations, "iteration").text,
            page->bold, "code", "colours", "loss", "kNN accuracy", page->plain);
    for (int code = 0; code < CODES; code++)
        for (int mark = 0; mark < MARKS; mark++) {
            const encodings_run *run = &e->runs[code][mark];
            fprintf(out, "  %-3d numbers   %-12s%-10.4f%.3f\n", run->dim, mark ? "random" : "none",
                    run->loss, run->knn);
        }
    fprintf(out,
            "\nkNN is the accuracy of 20 nearest neighbours on %s of %s test images, in the\n"
            "colours of training.\n"
            "The paper: the code \"continues to learn semantic information (e.g., the shapes of\n"
            "clothes) despite shortcut information (color)\". Codes of two numbers are drawn as\n"
            "points in encodings-plane.svg and .png.\n",
            zf_count(e->set.test.n).text, zf_count(zf_images_count(e->set.test.images)).text);
    study_print_files(study, page, "encodings");
}

static json_t *json(const zf_study *study, const void *found)
{
    const encodings *e = found;
    json_t *object = study_json(study), *list = json_array();
    for (int code = 0; code < CODES; code++)
        for (int mark = 0; mark < MARKS; mark++) {
            const encodings_run *run = &e->runs[code][mark];
            zf_answer_add(list,
                          json_pack("{s:i s:s s:o s:o s:o}", "dim", run->dim, "watermark",
                                    vision_marks[marks[mark]], "loss", zf_answer_number(run->loss),
                                    "knn", zf_answer_optional(run->knn), "seconds",
                                    zf_answer_number(run->seconds)));
        }
    zf_answer_set(object, "set", image_set_json(&e->set));
    zf_answer_set(object, "iterations", json_integer((json_int_t)e->iterations));
    zf_answer_set(object, "runs", list);
    return object;
}

static zf_status run_all(zf_study *study, encodings *e)
{
    struct stat found;
    if (strcmp(study->data, FASHION) == 0 && stat(FASHION, &found) != 0)
        return zf_fail(ZF_EINPUT, "Fashion-MNIST is not in " FASHION
                                  ": on Debian, apt-get install dataset-fashion-mnist puts it "
                                  "there; {data} names another folder");
    ZF_TRY(image_set_open(&e->set, study, study->data));
    e->fashion = e->set.classes == MOST_CLASSES && strstr(study->data, "fashion");
    if (e->fashion) snprintf(e->set.name, sizeof e->set.name, "Fashion-MNIST");
    choose_shown(e);
    for (int code = 0; code < CODES; code++) {
        zf_pretrain_options wish = wish_for(study, e, code, 0);
        e->iterations = wish.iterations;
        vision_plan(study, &e->set, &wish, MARKS);
    }
    ZF_TRY(study_begin_runs(study, "dim,watermark,seed,iterations,loss,knn,seconds"));
    for (int code = 0; code < CODES; code++)
        for (int mark = 0; mark < MARKS; mark++) ZF_TRY(train(study, e, code, mark));
    ZF_TRY(draw_images(study, e));
    return draw_plane(study, e);
}

static zf_status run(zf_study *study, void *found)
{
    encodings *e = found;
    return image_set_leave(&e->set, study, run_all(study, e));
}

static void release(void *found)
{
    encodings *e = found;
    image_set_free(&e->set);
    for (int mark = 0; mark < MARKS; mark++) {
        free(e->images[mark]);
        free(e->decoded[mark]);
        free(e->plane[mark]);
    }
}

const zf_reproduction reproduce_encodings = {
    .scale = 0.2,
    .data = IMAGE_SET_HELP,
    .usual = FASHION,
    .images = true,
    .found_size = sizeof(encodings),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
