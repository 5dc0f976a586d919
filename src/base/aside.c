#include "base/aside.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

struct zf_aside {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*run)(void *context); /* NULL: nothing to do */
    void *context;
    bool quit;
};

static void *work(void *argument)
{
    zf_aside *aside = argument;
    pthread_mutex_lock(&aside->lock);
    for (;;) {
        while (!aside->run && !aside->quit) pthread_cond_wait(&aside->changed, &aside->lock);
        if (!aside->run) break;
        pthread_mutex_unlock(&aside->lock);
        aside->run(aside->context);
        pthread_mutex_lock(&aside->lock);
        aside->run = NULL;
        pthread_cond_broadcast(&aside->changed);
    }
    pthread_mutex_unlock(&aside->lock);
    return NULL;
}

zf_status zf_aside_new(zf_aside **out)
{
    zf_aside *aside = calloc(1, sizeof *aside);
    if (!aside) return zf_fail_memory(sizeof *aside);
    pthread_mutex_init(&aside->lock, NULL);
    pthread_cond_init(&aside->changed, NULL);
    /* Signals are for the thread that the caller knows. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int code = pthread_create(&aside->thread, NULL, work, aside);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        pthread_cond_destroy(&aside->changed);
        pthread_mutex_destroy(&aside->lock);
        free(aside);
        return zf_fail(ZF_ENOMEM, "cannot start a thread beside this one");
    }
    *out = aside;
    return ZF_OK;
}

void zf_aside_start(zf_aside *aside, void (*run)(void *context), void *context)
{
    pthread_mutex_lock(&aside->lock);
    assert(!aside->run);
    aside->context = context;
    aside->run = run;
    pthread_cond_broadcast(&aside->changed);
    pthread_mutex_unlock(&aside->lock);
}

void zf_aside_wait(zf_aside *aside)
{
    pthread_mutex_lock(&aside->lock);
    while (aside->run) pthread_cond_wait(&aside->changed, &aside->lock);
    pthread_mutex_unlock(&aside->lock);
}

void zf_aside_free(zf_aside *aside)
{
    if (!aside) return;
    pthread_mutex_lock(&aside->lock);
    aside->quit = true;
    pthread_cond_broadcast(&aside->changed);
    pthread_mutex_unlock(&aside->lock);
    pthread_join(aside->thread, NULL);
    pthread_cond_destroy(&aside->changed);
    pthread_mutex_destroy(&aside->lock);
    free(aside);
}
