/* One reproduction under way (or the demo, which is one too): what its parts share.

   A reproduction is a descriptor in its own file and a line in reproductions.def.
   It plans its fits (so that progress knows the whole), runs them, writes a row
   of runs.csv after each, and at the end figures into the folder and numbers to
   call->out. */
#ifndef ZF_CLI_STUDY_H
#define ZF_CLI_STUDY_H

#include <limits.h>

#include "command.h"
#include "output.h"
#include "progress.h"
#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"

typedef struct cli_study cli_study;

typedef struct cli_reproduction {
    double scale; /* the default: done within minutes on two cores, those of images in 15 */
    /* What --data has to be, in words; NULL: the data are generated. */
    const char *data;
    const char *usual; /* where the data are without --data; NULL: it must be given */
    bool images;       /* the data are images, so that they have a size */
    cli_exit (*run)(cli_study *study);
} cli_reproduction;

struct cli_study {
    const cli_call *call;
    const char *name;
    const char *folder;
    const char *data; /* NULL: not given */
    double scale;
    int size;   /* pixels a side of images; 0: what the source has */
    FILE *runs; /* runs.csv */
    int fits, fits_planned;
    /* Of all fits: planned, and of those that have ended. Work is iterations
       times what an iteration costs. */
    uint64_t iterations, iterations_done;
    double work, work_done;
    double begun;      /* study_clock() then */
    double fit_weight; /* cost of an iteration of the fit under way */
    cli_progress progress;
};

/* The paper repeats an experiment 10 times with 5,000 iterations. A smaller
   scale has fewer seeds first, and then fewer iterations. */
typedef struct study_size {
    int seeds;
    uint64_t iterations;
} study_size;
study_size study_repeated(const cli_study *study);

/* Iterations of an experiment that is done once, whole at scale 1. */
uint64_t study_once(const cli_study *study, uint64_t whole);

/* Seconds on a clock that only rises. */
double study_clock(void);

/* Seconds since the study began. */
double study_seconds(const cli_study *study);

/* folder/name. */
/* The options of a fit as in the paper, where fit itself has others that are faster: its width of
   the field, times from 0 to 1, and the rate that reproduces its table. */
zf_fit_options study_fit_options(void);

cli_exit study_path(const cli_study *study, char path[PATH_MAX], const char *name);

/* Announces fits of so many iterations on a table of so many columns. */
void study_plan(cli_study *study, zf_gate_kind gate, size_t columns, uint64_t iterations, int fits);

/* The same of work of another kind, such as a flow; weight is what an iteration costs,
   where one of MLP gates on 50 columns costs 1. */
void study_plan_work(cli_study *study, double weight, uint64_t iterations, int fits);

/* A planned fit of another kind: what to hand to it, and what became of it. */
zf_report study_begin_fit(cli_study *study, double weight);
cli_exit study_end_fit(cli_study *study, zf_status status, uint64_t iterations);

/* Data and the truth behind them. */
typedef struct cli_sample {
    double *values;
    zf_graph *truth;
    double *precision;
    size_t rows, columns;
} cli_sample;
cli_exit sample_generate(cli_sample *sample, const zf_generate_options *wish);
void sample_free(cli_sample *sample); /* leaves an empty one */

/* A planned fit. */
cli_exit study_fit(cli_study *study, zf_blanket **model, zf_fit_summary *summary,
                   const double *values, size_t rows, const char *const *names, size_t columns,
                   zf_fit_options *wish);

/* The same on a generated sample, and the graph of its gates. model may be NULL. */
cli_exit study_fit_graph(cli_study *study, zf_graph **graph, zf_blanket **model,
                         zf_fit_summary *summary, const cli_sample *sample, zf_fit_options *wish);

/* Callbacks for work that has no part in the plan: it can be interrupted. */
zf_report study_silent_report(void);

/* Begins runs.csv; its rows reach the file one by one, so that what was done
   before an interruption is kept. */
cli_exit study_begin_runs(cli_study *study, const char *header);
cli_exit study_run(cli_study *study, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The exit for a status, with what an interruption leaves. */
cli_exit study_check(const cli_study *study, zf_status status);

/* What the JSON of every reproduction begins with; NULL: memory ran out. */
json_t *study_json(const cli_study *study);

/* The last lines of the text: where the files are. Figures is "roc", or
   "a, b" in words. */
void study_print_files(const cli_study *study, const char *figure);

#endif
