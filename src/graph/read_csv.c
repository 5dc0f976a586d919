/* Graphs from CSV: a list of edges, or the square of gates. The header tells
   which; the records stream by, so the memory in use is that of the edges. Rows of
   gates are kept as they come, for a header alone may ask for a square of 3.6 GB;
   the square is made when all of them are there. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/analyze.h"
#include "base/error.h"
#include "data/csv.h"
#include "data/number.h"
#include "data/text.h"
#include "graph/graph.h"

enum { PIECE_BYTES = 64 * 1024 };
enum { SOURCE, TARGET, SCORE, ROLES };

/* A cell that is kept until its record ends. */
typedef struct held {
    char *text;
    size_t room;
} held;

typedef struct reading {
    zf_graph_reader *reader;
    zf_node_names header;
    bool in_header, square;
    size_t cells;      /* of the current record so far */
    long role[ROLES];  /* their columns; -1: none */
    held cell[ROLES];  /* of the current record */
    uint32_t *node_of; /* of a square: the node of each column but the first */
    bool *seen;        /* of a square: which nodes had their row */
    uint32_t *row_of;  /* of a square: the node of each row so far */
    float *rows;       /* of a square: [n_rows][nodes] */
    size_t n_rows, room;
} reading;

/* The analyzer does not see that what realloc gives is kept in cell->text. */
ZF_ANALYZER_MISTAKES("-Wanalyzer-malloc-leak")
static zf_status keep(held *cell, const char *text, size_t n)
{
    size_t bytes = zf_text_utf8_bytes(text, n) + 1;
    if (bytes > cell->room) {
        char *grown = realloc(cell->text, bytes);
        if (!grown) return zf_fail_memory(bytes);
        cell->text = grown;
        cell->room = bytes;
    }
    zf_text_to_utf8(cell->text, text, n);
    cell->text[bytes - 1] = '\0';
    return ZF_OK;
}
ZF_ANALYZER_AGAIN

static zf_status take_header(reading *r, const char *text, size_t n, uint64_t line)
{
    char shown[ZF_SHOWN_BYTES];
    ZF_TRY(keep(&r->cell[SOURCE], text, n));
    const char *name = r->cell[SOURCE].text;
    if (r->header.n == 0 && strcmp(name, "gates") == 0) {
        r->square = true;
        name = ""; /* no node has this name, while one may be named gates */
    }
    if (zf_node_names_find(&r->header, name) >= 0)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": two columns are named \"%s\"", r->reader->path,
                       line, zf_text_show(shown, sizeof shown, text, n));
    if (r->header.n > ZF_GRAPH_NODES_MAX)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": more than %d columns", r->reader->path, line,
                       ZF_GRAPH_NODES_MAX + 1);
    return zf_node_names_add(&r->header, name);
}

static zf_status take_number(double *value, const reading *r, size_t column, const char *text,
                             size_t n, uint64_t line)
{
    char name[ZF_SHOWN_BYTES], shown[ZF_SHOWN_BYTES];
    const char *header = r->header.list[column];
    if (zf_number_parse(text, n, value) == ZF_NUMBER_FINITE && isfinite((float)*value))
        return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "%s:%" PRIu64 ": column \"%s\": expected a finite number, found "
                   "\"%s\"",
                   r->reader->path, line, zf_text_show(name, sizeof name, header, strlen(header)),
                   zf_text_show(shown, sizeof shown, text, n));
}

/* Room for one more row of gates, which are 0. */
static zf_status begin_row(reading *r, uint32_t node)
{
    size_t nodes = r->reader->names.n;
    if (r->n_rows == r->room) {
        size_t room = r->room ? 2 * r->room : 16;
        float *rows = realloc(r->rows, room * nodes * sizeof *rows);
        if (!rows) return zf_fail_memory(room * nodes * sizeof *rows);
        r->rows = rows;
        r->room = room;
    }
    memset(r->rows + r->n_rows * nodes, 0, nodes * sizeof *r->rows);
    r->row_of[r->n_rows++] = node;
    return ZF_OK;
}

/* The analyzer does not see that the gates are freed with the reader. */
ZF_ANALYZER_MISTAKES("-Wanalyzer-malloc-leak")
static zf_status end_square(reading *r)
{
    size_t nodes = r->reader->names.n;
    if (r->n_rows != r->header.n - 1)
        return zf_fail(ZF_EINPUT, "%s: gates of %zu nodes in %zu rows, expected a row for each",
                       r->reader->path, r->header.n - 1, r->n_rows);
    r->reader->gates = calloc(nodes * nodes, sizeof *r->rows);
    if (!r->reader->gates) return zf_fail_memory(nodes * nodes * sizeof *r->rows);
    for (size_t i = 0; i < r->n_rows; i++)
        memcpy(r->reader->gates + r->row_of[i] * nodes, r->rows + i * nodes,
               nodes * sizeof *r->rows);
    return ZF_OK;
}
ZF_ANALYZER_AGAIN

static zf_status take_square(reading *r, size_t column, const char *text, size_t n, uint64_t line)
{
    char place[24], shown[ZF_SHOWN_BYTES];
    if (column > 0) {
        double value = 0;
        ZF_TRY(take_number(&value, r, column, text, n, line));
        size_t nodes = r->reader->names.n;
        r->rows[(r->n_rows - 1) * nodes + r->node_of[column - 1]] = (float)value;
        return ZF_OK;
    }
    ZF_TRY(keep(&r->cell[TARGET], text, n));
    const char *name = r->cell[TARGET].text;
    long found = zf_node_names_find(&r->header, name);
    if (found < 1)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": a row for \"%s\", expected one of the columns",
                       r->reader->path, line, zf_text_show(shown, sizeof shown, text, n));
    snprintf(place, sizeof place, "%" PRIu64, line);
    uint32_t node;
    ZF_TRY(zf_graph_reader_node(r->reader, &node, name, place));
    if (r->seen[node])
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": a second row for \"%s\"", r->reader->path, line,
                       zf_text_show(shown, sizeof shown, text, n));
    r->seen[node] = true;
    return begin_row(r, node);
}

static zf_status on_cell(void *context, const char *text, size_t n, uint64_t line)
{
    reading *r = context;
    size_t column = r->cells++;
    if (r->in_header) return take_header(r, text, n, line);
    if (column >= r->header.n)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": expected %zu cells as in the header, found more",
                       r->reader->path, line, r->header.n);
    if (r->square) return take_square(r, column, text, n, line);
    for (int i = 0; i < ROLES; i++)
        if ((long)column == r->role[i]) return keep(&r->cell[i], text, n);
    return ZF_OK;
}

static void find_roles(reading *r)
{
    static const char *const words[ROLES][2] = {
        {"source", "from"}, {"target", "to"}, {"score", "weight"}};
    for (int role = 0; role < ROLES; role++) {
        r->role[role] = -1;
        for (int word = 1; word >= 0; word--) /* the first word wins */
            for (size_t i = 0; i < r->header.n; i++)
                if (strcasecmp(r->header.list[i], words[role][word]) == 0) r->role[role] = (long)i;
    }
}

/* The columns of a square are its nodes. */
static zf_status begin_square(reading *r, uint64_t line)
{
    char place[24];
    zf_graph_reader *reader = r->reader;
    size_t columns = r->header.n - 1;
    snprintf(place, sizeof place, "%" PRIu64, line);
    r->node_of = malloc((columns + 1) * sizeof *r->node_of);
    if (!r->node_of) return zf_fail_memory((columns + 1) * sizeof *r->node_of);
    for (size_t i = 0; i < columns; i++)
        ZF_TRY(zf_graph_reader_node(reader, &r->node_of[i], r->header.list[i + 1], place));
    size_t nodes = reader->names.n;
    r->seen = calloc(nodes + 1, sizeof *r->seen);
    r->row_of = malloc((nodes + 1) * sizeof *r->row_of);
    if (!r->seen || !r->row_of) return zf_fail_memory(nodes * sizeof *r->row_of);
    return ZF_OK;
}

static zf_status end_header(reading *r, uint64_t line)
{
    char shown[ZF_SHOWN_BYTES];
    r->in_header = false;
    if (r->square && r->header.n > 2) return begin_square(r, line);
    find_roles(r);
    if (!r->square && r->role[SOURCE] >= 0 && r->role[TARGET] >= 0) return ZF_OK;
    const char *first = r->square ? "gates" : r->header.list[0];
    return zf_fail(ZF_EINPUT,
                   "%s:%" PRIu64 ": expected the header source,target or source,target,score, "
                   "found %zu column%s of which the first is \"%s\"",
                   r->reader->path, line, r->header.n, r->header.n == 1 ? "" : "s",
                   zf_text_show(shown, sizeof shown, first, strlen(first)));
}

static zf_status end_edge(reading *r, uint64_t line)
{
    char place[24];
    uint32_t a, b;
    double score = 1;
    snprintf(place, sizeof place, "%" PRIu64, line);
    ZF_TRY(zf_graph_reader_node(r->reader, &a, r->cell[SOURCE].text, place));
    ZF_TRY(zf_graph_reader_node(r->reader, &b, r->cell[TARGET].text, place));
    if (r->role[SCORE] >= 0)
        ZF_TRY(take_number(&score, r, (size_t)r->role[SCORE], r->cell[SCORE].text,
                           strlen(r->cell[SCORE].text), line));
    return zf_graph_reader_edge(r->reader, a, b, score, place);
}

static zf_status on_record(void *context, uint64_t line)
{
    reading *r = context;
    size_t cells = r->cells;
    r->cells = 0;
    if (r->in_header) return end_header(r, line);
    if (cells < r->header.n)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": expected %zu cells as in the header, found %zu",
                       r->reader->path, line, r->header.n, cells);
    return r->square ? ZF_OK : end_edge(r, line);
}

/* The header names columns that are known, so its first delimiter is the one. */
static char find_delimiter(const char *bytes, size_t n)
{
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '"') quoted = !quoted;
        if (!quoted && memchr(",;\t|", bytes[i], 4)) return bytes[i];
        if (!quoted && (bytes[i] == '\n' || bytes[i] == '\r')) break;
    }
    return ',';
}

static zf_status feed(zf_csv *csv, zf_io_input *input, const char *piece, size_t n, char *room)
{
    while (n > 0) {
        ZF_TRY(zf_csv_feed(csv, piece, n));
        ZF_TRY(zf_io_input_read(input, room, PIECE_BYTES, &n));
        piece = room;
    }
    return zf_csv_finish(csv);
}

static zf_status read_all(reading *r, zf_io_input *input, char *piece)
{
    size_t n;
    ZF_TRY(zf_io_input_read(input, piece, PIECE_BYTES, &n));
    size_t start = n >= 3 && memcmp(piece, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    zf_csv csv;
    zf_csv_start(&csv, r->reader->path, find_delimiter(piece + start, n - start),
                 (zf_csv_sink){on_cell, on_record, r});
    zf_status status = feed(&csv, input, piece + start, n - start, piece);
    zf_csv_free(&csv);
    if (status != ZF_OK) return status;
    if (r->in_header)
        return zf_fail(ZF_EINPUT, "%s: empty, expected the header source,target", r->reader->path);
    return r->square ? end_square(r) : ZF_OK;
}

zf_status zf_graph_read_csv(zf_graph_reader *reader, zf_io_input *input)
{
    reading r = {.reader = reader, .in_header = true};
    char *piece = malloc(PIECE_BYTES);
    zf_status status = piece ? read_all(&r, input, piece) : zf_fail_memory(PIECE_BYTES);
    free(piece);
    for (int i = 0; i < ROLES; i++) free(r.cell[i].text);
    free(r.node_of);
    free(r.seen);
    free(r.row_of);
    free(r.rows);
    zf_node_names_free(&r.header);
    return status;
}
