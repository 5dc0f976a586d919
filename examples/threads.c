/* One model, asked by four threads at once: queries take a const model, start no thread and wait
   for nobody, so a server may share one model among all its workers.

     cc threads.c $(pkg-config --cflags --libs zeroflow) -pthread -o threads */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <zeroflow/zeroflow.h>

enum { THREADS = 4, QUESTIONS = 1000, VARIABLES = 8 };

typedef struct worker {
    const zf_blanket *model;
    pthread_t thread;
    double sum; /* of all gates that it was told */
    zf_status status;
} worker;

static void *ask(void *context)
{
    worker *w = context;
    float gates[VARIABLES];
    for (int32_t i = 0; i < QUESTIONS && w->status == ZF_OK; i++) {
        const int32_t target = i % VARIABLES;
        w->status = zf_blanket_query(w->model, &target, 1, gates);
        for (int j = 0; w->status == ZF_OK && j < VARIABLES; j++) w->sum += (double)gates[j];
    }
    if (w->status != ZF_OK) fprintf(stderr, "%s\n", zf_error()); /* each thread has its own */
    return NULL;
}

int main(void)
{
    double *rows = NULL;
    zf_graph *truth = NULL;
    zf_blanket *model = NULL;
    worker workers[THREADS] = {0};
    zf_generate_options law = zf_generate_defaults(ZF_CHAIN);
    law.variables = VARIABLES;
    law.rows = 500;
    zf_fit_options options = zf_fit_defaults();
    options.iterations = 100;
    zf_status status = zf_generate(&rows, &truth, NULL, &law);
    if (status == ZF_OK)
        status = zf_blanket_fit(&model, NULL, rows, law.rows, zf_graph_names(truth), VARIABLES,
                                &options);
    for (int i = 0; status == ZF_OK && i < THREADS; i++) {
        workers[i].model = model;
        if (pthread_create(&workers[i].thread, NULL, ask, &workers[i]) != 0) return 1;
    }
    for (int i = 0; status == ZF_OK && i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        if (workers[i].status != ZF_OK || workers[i].sum != workers[0].sum) return 1;
    }
    if (status != ZF_OK) fprintf(stderr, "%s\n", zf_error());
    if (status == ZF_OK) printf("%d threads were told the same\n", THREADS);
    zf_blanket_free(model);
    zf_graph_free(truth);
    zf_free(rows);
    return status != ZF_OK;
}
