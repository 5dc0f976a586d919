/* zeroflow blanket: which features are needed to predict a set of targets. */
#include <stdlib.h>

#include "blanket_input.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

enum { MODEL };
enum { TARGET, RULE, END = RULE + CLI_BLANKET_OPTIONS };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [TARGET] = {"target", 't', CLI_LIST, "LIST",
                .help = "The features to predict, by name, between commas. Needed."},
    CLI_BLANKET_OPTION_LIST(RULE),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow blanket cells.model --target PKA", "What is needed to predict one feature."},
    {"zeroflow blanket cells.model --target PKA,PKC --top 3 --json",
     "The three features most needed to predict two, for a program to read."},
    {NULL},
};

/* What was asked and what came out. */
typedef struct answer {
    const zf_blanket *model;
    int32_t *targets;
    int n_targets;
    cli_members members;
} answer;

static bool has_stability(const zf_blanket *model)
{
    zf_stability unused;
    const zf_evidence *evidence = zf_blanket_evidence(model);
    return evidence && zf_evidence_stability(&unused, evidence, 1);
}

/* What was tested of a member and its target. */
static const zf_pair_evidence *pair_of(const answer *a, const zf_member *m)
{
    return zf_evidence_pair(zf_blanket_evidence(a->model), m->target, m->feature);
}

static const char *third_of(const answer *a, const zf_pair_evidence *pair)
{
    return pair->third >= 0 ? zf_blanket_name(a->model, (int)pair->third) : NULL;
}

/* Where nothing is decided on: about how many rows the strongest sign would need; 0: not known. */
static size_t rows_needed(const answer *a)
{
    const cli_members *m = &a->members;
    if (m->rule != CLI_BY_EVIDENCE || m->n > 0 || m->n_others == 0) return 0;
    const zf_evidence *evidence = zf_blanket_evidence(a->model);
    for (int i = 0; i < m->n_others; i++)
        if (m->list[i].verdict == ZF_VERDICT_CHANCE)
            return zf_evidence_rows_for(evidence, pair_of(a, &m->list[i])->p_value, m->limit);
    return 0;
}

/* What the p-value of a change is called; NULL: nothing was changed. */
static const char *change_of(const zf_member *m)
{
    if (m->without < 0) return NULL;
    return m->verdict == ZF_VERDICT_STAND_IN ? "stand_in" : "superfluous";
}

static json_t *member_json(const answer *a, const zf_member *m)
{
    json_t *json =
        json_pack("{s:o s:o}", "name", cli_json_text(zf_blanket_name(a->model, (int)m->feature)),
                  "gate", cli_json_number((double)m->gate));
    if (!zf_blanket_evidence(a->model)) return json;
    const zf_pair_evidence *pair = pair_of(a, m);
    if (json && json_object_set_new(json, "p_value", cli_json_number(m->p_value)) == 0 &&
        json_object_set_new(json, "q_value", cli_json_number(m->q_value)) == 0 &&
        (a->members.rule != CLI_BY_EVIDENCE ||
         json_object_set_new(json, "why", json_string(zf_verdict_name(m->verdict))) == 0) &&
        json_object_set_new(json, "form", json_string(zf_form_name(pair->form))) == 0 &&
        json_object_set_new(json, "third", cli_json_text(third_of(a, pair))) == 0 &&
        json_object_set_new(json, "effect", cli_json_number(pair->effect)) == 0 &&
        (!change_of(m) ||
         json_object_set_new(json, change_of(m), cli_json_number(m->without)) == 0) &&
        (m->stability < 0 ||
         json_object_set_new(json, "stability", cli_json_number(m->stability)) == 0) &&
        (m->probability < 0 ||
         json_object_set_new(json, "probability", cli_json_number(m->probability)) == 0))
        return json;
    json_decref(json);
    return NULL;
}

static cli_exit print_json(const cli_call *call, const answer *a)
{
    json_t *targets = json_array(), *members = json_array(), *left_out = json_array();
    const cli_members *m = &a->members;
    int lost = 0;
    for (int k = 0; k < a->n_targets; k++)
        lost |= json_array_append_new(targets,
                                      cli_json_text(zf_blanket_name(a->model, (int)a->targets[k])));
    for (int i = 0; i < m->n_others; i++)
        lost |= json_array_append_new(i < m->n ? members : left_out, member_json(a, &m->list[i]));
    size_t needed = rows_needed(a);
    json_t *object = json_pack(
        "{s:o s:b s:o s:o s:o s:o s:o s:o}", "target", targets, "decided",
        m->rule == CLI_BY_EVIDENCE, "fdr",
        m->rule == CLI_BY_EVIDENCE ? cli_json_number(m->limit) : json_null(), "threshold",
        m->rule == CLI_BY_THRESHOLD ? cli_json_number(m->limit) : json_null(), "top",
        m->rule == CLI_BY_TOP ? json_integer(m->n) : json_null(), "members", members, "left_out",
        left_out, "rows_needed", needed ? json_integer((json_int_t)needed) : json_null());
    if (!lost) return cli_print_json(call, object);
    json_decref(object);
    return cli_fail(CLI_FAILED, "out of memory");
}

static void print_heading(const cli_call *call, const answer *a)
{
    enum { NAMED_MOST = 8 };
    FILE *out = call->out;
    const cli_members *m = &a->members;
    fprintf(out, "%sThe blanket of ", cli_bold());
    for (int k = 0; k < a->n_targets && k < NAMED_MOST; k++) {
        fputs(k ? ", " : "", out);
        cli_clean(out, zf_blanket_name(a->model, (int)a->targets[k]));
    }
    if (a->n_targets > NAMED_MOST) fprintf(out, " and %d more", a->n_targets - NAMED_MOST);
    fputs(cli_plain(), out);
    cli_small n = cli_count((uint64_t)m->n), others = cli_count((uint64_t)m->n_others);
    if (m->rule == CLI_BY_TOP)
        fprintf(out, ": the %s most needed of %s others\n", n.text, others.text);
    else if (m->rule == CLI_BY_THRESHOLD)
        fprintf(out, ": %s of %s others with a gate of %g or more\n", n.text, others.text,
                m->limit);
    else
        fprintf(out, ": %s of %s others, at a false discovery rate of %g\n", n.text, others.text,
                m->limit);
}

/* The columns of names that the first rows fill. */
static int name_width(const answer *a, int rows)
{
    enum { NAME_LEAST = 6, NAME_MOST = 32 };
    int width = NAME_LEAST;
    for (int i = 0; i < rows; i++) {
        int w = cli_width(zf_blanket_name(a->model, (int)a->members.list[i].feature));
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
static bool has_probability(const answer *a)
{
    return zf_blanket_probability(a->model, 0.5f, 1) >= 0;
}

static void print_gates(const cli_call *call, const answer *a)
{
    FILE *out = call->out;
    const cli_members *members = &a->members;
    int width = name_width(a, members->n);
    bool probability = has_probability(a);
    if (probability && members->n) fprintf(out, "  %-*s  %5s  probability\n", width, "", "gate");
    for (int i = 0; i < members->n; i++) {
        const zf_member *m = &members->list[i];
        fputs("  ", out);
        cli_fit(out, zf_blanket_name(a->model, (int)m->feature), width, false);
        fprintf(out, "  %5.3f  ", (double)m->gate);
        if (probability) fprintf(out, "%11.2f  ", m->probability);
        print_bar(out, m->gate);
        fputc('\n', out);
    }
    if (members->n == 0)
        fprintf(out,
                "The largest gate is %.3f; --threshold takes a lower one, --top 5 shows the "
                "most needed.\n",
                members->n_others ? (double)members->list[0].gate : 0.0);
    if (!zf_blanket_evidence(a->model))
        fprintf(out, "\nNothing is decided: %s,\n%s.\n", CLI_NO_EVIDENCE, CLI_NO_EVIDENCE_SO);
}

/* What the dependence of a member on its target looks like, and what else made it one. */
static void print_why(const cli_call *call, const answer *a, const zf_member *m)
{
    const zf_pair_evidence *pair = pair_of(a, m);
    if (m->verdict == ZF_VERDICT_STAND_IN) {
        fprintf(call->out, "p-value %.2g as a stand-in", m->without);
        return;
    }
    cli_print_form(call->out, pair->form, third_of(a, pair));
    if (m->verdict == ZF_VERDICT_SUPERFLUOUS)
        fprintf(call->out, "; p-value %.2g given the others", m->without);
    if (m->verdict == ZF_VERDICT_REQUIRED || m->verdict == ZF_VERDICT_FORBIDDEN)
        fprintf(call->out, "; %s by the user", zf_verdict_name(m->verdict));
}

/* Before the first stand-in, the first that is superfluous, and the first of the others left out;
   these begin at `rest`. */
static void print_divider(const cli_call *call, const answer *a, int i, int rest, int shown)
{
    FILE *out = call->out;
    const zf_member *list = a->members.list, *m = &list[i];
    bool forbidden = false, first = i == 0 || m[-1].verdict != m->verdict;
    for (int k = rest; k < shown; k++) forbidden |= list[k].verdict == ZF_VERDICT_FORBIDDEN;
    if (m->verdict == ZF_VERDICT_STAND_IN && first)
        fprintf(out, "  stand-ins, needed too, though others could take their place:\n");
    if (m->verdict == ZF_VERDICT_SUPERFLUOUS && first)
        fprintf(out, "  superfluous, as beside the members it may be chance:\n");
    if (i == rest)
        fprintf(out, "  left out, as it may be chance%s:\n",
                forbidden ? " or the user forbids it" : "");
}

static void print_none(const cli_call *call, const answer *a)
{
    size_t needed = rows_needed(a);
    fprintf(call->out, "No member at this level: these rows do not tell any from chance.");
    if (needed)
        fprintf(call->out,
                "\nA member as strong as the strongest sign of one would take about %s, and there "
                "were %s.",
                cli_plural(needed, "row").text,
                cli_count(zf_evidence_rows(zf_blanket_evidence(a->model))).text);
    fputs("\n\n", call->out);
}

static void print_evidence(const cli_call *call, const answer *a)
{
    enum { LEFT_OUT_SHOWN = 3 };
    FILE *out = call->out;
    const cli_members *members = &a->members;
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
        cli_fit(out, zf_blanket_name(a->model, (int)m->feature), width, false);
        fprintf(out, "  %8.2g  %8.2g  ", m->p_value, m->q_value);
        if (stability) fprintf(out, "%9.2f  ", m->stability);
        fprintf(out, "%5.3f  ", (double)m->gate);
        if (probability) fprintf(out, "%11.2f  ", m->probability);
        print_why(call, a, m);
        fputc('\n', out);
    }
    if (shown < members->n_others)
        fprintf(out, "  and %s\n", cli_plural((uint64_t)(members->n_others - shown), "other").text);
}

static void print_text(const cli_call *call, const answer *a)
{
    print_heading(call, a);
    fputc('\n', call->out);
    if (a->members.rule == CLI_BY_EVIDENCE)
        print_evidence(call, a);
    else
        print_gates(call, a);
}

static cli_exit answer_call(const cli_call *call, const zf_blanket *model)
{
    answer a = {.model = model};
    cli_exit exit =
        cli_find_features(&a.targets, &a.n_targets, model, &call->values[TARGET], "--target");
    cli_asked asked = {model, call->arguments[MODEL].text, a.targets, a.n_targets};
    if (exit == CLI_DONE) exit = cli_ask_blanket(&a.members, &asked, &call->values[RULE]);
    if (exit == CLI_DONE && call->json)
        exit = print_json(call, &a);
    else if (exit == CLI_DONE)
        print_text(call, &a);
    free(a.targets);
    free(a.members.list);
    return exit;
}

static cli_exit run(const cli_call *call)
{
    zf_blanket *model = NULL;
    CLI_TRY(cli_check(zf_blanket_load(&model, call->arguments[MODEL].text)));
    cli_exit exit = answer_call(call, model);
    zf_blanket_free(model);
    return exit;
}

const cli_command cli_command_blanket = {
    .name = "blanket",
    .summary = "which features are needed to predict others",
    .description =
        "Asks a model for the Markov blanket of any set of targets: the features that, once known, "
        "leave the rest of the table with nothing more to say about the targets.\n\n"
        "Members are decided on by evidence, which zeroflow fit keeps in the model: those features "
        "that still tell something about a target when all that matters besides is known. The "
        "p-value is how often chance alone does as much; the q-value the share of false members to "
        "expect if this one and all stronger ones are believed, which --fdr limits. Where columns "
        "carry the same information, each is superfluous given the others and none would be a "
        "member: there a search adds stand-ins, one for all of them. What has an edge with a "
        "target "
        "but tells nothing that the other members do not is superfluous, and left out. The gate, "
        "from "
        "0, not needed, to 1, is what the network gives; it ranks, but does not decide. Its "
        "probability, given for sets of targets and with --threshold or --top, is the share of "
        "features with such a gate that belong, as the tested pairs tell it; a model without "
        "evidence has gates alone.\n\n"
        "The answer takes no training and no data. Gates are best for sets like those that the "
        "model was trained on (--targets of zeroflow fit), and refused for larger ones: fit with "
        "--targets bernoulli:P, say, to ask for more than one feature.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
