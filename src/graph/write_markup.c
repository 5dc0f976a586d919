/* GraphML, GML and JSON: each with its own way to keep any name whole.

   Nodes are known by their names, not by numbers, wherever a format lets us:
   that is what NetworkX, Cytoscape and a person see first. Edges carry `score`,
   and in GraphML and GML also `weight`, the one name that Gephi and the
   algorithms of NetworkX look for. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "data/text.h"
#include "graph/graph.h"
#include "io/decimal.h"
#include "io/utf8.h"

static void put_score(zf_sink *sink, float score)
{
    char number[ZF_DECIMAL_ROOM];
    zf_sink_text(sink, zf_decimal_real(number, score));
}

/* The same of a double: a whole number gets a point, as GML tells reals by it. */
static void put_real(zf_sink *sink, double value)
{
    char number[ZF_DECIMAL_ROOM];
    zf_sink_text(sink, zf_decimal_double(number, value));
    if (!strpbrk(number, ".e")) zf_sink_text(sink, ".0");
}

/* Behind the words that name it, if it was measured. */
static void put_stability(zf_sink *sink, const zf_edge_evidence *evidence, const char *words)
{
    if (evidence->stability < 0) return;
    zf_sink_text(sink, words);
    put_real(sink, evidence->stability);
}

/* XML 1.0 has no way to write most control characters, nor U+FFFE and U+FFFF. */
static bool fits_xml(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 && !strchr("\t\n\r", *text)) return false;
        if (strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0)
            return false;
    }
    return true;
}

/* Text for an attribute or an element: line ends and tabs as numbers, which a
   parser does not turn into blanks. */
static void put_xml(zf_sink *sink, const char *text)
{
    char number[8];
    for (; *text; text++) switch (*text) {
        case '&':
            zf_sink_text(sink, "&amp;");
            break;
        case '<':
            zf_sink_text(sink, "&lt;");
            break;
        case '>':
            zf_sink_text(sink, "&gt;");
            break;
        case '"':
            zf_sink_text(sink, "&quot;");
            break;
        case '\t':
        case '\n':
        case '\r':
            snprintf(number, sizeof number, "&#%d;", *text);
            zf_sink_text(sink, number);
            break;
        default:
            zf_sink_byte(sink, *text);
        }
}

static void put_xml_node(zf_sink *sink, const char *name)
{
    char shown[ZF_SHOWN_BYTES];
    if (!fits_xml(name))
        zf_sink_fail(sink, zf_fail(ZF_EINVAL,
                                   "the name \"%s\" has a control character, which GraphML cannot "
                                   "hold; expected another format, such as JSON",
                                   zf_text_show(shown, sizeof shown, name, strlen(name))));
    zf_sink_text(sink, "    <node id=\"");
    put_xml(sink, name);
    zf_sink_text(sink, "\"><data key=\"label\">");
    put_xml(sink, name);
    zf_sink_text(sink, "</data></node>\n");
}

void zf_graph_write_graphml(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n)
{
    zf_sink_text(sink,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                 "  <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
                 "  <key id=\"score\" for=\"edge\" attr.name=\"score\" attr.type=\"double\"/>\n"
                 "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n");
    if (graph->evidence)
        zf_sink_text(
            sink,
            "  <key id=\"p_value\" for=\"edge\" attr.name=\"p_value\" attr.type=\"double\"/>\n"
            "  <key id=\"q_value\" for=\"edge\" attr.name=\"q_value\" attr.type=\"double\"/>\n"
            "  <key id=\"decided\" for=\"edge\" attr.name=\"decided\" "
            "attr.type=\"boolean\"/>\n");
    if (graph->stability)
        zf_sink_text(sink, "  <key id=\"stability\" for=\"edge\" attr.name=\"stability\" "
                           "attr.type=\"double\"/>\n");
    zf_sink_text(sink, "  <graph edgedefault=\"undirected\">\n");
    for (size_t i = 0; i < zf_graph_count(graph); i++) put_xml_node(sink, zf_graph_name(graph, i));
    for (size_t i = 0; i < n; i++) {
        zf_sink_text(sink, "    <edge source=\"");
        put_xml(sink, zf_graph_name(graph, edges[i].a));
        zf_sink_text(sink, "\" target=\"");
        put_xml(sink, zf_graph_name(graph, edges[i].b));
        zf_sink_text(sink, "\"><data key=\"score\">");
        put_score(sink, edges[i].score);
        zf_sink_text(sink, "</data><data key=\"weight\">");
        put_score(sink, edges[i].score);
        const zf_edge_evidence *evidence = zf_graph_evidence(graph, edges[i].a, edges[i].b);
        if (evidence) {
            zf_sink_text(sink, "</data><data key=\"p_value\">");
            put_real(sink, evidence->p_value);
            zf_sink_text(sink, "</data><data key=\"q_value\">");
            put_real(sink, evidence->q_value);
            zf_sink_text(sink, "</data><data key=\"decided\">");
            zf_sink_text(sink, evidence->decided ? "true" : "false");
            put_stability(sink, evidence, "</data><data key=\"stability\">");
        }
        zf_sink_text(sink, "</data></edge>\n");
    }
    zf_sink_text(sink, "  </graph>\n</graphml>\n");
}

/* The code point of the character that text starts with. */
static unsigned code_point(const char *text, size_t length)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = (unsigned char)text[0] & first[length];
    for (size_t i = 1; i < length; i++) code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

/* GML is ASCII; everything else is a character reference. */
static void put_gml(zf_sink *sink, const char *text)
{
    char number[16];
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = zf_utf8_length(text, left);
        unsigned code = code_point(text, length);
        if (code == '&')
            zf_sink_text(sink, "&amp;");
        else if (code == '"')
            zf_sink_text(sink, "&quot;");
        else if (code >= ' ' && code < 0x7f)
            zf_sink_byte(sink, *text);
        else {
            snprintf(number, sizeof number, "&#%u;", code);
            zf_sink_text(sink, number);
        }
        text += length;
        left -= length;
    }
}

void zf_graph_write_gml(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n)
{
    char line[80];
    zf_sink_text(sink, "graph [\n  directed 0\n");
    for (size_t i = 0; i < zf_graph_count(graph); i++) {
        snprintf(line, sizeof line, "  node [\n    id %zu\n    label \"", i);
        zf_sink_text(sink, line);
        put_gml(sink, zf_graph_name(graph, i));
        zf_sink_text(sink, "\"\n  ]\n");
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(line, sizeof line, "  edge [\n    source %u\n    target %u\n    score ",
                 edges[i].a, edges[i].b);
        zf_sink_text(sink, line);
        put_score(sink, edges[i].score);
        zf_sink_text(sink, "\n    weight ");
        put_score(sink, edges[i].score);
        const zf_edge_evidence *evidence = zf_graph_evidence(graph, edges[i].a, edges[i].b);
        if (evidence) {
            /* Names of GML have no underscore in its grammar, but every reader takes them. */
            zf_sink_text(sink, "\n    p_value ");
            put_real(sink, evidence->p_value);
            zf_sink_text(sink, "\n    q_value ");
            put_real(sink, evidence->q_value);
            zf_sink_text(sink, evidence->decided ? "\n    decided 1" : "\n    decided 0");
            put_stability(sink, evidence, "\n    stability ");
        }
        zf_sink_text(sink, "\n  ]\n");
    }
    zf_sink_text(sink, "]\n");
}

static void put_json(zf_sink *sink, const char *text)
{
    char number[8];
    zf_sink_byte(sink, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            zf_sink_byte(sink, '\\');
            zf_sink_byte(sink, *text);
        } else if ((unsigned char)*text < 0x20) {
            snprintf(number, sizeof number, "\\u%04x", *text);
            zf_sink_text(sink, number);
        } else {
            zf_sink_byte(sink, *text);
        }
    }
    zf_sink_byte(sink, '"');
}

/* One row of the matrix a line. */
static void put_json_gates(zf_sink *sink, const zf_graph *graph)
{
    char number[ZF_DECIMAL_ROOM];
    size_t n = zf_graph_count(graph);
    zf_sink_text(sink, ",\n  \"gates\": [");
    for (size_t i = 0; i < n; i++) {
        zf_sink_text(sink, i ? ",\n    [" : "\n    [");
        for (size_t j = 0; j < n; j++) {
            zf_sink_text(sink, j ? ", " : "");
            zf_sink_text(sink, zf_decimal_real(number, zf_graph_gate(graph, i, j)));
        }
        zf_sink_byte(sink, ']');
    }
    zf_sink_text(sink, "\n  ]");
}

void zf_graph_write_json(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n,
                         bool gates)
{
    zf_sink_text(sink, "{\n  \"nodes\": [");
    for (size_t i = 0; i < zf_graph_count(graph); i++) {
        zf_sink_text(sink, i ? ", " : "");
        put_json(sink, zf_graph_name(graph, i));
    }
    zf_sink_text(sink, "],\n  \"edges\": [");
    for (size_t i = 0; i < n; i++) {
        zf_sink_text(sink, i ? ",\n    {\"source\": " : "\n    {\"source\": ");
        put_json(sink, zf_graph_name(graph, edges[i].a));
        zf_sink_text(sink, ", \"target\": ");
        put_json(sink, zf_graph_name(graph, edges[i].b));
        zf_sink_text(sink, ", \"score\": ");
        put_score(sink, edges[i].score);
        const zf_edge_evidence *evidence = zf_graph_evidence(graph, edges[i].a, edges[i].b);
        if (evidence) {
            zf_sink_text(sink, ", \"p_value\": ");
            put_real(sink, evidence->p_value);
            zf_sink_text(sink, ", \"q_value\": ");
            put_real(sink, evidence->q_value);
            zf_sink_text(sink, evidence->decided ? ", \"decided\": true" : ", \"decided\": false");
            put_stability(sink, evidence, ", \"stability\": ");
        }
        zf_sink_byte(sink, '}');
    }
    zf_sink_text(sink, n ? "\n  ]" : "]");
    if (gates) put_json_gates(sink, graph);
    zf_sink_text(sink, "\n}\n");
}
