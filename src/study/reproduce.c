#include "study/reproduce.h"

#include <stdlib.h>
#include <string.h>

#include "study/image_set.h"

enum { SMALL = 32 }; /* pixels a side below the paper's scale */

#define REPRODUCTION(descriptor, name, summary) extern const zf_reproduction reproduce_##descriptor;
#include "study/reproductions.def"
#undef REPRODUCTION

static const char *const names[] = {
#define REPRODUCTION(descriptor, name, summary) name,
#include "study/reproductions.def"
#undef REPRODUCTION
    NULL,
};

/* In the order of names. */
static const zf_reproduction *const reproductions[] = {
#define REPRODUCTION(descriptor, name, summary) &reproduce_##descriptor,
#include "study/reproductions.def"
#undef REPRODUCTION
};

static const zf_option arguments[] = {
    {"NAME", .type = ZF_OPTION_CHOICE, ZF_FIELD(zf_reproduce_values, name), .choices = names,
     .help = "Table or figure to reproduce."},
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_FOLDER, "DIR", ZF_FIELD(zf_reproduce_values, output),
     .otherwise = "zeroflow-reproduce/NAME",
     .help = "Folder for the figure and runs.csv; it is created if needed."},
    {"scale", .type = ZF_OPTION_REAL, .placeholder = "S", ZF_FIELD(zf_reproduce_values, scale),
     .least = 0.0001, .most = 100,
     .otherwise = "done within minutes on two cores, with images within 15",
     .help = "Size of the experiment relative to the paper: 1 is 10 seeds and 5,000 iterations; "
             "less has fewer seeds and then fewer iterations, or rows (decisions). With images, 1 "
             "is 5,000 iterations, 100 epochs of MAE and all images; less has fewer of each."},
    {"data", .type = ZF_OPTION_PATHS, .placeholder = "PATH", ZF_FIELD(zf_reproduce_values, data),
     .help = "sp500: prices.csv, a table with a column of dates and then one column of daily "
             "prices for each ticker. shortcut, encodings, table2, reconstruction and "
             "bits: " IMAGE_SET_HELP
             "; table2 takes several, separated by commas; encodings finds Fashion-MNIST where "
             "Debian's dataset-fashion-mnist installs it."},
    {"size", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_reproduce_values, size),
     .least = 16, .most = 256, .otherwise = "32; from --scale 1 on 32, 64 or 96 by the source",
     .help = "Side of the images in pixels: a multiple of 8."},
    {NULL},
};

static void defaults(void *given)
{
    zf_reproduce_values *values = given;
    values->name = ZF_AUTO;
    values->scale = ZF_AUTO;
    values->size = ZF_AUTO;
}

/* The data may be several sources with commas between them, or one with a comma in its name. */
static zf_status take_files(const zf_study *study)
{
    char path[PATH_MAX], data[32], output[32];
    zf_files *files = study->run->files;
    snprintf(data, sizeof data, "%sdata", zf_option_prefix());
    snprintf(output, sizeof output, "%soutput", zf_option_prefix());
    if (study->data) ZF_TRY(zf_files_reads_all(files, data, study->data));
    for (const char *at = study->data; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(path, sizeof path, "%.*s", (int)strcspn(at, ","), at);
        ZF_TRY(zf_files_reads_all(files, data, path));
    }
    ZF_TRY(zf_files_folder(files, output, study->folder));
    ZF_TRY(study_path(study, path, "runs.csv"));
    ZF_TRY(zf_files_writes(files, output, path));
    return zf_files_hold(files);
}

static zf_status check(const zf_reproduction *what, const zf_study *study,
                       const zf_reproduce_values *values)
{
    if (!what->data && values->data)
        return zf_fail(ZF_EINVAL, "%s generates its data and has no {data}", study->name);
    if (values->size != ZF_AUTO && !what->images)
        return zf_fail(ZF_EINVAL, "%s has no images and no {size}", study->name);
    if (what->data && !study->data)
        return zf_fail(ZF_EINVAL, "%s needs {data} PATH: %s", study->name, what->data);
    return ZF_OK;
}

static void begin(zf_reproduce_result *result, const zf_reproduce_values *values, zf_run *run)
{
    const zf_reproduction *what = result->what = reproductions[values->name];
    const char *name = names[values->name];
    snprintf(result->folder, sizeof result->folder, "zeroflow-reproduce/%s", name);
    result->study = (zf_study){
        .run = run,
        .name = name,
        .folder = values->output ? values->output : result->folder,
        .data = values->data ? values->data : what->usual,
        .scale = values->scale > 0 ? values->scale : what->scale,
        .seed = run->seed,
        .threads = run->threads,
        .begun = study_clock(),
    };
    if (result->study.scale < 1) result->study.size = SMALL;
    if (values->size != ZF_AUTO) result->study.size = values->size;
}

static zf_status run(void *to, const void *given, zf_run *run)
{
    zf_reproduce_result *result = to;
    zf_study *study = &result->study;
    begin(result, given, run);
    ZF_TRY(check(result->what, study, given));
    ZF_TRY(take_files(study));
    result->found = calloc(1, result->what->found_size);
    if (!result->found) return zf_fail_memory(result->what->found_size);
    zf_status status = result->what->run(study, result->found);
    if (study->runs) fclose(study->runs);
    study->runs = NULL;
    study->run = NULL;
    study->took = study_seconds(study);
    study->ended = status == ZF_OK;
    return status;
}

void zf_reproduce_print(const zf_reproduce_result *result, const study_page *page)
{
    result->what->print(&result->study, result->found, page);
}

static json_t *json(const void *from, const void *given)
{
    const zf_reproduce_result *result = from;
    char stopped[512];
    (void)given;
    if (result->study.ended) return result->what->json(&result->study, result->found);
    json_t *object = study_json(&result->study);
    study_stopped(stopped, sizeof stopped, &result->study);
    zf_answer_set(object, "stopped", zf_answer_text(stopped));
    return object;
}

static void release(void *of)
{
    zf_reproduce_result *result = of;
    if (result->found && result->what->release) result->what->release(result->found);
    free(result->found);
}

const zf_job zf_job_reproduce = {
    .name = "reproduce",
    .summary = "repeat a table or figure of the paper",
    .description = "Repeats an experiment of the paper, prints its numbers beside the paper's, and "
                   "writes a row for each run (runs.csv) and the figure as SVG and PNG.\n\n"
#define REPRODUCTION(descriptor, name, summary) name ": " summary ".\n\n"
#include "study/reproductions.def"
#undef REPRODUCTION
                   "Ctrl-C stops it; the runs so far are in runs.csv.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_reproduce_values),
    .defaults = defaults,
    .result_size = sizeof(zf_reproduce_result),
    .run = run,
    .json = json,
    .release = release,
};
