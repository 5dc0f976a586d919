/* Files for a test: a folder of its own that is gone afterwards. */
#ifndef ZF_TEST_SCRATCH_H
#define ZF_TEST_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Group setup and teardown for cmocka: make and remove the folder. */
int scratch_setup(void **state);
int scratch_teardown(void **state);

/* The path of a file in the folder. The text is good until 16 calls later. */
const char *scratch_path(const char *name);

/* Writes a file there and returns its path. */
const char *scratch_write(const char *name, const void *bytes, size_t n);
const char *scratch_text(const char *name, const char *text);
const char *scratch_gzip(const char *name, const void *bytes, size_t n);

/* The bytes of a file, for free(); ends with a NUL that n does not count. */
char *scratch_read(const char *path, size_t *n);

/* The file with a piece of its text replaced by another of the same length, so that it
   stays a file, as "forged", with a checksum that agrees; returns its path. */
const char *scratch_forge(const char *name, const char *what, const char *by);

/* Makes the checksum of a safetensors file, if it has one, agree with its bytes. */
void scratch_seal(char *bytes, size_t n);

bool scratch_exists(const char *path);
/* Files in the folder: a test of "no partial output" counts them. */
size_t scratch_count(void);
/* Removes all files and folders from the folder. */
void scratch_clear(void);

/* The path of tests/golden/io/NAME. */
const char *golden_path(const char *name);

#endif
