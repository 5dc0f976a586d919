/* The report: one page that can be mailed, archived and opened without a
   graph. Its look is in page.css and what it does on a click in page.js, both
   embedded when the library is built; the policy in its head forbids any other
   source, so that even a name that slipped through could load nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "html/page.h"
#include "html/text.h"

void zf_html_options_init(zf_html_options *options, size_t size)
{
    const zf_html_options all = {.title = "Markov blankets", .fdr = 0.1};
    zf_give(options, size, &all, sizeof all);
}

/* --- head and words ------------------------------------------------------------------ */

static void write_lines(zf_sink *out, const char *const *lines)
{
    for (; *lines; lines++) zf_sink_text(out, *lines);
}

static void write_head(zf_html_page *page, const char *title)
{
    zf_sink *out = &page->out;
    zf_sink_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<title>");
    zf_html_text(out, title);
    zf_sink_text(out, "</title>\n<style>\n");
    write_lines(out, zf_html_css);
    zf_sink_text(out, "</style>\n</head>\n<body>\n<main>\n<header><h1>");
    zf_html_text(out, title);
    zf_sink_text(out, "</h1>\n");
}

/* "50 variables · 2,048 rows · MLP gates · ..." */
static void write_facts(zf_html_page *page)
{
    static const char *const kinds[] = {"MLP gates", "LSTM gates", "CNN gates", "free gates"};
    zf_sink *out = &page->out;
    const zf_blanket_training *training = &page->model->training;
    zf_sink_text(out, "<p class=\"facts\">");
    zf_html_count(out, (uint64_t)page->variables);
    zf_sink_text(out, " variables · ");
    if (training->rows) {
        zf_html_count(out, training->rows + training->held_out);
        zf_sink_text(out, " rows");
        if (training->held_out) {
            zf_sink_text(out, ", ");
            zf_html_count(out, training->held_out);
            zf_sink_text(out, " of them held out from training");
        }
        zf_sink_text(out, " · ");
    }
    zf_sink_text(out, kinds[page->model->shape.gate.kind]);
    zf_sink_text(out, page->model->shape.marginals == ZF_MARGINALS_STANDARD
                          ? " · standardised columns"
                          : " · normal scores");
    if (training->iterations) {
        zf_sink_text(out, " · ");
        zf_html_count(out, training->iterations);
        zf_sink_text(out, " iterations");
    }
    zf_sink_text(out, " · seed ");
    zf_html_whole(out, page->model->seed);
    zf_sink_text(out, "</p></header>\n");
}

/* Paragraphs are divided by an empty line. */
static void write_introduction(zf_html_page *page)
{
    const char *text = page->options->introduction;
    if (!text || !*text) return;
    zf_sink *out = &page->out;
    zf_sink_text(out, "<section><h2>What was done</h2>\n");
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        char *paragraph = strndup(text, n);
        if (!paragraph) {
            zf_sink_fail(out, zf_fail_memory(n));
            return;
        }
        zf_sink_text(out, "<p>");
        zf_html_text(out, paragraph);
        zf_sink_text(out, "</p>\n");
        free(paragraph);
        text += n;
        text += strspn(text, "\n");
    }
    zf_sink_text(out, "</section>\n");
}

static zf_status write_methods(zf_html_page *page)
{
    if (page->options->n_methods == 0) return ZF_OK;
    zf_sink_text(&page->out, "<section><h2>How well the true edges are found</h2>\n");
    zf_html_write_method_table(page);
    zf_sink_text(&page->out, "<div class=\"pair\">\n");
    ZF_TRY(zf_html_write_roc(page));
    zf_sink_text(
        &page->out,
        "<div class=\"soft\"><h3>How to read this</h3><p>Go down a method’s list of pairs, "
        "best score first. Its curve goes up with every true edge and right with every other "
        "pair. A perfect list goes straight to the upper left corner; a random one follows "
        "the dashed line. AUC is the area below the curve: 0.5 is guessing, where the bars "
        "in the table begin, and 1 is perfect.</p><p>AUC takes each pair once, by the larger "
        "of its two gates, without the diagonal. The paper’s tables were computed "
        "differently: each gate by itself, the diagonal as non-edges; compare the second "
        "column with them.</p><p>The model that the rest of this page shows is shaded in the "
        "table.</p></div></div></section>\n");
    return ZF_OK;
}

/* --- free gates --------------------------------------------------------------------- */

/* Gates alone, the largest first. */
static void write_fixed_gates(zf_html_page *page, bool *taken)
{
    const zf_blanket *m = page->model;
    zf_sink *out = &page->out;
    for (int k = 0; k < m->n_fixed; k++) taken[m->fixed[k]] = true;
    zf_sink_text(out, "<p><b>Gates only: nothing is decided.</b> A gate near 1: needed to predict "
                      "the targets; near 0: not.</p><ol id=\"members\">\n");
    for (int shown = m->n_fixed; shown < page->variables; shown++) {
        int best = -1;
        for (int j = 0; j < page->variables; j++)
            if (!taken[j] && (best < 0 || page->gates[j] > page->gates[best])) best = j;
        taken[best] = true;
        zf_sink_text(out, "<li>");
        zf_html_name(out, m->names[best]);
        zf_sink_text(out, "<span><i style=\"width:");
        zf_html_decimal(out, fmin(fmax(100 * (double)page->gates[best], 0), 100), 1);
        zf_sink_text(out, "%\"></i></span><b>");
        zf_html_decimal(out, page->gates[best], 3);
        zf_sink_text(out, "</b></li>\n");
    }
    zf_sink_text(out, "</ol>\n");
}

static zf_status write_fixed_evidence(zf_html_page *page, zf_member *members)
{
    const zf_blanket *m = page->model;
    zf_sink *out = &page->out;
    size_t decided = 0, others = (size_t)(page->variables - m->n_fixed);
    ZF_TRY(zf_blanket_decide(members, &decided, m, m->fixed, m->n_fixed, page->options->fdr));
    zf_sink_text(out, "<p class=\"headline\"><b>");
    zf_html_count(out, decided);
    zf_sink_text(out, decided == 1 ? " member</b> of " : " members</b> of ");
    zf_html_count(out, others);
    zf_sink_text(out, " others, decided by evidence at a false discovery rate of ");
    zf_html_small(out, page->options->fdr);
    zf_sink_text(out, ".</p>\n");
    zf_html_write_members(page, members, others, decided);
    return ZF_OK;
}

/* The one blanket of a model that was fitted for one target set. */
static zf_status write_fixed_blanket(zf_html_page *page)
{
    const zf_blanket *m = page->model;
    zf_sink *out = &page->out;
    size_t d = (size_t)page->variables;
    bool *taken = calloc(d, sizeof *taken);
    zf_member *members = calloc(d, sizeof *members);
    zf_status status = taken && members ? ZF_OK : zf_fail_memory(d * sizeof *members);
    zf_sink_text(out, "<section><h2>The blanket of ");
    for (int k = 0; k < m->n_fixed; k++) {
        zf_sink_text(out, k ? ", " : "");
        zf_html_name(out, m->names[m->fixed[k]]);
    }
    zf_sink_text(out,
                 "</h2>\n"
                 "<p>This model was fitted for a single target set, so there is no graph.</p>\n");
    if (status == ZF_OK && page->evidence)
        status = write_fixed_evidence(page, members);
    else if (status == ZF_OK)
        write_fixed_gates(page, taken);
    zf_sink_text(out, "</section>\n");
    free(taken);
    free(members);
    return status;
}

/* --- the end ------------------------------------------------------------------------ */

static void write_files(zf_html_page *page)
{
    const zf_html_options *o = page->options;
    zf_sink *out = &page->out;
    if (o->n_files == 0) return;
    zf_sink_text(out, "<section><h2>Files beside this page</h2>\n"
                      "<dl>\n");
    for (size_t i = 0; i < o->n_files; i++) {
        zf_sink_text(out, "<dt><a href=\"");
        zf_html_text(out, o->files[i].name);
        zf_sink_text(out, "\">");
        zf_html_text(out, o->files[i].name);
        zf_sink_text(out, "</a></dt><dd>");
        zf_html_text(out, o->files[i].what);
        zf_sink_text(out, "</dd>\n");
    }
    zf_sink_text(out, "</dl></section>\n");
}

static void write_footer(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(out, "<footer>");
    if (page->model->options_text && *page->model->options_text) {
        zf_sink_text(out, "<details><summary>All training options of the model</summary><code "
                          "class=\"command\">");
        zf_html_text(out, page->model->options_text);
        zf_sink_text(out, "</code></details>");
    }
    zf_sink_text(out, "<p>Made by zeroflow ");
    zf_html_text(out, zf_version());
    zf_sink_text(out, ". This page needs no network and sends nothing.</p></footer>\n");
}

static zf_status write_page(zf_html_page *page)
{
    const char *title = page->options->title;
    write_head(page, title ? title : zf_html_defaults().title);
    write_facts(page);
    write_introduction(page);
    ZF_TRY(write_methods(page));
    if (page->graph) {
        zf_html_write_graph(page);
        zf_html_write_edges(page);
    } else {
        ZF_TRY(write_fixed_blanket(page));
    }
    zf_html_write_terms(page);
    if (page->graph) ZF_TRY(zf_html_write_gates(page));
    ZF_TRY(zf_html_write_training(page));
    write_files(page);
    write_footer(page);
    zf_sink_text(&page->out, "</main>\n");
    if (page->graph) {
        ZF_TRY(zf_html_write_data(page));
        zf_sink_text(&page->out, "<script>\n");
        write_lines(&page->out, zf_html_js);
        zf_sink_text(&page->out, "</script>\n");
    }
    zf_sink_text(&page->out, "</body>\n</html>\n");
    return page->out.status;
}

/* --- what the page is made from ----------------------------------------------------- */

static zf_status check_truth(const zf_html_page *page)
{
    const zf_graph *truth = page->options->truth;
    if (!truth) return ZF_OK;
    bool same = zf_graph_count(truth) == (size_t)page->variables;
    for (int i = 0; same && i < page->variables; i++)
        same = strcmp(zf_graph_name(truth, (size_t)i), page->model->names[i]) == 0;
    if (same) return ZF_OK;
    return zf_fail(ZF_EINVAL,
                   "report: the truth's nodes are not the model's %d variables, in "
                   "their order",
                   page->variables);
}

static zf_status ask_model(zf_html_page *page)
{
    const zf_blanket *m = page->model;
    size_t d = (size_t)page->variables;
    page->gates = calloc(d * d, sizeof *page->gates);
    if (!page->gates) return zf_fail_memory(d * d * sizeof *page->gates);
    if (page->options->threshold <= 0) page->evidence = m->evidence;
    zf_stability unused;
    page->stability = page->evidence && zf_evidence_stability(&unused, page->evidence, 1);
    if (m->fixed) return zf_blanket_query(m, m->fixed, m->n_fixed, page->gates);
    ZF_TRY(zf_blanket_matrix(m, page->gates));
    ZF_TRY(zf_blanket_graph(&page->graph, m, page->options->fdr));
    ZF_TRY(zf_html_drawing_choose(&page->drawing, page->graph, page->options->truth, page->evidence,
                                  page->options->threshold));
    return zf_html_drawing_place(&page->drawing, m->shape.gate.kind, m->shape.gate.side);
}

zf_status zf_html_encode(char **out, size_t *n_out, const zf_blanket *model,
                         const zf_html_options *given)
{
    zf_html_options known = zf_html_defaults();
    const zf_html_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "html"));
    zf_html_page page = {
        .model = model, .options = options, .variables = zf_blanket_variables(model)};
    zf_sink_open_memory(&page.out);
    zf_status status = check_truth(&page);
    if (status == ZF_OK) status = ask_model(&page);
    if (status == ZF_OK) status = write_page(&page);
    char *bytes = NULL;
    size_t n = 0;
    zf_status taken = zf_sink_take(&page.out, &bytes, &n);
    if (status == ZF_OK) status = taken;
    if (status == ZF_OK)
        *out = bytes, *n_out = n;
    else if (taken == ZF_OK)
        free(bytes);
    zf_html_drawing_free(&page.drawing);
    zf_graph_free(page.graph);
    free(page.gates);
    return status;
}

zf_status zf_html_write(const char *path, const zf_blanket *model, const zf_html_options *options)
{
    char *bytes;
    size_t n;
    ZF_TRY(zf_html_encode(&bytes, &n, model, options));
    zf_status status = zf_file_write_whole(path, bytes, n);
    free(bytes);
    return status;
}
