/* Streams CSV into a table: a first piece of the file is looked at to find the
   delimiter and the header, then it and the rest go through the parser. */
#include "data/table_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/csv.h"
#include "data/sniff.h"
#include "data/table_store.h"
#include "io/recognise.h"

enum { PIECE_BYTES = 256 * 1024 };
static const char EXPECTED[] = "a table (CSV, TSV or NPY)";

typedef struct filling {
    zf_table *table;
    const zf_table_options *options;
    bool header;
    bool first;   /* in the first record: the columns are being counted */
    size_t cells; /* of the current record so far */
    /* Without a header the cells of the first record wait here, each with a NUL
       behind it, until its end shows how wide a row is. */
    char *waiting;
    size_t waiting_bytes, waiting_room;
} filling;

static zf_status ragged(const filling *reading, size_t cells, bool more, uint64_t line)
{
    return zf_fail(
        ZF_EINPUT, "%s:%" PRIu64 ": expected %zu cells as in the first record, found %s%zu",
        reading->table->path, line, reading->table->columns, more ? "more than " : "", cells);
}

static zf_status hold_back(filling *reading, const char *text, size_t n)
{
    size_t need = reading->waiting_bytes + n + 1;
    if (need > reading->waiting_room) {
        size_t room = reading->waiting_room ? reading->waiting_room : 256;
        while (room < need) room *= 2;
        char *waiting = realloc(reading->waiting, room);
        if (!waiting) return zf_fail_memory(room);
        reading->waiting = waiting;
        reading->waiting_room = room;
    }
    if (n > 0) memcpy(reading->waiting + reading->waiting_bytes, text, n);
    reading->waiting[need - 1] = '\0';
    reading->waiting_bytes = need;
    return ZF_OK;
}

static zf_status put(filling *reading, size_t column, const char *text, size_t n, uint64_t line)
{
    double value = 0;
    zf_cell_kind kind = zf_cell_classify(text, n, reading->options, &value);
    return zf_table_put(reading->table, column, kind, value, text, n, line);
}

static zf_status on_cell(void *context, const char *text, size_t n, uint64_t line)
{
    filling *reading = context;
    zf_table *table = reading->table;
    size_t column = reading->cells++;
    if (reading->first) {
        ZF_TRY(zf_table_add_column(table, text, reading->header ? n : 0));
        return reading->header ? ZF_OK : hold_back(reading, text, n);
    }
    if (column >= table->columns) return ragged(reading, table->columns, true, line);
    if (column == 0 && !zf_table_next_row(table)) return ZF_ENOMEM;
    return put(reading, column, text, n, line);
}

/* The columns are known: the names, or the first row. */
static zf_status end_first(filling *reading, uint64_t line)
{
    zf_table *table = reading->table;
    reading->first = false;
    ZF_TRY(zf_table_index_names(table, reading->header ? line : 0));
    zf_table_find_groups(table, reading->options);
    if (reading->header) return ZF_OK;
    if (!zf_table_next_row(table)) return ZF_ENOMEM;
    const char *text = reading->waiting;
    for (size_t i = 0; i < table->columns; i++) {
        size_t n = strlen(text); /* the parser lets no NUL through */
        ZF_TRY(put(reading, i, text, n, line));
        text += n + 1;
    }
    table->rows++;
    free(reading->waiting);
    reading->waiting = NULL;
    return ZF_OK;
}

static zf_status on_record(void *context, uint64_t line)
{
    filling *reading = context;
    size_t cells = reading->cells;
    reading->cells = 0;
    if (reading->first) return end_first(reading, line);
    if (cells < reading->table->columns) return ragged(reading, cells, false, line);
    reading->table->rows++;
    return ZF_OK;
}

/* Feeds the piece at hand, then the rest of the file. */
static zf_status feed_all(zf_csv *csv, zf_io_input *input, char *piece, size_t start, size_t n)
{
    while (n > start) {
        ZF_TRY(zf_csv_feed(csv, piece + start, n - start));
        start = 0;
        ZF_TRY(zf_io_input_read(input, piece, PIECE_BYTES, &n));
    }
    return zf_csv_finish(csv);
}

static zf_status read_records(zf_table *table, zf_io_input *input, char *piece, size_t n,
                              size_t start, const zf_table_options *options)
{
    zf_sniffed sniffed;
    ZF_TRY(zf_sniff(&sniffed, piece + start, n - start, n < PIECE_BYTES, options));
    if (sniffed.delimiter == '\t') table->format = "TSV";
    filling reading = {.table = table, .options = options, .header = sniffed.header, .first = true};
    zf_csv csv;
    zf_csv_start(&csv, table->path, sniffed.delimiter, (zf_csv_sink){on_cell, on_record, &reading});
    zf_status status = feed_all(&csv, input, piece, start, n);
    zf_csv_free(&csv);
    free(reading.waiting);
    if (status != ZF_OK) return status;
    if (table->columns == 0) return zf_fail(ZF_EINPUT, "%s: empty, expected a table", table->path);
    if (table->rows == 0)
        return zf_fail(ZF_EINPUT,
                       "%s: a header with %zu names and no rows, expected at least one row",
                       table->path, table->columns);
    ZF_TRY(zf_table_choose(table, options));
    return zf_table_finish(table);
}

static zf_status read_piece(zf_table *table, zf_io_input *input, char *piece,
                            const zf_table_options *options)
{
    size_t n;
    ZF_TRY(zf_io_input_read(input, piece, PIECE_BYTES, &n));
    ZF_TRY(zf_recognise_text(table->path, piece, n, EXPECTED));
    zf_content content = zf_recognise(piece, n);
    size_t start = n >= 3 && memcmp(piece, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    zf_status status = read_records(table, input, piece, n, start, options);
    if (status != ZF_EINPUT || content.class != ZF_CONTENT_MARKUP) return status;
    return zf_fail(ZF_EINPUT, "%s: this is %s, expected %s", table->path, content.what, EXPECTED);
}

zf_status zf_table_read_csv(zf_table **out, zf_io_input *input, const zf_table_options *options)
{
    zf_table *table;
    ZF_TRY(zf_table_new(&table, zf_io_input_path(input), "CSV"));
    char *piece = malloc(PIECE_BYTES);
    zf_status status =
        piece ? read_piece(table, input, piece, options) : zf_fail_memory(PIECE_BYTES);
    free(piece);
    if (status != ZF_OK) {
        zf_table_free(table);
        return status;
    }
    *out = table;
    return ZF_OK;
}
