/* The rows of bench/peers/two_sample.py: two columns, two samples. */
#ifndef ZF_TEST_KNOWN_SAMPLE_H
#define ZF_TEST_KNOWN_SAMPLE_H

/* What becomes of the second sample. */
enum { EQUAL, SHIFTED, SHEARED };

/* which: 0 or 1, the first or the second. */
void known_sample(double *to, int rows, int which, int kind);

#endif
