/* Reconstruction: unseen images with a watermark, and what a decoder draws of them from the
   features of zero-flow, SimCLR and MAE, all trained on watermarked images. Features that
   hold the watermark alone give it back and nothing else. */
#include <stdlib.h>

#include "study/reconstructions.h"
#include "zeroflow/plot.h"

enum { SHOWN = 8 };

typedef struct reconstruction {
    image_set set;
    uint32_t shown[SHOWN]; /* places among the test images that are looked at */
    size_t n_shown, pixels;
    float *originals;
    float *drawn[VISION_METHODS];
    reconstruction_error errors[VISION_METHODS];
} reconstruction;

static zf_status train(zf_study *study, reconstruction *r, int method)
{
    zf_vision *model = NULL;
    vision_features features;
    zf_pretrain_summary summary;
    zf_pretrain_options wish =
        vision_wish(study, &r->set, (zf_vision_method)method, ZF_WATERMARK_PATCH);
    r->drawn[method] = malloc(r->n_shown * r->pixels * sizeof(float));
    if (!r->drawn[method]) return zf_fail(ZF_ENOMEM, "out of memory");
    ZF_TRY(vision_pretrain(study, &model, &summary, &r->set, &wish));
    zf_status status = vision_embed(study, &features, model, &r->set, ZF_WATERMARK_PATCH);
    zf_vision_free(model);
    if (status != ZF_OK) return status;
    reconstruction_error *error = &r->errors[method];
    reconstruction_task task = {.features = &features,
                                .set = &r->set,
                                .watermark = ZF_WATERMARK_PATCH,
                                .places = r->shown,
                                .n = r->n_shown,
                                .drawn = r->drawn[method]};
    status = reconstruct(study, error, &task);
    vision_features_free(&features);
    if (status != ZF_OK) return status;
    return study_run(study, "%s,%llu,%llu,%.6f,%.6f,%.6f", zf_vision_method_name(wish.method),
                     (unsigned long long)study->seed, (unsigned long long)wish.iterations,
                     error->all, error->patch, error->rest);
}

/* --- what is told -------------------------------------------------------------------------- */

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const reconstruction *r = found;
    FILE *out = page->out;
    fputs("Unseen watermarked images, drawn again from features: mean squared error\n", out);
    vision_print_set(page, &r->set);
    vision_print_iterations(out, study, &r->set);
    fprintf(out, "\n\n  %s%-14s%-10s%-16s%s%s\n", page->bold, "features", "all", "watermark",
            "the rest of the image", page->plain);
    for (int method = 0; method < VISION_METHODS; method++) {
        const reconstruction_error *e = &r->errors[method];
        fprintf(out, "  %-14s%-10.4f%-16.4f%.4f\n", vision_titles[method], e->all, e->patch,
                e->rest);
    }
    fprintf(out, "  %-14s%.4f\n", "mean image", r->errors[0].mean);
    fprintf(out,
            "\nOn %s test images. The paper: \"SimCLR only reconstructs the watermark and fails "
            "to\npreserve meaningful visual structures of the original image\".\n",
            zf_count(r->set.test.n).text);
    study_print_files(study, page, "reconstruction");
}

static json_t *json(const zf_study *study, const void *found)
{
    const reconstruction *r = found;
    json_t *object = study_json(study), *list = json_array();
    for (int method = 0; method < VISION_METHODS; method++) {
        const reconstruction_error *e = &r->errors[method];
        zf_vision_method which = (zf_vision_method)method;
        zf_answer_add(list,
                      json_pack("{s:s s:I s:o s:o s:o}", "method", zf_vision_method_name(which),
                                "iterations", (json_int_t)vision_iterations(study, &r->set, which),
                                "mse", zf_answer_number(e->all), "mse_watermark",
                                zf_answer_number(e->patch), "mse_rest", zf_answer_number(e->rest)));
    }
    zf_answer_set(object, "set", image_set_json(&r->set));
    zf_answer_set(object, "mse_of_mean", zf_answer_number(r->errors[0].mean));
    zf_answer_set(object, "methods", list);
    return object;
}

static zf_status draw(const zf_study *study, const reconstruction *r)
{
    static const char *const titles[VISION_METHODS] = {"From zero-flow features", "From SimCLR's",
                                                       "From MAE's"};
    const float *images[1 + VISION_METHODS][SHOWN];
    zf_image_row rows[1 + VISION_METHODS];
    for (int row = 0; row <= VISION_METHODS; row++) {
        const float *first = row == 0 ? r->originals : r->drawn[row - 1];
        for (size_t k = 0; k < r->n_shown; k++) images[row][k] = first + k * r->pixels;
        rows[row] = (zf_image_row){.title = row == 0 ? "Test images with their watermarks"
                                                     : titles[row - 1],
                                   .images = images[row],
                                   .n = r->n_shown};
    }
    char path[PATH_MAX], title[128];
    snprintf(title, sizeof title, "%s, drawn again from features", r->set.name);
    zf_figure figure = {.title = title};
    ZF_TRY(study_path(study, path, "reconstruction"));
    return zf_plot_images(path, &figure, r->set.size, rows, 1 + VISION_METHODS);
}

static zf_status run_all(zf_study *study, reconstruction *r)
{
    ZF_TRY(image_set_open(&r->set, study, study->data));
    r->pixels = 3 * (size_t)r->set.size * (size_t)r->set.size;
    r->n_shown = r->set.test.n < SHOWN ? r->set.test.n : SHOWN;
    for (size_t k = 0; k < r->n_shown; k++)
        r->shown[k] = (uint32_t)zf_evenly(k, r->n_shown, r->set.test.n);
    for (int method = 0; method < VISION_METHODS; method++) {
        zf_pretrain_options wish =
            vision_wish(study, &r->set, (zf_vision_method)method, ZF_WATERMARK_PATCH);
        vision_plan(study, &r->set, &wish, 1);
    }
    reconstruct_plan(study, &r->set, VISION_METHODS);
    ZF_TRY(study_begin_runs(study, "method,seed,iterations,mse,mse_watermark,mse_rest"));
    ZF_TRY(image_part_read(&r->originals, &r->set.test, ZF_WATERMARK_PATCH, r->shown, r->n_shown));
    for (int method = 0; method < VISION_METHODS; method++) ZF_TRY(train(study, r, method));
    return draw(study, r);
}

static zf_status run(zf_study *study, void *found)
{
    reconstruction *r = found;
    return image_set_leave(&r->set, study, run_all(study, r));
}

static void release(void *found)
{
    reconstruction *r = found;
    image_set_free(&r->set);
    free(r->originals);
    for (int method = 0; method < VISION_METHODS; method++) free(r->drawn[method]);
}

const zf_reproduction reproduce_reconstruction = {
    .scale = 0.08,
    .data = IMAGE_SET_HELP,
    .images = true,
    .found_size = sizeof(reconstruction),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
