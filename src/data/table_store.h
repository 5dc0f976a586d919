/* The inside of a zf_table, for the files that fill and examine it.

   Values are float64 in blocks of whole rows, row-major, 256 KB each (or one
   row): nothing is moved or copied as the table grows, so the memory in use is
   the table and at most one block more. NaN stands where there is no number.
   Beside each public zf_column there is what had to be remembered of its cells
   to type it and to name the place of a fault. */
#ifndef ZF_DATA_TABLE_STORE_H
#define ZF_DATA_TABLE_STORE_H

#include <stdint.h>

#include "base/arena.h"
#include "data/cell.h"
#include "data/distinct.h"
#include "zeroflow/table.h"

/* A cell that a message may have to show. */
typedef struct zf_table_cell {
    const char *text; /* NULL: there was none */
    uint64_t line;    /* 0 for NPY */
} zf_table_cell;

typedef struct zf_tally {
    size_t numbers, words, dates, texts, unfinite;
    double low, high;          /* two distinct values, if there are two */
    bool more;                 /* there are more than two */
    bool whole;                /* all numbers are whole */
    zf_table_cell other;       /* the first cell that is neither missing nor a number */
    zf_table_cell unfinite_at; /* the first infinite one or NaN */
    zf_table_cell huge_at;     /* the first above ZF_VALUE_MOST */
    uint64_t missing_line;     /* of the first missing cell, 0 if unknown */
    zf_distinct distinct;      /* from the first cell that is not a number */
    size_t lost, counted;      /* zf_resolution of a used column, after zf_table_check */
} zf_tally;

static const size_t ZF_NO_COLUMN = (size_t)-1;

struct zf_table {
    char *path;
    const char *format;
    zf_arena texts;
    size_t rows, columns, column_room;
    zf_column *column;
    zf_tally *tally;
    size_t *by_name; /* columns by name */
    double **blocks;
    size_t n_blocks, block_room, block_rows;
    size_t group_column; /* whose text becomes numbers while rows are read; ZF_NO_COLUMN: none */
    double *groups;      /* [rows]: what that column held; NULL: no groups */
    bool checked;
    size_t complete;
    const char *note;
};

/* An empty table without columns. */
zf_status zf_table_new(zf_table **out, const char *path, const char *format) ZF_CHECK;

/* The next column; n bytes of name, in any encoding; "columnK" if n is 0. */
zf_status zf_table_add_column(zf_table *table, const char *name, size_t n) ZF_CHECK;

/* After the last column: names must differ. line is where they stand, 0: nowhere. */
zf_status zf_table_index_names(zf_table *table, uint64_t line) ZF_CHECK;

/* Room for row table->rows; the pointer to its values. NULL: out of memory. */
double *zf_table_next_row(zf_table *table);

/* The values of a row. */
double *zf_table_row(const zf_table *table, size_t row);

/* Records a cell of row table->rows, whose room is there. */
zf_status zf_table_put(zf_table *table, size_t column, zf_cell_kind kind, double value,
                       const char *text, size_t n, uint64_t line) ZF_CHECK;

/* Before the first row: which column tells groups, so that its text is kept as numbers. */
void zf_table_find_groups(zf_table *table, const zf_table_options *options);

/* After the last row and before its values are judged: asks options->choose, and takes
   options->groups out. */
zf_status zf_table_choose(zf_table *table, const zf_table_options *options) ZF_CHECK;

/* After the last row: types, statistics. ZF_EINPUT: no rows, or a number that is
   not finite in a column that is numeric otherwise. */
zf_status zf_table_finish(zf_table *table) ZF_CHECK;

/* Formats into the table's texts; NULL: out of memory. */
const char *zf_table_text(zf_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The column's name for a message: quoted by the caller, cut and clean. */
const char *zf_table_shown_name(const zf_table *table, size_t column, char *shown);

/* "prices.csv:17" or, for NPY and unknown lines, "prices.npy". */
enum { ZF_PLACE_BYTES = 600 };
const char *zf_table_place(const zf_table *table, uint64_t line, char text[ZF_PLACE_BYTES]);

#endif
