/* zeroflow reproduce: one table or figure of the paper, run anew, with the
   paper's numbers beside it. What each of them does is under reproduce/. */
#include <string.h>

#include "files.h"
#include "reproduce/image_set.h"
#include "reproduce/study.h"

enum { NAME };
enum { OUTPUT, SCALE, DATA, SIZE };
enum { SMALL = 32 }; /* pixels a side below the paper's scale */

#define REPRODUCTION(descriptor, name, summary)                                                    \
    extern const cli_reproduction reproduce_##descriptor;
#include "reproduce/reproductions.def"
#undef REPRODUCTION

static const char *const names[] = {
#define REPRODUCTION(descriptor, name, summary) name,
#include "reproduce/reproductions.def"
#undef REPRODUCTION
    NULL,
};

/* In the order of names. */
static const cli_reproduction *const reproductions[] = {
#define REPRODUCTION(descriptor, name, summary) &reproduce_##descriptor,
#include "reproduce/reproductions.def"
#undef REPRODUCTION
};

static const cli_option arguments[] = {
    [NAME] = {"NAME", .type = CLI_CHOICE, .choices = names, .help = "Which table or figure."},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_FOLDER, "DIR", .otherwise = "zeroflow-reproduce/NAME",
                .help = "Folder for the figure and for runs.csv; it is made if it is not there."},
    [SCALE] = {"scale", .type = CLI_REAL, .placeholder = "S", .least = 0.0001, .most = 100,
               .otherwise = "done within minutes on two cores, with images within 15",
               .help = "How much of the paper's work is done: 1 is its 10 seeds and 5,000 "
                       "iterations; less has fewer seeds and then fewer iterations, or rows "
                       "(decisions). With "
                       "images, 1 is 5,000 iterations, 100 epochs of MAE and all images; less "
                       "has fewer of each."},
    [DATA] = {"data", .type = CLI_PATHS, .placeholder = "PATH",
              .help = "sp500: prices.csv, a table with a column of dates and then a column of "
                      "daily prices for each ticker. shortcut, encodings, table2, reconstruction "
                      "and bits: " IMAGE_SET_HELP "; table2 takes several, with commas between "
                      "them; encodings finds Fashion-MNIST where Debian's dataset-fashion-mnist "
                      "puts it."},
    [SIZE] = {"size", .type = CLI_WHOLE, .placeholder = "N", .least = 16, .most = 256,
              .otherwise = "32; from --scale 1 on 32, 64 or 96 as the source has",
              .help = "Of images, pixels a side: a multiple of 8."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow reproduce lattice --scale 0.002",
     "The lattice figure, hardly trained, into zeroflow-reproduce/lattice/."},
    {"zeroflow reproduce table1 --scale 0.0005 -o table1 --json",
     "Hardly trained, to see the form of the result; without --scale it takes minutes."},
    {"zeroflow reproduce sp500 --data sp500.csv --scale 0.01", "From a file with daily prices."},
    {"zeroflow reproduce shortcut --data cifar10 --scale 0.0004",
     "From a folder with CIFAR-10; hardly trained."},
    {NULL},
};

static const char *const files[] = {
    "zeroflow-reproduce/NAME/runs.csv",
    "A row for each run of reproduce NAME. The figure lies beside it as SVG and PNG.",
    NULL,
};

/* The data may be several sources with commas between them, or one with a comma in its name. */
static cli_exit take_files(cli_study *study)
{
    char path[PATH_MAX];
    if (study->data) CLI_TRY(cli_reads(study->call, "--data", study->data));
    for (const char *at = study->data; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(path, sizeof path, "%.*s", (int)strcspn(at, ","), at);
        CLI_TRY(cli_reads(study->call, "--data", path));
    }
    CLI_TRY(cli_make_folder(study->call, study->folder));
    CLI_TRY(study_path(study, path, "runs.csv"));
    return cli_writes(study->call, "--output", path);
}

static cli_exit run(const cli_call *call)
{
    char folder[64];
    const cli_value *values = call->values;
    int which = 0;
    while (strcmp(names[which], call->arguments[NAME].text) != 0) which++;
    const cli_reproduction *reproduction = reproductions[which];
    snprintf(folder, sizeof folder, "zeroflow-reproduce/%s", names[which]);
    cli_study study = {
        .call = call,
        .name = names[which],
        .folder = values[OUTPUT].text ? values[OUTPUT].text : folder,
        .data = values[DATA].text,
        .scale = values[SCALE].given ? values[SCALE].real : reproduction->scale,
        .begun = study_clock(),
    };
    if (study.scale < 1) study.size = SMALL;
    if (values[SIZE].given) study.size = (int)values[SIZE].whole;
    if (!reproduction->data && study.data)
        return cli_fail(CLI_USAGE, "%s generates its data and has no --data", study.name);
    if (values[SIZE].given && !reproduction->images)
        return cli_fail(CLI_USAGE, "%s has no images and no --size", study.name);
    if (!study.data) study.data = reproduction->usual;
    if (reproduction->data && !study.data)
        return cli_fail(CLI_USAGE, "%s needs --data PATH: %s", study.name, reproduction->data);
    CLI_TRY(take_files(&study));
    cli_progress_begin(&study.progress, call);
    cli_exit exit = reproduction->run(&study);
    cli_progress_end(&study.progress);
    if (study.runs) fclose(study.runs);
    return exit;
}

const cli_command cli_command_reproduce = {
    .name = "reproduce",
    .summary = "run one table or figure of the paper anew, beside the paper's numbers",
    .description =
        "Runs an experiment of the paper, prints its numbers beside the paper's, and writes a row "
        "for each run (runs.csv) and the figure as SVG and PNG.\n\n"
#define REPRODUCTION(descriptor, name, summary) name ": " summary ".\n\n"
#include "reproduce/reproductions.def"
#undef REPRODUCTION
        "Ctrl-C stops it; the runs until then are in runs.csv.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .files = files,
    .run = run,
};
