/* What the demo has found, and how it is put into its folder. */
#ifndef ZF_CLI_EXHIBIT_H
#define ZF_CLI_EXHIBIT_H

#include "reproduce/study.h"

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

typedef struct exhibit {
    cli_study study;
    cli_sample sample;
    uint64_t iterations[OURS];
    entrant entrants[ENTRANTS]; /* ours first */
    zf_blanket *models[OURS];
    zf_fit_summary summaries[OURS];
} exhibit;

/* The order of our two: the one that the page shows is the first. */
enum { LSTM, MLP };
extern const char *const exhibit_models[OURS]; /* files */

/* Data and truth; to be written before the long work, so that an interrupted demo
   leaves what can be looked at. */
cli_exit exhibit_write_sample(const exhibit *x);

/* The models. */
cli_exit exhibit_write_models(const exhibit *x);

/* Everything that follows from them: graphs, figures, the page. */
cli_exit exhibit_write_rest(const exhibit *x);

/* The page's name in the folder. */
cli_exit exhibit_page(const exhibit *x, char path[PATH_MAX]);

#endif
