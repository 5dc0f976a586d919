/* CSV cut into cells while it streams by.

   Bytes go in by pieces of any size, cells come out through a callback, so the
   memory in use is one cell. A cell is plain, or quoted with doubled quotes and
   newlines inside; blanks around it are not part of it. Lines end with LF,
   CRLF or CR; blank lines are skipped. With a space as delimiter, a run of
   blanks is one delimiter. */
#ifndef ZF_DATA_CSV_H
#define ZF_DATA_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

/* Who receives the cells. A status other than ZF_OK ends the parsing with it. */
typedef struct zf_csv_sink {
    zf_status (*cell)(void *context, const char *text, size_t n, uint64_t line);
    zf_status (*record)(void *context, uint64_t line); /* after the last cell of a record */
    void *context;
} zf_csv_sink;

typedef struct zf_csv {
    const char *path; /* for messages */
    char delimiter;
    zf_csv_sink sink;
    int state;
    bool after_return;          /* the last byte was CR */
    uint64_t line;              /* where the next byte is, from 1 */
    uint64_t record_line;       /* where the record began */
    uint64_t cell_line;         /* where the cell began */
    unsigned char special[256]; /* bytes that end a run of plain text */
    char *held;                 /* a cell that is quoted or spans two pieces */
    size_t held_bytes, held_room;
} zf_csv;

void zf_csv_start(zf_csv *csv, const char *path, char delimiter, zf_csv_sink sink);
zf_status zf_csv_feed(zf_csv *csv, const char *bytes, size_t n) ZF_CHECK;
zf_status zf_csv_finish(zf_csv *csv) ZF_CHECK; /* the last line needs no newline */
void zf_csv_free(zf_csv *csv);

#endif
