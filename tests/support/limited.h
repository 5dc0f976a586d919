/* Running a piece of a test with little memory. */
#ifndef ZF_TEST_LIMITED_H
#define ZF_TEST_LIMITED_H

#include <stdbool.h>

/* Can address space be limited here? Not under sanitizers, which take terabytes of it;
   says so. */
bool can_limit_memory(void);

/* What run(context) returns (0 .. 100) in a process of its own that may take so many MB of
   address space more than this one has; 128 + a signal's number if it dies of one. One that
   never ends is ended by an alarm after minutes. */
int outcome_within(long megabytes, int (*run)(const void *context), const void *context);

#endif
