/* Reconstruction: unseen images with a watermark, and what a decoder draws of them from the
   features of zero-flow, SimCLR and MAE, all trained on watermarked images. Features that
   hold the watermark alone give it back and nothing else. */
#include <stdlib.h>

#include "reproduce/reconstructions.h"
#include "terminal.h"
#include "text.h"
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

static cli_exit train(cli_study *study, reconstruction *r, int method)
{
    zf_vision *model = NULL;
    vision_features features;
    zf_pretrain_summary summary;
    zf_pretrain_options wish =
        vision_wish(study, &r->set, (zf_vision_method)method, ZF_WATERMARK_PATCH);
    r->drawn[method] = malloc(r->n_shown * r->pixels * sizeof(float));
    if (!r->drawn[method]) return cli_fail(CLI_FAILED, "out of memory");
    CLI_TRY(vision_pretrain(study, &model, &summary, &r->set, &wish));
    cli_exit exit = vision_embed(study, &features, model, &r->set, ZF_WATERMARK_PATCH);
    zf_vision_free(model);
    if (exit != CLI_DONE) return exit;
    reconstruction_error *error = &r->errors[method];
    reconstruction_task task = {.features = &features,
                                .set = &r->set,
                                .watermark = ZF_WATERMARK_PATCH,
                                .places = r->shown,
                                .n = r->n_shown,
                                .drawn = r->drawn[method]};
    exit = reconstruct(study, error, &task);
    vision_features_free(&features);
    if (exit != CLI_DONE) return exit;
    return study_run(study, "%s,%llu,%llu,%.6f,%.6f,%.6f", zf_vision_method_name(wish.method),
                     (unsigned long long)study->call->seed, (unsigned long long)wish.iterations,
                     error->all, error->patch, error->rest);
}

/* --- what is told -------------------------------------------------------------------------- */

static void print_text(const cli_study *study, const reconstruction *r)
{
    FILE *out = study->call->out;
    fputs("Unseen watermarked images, drawn again from features: mean squared error\n", out);
    vision_print_set(out, &r->set);
    vision_print_iterations(out, study, &r->set);
    fprintf(out, "\n\n  %s%-14s%-10s%-16s%s%s\n", cli_bold(), "features", "all", "watermark",
            "the rest of the image", cli_plain());
    for (int method = 0; method < VISION_METHODS; method++) {
        const reconstruction_error *e = &r->errors[method];
        fprintf(out, "  %-14s%-10.4f%-16.4f%.4f\n", vision_titles[method], e->all, e->patch,
                e->rest);
    }
    fprintf(out, "  %-14s%.4f\n", "mean image", r->errors[0].mean);
    fprintf(out,
            "\nOn %s test images. The paper: \"SimCLR only reconstructs the watermark and fails "
            "to\npreserve meaningful visual structures of the original image\".\n",
            cli_count(r->set.test.n).text);
    study_print_files(study, "reconstruction");
}

static cli_exit print_json(const cli_study *study, const reconstruction *r)
{
    json_t *object = study_json(study), *list = json_array();
    for (int method = 0; method < VISION_METHODS; method++) {
        const reconstruction_error *e = &r->errors[method];
        zf_vision_method which = (zf_vision_method)method;
        json_array_append_new(
            list, json_pack("{s:s s:I s:o s:o s:o}", "method", zf_vision_method_name(which),
                            "iterations", (json_int_t)vision_iterations(study, &r->set, which),
                            "mse", cli_json_number(e->all), "mse_watermark",
                            cli_json_number(e->patch), "mse_rest", cli_json_number(e->rest)));
    }
    json_object_set_new(object, "set", vision_set_json(&r->set));
    json_object_set_new(object, "mse_of_mean", cli_json_number(r->errors[0].mean));
    json_object_set_new(object, "methods", list);
    return cli_print_json(study->call, object);
}

static cli_exit draw(const cli_study *study, const reconstruction *r)
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
    CLI_TRY(study_path(study, path, "reconstruction"));
    return cli_check(zf_plot_images(path, &figure, r->set.size, rows, 1 + VISION_METHODS));
}

static cli_exit run_all(cli_study *study, reconstruction *r)
{
    CLI_TRY(image_set_open(&r->set, study, study->data));
    r->pixels = 3 * (size_t)r->set.size * (size_t)r->set.size;
    r->n_shown = r->set.test.n < SHOWN ? r->set.test.n : SHOWN;
    for (size_t k = 0; k < r->n_shown; k++)
        r->shown[k] = (uint32_t)image_set_place(k, r->n_shown, r->set.test.n);
    for (int method = 0; method < VISION_METHODS; method++) {
        zf_pretrain_options wish =
            vision_wish(study, &r->set, (zf_vision_method)method, ZF_WATERMARK_PATCH);
        vision_plan(study, &r->set, &wish, 1);
    }
    reconstruct_plan(study, &r->set, VISION_METHODS);
    CLI_TRY(study_begin_runs(study, "method,seed,iterations,mse,mse_watermark,mse_rest"));
    CLI_TRY(image_part_read(&r->originals, &r->set.test, ZF_WATERMARK_PATCH, r->shown, r->n_shown));
    for (int method = 0; method < VISION_METHODS; method++) CLI_TRY(train(study, r, method));
    CLI_TRY(draw(study, r));
    if (study->call->json) return print_json(study, r);
    print_text(study, r);
    return CLI_DONE;
}

static cli_exit run(cli_study *study)
{
    reconstruction r = {0};
    cli_exit exit = run_all(study, &r);
    image_set_close(&r.set, study, exit);
    free(r.originals);
    for (int method = 0; method < VISION_METHODS; method++) free(r.drawn[method]);
    return exit;
}

const cli_reproduction reproduce_reconstruction = {
    .scale = 0.08,
    .data = IMAGE_SET_HELP,
    .images = true,
    .run = run,
};
