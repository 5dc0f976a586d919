/* zeroflow blanket: which variables are needed to predict a set of targets. */
#include "job/blanket.h"
#include "command.h"
#include "forms.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow blanket cells.model --target PKA", "The variables needed to predict one variable."},
    {"zeroflow blanket cells.model --target PKA,PKC --top 3 --json",
     "The three variables most needed to predict two others, as JSON."},
    {NULL},
};

static bool has_stability(const zf_blanket *model)
{
    zf_stability unused;
    const zf_evidence *evidence = zf_blanket_evidence(model);
    return evidence && zf_evidence_stability(&unused, evidence, 1);
}

static void print_heading(const cli_call *call, const zf_blanket_result *a)
{
    enum { NAMED_MOST = 8 };
    FILE *out = call->out;
    const zf_members *m = &a->members;
    fprintf(out, "%sThe blanket of ", cli_bold());
    for (int k = 0; k < a->n_targets && k < NAMED_MOST; k++) {
        fputs(k ? ", " : "", out);
        cli_clean(out, zf_blanket_name(a->model, (int)a->targets[k]));
    }
    if (a->n_targets > NAMED_MOST) fprintf(out, " and %d more", a->n_targets - NAMED_MOST);
    fputs(cli_plain(), out);
    zf_small n = zf_count((uint64_t)m->n), others = zf_count((uint64_t)m->n_others);
    if (m->rule == ZF_BY_TOP)
        fprintf(out, ": the %s most needed of %s others\n", n.text, others.text);
    else if (m->rule == ZF_BY_THRESHOLD)
        fprintf(out, ": %s of %s others with a gate of %g or more\n", n.text, others.text,
                m->limit);
    else
        fprintf(out, ": %s of %s others, at a false discovery rate of %g\n", n.text, others.text,
                m->limit);
}

/* The columns of names that the first rows fill. */
static int name_width(const zf_blanket_result *a, int rows)
{
    enum { NAME_LEAST = 6, NAME_MOST = 32 };
    int width = NAME_LEAST;
    for (int i = 0; i < rows; i++) {
        int w = cli_width(zf_blanket_name(a->model, (int)a->members.list[i].variable));
        width = w > width ? w : width;
    }
    return width < NAME_MOST ? width : NAME_MOST;
}

static void print_bar(FILE *out, float gate)
{
    enum { BAR = 30 };
    int length = (int)((float)BAR * gate + 0.5f);
    for (int k = 0; k < length; k++) fputs(cli_utf8() ? "█" : "#", out);
}

/* Do the tested pairs say what gates mean? */
static bool has_probability(const zf_blanket_result *a)
{
    return zf_blanket_probability(a->model, 0.5f, 1) >= 0;
}

static void print_gates(const cli_call *call, const zf_blanket_result *a)
{
    FILE *out = call->out;
    const zf_members *members = &a->members;
    int width = name_width(a, members->n);
    bool probability = has_probability(a);
    if (probability && members->n) fprintf(out, "  %-*s  %5s  probability\n", width, "", "gate");
    for (int i = 0; i < members->n; i++) {
        const zf_member *m = &members->list[i];
        fputs("  ", out);
        cli_fit(out, zf_blanket_name(a->model, (int)m->variable), width, false);
        fprintf(out, "  %5.3f  ", (double)m->gate);
        if (probability) fprintf(out, "%11.2f  ", m->probability);
        print_bar(out, m->gate);
        fputc('\n', out);
    }
    if (members->n == 0)
        fprintf(out,
                "The largest gate is %.3f; use a lower --threshold, or --top 5 for the largest "
                "gates.\n",
                members->n_others ? (double)members->list[0].gate : 0.0);
    if (!zf_blanket_evidence(a->model))
        fprintf(out, "\nNothing is decided: %s,\n%s.\n", ZF_NO_EVIDENCE, ZF_NO_EVIDENCE_SO);
}

/* What the dependence of a member on its target looks like, and what else made it one. */
static void print_why(const cli_call *call, const zf_blanket_result *a, const zf_member *m)
{
    const zf_pair_evidence *pair = zf_pair_of(a->model, m);
    if (m->verdict == ZF_VERDICT_STAND_IN) {
        fprintf(call->out, "p-value %.2g as a stand-in", m->without);
        return;
    }
    cli_print_form(call->out, pair->form, zf_third_of(a->model, pair));
    if (m->verdict == ZF_VERDICT_SUPERFLUOUS)
        fprintf(call->out, "; p-value %.2g given the others", m->without);
    if (m->verdict == ZF_VERDICT_REQUIRED || m->verdict == ZF_VERDICT_FORBIDDEN)
        fprintf(call->out, "; %s by the user", zf_verdict_name(m->verdict));
}

/* Before the first stand-in, the first that is superfluous, and the first of the others left out;
   these begin at `rest`. */
static void print_divider(const cli_call *call, const zf_blanket_result *a, int i, int rest,
                          int shown)
{
    FILE *out = call->out;
    const zf_member *list = a->members.list, *m = &list[i];
    bool forbidden = false, first = i == 0 || m[-1].verdict != m->verdict;
    for (int k = rest; k < shown; k++) forbidden |= list[k].verdict == ZF_VERDICT_FORBIDDEN;
    if (m->verdict == ZF_VERDICT_STAND_IN && first)
        fprintf(out, "  stand-ins, needed, but interchangeable with others:\n");
    if (m->verdict == ZF_VERDICT_SUPERFLUOUS && first)
        fprintf(out, "  superfluous, adds nothing to the members:\n");
    if (i == rest)
        fprintf(out, "  left out, may be due to chance%s:\n",
                forbidden ? " or forbidden by the user" : "");
}

static void print_none(const cli_call *call, const zf_blanket_result *a)
{
    size_t needed = a->rows_needed;
    fprintf(call->out, "No member at this level: no variable can be told from chance.");
    if (needed)
        fprintf(call->out,
                "\n"
                "A member as strong as the strongest candidate would need about %s; there were %s.",
                zf_plural(needed, "row").text,
                zf_count(zf_evidence_rows(zf_blanket_evidence(a->model))).text);
    fputs("\n\n", call->out);
}

static void print_evidence(const cli_call *call, const zf_blanket_result *a)
{
    enum { LEFT_OUT_SHOWN = 3 };
    FILE *out = call->out;
    const zf_members *members = &a->members;
    int rest = members->n;
    while (rest < members->n_others && members->list[rest].verdict == ZF_VERDICT_SUPERFLUOUS)
        rest++;
    int shown = rest + LEFT_OUT_SHOWN;
    shown = shown < members->n_others ? shown : members->n_others;
    int width = name_width(a, shown);
    if (members->n == 0) print_none(call, a);
    bool stability = has_stability(a->model);
    bool probability = a->n_targets > 1 && has_probability(a);
    fprintf(out, "  %-*s  %8s  %8s  %s%5s  %sform\n", width, "", "p-value", "q-value",
            stability ? "stability  " : "", "gate", probability ? "probability  " : "");
    for (int i = 0; i < shown; i++) {
        const zf_member *m = &members->list[i];
        print_divider(call, a, i, rest, shown);
        fputs("  ", out);
        cli_fit(out, zf_blanket_name(a->model, (int)m->variable), width, false);
        fprintf(out, "  %8.2g  %8.2g  ", m->p_value, m->q_value);
        if (stability) fprintf(out, "%9.2f  ", m->stability);
        fprintf(out, "%5.3f  ", (double)m->gate);
        if (probability) fprintf(out, "%11.2f  ", m->probability);
        print_why(call, a, m);
        fputc('\n', out);
    }
    if (shown < members->n_others)
        fprintf(out, "  and %s\n", zf_plural((uint64_t)(members->n_others - shown), "other").text);
}

static void print(const cli_call *call, const void *values, const void *result)
{
    const zf_blanket_result *a = result;
    (void)values;
    print_heading(call, a);
    fputc('\n', call->out);
    if (a->members.rule == ZF_BY_EVIDENCE)
        print_evidence(call, a);
    else
        print_gates(call, a);
}

const cli_command cli_command_blanket = {
    .job = &zf_job_blanket,
    .print = print,
    .examples = examples,
};
