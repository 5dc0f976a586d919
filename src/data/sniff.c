/* Each delimiter is tried on the first hundred records with the real parser. The
   one wins for which most records have as many cells as the first one, and at
   least two; on a tie the order is tab, semicolon, comma, bar: a semicolon file
   with decimal commas also splits evenly at commas, the reverse is rare. A
   space must split every record evenly and leave nothing but values below the
   first.

   The first record holds names if text or a date stands above a number in some
   column; if it holds no number and no date at all, too. Otherwise it is data. */
#include "data/sniff.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/cell.h"
#include "data/csv.h"

enum { RECORDS = 100 };

typedef struct attempt {
    const zf_table_options *options;
    unsigned char *first; /* kinds of the cells of the first record */
    size_t first_cells, first_room;
    size_t records, cells; /* cells of the current record */
    size_t agreeing;       /* records with as many cells as the first */
    bool named_number;     /* text or a date above a number */
    bool first_value;      /* a number, a word or a date in the first record */
    bool first_text;
    bool other_text; /* text below the first record */
} attempt;

static zf_status keep_first(attempt *trial, zf_cell_kind kind)
{
    if (trial->cells == trial->first_room) {
        size_t room = trial->first_room ? 2 * trial->first_room : 64;
        unsigned char *first = realloc(trial->first, room);
        if (!first) return zf_fail_memory(room);
        trial->first = first;
        trial->first_room = room;
    }
    trial->first[trial->cells] = (unsigned char)kind;
    trial->first_text |= kind == ZF_CELL_TEXT;
    trial->first_value |= kind != ZF_CELL_TEXT && kind != ZF_CELL_MISSING;
    return ZF_OK;
}

static zf_status on_cell(void *context, const char *text, size_t n, uint64_t line)
{
    attempt *trial = context;
    double value;
    (void)line;
    zf_cell_kind kind = zf_cell_classify(text, n, trial->options, &value);
    if (kind == ZF_CELL_TEXT && zf_cell_is_decimal_comma(text, n))
        kind = ZF_CELL_NUMBER; /* will be refused as such, but it is no name */
    if (trial->records == 0) {
        ZF_TRY(keep_first(trial, kind));
    } else {
        trial->other_text |= kind == ZF_CELL_TEXT;
        if (trial->cells < trial->first_cells && kind == ZF_CELL_NUMBER) {
            zf_cell_kind above = trial->first[trial->cells];
            trial->named_number |= above == ZF_CELL_TEXT || above == ZF_CELL_DATE;
        }
    }
    trial->cells++;
    return ZF_OK;
}

/* ZF_EINTERRUPT ends the trial when enough was seen. */
static zf_status on_record(void *context, uint64_t line)
{
    attempt *trial = context;
    (void)line;
    if (trial->records == 0) trial->first_cells = trial->cells;
    trial->agreeing += trial->cells == trial->first_cells;
    trial->records++;
    trial->cells = 0;
    return trial->records == RECORDS ? ZF_EINTERRUPT : ZF_OK;
}

static zf_status run_trial(attempt *trial, char delimiter, const char *bytes, size_t n, bool whole)
{
    zf_csv csv;
    zf_csv_start(&csv, "", delimiter, (zf_csv_sink){on_cell, on_record, trial});
    zf_status status = zf_csv_feed(&csv, bytes, n);
    if (status == ZF_OK && whole) status = zf_csv_finish(&csv);
    zf_csv_free(&csv);
    if (trial->records == 0)
        trial->first_cells = trial->cells;          /* one line, longer than the sample */
    return status == ZF_ENOMEM ? ZF_ENOMEM : ZF_OK; /* what is malformed is told when read */
}

/* How well the delimiter fits: 0 not at all. */
static size_t score(const attempt *trial, char delimiter)
{
    if (trial->first_cells < 2) return 0;
    bool even = trial->agreeing == trial->records;
    if (delimiter == ' ' && (!even || trial->other_text || trial->records < 2)) return 0;
    return trial->records ? trial->agreeing : 1;
}

static bool has_header(const attempt *trial)
{
    if (trial->named_number) return true;
    return trial->first_text && !trial->first_value;
}

zf_status zf_sniff(zf_sniffed *out, const char *bytes, size_t n, bool whole,
                   const zf_table_options *options)
{
    static const char candidates[] = {'\t', ';', ',', '|', ' '};
    size_t best = 0;
    zf_sniffed found = {',', false};
    for (size_t i = 0; i < sizeof candidates; i++) {
        attempt trial = {.options = options};
        char delimiter = options->delimiter ? options->delimiter : candidates[i];
        zf_status status = run_trial(&trial, delimiter, bytes, n, whole);
        size_t points = score(&trial, delimiter);
        bool settled = options->delimiter != '\0';
        if (points > best || settled || (candidates[i] == ',' && best == 0))
            found = (zf_sniffed){delimiter, has_header(&trial)};
        if (points > best) best = points;
        free(trial.first);
        if (status != ZF_OK) return status;
        if (settled) break;
    }
    if (options->header != ZF_HEADER_AUTO) found.header = options->header == ZF_HEADER_YES;
    *out = found;
    return ZF_OK;
}
