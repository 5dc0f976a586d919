/* The option parser: one pass over the words, driven by the descriptors. */
#include "parse.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "job/value.h"
#include "suggest.h"

struct parser {
    cli_call *call;
    cli_value globals[CLI_GLOBALS];
    bool version;
    int next; /* index of the word to come */
    int n_arguments;
};

/* For a hint; "" before the command is known. */
static const char *command_name(const struct parser *parser)
{
    return parser->call->command ? cli_name_of(parser->call->command) : "";
}

static cli_exit out_of_memory(void)
{
    return cli_fail(CLI_FAILED, "out of memory");
}

/* label is "option --seed" or "argument DATA". Numbers, flags and choices are read as those of jobs
   are; the commands that have no job take no lists and no files, so the rest is text. */
static cli_exit set_value(cli_value *value, const zf_option *option, const char *label,
                          const char *text)
{
    zf_option row = *option;
    value->set = true;
    switch (option->type) {
    case ZF_OPTION_FLAG:
        row.offset = offsetof(cli_value, flag), row.width = sizeof value->flag;
        break;
    case ZF_OPTION_WHOLE:
    case ZF_OPTION_CHOICE:
        row.offset = offsetof(cli_value, whole), row.width = sizeof value->whole;
        break;
    case ZF_OPTION_REAL:
        row.offset = offsetof(cli_value, real), row.width = sizeof value->real;
        break;
    default:
        value->text = text;
        return CLI_DONE;
    }
    CLI_TRY(cli_check(zf_value_set(value, NULL, &row, label, text)));
    if (option->type == ZF_OPTION_CHOICE) value->text = option->choices[value->whole];
    return CLI_DONE;
}

static cli_exit set_fallbacks(cli_value *values, const zf_option *options)
{
    for (int i = 0; options && options[i].name; i++)
        if (options[i].fallback)
            CLI_TRY(set_value(&values[i], &options[i], options[i].name, options[i].fallback));
    return CLI_DONE;
}

void cli_defaults_free(cli_defaults *defaults)
{
    free(defaults->values);
    zf_options_free(defaults->options);
    *defaults = (cli_defaults){0};
}

cli_exit cli_defaults_begin(cli_defaults *defaults, const cli_command *command)
{
    *defaults = (cli_defaults){0};
    if (command->job) return cli_check(zf_options_of(&defaults->options, command->job));
    defaults->values = calloc((size_t)zf_option_count(command->options) + 1, sizeof(cli_value));
    if (!defaults->values) return out_of_memory();
    cli_exit exit = set_fallbacks(defaults->values, command->options);
    if (exit != CLI_DONE) {
        cli_defaults_free(defaults);
        return exit;
    }
    if (command->defaults) command->defaults(defaults->values);
    return CLI_DONE;
}

/* Where the value of an option or argument goes. */
typedef struct slot {
    cli_value *value;    /* NULL: into the job's options */
    zf_options *options; /* of the job */
} slot;

static cli_exit set_slot(slot to, const zf_option *option, const char *label, const char *text)
{
    if (!to.value) return cli_check(zf_options_put(to.options, option, label, text));
    return set_value(to.value, option, label, text);
}

/* The option of that name (length bytes of it) or letter, and where its value goes; NULL if there
   is none. */
static const zf_option *find_option(struct parser *parser, const char *name, size_t length,
                                    char letter, slot *to)
{
    const cli_call *call = parser->call;
    int at = zf_option_find(cli_global_options, name, length, letter);
    if (at >= 0) {
        *to = (slot){.value = &parser->globals[at]};
        return &cli_global_options[at];
    }
    const zf_option *options = call->command ? cli_options_of(call->command) : NULL;
    at = zf_option_find(options, name, length, letter);
    if (at < 0) return NULL;
    *to = (slot){call->values ? &call->values[at] : NULL, call->options};
    return &options[at];
}

static cli_exit unknown_option(const struct parser *parser, const char *name, size_t length)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 63 ? length : 63), name);
    cli_suggestion near = {.word = typed};
    for (int i = 0; i < CLI_GLOBALS; i++) cli_consider(&near, cli_global_options[i].name);
    const cli_command *command = parser->call->command;
    for (int i = 0; command && cli_options_of(command) && cli_options_of(command)[i].name; i++)
        cli_consider(&near, cli_options_of(command)[i].name);
    if (!command) cli_consider(&near, cli_top_options[0].name);
    if (near.best)
        return cli_fail(CLI_USAGE, "unknown option --%s; did you mean --%s?", typed, near.best);
    return cli_fail(CLI_USAGE, "unknown option --%s%s; see zeroflow%s%s --help", typed,
                    command ? "" : " before the command", command ? " " : "", command_name(parser));
}

/* Whether word is an option of this command, so that it cannot be meant as the
   value of the option before it; "-999" and "-" can. */
static bool is_known_option(struct parser *parser, const char *word)
{
    slot to;
    if (strcmp(word, "--") == 0) return true;
    if (strncmp(word, "--", 2) == 0)
        return find_option(parser, word + 2, strcspn(word + 2, "="), 0, &to) != NULL;
    return word[0] == '-' && word[1] && !word[2] &&
           find_option(parser, NULL, 0, word[1], &to) != NULL;
}

/* Stores what was given for an option: inline_text after '=' or the letter, or
   else the next word. */
static cli_exit take_value(struct parser *parser, const zf_option *option, slot to,
                           const char *label, const char *inline_text)
{
    cli_call *call = parser->call;
    const char *text = inline_text;
    if (!text) {
        if (parser->next >= call->argc || is_known_option(parser, call->argv[parser->next]))
            return cli_fail(CLI_USAGE, "option %s needs a value: %s %s", label, label,
                            option->placeholder);
        text = call->argv[parser->next++];
    }
    char full_label[80];
    snprintf(full_label, sizeof full_label, "option %s", label);
    return set_slot(to, option, full_label, text);
}

static cli_exit parse_long(struct parser *parser, const char *word)
{
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const char *text = name[length] ? name + length + 1 : NULL;
    slot to;
    const zf_option *option = find_option(parser, name, length, 0, &to);
    if (!option && !parser->call->command &&
        zf_option_find(cli_top_options, name, length, 0) >= 0 && !text) {
        parser->version = true;
        return CLI_DONE;
    }
    if (!option) return unknown_option(parser, name, length);
    char label[64];
    snprintf(label, sizeof label, "--%s", option->name);
    if (option->type == ZF_OPTION_FLAG) {
        if (text) return cli_fail(CLI_USAGE, "option %s takes no value, found \"%s\"", label, text);
        return set_slot(to, option, label, "");
    }
    return take_value(parser, option, to, label, text);
}

static cli_exit parse_letters(struct parser *parser, const char *word)
{
    for (const char *letter = word + 1; *letter; letter++) {
        slot to;
        const zf_option *option = find_option(parser, NULL, 0, *letter, &to);
        if (!option)
            return cli_fail(CLI_USAGE, "unknown option -%s; see zeroflow%s%s --help", letter,
                            parser->call->command ? " " : "", command_name(parser));
        if (option->type != ZF_OPTION_FLAG) {
            char label[3] = {'-', *letter, 0};
            return take_value(parser, option, to, label, letter[1] ? letter + 1 : NULL);
        }
        CLI_TRY(set_slot(to, option, "", ""));
    }
    return CLI_DONE;
}

static cli_exit start_command(struct parser *parser, const char *word)
{
    cli_call *call = parser->call;
    const cli_command *command = cli_find_command(word);
    if (!command) return cli_unknown_command(word);
    cli_defaults defaults;
    call->command = command;
    CLI_TRY(cli_defaults_begin(&defaults, command));
    call->values = defaults.values;
    call->options = defaults.options;
    if (command->job) return CLI_DONE;
    call->arguments =
        calloc((size_t)zf_option_count(command->arguments) + 1, sizeof *call->arguments);
    return call->arguments ? CLI_DONE : out_of_memory();
}

static cli_exit parse_argument(struct parser *parser, const char *word)
{
    cli_call *call = parser->call;
    if (!call->command) return start_command(parser, word);
    const cli_command *command = call->command;
    const zf_option *arguments = cli_arguments_of(command);
    int count = zf_option_count(arguments);
    /* A list at the end takes all words that are left. */
    if (count && parser->n_arguments == count && arguments[count - 1].type == ZF_OPTION_LIST)
        parser->n_arguments--;
    if (parser->n_arguments >= count)
        return cli_fail(CLI_USAGE, "unexpected argument \"%s\"; see zeroflow %s --help", word,
                        cli_name_of(command));
    int at = parser->n_arguments++;
    slot to = {call->arguments ? &call->arguments[at] : NULL, call->options};
    return set_slot(to, &arguments[at], arguments[at].name, word);
}

static cli_exit parse_words(struct parser *parser)
{
    cli_call *call = parser->call;
    bool only_arguments = false;
    while (parser->next < call->argc) {
        const char *word = call->argv[parser->next++];
        if (only_arguments || word[0] != '-' || !word[1])
            CLI_TRY(parse_argument(parser, word));
        else if (strcmp(word, "--") == 0)
            only_arguments = true;
        else if (word[1] == '-')
            CLI_TRY(parse_long(parser, word));
        else
            CLI_TRY(parse_letters(parser, word));
    }
    return CLI_DONE;
}

static cli_exit check_arguments(const struct parser *parser)
{
    const cli_command *command = parser->call->command;
    const zf_option *arguments = cli_arguments_of(command);
    if (parser->n_arguments < zf_option_count(arguments) &&
        !arguments[parser->n_arguments].optional)
        return cli_fail(CLI_USAGE, "argument %s is missing; see zeroflow %s --help",
                        arguments[parser->n_arguments].name, cli_name_of(command));
    return CLI_DONE;
}

cli_exit cli_parse(cli_call *call, bool *version, int argc, char **argv)
{
    struct parser parser = {.call = call, .next = 1};
    *call = (cli_call){.argc = argc, .argv = argv};
    CLI_TRY(set_fallbacks(parser.globals, cli_global_options));
    cli_exit exit = parse_words(&parser);
    call->seed = parser.globals[CLI_SEED].whole;
    call->threads = (int)parser.globals[CLI_THREADS].whole;
    call->json = parser.globals[CLI_JSON].flag;
    call->quiet = parser.globals[CLI_QUIET].flag;
    call->help = parser.globals[CLI_HELP].flag;
    *version = parser.version;
    CLI_TRY(exit);
    if (!call->command || call->help) return CLI_DONE;
    return check_arguments(&parser);
}

void cli_call_free(cli_call *call)
{
    if (!call->command) return;
    free(call->values);
    free(call->arguments);
    zf_options_free(call->options);
    *call = (cli_call){0};
}
