#include "study/study.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAPER_SEEDS = 10, PAPER_ITERATIONS = 5000, LEAST_ITERATIONS = 10 };

double study_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double study_seconds(const zf_study *study)
{
    return study->took > 0 ? study->took : study_clock() - study->begun;
}

study_size study_repeated(const zf_study *study)
{
    study_size size;
    double seeds = fmax(1, floor(PAPER_SEEDS * study->scale + 0.5));
    size.seeds = (int)seeds;
    double iterations = PAPER_SEEDS * (double)PAPER_ITERATIONS * study->scale / seeds;
    size.iterations = (uint64_t)fmax(LEAST_ITERATIONS, fmin(PAPER_ITERATIONS, iterations + 0.5));
    return size;
}

uint64_t study_once(const zf_study *study, uint64_t whole)
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

zf_status study_path(const zf_study *study, char path[PATH_MAX], const char *name)
{
    size_t length = strlen(study->folder);
    const char *slash = length && study->folder[length - 1] == '/' ? "" : "/";
    if (snprintf(path, PATH_MAX, "%s%s%s", study->folder, slash, name) >= PATH_MAX)
        return zf_fail(ZF_EINVAL, "%.60s...: the path is longer than %d bytes", study->folder,
                       PATH_MAX);
    return ZF_OK;
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

void study_plan_work(zf_study *study, double weight, uint64_t iterations, int fits)
{
    study->fits_planned += fits;
    study->iterations += iterations * (uint64_t)fits;
    study->work += weight * (double)iterations * fits;
}

void study_plan(zf_study *study, zf_gate_kind gate, size_t columns, uint64_t iterations, int fits)
{
    study_plan_work(study, weight_of(gate, columns), iterations, fits);
}

zf_status sample_generate(study_sample *sample, const zf_generate_options *wish)
{
    zf_status status = zf_generate(&sample->values, &sample->truth, &sample->precision, wish);
    ZF_TRY(status);
    sample->rows = wish->rows;
    sample->columns = zf_graph_count(sample->truth);
    return ZF_OK;
}

void sample_free(study_sample *sample)
{
    free(sample->values);
    free(sample->precision);
    zf_graph_free(sample->truth);
    memset(sample, 0, sizeof *sample);
}

/* One fit's progress as a part of the whole. */
static bool on_progress(void *context, const zf_progress *part)
{
    zf_study *study = context;
    zf_report report = study->run->report;
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
    zf_study *study = context;
    study->run->report.log(study->run->report.context, level, line);
}

void study_stage(zf_study *study, const char *stage)
{
    study->stage = stage;
    zf_stage(study->run, stage);
}

bool study_goes_on(const zf_study *study)
{
    zf_report report = study->run->report;
    zf_progress nothing_new = {.stage = study->stage, .seconds_left = -1};
    return report.progress(report.context, &nothing_new);
}

static bool goes_on(void *study, const zf_progress *progress)
{
    (void)progress;
    return study_goes_on(study);
}

zf_report study_silent_report(const zf_study *study)
{
    return (zf_report){.progress = goes_on, .context = (void *)study};
}

void study_stopped(char *text, size_t size, const zf_study *study)
{
    if (!study->writes)
        snprintf(text, size, "interrupted; nothing was written");
    else if (study->fits_planned == 0)
        snprintf(text, size,
                 "interrupted after %.0f%% of the trials; those so far are in %s/runs.csv",
                 100 * study->trials, study->folder);
    else
        snprintf(text, size, "interrupted after %d of %d fits; the runs so far are in %s/runs.csv",
                 study->fits, study->fits_planned, study->folder);
}

zf_report study_begin_fit(zf_study *study, double weight)
{
    study->fit_weight = weight;
    study_stage(study, NULL);
    return (zf_report){.log = on_log, .progress = on_progress, .context = study};
}

zf_status study_end_fit(zf_study *study, zf_status status, uint64_t iterations)
{
    ZF_TRY(status);
    study->fits++;
    study->iterations_done += iterations;
    study->work_done += study->fit_weight * (double)iterations;
    return ZF_OK;
}

zf_status study_fit(zf_study *study, zf_blanket **model, zf_fit_summary *summary,
                    const double *values, size_t rows, const char *const *names, size_t columns,
                    zf_fit_options *wish)
{
    zf_blanket *fitted = NULL;
    wish->threads = study->threads;
    wish->report = study_begin_fit(study, weight_of(wish->gate, columns));
    zf_status status = study_goes_on(study)
                           ? zf_blanket_fit(&fitted, summary, values, rows, names, columns, wish)
                           : ZF_EINTERRUPT;
    status = study_end_fit(study, status, wish->iterations);
    if (status == ZF_OK)
        *model = fitted;
    else
        zf_blanket_free(fitted);
    return status;
}

zf_status study_fit_graph(zf_study *study, zf_graph **graph, zf_blanket **model,
                          zf_fit_summary *summary, const study_sample *sample, zf_fit_options *wish)
{
    zf_blanket *fitted = NULL;
    const char *const *names = zf_graph_names(sample->truth);
    ZF_TRY(study_fit(study, &fitted, summary, sample->values, sample->rows, names, sample->columns,
                     wish));
    float *gates = malloc(sample->columns * sample->columns * sizeof *gates);
    zf_status status =
        gates ? zf_blanket_matrix(fitted, gates) : zf_fail(ZF_ENOMEM, "out of memory");
    if (status == ZF_OK) status = zf_graph_new(graph, names, sample->columns, gates);
    free(gates);
    if (status != ZF_OK || !model) zf_blanket_free(fitted);
    if (status == ZF_OK && model) *model = fitted;
    return status;
}

static zf_status cannot_write(void)
{
    return zf_fail(ZF_EOUTPUT, "runs.csv: cannot write: %s", strerror(errno));
}

zf_status study_begin_runs(zf_study *study, const char *header)
{
    char path[PATH_MAX];
    ZF_TRY(study_path(study, path, "runs.csv"));
    study->runs = fopen(path, "w");
    study->writes = study->runs != NULL;
    if (!study->runs) return zf_fail(ZF_EIO, "%s: cannot write: %s", path, strerror(errno));
    if (fprintf(study->runs, "%s\n", header) < 0 || fflush(study->runs) != 0) return cannot_write();
    return ZF_OK;
}

zf_status study_run(zf_study *study, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int written = vfprintf(study->runs, format, values);
    va_end(values);
    if (written < 0 || fputc('\n', study->runs) == EOF || fflush(study->runs) != 0)
        return cannot_write();
    return ZF_OK;
}

json_t *study_json(const zf_study *study)
{
    return json_pack("{s:o s:o s:I s:o s:o}", "name", zf_answer_text(study->name), "scale",
                     zf_answer_number(study->scale), "seed", (json_int_t)study->seed, "seconds",
                     zf_answer_number(study_seconds(study)), "folder",
                     zf_answer_text(study->folder));
}

void study_print_files(const zf_study *study, const study_page *page, const char *figure)
{
    FILE *out = page->out;
    size_t length = strlen(study->folder);
    fprintf(out, "\n%sFiles%s  ", page->bold, page->plain);
    page->clean(out, study->folder);
    fputs(length && study->folder[length - 1] == '/' ? "" : "/", out);
    fprintf(out, ": runs.csv, %s.svg, %s.png\n", figure, figure);
    if (study->scale < 1)
        fprintf(out, "Done in %s at --scale %g; 1 is the size of the paper.\n",
                zf_duration(study_seconds(study)).text, study->scale);
}
