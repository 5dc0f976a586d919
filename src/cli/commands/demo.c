/* zeroflow demo: trains a small network on generated data and shows what it
   learnt, in a few lines that a newcomer can follow. */
#include "zeroflow/demo.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"

enum { ITERATIONS, BATCH, OUTPUT, CHECKPOINT, EVERY, RESUME };

static const cli_option options[] = {
    [ITERATIONS] = {"iterations", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                    .most = 1000000000, .help = "Training steps."},
    [BATCH] = {"batch", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1000000,
               .help = "Rows in a training step."},
    [OUTPUT] = {"output", 'o', CLI_FOLDER, "DIR", .fallback = "zeroflow-demo",
                .help = "Folder for the model; it is made if it is not there."},
    [CHECKPOINT] = {"checkpoint", .type = CLI_FILE, .placeholder = "FILE",
                    .otherwise = "checkpoint.safetensors in DIR",
                    .help = "Where training is saved, now and then and when it is interrupted."},
    [EVERY] = {"every", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1000000000,
               .help = "Training steps between two checkpoints."},
    [RESUME] = {"resume", .help = "Go on from the checkpoint, if there is one. The result is the "
                                  "same, bit for bit, as without the interruption."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow demo", "Train on generated data; the model goes to zeroflow-demo/."},
    {"zeroflow demo --iterations 500 --seed 1 -o trial --json",
     "A shorter run with other random numbers, told as JSON."},
    {"zeroflow demo --iterations 500 --seed 1 -o trial --resume",
     "Go on with that run after Ctrl-C has stopped it."},
    {NULL},
};

static const char *const files[] = {
    "zeroflow-demo/model.safetensors",
    "The model that demo has trained.",
    "zeroflow-demo/checkpoint.safetensors",
    "Where demo stood when it was saved last: the model and the state of the optimiser.",
    NULL,
};

/* The paths of one run. */
struct places {
    char model[PATH_MAX];
    char checkpoint[PATH_MAX];
};

static void defaults(cli_value *values)
{
    zf_demo_options standard = zf_demo_defaults();
    values[ITERATIONS].set = values[BATCH].set = values[EVERY].set = true;
    values[ITERATIONS].whole = standard.iterations;
    values[BATCH].whole = (uint64_t)standard.batch;
    values[EVERY].whole = standard.every;
}

/* folder/name; CLI_USAGE if that is too long for a path. */
static cli_exit join(char path[PATH_MAX], const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    if (snprintf(path, PATH_MAX, "%s%s%s", folder, slash, name) >= PATH_MAX)
        return cli_fail(CLI_USAGE, "%.60s...: the path is longer than %d bytes", folder, PATH_MAX);
    return CLI_DONE;
}

static cli_exit find_places(struct places *places, const cli_call *call)
{
    const char *folder = call->values[OUTPUT].text;
    CLI_TRY(join(places->model, folder, "model.safetensors"));
    if (call->values[CHECKPOINT].text) {
        if (strlen(call->values[CHECKPOINT].text) >= PATH_MAX)
            return cli_fail(CLI_USAGE, "--checkpoint: the path is longer than %d bytes", PATH_MAX);
        strcpy(places->checkpoint, call->values[CHECKPOINT].text);
    } else {
        CLI_TRY(join(places->checkpoint, folder, "checkpoint.safetensors"));
    }
    struct stat found;
    if (mkdir(folder, 0777) == 0) return CLI_DONE;
    int reason = errno;
    if (reason == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode)) return CLI_DONE;
    if (reason == EEXIST) reason = ENOTDIR;
    return cli_fail(CLI_INPUT, "%s: cannot make this folder: %s", folder, strerror(reason));
}

static cli_exit print_json(const cli_call *call, const zf_demo_result *result, const char *model)
{
    json_t *speed = json_array();
    for (int i = 0; i < ZF_DEMO_TIMES; i++) {
        json_t *entry = json_pack("{s:o s:o}", "time", cli_json_number(result->time[i]), "speed",
                                  cli_json_number(result->speed[i]));
        if (json_array_append_new(speed, entry) != 0) {
            json_decref(speed);
            return cli_fail(CLI_FAILED, "out of memory");
        }
    }
    return cli_print_json(
        call, json_pack("{s:o s:I s:o s:o s:o s:o s:I s:I s:o}", "model", cli_json_text(model),
                        "iterations", (json_int_t)result->iterations, "seconds",
                        cli_json_number(result->seconds), "loss", cli_json_number(result->loss),
                        "untrained_loss", cli_json_number(result->untrained_loss), "constant_loss",
                        cli_json_number(result->constant_loss), "resumed_from",
                        (json_int_t)result->resumed_from, "seed", (json_int_t)call->seed, "speed",
                        speed));
}

static void print_speeds(FILE *out, const zf_demo_result *result)
{
    enum { BAR = 40 };
    double most = 0;
    for (int i = 0; i < ZF_DEMO_TIMES; i++)
        most = result->speed[i] > most ? result->speed[i] : most;
    for (int i = 0; i < ZF_DEMO_TIMES; i++) {
        fprintf(out, "  t = %.2f  %6.3f  ", result->time[i], result->speed[i]);
        int length = most > 0 ? (int)(BAR * result->speed[i] / most + 0.5) : 0;
        for (int k = 0; k < length; k++) fputs(cli_utf8() ? "█" : "#", out);
        fputc('\n', out);
    }
}

/* Whether training went far enough to show the zero. */
static bool is_still_halfway(const zf_demo_result *result)
{
    for (int i = 0; i < ZF_DEMO_TIMES; i++)
        if (i != ZF_DEMO_TIMES / 2 && !(result->speed[ZF_DEMO_TIMES / 2] < 0.2 * result->speed[i]))
            return false;
    return true;
}

static void print_text(const cli_call *call, const zf_demo_result *result, const char *model)
{
    FILE *out = call->out;
    fputs("A small network learnt the velocity that carries one random draw to another,\n"
          "independent draw from the same Gaussian mixture.\n\n",
          out);
    fprintf(out, "%sLoss on new data%s (squared error per coordinate, less is better)\n",
            cli_bold(), cli_plain());
    fprintf(out, "  untrained          %8.4f\n", result->untrained_loss);
    fprintf(out, "  the best constant  %8.4f\n", result->constant_loss);
    fprintf(out, "  trained            %8.4f   after %s in %.1f s", result->loss,
            cli_plural(result->iterations, "iteration").text, result->seconds);
    if (result->resumed_from > 0)
        fprintf(out, " (resumed from %s)", cli_count(result->resumed_from).text);
    fprintf(out, "\n\n%sMean speed of the flow%s along its way from t = 0 to t = 1\n", cli_bold(),
            cli_plain());
    print_speeds(out, result);
    if (is_still_halfway(result))
        fputs(
            "The flow all but stands still at t = 0.5, and only there: halfway, equal laws leave\n"
            "it no direction to prefer. If the two laws differed it would move there too.\n"
            "By this zero zeroflow finds which variables are enough to predict others.\n\n",
            out);
    else
        fputs("With more --iterations the flow would stand still at t = 0.5, and only there.\n\n",
              out);
    fprintf(out, "%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, model);
    fputs("\n\nNext: zeroflow demo --seed 1 for other random numbers; zeroflow check DATA to see\n"
          "what a table of yours holds; zeroflow --help for everything else.\n",
          out);
}

/* What was saved and how to go on, in one line. */
static cli_exit interrupted(const cli_call *call, const zf_demo_result *result,
                            const char *checkpoint)
{
    char *resume = NULL;
    size_t length;
    FILE *stream = open_memstream(&resume, &length);
    if (!stream) return cli_fail(CLI_INTERRUPTED, "interrupted; saved %s", checkpoint);
    cli_print_resume(stream, call);
    if (fclose(stream) == 0)
        cli_fail(CLI_INTERRUPTED, "interrupted after %s of %s iterations; saved %s; go on with: %s",
                 cli_count(result->iterations).text, cli_count(call->values[ITERATIONS].whole).text,
                 checkpoint, resume);
    free(resume);
    return CLI_INTERRUPTED;
}

static cli_exit run(const cli_call *call)
{
    struct places places;
    zf_demo_result result = {0};
    cli_progress progress;
    CLI_TRY(find_places(&places, call));
    zf_demo_options wish = zf_demo_defaults();
    wish.seed = call->seed;
    wish.threads = call->threads;
    wish.iterations = call->values[ITERATIONS].whole;
    wish.batch = (int)call->values[BATCH].whole;
    wish.model = places.model;
    wish.checkpoint = places.checkpoint;
    wish.every = call->values[EVERY].whole;
    wish.resume = call->values[RESUME].flag;
    wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, call);
    zf_status status = zf_demo_run(&result, &wish);
    cli_progress_end(&progress);
    if (status == ZF_EINTERRUPT) return interrupted(call, &result, places.checkpoint);
    CLI_TRY(cli_check(status));
    if (call->json) return print_json(call, &result, places.model);
    print_text(call, &result, places.model);
    return CLI_DONE;
}

const cli_command cli_command_demo = {
    .name = "demo",
    .summary = "train a small network on generated data and show what it learns",
    .description =
        "Draws pairs of independent points from one Gaussian mixture and trains a network to "
        "predict the velocity of the straight way from one to the other. The learnt flow stands "
        "still halfway, at t = 0.5, and only there: the zero that the whole program is built "
        "on.\n\n"
        "Training is saved now and then. Ctrl-C saves it too and stops; --resume goes on from "
        "there.",
    .options = options,
    .examples = examples,
    .files = files,
    .defaults = defaults,
    .run = run,
};
