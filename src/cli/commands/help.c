/* zeroflow help: the same text as --help. */
#include "help.h"

enum { COMMAND };

static const zf_option arguments[] = {
    [COMMAND] = {"COMMAND", .type = ZF_OPTION_COMMAND, .optional = true,
                 .help = "Command to explain; without it, a list of all commands."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow help check", "The options of check, with examples."},
    {NULL},
};

static cli_exit run(const cli_call *call)
{
    const char *name = call->arguments[COMMAND].text;
    if (!name) return cli_print_overview(call->out);
    const cli_command *command = cli_find_command(name);
    return command ? cli_print_help(call->out, command) : cli_unknown_command(name);
}

const cli_command cli_command_help = {
    .name = "help",
    .summary = "explain a command",
    .description = "Shows what a command does, its options and examples, like COMMAND --help.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
