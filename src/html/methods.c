/* The table of methods, best AUC first, with the curve beside it. */
#include <math.h>

#include "html/page.h"
#include "html/text.h"

enum { MOST_METHODS = 16 };

/* Bars of AUC begin at 0.5, where a coin would be. */
static void write_bar(zf_sink *out, double auc)
{
    double share = fmin(fmax(2 * auc - 1, 0), 1);
    zf_sink_text(out, "<td class=\"bar\"><i style=\"--w:");
    zf_html_decimal(out, 100 * share, 1);
    zf_sink_text(out, "%\"></i>");
    zf_html_decimal(out, auc, 4);
    zf_sink_text(out, "</td>");
}

static void write_cell(zf_sink *out, double value, int decimals)
{
    zf_sink_text(out, "<td>");
    zf_html_decimal(out, value, decimals);
    zf_sink_text(out, "</td>");
}

static void write_row(zf_sink *out, const zf_html_method *method)
{
    const zf_accuracy *a = method->accuracy;
    zf_sink_text(out, method->shown ? "<tr class=\"shown\"><td>" : "<tr><td>");
    zf_html_text(out, method->name);
    zf_sink_text(out, "</td>");
    write_bar(out, a->auc);
    write_cell(out, a->auc_paper, 4);
    write_cell(out, a->average_precision, 4);
    write_cell(out, a->best_f1, 4);
    const zf_decision *d = method->decision;
    write_cell(out, d ? (double)d->decided : (double)NAN, 0);
    write_cell(out, d ? d->false_share : (double)NAN, 3);
    write_cell(out, d ? d->power : (double)NAN, 3);
    write_cell(out, d ? d->f1 : (double)NAN, 3);
    write_cell(out, method->seconds, 2);
    zf_sink_text(out, "</tr>\n");
}

void zf_html_write_method_table(zf_html_page *page)
{
    const zf_html_options *o = page->options;
    const zf_accuracy *any = o->methods[0].accuracy;
    size_t order[MOST_METHODS], n = o->n_methods < MOST_METHODS ? o->n_methods : MOST_METHODS;
    zf_sink *out = &page->out;
    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        while (k > 0 && o->methods[order[k - 1]].accuracy->auc < o->methods[i].accuracy->auc) {
            order[k] = order[k - 1];
            k--;
        }
        order[k] = i;
    }
    zf_sink_text(out, "<p>");
    zf_html_count(out, any->edges);
    zf_sink_text(out, " of ");
    zf_html_count(out, any->pairs);
    zf_sink_text(
        out, " pairs of variables are true edges. Each method gives every pair a score; the first "
             "four numbers show how well the scores rank true edges first. The others show what a "
             "method decides on: the number of edges, the share of them that is false, the share "
             "of the true edges that is found, and F1, which combines the two.</p>\n"
             "<div class=\"scroll\"><table><thead><tr><th>method</th><th>AUC</th><th>AUC, as "
             "in<br>the paper</th><th>average<br>precision</th><th>best "
             "F1</th><th>edges<br>decided</th><th>of these<br>false</th><th>true "
             "ones<br>found</th><th>F1</th><th>seconds</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < n; i++) write_row(out, &o->methods[order[i]]);
    zf_sink_text(out, "</tbody></table></div>\n");
}
