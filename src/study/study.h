/* One reproduction under way (or the demo, which is one too): what its parts share.

   A reproduction is a descriptor in its own file and a line in reproductions.def.
   It plans its fits (so that progress knows the whole), runs them, writes a row
   of runs.csv after each, and figures into the folder; what it has found is a struct
   of its own, which it tells as text or as JSON. */
#ifndef ZF_STUDY_STUDY_H
#define ZF_STUDY_STUDY_H

#include <limits.h>
#include <stdio.h>

#include "base/words.h"
#include "job/answer.h"
#include "job/job.h"
#include "zeroflow/blanket.h"
#include "zeroflow/generate.h"

typedef struct zf_study zf_study;

/* Where a study writes its text, and how a front door wants it. */
typedef struct study_page {
    FILE *out;
    const char *bold, *plain;                   /* before and behind a heading */
    bool utf8;                                  /* letters beyond ASCII can be shown */
    void (*clean)(FILE *out, const char *text); /* writes a name from outside */
} study_page;

typedef struct zf_reproduction {
    double scale; /* the default: done within minutes on two cores, those of images in 15 */
    /* What the data have to be, in words; NULL: they are generated. */
    const char *data;
    const char *usual; /* where the data are if not told; NULL: it must be told */
    bool images;       /* the data are images, so that they have a size */
    size_t found_size; /* of the struct of what is found, which begins as zeros */
    zf_status (*run)(zf_study *study, void *found);
    void (*print)(const zf_study *study, const void *found, const study_page *page);
    json_t *(*json)(const zf_study *study, const void *found);
    void (*release)(void *found); /* what found holds, also after a failure; NULL: nothing */
} zf_reproduction;

struct zf_study {
    zf_run *run; /* of the job, while it runs */
    const char *name;
    const char *folder;
    const char *data; /* NULL: not given */
    double scale;
    int size; /* pixels a side of images; 0: what the source has */
    uint64_t seed;
    int threads; /* 0: all processors */
    FILE *runs;  /* runs.csv */
    bool writes; /* runs.csv was begun */
    int fits, fits_planned;
    double trials; /* the share that is done, of studies without fits */
    /* Of all fits: planned, and of those that have ended. Work is iterations
       times what an iteration costs. */
    uint64_t iterations, iterations_done;
    double work, work_done;
    double begun;      /* study_clock() then */
    double took;       /* seconds; 0: it is under way */
    bool ended;        /* it came to its end */
    double fit_weight; /* cost of an iteration of the fit under way */
    const char *stage; /* what is going on beside fits; NULL: nothing that has a name */
};

/* The paper repeats an experiment 10 times with 5,000 iterations. A smaller
   scale has fewer seeds first, and then fewer iterations. */
typedef struct study_size {
    int seeds;
    uint64_t iterations;
} study_size;
study_size study_repeated(const zf_study *study);

/* Iterations of an experiment that is done once, whole at scale 1. */
uint64_t study_once(const zf_study *study, uint64_t whole);

/* Seconds on a clock that only rises. */
double study_clock(void);

/* Seconds since the study began, or that it took. */
double study_seconds(const zf_study *study);

/* The options of a fit as in the paper, where fit itself has others that are faster: its width of
   the field, times from 0 to 1, and the rate that reproduces its table. */
zf_fit_options study_fit_options(void);

/* folder/name. */
zf_status study_path(const zf_study *study, char path[PATH_MAX], const char *name);

/* Announces fits of so many iterations on a table of so many columns. */
void study_plan(zf_study *study, zf_gate_kind gate, size_t columns, uint64_t iterations, int fits);

/* The same of work of another kind, such as a flow; weight is what an iteration costs,
   where one of MLP gates on 50 columns costs 1. */
void study_plan_work(zf_study *study, double weight, uint64_t iterations, int fits);

/* A planned fit of another kind: what to hand to it, and what became of it. */
zf_report study_begin_fit(zf_study *study, double weight);
zf_status study_end_fit(zf_study *study, zf_status status, uint64_t iterations);

/* Data and the truth behind them. */
typedef struct study_sample {
    double *values;
    zf_graph *truth;
    double *precision;
    size_t rows, columns;
} study_sample;
zf_status sample_generate(study_sample *sample, const zf_generate_options *wish);
void sample_free(study_sample *sample); /* leaves an empty one */

/* A planned fit. */
zf_status study_fit(zf_study *study, zf_blanket **model, zf_fit_summary *summary,
                    const double *values, size_t rows, const char *const *names, size_t columns,
                    zf_fit_options *wish);

/* The same on a generated sample, and the graph of its gates. model may be NULL. */
zf_status study_fit_graph(zf_study *study, zf_graph **graph, zf_blanket **model,
                          zf_fit_summary *summary, const study_sample *sample,
                          zf_fit_options *wish);

/* What is going on beside fits, in a word or two. */
void study_stage(zf_study *study, const char *stage);

/* false: the user wants to stop. */
bool study_goes_on(const zf_study *study);

/* Callbacks for work that has no part in the plan: it can be interrupted. */
zf_report study_silent_report(const zf_study *study);

/* Begins runs.csv; its rows reach the file one by one, so that what was done
   before an interruption is kept. */
zf_status study_begin_runs(zf_study *study, const char *header);
zf_status study_run(zf_study *study, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What an interruption has left, as one line, cut at size bytes. */
void study_stopped(char *text, size_t size, const zf_study *study);

/* What the JSON of every reproduction begins with. */
json_t *study_json(const zf_study *study);

/* The last lines of the text: where the files are. Figures is "roc", or
   "a, b" in words. */
void study_print_files(const zf_study *study, const study_page *page, const char *figure);

#endif
