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

static cli_exit print_json(const cli_call *call, const answer *a)
{
    json_t *targets = json_array(), *members = json_array();
    int lost = 0;
    for (int k = 0; k < a->n_targets; k++)
        lost |= json_array_append_new(targets,
                                      cli_json_text(zf_blanket_name(a->model, (int)a->targets[k])));
    for (int i = 0; i < a->members.n; i++) {
        const cli_member *m = &a->members.list[i];
        lost |= json_array_append_new(
            members,
            json_pack("{s:o s:o}", "name", cli_json_text(zf_blanket_name(a->model, m->feature)),
                      "gate", cli_json_number((double)m->gate)));
    }
    bool top = call->values[RULE + CLI_TOP].given;
    json_t *threshold =
        top ? json_null() : cli_json_number(call->values[RULE + CLI_THRESHOLD].real);
    json_t *object =
        json_pack("{s:o s:o s:o s:o}", "target", targets, "threshold", threshold, "top",
                  top ? json_integer(a->members.n) : json_null(), "members", members);
    if (!lost) return cli_print_json(call, object);
    json_decref(object);
    return cli_fail(CLI_FAILED, "out of memory");
}

static void print_heading(const cli_call *call, const answer *a)
{
    enum { NAMED_MOST = 8 };
    FILE *out = call->out;
    fprintf(out, "%sThe blanket of ", cli_bold());
    for (int k = 0; k < a->n_targets && k < NAMED_MOST; k++) {
        fputs(k ? ", " : "", out);
        cli_clean(out, zf_blanket_name(a->model, (int)a->targets[k]));
    }
    if (a->n_targets > NAMED_MOST) fprintf(out, " and %d more", a->n_targets - NAMED_MOST);
    fputs(cli_plain(), out);
    if (call->values[RULE + CLI_TOP].given)
        fprintf(out, ": the %s most needed of %s others\n", cli_count((uint64_t)a->members.n).text,
                cli_count((uint64_t)a->members.n_others).text);
    else
        fprintf(out, ": %s of %s others with a gate of %g or more\n",
                cli_count((uint64_t)a->members.n).text,
                cli_count((uint64_t)a->members.n_others).text,
                call->values[RULE + CLI_THRESHOLD].real);
}

static void print_text(const cli_call *call, const answer *a)
{
    enum { BAR = 30, NAME_MOST = 32 };
    FILE *out = call->out;
    int width = 0;
    print_heading(call, a);
    fputc('\n', out);
    for (int i = 0; i < a->members.n; i++) {
        int w = cli_width(zf_blanket_name(a->model, a->members.list[i].feature));
        width = w > width ? w : width;
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    for (int i = 0; i < a->members.n; i++) {
        const cli_member *m = &a->members.list[i];
        fputs("  ", out);
        cli_fit(out, zf_blanket_name(a->model, m->feature), width, false);
        fprintf(out, "  %5.3f  ", (double)m->gate);
        int length = (int)((float)BAR * m->gate + 0.5f);
        for (int k = 0; k < length; k++) fputs(cli_utf8() ? "█" : "#", out);
        fputc('\n', out);
    }
    if (a->members.n == 0)
        fprintf(out,
                "The largest gate is %.3f; --threshold takes a lower one, --top 5 shows the "
                "most needed.\n",
                a->members.n_others ? (double)a->members.list[0].gate : 0.0);
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
        "leave the rest of the table with nothing more to say about the targets. Each has a gate "
        "from 0, not needed, to 1; the members are those whose gate is at least the threshold, "
        "most needed first.\n\n"
        "The answer takes no training and no data. It is best for sets like those that the model "
        "was trained on (--targets of zeroflow fit), and refused for larger ones: fit with "
        "--targets bernoulli:P, say, to ask for more than one feature.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
