/* The main job on generated data: fit, score, compare, report. */
#ifndef ZF_STUDY_DEMO_H
#define ZF_STUDY_DEMO_H

#include "study/study.h"

enum { ENTRANTS = 6, OURS = 2 };

/* At which our edges are decided on. */
#define EXHIBIT_FDR 0.1

/* A method that took part. */
typedef struct entrant {
    const char *name;   /* in words */
    const char *label;  /* in a figure */
    const char *method; /* lstm, mlp, glasso, pc, partial, rank */
    const char *file;   /* of its graph */
    zf_graph *graph;    /* its scores */
    zf_accuracy accuracy;
    bool decides; /* its evidence, or scores of 0, say which pairs are no edges */
    zf_decision decision;
    double seconds; /* NaN: it was resumed, and the time before is not known */
} entrant;

typedef struct zf_demo_values {
    uint64_t iterations, every;
    const char *output;
    int32_t evidence;
    bool resume;
} zf_demo_values;

typedef struct zf_demo_result {
    zf_study study;
    uint64_t every;
    int32_t evidence;
    bool resumes;
    /* Of one that was interrupted: iterations, and whether the last checkpoint was saved. */
    uint64_t stopped_at;
    bool saved;
    study_sample sample;
    uint64_t iterations[OURS];
    entrant entrants[ENTRANTS]; /* ours first */
    zf_blanket *models[OURS];
    zf_fit_summary summaries[OURS];
} zf_demo_result;

/* The order of our two: the one that the page shows is the first. */
enum { LSTM, MLP };
extern const char *const demo_models[OURS]; /* files */

extern const zf_job zf_job_demo;

/* The result as text. */
void zf_demo_print(const zf_demo_result *result, const study_page *page);

#endif
