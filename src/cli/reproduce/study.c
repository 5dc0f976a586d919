#include "reproduce/study.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "terminal.h"
#include "text.h"

enum { PAPER_SEEDS = 10, PAPER_ITERATIONS = 5000, LEAST_ITERATIONS = 10 };

double study_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double study_seconds(const cli_study *study)
{
    return study_clock() - study->begun;
}

study_size study_repeated(const cli_study *study)
{
    study_size size;
    double seeds = fmax(1, floor(PAPER_SEEDS * study->scale + 0.5));
    size.seeds = (int)seeds;
    double iterations = PAPER_SEEDS * (double)PAPER_ITERATIONS * study->scale / seeds;
    size.iterations = (uint64_t)fmax(LEAST_ITERATIONS, fmin(PAPER_ITERATIONS, iterations + 0.5));
    return size;
}

uint64_t study_once(const cli_study *study, uint64_t whole)
{
    return (uint64_t)fmax(LEAST_ITERATIONS, (double)whole * study->scale + 0.5);
}

zf_fit_options study_fit_options(void)
{
    zf_fit_options wish = zf_fit_defaults();
    wish.hidden = 256;
    wish.rate = 2e-3;
    wish.last_time = 1;
    wish.open_gates = 0;
    return wish;
}

cli_exit study_path(const cli_study *study, char path[PATH_MAX], const char *name)
{
    size_t length = strlen(study->folder);
    const char *slash = length && study->folder[length - 1] == '/' ? "" : "/";
    if (snprintf(path, PATH_MAX, "%s%s%s", study->folder, slash, name) >= PATH_MAX)
        return cli_fail(CLI_USAGE, "%.60s...: the path is longer than %d bytes", study->folder,
                        PATH_MAX);
    return CLI_DONE;
}

/* What an iteration costs, roughly: only the estimate of the time left depends
   on it. */
static double weight_of(zf_gate_kind gate, size_t columns)
{
    double width = (double)columns / 50;
    switch (gate) {
    case ZF_GATE_LSTM:
        return 3 * width;
    case ZF_GATE_CNN:
        return 1 + 0.5 * width;
    case ZF_GATE_MLP:
    case ZF_GATE_FREE:
        break;
    }
    return 0.5 + 0.5 * width;
}

void study_plan_work(cli_study *study, double weight, uint64_t iterations, int fits)
{
    study->fits_planned += fits;
    study->iterations += iterations * (uint64_t)fits;
    study->work += weight * (double)iterations * fits;
}

void study_plan(cli_study *study, zf_gate_kind gate, size_t columns, uint64_t iterations, int fits)
{
    study_plan_work(study, weight_of(gate, columns), iterations, fits);
}

cli_exit sample_generate(cli_sample *sample, const zf_generate_options *wish)
{
    zf_status status = zf_generate(&sample->values, &sample->truth, &sample->precision, wish);
    CLI_TRY(cli_check(status));
    sample->rows = wish->rows;
    sample->columns = zf_graph_count(sample->truth);
    return CLI_DONE;
}

void sample_free(cli_sample *sample)
{
    free(sample->values);
    free(sample->precision);
    zf_graph_free(sample->truth);
    memset(sample, 0, sizeof *sample);
}

/* One fit's progress as a part of the whole. */
static bool on_progress(void *context, const zf_progress *part)
{
    cli_study *study = context;
    zf_report report = cli_progress_report(&study->progress);
    double work = study->work_done + study->fit_weight * (double)part->step;
    zf_progress whole = *part;
    whole.step = study->iterations_done + part->step;
    whole.steps = study->iterations;
    whole.seconds = study_seconds(study);
    whole.seconds_left = work > 0 ? whole.seconds * (study->work - work) / work : -1;
    return report.progress(report.context, &whole);
}

static void on_log(void *context, zf_level level, const char *line)
{
    cli_study *study = context;
    zf_report report = cli_progress_report(&study->progress);
    report.log(report.context, level, line);
}

static bool goes_on(void *context, const zf_progress *progress)
{
    (void)context, (void)progress;
    return !cli_interrupted();
}

zf_report study_silent_report(void)
{
    return (zf_report){.progress = goes_on};
}

cli_exit study_check(const cli_study *study, zf_status status)
{
    if (status != ZF_EINTERRUPT) return cli_check(status);
    if (!study->runs) return cli_fail(CLI_INTERRUPTED, "interrupted; nothing was written");
    return cli_fail(CLI_INTERRUPTED,
                    "interrupted after %d of %d fits; the runs so far are in %s/runs.csv",
                    study->fits, study->fits_planned, study->folder);
}

zf_report study_begin_fit(cli_study *study, double weight)
{
    study->fit_weight = weight;
    cli_progress_stage(&study->progress, NULL);
    return (zf_report){.log = on_log, .progress = on_progress, .context = study};
}

cli_exit study_end_fit(cli_study *study, zf_status status, uint64_t iterations)
{
    if (status != ZF_OK) return study_check(study, status);
    study->fits++;
    study->iterations_done += iterations;
    study->work_done += study->fit_weight * (double)iterations;
    return CLI_DONE;
}

cli_exit study_fit(cli_study *study, zf_blanket **model, zf_fit_summary *summary,
                   const double *values, size_t rows, const char *const *names, size_t columns,
                   zf_fit_options *wish)
{
    zf_blanket *fitted = NULL;
    wish->threads = study->call->threads;
    wish->report = study_begin_fit(study, weight_of(wish->gate, columns));
    zf_status status = cli_interrupted()
                           ? ZF_EINTERRUPT
                           : zf_blanket_fit(&fitted, summary, values, rows, names, columns, wish);
    cli_exit exit = study_end_fit(study, status, wish->iterations);
    if (exit != CLI_DONE) {
        zf_blanket_free(fitted);
        return exit;
    }
    *model = fitted;
    return CLI_DONE;
}

cli_exit study_fit_graph(cli_study *study, zf_graph **graph, zf_blanket **model,
                         zf_fit_summary *summary, const cli_sample *sample, zf_fit_options *wish)
{
    zf_blanket *fitted = NULL;
    const char *const *names = zf_graph_names(sample->truth);
    CLI_TRY(study_fit(study, &fitted, summary, sample->values, sample->rows, names, sample->columns,
                      wish));
    float *gates = malloc(sample->columns * sample->columns * sizeof *gates);
    cli_exit exit =
        gates ? cli_check(zf_blanket_matrix(fitted, gates)) : cli_fail(CLI_FAILED, "out of memory");
    if (exit == CLI_DONE) exit = cli_check(zf_graph_new(graph, names, sample->columns, gates));
    free(gates);
    if (exit != CLI_DONE || !model) zf_blanket_free(fitted);
    if (exit == CLI_DONE && model) *model = fitted;
    return exit;
}

static cli_exit cannot_write(void)
{
    return cli_fail(CLI_FAILED, "runs.csv: cannot write: %s", strerror(errno));
}

cli_exit study_begin_runs(cli_study *study, const char *header)
{
    char path[PATH_MAX];
    CLI_TRY(study_path(study, path, "runs.csv"));
    study->runs = fopen(path, "w");
    if (!study->runs) return cli_fail(CLI_INPUT, "%s: cannot write: %s", path, strerror(errno));
    if (fprintf(study->runs, "%s\n", header) < 0 || fflush(study->runs) != 0) return cannot_write();
    return CLI_DONE;
}

cli_exit study_run(cli_study *study, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int written = vfprintf(study->runs, format, values);
    va_end(values);
    if (written < 0 || fputc('\n', study->runs) == EOF || fflush(study->runs) != 0)
        return cannot_write();
    return CLI_DONE;
}

json_t *study_json(const cli_study *study)
{
    return json_pack("{s:o s:o s:I s:o s:o}", "name", cli_json_text(study->name), "scale",
                     cli_json_number(study->scale), "seed", (json_int_t)study->call->seed,
                     "seconds", cli_json_number(study_seconds(study)), "folder",
                     cli_json_text(study->folder));
}

void study_print_files(const cli_study *study, const char *figure)
{
    FILE *out = study->call->out;
    size_t length = strlen(study->folder);
    fprintf(out, "\n%sFiles%s  ", cli_bold(), cli_plain());
    cli_clean(out, study->folder);
    fputs(length && study->folder[length - 1] == '/' ? "" : "/", out);
    fprintf(out, ": runs.csv, %s.svg, %s.png\n", figure, figure);
    if (study->scale < 1)
        fprintf(out, "Done in %s at --scale %g; 1 is the size of the paper's.\n",
                cli_duration(study_seconds(study)).text, study->scale);
}
