/* What the evidence in a model says, in words and as a table: how many edges there are by
   which cut, each of them with its numbers, and below them the pairs that came closest. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "html/page.h"
#include "html/text.h"

enum { LEFT_OUT_SHOWN = 10, COLUMNS = 7 /* without stability */ };

/* --- how many, and by what cut ------------------------------------------------------ */

static uint64_t pairs_of(const zf_html_page *page)
{
    return (uint64_t)page->variables * (uint64_t)(page->variables - 1) / 2;
}

static void write_counted(zf_sink *out, uint64_t count, const char *one, const char *more)
{
    zf_html_count(out, count);
    zf_sink_text(out, count == 1 ? one : more);
}

/* A rate, as short as it can be: 0.1. */
static void write_rate(zf_html_page *page)
{
    zf_html_small(&page->out, page->options->fdr);
}

static void write_lonely(zf_html_page *page)
{
    const zf_html_drawing *g = &page->drawing;
    zf_sink *out = &page->out;
    bool *joined = calloc((size_t)page->variables, sizeof *joined);
    if (!joined) {
        zf_sink_fail(out, zf_fail_memory((size_t)page->variables));
        return;
    }
    uint64_t lonely = (uint64_t)page->variables;
    for (int i = 0; i < page->variables; i++)
        for (int j = 0; j < page->variables && !joined[i]; j++)
            joined[i] = i != j && zf_graph_evidence(page->graph, (size_t)i, (size_t)j)->decided;
    for (int i = 0; i < g->variables; i++) lonely -= joined[i];
    free(joined);
    if (lonely == 0) return;
    write_counted(out, lonely, " variable has none.", " variables have none.");
    zf_sink_text(out, " (A blanket may have members without an edge, stand-ins.)");
}

static void write_none(zf_html_page *page)
{
    zf_sink *out = &page->out;
    size_t needed = zf_evidence_rows_needed(page->evidence, page->options->fdr);
    zf_sink_text(out, "<b>No edge at this level.</b> None of ");
    write_counted(out, pairs_of(page), " pair", " pairs");
    zf_sink_text(out, " of variables passes at a false discovery rate of ");
    write_rate(page);
    zf_sink_text(out, ": none can be told from chance.");
    if (needed == 0) return;
    zf_sink_text(out, " An edge as strong as the strongest candidate would need about ");
    zf_html_count(out, needed);
    zf_sink_text(out, " rows; there were ");
    zf_html_count(out, zf_evidence_rows(page->evidence));
    zf_sink_byte(out, '.');
}

static void write_decided(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(out, "<b>");
    write_counted(out, page->drawing.n_on, " edge", " edges");
    zf_sink_text(out, "</b> among ");
    write_counted(out, pairs_of(page), " pair", " pairs");
    zf_sink_text(out, " of variables, decided by evidence at a false discovery rate of ");
    write_rate(page);
    zf_sink_text(out, ": a share of about ");
    write_rate(page);
    zf_sink_text(out, " of them is expected to be false. ");
    write_lonely(page);
}

/* How good the decision is, where that can be known. */
static void write_beside_truth(zf_html_page *page)
{
    zf_decision decision;
    zf_sink *out = &page->out;
    if (!page->options->truth) return;
    zf_status status = zf_graph_judge(&decision, page->graph, page->options->truth);
    if (status != ZF_OK) {
        zf_sink_fail(out, status);
        return;
    }
    zf_sink_text(out, "<p>Compared with the truth: ");
    write_counted(out, decision.right, " edge is right, ", " edges are right, ");
    zf_html_count(out, decision.decided - decision.right);
    zf_sink_text(out, " wrong (a share of ");
    zf_html_decimal(out, decision.false_share, 3);
    zf_sink_text(out, "), and ");
    zf_html_count(out, decision.edges - decision.right);
    zf_sink_text(out, " of ");
    write_counted(out, decision.edges, " true edge", " true edges");
    zf_sink_text(out, " missed (power ");
    zf_html_decimal(out, decision.power, 3);
    zf_sink_text(out, ", F1 ");
    zf_html_decimal(out, decision.f1, 3);
    zf_sink_text(out, ").</p>\n");
}

/* Gates have no cut of their own; the page says which one it begins with, and why. */
static void write_gates_only(zf_html_page *page)
{
    const zf_html_options *o = page->options;
    zf_sink *out = &page->out;
    zf_sink_text(out, "<b>Gates only: nothing is decided.</b> ");
    zf_sink_text(
        out, page->model->evidence
                 ? "The evidence in the model is not used. "
                 : "The model holds no evidence, so it is unknown which gates are due to chance "
                   "(zeroflow fit adds evidence to 30 rows or more). ");
    zf_sink_text(out, "The figure starts with gates from ");
    zf_html_decimal(out, page->drawing.threshold, 3);
    zf_sink_text(out, " up");
    if (o->threshold > 0 && o->threshold_why) {
        zf_sink_text(out, ", ");
        zf_html_text(out, o->threshold_why);
    }
    zf_sink_text(out, ": ");
    zf_html_count(out, page->drawing.n_on);
    zf_sink_text(out, " of ");
    write_counted(out, pairs_of(page), " pair.", " pairs.");
}

void zf_html_write_headline(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(out, "<p class=\"headline\">");
    if (!page->evidence)
        write_gates_only(page);
    else if (page->drawing.n_on == 0)
        write_none(page);
    else
        write_decided(page);
    zf_sink_text(out, "</p>\n");
    if (page->evidence) write_beside_truth(page);
}

/* --- the edges ---------------------------------------------------------------------- */

/* "interaction with z", "U-shaped: y over x", "rising". */
static void write_form(zf_html_page *page, const zf_pair_evidence *pair, int a, int b)
{
    zf_sink *out = &page->out;
    const char *const *names = page->model->names;
    zf_sink_text(out, zf_form_name(pair->form));
    if (pair->form == ZF_FORM_INTERACTION && pair->third >= 0) {
        zf_sink_text(out, " with ");
        zf_html_name(out, names[pair->third]);
    } else if (pair->curved == a || pair->curved == b) {
        zf_sink_text(out, ": ");
        zf_html_name(out, names[pair->curved]);
        zf_sink_text(out, " over ");
        zf_html_name(out, names[pair->curved == a ? b : a]);
    }
}

static void write_small_cell(zf_sink *out, double value)
{
    zf_sink_text(out, "<td>");
    zf_html_small(out, value);
    zf_sink_text(out, "</td>");
}

/* A row of a table: two variables, and what is said of them. */
typedef struct row {
    int a, b;
    double gate, p_value;
    bool decided;
    double without; /* of a stand-in, and of what is superfluous: zf_member; below 0: neither */
} row;

/* Whether it is an edge, or a member, and why if its q-value alone does not say so. */
static void write_verdict(zf_html_page *page, const row *r, double q_value)
{
    zf_sink *out = &page->out;
    bool passes = q_value <= page->options->fdr;
    if (r->without >= 0) {
        zf_sink_text(out, r->decided ? "yes: a stand-in (p-value " : "no: superfluous (p-value ");
        zf_html_small(out, r->without);
        zf_sink_text(out, r->decided ? "), interchangeable with others" : " given the others)");
    } else if (r->decided) {
        zf_sink_text(out, passes ? "yes" : "yes: required by the user");
    } else {
        zf_sink_text(out, passes ? "no: forbidden by the user" : "no: may be due to chance");
    }
}

/* All cells but the first. */
static void write_cells(zf_html_page *page, const row *r)
{
    zf_sink *out = &page->out;
    const zf_pair_evidence *pair = zf_evidence_pair(page->evidence, r->a, r->b);
    zf_sink_text(out, "</td><td class=\"words\">");
    write_form(page, pair, r->a, r->b);
    zf_sink_text(out, "</td><td>");
    zf_html_decimal(out, pair->effect, 2);
    zf_sink_text(out, "</td>");
    write_small_cell(out, r->p_value);
    write_small_cell(out, pair->q_value);
    if (page->stability) write_small_cell(out, pair->stability);
    zf_sink_text(out, "<td>");
    zf_html_decimal(out, r->gate, 3);
    zf_sink_text(out, "</td><td class=\"words verdict\">");
    write_verdict(page, r, pair->q_value);
    zf_sink_text(out, "</td></tr>\n");
}

static void begin_row(zf_html_page *page, int name, bool decided)
{
    zf_sink_text(&page->out, decided ? "<tr><td>" : "<tr class=\"below\"><td>");
    zf_html_name(&page->out, page->model->names[name]);
}

static void write_pair(zf_html_page *page, int a, int b)
{
    bool decided = zf_graph_evidence(page->graph, (size_t)a, (size_t)b)->decided;
    begin_row(page, a, decided);
    zf_sink_text(&page->out, " – ");
    zf_html_name(&page->out, page->model->names[b]);
    write_cells(page, &(row){a, b, (double)zf_graph_score(page->graph, (size_t)a, (size_t)b),
                             zf_evidence_pair(page->evidence, a, b)->p_value, decided, -1});
}

/* A long one scrolls by itself. */
static void begin_table(zf_html_page *page, size_t rows, const char *first, const char *last)
{
    enum { LONG = 40 };
    zf_sink *out = &page->out;
    zf_sink_text(out, rows > LONG ? "<div class=\"scroll tall\">" : "<div class=\"scroll\">");
    zf_sink_text(out, "<table class=\"evidence\"><thead><tr><th>");
    zf_sink_text(out, first);
    zf_sink_text(out, "</th><th class=\"words\">form</th><th>effect</th><th>p-value</th>"
                      "<th>q-value</th>");
    zf_sink_text(out, page->stability ? "<th>stability</th>" : "");
    zf_sink_text(out, "<th>gate</th><th class=\"words\">");
    zf_sink_text(out, last);
    zf_sink_text(out, "</th></tr></thead><tbody>\n");
}

static void write_divider(zf_html_page *page, uint64_t others, const char *one, const char *more)
{
    zf_sink *out = &page->out;
    zf_sink_text(out, "<tr class=\"divider\"><td colspan=\"");
    zf_html_whole(out, COLUMNS + page->stability);
    zf_sink_text(out, "\">Considered and left out: ");
    write_counted(out, others, one, more);
    if (others > LEFT_OUT_SHOWN) {
        zf_sink_text(out, ", of which these ");
        zf_html_whole(out, LEFT_OUT_SHOWN);
        zf_sink_text(out, " came closest");
    }
    zf_sink_text(out, "</td></tr>\n");
}

/* The pairs with the smallest p-values that are not decided on; returns how many. */
static int closest(const zf_html_page *page, int found[LEFT_OUT_SHOWN][2])
{
    double least[LEFT_OUT_SHOWN];
    int n = 0;
    for (int a = 0; a < page->variables; a++)
        for (int b = a + 1; b < page->variables; b++) {
            if (zf_graph_evidence(page->graph, (size_t)a, (size_t)b)->decided) continue;
            double p = zf_evidence_pair(page->evidence, a, b)->p_value;
            if (n == LEFT_OUT_SHOWN && !(p < least[n - 1])) continue;
            int k = n < LEFT_OUT_SHOWN ? n++ : n - 1;
            for (; k > 0 && p < least[k - 1]; k--) {
                least[k] = least[k - 1];
                found[k][0] = found[k - 1][0], found[k][1] = found[k - 1][1];
            }
            least[k] = p;
            found[k][0] = a, found[k][1] = b;
        }
    return n;
}

void zf_html_write_edges(zf_html_page *page)
{
    const zf_html_drawing *g = &page->drawing;
    zf_sink *out = &page->out;
    int left_out[LEFT_OUT_SHOWN][2];
    if (!page->evidence) return;
    zf_sink_text(
        out, "<section id=\"edges\"><h2>The edges, with their evidence</h2>\n"
             "<p class=\"soft\">Strongest evidence first; below a line, what was considered and "
             "left out. The next section explains the columns.</p>\n");
    begin_table(page, g->n_on, "between", "edge");
    for (int e = 0; e < g->n_edges; e++)
        if (g->edges[e].on) write_pair(page, g->edges[e].a, g->edges[e].b);
    int n = closest(page, left_out);
    if (n > 0) write_divider(page, pairs_of(page) - g->n_on, " pair", " pairs");
    for (int k = 0; k < n; k++) write_pair(page, left_out[k][0], left_out[k][1]);
    zf_sink_text(out, "</tbody></table></div></section>\n");
}

void zf_html_write_members(zf_html_page *page, const zf_member *members, size_t n, size_t decided)
{
    begin_table(page, decided, "variable", "member");
    for (size_t k = 0; k < n && k < decided + LEFT_OUT_SHOWN; k++) {
        if (k == decided) write_divider(page, n - decided, " variable", " variables");
        begin_row(page, members[k].variable, members[k].decided);
        write_cells(page, &(row){members[k].target, members[k].variable, (double)members[k].gate,
                                 members[k].p_value, members[k].decided, members[k].without});
    }
    zf_sink_text(&page->out, "</tbody></table></div>\n");
}

/* --- what the numbers mean ---------------------------------------------------------- */

static void write_stability_term(zf_html_page *page)
{
    if (!page->stability) return;
    zf_sink_text(
        &page->out,
        "<dt>Stability</dt><dd>The share of random halves of the rows in which the pair is "
        "an edge as well. 1: half of the rows would have been enough. Near 0: it needs all "
        "of them, or depends on a few rows. It is not the probability that the edge is "
        "real.</dd>\n");
}

static void write_evidence_terms(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(
        out, "<dt>p-value</dt><dd>Does each of the two still tell something about the other when "
             "everything else that matters is known? The p-value is the probability that chance "
             "alone makes them look as dependent as they do: 0.001 is once in a thousand tables "
             "without dependence. It does not say how strong the dependence is; with many rows, "
             "weak ones have small p-values too.</dd>\n"
             "<dt>q-value</dt><dd>Among ");
    write_counted(out, pairs_of(page), " pair", " pairs");
    zf_sink_text(out,
                 " some have a small p-value by chance. The q-value accounts for that: it is the "
                 "expected share of false edges among this pair and all with a smaller p-value. On "
                 "this page an edge is a pair with a q-value of at most ");
    write_rate(page);
    zf_sink_text(out, ".</dd>\n");
    write_stability_term(page);
    zf_sink_text(
        out, "<dt>Form</dt><dd>What the strongest sign of the dependence looks like: "
             "<em>rising</em>, <em>falling</em>; <em>U-shaped</em> or <em>hill</em>, one is high, "
             "or low, where the other is far from its middle; <em>spread</em>, the distances of "
             "both from their middles go together; <em>curved</em>, steps and waves; "
             "<em>interaction</em>, the slope changes with a third variable.</dd>\n"
             "<dt>Effect</dt><dd>How strong that sign is: a correlation, from -1 to 1, of what "
             "remains of the two when everything else that matters is removed.</dd>\n"
             "<dt>Left out</dt><dd>Not that the two are unrelated, but that these rows cannot "
             "tell what remains from chance. Two variables with the same information about a "
             "third can both be left out: neither adds to the other.</dd>\n"
             "<dt>Stand-in</dt><dd>Where several variables have the same information about "
             "another, each is superfluous given the rest, so none of them has an edge with it. A "
             "search then adds one of them to the blanket, a stand-in, though no line is drawn. "
             "Its p-value is the probability that chance alone makes the best of all variables "
             "look this good if the members before it were sufficient.</dd>\n"
             "<dt>Superfluous</dt><dd>An edge that the blanket of one of its ends does without: "
             "it adds nothing to the other members. Its p-value is the probability that chance "
             "alone makes it look this needed.</dd>\n");
}

void zf_html_write_terms(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(
        out, "<section><h2>What the numbers mean</h2>\n"
             "<dl class=\"terms\">\n"
             "<dt>Gate</dt><dd>How far the trained network opens the way from a variable to the "
             "target: 0 is closed, 1 is open. Gates rank; they do not decide. In pure noise some "
             "gates are large too, and no value separates needed from not needed. An edge has the "
             "larger of its two gates.</dd>\n");
    if (page->evidence) write_evidence_terms(page);
    zf_sink_text(out, "</dl></section>\n");
}
