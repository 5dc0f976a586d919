/* zeroflow blanket: which features are needed to predict a set of targets. */
#include <stdlib.h>

#include "model_input.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

enum { MODEL };
enum { TARGET, THRESHOLD, TOP };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [TARGET] = {"target", 't', CLI_LIST, "LIST",
                .help = "The features to predict, by name, between commas. Needed."},
    [THRESHOLD] = {"threshold", .type = CLI_REAL, .placeholder = "G", .fallback = "0.1", .least = 0,
                   .most = 1, .help = "A feature whose gate is at least this is a member."},
    [TOP] = {"top", .type = CLI_WHOLE, .placeholder = "K", .least = 1, .most = 1 << 20,
             .otherwise = "as the threshold says",
             .help = "The K features with the largest gates instead, whatever these are."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow blanket cells.model --target PKA", "What is needed to predict one feature."},
    {"zeroflow blanket cells.model --target PKA,PKC --top 3 --json",
     "The three features most needed to predict two, for a program to read."},
    {NULL},
};

typedef struct member {
    int feature;
    float gate;
} member;

/* What was asked and what came out. */
typedef struct answer {
    const zf_blanket *model;
    int32_t *targets;
    int n_targets;
    member *members; /* most needed first */
    int n_members, n_others;
} answer;

static int compare_members(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return x->feature - y->feature;
}

static cli_exit ask(answer *a, const cli_call *call)
{
    int features = zf_blanket_features(a->model);
    float *gates = malloc((size_t)features * sizeof *gates);
    a->members = malloc((size_t)features * sizeof *a->members);
    zf_status status = ZF_ENOMEM;
    if (gates && a->members) status = zf_blanket_query(a->model, a->targets, a->n_targets, gates);
    if (status != ZF_OK) {
        free(gates);
        return cli_check(status);
    }
    /* A target is marked by a gate below every gate. */
    for (int k = 0; k < a->n_targets; k++) gates[a->targets[k]] = -1;
    for (int j = 0; j < features; j++)
        if (gates[j] >= 0) a->members[a->n_others++] = (member){j, gates[j]};
    free(gates);
    qsort(a->members, (size_t)a->n_others, sizeof *a->members, compare_members);
    const cli_value *top = &call->values[TOP];
    if (top->given) {
        a->n_members = (int)top->whole < a->n_others ? (int)top->whole : a->n_others;
        return CLI_DONE;
    }
    float threshold = (float)call->values[THRESHOLD].real;
    while (a->n_members < a->n_others && a->members[a->n_members].gate >= threshold) a->n_members++;
    return CLI_DONE;
}

static cli_exit print_json(const cli_call *call, const answer *a)
{
    json_t *targets = json_array(), *members = json_array();
    int lost = 0;
    for (int k = 0; k < a->n_targets; k++)
        lost |= json_array_append_new(targets,
                                      cli_json_text(zf_blanket_name(a->model, (int)a->targets[k])));
    for (int i = 0; i < a->n_members; i++) {
        const member *m = &a->members[i];
        lost |= json_array_append_new(
            members,
            json_pack("{s:o s:o}", "name", cli_json_text(zf_blanket_name(a->model, m->feature)),
                      "gate", cli_json_number((double)m->gate)));
    }
    bool top = call->values[TOP].given;
    json_t *threshold = top ? json_null() : cli_json_number(call->values[THRESHOLD].real);
    json_t *object =
        json_pack("{s:o s:o s:o s:o}", "target", targets, "threshold", threshold, "top",
                  top ? json_integer(a->n_members) : json_null(), "members", members);
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
    if (call->values[TOP].given)
        fprintf(out, ": the %s most needed of %s others\n", cli_count((uint64_t)a->n_members).text,
                cli_count((uint64_t)a->n_others).text);
    else
        fprintf(out, ": %s of %s others with a gate of %g or more\n",
                cli_count((uint64_t)a->n_members).text, cli_count((uint64_t)a->n_others).text,
                call->values[THRESHOLD].real);
}

static void print_text(const cli_call *call, const answer *a)
{
    enum { BAR = 30, NAME_MOST = 32 };
    FILE *out = call->out;
    int width = 0;
    print_heading(call, a);
    fputc('\n', out);
    for (int i = 0; i < a->n_members; i++) {
        int w = cli_width(zf_blanket_name(a->model, a->members[i].feature));
        width = w > width ? w : width;
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    for (int i = 0; i < a->n_members; i++) {
        const member *m = &a->members[i];
        fputs("  ", out);
        cli_fit(out, zf_blanket_name(a->model, m->feature), width, false);
        fprintf(out, "  %5.3f  ", (double)m->gate);
        int length = (int)((float)BAR * m->gate + 0.5f);
        for (int k = 0; k < length; k++) fputs(cli_utf8() ? "█" : "#", out);
        fputc('\n', out);
    }
    if (a->n_members == 0)
        fprintf(out,
                "The largest gate is %.3f; --threshold takes a lower one, --top 5 shows the "
                "most needed.\n",
                a->n_others ? (double)a->members[0].gate : 0.0);
}

static cli_exit answer_call(const cli_call *call, const zf_blanket *model)
{
    answer a = {.model = model};
    cli_exit exit =
        cli_find_features(&a.targets, &a.n_targets, model, &call->values[TARGET], "--target");
    if (exit == CLI_DONE) exit = ask(&a, call);
    if (exit == CLI_DONE && call->json)
        exit = print_json(call, &a);
    else if (exit == CLI_DONE)
        print_text(call, &a);
    free(a.targets);
    free(a.members);
    return exit;
}

static cli_exit run(const cli_call *call)
{
    zf_blanket *model = NULL;
    if (call->values[THRESHOLD].given && call->values[TOP].given)
        return cli_fail(CLI_USAGE, "--threshold and --top exclude each other");
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
