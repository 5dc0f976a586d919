/* Tables: rows of observations, columns of named variables, from CSV, TSV or NPY files, plain or
   gzipped, detected by their content.

     zf_table *table = NULL;
     zf_matrix matrix;
     if (zf_table_read(&table, "rows.csv", NULL) != ZF_OK) return fail();
     if (zf_table_check(table) != ZF_OK) return fail();
     if (zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP) != ZF_OK) return fail();

   Reading keeps every column: numbers as float64, others as a description (type, distinct values,
   an example). zf_table_check reports what a method cannot use; zf_table_matrix refuses it with a
   message such as

     prices.csv:17: column "AAPL": expected a number, found "n/a" (use missing to name it)

   What is read in CSV and TSV: quoted cells with doubled quotes and newlines
   inside; LF, CRLF or CR; a byte order mark; UTF-8, and other bytes as Latin-1;
   blanks around cells and blank lines are skipped. A number is decimal with a
   point ("-1.5e-3"); a decimal comma is not a number and the message says so.
   "true" and "false" (also True, TRUE) are 1 and 0 in a column that holds
   nothing else. A record with more or fewer cells than the first one, a quote
   that is never closed, a NUL byte, an infinite or too large number ("inf",
   "1e400"), a repeated name, and a file without rows are errors.

   Memory while reading stays within twice rows * columns * 8 bytes (and a
   few MB, and what the names need).

   Functions that take a const table may be called for one table from any number of threads at
   once; zf_table_keep and zf_table_check need exclusive access. */
#ifndef ZEROFLOW_TABLE_H
#define ZEROFLOW_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ZF_TABLE_COLUMNS_MAX = 1000000, /* more are refused */
    ZF_TABLE_CELL_MAX = 1000000,    /* bytes of a cell; more are refused */
    ZF_TABLE_DISTINCT_MAX = 1000,   /* distinct values are counted up to here */
    ZF_TABLE_COLLINEAR_MAX = 1000,  /* with more columns none is tested for collinearity */
};

typedef struct zf_table zf_table;

typedef enum zf_header {
    ZF_HEADER_AUTO, /* names unless the first record looks like the others */
    ZF_HEADER_YES,
    ZF_HEADER_NO, /* columns are named column1, column2, ... */
} zf_header;

typedef struct zf_table_options {
    size_t struct_size; /* zf_table_defaults sets it */
    char delimiter;     /* of CSV; 0: found among tab ; , | and space. A space stands for a run */
    zf_header header;   /* of CSV */
    /* Cells that stand for a missing value; the empty cell always does. By
       default NA, N/A, n/a, NaN, nan, null, NULL, ? and a lone point. In NPY a
       NaN is a missing value if "NaN" or "nan" is in the list. */
    const char *const *missing;
    size_t n_missing;
    /* Called when every row is read and before any value is judged: the place for
       zf_table_keep, so that a column that is left out cannot be at fault. What it returns
       beside ZF_OK ends the reading. NULL: every column is kept. */
    zf_status (*choose)(void *context, zf_table *table);
    void *choose_context;
    /* A column of numbers or text whose cells say which rows belong together (a patient, a
       plate). It is taken out of the table after `choose`, which has to keep it, and goes with
       the rows of zf_table_matrix. NULL: none. */
    const char *groups;
} zf_table_options;

ZF_API void zf_table_options_init(zf_table_options *options, size_t size);
static inline zf_table_options zf_table_defaults(void)
{
    zf_table_options options;
    zf_table_options_init(&options, sizeof options);
    return options;
}

typedef enum zf_column_type {
    ZF_COLUMN_EMPTY,    /* every cell is missing */
    ZF_COLUMN_NUMBER,   /* numbers, not all of them whole */
    ZF_COLUMN_INTEGER,  /* whole numbers */
    ZF_COLUMN_BINARY,   /* two distinct numbers in more than two cells, or true and false */
    ZF_COLUMN_CATEGORY, /* text that repeats: at most half as many values as cells */
    ZF_COLUMN_TEXT,     /* other text, also numbers mixed with text */
    ZF_COLUMN_DATE,     /* 2020-06-30, 2020/06/30, 30.06.2020, 06/30/2020, also with a time */
} zf_column_type;

/* "number", "integer", "binary", "category", "text", "date", "empty". */
ZF_API const char *zf_column_type_name(zf_column_type type);

/* What the numbers of a column probably are. The values of identifiers and codes are not
   quantities, so it is better to leave them out of blankets. */
typedef enum zf_column_role {
    ZF_ROLE_MEASURE,    /* measurements, counts, grades; also where nothing can be told */
    ZF_ROLE_IDENTIFIER, /* another number in every row, or the row's own */
    ZF_ROLE_CODE,       /* whole numbers that stand for kinds: postal codes, classes */
} zf_column_role;

/* "measure", "identifier", "code". */
ZF_API const char *zf_column_role_name(zf_column_role role);

/* Description of a column. The texts are UTF-8 and belong to the table. */
typedef struct zf_column {
    const char *name;
    zf_column_type type;
    bool numeric;                  /* number, integer or binary: it has values */
    size_t missing;                /* cells without a value */
    size_t distinct;               /* distinct values, up to ZF_TABLE_DISTINCT_MAX */
    bool constant;                 /* one distinct value */
    double minimum, maximum, mean; /* of numeric columns, else 0 */
    double deviation;              /* standard deviation, divisor n - 1; 0 for a single value */
    const char *example; /* the first cell that is not missing, cut at 63 bytes; "" if none */

    /* Set by zf_table_check: */
    bool used;           /* fit takes this column */
    long duplicate_of;   /* an earlier numeric column with the same cells; -1: none */
    bool collinear;      /* a linear function of earlier columns, to rounding */
    zf_column_role role; /* of a used column */
    const char *note;    /* what fit does with it and why, such as
                            used
                            used; 12 rows without a value are dropped
                            used; a linear function of "a", "b" and 3 more
                            used; likely an identifier
                            used; 399 of 400 distinct values fall together if standardised
                            dropped: constant
                            dropped: date
                            dropped: same as "a"
                            dropped: text ("n/a" on line 17 is not a number)
                            "" before zf_table_check */
} zf_column;

/* Reads the file; NULL options are the defaults. ZF_EIO: it cannot be opened or
   read. ZF_EINPUT: it is not a table; the message has file, line or offset,
   column, and what was expected. */
ZF_API zf_status zf_table_read(zf_table **out, const char *path,
                               const zf_table_options *options) ZF_CHECK;

/* The same of bytes in memory; name stands for the path in messages. */
ZF_API zf_status zf_table_read_memory(zf_table **out, const char *name, const void *bytes, size_t n,
                                      const zf_table_options *options) ZF_CHECK;

/* Keeps the n columns given and drops the others, as if the file had not had them; the order
   stays that of the file. Pointers from zf_table_column are no longer valid. ZF_EINVAL: no
   column, one outside the table, or a table that was checked already. */
ZF_API zf_status zf_table_keep(zf_table *table, const size_t *columns, size_t n) ZF_CHECK;

/* Finds duplicate and collinear columns and decides what fit does with each:
   fills in the last fields of every zf_column. Used is a column that is numeric
   and not constant, differs from every column before it, has no value above 1e300 in
   magnitude, and has a value in at least half of the rows; one that is collinear, or
   that loses distinct values in float32 if it is standardised, or that is likely to be an
   identifier or a code, is used, with a note. Takes memory for
   the square of the number of numeric columns, if that is at most ZF_TABLE_COLLINEAR_MAX. */
ZF_API zf_status zf_table_check(zf_table *table) ZF_CHECK;

ZF_API size_t zf_table_rows(const zf_table *table);
ZF_API size_t zf_table_columns(const zf_table *table);

/* "CSV", "TSV" or "NPY". */
ZF_API const char *zf_table_format(const zf_table *table);

/* A remark on the whole table by zf_table_check, such as why collinearity was
   not tested; "" if there is none. */
ZF_API const char *zf_table_note(const zf_table *table);

/* After zf_table_check: rows in which every used column has a value. */
ZF_API size_t zf_table_complete_rows(const zf_table *table);

/* column < zf_table_columns(table). The pointer is good until zf_table_free. */
ZF_API const zf_column *zf_table_column(const zf_table *table, size_t column);

/* The column of that name, -1 if there is none. */
ZF_API long zf_table_find(const zf_table *table, const char *name);

/* One value; NaN if it is missing or the column is not numeric. */
ZF_API double zf_table_value(const zf_table *table, size_t row, size_t column);

typedef enum zf_missing_rule {
    ZF_MISSING_DROP,   /* rows in which a chosen column has no value are left out */
    ZF_MISSING_REFUSE, /* they are an error that names the first */
} zf_missing_rule;

typedef struct zf_matrix {
    double *values; /* rows * columns, row-major */
    size_t rows, columns;
    size_t dropped; /* rows left out for missing values */
    double *groups; /* [rows], equal for rows of a group (zf_table_options); NULL: no groups */
    size_t *row;    /* [rows], of the table, from 0 */
} zf_matrix;

/* The chosen columns, in the order given, as they were read. NULL chooses the
   columns that zf_table_check marked as used. The values are the caller's:
   zf_matrix_free. ZF_EINPUT: a chosen column is not numeric, a value is above
   1e300 in magnitude, a value is missing and the rule refuses it, or no row is
   left. ZF_EINVAL: no such column, or NULL before zf_table_check. */
ZF_API zf_status zf_table_matrix(zf_matrix *out, const zf_table *table, const size_t *columns,
                                 size_t n_columns, zf_missing_rule rule) ZF_CHECK;

ZF_API void zf_matrix_free(zf_matrix *matrix); /* leaves it empty */

ZF_API void zf_table_free(zf_table *table); /* NULL is allowed */

/* Numbers to be written as a table: one of floats and doubles is NULL. */
typedef struct zf_numbers {
    const float *floats; /* rows * columns, row-major */
    const double *doubles;
    size_t rows, columns;
    const char *const *names; /* of the columns; NULL: no header */
    bool guard; /* text: names that a spreadsheet would run get an apostrophe before them */
} zf_numbers;

/* Writes a file, completely or not at all, in the format that its name ends with:
   .npy (float32 or float64, as they are; without the names), .tsv, and CSV for
   any other; "-" is CSV on standard output. Numbers read back as they were.
   ZF_EINVAL: .gz, which is not written. ZF_ENUMERIC: a number that is not finite, by row
   and column; nothing is written. ZF_EIO. */
ZF_API zf_status zf_table_write(const char *path, const zf_numbers *numbers) ZF_CHECK;

/* The same as CSV in memory: free *bytes with zf_free. */
ZF_API zf_status zf_table_encode(char **bytes, size_t *n, const zf_numbers *numbers) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
