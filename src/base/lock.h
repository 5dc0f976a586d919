/* A lock that one thread at a time can hold. */
#ifndef ZF_BASE_LOCK_H
#define ZF_BASE_LOCK_H

#include <pthread.h>

typedef pthread_mutex_t zf_lock;

static inline void zf_lock_init(zf_lock *lock)
{
    pthread_mutex_init(lock, NULL);
}

static inline void zf_lock_take(zf_lock *lock)
{
    pthread_mutex_lock(lock);
}

static inline void zf_lock_give(zf_lock *lock)
{
    pthread_mutex_unlock(lock);
}

static inline void zf_lock_destroy(zf_lock *lock)
{
    pthread_mutex_destroy(lock);
}

#endif
