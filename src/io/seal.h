/* The checksum of a safetensors file, in its own header.

   It is the metadata "zeroflow.checksum", 16 hexadecimal digits: the fingerprint
   (base/fingerprint.h) of every byte of the file from the first to the last, as 32-bit words, with
   these digits taken for zeros. Any one word that changes changes it, wherever it is. It tells
   accidents, not forgery: whoever means to can make it anew. */
#ifndef ZF_IO_SEAL_H
#define ZF_IO_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZF_SEAL_KEY   "zeroflow.checksum"
#define ZF_SEAL_BLANK "0000000000000000" /* what a writer gives as its value */

enum { ZF_SEAL_DIGITS = 16 };

/* Where the digits are in the first n bytes of a file; NULL: nowhere. */
char *zf_seal_find(char *bytes, size_t n);

void zf_seal_set(char *digits, uint64_t hash); /* no NUL behind them */

#endif
