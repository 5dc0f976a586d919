#include "fit_report.h"

#include <math.h>

#include "progress.h"
#include "terminal.h"
#include "text.h"

static const double SATURATED = 0.9; /* a mean gate from which on nothing is selected */

static void print_held_out(const cli_fit_report *r)
{
    FILE *out = r->call->out;
    const zf_fit_summary *s = r->summary;
    if (s->held_out == 0) {
        fprintf(out, "  held out           -   not measured: %s\n",
                s->options.held_out > 0  ? "no group of rows is small enough to be held out"
                : r->asked->held_out < 0 ? "so few rows are all trained on (--held-out)"
                                         : "every row was trained on");
        return;
    }
    fprintf(out, "  held out   %9.4f   the same on %s that training did not see\n",
            s->held_out_loss, cli_plural(s->held_out, "row").text);
    fprintf(out, "  constant   %9.4f   the same there for a guess that knows no other column\n",
            s->constant_loss);
}

static void print_choices(const cli_fit_report *r)
{
    FILE *out = r->call->out;
    zf_fit_choice choices[ZF_FIT_CHOICES];
    int n = zf_fit_explain(choices, r->asked, r->summary), width = 0;
    for (int i = 0; i < n; i++) {
        int w = cli_width(choices[i].value);
        width = w > width ? w : width;
    }
    if (n == 0) return;
    fprintf(out, "%sLeft to fit%s (each is an option)\n", cli_bold(), cli_plain());
    for (int i = 0; i < n; i++)
        fprintf(out, "  %-11s  %-*s  %s\n", choices[i].option, width, choices[i].value,
                choices[i].reason);
    fputc('\n', out);
}

void cli_fit_print(const cli_fit_report *r)
{
    FILE *out = r->call->out;
    const zf_fit_summary *s = r->summary;
    fprintf(out, "  %sloss%s       %9.4f\n", cli_bold(), cli_plain(), s->loss);
    fprintf(out,
            "  rectified  %9.4f   how well targets are predicted in training; less is better\n",
            s->rectified);
    print_held_out(r);
    fprintf(out, "  zero       %9.4f   how far the flow is from zero halfway\n", s->zero);
    fprintf(out, "  mean gate  %9.4f   from 0, all are closed, to 1, nothing is selected\n\n",
            s->mean_gate);
    print_choices(r);
}

static json_t *choices_json(const cli_fit_report *r)
{
    zf_fit_choice choices[ZF_FIT_CHOICES];
    int n = zf_fit_explain(choices, r->asked, r->summary);
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        if (json_array_append_new(list,
                                  json_pack("{s:s s:s s:s}", "option", choices[i].option, "value",
                                            choices[i].value, "reason", choices[i].reason)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* null where there is no finite number, as where nothing was held out. */
static json_t *number_json(double value)
{
    return isfinite(value) ? cli_json_number(value) : json_null();
}

json_t *cli_fit_add_json(json_t *object, const cli_fit_report *r)
{
    const zf_fit_summary *s = r->summary;
    json_t *more = json_pack("{s:I s:o s:o s:o}", "rows_held_out", (json_int_t)s->held_out,
                             "held_out_loss", number_json(s->held_out_loss), "constant_loss",
                             number_json(s->constant_loss), "resolved", choices_json(r));
    bool added = object && more && json_object_update(object, more) == 0;
    json_decref(more);
    if (added) return object;
    json_decref(object);
    return NULL;
}

void cli_fit_doubt(const cli_fit_report *r, cli_found found)
{
    const zf_fit_summary *s = r->summary;
    if (s->mean_gate >= SATURATED)
        cli_warn(r->call, "the gates select nothing (their mean is %.2f): %s", s->mean_gate,
                 found == CLI_NOT_WEIGHED ? "no blanket can be read off them"
                                          : "the decided blankets come from the evidence alone");
    if (s->held_out == 0 || s->held_out_loss < s->constant_loss) return;
    cli_warn(r->call,
             "on rows held out the model predicts no better than a guess that knows no other "
             "column: %s",
             found == CLI_EDGES
                 ? "it was trained too short, or has learnt its rows by heart; trust the evidence, "
                   "not the gates"
                 : "the order of its gates may be chance");
}
