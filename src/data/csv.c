/* The state machine behind csv.h. A plain cell that lies whole within a piece is
   handed on where it stands; only what is quoted or cut by the end of a piece
   is copied. */
#include "data/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "zeroflow/table.h"

enum state {
    AT_RECORD, /* before the first cell of a record */
    AT_CELL,   /* behind a delimiter */
    IN_PLAIN,
    IN_QUOTES,
    AFTER_QUOTE, /* behind a quote in a quoted cell: doubled, or the end */
    AFTER_CELL,  /* behind the closing quote: blanks up to the delimiter */
};

void zf_csv_start(zf_csv *csv, const char *path, char delimiter, zf_csv_sink sink)
{
    *csv = (zf_csv){.path = path,
                    .delimiter = delimiter,
                    .sink = sink,
                    .line = 1,
                    .cell_line = 1,
                    .record_line = 1};
    csv->special[(unsigned char)delimiter] = 1;
    csv->special['\n'] = csv->special['\r'] = csv->special['\0'] = 1;
}

void zf_csv_free(zf_csv *csv)
{
    free(csv->held);
    csv->held = NULL;
}

static zf_status hold(zf_csv *csv, const char *bytes, size_t n)
{
    size_t need = csv->held_bytes + n;
    if (n == 0) return ZF_OK;
    if (need > ZF_TABLE_CELL_MAX)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": a cell of more than %d bytes%s", csv->path,
                       csv->cell_line, ZF_TABLE_CELL_MAX,
                       csv->state == IN_QUOTES ? ", expected a closing quote" : "");
    if (need > csv->held_room) {
        size_t room = csv->held_room ? csv->held_room : 256;
        while (room < need) room *= 2;
        char *held = realloc(csv->held, room);
        if (!held) return zf_fail_memory(room);
        csv->held = held;
        csv->held_room = room;
    }
    memcpy(csv->held + csv->held_bytes, bytes, n);
    csv->held_bytes = need;
    return ZF_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Hands on a plain cell: what is held, then [from, to). */
static zf_status emit_plain(zf_csv *csv, const char *from, const char *to)
{
    if (csv->held_bytes > 0) {
        ZF_TRY(hold(csv, from, (size_t)(to - from)));
        from = csv->held;
        to = from + csv->held_bytes;
        csv->held_bytes = 0;
    }
    while (to > from && is_blank(to[-1])) to--;
    return csv->sink.cell(csv->sink.context, from, (size_t)(to - from), csv->cell_line);
}

static zf_status emit_quoted(zf_csv *csv)
{
    size_t n = csv->held_bytes;
    csv->held_bytes = 0;
    return csv->sink.cell(csv->sink.context, n ? csv->held : "", n, csv->cell_line);
}

static zf_status end_record(zf_csv *csv)
{
    csv->state = AT_RECORD;
    return csv->sink.record(csv->sink.context, csv->record_line);
}

static zf_status fail_at(const zf_csv *csv, const char *message)
{
    return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": %s", csv->path, csv->line, message);
}

/* LF, CR, or the LF of a CRLF, which was counted with its CR. */
static void count_line(zf_csv *csv, char c)
{
    if (!(c == '\n' && csv->after_return)) csv->line++;
    csv->after_return = c == '\r';
}

/* Takes one byte at the start of a cell. */
static zf_status open_cell(zf_csv *csv, char c, const char *at, const char **plain)
{
    bool newline = c == '\n' || c == '\r', runs = csv->delimiter == ' ';
    if (newline && csv->state == AT_RECORD) { /* a blank line, or the LF of a CRLF */
        count_line(csv, c);
        return ZF_OK;
    }
    if (csv->state == AT_RECORD) csv->record_line = csv->line;
    csv->cell_line = csv->line;
    if (newline) {
        if (!runs) ZF_TRY(csv->sink.cell(csv->sink.context, "", 0, csv->line));
        count_line(csv, c);
        return end_record(csv);
    }
    csv->after_return = false;
    if (c == csv->delimiter && !runs) {
        csv->state = AT_CELL;
        return csv->sink.cell(csv->sink.context, "", 0, csv->line);
    }
    if (is_blank(c)) return ZF_OK;
    if (c == '\0') return fail_at(csv, "a NUL byte, expected text in UTF-8");
    csv->state = c == '"' ? IN_QUOTES : IN_PLAIN;
    *plain = at;
    return ZF_OK;
}

/* Takes the delimiter or the newline behind a cell that was just handed on. */
static zf_status close_cell(zf_csv *csv, char c)
{
    if (c == csv->delimiter) {
        csv->state = AT_CELL;
        return ZF_OK;
    }
    count_line(csv, c);
    return end_record(csv);
}

/* Takes one byte behind a quote within a quoted cell, or behind its end. */
static zf_status follow_quote(zf_csv *csv, char c)
{
    if (c == '"' && csv->state == AFTER_QUOTE) {
        csv->state = IN_QUOTES;
        return hold(csv, "\"", 1);
    }
    if (csv->state == AFTER_QUOTE) ZF_TRY(emit_quoted(csv));
    csv->state = AFTER_CELL;
    if (c == csv->delimiter || c == '\n' || c == '\r') return close_cell(csv, c);
    if (is_blank(c)) return ZF_OK;
    return fail_at(csv, "text behind a closing quote, expected a delimiter or the end of the line");
}

/* Takes plain text up to a special byte, and that. */
static zf_status take_plain(zf_csv *csv, const char **at, const char *end, const char *plain)
{
    const char *c = *at;
    while (c < end && !csv->special[(unsigned char)*c]) c++;
    *at = c;
    if (c == end) return hold(csv, plain, (size_t)(c - plain));
    if (*c == '\0') return fail_at(csv, "a NUL byte, expected text in UTF-8");
    ZF_TRY(emit_plain(csv, plain, c));
    ++*at;
    return close_cell(csv, *c);
}

/* Takes quoted text up to a quote, and that. */
static zf_status take_quoted(zf_csv *csv, const char **at, const char *end)
{
    const char *c = *at;
    while (c < end && *c != '"' && *c != '\0') {
        if (*c == '\n' || *c == '\r')
            count_line(csv, *c);
        else
            csv->after_return = false;
        c++;
    }
    ZF_TRY(hold(csv, *at, (size_t)(c - *at)));
    *at = c;
    if (c == end) return ZF_OK;
    if (*c == '\0') return fail_at(csv, "a NUL byte, expected text in UTF-8");
    ++*at;
    csv->state = AFTER_QUOTE;
    csv->after_return = false;
    return ZF_OK;
}

zf_status zf_csv_feed(zf_csv *csv, const char *bytes, size_t n)
{
    const char *at = bytes, *end = bytes + n, *plain = bytes;
    while (at < end) {
        switch ((enum state)csv->state) {
        case AT_RECORD:
        case AT_CELL:
            ZF_TRY(open_cell(csv, *at, at, &plain));
            at++;
            break;
        case IN_PLAIN:
            ZF_TRY(take_plain(csv, &at, end, plain));
            break;
        case IN_QUOTES:
            ZF_TRY(take_quoted(csv, &at, end));
            break;
        case AFTER_QUOTE:
        case AFTER_CELL:
            ZF_TRY(follow_quote(csv, *at++));
            break;
        }
    }
    /* A piece that ends right behind the first byte of a plain cell. */
    if (csv->state == IN_PLAIN && plain < end && csv->held_bytes == 0)
        ZF_TRY(hold(csv, plain, (size_t)(end - plain)));
    return ZF_OK;
}

zf_status zf_csv_finish(zf_csv *csv)
{
    switch ((enum state)csv->state) {
    case AT_RECORD:
        return ZF_OK;
    case AT_CELL:
        if (csv->delimiter != ' ') ZF_TRY(csv->sink.cell(csv->sink.context, "", 0, csv->line));
        break;
    case IN_PLAIN:
        ZF_TRY(emit_plain(csv, "", ""));
        break;
    case IN_QUOTES:
        return zf_fail(ZF_EINPUT,
                       "%s:%" PRIu64 ": a quote that is never closed, expected a closing quote",
                       csv->path, csv->cell_line);
    case AFTER_QUOTE:
        ZF_TRY(emit_quoted(csv));
        break;
    case AFTER_CELL:
        break;
    }
    return end_record(csv);
}
