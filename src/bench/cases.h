/* What is measured, and the means to measure it. */
#ifndef ZF_BENCH_CASES_H
#define ZF_BENCH_CASES_H

#include "blanket/model.h"
#include "blanket/step.h"
#include "train/optimiser.h"
#include "vision/step.h"
#include "zeroflow/bench.h"

/* What one case runs: forward and backward of a program, and the optimiser's step
   where there is one; or a whole step of training, of blankets or on images; or a
   question to a model. */
typedef struct zf_subject {
    zf_params *params;
    zf_program *program;
    zf_crew *crew;
    zf_optimiser *optimiser; /* NULL: gradients only */
    zf_blanket_step step;    /* of blanket training; its program NULL: another case */
    float *rows;             /* the data of that training */
    zf_vision_step vision;   /* of training on images; its program NULL: another case */
    uint8_t *pixels;         /* the images, their places and their numbers */
    const uint8_t **images;
    uint32_t *which;
    uint64_t steps; /* taken so far */
    /* A model that is asked (asking.h), one of the two; both NULL: runs the program. */
    zf_blanket *model;
    zf_vision *encoder;
    float *image, *answer; /* what is asked; what comes back, for each thread that asks */
    size_t of_answer;      /* numbers */
    int answers;           /* in a repetition; 0: no model is asked */
    double flops;          /* of useful work in one repetition */
    double bytes;          /* that a step of training holds; 0: not told */
} zf_subject;

/* The sgemm that a case is held against, where it is not the machine's peak. */
typedef struct zf_gemm_shape {
    int m, n, k;
} zf_gemm_shape;

typedef struct zf_bench_plan {
    const char *name;
    /* Builds into a subject whose params, program and crew are there; returns the
       loss, and sets flops. */
    zf_node *(*build)(zf_subject *subject);
    /* Or makes the step, its rows and flops: measured with its batches and AdamW. */
    zf_status (*step)(zf_subject *subject);
    /* Or makes the model of a case that asks, and what asking.h says. */
    zf_status (*ask)(zf_subject *subject);
    bool trains;         /* with the optimiser's step */
    bool uses_crew;      /* measured on one thread and on all; else on one alone */
    zf_gemm_shape shape; /* m = 0: the machine's peak */
} zf_bench_plan;

extern const zf_bench_plan zf_bench_plans[];
extern const int zf_bench_n_plans;

#endif
