/* Accuracy against shared bits, after Chen, Luo and Li 2021: every image gets k random bits
   of its own, the same in all its views, as planes behind its colours. They mean nothing, but
   k of them tell 2^k images apart, and it can be seen how many it takes until a method
   learns these instead of the image. */
#include <stdlib.h>

#include "study/vision_runs.h"
#include "zeroflow/plot.h"

enum { COUNTS = 6 };

static const int counts[COUNTS] = {0, 1, 2, 4, 8, 16};
static const char *const count_names[COUNTS] = {"0", "1", "2", "4", "8", "16"};

typedef struct bits_study {
    image_set set;
    vision_score scores[VISION_METHODS][COUNTS];
    double losses[VISION_METHODS][COUNTS];
} bits_study;

static zf_pretrain_options wish_for(const zf_study *study, const bits_study *b, int method,
                                    int count)
{
    zf_pretrain_options wish =
        vision_wish(study, &b->set, (zf_vision_method)method, ZF_WATERMARK_NONE);
    wish.bits = counts[count];
    return wish;
}

static zf_status train(zf_study *study, bits_study *b, int method, int count)
{
    zf_vision *model = NULL;
    zf_pretrain_summary summary;
    vision_features features;
    vision_score scores[2];
    zf_pretrain_options wish = wish_for(study, b, method, count);
    ZF_TRY(vision_pretrain(study, &model, &summary, &b->set, &wish));
    zf_status status = vision_embed(study, &features, model, &b->set, ZF_WATERMARK_NONE);
    zf_vision_free(model);
    if (status != ZF_OK) return status;
    status = vision_probe(study, scores, &features, &b->set, VISION_KNN | VISION_LINEAR);
    vision_features_free(&features);
    if (status != ZF_OK) return status;
    b->scores[method][count] = scores[0];
    b->losses[method][count] = summary.loss;
    return study_run(study, "%s,%d,%llu,%llu,%.6f,%.4f,%.4f,%.1f",
                     zf_vision_method_name(wish.method), wish.bits, (unsigned long long)study->seed,
                     (unsigned long long)wish.iterations, summary.loss, scores[0].linear.mean,
                     scores[0].knn, summary.seconds);
}

/* --- what is told -------------------------------------------------------------------------- */

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const bits_study *b = found;
    FILE *out = page->out;
    fputs("Accuracy against random bits that all views of an image share\n", out);
    vision_print_set(page, &b->set);
    vision_print_iterations(out, study, &b->set);
    fprintf(out, "\n\n  %s%-4s%33s%33s%s\n  %s%-4s", page->bold, "", "linear probe",
            "nearest neighbours", page->plain, page->bold, "bits");
    for (int column = 0; column < 2 * VISION_METHODS; column++)
        fprintf(out, "%11s", vision_titles[column % VISION_METHODS]);
    fprintf(out, "%s\n", page->plain);
    for (int count = 0; count < COUNTS; count++) {
        fprintf(out, "  %-4d", counts[count]);
        for (int method = 0; method < VISION_METHODS; method++)
            fprintf(out, "%11.3f", b->scores[method][count].linear.mean);
        for (int method = 0; method < VISION_METHODS; method++)
            fprintf(out, "%11.3f", b->scores[method][count].knn);
        fputc('\n', out);
    }
    vision_print_probes(out, study, &b->set);
    study_print_files(study, page, "bits");
}

static json_t *json(const zf_study *study, const void *found)
{
    const bits_study *b = found;
    json_t *object = study_json(study), *list = json_array();
    for (int method = 0; method < VISION_METHODS; method++)
        for (int count = 0; count < COUNTS; count++) {
            zf_pretrain_options wish = wish_for(study, b, method, count);
            zf_answer_add(list, json_pack("{s:s s:i s:I s:o s:o}", "method",
                                          zf_vision_method_name(wish.method), "bits", wish.bits,
                                          "iterations", (json_int_t)wish.iterations, "loss",
                                          zf_answer_number(b->losses[method][count]), "score",
                                          vision_score_json(&b->scores[method][count])));
        }
    zf_answer_set(object, "set", image_set_json(&b->set));
    zf_answer_set(object, "runs", list);
    return object;
}

static zf_status draw(const zf_study *study, const bits_study *b)
{
    static const char *const titles[2] = {"Linear probe", "Nearest neighbours"};
    double accuracy[2][VISION_METHODS][COUNTS];
    zf_series series[2][VISION_METHODS];
    zf_chart charts[2];
    zf_mark chance = {.name = "chance", .kind = ZF_MARK_Y, .at = 1 / (double)b->set.classes};
    for (int probe = 0; probe < 2; probe++) {
        for (int method = 0; method < VISION_METHODS; method++) {
            for (int count = 0; count < COUNTS; count++) {
                const vision_score *score = &b->scores[method][count];
                accuracy[probe][method][count] = probe ? score->knn : score->linear.mean;
            }
            series[probe][method] = (zf_series){.name = vision_titles[method],
                                                .y = accuracy[probe][method],
                                                .n = COUNTS,
                                                .style = ZF_SERIES_BOTH};
        }
        charts[probe] = (zf_chart){.title = titles[probe],
                                   .x = {.label = "random bits of each image",
                                         .categories = count_names,
                                         .n_categories = COUNTS},
                                   .y = {.label = "accuracy"},
                                   .series = series[probe],
                                   .n_series = VISION_METHODS,
                                   .marks = &chance,
                                   .n_marks = 1,
                                   .height = 0.8};
    }
    char path[PATH_MAX], title[128];
    snprintf(title, sizeof title, "%s with random bits that all views of an image share",
             b->set.name);
    zf_figure figure = {.title = title, .columns = 2};
    ZF_TRY(study_path(study, path, "bits"));
    return zf_plot_charts(path, &figure, charts, 2);
}

static zf_status run_all(zf_study *study, bits_study *b)
{
    ZF_TRY(image_set_open(&b->set, study, study->data));
    for (int method = 0; method < VISION_METHODS; method++) {
        zf_pretrain_options wish = wish_for(study, b, method, 0);
        vision_plan(study, &b->set, &wish, COUNTS);
    }
    ZF_TRY(study_begin_runs(study, "method,bits,seed,iterations,loss,linear,knn,seconds"));
    for (int count = 0; count < COUNTS; count++)
        for (int method = 0; method < VISION_METHODS; method++)
            ZF_TRY(train(study, b, method, count));
    return draw(study, b);
}

static zf_status run(zf_study *study, void *found)
{
    bits_study *b = found;
    return image_set_leave(&b->set, study, run_all(study, b));
}

static void release(void *found)
{
    bits_study *b = found;
    image_set_free(&b->set);
}

const zf_reproduction reproduce_bits = {
    .scale = 0.03,
    .data = IMAGE_SET_HELP,
    .images = true,
    .found_size = sizeof(bits_study),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
