/* A crew of threads that run numbered tasks.

   Tasks are handed out one by one to whoever is free, so a task must not
   depend on which worker runs it; what it may use is its own number (to find
   its share of the data) and the worker's (to find scratch memory that no one
   else is using). Workers spin for a moment between jobs, because a training
   step is many short jobs, then sleep. */
#ifndef ZF_BASE_CREW_H
#define ZF_BASE_CREW_H

#include "zeroflow/status.h"

typedef struct zf_crew zf_crew;

typedef void (*zf_task)(void *context, int task, int worker);

/* threads = 0 takes every processor that this process may use. The calling
   thread is worker 0, so a crew of one starts no thread. */
zf_status zf_crew_new(zf_crew **out, int threads) ZF_CHECK;

int zf_crew_size(const zf_crew *crew);

/* Runs task 0 .. tasks-1 (at most a million) and returns when all are done. Everything written
   before the call is seen by the tasks, and everything that they wrote is seen
   after it. Not to be called from inside a task. */
void zf_crew_run(zf_crew *crew, int tasks, zf_task run, void *context);

/* Does the same with rows 0 .. rows-1, each on its own, in runs of neighbours: handing out a run
   costs more than a light row, and with few runs a worker waits for the last of heavy ones. */
typedef enum zf_row_runs { ZF_LIGHT_ROWS = 16, ZF_HEAVY_ROWS = 64 } zf_row_runs;
typedef void (*zf_row_task)(void *context, int row);
void zf_crew_run_rows(zf_crew *crew, zf_row_runs runs, int rows, zf_row_task run, void *context);

/* The crew ends, or rests where it came from. */
void zf_crew_free(zf_crew *crew);

/* Crews at rest, whose threads sleep until someone needs a crew of that size: so jobs that follow
   each other need not start threads anew. */
typedef struct zf_crews zf_crews;

zf_status zf_crews_new(zf_crews **out) ZF_CHECK;

/* From now on the crews that this thread asks for come from there, and rest there; NULL: each is
   made and ends. Returns what it was before. */
zf_crews *zf_crews_use(zf_crews *crews);

/* Ends those at rest. One that is still at work ends when it is freed. NULL is fine. */
void zf_crews_free(zf_crews *crews);

#endif
