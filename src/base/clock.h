/* Seconds since some fixed moment; never runs backwards. */
#ifndef ZF_BASE_CLOCK_H
#define ZF_BASE_CLOCK_H

double zf_clock_now(void);

#endif
