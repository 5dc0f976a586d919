/* DOT, so that Graphviz has every name as it is.

   A node's identifier is its name. In a quoted string a backslash stands for itself, but
   before a quote, a line end or another backslash, so a name in which an odd number of them
   meets a quote, a line end or the end cannot be written; nor can one that starts with a %,
   which Graphviz keeps for names of its own making. Those nodes get an identifier that no
   name has, and their name as a label. In labels backslashes and entities mean something
   and are written out.

   Graphviz reads strings of up to 16 kB, so longer ones are written in pieces, joined by
   DOT's +. It cannot draw nodes that are far wider than paper, so a label shows the start
   of a long name only; the identifier is whole. */
#include <stdio.h>
#include <string.h>

#include "graph/graph.h"
#include "io/decimal.h"
#include "io/utf8.h"

enum { PIECE_BYTES = 4096, LABEL_BYTES = 1000 };

/* How many backslashes stand at text. */
static size_t backslashes(const char *text)
{
    return strspn(text, "\\");
}

static bool fits_identifier(const char *name)
{
    if (name[0] == '%') return false;
    while ((name = strchr(name, '\\'))) {
        size_t run = backslashes(name);
        name += run;
        if (run % 2 && (*name == '\0' || strchr("\"\n\r", *name))) return false;
    }
    return true;
}

/* One character of a string, or two backslashes, which belong together; returns its bytes. */
static size_t put_character(zf_sink *sink, const char *text, size_t left, bool label)
{
    size_t n = zf_utf8_length(text, left);
    if (n == 0) n = 1;
    if (left > 1 && text[0] == '\\' && text[1] == '\\') n = 2;
    if (*text == '"')
        zf_sink_text(sink, "\\\"");
    else if (label && *text == '&')
        zf_sink_text(sink, "&amp;");
    else if (label && *text == '\n')
        zf_sink_text(sink, "\\n");
    else
        for (int again = 0; again < (label && *text == '\\' ? 2 : 1); again++)
            zf_sink_bytes(sink, text, n);
    return n;
}

/* The first n bytes of text as a quoted string, and `more` at its end. */
static void put_string(zf_sink *sink, const char *text, size_t n, bool label, const char *more)
{
    size_t piece = 0;
    bool splits = false; /* not after one backslash, which would take the quote for its own */
    zf_sink_byte(sink, '"');
    while (n > 0) {
        if (piece >= PIECE_BYTES && splits) {
            zf_sink_text(sink, "\" + \"");
            piece = 0;
        }
        size_t taken = put_character(sink, text, n, label);
        piece += taken;
        splits = label || *text != '\\' || taken == 2;
        text += taken;
        n -= taken;
    }
    zf_sink_text(sink, more);
    zf_sink_byte(sink, '"');
}

/* How many underlines after "node" no name begins with. */
static int find_underlines(const zf_graph *graph)
{
    size_t most = 0;
    for (size_t i = 0; i < zf_graph_count(graph); i++) {
        const char *name = zf_graph_name(graph, i);
        if (strncmp(name, "node", 4) != 0) continue;
        size_t n = strspn(name + 4, "_");
        if (n > most) most = n;
    }
    return (int)most + 1;
}

static void put_identifier(zf_sink *sink, const zf_graph *graph, size_t node, int underlines)
{
    const char *name = zf_graph_name(graph, node);
    char number[24];
    if (fits_identifier(name)) {
        put_string(sink, name, strlen(name), false, "");
        return;
    }
    zf_sink_text(sink, "\"node");
    for (int i = 0; i < underlines; i++) zf_sink_byte(sink, '_');
    snprintf(number, sizeof number, "%zu\"", node + 1);
    zf_sink_text(sink, number);
}

static void put_label(zf_sink *sink, const char *name)
{
    size_t length = strlen(name), shown = 0;
    while (shown < length && shown < LABEL_BYTES) {
        size_t n = zf_utf8_length(name + shown, length - shown);
        shown += n > 0 ? n : 1;
    }
    zf_sink_text(sink, " [label=");
    put_string(sink, name, shown, true, shown < length ? "..." : "");
    zf_sink_byte(sink, ']');
}

/* Of two nodes, after the score; those that it has not are left out. */
static void put_evidence(zf_sink *sink, const zf_edge_evidence *evidence)
{
    char number[ZF_DECIMAL_ROOM];
    if (!evidence) return;
    zf_sink_text(sink, "\", p_value=\"");
    zf_sink_text(sink, zf_decimal_double(number, evidence->p_value));
    zf_sink_text(sink, "\", q_value=\"");
    zf_sink_text(sink, zf_decimal_double(number, evidence->q_value));
    zf_sink_text(sink, evidence->decided ? "\", decided=\"true" : "\", decided=\"false");
    if (evidence->stability < 0) return;
    zf_sink_text(sink, "\", stability=\"");
    zf_sink_text(sink, zf_decimal_double(number, evidence->stability));
}

void zf_graph_write_dot(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n)
{
    char style[40], number[ZF_DECIMAL_ROOM];
    int underlines = find_underlines(graph);
    float strongest = n > 0 && edges[0].score > 0 ? edges[0].score : 1;
    zf_sink_text(sink, "graph {\n");
    for (size_t i = 0; i < zf_graph_count(graph); i++) {
        const char *name = zf_graph_name(graph, i);
        zf_sink_text(sink, "  ");
        put_identifier(sink, graph, i, underlines);
        /* Else the label is the name as it stands. */
        if (!fits_identifier(name) || strpbrk(name, "\\&\n") || strlen(name) > LABEL_BYTES)
            put_label(sink, name);
        zf_sink_text(sink, ";\n");
    }
    for (size_t i = 0; i < n; i++) {
        zf_sink_text(sink, "  ");
        put_identifier(sink, graph, edges[i].a, underlines);
        zf_sink_text(sink, " -- ");
        put_identifier(sink, graph, edges[i].b, underlines);
        zf_sink_text(sink, " [score=\""); /* DOT's bare numbers have no exponent */
        zf_sink_text(sink, zf_decimal_real(number, edges[i].score));
        put_evidence(sink, zf_graph_evidence(graph, edges[i].a, edges[i].b));
        /* From a hair to four points, in tenths: no decimal point to localise. */
        float share = edges[i].score > 0 ? edges[i].score / strongest : 0;
        int tenths = 3 + (int)(37 * share + 0.5f);
        snprintf(style, sizeof style, "\", penwidth=%d.%d];\n", tenths / 10, tenths % 10);
        zf_sink_text(sink, style);
    }
    zf_sink_text(sink, "}\n");
}
